"""`PersistentArray`: a handle of one version of an array, with the face of an array.

In: numbers, arrays, indices.
Out: arrays that are read, handles of new versions.
Next: runtime.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from tangentlite.persistent.inspection import Node, outline
from tangentlite.persistent.versions import PLAIN, WHOLE, Array, Tree, Version, owned, rows, shares

READ = frozenset(
    """T all any argmax argmin argsort astype clip conj conjugate cumprod cumsum diagonal dot flatten
    imag item itemsize mT max mean min nonzero prod ravel real repeat reshape round searchsorted
    squeeze std sum swapaxes take tobytes tolist trace transpose var""".split()
)
PARTS = (list, tuple, range)
NUMBERS = (bool, int, float, complex, np.generic)


class PersistentArray(NDArrayOperatorsMixin):
    """An array whose earlier versions stay readable, at the price of what was changed.

    >>> p = PersistentArray([1.0, 2.0, 3.0])
    >>> before = p.version()
    >>> p[1] = 20.0
    >>> p
    PersistentArray([ 1., 20.,  3.])
    >>> before
    PersistentArray([1., 2., 3.])

    An assignment moves the handle that it is written with; `set`, `insert` and `delete` leave it and return another.

    >>> q = p.set(0, 10.0).insert(4.0)
    >>> q
    PersistentArray([10., 20.,  3.,  4.])
    >>> len(p), len(q)
    (3, 4)

    What is read is a copy and has no way back: write `p[1, 2] = x`, not `p[1][2] = x`; `np.asarray(p)` is read-only.
    """

    __slots__ = ("__weakref__", "_tree", "_version")
    _tree: Tree
    _version: Version

    def __new__(cls, values: Any) -> PersistentArray:
        tree = Tree(numeric(values))
        return handle(cls, tree, tree.root)

    def __del__(self) -> None:
        self._tree.drop(self._version)

    # The version

    def version(self) -> PersistentArray:
        """Another handle of this version; neither copies values, nor follows this one.

        >>> p = PersistentArray(np.zeros(2))
        >>> zeros = p.version()
        >>> p += 1.0
        >>> p, zeros
        (PersistentArray([1., 1.]), PersistentArray([0., 0.]))
        """
        tree = self._tree
        with tree.lock:
            self._version.handles += 1
            return handle(type(self), tree, self._version)

    copy = version

    def __copy__(self) -> PersistentArray:
        return self.version()

    def __deepcopy__(self, memo: dict[int, Any]) -> PersistentArray:
        return self.version()

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (np.array(self),)

    # Reading

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of this version."""
        trailing: tuple[int, ...] = self._tree.buffer.shape[1:]
        return (self._version.length, *trailing) if self.ndim else ()

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return self._tree.buffer.ndim

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of the elements."""
        found: np.dtype[Any] = self._tree.buffer.dtype
        return found

    @property
    def size(self) -> int:
        """The number of elements."""
        return int(np.prod(self.shape))

    @property
    def nbytes(self) -> int:
        """The bytes of the elements of this version."""
        return self.size * self.dtype.itemsize

    def __len__(self) -> int:
        if not self.ndim:
            raise TypeError("len() of unsized object")
        return self._version.length

    def __iter__(self) -> Iterator[Any]:
        if not self.ndim:
            raise TypeError("iteration over a 0-d array")
        return walk(self)

    def __getitem__(self, index: Any) -> Any:
        index = index if type(index) in PLAIN else owned(index)
        tree = self._tree
        with tree.lock:
            view = current(tree, self._version)
            values = view[index]
            return values.copy() if shares(values, view) else values

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        if copy is False:
            raise ValueError("a version is always read as a copy: copy=False cannot be had")
        tree = self._tree
        with tree.lock:
            values = current(tree, self._version).copy()
        if dtype is not None:
            values = values.astype(dtype, copy=False)
        values.flags.writeable = bool(copy)
        return values

    def __array_ufunc__(
        self, ufunc: np.ufunc, method: str, *inputs: Any, out: tuple[Any, ...] = (), **keywords: Any
    ) -> Any:
        plain = [read(x) for x in inputs]
        keywords = {key: read(x) for key, x in keywords.items()}
        written = inputs[:1] if method == "at" else out
        buffers = tuple(np.array(x) if isinstance(x, PersistentArray) else x for x in written)
        if method == "at":
            plain[:1] = buffers
        elif out:
            keywords["out"] = buffers
        found = getattr(ufunc, method)(*plain, **keywords)
        for target, buffer in zip(written, buffers):
            if isinstance(target, PersistentArray):
                target._replace(buffer)
        if isinstance(found, tuple) and out:
            return tuple(x if y is None else y for x, y in zip(found, out))
        return out[0] if out else found

    def __getattr__(self, name: str) -> Any:
        if name in READ:
            return getattr(np.asarray(self), name)
        raise AttributeError(f"'PersistentArray' object has no attribute {name!r}")

    def __contains__(self, value: Any) -> bool:
        return read(value) in np.asarray(self)

    def __bool__(self) -> bool:
        return bool(np.asarray(self))

    def __int__(self) -> int:
        return int(np.asarray(self))

    def __float__(self) -> float:
        return float(np.asarray(self))

    def __complex__(self) -> complex:
        return complex(np.asarray(self))

    def __repr__(self) -> str:
        return "PersistentArray" + repr(np.asarray(self))[5:].replace("\n", "\n" + 10 * " ")

    def __str__(self) -> str:
        return str(np.asarray(self))

    # Writing: the handle moves to the new version

    def __setitem__(self, index: Any, value: Any) -> None:
        if index is ... and isinstance(value, PersistentArray) and self._fits(value):
            self._become(value)
            return
        index = index if type(index) in PLAIN else owned(index)
        values = np.asarray(value, dtype=self.dtype)
        tree = self._tree
        with tree.lock:
            tree.settle()
            change = (self._version.length, index, values)
            self._version = tree.advance(self._version, change)

    def append(self, row: Any) -> None:
        """Add a row at the end.

        >>> p = PersistentArray(np.zeros((0, 2)))
        >>> p.append([1.0, 2.0])
        >>> p.append(0.0)
        >>> p
        PersistentArray([[1., 2.],
                         [0., 0.]])
        """
        if not self.ndim:
            raise TypeError("an array without dimensions has no rows")
        values = np.broadcast_to(np.asarray(row, dtype=self.dtype), self.shape[1:])
        tree = self._tree
        with tree.lock:
            tree.settle()
            length = self._version.length
            change = (length + 1, slice(length, length + 1), values)
            self._version = tree.advance(self._version, change)

    def pop(self) -> Any:
        """Remove the last row and return it.

        >>> p = PersistentArray([1.0, 2.0])
        >>> float(p.pop()), p
        (2.0, PersistentArray([1.]))
        """
        if not len(self):
            raise IndexError("pop from an array without rows")
        tree = self._tree
        with tree.lock:
            last = current(tree, self._version)[-1].copy()
            change = (self._version.length - 1, None, None)
            self._version = tree.advance(self._version, change)
        return last

    def _fits(self, other: PersistentArray) -> bool:
        """Whether the other array can stand for this one."""
        return self.shape == other.shape and self.dtype == other.dtype

    def _become(self, other: PersistentArray) -> None:
        """Move to the version of another handle: no values are copied."""
        left = self._tree, self._version
        tree = other._tree
        with tree.lock:
            tree.settle()
            other._version.handles += 1
            self._tree, self._version = tree, other._version
        left[0].drop(left[1])

    def _replace(self, values: Array) -> None:
        """Become ``values``, an array of the same shape and dtype that nobody else holds."""
        tree = self._tree
        with tree.lock:
            tree.settle()
            self._version = tree.advance(self._version, (rows(values), WHOLE, values))

    # Writing: another handle

    def set(self, index: Any, value: Any) -> PersistentArray:
        """A version with other values at ``index``.

        >>> p = PersistentArray([1.0, 2.0])
        >>> p.set(0, 5.0), p
        (PersistentArray([5., 2.]), PersistentArray([1., 2.]))
        """
        other = self.version()
        other[index] = value
        return other

    def insert(self, row: Any) -> PersistentArray:
        """A version with one more row at the end."""
        other = self.version()
        other.append(row)
        return other

    def delete(self) -> PersistentArray:
        """A version without the last row."""
        other = self.version()
        other.pop()
        return other

    # Inspection

    def tree(self) -> tuple[Node, ...]:
        """All versions that are kept, of this array and of those that come from it or it comes from.

        >>> p = PersistentArray([1.0, 2.0])
        >>> before = p.version()
        >>> p[0] = 5.0
        >>> for node in p.tree():
        ...     print(node)
        Node(number=0, handles=1, current=False, toward=1, change='[0] = 1.0', nbytes=8)
        Node(number=1, handles=1, current=True, toward=None, change='', nbytes=16)
        """
        tree = self._tree
        with tree.lock:
            tree.settle()
            return outline(tree)

    def _repr_svg_(self) -> str:
        from tangentlite.persistent.drawing import draw

        return draw(self.tree(), self._version.number)


def handle(cls: type[PersistentArray], tree: Tree, version: Version) -> PersistentArray:
    """A handle of a version, already counted."""
    made = object.__new__(cls)
    made._tree, made._version = tree, version
    return made


def current(tree: Tree, version: Version) -> Array:
    """The array, once ``version`` is the current one; good until the lock is released."""
    if tree.dropped or tree.damaged:
        tree.settle()
    if version is not tree.root:
        tree.move(version)
    return tree.view


def walk(p: PersistentArray) -> Iterator[Any]:
    """The rows, as they are when the walk reaches them."""
    place = 0
    while place < len(p):
        yield p[place]
        place += 1


def read(x: Any) -> Any:
    """A plain array for a persistent one."""
    return np.asarray(x) if isinstance(x, PersistentArray) else x


def numeric(values: Any) -> Array:
    """A new array of numbers; foreign arrays are not converted silently."""
    known = (*PARTS, *NUMBERS, PersistentArray)
    if type(values) is not np.ndarray and not isinstance(values, known):
        name = f"{type(values).__module__}.{type(values).__qualname__}"
        raise TypeError(f"a PersistentArray is made of numbers or a NumPy array, not of {name}")
    made = np.array(values)
    if made.dtype.kind not in "biufc":
        raise TypeError(f"a PersistentArray holds numbers, not {made.dtype}")
    return made
