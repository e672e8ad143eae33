# mypy: ignore-errors
"""Products of matrices and vectors, each one short function: those of Numba are several, for each order of memory.

In: nothing.
Out: ``product``, known to Numba once this module is imported; ``OWN``, the name that kernels call it by.
Next: algebra.
"""

from __future__ import annotations

import numpy as np
from numba import types
from numba.core.imputils import impl_ret_borrowed
from numba.extending import intrinsic
from numba.np.numpy_support import as_dtype

from tangentlite.native.facts.known import OUTER, PRODUCT
from tangentlite.native.library.adding import _freely, poured
from tangentlite.native.library.perhaps import overload
from tangentlite.native.library.reductions import made_of

UNEQUAL = "shapes differ: a product sums over axes of equal length"
FLOATS = {types.float32: "s", types.float64: "d"}


def solid(x):
    """An array without gaps, which products of matrices want."""


@overload(solid)
def _solid(x):
    return (lambda x: np.ascontiguousarray(x)) if x.layout == "A" else (lambda x: x)


def product(x, y):
    """``x @ y``."""
    return x @ y


@intrinsic
def as_line(typing, a):
    """A vector, said to lie in memory without gaps."""

    def build(context, builder, signature, args):
        return impl_ret_borrowed(context, builder, signature.return_type, args[0])

    return types.Array(a.dtype, a.ndim, "C", readonly=not a.mutable)(a), build


@overload(product)
def _product(x, y):
    if not all(isinstance(k, types.Array) and k.ndim in (1, 2) for k in (x, y)):
        return lambda x, y: x @ y
    if x.dtype not in FLOATS or y.dtype not in FLOATS:
        return lambda x, y: solid(x) @ solid(y)
    if x.dtype != y.dtype:
        return lambda x, y: product(x.astype(np.float64), y.astype(np.float64))
    if x.ndim == y.ndim == 1:
        return _of_lines()
    return _of_matrices(x, y) if x.ndim == y.ndim else _of_both(x, y)


def _made(x, lines):
    space = {"dtype": as_dtype(x.dtype), "zero": as_dtype(x.dtype).type(0), "UNEQUAL": UNEQUAL}
    return made_of("x, y", lines, as_line=as_line, freely=_freely, solid=solid, **space)


def _of_lines():
    def dot(x, y):
        if len(x) != len(y):
            raise ValueError(UNEQUAL)
        total = x.dtype.type(0)
        for i in range(len(x)):
            total = _freely(total, x[i] * y[i])
        return total

    return dot


# A matrix and a vector ----------------------------------------------------------------------


def _of_both(x, y):
    """Row by row, or column by column: what lies side by side in memory is read side by side."""
    turned = x.ndim == 1
    matrix, line = ("y", "x") if turned else ("x", "y")
    layout = (y if turned else x).layout
    rows, inner = (1, 0) if turned else (0, 1)
    lines = [f"m, k = {matrix}.shape[{rows}], {matrix}.shape[{inner}]"]
    lines += [f"if len({line}) != k:", "    raise ValueError(UNEQUAL)"]
    lines += [f"v, r = solid({line}), np.empty(m, dtype)"]
    if layout != "A":
        at = f"{matrix}[l, i]" if turned else f"{matrix}[i, l]"
        by_rows = (layout == "C") != turned
        lines += _rows("", at) if by_rows else _columns("", at)
    else:
        row, column = f"{matrix}[i]", f"{matrix}[:, l]"
        if turned:
            row, column = f"{matrix}[:, i]", f"{matrix}[l]"
        lines += [f"if {matrix}.strides[{inner}] == {matrix}.itemsize:"]
        lines += _inside(_rows(f"q = as_line({row})", "q[l]"))
        lines += [f"elif {matrix}.strides[{rows}] == {matrix}.itemsize:"]
        lines += _inside(_columns(f"q = as_line({column})", "q[i]"))
        lines += ["else:", *_inside(_rows(f"q = {row}", "q[l]"))]
    return _made(x, [*lines, "return r"])


def _inside(lines):
    return [f"    {line}" for line in lines]


