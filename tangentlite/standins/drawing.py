"""Draws from arrays and lists: of places, which are whole numbers, and then of what stands there.

In: a generator of random numbers, or a module that has one, and what is drawn from.
Out: plain functions that draw the same, with the same numbers.
Next: table.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np


def permutation(rng: Any, x: Any) -> Any:
    """The rows of an array in another order; of a number, those below it."""
    if np.ndim(x) == 0:
        return rng.permutation(int(x))
    return x[rng.permutation(len(x))]


def choice(rng: Any, a: Any, size: Any = None, replace: bool = True, p: Any = None) -> Any:
    """Elements of an array; of a number, those below it."""
    if np.ndim(a) == 0:
        return rng.choice(int(a), size, replace, p)
    return a[rng.choice(len(a), size, replace, p)]


def one_of(rng: Any, items: Sequence[Any]) -> Any:
    """What ``random.choice`` chooses."""
    return items[rng.randrange(len(items))]


def several_of(rng: Any, items: Sequence[Any], k: int) -> list[Any]:
    """What ``random.sample`` draws."""
    return [items[place] for place in rng.sample(range(len(items)), k)]


ARRAYS = {"permutation": permutation, "choice": choice}
LISTS = {"choice": one_of, "sample": several_of}
