"""Lists and tuples of numbers that NumPy takes for arrays: beside an array, and as arguments of its ufuncs.

In: an operator or a call, and the kinds before it.
Out: statements that make the arrays first: what is spread over an array has an adjoint of another shape.
Next: functions.
"""

from __future__ import annotations

from typing import Any

import gast
import numpy as np

from tangentlite import syntax
from tangentlite.analysis.calling.getters import Getters
from tangentlite.analysis.calling.stars import with_call
from tangentlite.analysis.environment import Environment
from tangentlite.analysis.joining import element
from tangentlite.analysis.kinds import Kind, List, Num, Tuple, floating, is_closure

Statements = list[gast.stmt]
SPREADING: tuple[Any, ...] = (
    np.where,
    np.clip,
    np.copyto,
    np.put,
    np.place,
    np.putmask,
    np.put_along_axis,
)
SPREADING += (np.full, np.full_like, np.broadcast_to, np.fill_diagonal)
METHODS = ("clip", "put")


class Listed(Getters):
    """The part of the classifier for lists that are arrays."""

    def between(self, statement: gast.stmt, state: Environment) -> Statements | None:
        """``a * [x, y]``, ``a[i] = [x]`` and ``a[i] += [x]``."""
        match statement:
            case gast.Assign(value=gast.BinOp(left=left, right=right)):
                kinds = self.kind(left, state), self.kind(right, state)
                if beside_an_array(kinds):
                    return self._with_arrays(statement, kinds, (left, right))
            case gast.Assign(targets=[gast.Subscript(value=base)], value=gast.Name() as value):
                if _is_taken_at_once(self.kind(value, state)):
                    return self._stored(statement, base, value, state)
            case (
                gast.AugAssign(target=gast.Subscript(value=base), value=gast.Name() as value)
                | gast.AugAssign(target=gast.Name() as base, value=gast.Name() as value)
            ):
                return self._stored(statement, base, value, state)
        return None

    def _stored(
        self, statement: gast.stmt, base: gast.expr, value: gast.expr, state: Environment
    ) -> Statements | None:
        kinds = self.kind(base, state), self.kind(value, state)
        if isinstance(kinds[0], Num) and _of_numbers(kinds[1]) and floating(kinds[1]):
            return self._with_arrays(statement, kinds, (value,))
        return None

    def _with_arrays(
        self, statement: gast.stmt, kinds: tuple[Kind, ...], operands: tuple[gast.expr, ...]
    ) -> Statements:
        """The statement with arrays in place of lists."""
        known = self.rewrites.found.get(statement)
        if known is not None and known[0] == kinds:
            return known[1]
        made: Statements = []
        new = [self._array(o, k, made) for o, k in zip(operands, kinds[-len(operands) :])]
        value = new[-1]
        if len(new) == 2:
            value = syntax.copy(statement.value)
            value.left, value.right = new
        made.append(with_call(statement, value))
        for other in made:
            placed(other, statement)
        self.rewrites.found[statement] = kinds, made
        return made

    def given_lists(
        self, statement: gast.stmt, call: gast.Call, state: Environment
    ) -> Statements | None:
        """``np.maximum(a, [x, y])``."""
        given = [*call.args, *(k.value for k in call.keywords)]
        kinds = [self.kind(a, state) for a in given]
        listed = [_of_numbers(k) and floating(k) for k in kinds]
        if not any(listed):
            return None
        callee = self.value(call.func, state)
        if not (self._is_method(call.func, state) or _spreads(callee)):
            return None
        if _is_at(callee):
            listed[1:2] = [False]
        before: Statements = []
        args = [self._array(a, k, before) if t else a for a, k, t in zip(given, kinds, listed)]
        if not before:
            return None
        count = len(call.args)
        named = [gast.keyword(k.arg, v) for k, v in zip(call.keywords, args[count:])]
        return [*before, with_call(statement, gast.Call(call.func, args[:count], named))]

    def _is_method(self, func: Any, state: Environment) -> bool:
        """``x.clip`` and the like, of an array."""
        method = isinstance(func, gast.Attribute) and func.attr in METHODS
        return method and isinstance(self.kind(func.value, state), Num)

    def _array(self, node: Any, kind: Kind, before: Statements) -> Any:
        """An operand; the array of a list."""
        if not _of_numbers(kind):
            return node
        name = self.rewrites.temporary()
        make = gast.Call(self.rewrites.denoted(np.array), [node], [])
        before.append(syntax.assign(name, make))
        return syntax.name(name)


def _spreads(callee: Any) -> bool:
    """Whether a function spreads its arguments over each other."""
    return isinstance(callee.__self__ if _is_at(callee) else callee, np.ufunc) or any(
        callee is f for f in SPREADING
    )


def _is_at(callee: Any) -> bool:
    """Whether it is ``np.add.at`` or its like, whose second argument is an index: a tuple says one for each axis."""
    return getattr(callee, "__name__", "") == "at" and hasattr(callee, "__self__")


def beside_an_array(kinds: tuple[Kind, Kind]) -> bool:
    """Whether an operator takes a list or tuple of numbers for an array; beside a number it does not."""
    match kinds:
        case (Num(array=True), xs) | (xs, Num(array=True)):
            return _of_numbers(xs)
    return False


def _of_numbers(kind: Kind) -> bool:
    """Whether a value is a list or tuple of numbers, or of such."""
    if not isinstance(kind, List | Tuple) or is_closure(kind):
        return False
    item = element(kind)
    return isinstance(item, Num) or (item is not None and _of_numbers(item))


def _is_taken_at_once(kind: Kind) -> bool:
    """Whether a store takes all of a list before it writes: where parts are arrays, it copies one after the other."""
    if isinstance(kind, Tuple) and len(kind.items) == 1:
        return True
    item = element(kind) if isinstance(kind, List | Tuple) else None
    return item is not None and (item.scalar if isinstance(item, Num) else _is_taken_at_once(item))


def placed(new: Any, statement: gast.stmt) -> None:
    """Let what is new stand where a statement stood."""
    for node in syntax.walk(new):
        if not hasattr(node, "lineno"):
            syntax.at(node, statement)