def _rows(before, at):
    lines = ["for i in range(m):", f"    {before}", "    t = zero", "    for l in range(k):"]
    return [*lines, f"        t = freely(t, {at} * v[l])", "    r[i] = t"]


def _columns(before, at):
    lines = ["for i in range(m):", "    r[i] = zero", "for l in range(k):", f"    {before}"]
    return [*lines, "    e = v[l]", "    for i in range(m):", f"        r[i] += {at} * e"]


# Two matrices -------------------------------------------------------------------------------


def _of_matrices(x, y):
    lines = ["m, k = x.shape", "n = y.shape[1]"]
    lines += ["if y.shape[0] != k:", "    raise ValueError(UNEQUAL)"]
    lines += ["r = np.empty((m, n), dtype)"]
    gemm = blas(x.dtype)
    if gemm is None:
        return _made(x, [*lines, *_plain()])
    lines += ["if m * n * k == 0:", "    for i in range(m):", "        for j in range(n):"]
    lines += ["            r[i, j] = zero", "    return r"]
    lines += [*_laid("x", x), *_laid("y", y)]
    lines += ["c = np.empty(2, dtype)", "c[0] = 1", "c[1] = 0"]
    lines += [
        "gemm(kind, yt, xt, n, m, k, c.ctypes, y_.ctypes, yn, x_.ctypes, xn, c[1:].ctypes, r.ctypes, n)"
    ]
    made = _made(x, [*lines, "return r"])
    made.__globals__.update(gemm=gemm, kind=ord(FLOATS[x.dtype]))
    return made


def blas(dtype):
    """The product of BLAS, which Numba finds in SciPy; None without that."""
    from numba.np.linalg import _BLAS

    try:
        return _BLAS().numba_xxgemm(dtype)
    except ImportError:
        return None


def _plain():
    lines = ["for i in range(m):", "    for j in range(n):", "        r[i, j] = zero"]
    lines += ["    for l in range(k):", "        e = x[i, l]", "        for j in range(n):"]
    return [*lines, "            r[i, j] += e * y[l, j]", "return r"]


def _laid(name, kind):
    """``xt``, whether a matrix is turned round; ``xn``, from one line to the next; a copy where it has gaps."""
    plain, turned = ord("n"), ord("t")
    if kind.layout != "A":
        t, axis = (plain, 1) if kind.layout == "C" else (turned, 0)
        return [f"{name}_, {name}t, {name}n = {name}, {t}, {name}.shape[{axis}]"]
    size = f"{name}.itemsize"
    lines = []
    for word, axis, t in (("if", 0, plain), ("elif", 1, turned)):
        step = f"{name}.strides[{axis}]"
        tests = (
            f"{name}.strides[{1 - axis}] == {size} and {step} >= {size} * {name}.shape[{1 - axis}]"
        )
        lines += [f"{word} {tests} and {step} % {size} == 0:"]
        lines += [f"    {name}_, {name}t, {name}n = {name}, {t}, {step} // {size}"]
    lines += ["else:", f"    {name}_, {name}t, {name}n = {name}.copy(), {plain}, {name}.shape[1]"]
    return lines


@overload(poured)
def _poured(array, rows, others, count):
    def added_up(array, rows, others, count):
        total = product(rows[:count].T, others[:count])
        for i in range(array.shape[0]):
            for j in range(array.shape[1]):
                array[i, j] += total[i, j]

    return added_up


def outer(a, b):
    """``np.outer``."""
    return np.outer(a, b)


@overload(outer)
def _outer(a, b):
    if not all(isinstance(k, types.Array) and k.ndim == 1 and k.dtype in FLOATS for k in (a, b)):
        return lambda a, b: np.outer(a, b)
    dtype = as_dtype(a.dtype if a.dtype == b.dtype else types.float64)

    def made(a, b):
        r = np.empty((len(a), len(b)), dtype)
        for i in range(len(a)):
            for j in range(len(b)):
                r[i, j] = a[i] * b[j]
        return r

    return made


OWN = {PRODUCT: product, OUTER: outer}
