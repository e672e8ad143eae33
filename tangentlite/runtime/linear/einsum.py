"""Adjoint of einsum: the same sum with the roles of result and operand exchanged.

In: the adjoint of the result, the subscripts, all operands, the position of one.
Out: the adjoint of that operand, in its shape.
Next: scan.
"""

from __future__ import annotations

import math
import string
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from tangentlite.runtime.linear.subscripts import product
from tangentlite.runtime.memory.shadow import add
from tangentlite.runtime.shapes.broadcast import shape, unbroadcast
from tangentlite.runtime.zero import ZERO

__all__ = [
    "einsum",
    "einsum_adjoint",
    "einsum_adjoints",
    "einsum_spec",
    "einsum_tangent",
    "einsum_with",
]
LONG = 20_000  # sums of so many products are worth a search for their best order


def einsum(spec: str, *xs: Any) -> Any:
    """``np.einsum(spec, *xs)``, by products of matrices where that takes less time.

    >>> einsum("ij,j->i", np.eye(2), np.array([1.0, 2.0]))
    array([1., 2.])
    """
    if any(x is ZERO for x in xs):
        return ZERO
    result = product(spec, xs)
    if result is not None:
        return result
    try:
        by_matrices = _is_large(spec, tuple(map(shape, xs)))
    except ValueError:  # NumPy says what does not fit
        by_matrices = False
    return np.einsum(spec, *xs, optimize=by_matrices)


@lru_cache(256)
def _is_large(spec: str, shapes: tuple[tuple[int, ...], ...]) -> bool:
    """Whether products of matrices take less time than one loop."""
    inputs, output = labels(spec, tuple(map(len, shapes)))
    return _pays(inputs, output, _sizes(inputs, shapes))


def einsum_adjoint(spec: str, b: Any, xs: Any, k: int) -> Any:
    """Adjoint of ``xs[k]`` in ``np.einsum(spec, *xs)``; of ``xs[k]`` only the shape is read.

    >>> einsum_adjoint("ij,j->i", np.ones(2), (np.zeros((2, 2)), np.array([1.0, 2.0])), 0)
    array([[1., 2.],
           [1., 2.]])
    """
    if b is ZERO:
        return b
    text, wanted, mine, sizes, by_matrices = _turned(spec, tuple(map(shape, xs)), k)
    factors = (b, *xs[:k], *xs[k + 1 :])
    result = product(text, factors)
    if result is None:
        result = np.einsum(text, *factors, optimize=by_matrices)
    return unbroadcast(_placed(result, wanted, mine, sizes), xs[k])


@lru_cache(256)
def _turned(
    spec: str, shapes: tuple[tuple[int, ...], ...], k: int
) -> tuple[str, str, str, dict[str, int], bool]:
    """The sum that gives the adjoint of an operand: its text, labels of the result and of the operand, and sizes."""
    inputs, output = labels(spec, tuple(map(len, shapes)))
    sizes = _sizes(inputs, shapes)
    given = (output, *inputs[:k], *inputs[k + 1 :])
    wanted = _found(inputs[k], "".join(given))
    return f"{','.join(given)}->{wanted}", wanted, inputs[k], sizes, _pays(given, wanted, sizes)


def einsum_spec(lists: Any, out: Any = None) -> str:
    """The subscripts that lists of labels stand for; without ``out`` labels that occur once are left, in order.

    >>> einsum_spec(([0, 7], [7, 3]), [0, 3]), einsum_spec(([..., 1], range(2)))
    ('AC,CB->AB', '...B,AB')
    """
    every = [*lists, *([] if out is None else [out])]
    labels = sorted({int(k) for part in every for k in part if k is not ...})
    letters = dict(zip(labels, string.ascii_letters[26:] + string.ascii_letters[:26], strict=False))
    words = ["".join("..." if k is ... else letters[int(k)] for k in part) for part in every]
    return ",".join(words[: len(lists)]) + ("" if out is None else f"->{words[-1]}")


