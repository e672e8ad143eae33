"""Shifts that cancel: ``m`` in ``m + log(sum(exp(x - m)))`` has no influence on the result, and is not differentiated.

In: a normal form, operations, which names share memory.
Out: the statements that make such shifts.
Next: activity.

A value *follows* a shift m by a number k: it grows by k m, or by the factor exp(k m). The shift is an extremum along an
axis; the statements behind it in its block tell how each value follows. It cancels if in the end all follow by zero.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from heapq import heappop, heappush

import gast
import numpy as np

from tangentlite import rules, syntax
from tangentlite.analysis.cfg import Graph
from tangentlite.analysis.inference import Inference
from tangentlite.analysis.kinds import Num
from tangentlite.analysis.operations import (
    Accumulate,
    Copy,
    Inserted,
    NoFlow,
    Operation,
    Primitive,
    Store,
)
from tangentlite.analysis.smoothness.following import (
    REDUCED,
    STEPS,
    Followers,
    Following,
    places,
    said as axis_of,
)
from tangentlite.analysis.storage.aliases import Aliases
from tangentlite.analysis.storage.memory import written
from tangentlite.analysis.uses import Uses, said
from tangentlite.ir import Function
from tangentlite.lowering import Normal
from tangentlite.values import replace


def cancelling(
    normal: Normal, graph: Graph, inferred: Inference, shared: Aliases
) -> frozenset[gast.stmt]:
    """The statements that make shifts which cancel."""
    operations, body = inferred.operations, normal.function.body
    candidates = list(_candidates(normal, inferred))
    if not candidates:
        return frozenset()
    uses = Uses(lambda s: said(s).union(written(operations.get(s))))
    memory = _Memory(graph, inferred, shared, normal.function)
    found = [_Shift(block, at, memory, uses) for block, at in candidates]
    found = [shift for shift in found if shift.is_followed()]
    inner = any(shift.block is not body for shift in found)
    reads = Counter(_names(body if inner else []))
    kept = (shift for shift in found if shift.block is body or shift.is_alone(reads))
    return frozenset(shift.statement for shift in kept)


def _candidates(normal: Normal, inferred: Inference) -> Iterator[tuple[list[gast.stmt], int]]:
    made = [
        (s, o)
        for s, o in inferred.operations.items()
        if o.__class__ is Primitive and o.rule.name == "extremum"
    ]
    fixed = _fixed(normal.function) if made else frozenset()
    found = {s for s, o in made if _is_along(o, fixed) and syntax.stores(s)}
    blocks = [normal.function.body] if found else []
    for block in blocks:
        for at, statement in enumerate(block):
            blocks += syntax.blocks(statement)
            if statement in found:
                yield block, at


def _fixed(function: Function) -> frozenset[str]:
    """The parameters that are never bound anew."""
    return frozenset(p.name for p in function.params) - function.bound


def _is_along(operation: Primitive, fixed: frozenset[str]) -> bool:
    """Whether an extremum is one along axes that are known."""
    bound = operation.bound
    axis, keepdims = (bound.get(name) for name in REDUCED)
    if not bound.keys() <= {"x", *REDUCED} or not isinstance(bound["x"], gast.Name):
        return False
    along = axis is None or axis_of(axis, fixed) is not None
    return along and (keepdims is None or isinstance(keepdims, gast.Constant))


class _Memory:
    """What is known of the arrays that statements write into."""

    def __init__(
        self, graph: Graph, inferred: Inference, shared: Aliases, function: Function
    ) -> None:
        self._graph, self._inferred, self._shared = graph, inferred, shared
        self.fixed, self._function = _fixed(function), function
        self.operations = inferred.operations

    def means(self, func: gast.expr, meant: object) -> bool:
        """Whether a function is called that has this meaning everywhere."""
        path = syntax.dotted(func)
        if not path or path.partition(".")[0] in self._function.local:
            return False
        try:
            return self._function.namespace.resolve(path) is meant
        except (AttributeError, KeyError):
            return False

    def kinds(
        self, statement: gast.stmt, operation: Store | Accumulate, name: str
    ) -> tuple[Num, Num] | None:
        """The kinds of an array and of what is stored in all of it, if nobody else sees that."""
        if operation.holds or not _is_whole(operation.index):
            return None
        point = self._graph.first[statement]
        others = self._shared.holders(point, name) - {name}
        known = self._inferred.before[point]
        array, value = known.get(name), known.get(getattr(operation.value, "id", ""))
        alone = others.isdisjoint(self._shared.live[point])
        return (
            (array, value) if alone and isinstance(array, Num) and isinstance(value, Num) else None
        )


def _is_whole(index: gast.expr) -> bool:
    """Whether an index is ``...`` or ``:``."""
    match index:
        case gast.Constant(value=value):
            return value is Ellipsis
        case gast.Slice(lower=None, upper=None, step=None):
            return True
    return False


class _Shift:
    """The walk behind one statement: ``follow`` are the names that follow it."""

    def __init__(self, block: list[gast.stmt], at: int, memory: _Memory, uses: Uses) -> None:
        self.statement, self.block = block[at], block
        self._at, self._memory, self._uses = at, memory, uses
        (name,) = syntax.stores(self.statement)
        operation = memory.operations[self.statement]
        assert isinstance(operation, Primitive)
        kind = operation.kinds.get("x")
        kept = syntax.is_true(operation.bound.get("keepdims"))
        self.follow = {name: Following(1.0, places(operation, memory.fixed), kept=kept)}
        shape = kind.shape if isinstance(kind, Num) else None
        self._known = Followers(self.follow, shape, memory.fixed)
        self._read: list[gast.stmt] = []
        self._written: set[str] = set()

    def is_followed(self) -> bool:
        """Walk over the statements behind that name what follows: whether all is understood."""
        waiting = [k for name in self.follow for k in self._later(name, self._at)]
        seen = set(waiting)
        while waiting:
            place = heappop(waiting)
            statement = self.block[place]
            if not self._walked(statement):
                return False
            bound = syntax.stores(statement) | self._written.intersection(syntax.loads(statement))
            for name in self.follow.keys() & bound:
                for later in self._later(name, place):
                    if later not in seen:
                        seen.add(later)
                        heappush(waiting, later)
        return self._written.isdisjoint(self.follow)

    def _later(self, name: str, place: int) -> list[int]:
        return self._uses.after(self.block, place, name)

    def is_alone(self, reads: Counter[str]) -> bool:
        """Whether nothing that follows is read by others than the statements of the walk."""
        own = Counter(_names(self._read))
        return all(reads[name] <= own[name] for name in self.follow)

    def _walked(self, statement: gast.stmt) -> bool:
        """Take in a statement; False where it reads what follows in a way that is not understood."""
        followed = [n for n in syntax.loads(statement) if n in self.follow]
        stored = syntax.stores(statement)
        told = self._known.finite
        self._known.finite = {n: of for n, of in told.items() if not {n, of} & stored}
        if syntax.blocks(statement):
            return not followed and not any(n in self.follow for n in stored)
        operation = self._memory.operations.get(statement)
        if isinstance(operation, Store | Accumulate):
            return self._stored(statement, operation)
        if any(n in self.follow for n in written(operation)):
            return False
        if not followed:
            for name in stored:
                self.follow.pop(name, None)
            return True
        if isinstance(operation, Inserted):
            return False
        if isinstance(operation, NoFlow) and not isinstance(statement, gast.Return):
            return not stored or self._is_size(statement) or self._is_finite(statement)
        if not isinstance(statement, gast.Assign) or len(stored) != 1:
            return False
        self._read.append(statement)
        return self._bound(operation, *stored)

    def _is_size(self, statement: gast.stmt) -> bool:
        """Whether only the shape of something is asked for."""
        value = getattr(statement, "value", None)
        match value:
            case gast.Attribute(attr="shape" | "ndim" | "size" | "dtype"):
                return True
            case gast.Call(func=gast.Name(id="len")):
                return True
        return False

    def _is_finite(self, statement: gast.stmt) -> bool:
        """Whether a name says where something that follows is finite."""
        match statement:
            case gast.Assign(
                targets=[gast.Name(id=name)], value=gast.Call(func=func, args=[gast.Name(id=of)])
            ) if of in self.follow and self._memory.means(func, np.isfinite):
                self._known.finite[name] = of
                return True
        return False

    def _stored(self, statement: gast.stmt, operation: Store | Accumulate) -> bool:
        """Take in what is written into an array: all of it follows, or nothing."""
        name = operation.container if isinstance(operation, Store) else operation.buffer
        if self.follow.keys().isdisjoint((*syntax.loads(statement), name)):
            return True
        kinds = self._memory.kinds(statement, operation, name)
        if kinds is None:
            return False
        self._read.append(statement)
        self._written.add(name)
        if isinstance(operation, Accumulate):
            sides = {"x": syntax.name(name), "y": operation.value}
            rule = rules.find(np.add if operation.sign > 0 else np.subtract)
            assert rule is not None
            return self._bound(Primitive(rule, sides, dict(zip("xy", kinds))), name)
        own = self.follow.get(getattr(operation.value, "id", ""))
        self.follow.pop(name, None)
        if own is None:
            return True
        if kinds[0].shape is None or kinds[0].shape != kinds[1].shape:
            if own.axis and not (own.kept and own.from_end):
                return False
            own = replace(own, sure=False)  # the array may have more axes
        self.follow[name] = own
        return True

    def _bound(self, operation: Operation | None, name: str) -> bool:
        if isinstance(operation, Copy):
            self.follow[name] = self.follow[operation.source]
            return True
        step = STEPS.get(operation.rule.name) if isinstance(operation, Primitive) else None
        if step is None:
            return False
        assert isinstance(operation, Primitive)
        found = step(self._known, operation)
        if found is None:
            return False
        self.follow.pop(name, None)
        if found.by:
            self.follow[name] = found
        return True


def _names(trees: object) -> Iterator[str]:
    for tree in trees:  # type: ignore[attr-defined]
        for node in syntax.walk(tree):
            if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Load):
                yield node.id
