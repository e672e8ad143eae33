"""Which versions are recorded, and which are made again.

In: a sweep with placeholders.
Out: a plan: what backward code needs, what goes on a tape, what a cheap operation makes again from what is at hand.
Next: recording.
"""

from __future__ import annotations

import gast
import numpy as np

from tangentlite import syntax
from tangentlite.analysis.kinds import Inert, Kind, Nothing, Num, Tuple
from tangentlite.analysis.operations import Copy, Display, NoFlow, Primitive, Slot
from tangentlite.analysis.storage.memory import memory
from tangentlite.analysis.versions import Scope, Version
from tangentlite.differentiate.adjoints import Body
from tangentlite.differentiate.blocks.again import within
from tangentlite.differentiate.record.alike import told_by_others
from tangentlite.differentiate.record.literals import is_literal
from tangentlite.differentiate.record.playing import Plan
from tangentlite.differentiate.reverse import Sweep
from tangentlite.lowering.flow.guards import called
from tangentlite.runtime.containers.objects import is_object


def planned(sweep: Sweep, extra: Body) -> Plan:
    """What is recorded, and what made again; an ``if`` whose blocks keep something asks for its condition."""
    while True:
        outlines = told_by_others(sweep, extra)
        plan = Plan(needed=_needed(sweep, extra), outlines=outlines)
        _sort(sweep, plan, plan.needed)
        keeping = {**plan.recorded, **plan.remade}
        scopes = sweep.facts.versions.scopes
        asking = [i for i in sweep.loose if any(s in keeping for s in scopes[i.statement])]
        if not asking:
            return plan
        for loose in list(sweep.loose):
            inner = scopes[loose.statement]
            if loose in asking or any(within(a.scope, s) for a in asking for s in inner):
                sweep.tie(loose)


def _needed(sweep: Sweep, extra: Body) -> dict[str, Version]:
    """The versions that backward code reads, oldest first."""
    table = sweep.adjoints.shapes.table
    loads = syntax.loads([*sweep.backward[sweep.facts.versions.root], *extra])
    found = [table[name] for name in loads if name in table]
    return {v.placeholder: v for v in sorted(found, key=lambda v: (v.number, v.placeholder))}


def _sort(sweep: Sweep, plan: Plan, needed: dict[str, Version]) -> None:
    """Versions made in loops: made again where that is cheap, otherwise recorded."""
    looped = [v for v in needed.values() if v.scope.repeats and not v.header]
    wanted = {v.placeholder for v in looped}
    remade: dict[str, Version] = {}
    for version in looped:
        known = version.placeholder in remade
        steps = None if known else _steps(sweep, plan, version, wanted, remade)
        for step in steps or []:
            remade[step.placeholder] = step
            plan.remade.setdefault(step.scope, []).append(step)
            for operand in (step, *_leaves(sweep, plan, step)):
                sweep.adjoints.shapes.table[operand.placeholder] = operand
                needed.setdefault(operand.placeholder, operand)
        if steps is None and version.placeholder not in remade:
            plan.recorded.setdefault(version.scope, []).append(version)


def _steps(
    sweep: Sweep, plan: Plan, version: Version, wanted: set[str], remade: dict[str, Version]
) -> list[Version] | None:
    """What to make again, in order, to have the version again; None if something must be recorded for it."""
    operands = _operands(sweep, version)
    if operands is None:
        return None
    steps: list[Version] = []
    for operand in operands:
        if _is_outline(sweep, plan, operand) and not _is_part(version):
            return None
        if _at_hand(operand, wanted, remade) or operand in steps:
            continue
        if operand.placeholder in remade and _is_part(operand):
            if _is_line(sweep, version) or _is_key(sweep, operand):
                continue
        if _is_multiple(sweep, operand, wanted, remade):
            plan.multiples[operand.placeholder] = operand
            continue
        number = _is_number(_made(sweep, version)) and _is_element(sweep, operand)
        scaled = _is_scaled(sweep, version) and _is_part(operand)
        light = _is_index(_made(sweep, operand)) or number or scaled or _is_said(sweep, operand)
        light = light or _is_key(sweep, operand)
        below = _steps(sweep, plan, operand, wanted, remade) if light else None
        if below is None:
            return None
        steps += [s for s in below if s not in steps]
    return [*steps, version]


