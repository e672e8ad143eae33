# mypy: ignore-errors
# ruff: noqa: D103
"""Reductions along axes, and what gives a reduced array its axes again, as loops that Numba compiles.

In: nothing.
Out: implementations, known to Numba once this module is imported; ``OVER``, the names that kernels call them by.
Next: spelling.
"""

from __future__ import annotations

import numpy as np
from numba import types

from tangentlite import runtime
from tangentlite.native.library.perhaps import overload
from tangentlite.native.looping.nests import EMPTY, MISMATCH


def _axes(axis, ndim):
    """The axes as numbers, all if none is given; None if they are not written down."""
    axis = getattr(axis, "value", axis)
    if axis is None or isinstance(axis, (types.NoneType, types.Omitted)):
        return tuple(range(ndim))
    if isinstance(axis, (types.IntegerLiteral, int)):
        return (int(getattr(axis, "literal_value", axis)) % ndim,)
    if isinstance(axis, types.BaseTuple):
        if all(isinstance(part, types.IntegerLiteral) for part in axis.types):
            return tuple(sorted(part.literal_value % ndim for part in axis.types))
    return None


def _keeps(keepdims):
    """Whether axes are kept; None if that is not written down."""
    found = getattr(keepdims, "value", keepdims)
    found = getattr(found, "literal_value", found)
    return found if isinstance(found, bool) else None


def _given(x, axis, keepdims):
    if not isinstance(x, types.Array) or not x.ndim:
        return None
    axes, keeps = _axes(axis, x.ndim), _keeps(keepdims)
    return None if axes is None or keeps is None else (axes, keeps)


def nest(ndim, lines, name="x"):
    """Loops over all elements of an array."""
    text = [f"{'    ' * k}for i{k} in range({name}.shape[{k}]):" for k in range(ndim)]
    return text + ["    " * ndim + line for line in lines]


def _place(ndim, axes, keeps):
    """The index of a reduced array for an element of the whole one."""
    parts = [("0" if k in axes else f"i{k}") for k in range(ndim) if keeps or k not in axes]
    return ", ".join(parts)


def _shape(ndim, axes, keeps):
    parts = [("1" if k in axes else f"x.shape[{k}]") for k in range(ndim) if keeps or k not in axes]
    return f"({', '.join(parts)},)"


def made_of(params, lines, **space):
    """A function of these lines."""
    text = f"def made({params}):\n" + "".join(f"    {line}\n" for line in lines)
    scope = {"np": np, "EMPTY": EMPTY, "MISMATCH": MISMATCH, **space}
    exec(text, scope)
    return scope["made"]


def _reduced(x, axis, keepdims, begin, step, last, dtype, needs):
    """The implementation of a reduction: how it begins, what each element does, what is done at the end."""
    given = _given(x, axis, keepdims)
    if given is None:
        return None
    axes, keeps = given
    every = len(axes) == x.ndim and not keeps
    place = _place(x.ndim, axes, keeps)
    count = " * ".join(f"x.shape[{k}]" for k in axes)
    first = ", ".join("0" if k in axes else f"i{k}" for k in range(x.ndim))
    lines = [f"if {count} == 0:", "    raise ValueError(EMPTY)"] if needs else []
    target = "r" if every else f"r[{place}]"
    made = begin if every else f"np.full({_shape(x.ndim, axes, keeps)}, {begin})"
    lines += [f"r = {made}"]
    if needs and not every:
        lines += nest(x.ndim, [f"{target} = x[{first}]"])
    index = ", ".join(f"i{k}" for k in range(x.ndim))
    lines += nest(x.ndim, [step.format(r=target, x=f"x[{index}]")])
    lines += [f"return {last.format(n=count)}"]
    return made_of("x, axis=None, keepdims=False", lines, zero=dtype(0))


def _number(x, mean=False):
    whole = isinstance(getattr(x, "dtype", None), (types.Integer, types.Boolean))
    if whole and not mean:
        return np.int64
    return np.float32 if getattr(x, "dtype", None) == types.float32 else np.float64


def total(x, axis=None, keepdims=False):
    """``np.sum``."""
    return np.sum(x, axis=axis, keepdims=keepdims)


def average(x, axis=None, keepdims=False):
    """``np.mean``."""
    return np.mean(x, axis=axis, keepdims=keepdims)


def largest(x, axis=None, keepdims=False):
    """``np.max``."""
    return np.max(x, axis=axis, keepdims=keepdims)


def smallest(x, axis=None, keepdims=False):
    """``np.min``."""
    return np.min(x, axis=axis, keepdims=keepdims)


@overload(total, prefer_literal=True)
def _total(x, axis=None, keepdims=False):
    return _reduced(x, axis, keepdims, "zero", "{r} += {x}", "r", _number(x), False)


@overload(average, prefer_literal=True)
def _average(x, axis=None, keepdims=False):
    return _reduced(x, axis, keepdims, "zero", "{r} += {x}", "r / ({n})", _number(x, True), False)


