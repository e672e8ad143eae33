"""Sums of products of two arrays whose subscripts say no more than a product of matrices does.

In: subscripts without an ellipsis, and two arrays.
Out: the sum, in memory of its own; None where it is another sum.
Next: einsum.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

Shapes = tuple[tuple[int, ...], ...]


class _Matrices(NamedTuple):
    """Which of two arrays is the first factor, which are transposed, and whether there is a stack of each."""

    swapped: bool
    left: bool
    right: bool
    stacked: bool


def product(text: str, xs: Any) -> Any:
    """The sum, if it is a product of two matrices, vectors or stacks of matrices of the same floating type.

    >>> product("ij,kj->ki", (np.eye(2), np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])))
    array([[1., 2.],
           [3., 4.],
           [5., 6.]])
    >>> product("ij,ij->i", (np.eye(2), np.eye(2))) is None
    True
    """
    if len(xs) != 2:
        return None
    a, b = xs
    if type(a) is not np.ndarray or type(b) is not np.ndarray or a.dtype != b.dtype:
        return None
    if a.dtype.kind not in "fc":
        return None
    how = _matrices(text, (a.shape, b.shape))
    if how is None:
        return None
    if how.swapped:
        a, b = b, a
    a, b = a.mT if how.left else a, b.mT if how.right else b
    return np.matmul(a, b) if how.stacked else a.dot(b)


@lru_cache(512)
def _matrices(text: str, shapes: Shapes) -> _Matrices | None:
    left, arrow, output = text.partition("->")
    a, comma, b = left.partition(",")
    if not (arrow and comma and (text + left).isascii()) or "." in text:
        return None
    return None if _repeats(a, b, output) or not _fit(a, b, shapes) else _found(a, b, output)


def _repeats(*parts: str) -> bool:
    return any(len(set(part)) < len(part) or " " in part for part in parts)


def _fit(a: str, b: str, shapes: Shapes) -> bool:
    """Whether equal labels have equal lengths: a length of 1 may stand for any."""
    if (len(a), len(b)) != tuple(map(len, shapes)):
        return False
    lengths = dict(zip(a, shapes[0], strict=True))
    return all(lengths.get(label, n) == n for label, n in zip(b, shapes[1], strict=True))


def _found(a: str, b: str, output: str) -> _Matrices | None:
    depth = len(_shared(a, b, output))
    stack, (p, q, r) = a[:depth], (a[depth:], b[depth:], output[depth:])
    summed = [label for label in p if label in q]
    if b[:depth] != stack or output[:depth] != stack or len(summed) != 1 or summed[0] in r:
        return None
    rows, columns = p.replace(summed[0], ""), q.replace(summed[0], "")
    if max(len(rows), len(columns)) > 1 or (depth and not (rows and columns)):
        return None
    if r not in (rows + columns, columns + rows):
        return None
    if swapped := r != rows + columns:
        p, q = q, p
    left, right = p[:1] == summed[0] and len(p) == 2, q[1:] == summed[0] and len(q) == 2
    return _Matrices(swapped, left, right, depth > 0)


def _shared(a: str, b: str, output: str) -> list[str]:
    """The labels of a stack: those that all three have."""
    return [label for label in a if label in b and label in output]
