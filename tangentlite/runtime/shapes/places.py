"""Where calls write into an array, and what: ``put_along_axis``, ``fill_diagonal``, ``put``, ``place``.

In: an array and what the call was given.
Out: an index, values.
Next: memory.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tangentlite.errors import AliasError, UnsupportedSyntaxError
from tangentlite.runtime.memory.private import overlap
from tangentlite.runtime.zero import ZERO

NOTHING = "nothing is written, because the value is empty"
PARTS = "arrays are joined in memory that holds one of them, and is overwritten while it is read"


def along(a: Any, i: Any, axis: int | None) -> Any:
    """The index of what ``np.put_along_axis(a, i, …, axis)`` writes.

    >>> along(np.zeros((2, 2)), np.array([[0], [1]]), 1)
    (array([[0],
           [1]]), array([[0],
           [1]]))
    """
    i = np.asarray(i)
    if axis is None:
        return np.unravel_index(i, a.shape)
    axis = axis % a.ndim
    shape = [1] * a.ndim
    index = []
    for k, n in enumerate(a.shape):
        if k == axis:
            index.append(i)
        else:
            index.append(np.arange(n).reshape(*shape[:k], n, *shape[k + 1 :]))
    return tuple(index)


def main_diagonal(a: Any, wrap: bool = False) -> Any:
    """The index of what ``np.fill_diagonal(a, …, wrap)`` writes.

    >>> main_diagonal(np.zeros((3, 2)))
    (array([0, 1]), array([0, 1]))
    >>> main_diagonal(np.zeros((4, 2)), True)
    (array([0, 1, 3]), array([0, 1, 0]))
    """
    if a.ndim < 2:
        raise ValueError("array must be at least 2-d")
    if a.ndim > 2 and len(set(a.shape)) > 1:
        raise ValueError("All dimensions of input must be of equal length")
    if wrap and a.ndim == 2:
        return np.unravel_index(np.arange(0, a.size, a.shape[1] + 1), a.shape)
    return (np.arange(min(a.shape)),) * a.ndim


def flat_index(a: Any, i: Any) -> Any:
    """The index of what stands at ``i`` in the flattened array.

    >>> flat_index(np.zeros((2, 2)), [-1])
    (array([1]), array([1]))
    """
    if type(i) is int:
        if not -a.size <= i < a.size:
            raise IndexError(f"index {i} is out of bounds for size {a.size}")
        return np.unravel_index(i % a.size, a.shape)
    if type(i) in (bool, list, np.bool_) and np.asarray(i).dtype.kind == "b":
        raise IndexError("boolean indices for iterators are not supported")
    found = np.arange(a.size)[i]
    if a.ndim == 0 and np.size(found) < 2:
        return np.array(np.size(found) == 1)  # a mask: nothing else gives such an array an axis
    return np.unravel_index(found, a.shape)


def put_index(a: Any, i: Any) -> Any:
    """The index of what ``np.put(a, i, …)`` writes: whole numbers, whatever is given.

    >>> put_index(np.zeros((2, 2)), [True, False])
    (array([0, 0]), array([1, 0]))
    """
    return flat_index(a, np.ravel(i).astype(np.intp))


def turns(v: Any, a: Any, i: Any, solid: bool = False, whole: bool = False) -> Any:
    """Which element of ``v`` each place of ``a[i]`` gets, if they are written one after the other.

    ``v`` begins again where it ends. Where it lies in the memory of ``a``, a place that had its turn hands
    on what it was given. ``solid``: arrays that are not in one piece are copied before. ``whole``: for ``a.flat = v``,
    which copies what lies otherwise than an ``a`` whose first index runs fastest.

    >>> a = np.zeros(4)
    >>> turns(np.zeros(2), a, (np.array([1, 2, 3]),)), turns(a[:3], a, (np.array([1, 2, 3]),))
    (array([0, 1, 0]), array([0, 0, 0]))
    """
    shape = np.shape(i[0]) if isinstance(i, tuple) else (np.count_nonzero(i),)
    count, size = int(np.prod(shape)), np.size(v)
    if count and not size:
        if solid:
            raise ValueError("Cannot insert from an empty array!")
        raise AliasError(NOTHING, None, "Leave the store out: `if len(v) > 0: …`.")
    if shape == () and size > 1:
        raise ValueError("Error setting single item of array.")
    order = np.arange(count) % max(size, 1)
    if type(v) is np.ndarray and v.dtype == a.dtype and np.may_share_memory(v, a):
        in_place = v.flags.carray and a.flags.carray if solid else True
        if in_place and not (whole and a.flags.f_contiguous and not v.flags.f_contiguous):
            _hand_on(order, np.ravel(_addresses(v)), np.ravel(_addresses(a)[i]))
    return order.reshape(shape)


def _hand_on(order: Any, taken: Any, given: Any) -> None:
    """In place: what is taken from a place is what the place was given before, if it was."""
    holds: dict[int, int] = {}
    for k, (element, place) in enumerate(zip(order.tolist(), given.tolist())):
        order[k] = holds[place] = holds.get(int(taken[element]), element)


def _addresses(a: Any) -> Any:
    """Where each element lies."""
    result = np.asarray(a.__array_interface__["data"][0])
    for count, stride in zip(a.shape, a.strides):
        result = result[..., None] + np.arange(count) * stride
    return result


def shape_at(a: Any, i: Any) -> Any:
    """The shape of ``a[i]``.

    >>> shape_at(np.zeros((3, 2)), [0, 0])
    (2, 2)
    """
    return np.shape(np.broadcast_to(0.0, a.shape)[i])


def rounds(a: Any, i: Any) -> list[Any]:
    """What ``a[i]`` names, in parts that name no element twice: an index of ``a`` and places in ``a[i]`` for each.

    >>> rounds(np.zeros(3), [0, 2, 0])
    [((array([0, 2]),), array([0, 1])), ((array([0]),), array([2]))]
    """
    places = np.ravel(np.arange(a.size).reshape(a.shape)[i])
    seen: dict[int, int] = {}
    turns: list[list[int]] = []
    for k, place in enumerate(places.tolist()):
        seen[place] = seen.get(place, -1) + 1
        if seen[place] == len(turns):
            turns.append([])
        turns[seen[place]].append(k)
    return [(np.unravel_index(places[turn], a.shape), np.array(turn)) for turn in turns]


def shuffled(shuffle: Any, a: Any, axis: int = 0) -> Any:
    """The order in which ``shuffle(a, axis)`` would leave the rows of an array.

    >>> sorted(shuffled(np.random.default_rng(1).shuffle, np.zeros(3)).tolist())
    [0, 1, 2]
    """
    if isinstance(a, list) and getattr(shuffle, "__module__", "") == "random":
        places = list(range(len(a)))
        shuffle(places)
        return np.array(places, int)
    if not isinstance(a, np.ndarray):
        hint = "Shuffle the indices: `order = np.arange(len(xs))`."
        raise UnsupportedSyntaxError("shuffling a list is not supported yet", None, hint)
    order = np.arange(a.shape[axis])
    shuffle(order)
    return order


def composed(z: Any, v: Any) -> Any:
    """The complex ``z`` with another imaginary part.

    >>> composed(np.array([1.0 + 2.0j]), 3.0)
    array([1.+3.j])
    """
    if not np.iscomplexobj(z):
        raise ValueError("assignment destination is read-only")
    result = np.array(z)
    result.imag = v
    return result if np.ndim(z) else result[()]


def disjoint(out: Any, xs: Any) -> None:
    """Refuse to join arrays into memory of their own: NumPy writes one after the other.

    >>> disjoint(np.zeros(4), [np.zeros(2), np.zeros(2)])
    """
    if overlap(out, xs):
        raise AliasError(PARTS, None, "Join them first: `a[...] = np.array([…])`.")


def mask_of(m: Any, a: Any) -> Any:
    """The mask of ``np.place(a, m, …)`` in the shape of the array.

    >>> mask_of([1, 0], np.zeros((1, 2)))
    array([[ True, False]])
    """
    m = np.asarray(m)
    if m.size != a.size:
        raise ValueError("mask and data must be the same size")
    return m.astype(bool).reshape(a.shape)


def cycled(v: Any, part: Any) -> Any:
    """The elements of ``v`` over and over, until there are as many as ``part`` has.

    >>> cycled([1.0, 2.0], np.zeros(3)), cycled(1.0, np.zeros(3))
    (array([1., 2., 1.]), array([1., 1., 1.]))
    """
    if v is ZERO:
        return ZERO
    if np.size(v) == 0 and np.size(part) > 0:
        raise AliasError(NOTHING, None, "Leave the store out: `if len(v) > 0: …`.")
    return np.resize(np.asarray(v), np.shape(part))


def uncycled(b: Any, v: Any) -> Any:
    """The adjoint of ``np.resize(v, …)``: those of all copies summed.

    >>> uncycled(np.array([1.0, 2.0, 3.0]), [0.0, 0.0])
    array([4., 2.])
    """
    count = np.size(v)
    if b is ZERO or count == 0:
        return ZERO
    trips = -(-np.size(b) // count)
    if np.ndim(v) == 0:
        return np.sum(b)
    padded = np.zeros(trips * count, np.asarray(b).dtype)
    padded[: np.size(b)] = np.ravel(b)
    return padded.reshape(trips, count).sum(0).reshape(np.shape(v))


def within(places: range, *sizes: int) -> None:
    """Raise what a loop raises that comes to a place behind the end of an array.

    >>> within(range(2, 5), 5), within(range(7, 7), 5)
    (None, None)
    >>> within(range(2, 5), 5, 4)
    Traceback (most recent call last):
    IndexError: index 4 is out of bounds for an axis with size 4
    """
    if places:
        for size in sizes:
            if size <= places[-1]:
                place = max(size, places[0])
                raise IndexError(f"index {place} is out of bounds for an axis with size {size}")


__all__ = [
    "along",
    "composed",
    "cycled",
    "disjoint",
    "flat_index",
    "main_diagonal",
    "mask_of",
    "put_index",
    "rounds",
    "shape_at",
    "shuffled",
    "turns",
    "uncycled",
    "within",
]