def einsum_with(spec: str, xs: Any, k: int, x: Any) -> Any:
    """``np.einsum(spec, *xs)`` with ``x`` for ``xs[k]``."""
    return x if x is ZERO else einsum(spec, *_with(xs, k, x))


def einsum_adjoints(spec: str, b: Any, xs: Any, k: int, x: Any) -> Any:
    """The adjoints of all operands but ``xs[k]``, for which ``x`` stands."""
    if b is ZERO or x is ZERO:
        return ZERO
    others = _with(xs, k, x)
    return [ZERO if j == k else einsum_adjoint(spec, b, others, j) for j in range(len(xs))]


def einsum_tangent(spec: str, b: Any, xs: Any, k: int, ds: Any) -> Any:
    """The tangent of ``einsum_adjoint`` when the operands move by ``ds``."""
    total: Any = ZERO
    for j in range(len(xs)) if ds is not ZERO and b is not ZERO else ():
        if j != k and ds[j] is not ZERO:
            total = add(total, einsum_adjoint(spec, b, _with(xs, j, ds[j]), k))
    return total


def _found(mine: str, others: str) -> str:
    """The labels of an operand that others have, too, each once."""
    return "".join(dict.fromkeys(c for c in mine if c in others))


def _pays(inputs: Sequence[str], output: str, sizes: Mapping[str, int]) -> bool:
    """Whether a sum of products is so large that it is worth to be made of products of matrices."""
    return len(inputs) > 1 and math.prod(sizes.values()) > LONG and set(output) != sizes.keys()


def _with(xs: Any, k: int, x: Any) -> list[Any]:
    return [x if j == k else other for j, other in enumerate(xs)]


def _placed(result: Any, wanted: str, mine: str, sizes: dict[str, int]) -> Any:
    """``result`` over the labels ``mine``: summed labels repeated, equal labels on the diagonal."""
    unique = "".join(dict.fromkeys(mine))
    full = tuple(sizes[c] for c in unique)
    if wanted == mine and result.shape == full:
        return result
    order = [wanted.index(c) for c in unique if c in wanted]
    picture = tuple(slice(None) if c in wanted else None for c in unique)
    result = np.broadcast_to(np.transpose(result, order)[picture], full)
    if unique == mine:
        return result
    buffer = np.zeros(tuple(sizes[c] for c in mine), result.dtype)
    np.einsum(f"{mine}->{unique}", buffer)[...] = result
    return buffer


def _sizes(inputs: Sequence[str], shapes: Sequence[tuple[int, ...]]) -> dict[str, int]:
    sizes: dict[str, int] = {}
    for text, lengths in zip(inputs, shapes, strict=True):
        for label, size in zip(text, lengths, strict=True):
            known = sizes.get(label, size)
            sizes[label] = max(size, known) if size and known else 0
    return sizes


@lru_cache(256)
def labels(spec: str, ranks: tuple[int, ...]) -> tuple[tuple[str, ...], str]:
    """The labels of each operand and of the result, the ellipsis spelled out.

    >>> labels("...i,i", (2, 1)), labels("ij,jk", (2, 2))
    ((('Zi', 'i'), 'Z'), (('ij', 'jk'), 'ik'))
    """
    if not isinstance(spec, str):
        raise TypeError("einsum is differentiated with subscripts as a string only")
    left, arrow, output = spec.replace(" ", "").partition("->")
    spare = [c for c in reversed(string.ascii_letters) if c not in spec]
    parts = left.split(",")
    missing = [n - len(part.replace("...", "")) for part, n in zip(parts, ranks, strict=True)]
    most = max((m for part, m in zip(parts, missing, strict=True) if "..." in part), default=0)
    dots = "".join(spare[:most])
    inputs = tuple(
        part.replace("...", dots[most - m :] if m else "")
        for part, m in zip(parts, missing, strict=True)
    )
    if not arrow:
        letters = "".join(part.replace("...", "") for part in parts)
        output = dots + "".join(sorted(c for c in set(letters) if letters.count(c) == 1))
    return inputs, output.replace("...", dots)
