# mypy: ignore-errors
"""What arrays of indices and masks choose of an array, and what is put or added there, as loops: they compile faster.

In: nothing.
Out: ``chosen`` and ``put``, known to Numba once this module is imported; so is ``rt.add_at``.
Next: storing, told.
"""

from __future__ import annotations

import numpy as np
from numba import types
from numba.extending import register_jitable

from tangentlite import runtime
from tangentlite.native.library.perhaps import overload
from tangentlite.native.library.reductions import made_of, nest

LIKE = ["if x.shape != i.shape:", "    raise ValueError(MISMATCH)"]


@register_jitable
def at(i, n):
    """The place of an index among ``n``, which is not negative."""
    i = np.int64(i)
    if i < 0:
        i += n
    if not 0 <= i < n:
        raise IndexError("index out of bounds")
    return np.uintp(i)


@register_jitable
def rolled(i, shift, n):
    """Where the element at ``i`` of an axis that is rolled was before."""
    i -= shift
    return i + n if i < 0 else i


@register_jitable
def turn(shift, n):
    """How far an axis is rolled, less than once around."""
    return np.int64(shift) % n if n else 0


def chosen(x, i):
    """``x[i]``."""
    return x[i]


def put(x, i, v):
    """``x[i] = v``, or ``x[i] += …`` where this is written out."""
    x[i] = v


def _is_array(kind):
    return isinstance(kind, types.Array)


def _is_mask(i):
    return _is_array(i) and isinstance(i.dtype, types.Boolean)


def _of_rows(x, i):
    """Whether a mask chooses rows."""
    return _is_array(x) and _is_mask(i) and i.ndim == 1 < x.ndim


@register_jitable
def rows_of(x, i):
    """The places of the rows that a mask chooses."""
    if len(i) != x.shape[0]:
        raise IndexError("boolean index did not match indexed array")
    return np.nonzero(i)[0]


@overload(chosen)
def _chosen(x, i):
    if not _is_array(x):
        return None
    if _is_mask(i):
        return _masked(x, i) if not _of_rows(x, i) else lambda x, i: chosen(x, rows_of(x, i))
    found = _walk(x, i)
    if found is None:
        parts = i.types if isinstance(i, types.BaseTuple) else (i,)
        return None if any(isinstance(p, types.SliceType) for p in parts) else lambda x, i: x[i]
    lines, sizes, loops, place = found
    result = ", ".join(f"j{k}" for k in range(len(sizes)))
    lines = [*lines, f"r = np.empty(({', '.join(sizes)},), x.dtype)"]
    return made_of(
        "x, i", [*lines, *loops, f"{'    ' * len(sizes)}r[{result}] = w[{place}]", "return r"]
    )


@overload(put)
def _put(x, i, v):
    if not _is_array(x):
        return None
    if _is_mask(i):
        rows = _of_rows(x, i)
        return _put_masked(x, i, v) if not rows else lambda x, i, v: put(x, rows_of(x, i), v)
    return _stored(_walk(x, i), v, "x, i, v", "w[{}] = {}", "")


@overload(runtime.add_at)
def add_at(bx, i, e):
    """Elements that come again are added again."""
    if _of_rows(bx, i):
        return lambda bx, i, e: runtime.add_at(bx, rows_of(bx, i), e)
    found = _walk(bx, i, "bx") if _is_array(bx) else None
    alike = not _is_array(e) or (found is not None and e.ndim == len(found[1]))
    return _stored(found, e, "bx, i, e", "w[{}] += {}", "return bx") if alike else None


