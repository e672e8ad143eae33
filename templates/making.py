"""Numbers and arrays made of others: copies, conversions, ``np.full``, ``np.arange``, real and imaginary parts.

In: the adjoints of conversions in the runtime.
Out: rules.
Next: shaping.
"""

from __future__ import annotations

import copy as copying

import numpy as np

from tangentlite import runtime as rt
from tangentlite.rules.notation import b, d, inactive, linear, rule


@linear(np.copy, np.ndarray.copy, in_=("x",))
def copy(x, order="C") -> y:
    b[x] += b[y]


@linear(copying.copy)
def copy_of_any(x) -> y:
    b[x] += b[y]


@rule(np.array, np.asarray, np.asanyarray)
def array(x, dtype=None, *, order=None, copy=None) -> y:
    """A list of numbers or arrays counts as an array; so does its adjoint."""
    d[y] = rt.through(np.asarray(rt.filled(d[x], x)), dtype)
    b[x] += rt.unbroadcast(rt.through(b[y], dtype), x)


@rule(np.require)
def require(x, dtype=None, requirements=None) -> y:
    """As ``np.asarray``: of what may be required nothing is a number."""
    d[y] = rt.through(np.asarray(rt.filled(d[x], x)), dtype)
    b[x] += rt.unbroadcast(rt.through(b[y], dtype), x)


@rule(np.ascontiguousarray, np.asfortranarray)
def ascontiguousarray(x, dtype=None) -> y:
    """As ``np.asarray``, but for a number: it has one axis then."""
    d[y] = rt.through(np.atleast_1d(rt.filled(d[x], x)), dtype)
    b[x] += rt.unbroadcast(rt.through(b[y], dtype), x)


@rule(np.ndarray.astype, *([np.astype] if hasattr(np, "astype") else []))
def astype(x, dtype, *, copy=True) -> y:
    """A conversion to integers or bools ends the derivative."""
    d[y] = rt.through(d[x], dtype)
    b[x] += rt.unbroadcast(rt.through(b[y], dtype), x)


@rule(float, np.float64, np.float32, np.float16, np.longdouble, np.ndarray.item)
def number(x) -> y:
    """One number, from an array of one."""
    d[y] = rt.unbroadcast(d[x], y)
    b[x] += rt.broadcast(b[y], x)


@rule(complex)
def complex_of_parts(real, imag=0.0) -> z:
    d[z] = d[real] + 1j * d[imag]
    b[real] += rt.unbroadcast(b[z], real)
    b[imag] += rt.unbroadcast(1j * b[z], imag)


@rule(np.complex128, np.complex64, np.clongdouble)
def complex_number(x) -> y:
    d[y] = d[x] + 0j
    b[x] += rt.unbroadcast(b[y], x)


@rule(np.full)
def full(shape, fill_value, dtype=None) -> y:
    d[y] = rt.through(rt.broadcast(d[fill_value], y), dtype)
    b[fill_value] += rt.unbroadcast(rt.through(b[y], dtype), fill_value)


@rule(np.full_like, constant=("x",))
def full_like(x, fill_value, dtype=None) -> y:
    d[y] = rt.through(rt.broadcast(d[fill_value], y), rt.dtype_like(x, dtype))
    b[fill_value] += rt.unbroadcast(rt.through(b[y], rt.dtype_like(x, dtype)), fill_value)


@rule(np.arange, constant=("stop",))
def arange(start, stop=None, step=None, *, dtype=None) -> y:
    """``start + k * step``; in ``np.arange(stop)`` no element depends on the argument."""
    first = rt.starts(stop)
    k = np.arange(np.size(y))
    d[y] = rt.broadcast(first * d[start], y) + k * d[step]
    b[start] += first * np.sum(b[y])
    b[step] += np.sum(k * b[y])


@linear(np.ndarray.conj, np.ndarray.conjugate, in_=("x",))
def conj(x) -> y:
    b[x] += np.conj(b[y])


@linear(np.ndarray.real, in_=("x",))
def real(x) -> y:
    b[x] += b[y]


@linear(np.ndarray.imag, in_=("x",))
def imag(x) -> y:
    b[x] += rt.unbroadcast(-1j * b[y], x)


inactive(np.ndarray.argmax, np.ndarray.argmin, np.ndarray.argsort, np.ndarray.argpartition)
inactive(np.ndarray.any, np.ndarray.all, np.ndarray.nonzero, np.ndarray.round)
inactive(np.ndarray.searchsorted)
inactive(np.ndarray.shape, np.ndarray.ndim, np.ndarray.size, np.ndarray.dtype)
inactive(np.ndarray.itemsize, np.ndarray.nbytes, np.ndarray.strides, np.ndarray.flags)
