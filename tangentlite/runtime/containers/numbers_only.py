"""Lists that hold numbers only, as tapes often do: nobody can write into what is in them.

In: lists.
Out: whether they do.
Next: private.
"""

from __future__ import annotations

from itertools import chain
from typing import Any

import numpy as np

NUMBERS = frozenset({float, int, bool, complex, str, type(None), np.float64, np.float32})


def only_numbers(values: list[Any]) -> bool:
    """Whether a list holds nothing but numbers and texts, or tuples of them.

    >>> only_numbers([(1.0, np.float64(2.0)), (3.0, None)]), only_numbers([np.ones(2)])
    (True, False)
    """
    kinds = set(map(type, values))
    if kinds == {tuple}:
        kinds = set(map(type, chain.from_iterable(values)))
    return kinds <= NUMBERS
