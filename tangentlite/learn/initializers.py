"""Where weights begin: functions of a shape and a generator of random numbers.

In: a shape, the inputs first and the outputs last; what is between belongs to each input.
Out: an array.
Next: layers.

>>> rng = np.random.default_rng(0)
>>> round(float(np.std(he((400, 100), rng))), 3), round(float(np.sqrt(2 / 400)), 3)
(0.071, 0.071)
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

Initializer = Callable[[tuple[int, ...], np.random.Generator], Any]


def fans(shape: tuple[int, ...]) -> tuple[int, int]:
    """Give how many numbers each output is made of, and into how many each input goes.

    >>> fans((20, 5)), fans((3, 3, 4, 8))
    ((20, 5), (36, 72))
    """
    if len(shape) < 2:
        return shape[0], shape[0]
    window = math.prod(shape[:-2])
    return window * shape[-2], window * shape[-1]


def xavier(shape: tuple[int, ...], rng: np.random.Generator) -> Any:
    """Normal, with variance ``2 / (inputs + outputs)``: for tanh and logistic layers."""
    return rng.normal(0.0, math.sqrt(2.0 / sum(fans(shape))), shape)


def xavier_uniform(shape: tuple[int, ...], rng: np.random.Generator) -> Any:
    """Uniform, with the same variance."""
    end = math.sqrt(6.0 / sum(fans(shape)))
    return rng.uniform(-end, end, shape)


def he(shape: tuple[int, ...], rng: np.random.Generator) -> Any:
    """Normal, with variance ``2 / inputs``: for ReLU layers."""
    return rng.normal(0.0, math.sqrt(2.0 / fans(shape)[0]), shape)


def he_uniform(shape: tuple[int, ...], rng: np.random.Generator) -> Any:
    """Uniform, with the same variance."""
    end = math.sqrt(6.0 / fans(shape)[0])
    return rng.uniform(-end, end, shape)


def lecun(shape: tuple[int, ...], rng: np.random.Generator) -> Any:
    """Normal, with variance ``1 / inputs``."""
    return rng.normal(0.0, math.sqrt(1.0 / fans(shape)[0]), shape)


def orthogonal(shape: tuple[int, ...], rng: np.random.Generator) -> Any:
    """Columns (or rows, if these are fewer) of length one, at right angles: for recurrent layers."""
    rows, columns = math.prod(shape[:-1]), shape[-1]
    q, r = np.linalg.qr(rng.normal(size=(max(rows, columns), min(rows, columns))))
    q = q * np.sign(np.diag(r))
    return (q if rows >= columns else q.T).reshape(shape)


def normal(deviation: float = 0.01) -> Initializer:
    """Normal, with a standard deviation of your own."""
    return lambda shape, rng: rng.normal(0.0, deviation, shape)


def constant(value: float = 0.0) -> Initializer:
    """All the same."""
    return lambda shape, rng: np.full(shape, value)
