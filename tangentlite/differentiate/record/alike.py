"""Values of which only the shape is asked for: another one of the same shape, which is read anyway, tells it.

In: a finished backward sweep over placeholders.
Out: the same sweep; the forward sweep need not make what only had a shape.
Next: recording.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import gast

from tangentlite import syntax
from tangentlite.analysis.kinds import SCALAR, Num, Shape
from tangentlite.analysis.operations import Primitive
from tangentlite.analysis.versions import Scope, Version
from tangentlite.differentiate.adjoints import Body
from tangentlite.differentiate.reverse import Sweep
from tangentlite.differentiate.shapes import UNTOLD, shape_of_kind

ARITHMETIC = (gast.Add, gast.Sub, gast.Mult, gast.Div)
Telling = tuple[Scope, Shape]  # who is made in the same trip tells the shape

ASKING = {
    "unbroadcast": 1,
    "unreduce": 1,
    "kept": 1,
    "weighted": 2,
}  # where the shape is asked for, not the dtype

SUMS = ("sum", "sum_as_it_is")


def told_by_others(sweep: Sweep, extra: Body) -> set[str]:
    """Ask what is read anyway for shapes (both sweeps are changed in place); what is still only asked for its own."""
    if sweep.adjoints.shapes.lazy:
        return set()
    table = sweep.adjoints.shapes.table
    trees = [*sweep.backward[sweep.facts.versions.root], *extra]
    nodes = syntax.nodes(trees)
    asking = [(call, n) for call, n in _asking(nodes, sweep.session.rt) if n in table]
    if not asking:
        return set()
    if any(_is_sum(sweep, name) for _, name in asking) and _sum_down_later(sweep, trees):
        nodes = syntax.nodes(trees)
        asking = [(call, n) for call, n in _asking(nodes, sweep.session.rt) if n in table]
    asked = Counter(name for _, name in asking)
    read = Counter(n.id for n in nodes if n.__class__ is gast.Name and n.id in table)
    shapes = {n: shape for n in read if (shape := _shape(sweep, table[n])) is not None}
    tellers: dict[Telling, str] = {}
    for name in sorted(shapes, key=lambda n: table[n].number):
        if read[name] > asked[name]:
            tellers.setdefault((table[name].scope, shapes[name]), name)
    outlines: set[str] = set()
    for call, name in asking:
        teller = tellers.get((table[name].scope, shapes[name])) if name in shapes else None
        if read[name] == asked[name]:
            told = syntax.name(teller) if teller is not None else _frame(sweep, table[name], read)
            call.args[ASKING[call.func.attr]] = told or syntax.name(name)
            if told is None:
                outlines.add(name)
    return outlines


def _sum_down_later(sweep: Sweep, trees: Body) -> bool:
    """The adjoint of a sum that was broadcast is summed down where it is repeated: what was summed tells its shape.

    by = rt.unbroadcast(by, y)
    bx = rt.unreduce(by, x, 1)        bx = rt.unreduce(by, x, 1)
    """
    changed = False
    blocks = [block for s in syntax.statements(trees) for block in syntax.blocks(s)]
    for body in (sweep.backward[sweep.facts.versions.root], *blocks):
        pairs = [k for k in range(len(body) - 1) if _repeats_sum(sweep, *body[k : k + 2])]
        for k in reversed(pairs):
            if body[k].targets[0].id not in syntax.loads(body[k + 2 :]):
                body[k + 1].value.args[0] = body[k].value.args[0]
                del body[k]
                changed = True
    return changed


def _repeats_sum(sweep: Sweep, one: gast.stmt, other: gast.stmt) -> bool:
    """Whether a statement sums the adjoint of ``np.sum(x, axis)`` down, and the next one repeats it like ``x``."""
    match one, other:
        case (
            gast.Assign(targets=[gast.Name(id=name)], value=gast.Call(func=func, args=[_, y])),
            gast.Assign(
                value=gast.Call(func=repeat, args=[gast.Name(id=same), gast.Name(id=x), _])
            ),
        ) if name == same and isinstance(y, gast.Name):
            rt, calls = sweep.session.rt, (syntax.dotted(func), syntax.dotted(repeat))
            called = calls == (f"{rt}.unbroadcast", f"{rt}.unreduce")
            return called and _is_sum(sweep, y.id) and _is_spread_product(sweep, x)
    return False


def _is_spread_product(sweep: Sweep, placeholder: str) -> bool:
    """Whether a value is a product of smaller ones; what is repeated like a factor is repeated where it is used."""
    version = sweep.adjoints.shapes.table.get(placeholder)
    match getattr(version and version.statement, "value", None):
        case gast.BinOp(left=gast.Name(id=a), op=gast.Mult(), right=gast.Name(id=b)):
            assert version is not None
            factors = [sweep.facts.versions.reads[version.statement].get(n) for n in (a, b)]
            shape = shape_of_kind(sweep.facts.kind_of(version))
            return all(f and shape_of_kind(sweep.facts.kind_of(f)) != shape for f in factors)
    return False


def _is_sum(sweep: Sweep, placeholder: str) -> bool:
    """Whether a value is a sum of another one."""
    version = sweep.adjoints.shapes.table.get(placeholder)
    operation = version and version.statement and sweep.facts.operation(version.statement)
    return isinstance(operation, Primitive) and operation.rule.name in SUMS


def _frame(sweep: Sweep, version: Version, read: Counter[str]) -> gast.expr | None:
    """What has the shape of a sum or a product that is made in a loop, if both operands are read anyway."""
    statement, scope = version.statement, version.scope
    match getattr(statement, "value", None):
        case gast.BinOp(left=gast.Name(id=a), op=op, right=gast.Name(id=b)) if scope.repeats:
            kind, versions = sweep.facts.kind_after(statement, version.name), sweep.facts.versions
            operands = [versions.reads[statement].get(n) for n in (a, b)]
            near = [v for v in operands if v and (v.scope is scope or not v.scope.repeats)]
            names = [v.placeholder for v in near]
            real = isinstance(kind, Num) and kind.exact == "float"
            if (
                real
                and isinstance(op, ARITHMETIC)
                and len(names) == 2
                and all(map(read.get, names))
            ):
                return sweep.session.runtime("frame(a, b)", a=names[0], b=names[1])
    return None


def _shape(sweep: Sweep, version: Version) -> Shape | None:
    """The shape of a version, if it is one that others of its trip may have."""
    if not version.certain or version.header:
        return None
    shape = shape_of_kind(sweep.facts.kind_of(version))
    return None if shape == SCALAR or shape & UNTOLD else shape


def _asking(nodes: list[Any], rt: str) -> Iterator[tuple[gast.Call, str]]:
    """The calls that ask a name for a shape."""
    for call in (n for n in nodes if n.__class__ is gast.Call):
        match call.func:
            case gast.Attribute(value=gast.Name(id=module), attr=attr) if (
                module == rt and attr in ASKING and len(call.args) > ASKING[attr]
            ):
                asked = call.args[ASKING[attr]]
                if isinstance(asked, gast.Name):
                    yield call, asked.id
