# mypy: ignore-errors
# ruff: noqa: D103
"""What goes along one axis of an array of several, as Numba reads it: rolled, turned round, summed up.

In: nothing.
Out: implementations, known to Numba once this module is imported.
Next: spelling.
"""

from __future__ import annotations

import numpy as np
from numba import types

from tangentlite import runtime
from tangentlite.native.library.joints import _axis
from tangentlite.native.library.perhaps import overload
from tangentlite.native.library.reductions import made_of, nest
from tangentlite.native.looping.nests import SINGLE


def _is_array(kind):
    return isinstance(kind, types.Array)


def _lead(x, axis):
    """The axis, and what stands before it in an index; None if it is not written down."""
    at = _axis(axis)
    if not _is_array(x) or at is None or not -x.ndim <= at < x.ndim:
        return None
    return at % x.ndim, ":, " * (at % x.ndim)


@overload(np.roll, prefer_literal=True)
def roll(a, shift, axis):
    found = _lead(a, axis)
    if found is None or not isinstance(shift, types.Integer):
        return None
    at, _ = found
    lines = [f"n = a.shape[{at}]", "r = np.empty(a.shape, a.dtype)", "k = shift % n if n else 0"]
    lines += nest(
        a.ndim,
        [f"j = i{at} - k if i{at} >= k else i{at} - k + n", f"r[{_at(a)}] = a[{_at(a, at, 'j')}]"],
        "a",
    )
    return made_of("a, shift, axis", [*lines, "return r"])


def _at(x, axis=-1, place=""):
    """The index of an element, with another place along one axis."""
    return ", ".join(place if k == axis else f"i{k}" for k in range(x.ndim))


@overload(np.flip, prefer_literal=True)
def flip(m, axis):
    found = _lead(m, axis)
    return made_of("m, axis", [f"return m[{found[1]}::-1]"]) if found else None


@overload(np.cumsum, prefer_literal=True)
def cumsum(a, axis):
    return _running(a, axis, "a, axis", "+=")


@overload(np.cumprod, prefer_literal=True)
def cumprod(a, axis):
    return _running(a, axis, "a, axis", "*=")


def _running(a, axis, params, sign):
    found = _lead(a, axis)
    if found is None or not isinstance(a.dtype, (types.Float, types.Integer)):
        return None
    at, _ = found
    index = [f"i{k}" for k in range(a.ndim)]
    before = [f"i{k} - 1" if k == at else f"i{k}" for k in range(a.ndim)]
    place = ", ".join(index)
    lines = [f"r[{place}] = a[{place}]", f"if i{at}:"]
    lines += [f"    r[{place}] {sign} r[{', '.join(before)}]"]
    dtype = "a.dtype" if isinstance(a.dtype, types.Float) else "np.int64"
    return made_of(
        params, [f"r = np.empty(a.shape, {dtype})", *nest(a.ndim, lines, "a"), "return r"]
    )


@overload(np.diff, prefer_literal=True)
def diff(a, n=1, axis=-1):
    """First differences of what is no line: those Numba has."""
    found = _lead(a, axis)
    if found is None or _axis(n) != 1 or a.ndim < 2:
        return None
    return made_of("a, n=1, axis=-1", [f"return a[{found[1]}1:] - a[{found[1]}:-1]"])


@overload(runtime.undiff, prefer_literal=True)
def undiff(b, n=1, axis=-1):
    """Differences of any order, along any axis."""
    found, times = _lead(b, axis), _axis(n)
    if found is None or times is None or times < 1 or (times, b.ndim) == (1, 1):
        return None
    at, _ = found
    sizes = ", ".join(f"b.shape[{k}]" + (" + 1" if k == at else "") for k in range(b.ndim))
    lines = [f"for _ in range({times}):", f"    r = np.zeros(({sizes},), b.dtype)"]
    each = [f"r[{_at(b, at, f'i{at} + 1')}] += b[{_at(b)}]", f"r[{_at(b)}] -= b[{_at(b)}]"]
    lines += [f"    {line}" for line in nest(b.ndim, each, "b")]
    lines += ["    b = r", "return b"]
    return made_of("b, n=1, axis=-1", lines)