@overload(largest, prefer_literal=True)
def _largest(x, axis=None, keepdims=False):
    step = "{r} = np.maximum({r}, {x})"
    return _extreme(x, axis, keepdims, step)


@overload(smallest, prefer_literal=True)
def _smallest(x, axis=None, keepdims=False):
    step = "{r} = np.minimum({r}, {x})"
    return _extreme(x, axis, keepdims, step)


def _extreme(x, axis, keepdims, step):
    if not isinstance(x, types.Array) or isinstance(x.dtype, types.Boolean):
        return None
    begin = f"x[{', '.join('0' * x.ndim)}]"
    given = _given(x, axis, keepdims)
    if given is None:
        return None
    every = len(given[0]) == x.ndim and not given[1]
    return _reduced(x, axis, keepdims, begin if every else "zero", step, "r", _number(x), True)


def variance(x, axis=None, keepdims=False):
    """``np.var``."""
    return np.var(x, axis=axis, keepdims=keepdims)


def deviation(x, axis=None, keepdims=False):
    """``np.std``."""
    return np.std(x, axis=axis, keepdims=keepdims)


@overload(variance, prefer_literal=True)
def _variance(x, axis=None, keepdims=False):
    return _spread(x, axis, keepdims, "r")


@overload(deviation, prefer_literal=True)
def _deviation(x, axis=None, keepdims=False):
    return _spread(x, axis, keepdims, "np.sqrt(r)")


def _spread(x, axis, keepdims, last):
    """The mean of the squares of what is left without the means."""
    given = _given(x, axis, keepdims)
    if given is None or not isinstance(x.dtype, (types.Float, types.Integer)):
        return None
    axes, keeps = given
    lines = [*_means(x, axes), f"r = np.zeros({_shape(x.ndim, axes, True)}, m.dtype)"]
    index, place = ", ".join(f"i{k}" for k in range(x.ndim)), _place(x.ndim, axes, True)
    lines += nest(x.ndim, [f"r[{place}] += (x[{index}] - m[{place}]) ** 2"])
    lines += ["r = r / n"]
    if not keeps:
        left = ", ".join("0" if k in axes else ":" for k in range(x.ndim))
        lines += [f"r = r[{left}].copy()" if len(axes) < x.ndim else f"r = r[{left}]"]
    return made_of(
        "x, axis=None, keepdims=False", [*lines, f"return {last}"], zero=_number(x, True)(0)
    )


def _means(x, axes):
    """``m``, the means with their axes, of ``n`` elements each."""
    index, place = ", ".join(f"i{k}" for k in range(x.ndim)), _place(x.ndim, axes, True)
    lines = [f"n = {' * '.join(f'x.shape[{k}]' for k in axes)}"]
    lines += [f"m = np.full({_shape(x.ndim, axes, True)}, zero)"]
    return [*lines, *nest(x.ndim, [f"m[{place}] += x[{index}]"]), "m = m / n"]


def length(x, axis=None, keepdims=False):
    """``np.linalg.norm`` along axes."""
    return np.linalg.norm(x, axis=axis, keepdims=keepdims)


@overload(length, prefer_literal=True)
def _length(x, axis=None, keepdims=False):
    if not isinstance(getattr(x, "dtype", None), (types.Float, types.Integer)):
        return None
    return _reduced(
        x, axis, keepdims, "zero", "{r} += {x} * {x}", "np.sqrt(r)", _number(x, True), False
    )


@overload(runtime.centered, prefer_literal=True)
def centered(x, axis=None):
    given = _given(x, axis, True)
    if given is None or not isinstance(x.dtype, (types.Float, types.Integer)):
        return None
    lines = [*_means(x, given[0]), "r = np.empty(x.shape, m.dtype)"]
    index, place = ", ".join(f"i{k}" for k in range(x.ndim)), _place(x.ndim, given[0], True)
    lines += nest(x.ndim, [f"r[{index}] = x[{index}] - m[{place}]"])
    return made_of("x, axis=None", [*lines, "return r"], zero=_number(x, True)(0))


OVER = {
    "_sum_over": total,
    "_var_over": variance,
    "_std_over": deviation,
    "_norm_over": length,
    "_mean_over": average,
    "_max_over": largest,
    "_min_over": smallest,
}


def _agree(name, ndim, axes, keeps):
    """The check that a reduced array is as long as the whole one."""
    left = [k for k in range(ndim) if keeps or k not in axes]
    wanted = [(m, "1" if k in axes else f"x.shape[{k}]") for m, k in enumerate(left)]
    tests = " or ".join(f"{name}.shape[{m}] != {size}" for m, size in wanted)
    return [f"if {tests}:", "    raise ValueError(MISMATCH)"] if tests else []


