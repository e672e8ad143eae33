"""Whether a value is flat where it is zero, as a sum of squares is: its root is flat there, too.

Two things are asked of a value. It is *flat* if its derivative is zero wherever it is; so are squares, and products of
what is flat or has no derivative. It is a *sum* if it is also never negative: then sums of such are flat again. What
is asked of an array, a list or a dict holds of all its elements, and of all that is written into it.

In: a normal form, its kinds, aliases and versions; what is active; what helpers give.
Out: ``Flatness`` for roots, ``Sum`` for the summaries of helpers.
Next: roots.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast
import numpy as np

from tangentlite import syntax
from tangentlite.analysis.activity import Activity
from tangentlite.analysis.cfg import Graph
from tangentlite.analysis.environment import Environment
from tangentlite.analysis.kinds import CONTAINERS, Kind, Num, is_complex
from tangentlite.analysis.operations import (
    Accumulate,
    Copy,
    Display,
    Inserted,
    Joined,
    Mutate,
    NoFlow,
    Operation,
    Pop,
    Primitive,
    Push,
    Slot,
    Store,
    Sum,
    Summary,
    UserCall,
)
from tangentlite.analysis.smoothness.factors import factors
from tangentlite.analysis.smoothness.radicands import (
    REAL,
    Asked,
    Need,
    asked,
    is_length,
    is_product,
    keeps,
)
from tangentlite.analysis.smoothness.squares import PRODUCTS, QUOTIENTS, Makers, call_of
from tangentlite.analysis.storage.filled import is_filled, is_single, touched
from tangentlite.analysis.storage.memory import written
from tangentlite.analysis.versions import Version
from tangentlite.ir import Function
from tangentlite.values import field, mutable

Summarize = Callable[[Any, tuple[Kind, ...]], Summary]


@mutable
class Flatness:
    """``active`` None: in a helper, all that is no integer or literal may be; there ``given`` are the parameters that
    must be sums themselves. ``product``: a product of matrices was taken for one of vectors. ``assumed``: what is
    being asked: of what is asked for again on the way, in a loop, it is assumed; one that fails is enough.
    """

    function: Function
    graph: Graph
    makers: Makers
    summary: Summarize
    active: Activity | None = None
    given: set[str] = field(default_factory=set)
    product: bool = False
    assumed: list[tuple[Any, Need]] = field(default_factory=list)

    def told(self, statement: gast.stmt, node: gast.expr, need: Need) -> str:
        """The function of the runtime that says so of a root; empty if it is not known."""
        self.product = False
        self.assumed.clear()
        if not self.holds(statement, node, need):
            return ""
        return "rooted_product" if self.product else "rooted"

    def holds(self, statement: gast.stmt, node: gast.expr, need: Need) -> bool:
        """Whether what a statement reads is a sum, or flat."""
        if isinstance(node, gast.Constant):
            number = node.value if type(node.value) in (int, float) else None
            return node.value is None or (number is not None and (need == "flat" or number >= 0))
        if not isinstance(node, gast.Name):
            return need == "flat" and isinstance(node, gast.UnaryOp)
        if need == "flat" and self._is_still(statement, node.id):
            return True
        if self.makers.shared.is_written(node.id) or self._is_container(statement, node.id):
            return self._once((self.makers.shared.family(node.id), need), self._family)
        version = self.makers.versions.reads[statement].get(node.id)
        return version is not None and self._once((version, need), self._version)

    def _once(self, key: tuple[Any, Need], ask: Callable[[Any, Need], bool]) -> bool:
        """What fails takes back all that was assumed on its way."""
        if key in self.assumed:
            return True
        height = len(self.assumed)
        self.assumed.append(key)
        found = ask(*key)
        if not found:
            del self.assumed[height:]
        return found

    def _before(self, statement: gast.stmt) -> Environment:
        return self.makers.inferred.before[self.graph.first[statement]]

    def _kind(self, statement: gast.stmt, name: str) -> Kind | None:
        return self._before(statement).get(name)

    def _is_container(self, statement: gast.stmt, name: str) -> bool:
        return isinstance(self._kind(statement, name), CONTAINERS)

    def _is_still(self, statement: gast.stmt, name: str) -> bool:
        """Whether a name has no derivative where a statement reads it."""
        kind = self._kind(statement, name)
        if isinstance(kind, Num) and kind.inert:
            return True
        if self.active is None or isinstance(kind, CONTAINERS):
            return False
        lasting = self.active.shadowed | self.active.moving
        return name not in lasting and name not in self.active.before(self.graph.first[statement])

    def _version(self, version: Version, need: Need) -> bool:
        if (version.statement, version.name) in self.makers.cut:
            return False
        if self.makers.versions.at_start.get(version.name) is version:
            self.given.add(version.name)
            return self.active is None
        if (met := self.makers.versions.met(version)) is not None:
            return all(v is not None and self._once((v, need), self._version) for v in met)
        match version.statement:
            case gast.Assign(targets=[gast.Name()]) as statement:
                return self._made(statement, need)
        return False

    def _made(self, statement: gast.Assign, need: Need) -> bool:
        """Whether what a statement binds is a sum, or flat."""
        operation = self.makers.inferred.operations.get(statement)
        match operation:
            case Copy(source=name) | Pop(stack=name):
                return self.holds(statement, syntax.name(name), need)
            case Inserted():
                return False
            case NoFlow():
                return need == "flat" or is_filled(statement, self.function)
            case Display(elements=parts):
                return all(self._is_element(statement, part, need) for part in parts)
            case Joined(left=left, right=right):
                return all(self.holds(statement, syntax.name(n), need) for n in (left, right))
            case Slot(container=name, index=index):
                return self._slot(statement, name, index, need)
            case UserCall():
                return self._called(statement, operation, need)
            case Primitive():
                return self._computed(statement, operation, need)
        return False

    def _slot(self, statement: gast.stmt, name: str, index: gast.expr, need: Need) -> bool:
        """An element of a list, tuple or dict: the one that is meant, if nothing is written there."""
        origin = self.makers.origin(statement, name)
        made = self.makers.inferred.operations.get(origin) if origin is not None else None
        tuples = isinstance(origin, gast.Assign) and isinstance(origin.value, gast.Tuple)
        if tuples and isinstance(made, Display) and isinstance(index, gast.Constant):
            keys = [getattr(key, "value", key) for key in made.keys]
            if index.value in keys and origin is not None:
                return self._is_element(origin, made.elements[keys.index(index.value)], need)
        return self._is_container(statement, name) and self.holds(
            statement, syntax.name(name), need
        )

    def _called(self, statement: gast.stmt, call: UserCall, need: Need) -> bool:
        made = self.summary(call.function, call.kinds).sum
        if made is None or not made.given <= call.bound.keys():
            return False
        self.product = self.product or made.product
        return all(self.holds(statement, call.bound[name], "sum") for name in sorted(made.given))

    def _computed(self, statement: gast.stmt, operation: Primitive, need: Need) -> bool:
        call = call_of(operation)
        if call is None:
            return False
        if is_complex(*operation.kinds.values()):
            return call.callee in REAL and is_length(statement, call.bound["x"], self.makers)
        if is_product(call, statement, self.makers):
            self.product = self.product or _of_matrices(operation)
            return True
        if call.callee in PRODUCTS | QUOTIENTS:
            found = factors(self.makers, statement, call, need)
            return all(self.holds(place, node, n) for place, node, n in found)
        needed = asked(operation, call, statement, self.makers, need)
        return needed is not None and self._all(statement, needed, keeps(operation))

    def _all(self, statement: gast.stmt, needed: Asked, elementwise: bool) -> bool:
        """What takes parts of a value, or adds them, must not have a product of matrices for one of vectors."""
        if elementwise:
            return all(self.holds(statement, node, need) for node, need in needed)
        return all(self._is_element(statement, node, need) for node, need in needed)

    def _is_element(self, statement: gast.stmt, node: gast.expr, need: Need) -> bool:
        before, self.product = self.product, False
        found = self.holds(statement, node, need) and not self.product
        self.product = before
        return found

    def _family(self, family: str, need: Need) -> bool:
        """Whether all is a sum, or flat, that names hold which may share memory, and all that is written there."""
        shared = self.makers.shared
        named = [p.name for p in self.function.params]
        named += [name for _, name in self.makers.cut]
        if family in map(shared.family, named):
            return False
        return all(
            self._write(statement, operation, need)
            for statement, operation in self.makers.inferred.operations.items()
            if family in set(map(shared.family, touched(statement, operation)))
        )

    def _write(self, statement: gast.stmt, operation: Operation, need: Need) -> bool:
        match operation:
            case Store(container=name, index=index, value=value):
                single = is_single(index, self._before(statement), name)
                return self._all(statement, [(value, need)], single)
            case Accumulate(buffer=name, index=index, value=value, sign=1):
                single = is_single(index, self._before(statement), name)
                family = self.makers.shared.family(name)
                whole = need == "sum" or self._once((family, "sum"), self._family)
                return whole and self._all(statement, [(value, "sum")], single)
            case Push(value=value) | Mutate(method="append", args=(value,)):
                return self._is_element(statement, value, need)
        bound = isinstance(statement, gast.Assign) and isinstance(statement.targets[0], gast.Name)
        return bound and not any(written(operation)) and self._made(statement, need)


def _of_matrices(operation: Primitive) -> bool:
    """Whether ``x @ x`` may be a product of matrices."""
    return operation.rule.callee is not np.vdot and not any(
        isinstance(k, Num) and k.ndim == 1 for k in operation.kinds.values()
    )


def summed(flatness: Flatness, result: str | None, kind: Kind) -> Sum | None:
    """What makes the result of a helper a sum; None if nothing does."""
    if result is None or not isinstance(kind, Num) or kind.inert or is_complex(kind):
        return None
    end = flatness.function.body[-1]
    if not flatness.holds(end, syntax.name(result), "sum"):
        return None
    return Sum(frozenset(flatness.given), flatness.product)