@overload(runtime.others)
def others(x):
    """All other factors of a product of everything."""
    if not _is_array(x):
        return None
    lines = ["ahead = np.empty(x.size, x.dtype)", "product, n = one, 0"]
    place = ", ".join(f"i{k}" for k in range(x.ndim))
    lines += nest(x.ndim, ["ahead[n] = product", f"product *= x[{place}]", "n += 1"])
    lines += ["product, r = one, np.empty(x.shape, x.dtype)"]
    back = [f"{'    ' * k}for i{k} in range(x.shape[{k}] - 1, -1, -1):" for k in range(x.ndim)]
    each = ["n -= 1", f"r[{place}] = ahead[n] * product", f"product *= x[{place}]"]
    lines += [*back, *("    " * x.ndim + line for line in each), "return r"]
    one = np.float32(1) if x.dtype == types.float32 else np.float64(1)
    return made_of("x", lines, one=one) if isinstance(x.dtype, types.Float) else None


@overload(np.repeat, prefer_literal=True)
def repeat(a, repeats, axis):
    """Each part of an axis several times."""
    found = _lead(a, axis)
    if found is None or not isinstance(repeats, types.Integer):
        return None
    at, _ = found
    sizes = ", ".join(f"a.shape[{k}]" + (" * repeats" if k == at else "") for k in range(a.ndim))
    lines = ["if repeats < 0:", '    raise ValueError("repeats may not contain negative values.")']
    lines += [f"r = np.empty(({sizes},), a.dtype)"]
    each = [f"r[{_at(a)}] = a[{_at(a, at, f'i{at} // repeats')}]"]
    return made_of("a, repeats, axis", [*lines, *nest(a.ndim, each, "r"), "return r"])


@overload(runtime.unrepeat, prefer_literal=True)
def unrepeat(b, x, repeats, axis):
    found = _lead(x, axis)
    if found is None or not isinstance(repeats, types.Integer) or getattr(b, "ndim", -1) != x.ndim:
        return None
    at, _ = found
    each = [f"r[{_at(x, at, f'i{at} // repeats')}] += b[{_at(x)}]"]
    lines = ["r = np.zeros(x.shape, b.dtype)", *nest(x.ndim, each, "b"), "return r"]
    return made_of("b, x, repeats, axis", lines)


@overload(np.tile)
def tile(A, reps):
    """Copies side by side, along as many axes as there are numbers."""
    if not _is_array(A) or not isinstance(reps, types.UniTuple) or reps.count < A.ndim:
        return None
    new = reps.count - A.ndim
    own = [f" * A.shape[{k - new}]" if k >= new else "" for k in range(reps.count)]
    sizes = ", ".join(f"max(reps[{k}], 0){text}" for k, text in enumerate(own))
    each = [f"r[{', '.join(f'i{k}' for k in range(reps.count))}] = A[{_tiled('A', A.ndim, new)}]"]
    lines = [f"r = np.empty(({sizes},), A.dtype)", *nest(reps.count, each, "r"), "return r"]
    return made_of("A, reps", lines)


@overload(runtime.untile)
def untile(b, x, reps):
    if not _is_array(x) or not isinstance(reps, types.UniTuple) or reps.count < x.ndim:
        return None
    if getattr(b, "ndim", -1) != reps.count:
        return None
    place = ", ".join(f"i{k}" for k in range(reps.count))
    each = [f"r[{_tiled('x', x.ndim, reps.count - x.ndim)}] += b[{place}]"]
    lines = ["r = np.zeros(x.shape, b.dtype)", *nest(reps.count, each, "b"), "return r"]
    return made_of("b, x, reps", lines)


def _tiled(name, rank, new):
    """The element that a place in the copies shows."""
    return ", ".join(f"i{k + new} % {name}.shape[{k}]" for k in range(rank))


@overload(np.squeeze, prefer_literal=True)
def squeeze(a, axis):
    """Without an axis of length one."""
    found = _lead(a, axis)
    if found is None or a.ndim < 2:
        return None
    at, lead = found
    lines = [f"if a.shape[{at}] != 1:"]
    lines += [
        '    raise ValueError("cannot select an axis to squeeze out which has size not equal to one")'
    ]
    return made_of("a, axis", [*lines, f"return a[{lead}0]"])


def squeezed(a, axes):
    """``np.squeeze(a)``, which leaves out these axes."""
    return np.squeeze(a, axes)


@overload(squeezed, prefer_literal=True)
def _squeezed(a, axes):
    """Others of length one are left to Python: how many there are is known when it runs."""
    if not _is_array(a) or not isinstance(axes, types.BaseTuple):
        return None
    gone = [getattr(part, "literal_value", None) for part in axes]
    if None in gone:
        return None
    tests = [f"a.shape[{k}] {'!=' if k in gone else '=='} 1" for k in range(a.ndim)]
    place = ", ".join("0" if k in gone else ":" for k in range(a.ndim))
    lines = [f"if {' or '.join(tests)}:", f"    raise ValueError({SINGLE!r})"]
    return made_of("a, axes", [*lines, f"return a[{place}]"])
