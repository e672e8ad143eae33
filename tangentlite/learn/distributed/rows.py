"""Data that is split by rows, each part with a worker.

In: arrays of one length.
Out: ``Rows``, which are counted and chosen as an array is, so that mini-batches can be drawn from them.
Next: spread.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np


class Rows:
    """``parts``: futures of tuples of arrays; ``sizes``: their rows. ``sample``: the first row; it tells the kinds."""

    def __init__(
        self,
        parts: list[Any],
        sizes: list[int],
        sample: tuple[Any, ...],
        chosen: Any = None,
    ) -> None:
        self.parts, self.sizes, self.sample, self.chosen = parts, sizes, sample, chosen

    def __len__(self) -> int:
        return sum(self.sizes) if self.chosen is None else len(self.chosen)

    def __getitem__(self, key: Any) -> Rows:
        rows = np.arange(sum(self.sizes)) if self.chosen is None else self.chosen
        return Rows(self.parts, self.sizes, self.sample, np.atleast_1d(rows[key]))

    def divided(self) -> list[tuple[Any, Any, int]]:
        """Give the parts that have a share: the future, which of its rows (None: all), and how many."""
        ends = np.cumsum(self.sizes)
        if self.chosen is None:
            found = [(part, None, size) for part, size in zip(self.parts, self.sizes)]
        else:
            owner = np.searchsorted(ends, self.chosen, side="right")
            own = [self.chosen[owner == k] - (ends[k] - size) for k, size in enumerate(self.sizes)]
            found = [(part, rows, len(rows)) for part, rows in zip(self.parts, own)]
        return [one for one in found if one[2]]


def sizes_of(count: int, parts: int | Sequence[int]) -> list[int]:
    """Give the rows of each part: as equal as may be, or those that are asked for.

    >>> sizes_of(10, 3), sizes_of(10, [7, 3]), sizes_of(2, 4)
    ([4, 3, 3], [7, 3], [1, 1])
    """
    if isinstance(parts, int):
        return [
            size for size in (count // parts + (k < count % parts) for k in range(parts)) if size
        ]
    sizes = [int(size) for size in parts]
    if sum(sizes) != count or min(sizes) < 0:
        raise ValueError(f"parts of {sizes} rows, of {count} rows in all")
    return sizes


def cut(arrays: tuple[Any, ...], sizes: list[int]) -> list[tuple[Any, ...]]:
    """Give the parts.

    >>> cut((np.arange(3), np.ones(3)), [2, 1])
    [(array([0, 1]), array([1., 1.])), (array([2]), array([1.]))]
    """
    ends = np.cumsum(sizes)
    return [tuple(a[end - size : end] for a in arrays) for size, end in zip(sizes, ends)]


def kept_rows(*arrays: Any) -> tuple[Any, ...]:
    """Run by a worker: a part of the data."""
    return arrays


def taken(part: tuple[Any, ...], rows: Any) -> tuple[Any, ...]:
    """Give some rows of a part."""
    return part if rows is None else tuple(array[rows] for array in part)
