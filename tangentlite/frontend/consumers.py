"""What takes all that an iterable gives, at once: there a generator is as good as a list.

In: a call.
Out: whether generators, ``map`` and the like may stand among its arguments, and whether lambdas may.
Next: check.
"""

from __future__ import annotations

import functools
import itertools
import math
import statistics
from functools import cache
from typing import Any

import gast
import numpy as np

from tangentlite import syntax

VIEWS = ("items", "values", "keys")
LAZY: tuple[Any, ...] = (map, filter, zip, enumerate, reversed)
LAZY += (itertools.chain, itertools.product, itertools.pairwise, itertools.islice)
LAZY += (itertools.chain.from_iterable, itertools.starmap, itertools.filterfalse)
LAZY += (itertools.compress, itertools.repeat, itertools.zip_longest, itertools.takewhile)
LAZY += (itertools.dropwhile, itertools.accumulate, itertools.cycle, itertools.groupby)
LAZY += (itertools.permutations, itertools.combinations, itertools.combinations_with_replacement)
LEFT = "<left>"  # what is left of an iterator: no name of anybody's
CONSUMERS: tuple[Any, ...] = (
    sum,
    min,
    max,
    any,
    all,
    next,
    list,
    tuple,
    set,
    frozenset,
    dict,
    sorted,
)
CONSUMERS += (math.fsum, math.prod, math.dist, functools.reduce, dict.fromkeys, *LAZY)
CONSUMERS += (itertools.tee, np.fromiter, statistics.mean, statistics.fmean, statistics.median)
CONSUMERS += (statistics.median_low, statistics.median_high, statistics.geometric_mean)
CONSUMERS += (statistics.harmonic_mean, statistics.variance, statistics.pvariance)
CONSUMERS += (statistics.stdev, statistics.pstdev)
METHOD = type(dict.fromkeys)
METHODS = ("join", "extend", "update")
CALLING: tuple[Any, ...] = (map, filter, sorted, min, max, functools.reduce)
CALLING += (itertools.starmap, itertools.filterfalse)


def consumes(func: gast.expr, meaning: Any) -> bool:
    """Whether a call of ``func``, which means ``meaning``, asks for all elements of its arguments."""
    if isinstance(func, gast.Attribute) and meaning is None:
        return func.attr in METHODS
    return is_one(meaning, CONSUMERS)


def is_one(meaning: Any, known: tuple[Any, ...]) -> bool:
    """Whether an object is one of those in a table: arrays and the like are asked for no equality."""
    if type(meaning) is METHOD:  # ``dict.fromkeys`` is another object each time it is read
        return any(type(one) is METHOD and meaning == one for one in known)
    return id(meaning) in _identities(known)


@cache
def _identities(known: tuple[Any, ...]) -> frozenset[int]:
    return frozenset(map(id, known))


def vouched(node: gast.Call, meaning: Any) -> list[gast.expr]:
    """The generators and lambdas among the arguments of a call that are at home there."""
    found: list[gast.expr] = []
    given = [*node.args, *(k.value for k in node.keywords)]
    if consumes(node.func, meaning):
        found += [a for a in given if isinstance(a, gast.GeneratorExp)]
    sorts = isinstance(node.func, gast.Attribute) and node.func.attr == "sort" and meaning is None
    if sorts or is_one(meaning, CALLING):
        found += [a for a in given if isinstance(a, gast.Lambda) and is_plain(a)]
    return found


def is_plain(node: gast.Lambda) -> bool:
    """Whether the body of a lambda can stand where it is called: parameters by position, nothing bound."""
    args = node.args
    special = args.vararg or args.kwarg or args.kwonlyargs or args.defaults
    return not special and not any(isinstance(n, gast.NamedExpr) for n in syntax.walk(node.body))


def grown(data: gast.expr) -> bool:
    """Whether a loop walks over a list by its name, so that it may grow meanwhile."""
    match data:
        case gast.Name():
            return True
        case gast.Call(func=gast.Name(id="enumerate"), args=[gast.Name()], keywords=[]):
            return True
    return False


def names_walked(data: gast.expr) -> set[str]:
    """The names whose own elements a loop takes, not those of something in them, nor of a copy.

    >>> sorted(names_walked(syntax.expression("zip(a, b['x'], list(c), d.items())")))
    ['a', 'd']
    """
    match data:
        case gast.Name(id=name):
            return {name}
        case gast.Call(func=gast.Attribute(value=gast.Name(id=name), attr=attr), args=[]):
            return {name} if attr in VIEWS else set()
        case gast.Call(func=gast.Name(id="zip" | "enumerate" | "reversed" | "iter"), args=args):
            return {name for arg in args for name in names_walked(arg)}
    return set()