def _is_outline(sweep: Sweep, plan: Plan, version: Version) -> bool:
    """Whether a version is an array of which only the shape is asked: it is no reason to compute with it again."""
    if version.placeholder not in plan.outlines or not version.scope.repeats:
        return False
    kind = _made(sweep, version)
    return isinstance(kind, Num) and bool(kind.ndim)


def _made(sweep: Sweep, version: Version) -> Kind | None:
    """What a version is, if a statement makes it."""
    if version.statement is None:
        return None
    return sweep.facts.kind_after(version.statement, version.name)


def _is_index(kind: Kind | None) -> bool:
    """Whether something is a part of an index, an integer or None, or several: arithmetic of these costs nothing."""
    if isinstance(kind, Tuple):
        return kind.type == "tuple" and all(map(_is_index, kind.items))
    if isinstance(kind, Num):
        return kind.exact == "int" and kind.scalar
    return isinstance(kind, Nothing) or (isinstance(kind, Inert) and kind.type == "shape")


def _is_said(sweep: Sweep, version: Version) -> bool:
    """Whether a version is a literal."""
    value = getattr(version.statement, "value", None)
    return value is not None and is_literal(value, sweep.facts.normal.function)


def _is_number(kind: Kind | None) -> bool:
    return isinstance(kind, Num) and kind.scalar


def _is_element(sweep: Sweep, version: Version) -> bool:
    """Whether a version is a number that was read from an array: to read it again costs what a record does."""
    return _is_part(version) and _is_number(_made(sweep, version))


def _is_part(version: Version) -> bool:
    """Whether a version is a part of an array."""
    return isinstance(getattr(version.statement, "value", None), gast.Subscript)


def _is_line(sweep: Sweep, version: Version) -> bool:
    """Whether a version is a line or a number out of an array: read again, it costs what a record does."""
    kind = _made(sweep, version)
    return _is_part(version) and isinstance(kind, Num) and kind.ndim in (0, 1)


def _is_scaled(sweep: Sweep, version: Version) -> bool:
    """Whether a version is something times a number from outside of loops: a forward loop would run for no more."""
    match version.statement:
        case gast.Assign(value=gast.BinOp(left=left, op=gast.Mult(), right=right)):
            reads = sweep.facts.versions.reads[version.statement]
            named = [n.id for n in (left, right) if isinstance(n, gast.Name)]
            free = [n for n in named if n in reads and not reads[n].scope.repeats]
            return any(_is_number(_read(sweep, version, n)) for n in free)
    return False


def _is_multiple(
    sweep: Sweep, version: Version, wanted: set[str], remade: dict[str, Version]
) -> bool:
    """Whether a version is something at hand times a number that is written down, which is said where it is read."""
    match version.statement:
        case gast.Assign(value=gast.BinOp(left=left, op=gast.Mult(), right=right)):
            operands = _operands(sweep, version) or []
            plain = isinstance(left, gast.Constant) or isinstance(right, gast.Constant)
            return plain and len(operands) == 1 and _at_hand(operands[0], wanted, remade)
    return False


def _leaves(sweep: Sweep, plan: Plan, version: Version) -> list[Version]:
    """What a version that is made again reads."""
    return [
        leaf
        for operand in _operands(sweep, version) or []
        for leaf in (
            _leaves(sweep, plan, operand) if operand.placeholder in plan.multiples else [operand]
        )
    ]


def said_again(sweep: Sweep, plan: Plan, version: Version) -> gast.expr:
    """The expression that makes a version again."""
    assert isinstance(version.statement, gast.Assign)
    reads = sweep.facts.versions.reads[version.statement]
    holes: dict[str, syntax.Hole] = {
        n: said_again(sweep, plan, v) if v.placeholder in plan.multiples else v.placeholder
        for n, v in reads.items()
    }
    return syntax.substitute(version.statement.value, holes)


