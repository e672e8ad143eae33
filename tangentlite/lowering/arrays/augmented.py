"""``s op= e`` where s is an array or a list, or may be one that has another name: it is written in place.

In: a normal form, and statements ``s = t`` that end its augmented assignments.
Out: a normal form in which they store into s.
Next: analysis.
"""

from __future__ import annotations

from collections.abc import Mapping, Set

import gast
import numpy as np

from tangentlite import runtime, syntax
from tangentlite.lowering.context import Normal
from tangentlite.lowering.rewriting import Lines, Rewriting, Sources, within
from tangentlite.naming import Names
from tangentlite.values import replace

FITTED = (  # products of their own memory, in the shape of what they are the adjoint of
    *(runtime.matmul_left, runtime.matmul_right, runtime.dot_left, runtime.dot_right),
    *(runtime.matmul_both, runtime.dot_both),
    *(runtime.outer_left, runtime.outer_right, runtime.inner_left, runtime.inner_right),
    *(runtime.tensordot_left, runtime.tensordot_right),
)
PLAIN = np.outer, np.dot, np.matmul, np.tensordot
PRODUCTS = frozenset(f.__name__ for f in (*FITTED, *PLAIN))


def in_place(normal: Normal, targets: Mapping[gast.stmt, str]) -> Normal:
    """``t = s + e; s = t`` becomes ``s[...] += e``, and with other operators ``s[...] = t``.

    ``targets``: statements, with what s is: an array of "known" elements, an "array" of which it is not known whether
    it takes what t holds, a "list", a "row" that may be a tuple; "unknown" is decided when it runs, and what may be an
    array from "outside" is a number, or refused then.
    """
    return _InPlace(normal, targets).run() if targets else normal


class _InPlace(Rewriting):
    def __init__(self, normal: Normal, targets: Mapping[gast.stmt, str]) -> None:
        super().__init__(normal)
        self.targets = targets

    def block(self, body: Lines) -> Lines:
        result: Lines = []
        for statement in body:
            if statement in self.targets:
                if self.targets[statement] == "outside":
                    result += self.placed([self._check(statement)], statement)
                result += self.placed([self._store(statement, result)], statement)
                continue
            result.append(self.inside(statement))
        return result

    def _store(self, statement: gast.stmt, before: Lines) -> gast.stmt:
        holes = {"s": statement.targets[0].id, "t": statement.value, "np": self.name(np, "np")}
        match self.targets[statement]:
            case "list":
                return syntax.quote("s[:] = t", **holes)[0]
            case "row":
                text = "if isinstance(s, list):\n    s[:] = t\nelse:\n    s = t"
                holes["isinstance"] = self.name(isinstance, "isinstance")
                holes["list"] = self.name(list, "list")
                return syntax.quote(text, **holes)[0]
            case "outside":
                return syntax.quote("s = t", **holes)[0]
            case "unknown":
                text = "if isinstance(s, np.ndarray):\n    np.copyto(s, t)\nelse:\n    s = t"
                holes["isinstance"] = self.name(isinstance, "isinstance")
                return syntax.quote(text, **holes)[0]
            case kind:
                added = _added(statement, before)
                text = "s[...] = t" if kind == "known" else "np.copyto(s, t)"
                return added or syntax.quote(text, **holes)[0]

    def _check(self, statement: gast.stmt) -> gast.stmt:
        """What lies outside is no array, which would be written."""
        rt = self.name(runtime, "rt")
        return syntax.quote("rt.no_array(s)", rt=rt, s=statement.targets[0].id)[0]

    def placed(self, made: Lines, statement: gast.stmt) -> Lines:
        """The new statements in the place of the other; a name that they bind is not augmented any more."""
        user = self.sources[statement]
        for new in syntax.statements(super().placed(made, statement)):
            if isinstance(new, gast.Assign) and syntax.stores(new):
                self.sources[new] = syntax.at(syntax.copy(new), user)
        return made


def _added(statement: gast.stmt, before: Lines) -> gast.stmt | None:
    """``s[...] += e``, if ``t = s + e`` stands just before ``s = t``: it is taken away."""
    name, temporary = statement.targets[0].id, statement.value.id
    match before[-1] if before else None:
        case gast.Assign(
            targets=[gast.Name(id=made)],
            value=gast.BinOp(
                left=gast.Name(id=left), op=gast.Add() | gast.Sub() as op, right=value
            ),
        ) if made == temporary and left == name and name not in syntax.loads(value):
            before.pop()
            place = gast.Subscript(syntax.name(name), syntax.constant(...), gast.Store())
            return gast.AugAssign(place, op, value)
    return None


def through_slots(normal: Normal, stores: Set[gast.stmt]) -> Normal:
    """``t = u * e; xs[i] = t`` becomes ``t = u * e; u = t; xs[i] = u``: an array in a list is written in place."""
    if not stores:
        return normal
    sources = dict(normal.sources)
    body = _spread(normal.function.body, stores, sources)
    return replace(normal, function=normal.function.with_body(body), sources=sources)


def unfolded(normal: Normal, sums: Set[gast.stmt]) -> Normal:
    """``xs[i] += e`` of a list or a dict becomes what Python does: ``u = xs[i]; t = u + e; u = t; xs[i] = u``."""
    if not sums:
        return normal
    sources, names = dict(normal.sources), normal.names.copy()
    body = _unfolded(normal.function.body, sums, sources, names)
    function = normal.function.with_body(body)
    return replace(normal, function=function, sources=sources, names=names)


