"""Draws from arrays and lists: of places, which are whole numbers. Draws for parameters: for fixed ones, then scaled.

In: a generator of random numbers, or a module that has one, and what is drawn from or for.
Out: plain functions that draw the same, with the same numbers.
Next: table.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np


def permutation(rng: Any, x: Any) -> Any:
    """The rows of an array in another order; of a number, those below it."""
    if np.ndim(x) == 0:
        return rng.permutation(int(x))
    return np.asarray(x)[rng.permutation(len(x))]


def choice(rng: Any, a: Any, size: Any = None, replace: bool = True, p: Any = None) -> Any:
    """Elements of an array; of a number, those below it."""
    if np.ndim(a) == 0:
        return rng.choice(int(a), size, replace, p)
    return np.asarray(a)[rng.choice(len(a), size, replace, p)]


def one_of(rng: Any, items: Sequence[Any]) -> Any:
    """What ``random.choice`` chooses."""
    return items[rng.randrange(len(items))]


def several_of(rng: Any, items: Sequence[Any], k: int) -> list[Any]:
    """What ``random.sample`` draws."""
    return [items[place] for place in rng.sample(range(len(items)), k)]


def normal(rng: Any, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
    """``loc + scale * z``, where z is drawn."""
    if np.any(np.asarray(scale) < 0.0):
        raise ValueError("scale < 0")
    shape = (np.shape(loc + scale) or None) if size is None else size
    return loc + scale * rng.normal(0.0, 1.0, shape)


def laplace(rng: Any, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
    """``loc + scale * z``, where z is drawn."""
    if np.any(np.asarray(scale) < 0.0):
        raise ValueError("scale < 0")
    shape = (np.shape(loc + scale) or None) if size is None else size
    return loc + scale * rng.laplace(0.0, 1.0, shape)


def logistic(rng: Any, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
    """``loc + scale * z``, where z is drawn."""
    if np.any(np.asarray(scale) < 0.0):
        raise ValueError("scale < 0")
    shape = (np.shape(loc + scale) or None) if size is None else size
    return loc + scale * rng.logistic(0.0, 1.0, shape)


def gumbel(rng: Any, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
    """``loc + scale * z``, where z is drawn."""
    if np.any(np.asarray(scale) < 0.0):
        raise ValueError("scale < 0")
    shape = (np.shape(loc + scale) or None) if size is None else size
    return loc + scale * rng.gumbel(0.0, 1.0, shape)


def lognormal(rng: Any, mean: Any = 0.0, sigma: Any = 1.0, size: Any = None) -> Any:
    """The exponential of what is normal."""
    if np.any(np.asarray(sigma) < 0.0):
        raise ValueError("sigma < 0")
    shape = (np.shape(mean + sigma) or None) if size is None else size
    return np.exp(mean + sigma * rng.normal(0.0, 1.0, shape))


def exponential(rng: Any, scale: Any = 1.0, size: Any = None) -> Any:
    """``scale * z``, where z is drawn."""
    if np.any(np.asarray(scale) < 0.0):
        raise ValueError("scale < 0")
    shape = (np.shape(scale) or None) if size is None else size
    return scale * rng.exponential(1.0, shape)


def uniform(rng: Any, low: Any = 0.0, high: Any = 1.0, size: Any = None) -> Any:
    """``low + (high - low) * z``, where z is drawn."""
    width = high - low
    shape = np.shape(width) if size is None else size
    return low + width * (rng.uniform(0.0, 1.0) if shape == () else rng.uniform(0.0, 1.0, shape))


def gauss(rng: Any, mu: Any = 0.0, sigma: Any = 1.0) -> Any:
    """``mu + sigma * z``, where z is drawn."""
    return mu + sigma * rng.gauss(0.0, 1.0)


def normalvariate(rng: Any, mu: Any = 0.0, sigma: Any = 1.0) -> Any:
    """``mu + sigma * z``, where z is drawn."""
    return mu + sigma * rng.normalvariate(0.0, 1.0)


def lognormvariate(rng: Any, mu: Any = 0.0, sigma: Any = 1.0) -> Any:
    """The exponential of what is normal."""
    return math.exp(mu + sigma * rng.normalvariate(0.0, 1.0))


def expovariate(rng: Any, lambd: Any = 1.0) -> Any:
    """``z / lambd``, where z is drawn."""
    return rng.expovariate(1.0) / lambd


ARRAYS = {"permutation": permutation, "choice": choice}
LISTS = {"choice": one_of, "sample": several_of}
NUMPY = normal, laplace, logistic, gumbel, lognormal, exponential, uniform
PYTHON = gauss, normalvariate, lognormvariate, expovariate
NAMES: dict[str, Any] = {f.__name__: f for f in (*NUMPY, *PYTHON)}
