"""Where slices begin and end: compiled into kernels.

In: the parts of a slice, the length of an axis.
Out: the first index, and how many there are.
Next: kernel.
"""

from __future__ import annotations

from typing import Any


def span(lower: Any, upper: Any, step: int, length: int) -> tuple[int, int]:
    """The first index and the number of indices of ``lower:upper:step``.

    >>> [span(None, None, -1, 5), span(-3, None, 1, 5), span(7, 9, 1, 5), span(1, 5, 3, 5)]
    [(4, 5), (2, 3), (5, 0), (1, 2)]
    """
    least, most = (0, length) if step > 0 else (-1, length - 1)
    if lower is None:
        start = least if step > 0 else most
    else:
        start = lower + length if lower < 0 else lower
        start = min(max(start, least), most)
    if upper is None:
        stop = most if step > 0 else least
    else:
        stop = upper + length if upper < 0 else upper
        stop = min(max(stop, least), most)
    if step > 0:
        return start, max((stop - start + step - 1) // step, 0)
    return start, max((start - stop - step - 1) // -step, 0)