def _unfolded(
    body: Lines,
    sums: Set[gast.stmt],
    sources: Sources,
    names: Names,
) -> Lines:
    result: Lines = []
    for statement in body:
        if statement in sums:
            result += _steps(statement, sources, names)
            continue
        statement = within(statement, lambda block: _unfolded(block, sums, sources, names), sources)
        result.append(statement)
    return result


def _steps(statement: gast.stmt, sources: Sources, names: Names) -> Lines:
    user = sources[statement]
    holes = {"u": names.numbered("t"), "t": names.numbered("t"), "e": statement.value}
    place = syntax.copy(statement.target)
    read = gast.Subscript(place.value, place.slice, gast.Load())
    lines = syntax.quote("u = p\nt = u + e\nu = t", p=read, **holes)
    lines[1].value.op = statement.op
    lines.append(gast.Assign([place], syntax.name(holes["u"]), None))
    renewed = syntax.store(syntax.name(holes["u"]))
    for line in lines:
        sources[syntax.at(line, statement)] = user
    sources[lines[2]] = syntax.at(gast.AugAssign(renewed, statement.op, user.value), user)
    return lines


def slot_of(statement: gast.stmt, block: Lines) -> str | None:
    """The name u of ``u = xs[i]; t = u * e; xs[i] = t``, where the last statement is given."""
    match statement:
        case gast.Assign(
            targets=[(gast.Subscript() | gast.Attribute()) as place], value=gast.Name(id=new)
        ):
            for before in reversed(block[: block.index(statement)]):
                match before:
                    case gast.Assign(
                        targets=[gast.Name(id=made)], value=gast.BinOp(left=gast.Name(id=old))
                    ) if made == new and place.ctx is not None:
                        return old  # type: ignore[no-any-return]
    return None


def _spread(body: Lines, stores: Set[gast.stmt], sources: Sources) -> Lines:
    result: Lines = []
    for statement in body:
        if statement in stores:
            old = slot_of(statement, body)
            if old is not None:
                statement = _renewing(statement, old, result, sources)
        statement = within(statement, lambda block: _spread(block, stores, sources), sources)
        result.append(statement)
    return result


def _renewing(statement: gast.stmt, old: str, before: Lines, sources: Sources) -> gast.stmt:
    user = sources[statement]
    renewal = syntax.at(syntax.assign(old, statement.value), statement)
    name = syntax.at(syntax.store(syntax.name(old)), statement)
    sources[renewal] = syntax.at(gast.AugAssign(name, user.op, user.value), user)
    before.append(renewal)
    store = syntax.at(gast.Assign(statement.targets, syntax.name(old), None), statement)
    sources[store] = user
    return store


def augmented_slots(normal: Normal) -> dict[gast.stmt, str]:
    """The stores that end ``xs[i] op= e``, each with the name of what was there."""
    found: dict[gast.stmt, str] = {}
    waiting = [normal.function.body]
    while waiting:
        block = waiting.pop()
        for statement in block:
            waiting += syntax.blocks(statement)
            if isinstance(normal.sources.get(statement), gast.AugAssign):
                old = slot_of(statement, block)
                if old is not None:
                    found[statement] = old
    return found


def augmented(normal: Normal) -> dict[gast.stmt, str]:
    """The statements ``s = t`` that end an augmented assignment of a name, with the name."""
    return {
        statement: source.target.id
        for statement, source in normal.sources.items()
        if isinstance(source, gast.AugAssign)
        and isinstance(source.target, gast.Name)
        and _binds(statement, source.target.id)
        and not (normal.function.generated and _is_product(source.value))
    }


def fitted(normal: Normal) -> dict[gast.stmt, str]:
    """The statements ``t = s op e`` for ``s op= e``, where s takes in t, with s: if s is an array, t has its shape.

    So it is with ``u = a[i]; t = u op e; a[i] = t`` for ``a[i] op= e``.
    """
    made: dict[str, tuple[gast.stmt, str]] = {}
    taken: set[tuple[str, object]] = set()
    for statement, source in normal.sources.items():
        if not isinstance(source, gast.AugAssign):
            continue
        target = getattr(source.target, "id", None)
        match statement:
            case gast.Assign(
                targets=[gast.Name(id=name)], value=gast.BinOp(left=gast.Name(id=left))
            ) if target in (left, None):
                made[name] = statement, left
            case gast.Assign(
                targets=[gast.Subscript(value=gast.Name(id=array))], value=gast.Name(id=value)
            ):
                taken.add((value, None if target is None else array))
            case gast.Expr(value=gast.Call(args=[gast.Name(id=array), gast.Name(id=value)])):
                taken.add((value, array))  # np.copyto
    return {s: a for t, (s, a) in made.items() if not taken.isdisjoint({(t, a), (t, None)})}


def _is_product(value: gast.expr) -> bool:
    """Whether a derivative adds a value in place to what has no other name."""
    match value:
        case gast.UnaryOp(operand=operand):
            return _is_product(operand)
        case gast.Call(func=gast.Attribute(attr=attr)):
            return attr in PRODUCTS
    return isinstance(value, gast.BinOp) and isinstance(value.op, gast.MatMult)


def _binds(statement: gast.stmt, name: str) -> bool:
    match statement:
        case gast.Assign(targets=[gast.Name(id=target)], value=gast.Name()):
            return bool(target == name)
    return False
