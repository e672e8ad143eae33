"""Padding: ``np.pad`` in every mode.

In: the widths; extrema share their derivative as ``np.max`` does.
Out: rules.
Next: selection.
"""

from __future__ import annotations

import numpy as np

from tangentlite import runtime as rt
from tangentlite.rules.notation import b, d, linear, rule


@rule(np.pad)
def pad(
    x,
    pad_width,
    mode="constant",
    *,
    stat_length=None,
    constant_values=0,
    end_values=0,
    reflect_type="even",
) -> y:
    """The ends of a linear ramp carry no derivative."""
    where = np.pad(rt.nowhere(x), pad_width, constant_values=rt.numbered(constant_values))
    d[y] = rt.padded(d[x], x, pad_width, mode, stat_length, reflect_type) + rt.gather(
        rt.filled(d[constant_values], constant_values), where
    )
    b[x] += rt.unpadded(b[y], x, pad_width, mode, stat_length, reflect_type)
    b[constant_values] += rt.ungather(b[y], constant_values, where)


@pad.when(lambda mode: mode.literal == "constant")
def pad_constant(
    x,
    pad_width,
    mode="constant",
    *,
    stat_length=None,
    constant_values=0,
    end_values=0,
    reflect_type="even",
) -> y:
    where = np.pad(rt.nowhere(x), pad_width, constant_values=rt.numbered(constant_values))
    d[y] = np.pad(d[x], pad_width) + rt.gather(
        rt.filled(d[constant_values], constant_values), where
    )
    b[x] += rt.unpad(b[y], x, pad_width)
    b[constant_values] += rt.ungather(b[y], constant_values, where)


@linear(rt.padded, in_=("dx",), constant=("x",))
def padded(dx, x, pad_width, mode, stat_length=None, reflect_type="even") -> y:
    b[dx] += rt.unpadded(b[y], x, pad_width, mode, stat_length, reflect_type)


@linear(rt.unpadded, in_=("g",), constant=("x",))
def unpadded(g, x, pad_width, mode, stat_length=None, reflect_type="even") -> y:
    b[g] += rt.padded(b[y], x, pad_width, mode, stat_length, reflect_type)
