"""What a picture says of a value: its shape, and the value itself where it is small.

In: values as a run meets them.
Out: ``Told``, which later changes of an array do not change; lines of text.
Next: running.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tangentlite.runtime import ZERO
from tangentlite.values import immutable

ROWS, COLUMNS, LONGEST = 4, 5, 30


@immutable
class Told:
    """``shape`` is empty for what is no array; ``floating``: whether it has a gradient of its shape."""

    shape: str
    lines: tuple[str, ...]
    floating: bool = False


def tell(value: Any) -> Told:
    """What is said of a value.

    >>> tell(np.array([[1.0, 2.5], [3.0, 4.0]]))
    Told(shape='(2, 2)', lines=('1  2.5', '3    4'), floating=True)
    >>> tell(2.0).lines, tell(np.zeros(1000)).lines
    (('2',), ('0 … 0',))
    """
    if value is ZERO:
        return Told("", ("0",))
    if isinstance(value, np.ndarray) and value.ndim:
        floating = value.dtype.kind == "f" and value.size > 0
        return Told(str(value.shape), _array(value), floating)
    if isinstance(value, (bool, np.bool_)):
        return Told("", (str(bool(value)),))
    if isinstance(value, str) or value is None:
        return Told("", (_cut(repr(value)),))
    if isinstance(value, (int, float, complex, np.number, np.ndarray)):
        floating = isinstance(value, float) or getattr(value, "dtype", np.dtype(int)).kind == "f"
        return Told("", (number(value),), floating)
    if isinstance(value, (list, tuple, dict)):
        return Told("", (f"{type(value).__name__} of {len(value)}",))
    return Told("", (_cut(type(value).__name__),))


def number(value: Any) -> str:
    """A number in few digits."""
    try:
        return f"{complex(value):.4g}" if np.iscomplexobj(value) else f"{float(value):.4g}"
    except OverflowError:
        return _cut(str(value))
    except (TypeError, ValueError):
        return _cut(repr(value))


def _array(value: np.ndarray) -> tuple[str, ...]:
    """The rows of a small array, else the least and the largest element."""
    if value.dtype.kind not in "fiucb" or not value.size:
        return (f"{value.dtype}",)
    if value.ndim <= 2:
        rows = value.reshape(-1, value.shape[-1])
        if len(rows) <= ROWS and rows.shape[1] <= COLUMNS:
            return _table([[number(e) for e in row] for row in rows])
    if value.dtype.kind == "c":
        return ("complex",)
    return (f"{number(value.min())} … {number(value.max())}",)


def _table(rows: list[list[str]]) -> tuple[str, ...]:
    widths = [max(map(len, column)) for column in zip(*rows)]
    return tuple("  ".join(e.rjust(w) for e, w in zip(row, widths)) for row in rows)


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
