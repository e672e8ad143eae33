"""Arguments that hold themselves: trees with parent pointers, rings. What is held twice has one gradient, the sum.

In: an adjoint or a tangent, and the argument it belongs to.
Out: the gradient, or the tangent; they hold themselves as the argument does.
Next: finish, directions.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable
from typing import Any

from tangentlite.runtime.containers.fields import identity, vars_of
from tangentlite.runtime.containers.objects import Gradient, attributes, blank, is_object, opened
from tangentlite.runtime.zero import INERT, ZERO

Leaf = Callable[[Any, Any], Any]
TWICE = "the argument holds itself, and its tangent gives one {kind} two tangents"


def holds_itself(x: Any) -> bool:
    """Whether a nest of lists, dicts and objects is inside of itself.

    >>> ring = [1.0, {}]
    >>> ring[1]["again"] = ring
    >>> holds_itself(ring), holds_itself([[1.0]] * 2)
    (True, False)
    """
    path: dict[int, Any] = {}
    left: set[int] = set()
    waiting = [iter([x])]
    owners: list[int] = []
    while waiting:
        part = next(waiting[-1], waiting)
        if part is waiting:
            waiting.pop()
            if owners:
                left.add(owners[-1])
                del path[owners.pop()]
        elif id(part) in path:
            return True
        elif _is_nest(part) and id(part) not in left:
            path[id(part)] = part
            owners.append(id(part))
            waiting.append(iter([inner for _, inner in _parts(part)]))
    return False


def closed_gradient(bx: Any, x: Any, leaf: Leaf) -> Any:
    """The gradient of what holds itself; ``leaf`` gives that of a number or an array."""
    return _Copy(_sums(bx, x), leaf).of(x)


def _sums(bx: Any, x: Any) -> dict[tuple[int, Any], Any]:
    """The adjoints of the parts that are no nests, by the nest and the key."""
    result: dict[tuple[int, Any], Any] = {}
    seen = set()
    waiting = [(bx, x)]
    while waiting:
        bx, x = waiting.pop()
        bx = opened(bx)
        if bx is ZERO or bx is None or bx is INERT or (id(x), identity(bx)) in seen:
            continue
        seen.add((id(x), identity(bx)))
        for key, part in _parts(x):
            inner = bx.get(key, ZERO) if isinstance(bx, dict) else bx[key]
            if _is_nest(part):
                waiting.append((inner, part))
            elif inner is not None:
                before = result.get((id(x), key), ZERO)
                result[id(x), key] = inner if before is ZERO else before + inner
    return result


class _Copy:
    """A copy of a nest with gradients as its leaves; a list or an object that is in it twice is copied once."""

    def __init__(self, sums: dict[tuple[int, Any], Any], leaf: Leaf) -> None:
        self.sums = sums
        self.leaf = leaf
        self.made: dict[int, Any] = {}

    def of(self, x: Any) -> Any:
        if id(x) in self.made:
            return self.made[id(x)]
        if isinstance(x, tuple):
            parts = [self._part(x, *item) for item in _parts(x)]
            return type(x)(*parts) if hasattr(x, "_fields") else type(x)(parts)
        result: Any = blank(type(x)) if dataclasses.is_dataclass(x) else Gradient()
        if isinstance(x, list | dict):
            result = x.copy()
        self.made[id(x)] = result
        for key, part in _parts(x):
            found = self._part(x, key, part)
            if isinstance(x, list | dict):
                result[key] = found
            else:
                vars_of(result)[key] = found
        return result

    def _part(self, x: Any, key: Any, part: Any) -> Any:
        if _is_nest(part):
            return self.of(part)
        return self.leaf(self.sums.get((id(x), key), ZERO), part)


def closed_tangent(dx: Any, x: Any, leaf: Leaf, made: dict[int, Any] | None = None) -> Any:
    """The tangent of what holds itself, as nests of dicts and lists; ``leaf`` checks that of a number or an array."""
    made = {} if made is None else made
    if dx is ZERO or dx is None:
        return ZERO
    if not _is_nest(x):
        return leaf(dx, x)
    if id(x) in made:
        given, result = made[id(x)]
        if given is not dx:
            raise TypeError(TWICE.format(kind=type(x).__name__))
        return result
    result = [ZERO] * len(x) if isinstance(x, list | tuple) else {}
    made[id(x)] = dx, result
    leaf([ZERO] * len(dx) if isinstance(dx, list | tuple) else dict.fromkeys(opened(dx), ZERO), x)
    inner = opened(dx)
    for key, part in _parts(x):
        result[key] = closed_tangent(inner[key], part, leaf, made)
    return result


def _is_nest(x: Any) -> bool:
    return isinstance(x, list | tuple | dict) or is_object(x)


def _parts(x: Any) -> Iterable[tuple[Any, Any]]:
    if isinstance(x, list | tuple):
        return enumerate(x)
    return x.items() if isinstance(x, dict) else attributes(x).items()
