"""``s op= e`` where s is an array or a list, or may be one that has another name: it is written in place.

In: a normal form, and statements ``s = t`` that end its augmented assignments.
Out: a normal form in which they store into s.
Next: analysis.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Set
from types import CellType

import gast
import numpy as np

from tangentlite import runtime, syntax
from tangentlite.lowering.context import Normal, name_of
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


class _InPlace:
    def __init__(self, normal: Normal, targets: Mapping[gast.stmt, str]) -> None:
        self.normal, self.targets = normal, targets
        self.names, self.sources = normal.names.copy(), dict(normal.sources)
        self.cells: dict[str, CellType] = {}

    def run(self) -> Normal:
        function = self.normal.function
        function = function.with_body(self._block(function.body))
        function = replace(function, namespace=function.namespace.extended(self.cells))
        return replace(self.normal, function=function, sources=self.sources, names=self.names)

    def _block(self, body: list[gast.stmt]) -> list[gast.stmt]:
        result: list[gast.stmt] = []
        for statement in body:
            if statement in self.targets:
                if self.targets[statement] == "outside":
                    result.append(self._placed(self._check(statement), statement))
                result.append(self._placed(self._store(statement, result), statement))
                continue
            statement = within(statement, self._block, self.sources)
            result.append(statement)
        return result

    def _store(self, statement: gast.stmt, before: list[gast.stmt]) -> gast.stmt:
        holes = {"s": statement.targets[0].id, "t": statement.value, "np": self._name("np", np)}
        match self.targets[statement]:
            case "list":
                return syntax.quote("s[:] = t", **holes)[0]
            case "row":
                text = "if isinstance(s, list):\n    s[:] = t\nelse:\n    s = t"
                holes["isinstance"] = self._name("isinstance", isinstance)
                holes["list"] = self._name("list", list)
                return syntax.quote(text, **holes)[0]
            case "outside":
                return syntax.quote("s = t", **holes)[0]
            case "unknown":
                text = "if isinstance(s, np.ndarray):\n    np.copyto(s, t)\nelse:\n    s = t"
                holes["isinstance"] = self._name("isinstance", isinstance)
                return syntax.quote(text, **holes)[0]
            case kind:
                added = _added(statement, before)
                text = "s[...] = t" if kind == "known" else "np.copyto(s, t)"
                return added or syntax.quote(text, **holes)[0]

    def _check(self, statement: gast.stmt) -> gast.stmt:
        """What lies outside is no array, which would be written."""
        rt = self._name("rt", runtime)
        return syntax.quote("rt.no_array(s)", rt=rt, s=statement.targets[0].id)[0]

    def _placed(self, new: gast.stmt, statement: gast.stmt) -> gast.stmt:
        """The new statement in the place of the other; a name that it binds is not augmented any more."""
        user = self.sources[statement]
        for node in syntax.walk(new):
            syntax.at(node, statement)
            if isinstance(node, gast.stmt):
                bound = isinstance(node, gast.Assign) and syntax.stores(node)
                self.sources[node] = syntax.at(syntax.copy(node), user) if bound else user
        return new

    def _name(self, wish: str, value: object) -> str:
        return name_of(value, wish, self.normal, self.names, self.cells)


def _added(statement: gast.stmt, before: list[gast.stmt]) -> gast.stmt | None:
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
    body: list[gast.stmt],
    sums: Set[gast.stmt],
    sources: dict[gast.stmt, gast.stmt],
    names: Names,
) -> list[gast.stmt]:
    result: list[gast.stmt] = []
    for statement in body:
        if statement in sums:
            result += _steps(statement, sources, names)
            continue
        statement = within(statement, lambda block: _unfolded(block, sums, sources, names), sources)
        result.append(statement)
    return result


def _steps(
    statement: gast.stmt, sources: dict[gast.stmt, gast.stmt], names: Names
) -> list[gast.stmt]:
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


def slot_of(statement: gast.stmt, block: list[gast.stmt]) -> str | None:
    """The name u of ``u = xs[i]; t = u * e; xs[i] = t``, where the last statement is given."""
    match statement:
        case gast.Assign(
            targets=[(gast.Subscript() | gast.Attribute()) as place], value=gast.Name(id=new)
        ):
            for before in block[: block.index(statement)]:
                match before:
                    case gast.Assign(
                        targets=[gast.Name(id=made)], value=gast.BinOp(left=gast.Name(id=old))
                    ) if made == new and place.ctx is not None:
                        return old  # type: ignore[no-any-return]
    return None


def _spread(
    body: list[gast.stmt], stores: Set[gast.stmt], sources: dict[gast.stmt, gast.stmt]
) -> list[gast.stmt]:
    result: list[gast.stmt] = []
    for statement in body:
        if statement in stores:
            old = slot_of(statement, body)
            if old is not None:
                statement = _renewing(statement, old, result, sources)
        statement = within(statement, lambda block: _spread(block, stores, sources), sources)
        result.append(statement)
    return result


def _renewing(
    statement: gast.stmt, old: str, before: list[gast.stmt], sources: dict[gast.stmt, gast.stmt]
) -> gast.stmt:
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


def within(
    statement: gast.stmt,
    change: Callable[[list[gast.stmt]], list[gast.stmt]],
    sources: dict[gast.stmt, gast.stmt],
) -> gast.stmt:
    """The statement with its blocks changed; itself if all stay as they are."""
    for field in ("body", "orelse"):
        inner = getattr(statement, field, None)
        if isinstance(inner, list) and inner:
            new = change(inner)
            if any(a is not b for a, b in zip(new, inner)) or len(new) != len(inner):
                statement = with_block(statement, field, new, sources)
    return statement


def with_block(
    statement: gast.stmt, field: str, block: list[gast.stmt], sources: dict[gast.stmt, gast.stmt]
) -> gast.stmt:
    """The statement with another block."""
    new = statement.__class__.__new__(statement.__class__)
    new.__dict__.update(statement.__dict__)
    new.__dict__[field] = block
    sources[new] = sources[statement]
    return new
