"""Which elements a subscript names: for each axis an index, or where it begins, its step and how many there are.

In: ``a[1:-1, j]``.
Out: ``Access``.
Next: loops.
"""

from __future__ import annotations

import ast
from typing import Any

from tangentlite.native.ranks import Names
from tangentlite.values import immutable

SPAN = "_span"


@immutable
class Axis:
    """``count`` None: one element, at ``start``."""

    start: str
    step: int = 1
    count: str | None = None


@immutable
class Access:
    """Elements of the array ``name``; ``before``: statements that work out where slices begin and end."""

    name: str
    axes: tuple[Axis, ...]
    before: tuple[str, ...] = ()

    @property
    def counts(self) -> tuple[str, ...]:
        """How many elements there are along each axis that is walked."""
        return tuple(a.count for a in self.axes if a.count is not None)

    @property
    def rank(self) -> int:
        """How many axes are walked."""
        return len(self.counts)

    def index(self, variables: tuple[str, ...]) -> str:
        """The element at these places of the axes that are walked."""
        waiting, parts = list(variables), []
        for axis in self.axes:
            if axis.count is None:
                parts.append(axis.start)
                continue
            place = waiting.pop(0)
            place = place if axis.step == 1 else f"{axis.step} * {place}"
            parts.append(place if axis.start == "0" else f"{place} + {axis.start}")
        return f"{self.name}[{', '.join(parts)}]"


def access(node: ast.expr, names: Names, fresh: Any) -> Access | None:
    """What a name or a basic subscript of one stands for; None if it is neither."""
    match node:
        case ast.Name(id=name):
            parts: list[ast.expr] = []
        case ast.Subscript(value=ast.Name(id=name), slice=ast.Tuple(elts=parts)):
            pass
        case ast.Subscript(value=ast.Name(id=name), slice=part):
            parts = [part]
        case _:
            return None
    rank = names.rank(ast.Name(name, ast.Load()))
    dots = [k for k, p in enumerate(parts) if isinstance(p, ast.Constant) and p.value is ...]
    if not rank or len(parts) - len(dots) > rank or len(dots) > 1:
        return None
    missing: list[ast.expr] = [ast.Slice()] * (rank - len(parts) + len(dots))
    at = dots[0] if dots else len(parts)
    parts = [*parts[:at], *missing, *parts[at + len(dots) :]]
    before: list[str] = []
    axes = [
        _axis(part, fresh.length(name, k), names, fresh, before) for k, part in enumerate(parts)
    ]
    found = tuple(a for a in axes if a is not None)
    return Access(name, found, tuple(before)) if len(found) == rank else None


def _axis(part: ast.expr, length: str, names: Names, fresh: Any, before: list[str]) -> Axis | None:
    if not isinstance(part, ast.Slice):
        if names.rank(part) != 0 or (
            isinstance(part, ast.Constant) and type(part.value) is not int
        ):
            return None
        return Axis(ast.unparse(part))
    lower, upper, step = (_number(b) for b in (part.lower, part.upper, part.step))
    if (
        step == "?"
        or step == 0
        or any(b is not None and names.rank(b) != 0 for b in (part.lower, part.upper))
    ):
        return None
    if (
        step in (None, 1)
        and lower != "?"
        and upper != "?"
        and (lower or 0) >= 0
        and (upper or -1) < 0
    ):
        less = (lower or 0) - (upper or 0)
        return Axis(str(lower or 0), 1, f"max({length} - {less}, 0)" if less else length)
    start, count = fresh.fresh("a"), fresh.fresh("n")
    low, high = (ast.unparse(b) if b is not None else "None" for b in (part.lower, part.upper))
    before.append(f"{start}, {count} = {SPAN}({low}, {high}, {step or 1}, {length})")
    return Axis(start, step or 1, count)


def _number(node: ast.expr | None) -> Any:
    match node:
        case None | ast.Constant(value=None):
            return None
        case ast.Constant(value=int(value)):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(value))):
            return -value
    return "?"
