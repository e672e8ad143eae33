"""Calls that draw from what a derivative flows through.

In: the owner of a method, and the kind of its first argument.
Out: the stand-in that draws places instead.
Next: functions.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from tangentlite.analysis.kinds import CHANCE, Kind, List, Num, Tuple, floating
from tangentlite.standins.drawing import ARRAYS, LISTS


def standin(owner: Kind, value: Any, method: str, given: list[Kind]) -> Any:
    """What is called instead of ``rng.permutation(x)``, ``np.random.choice(x)``, ``random.choice(items)``."""
    if not given or not floating(given[0]):
        return None
    if value is random:
        return LISTS.get(method) if isinstance(given[0], List | Tuple) else None
    arrays = isinstance(given[0], Num) and not given[0].scalar
    return ARRAYS.get(method) if arrays and (value is np.random or owner == CHANCE) else None
