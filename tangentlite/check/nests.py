"""Values as vectors of real numbers: the floats in a nest of lists, tuples, dicts and objects, in order.

In: a number, an array, or a nest of those.
Out: ``Space``: vectors from values, and values, tangents and adjoints from vectors.
Next: subject.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tangentlite.persistent import PersistentArray
from tangentlite.runtime.containers.objects import Gradient, attributes, is_object, made
from tangentlite.values import field, immutable, mutable

Vector = np.ndarray[Any, np.dtype[np.float64]]
FLOATS = (float, complex, np.inexact)


@immutable(eq=False)
class Leaf:
    """One number or array: where it stands in the nest, and where its numbers stand in the vector."""

    path: str
    shape: tuple[int, ...]
    complex: bool
    start: int
    stop: int
    eps: float

    def numbers(self, vector: Vector) -> Any:
        """Its part of a vector, as an array."""
        part = vector[self.start : self.stop]
        if self.complex:
            part = part.view(np.complex128)
        return part.reshape(self.shape)


@mutable
class Memo:
    """What was copied already, by identity; of which objects the copies are not finished."""

    copies: dict[int, Any] = field(default_factory=dict)
    unfinished: set[int] = field(default_factory=set)


class Space:
    """The floats of a nest as one real vector; a complex number is two of its entries.

    An object that is in the nest twice is two objects, as it is to derivatives of functions that write into none;
    or one, if ``shared``.

    >>> space = Space({"w": np.ones(2), "n": 3, "b": (2.0, None)})
    >>> space.size, [leaf.path for leaf in space.leaves]
    (3, ["['w']", "['b'][0]"])
    >>> space.vector(space.value(np.array([5.0, 6.0, 7.0]), False, Memo()))
    array([5., 6., 7.])
    """

    def __init__(self, like: Any, shared: bool = False) -> None:
        self.like, self.shared = like, shared
        self.leaves: list[Leaf] = []
        self.size = 0
        for where, part in self._walk(like):
            is_complex = np.iscomplexobj(part)
            count = int(np.size(part)) * (2 if is_complex else 1)
            eps = float(np.finfo(_dtype(part)).eps)
            end = self.size + count
            shape = tuple(np.shape(part))
            self.leaves.append(Leaf(where, shape, is_complex, self.size, end, eps))
            self.size = end

    def _walk(self, value: Any) -> Iterator[tuple[str, Any]]:
        return ((path, part) for path, part, _ in _beside(value, None, "", set(), self.shared))

    def _along(self, given: Any) -> Iterator[Any]:
        """What a tangent, an adjoint or the like holds for each float; zero where it holds None."""
        for _, part, beside in _beside(self.like, given, "", set(), self.shared):
            yield np.zeros(np.shape(part)) if beside is None else beside

    @property
    def eps(self) -> float:
        """The coarsest precision among the leaves."""
        return max((leaf.eps for leaf in self.leaves), default=2.0**-52)

    def vector(self, value: Any) -> Vector:
        """The floats of a value of this form; ValueError if it has another."""
        found = list(self._walk(value))
        if len(found) != len(self.leaves):
            raise ValueError("the value has another structure")
        return self._joined(part for _, part in found)

    def _joined(self, parts: Iterator[Any]) -> Vector:
        result = np.empty(self.size)
        for leaf, part in zip(self.leaves, parts):
            if np.shape(part) != leaf.shape:
                raise ValueError(f"shape {np.shape(part)} instead of {leaf.shape}")
            given = np.asarray(part, np.complex128 if leaf.complex else None)
            if not leaf.complex and given.dtype.kind == "c":
                given = given.real
            leaf.numbers(result)[...] = given
        return result

    def tangent_vector(self, tangent: Any) -> Vector:
        """A tangent as a vector; None stands for zeros."""
        return self._joined(self._along(tangent))

    def imaginary(self, value: Any) -> Vector:
        """The imaginary parts of a value of this form; zero where it holds what is no complex number."""
        return self._joined(np.imag(part) for part in self._along(value))

    def adjoint_vector(self, gradient: Any) -> Vector:
        """A gradient as the vector whose product with a tangent is the change of the result."""
        return self._flipped(self._joined(self._along(gradient)))

    def _flipped(self, vector: Vector) -> Vector:
        """Adjoints pair with tangents without conjugation: the imaginary parts change their sign."""
        for leaf in self.leaves:
            if leaf.complex:
                vector[leaf.start + 1 : leaf.stop : 2] *= -1.0
        return vector

    def value(self, vector: Vector, wide: bool, memo: Memo) -> Any:
        """A fresh value with these floats, in double precision if ``wide``; ``memo`` knows what was copied."""
        cast = (lambda part, like: part) if wide else _cast
        return _rebuilt(self.like, self._parts(vector, cast), memo, self.shared)

    def tangent(self, vector: Vector) -> Any:
        """These numbers as a tangent of the value: None where it holds no float."""
        return _hollow(self.like, self._parts(vector, _cast), {}, self.shared)

    def adjoint(self, vector: Vector) -> Any:
        """These numbers as an adjoint of the value."""
        return self.tangent(self._flipped(vector.copy()))

    def complex_value(self, vector: Any, memo: Memo) -> Any:
        """A value whose real floats are replaced by complex numbers."""
        parts = iter(
            [vector[leaf.start : leaf.stop].reshape(leaf.shape)[()] for leaf in self.leaves]
        )
        return _rebuilt(self.like, lambda _: next(parts), memo, self.shared)

    def _parts(self, vector: Vector, cast: Callable[[Any, Any], Any]) -> Callable[[Any], Any]:
        parts = iter([leaf.numbers(vector) for leaf in self.leaves])
        return lambda like: cast(next(parts).copy()[()], like)


def _is_leaf(x: Any) -> bool:
    if isinstance(x, np.ndarray | PersistentArray):
        return x.dtype.kind in "fc"
    return isinstance(x, FLOATS)


def _dtype(x: Any) -> Any:
    return x.dtype if hasattr(x, "dtype") else np.dtype(type(x))


def _cast(part: Any, like: Any) -> Any:
    if isinstance(like, np.ndarray):
        result = np.empty_like(like, subok=False)
        result[...] = part
        return result
    return type(like)(part)


def _parts_of(x: Any) -> list[tuple[str, Any]] | None:
    """The parts of a nest with how each is written; None for what is none."""
    if isinstance(x, list | tuple):
        names = getattr(x, "_fields", None)
        return [(f".{names[k]}" if names else f"[{k}]", part) for k, part in enumerate(x)]
    if isinstance(x, dict):
        return [(f"[{key!r}]", part) for key, part in x.items()]
    return [(f".{name}", part) for name, part in attributes(x).items()] if is_object(x) else None


def _beside(
    x: Any, given: Any, path: str, inside: set[int], shared: bool
) -> Iterator[tuple[str, Any, Any]]:
    """The floats of a nest, with what another nest like it has in their places."""
    if _is_leaf(x):
        yield path, x, given
        return
    parts = _parts_of(x)
    if parts is None or id(x) in inside:
        return
    inside.add(id(x))
    others = {} if given is None else dict(_parts_of(given) or ())
    for step, part in parts:
        yield from _beside(part, others.get(step), path + step, inside, shared)
    if not (shared and is_object(x)):
        inside.discard(id(x))


def _rebuilt(x: Any, fill: Callable[[Any], Any], memo: Memo, shared: bool) -> Any:
    """A copy of a nest with other floats; what is no float is copied."""
    if _is_leaf(x):
        return fill(x)
    if isinstance(x, list | tuple):
        parts = [_rebuilt(part, fill, memo, shared) for part in x]
        return type(x)(*parts) if hasattr(x, "_fields") else type(x)(parts)
    if isinstance(x, dict):
        result = copy.copy(x)
        result.update({key: _rebuilt(part, fill, memo, shared) for key, part in x.items()})
        return result
    if is_object(x):
        return _object(x, fill, memo, shared)
    return duplicate(x, memo.copies)


def _object(x: Any, fill: Callable[[Any], Any], memo: Memo, shared: bool) -> Any:
    if id(x) in memo.copies and (shared or id(x) in memo.unfinished):
        return memo.copies[id(x)]
    memo.copies[id(x)] = result = made(type(x))
    memo.unfinished.add(id(x))
    for name, part in attributes(x).items():
        object.__setattr__(result, name, _rebuilt(part, fill, memo, shared))
    memo.unfinished.discard(id(x))
    return result


def fresh(x: Any, memo: Memo) -> Any:
    """A copy of a nest with the same floats, and of all that is in it."""
    return _rebuilt(x, lambda leaf: duplicate(leaf, memo.copies), memo, True)


def duplicate(x: Any, memo: dict[int, Any] | None = None) -> Any:
    """A deep copy; what cannot be copied (a lock, a file) is shared."""
    try:
        return copy.deepcopy(x, memo)
    except Exception:  # whatever a class of the user raises
        return x


def _hollow(x: Any, fill: Callable[[Any], Any], seen: dict[int, Any], shared: bool) -> Any:
    """A nest of tangents: an object's are a ``Gradient``."""
    if _is_leaf(x):
        return fill(x)
    if isinstance(x, list | tuple):
        parts = [_hollow(part, fill, seen, shared) for part in x]
        return type(x)(*parts) if hasattr(x, "_fields") else type(x)(parts)
    if isinstance(x, dict):
        return {key: _hollow(part, fill, seen, shared) for key, part in x.items()}
    if not is_object(x):
        return None
    if id(x) not in seen:
        seen[id(x)] = result = Gradient()
        vars(result).update({n: _hollow(p, fill, seen, shared) for n, p in attributes(x).items()})
    return seen[id(x)] if shared else seen.pop(id(x))