def _stored(found, v, params, text, last):
    """A function that meets what an index chooses, with a number or what is ``v`` for it."""
    if found is None or (_is_array(v) and v.ndim > len(found[1])):
        return None
    name = params[-1]
    lines, sizes, loops, place = found
    value = name
    if _is_array(v):
        lead = len(sizes) - v.ndim
        tests = [f"{name}.shape[{k}] != {sizes[lead + k]}" for k in range(v.ndim)]
        lines += [f"if {' or '.join(tests)}:", "    raise ValueError(MISMATCH)"] if tests else []
        lines.append(f"{name} = {name}.copy()")
        value = f"{name}[{', '.join(f'j{lead + k}' for k in range(v.ndim)) or '()'}]"
    inside = "    " * len(sizes) + text.format(place, value)
    return made_of(params, [*lines, *loops, inside, last])


def _walk(x, i, array="x"):
    """What comes before loops over what is chosen, its lengths, the loops, and the place of each element in ``w``.

    Arrays of indices are lines of one length, side by side, with numbers between them or slices around.
    """
    parts = i.types if isinstance(i, types.BaseTuple) else (i,)
    arrays = [k for k, part in enumerate(parts) if _is_array(part)]
    away = [k for k, part in enumerate(parts) if not isinstance(part, types.SliceType)]
    fine = all(isinstance(parts[k], types.Integer) or k in arrays for k in away)
    lines = all(parts[k].ndim == 1 and isinstance(parts[k].dtype, types.Integer) for k in arrays)
    if not (arrays and fine and lines and len(parts) <= x.ndim) or away[-1] - away[0] >= len(away):
        return None
    names = [f"i[{k}]" if isinstance(i, types.BaseTuple) else "i" for k in range(len(parts))]
    count, first = f"len({names[arrays[0]]})", away[0]
    before = [f"if len({names[k]}) != {count}:" for k in arrays[1:]]
    before = [text for test in before for text in (test, "    raise ValueError(MISMATCH)")]
    for k in arrays:
        size = f"{array}.shape[{k}]"
        before += [f"for j in {names[k]}:", f"    if not -{size} <= j < {size}:"]
        before += ['        raise IndexError("index out of bounds")']
    views = [names[k] if k < len(parts) and k not in away else ":" for k in range(x.ndim)]
    before.append(f"w = {array}[{', '.join(views)}]")
    place, sizes = [], []
    for k in range(x.ndim):
        if k not in away:
            place.append(f"j{len(sizes)}")
            sizes.append(f"w.shape[{k}]")
            continue
        sizes += [count] if k == first else []
        place.append(f"{names[k]}[j{first}]" if k in arrays else names[k])
    loops = [f"{'    ' * k}for j{k} in range({size}):" for k, size in enumerate(sizes)]
    return before, sizes, loops, ", ".join(place)


def _masked(x, i):
    """``x[i]`` of a mask."""
    if x.ndim != i.ndim:
        return (lambda x, i: x[i]) if i.ndim == 1 else None
    place = ", ".join(f"i{k}" for k in range(x.ndim))
    lines = [*LIKE, "n = 0", *nest(x.ndim, [f"if i[{place}]:", "    n += 1"])]
    lines += ["r, n = np.empty(n, x.dtype), 0"]
    lines += nest(x.ndim, [f"if i[{place}]:", f"    r[n] = x[{place}]", "    n += 1"])
    return made_of("x, i", [*lines, "return r"])


def _put_masked(x, i, v):
    """``x[i] = v`` of a mask."""
    if x.ndim != i.ndim or (_is_array(v) and v.ndim != 1):
        return None
    place = ", ".join(f"i{k}" for k in range(x.ndim))
    if not _is_array(v):
        each = [f"if i[{place}]:", f"    x[{place}] = v"]
        return made_of("x, i, v", [*LIKE, *nest(x.ndim, each)])
    lines = [*LIKE, "n = 0", *nest(x.ndim, [f"if i[{place}]:", "    n += 1"])]
    lines += ["if len(v) != n:", "    raise ValueError(MISMATCH)", "v, n = v.copy(), 0"]
    lines += nest(x.ndim, [f"if i[{place}]:", f"    x[{place}] = v[n]", "    n += 1"])
    return made_of("x, i, v", lines)