def _at_hand(version: Version, wanted: set[str], remade: dict[str, Version]) -> bool:
    free = not version.scope.repeats or version.header
    known = version.placeholder in wanted and version.placeholder not in remade
    return free or known or (version.placeholder in remade and version.placeholder not in wanted)


def _operands(sweep: Sweep, version: Version) -> list[Version] | None:
    """What a cheap operation would make the version from again; None if it is not cheap."""
    statement = version.statement
    match statement:
        case gast.Assign(targets=[gast.Name(id=name)]) if name == version.name:
            operation = sweep.facts.operation(statement)
        case _:
            return None
    reads = sweep.facts.versions.reads[statement]
    if isinstance(operation, NoFlow) and is_literal(statement.value, sweep.facts.normal.function):
        return []
    told = isinstance(operation, NoFlow) and _is_key(sweep, version)
    if isinstance(operation, NoFlow | Display) and not told:
        return list(reads.values()) if _is_size(sweep, statement.value, version) else None
    if not sweep.changing.isdisjoint(reads):
        return None
    managed = "begin_with" in sweep.facts.normal.function.contents.attributes
    if managed and _is_managed(version) and not isinstance(operation, Copy | Slot):
        return None  # it would be made again without its manager, which puts warnings aside
    if _is_written(sweep, version) or any(sweep.facts.overwritten(statement, n) for n in reads):
        return None
    if sweep.facts.aliases.outside and _reads_outside(sweep, statement.value):
        return None
    match operation:
        case Copy() | Slot() | NoFlow():
            return list(reads.values())
        case Primitive(rule=rule) if rule.algebra == "elementwise" or isinstance(
            statement.value, gast.Subscript
        ):
            return list(reads.values())
    return None


def _is_written(sweep: Sweep, version: Version) -> bool:
    """Whether a version may be changed in place after it was made."""
    return sweep.facts.aliases.is_written(version.name) and memory(_made(sweep, version))


def _is_size(sweep: Sweep, tree: gast.expr, version: Version) -> bool:
    """Whether an expression is ``np.newaxis`` or its like, or a size of an array: what does not change."""
    kind, local = _made(sweep, version), sweep.facts.normal.function.local
    if not _is_index(kind):
        return False
    match tree:
        case gast.Tuple(elts=parts):
            return all(isinstance(p, gast.Constant | gast.Name) for p in parts)
        case gast.Attribute(value=gast.Name(id=name), attr="shape" | "ndim" | "size"):
            return name in local and isinstance(_read(sweep, version, name), Num)
        case gast.Subscript(value=gast.Name(id=name), slice=gast.Constant() | gast.UnaryOp()):
            return name in local and _is_index(_read(sweep, version, name))
    path = syntax.dotted(tree) if isinstance(kind, Nothing) else None
    return path is not None and path.partition(".")[0] not in local


def _is_key(sweep: Sweep, version: Version) -> bool:
    """Whether a version is one of the keys that a loop walks over, which are known."""
    match getattr(version.statement, "value", None):
        case gast.Subscript(value=gast.Name(id=name), slice=gast.Name()):
            held = _read(sweep, version, name)
            keys = held.literal if isinstance(held, Inert) and held.type == "sequence" else None
            return isinstance(keys, tuple) and isinstance(_made(sweep, version), Inert)
    return False


def _read(sweep: Sweep, version: Version, name: str) -> Kind | None:
    """What a name is where a version is made of it."""
    assert version.statement is not None
    return sweep.facts.kind_before(version.statement, name)


def _is_managed(version: Version) -> bool:
    """Whether a version is made in a ``with``."""
    scope: Scope | None = version.scope
    position = version.position
    while scope is not None:
        marks = [called(s) for s in scope.block[:position]]
        if marks.count("begin_with") > marks.count("end_with"):
            return True
        position, scope = scope.position, scope.parent
    return False


def _reads_outside(sweep: Sweep, value: gast.expr) -> bool:
    """Whether an expression reads a list, an array or an object from outside, which may have changed meanwhile."""
    function = sweep.facts.normal.function
    names = syntax.loads(value) - function.local
    space = function.namespace
    found = (space.lookup(n) for n in names if space.binds(n))
    return any(isinstance(v, list | dict | np.ndarray) or is_object(v) for v in found)
