# mypy: ignore-errors
# ruff: noqa: D103
"""Arrays widened by what they hold, as loops that Numba compiles.

In: nothing.
Out: implementations, known to Numba once this module is imported.
Next: spelling.
"""

from __future__ import annotations

import numpy as np
from numba.extending import register_jitable

from tangentlite import runtime
from tangentlite.native.library.joints import _is_array, _widths
from tangentlite.native.library.perhaps import overload
from tangentlite.native.library.reductions import made_of, nest

EMPTY = "can't extend an empty axis"


@register_jitable
def _edge(i, n):
    return min(max(i, 0), n - 1)


@register_jitable
def _wrap(i, n):
    return i % n


@register_jitable
def _reflect(i, n):
    i %= max(2 * n - 2, 1)
    return i if i < n else 2 * n - 2 - i


@register_jitable
def _symmetric(i, n):
    i %= 2 * n
    return i if i < n else 2 * n - 1 - i


MODES = {"edge": _edge, "wrap": _wrap, "reflect": _reflect, "symmetric": _symmetric}


def _walked(array, x, widths, statement):
    """Loops over a padded array, with the element of ``x`` that stands at each place."""
    checks = " or ".join(f"{w} < 0" for pair in widths for w in pair)
    lines = [f"if {checks}:", '    raise ValueError("index can\'t contain negative values")']
    lines += [f"if {x}.size == 0:", "    raise ValueError(EMPTY)"]
    place = ", ".join(f"source(i{k} - {m}, {x}.shape[{k}])" for k, (m, _) in enumerate(widths))
    here = ", ".join(f"i{k}" for k in range(len(widths)))
    return lines, nest(len(widths), [statement.format(here=here, place=place)], array)


def _mode(mode):
    return MODES.get(getattr(mode, "literal_value", None))


@overload(np.pad, prefer_literal=True)
def pad(array, pad_width, mode):
    """With its edges, or with itself."""
    widths, source = _widths(pad_width, getattr(array, "ndim", 0)), _mode(mode)
    if widths is None or source is None:
        return None
    checks, loops = _walked("r", "array", widths, "r[{here}] = array[{place}]")
    sizes = [f"array.shape[{k}] + {m} + {n}" for k, (m, n) in enumerate(widths)]
    made = f"r = np.empty(({', '.join(sizes)},), array.dtype)"
    lines = [*checks, made, *loops, "return r"]
    return made_of("array, pad_width, mode", lines, source=source, EMPTY=EMPTY)


@overload(runtime.unpadded, prefer_literal=True)
def unpadded(b, x, pad_width, mode):
    widths, source = _widths(pad_width, getattr(x, "ndim", 0)), _mode(mode)
    if widths is None or source is None or not _is_array(b) or b.ndim != x.ndim:
        return None
    checks, loops = _walked("b", "x", widths, "r[{place}] += b[{here}]")
    lines = [*checks, "r = np.zeros(x.shape, b.dtype)", *loops, "return r"]
    return made_of("b, x, pad_width, mode", lines, source=source, EMPTY=EMPTY)
