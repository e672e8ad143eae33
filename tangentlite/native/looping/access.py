"""Which elements a subscript names: for each axis an index, or where it begins, its step and how many there are.

In: ``a[1:-1, j]``.
Out: ``Access``.
Next: loops.
"""

from __future__ import annotations

import ast
import re
from typing import Any

from tangentlite.native.facts.ones import single
from tangentlite.native.facts.ranks import Names
from tangentlite.values import immutable, replace

SPAN = "_span"
ATOM = re.compile(r"[^\W\d]\w*|\d+")
WALKED, PLAIN = re.compile(r"\b_\d\b"), re.compile(r"(\d+ \* )?_\d( \+ \d+)?")


@immutable
class Axis:
    """``count`` None: one element, at ``start``. ``made``: of length one, and of no axis of the array."""

    start: str
    step: int = 1
    count: str | None = None
    made: bool = False


@immutable
class Access:
    """Elements of the array ``name``."""

    name: str
    axes: tuple[Axis, ...]

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
            if not axis.made:
                parts.append(_counted(_placed(place, axis)))
        return f"{self.name}[{', '.join(parts)}]"

    def inside(self, inner: Access) -> Access | None:
        """The elements that ``inner`` names among these; None if one may be counted from the end."""
        waiting, axes = list(inner.axes), []
        for axis in self.axes:
            if axis.count is None:
                axes.append(axis)
                continue
            part = waiting.pop(0)
            if part.count is None and not part.start.isdigit():
                return None
            if not (axis.made and part.count is None):
                start = "0" if axis.made else _placed(part.start, axis)
                axes.append(Axis(start, part.step * axis.step, part.count, axis.made))
        return Access(self.name, tuple(axes))


def _counted(index: str) -> str:
    """Machine code is faster where it sees that the index of a loop does not count from the end."""
    plain = WALKED.search(index) is None or PLAIN.fullmatch(index)
    return index if plain else f"np.uintp({index})"


def _placed(place: str, axis: Axis) -> str:
    if axis.step != 1:
        place = f"{axis.step} * {place if ATOM.fullmatch(place) else f'({place})'}"
    if axis.start == "0":
        return place
    return axis.start if place == "0" else f"{place} + {axis.start}"


def access(node: ast.expr, names: Names, lengths: Any) -> Access | None:
    """What a name or a basic subscript of one stands for; None if it is neither."""
    return settled(_access(node, names, lengths), lengths)


def _access(node: ast.expr, names: Names, lengths: Any) -> Access | None:
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
    news = sum(map(_is_new, parts))
    if not rank or len(parts) - len(dots) - news > rank or len(dots) > 1:
        return None
    missing: list[ast.expr] = [ast.Slice()] * (rank - len(parts) + len(dots) + news)
    at = dots[0] if dots else len(parts)
    axes, k = [], 0
    for part in [*parts[:at], *missing, *parts[at + len(dots) :]]:
        if _is_new(part):
            axes.append(Axis("0", 1, "1", True))
            continue
        axis = _axis(part, lengths.of(name, k), names, lengths, rank > 1)
        if axis is None:
            return None
        axes.append(axis)
        k += 1
    found, view = Access(name, tuple(axes)), lengths.views.get(name)
    if view is None:
        return found
    return found if news else view.inside(found) or found


def settled(place: Access | None, lengths: Any) -> Access | None:
    """With the lengths that stand for equal ones."""
    if place is None:
        return None
    axes = (replace(a, count=a.count and lengths.same(a.count)) for a in place.axes)
    return Access(place.name, tuple(axes))


def _is_new(part: ast.expr) -> bool:
    return isinstance(part, ast.Constant) and part.value is None


def _axis(part: ast.expr, length: str, names: Names, lengths: Any, several: bool) -> Axis | None:
    if not isinstance(part, ast.Slice):
        if names.rank(part) != 0:
            return None
        negative = _number(part)
        if negative == "?":
            return Axis(ast.unparse(part))
        return Axis(str(negative)) if type(negative) is int else None
    lower, upper, step = (_number(b) for b in (part.lower, part.upper, part.step))
    bounds = [b for b in (part.lower, part.upper) if b is not None]
    if step == "?" or step == 0 or any(names.rank(b) != 0 for b in bounds):
        return None
    plain = step in (None, 1) and "?" not in (lower, upper)
    if plain and (lower or 0) >= 0 and (upper is None or upper < 0):
        return Axis(str(lower or 0), 1, lengths.shorter(length, (lower or 0) - (upper or 0)))
    if single(part) and several:
        return Axis(lengths.one(lower or 0, length), 1, "1")
    found = lengths.bounds.inside(part, length)
    if found is not None:
        return Axis(lengths.start(found[0]), 1, found[1])
    low, high = (ast.unparse(b) if b is not None else "None" for b in (part.lower, part.upper))
    start, count = lengths.span(low, high, step or 1, length)
    return Axis(start, step or 1, count)


def _number(node: ast.expr | None) -> Any:
    match node:
        case None | ast.Constant(value=None):
            return None
        case ast.Constant(value=bool()):
            return "bool"
        case ast.Constant(value=int(value)):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(value))):
            return -value
    return "?"