@overload(runtime.unreduce, prefer_literal=True)
def unreduce(b, x, axis=None, keepdims=False):
    given = _given(x, axis, keepdims)
    if given is None or not isinstance(b, types.Array):
        return None
    place = _place(x.ndim, *given)
    if b.ndim != (place.count(",") + 1 if place else 0):
        return None
    index = ", ".join(f"i{k}" for k in range(x.ndim))
    lines = [*_agree("b", x.ndim, *given), "r = np.empty(x.shape, b.dtype)"]
    lines += nest(x.ndim, [f"r[{index}] = b[{place}]"])
    return made_of("b, x, axis=None, keepdims=False", [*lines, "return r"])


@overload(runtime.kept, prefer_literal=True)
def kept(y, x, axis=None, keepdims=False):
    given = _given(x, axis, keepdims)
    if given is None:
        return None
    axes, keeps = given
    if keeps:
        return lambda y, x, axis=None, keepdims=False: y
    whole = _place(x.ndim, axes, True)
    if not isinstance(y, types.Array):
        lines = [f"return np.full(({'1, ' * x.ndim}), y)"]
        return made_of("y, x, axis=None, keepdims=False", lines)
    place = _place(x.ndim, axes, False)
    if y.ndim != x.ndim - len(axes):
        return None
    lines = _agree("y", x.ndim, axes, False)
    lines += [f"r = np.empty({_shape(x.ndim, axes, True)}, y.dtype)"]
    lines += nest(x.ndim, [f"r[{whole}] = y[{place}]"])
    return made_of("y, x, axis=None, keepdims=False", [*lines, "return r"])


@overload(runtime.count, prefer_literal=True)
def count(x, axis=None, keepdims=False):
    given = _given(x, axis, keepdims)
    if given is None:
        return None
    size = " * ".join(f"x.shape[{k}]" for k in given[0])
    return made_of("x, axis=None, keepdims=False", [f"return {size}"])


@overload(runtime.shares, prefer_literal=True)
def shares(x, y, axis=None, keepdims=False):
    given = _given(x, axis, keepdims)
    if given is None:
        return None
    axes, keeps = given
    every = _place(x.ndim, axes, True)
    place = _place(x.ndim, axes, keeps)
    one = isinstance(y, types.Array)
    if one and y.ndim != (x.ndim if keeps else x.ndim - len(axes)):
        return None
    top, index = f"y[{place}]" if one else "y", ", ".join(f"i{k}" for k in range(x.ndim))
    lines = _agree("y", x.ndim, axes, keeps) if one else []
    lines += ["r = np.zeros(x.shape)", f"n = np.zeros({_shape(x.ndim, axes, True)})"]
    lines += nest(x.ndim, [f"if x[{index}] == {top}:", f"    n[{every}] += 1.0"])
    lines += nest(x.ndim, [f"if x[{index}] == {top}:", f"    r[{index}] = 1.0 / n[{every}]"])
    return made_of("x, y, axis=None, keepdims=False", [*lines, "return r"])


@overload(runtime.exp_shares, prefer_literal=True)
def exp_shares(x, e, s, axis=None, keepdims=False):
    """Once more from the exponents, less the largest one, if a sum overflows or is zero."""
    given = _given(x, axis, keepdims)
    if given is None or not isinstance(e, types.Array) or e.ndim != x.ndim:
        return None
    every, size = _place(x.ndim, given[0], True), _shape(x.ndim, given[0], True)
    total = f"s[{_place(x.ndim, *given)}]" if isinstance(s, types.Array) else "s"
    index = ", ".join(f"i{k}" for k in range(x.ndim))
    again = [f"m, n = np.full({size}, -np.inf), np.zeros({size})"]
    again += nest(x.ndim, [f"m[{every}] = max(m[{every}], x[{index}])"])
    again += nest(x.ndim, [f"n[{every}] += np.exp(x[{index}] - m[{every}])"])
    again += nest(x.ndim, [f"r[{index}] = np.exp(x[{index}] - m[{every}]) / n[{every}]"])
    lines = ["r, lost = np.empty(x.shape, e.dtype), False"]
    lines += nest(x.ndim, [f"t = {total}", "lost |= t == 0.0 or t - t != 0.0"])
    lines += ["if lost:", *(f"    {line}" for line in [*again, "return r"])]
    lines += nest(x.ndim, [f"r[{index}] = e[{index}] / {total}"])
    return made_of("x, e, s, axis=None, keepdims=False", [*lines, "return r"])


@overload(runtime.exp_shared, prefer_literal=True)
def exp_shared(g, x, e, s, axis=None, keepdims=False):
    """Weighed shares."""
    given = _given(x, axis, keepdims)
    if given is None:
        return None
    place, index = _place(x.ndim, *given), ", ".join(f"i{k}" for k in range(x.ndim))
    weight = f"g[{place}]" if isinstance(g, types.Array) else "g"
    lines = ["r = shares(x, e, s, axis, keepdims)"]
    lines += [*nest(x.ndim, [f"r[{index}] *= {weight}"]), "return r"]
    return made_of("g, x, e, s, axis=None, keepdims=False", lines, shares=runtime.exp_shares)
