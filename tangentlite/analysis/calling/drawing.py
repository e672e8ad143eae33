"""Calls that draw from what a derivative flows through, or for it.

In: the owner of a method, and the kinds of its arguments.
Out: whether it draws, and the stand-in that draws places, or for fixed parameters.
Next: functions.
"""

from __future__ import annotations

import inspect
import random
import sys
from collections.abc import Sequence
from typing import Any

import gast

from tangentlite.analysis.kinds import CHANCE, Kind, List, Num, Tuple, floating
from tangentlite.standins.drawing import ARRAYS, LISTS, NAMES


def draws(owner: Kind, value: Any) -> bool:
    """Whether methods of a value draw random numbers. Nobody draws from a module that is not imported."""
    return value is random or value is sys.modules.get("numpy.random", random) or owner == CHANCE


def standin(value: Any, method: str, given: Sequence[tuple[str | None, gast.expr, Kind]]) -> Any:
    """What is called instead of ``rng.permutation(x)``, ``random.choice(items)``, ``rng.normal(mu, sigma, 5)``."""
    if method in NAMES and any(_moves(NAMES[method], *one) for one in enumerate(given)):
        return NAMES[method]
    first = given[0][2] if given else None
    if first is None or not floating(first):
        return None
    if value is random:
        return LISTS.get(method) if isinstance(first, List | Tuple) else None
    return ARRAYS.get(method) if _is_array(first) else None


def _moves(function: Any, place: int, given: tuple[str | None, gast.expr, Kind]) -> bool:
    """Whether an argument is a parameter that is not written out."""
    name, value, kind = given
    parameters = list(inspect.signature(function).parameters)[1:]
    name = name or (parameters[place] if place < len(parameters) else "size")
    return name != "size" and isinstance(value, gast.Name) and floating(kind)


def _is_array(kind: Kind) -> bool:
    """An array, or a list of numbers that NumPy takes for one."""
    match kind:
        case Num(scalar=scalar):
            return not scalar
        case List(item=item):
            return isinstance(item, Num)
        case Tuple(items=items):
            return bool(items) and all(isinstance(item, Num) for item in items)
    return False
