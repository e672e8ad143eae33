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
from tangentlite.runtime.objects import Gradient, attributes, is_object, made
from tangentlite.values import immutable

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


class Space:
    """The floats of a nest as one real vector; a complex number is two of its entries.

    >>> space = Space({"w": np.ones(2), "n": 3, "b": (2.0, None)})
    >>> space.size, [leaf.path for leaf in space.leaves]
    (3, ["['w']", "['b'][0]"])
    >>> space.vector(space.value(np.array([5.0, 6.0, 7.0]), False, {}))
    array([5., 6., 7.])
    """

    def __init__(self, like: Any) -> None:
        self.like = like
        self.leaves: list[Leaf] = []
        self.size = 0
        for where, part in _walk(like, "", set()):
            is_complex = np.iscomplexobj(part)
            count = int(np.size(part)) * (2 if is_complex else 1)
            eps = float(np.finfo(_dtype(part)).eps)
            end = self.size + count
            shape = tuple(np.shape(part))
            self.leaves.append(Leaf(where, shape, is_complex, self.size, end, eps))
            self.size = end

    @property
    def eps(self) -> float:
        """The coarsest precision among the leaves."""
        return max((leaf.eps for leaf in self.leaves), default=2.0**-52)

    def vector(self, value: Any) -> Vector:
        """The floats of a value of this form; ValueError if it has another."""
        found = list(_walk(value, "", set()))
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
        return self._joined(_beside(self.like, tangent, set()))

    def imaginary(self, value: Any) -> Vector:
        """The imaginary parts of a value of this form; zero where it holds what is no complex number."""
        return self._joined(np.imag(part) for part in _beside(self.like, value, set()))

    def adjoint_vector(self, gradient: Any) -> Vector:
        """A gradient as the vector whose product with a tangent is the change of the result."""
        return self._flipped(self._joined(_beside(self.like, gradient, set())))

    def _flipped(self, vector: Vector) -> Vector:
        """Adjoints pair with tangents without conjugation: the imaginary parts change their sign."""
        for leaf in self.leaves:
            if leaf.complex:
                vector[leaf.start + 1 : leaf.stop : 2] *= -1.0
        return vector

    def value(self, vector: Vector, wide: bool, memo: dict[int, Any]) -> Any:
        """A fresh value with these floats, in double precision if ``wide``; ``memo`` knows what was copied."""
        cast = (lambda part, like: part) if wide else _cast
        return _rebuilt(self.like, self._parts(vector, cast), memo)

    def tangent(self, vector: Vector) -> Any:
        """These numbers as a tangent of the value: None where it holds no float."""
        return _hollow(self.like, self._parts(vector, _cast), set())

    def adjoint(self, vector: Vector) -> Any:
        """These numbers as an adjoint of the value."""
        return self.tangent(self._flipped(vector.copy()))

    def complex_value(self, vector: Any, memo: dict[int, Any]) -> Any:
        """A value whose real floats are replaced by complex numbers."""
        parts = iter(
            [vector[leaf.start : leaf.stop].reshape(leaf.shape)[()] for leaf in self.leaves]
        )
        return _rebuilt(self.like, lambda _: next(parts), memo)

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


def _walk(x: Any, path: str, inside: set[int]) -> Iterator[tuple[str, Any]]:
    """The floats of a nest, each object once."""
    if _is_leaf(x):
        yield path, x
        return
    parts = _parts_of(x)
    if parts is None or (is_object(x) and id(x) in inside):
        return
    inside.add(id(x))
    for step, part in parts:
        yield from _walk(part, path + step, inside)


def _rebuilt(x: Any, fill: Callable[[Any], Any], memo: dict[int, Any]) -> Any:
    """A copy of a nest with other floats; what is no float is copied."""
    if _is_leaf(x):
        return fill(x)
    if isinstance(x, tuple) and hasattr(x, "_fields"):
        return type(x)(*(_rebuilt(part, fill, memo) for part in x))
    if isinstance(x, list | tuple):
        return type(x)(_rebuilt(part, fill, memo) for part in x)
    if isinstance(x, dict):
        result = copy.copy(x)
        result.update({key: _rebuilt(part, fill, memo) for key, part in x.items()})
        return result
    if is_object(x):
        if id(x) not in memo:
            memo[id(x)] = result = made(type(x))
            for name, part in attributes(x).items():
                object.__setattr__(result, name, _rebuilt(part, fill, memo))
        return memo[id(x)]
    return duplicate(x, memo)


def fresh(x: Any, memo: dict[int, Any]) -> Any:
    """A copy of a nest with the same floats, and of all that is in it."""
    return _rebuilt(x, lambda leaf: duplicate(leaf, memo), memo)


def duplicate(x: Any, memo: dict[int, Any] | None = None) -> Any:
    """A deep copy; what cannot be copied (a lock, a file) is shared."""
    try:
        return copy.deepcopy(x, memo)
    except Exception:  # whatever a class of the user raises
        return x


def _hollow(x: Any, fill: Callable[[Any], Any], inside: set[int]) -> Any:
    """A nest of tangents: an object's are a ``Gradient``."""
    if _is_leaf(x):
        return fill(x)
    if isinstance(x, tuple) and hasattr(x, "_fields"):
        return type(x)(*(_hollow(part, fill, inside) for part in x))
    if isinstance(x, list | tuple):
        return type(x)(_hollow(part, fill, inside) for part in x)
    if isinstance(x, dict):
        return {key: _hollow(part, fill, inside) for key, part in x.items()}
    if is_object(x) and id(x) not in inside:
        inside.add(id(x))
        return Gradient(**{n: _hollow(part, fill, inside) for n, part in attributes(x).items()})
    return None


def _beside(x: Any, gradient: Any, inside: set[int]) -> Iterator[Any]:
    if _is_leaf(x):
        yield np.zeros(np.shape(x)) if gradient is None else gradient
        return
    parts = _parts_of(x)
    if parts is None or (is_object(x) and id(x) in inside):
        return
    inside.add(id(x))
    given = None if gradient is None else dict(_parts_of(gradient) or ())
    for step, part in parts:
        yield from _beside(part, None if given is None else given.get(step), inside)
