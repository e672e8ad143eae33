"""Training: mini-batches, shuffled by a seed; history; early stopping; a saved state to go on from.

In: ``loss(parameters, x, y)``, the parameters, the data.
Out: the parameters, and a ``History``.
Next: models.

>>> def loss(p, x, y):
...     return np.mean((x @ p["w"] + p["b"] - y) ** 2)
>>> x = np.random.default_rng(0).normal(size=(64, 2))
>>> y = x @ np.array([1.0, -2.0]) + 0.5
>>> start = {"w": np.zeros(2), "b": 0.0}
>>> found, history = train(loss, start, (x, y), Adam(0.05), epochs=60, batch=16)
>>> found["w"].round(2), round(found["b"], 2), len(history.losses)
(array([ 1., -2.]), 0.5, 60)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from tangentlite.learn.nests import named, objects
from tangentlite.learn.optimizers import Adam, Optimizer
from tangentlite.learn.saving import restored, saved
from tangentlite.learn.searches import gradient_of
from tangentlite.progress import Progress

__all__ = ["Adam", "EarlyStopping", "History", "batches", "train"]


class History:
    """``losses``: the mean loss of each epoch; ``validation``: that of other data, if there are some.

    ``parameters``: copies of all parameters by name after each epoch, if they are to be kept.
    """

    def __init__(self, keep_parameters: bool = False) -> None:
        self.losses: list[float] = []
        self.validation: list[float] = []
        self.parameters: list[dict[str, Any]] = []
        self.keep_parameters = keep_parameters

    def note(self, loss: float, other: float | None, parameters: Any) -> None:
        """Note the end of an epoch."""
        self.losses.append(loss)
        if other is not None:
            self.validation.append(other)
        if self.keep_parameters:
            self.parameters.append({n: np.copy(v) for n, v in named(parameters).items()})


class EarlyStopping:
    """Stop when the loss has not got better by ``least`` within ``patience`` epochs.

    >>> stopping = EarlyStopping(patience=2)
    >>> [stopping(loss) for loss in (3.0, 2.0, 2.5, 2.1, 1.0)]
    [False, False, False, True, False]
    """

    def __init__(self, patience: int = 10, least: float = 0.0) -> None:
        self.patience, self.least = patience, least
        self.best, self.waited = math.inf, 0

    def __call__(self, loss: float) -> bool:
        """Say whether to stop, after an epoch."""
        better = loss < self.best - self.least
        self.best, self.waited = (loss, 0) if better else (self.best, self.waited + 1)
        return self.done

    @property
    def done(self) -> bool:
        """Whether it has waited long enough."""
        return self.waited >= self.patience


def batches(data: tuple[Any, ...], size: int | None, seed: int, epoch: int) -> Iterator[Any]:
    """Give the data of an epoch in parts, shuffled: the same seed and epoch give the same parts.

    >>> [x.tolist() for (x,) in batches((np.arange(5),), 2, seed=0, epoch=0)]
    [[2, 4], [3, 0], [1]]
    """
    data = tuple(np.asarray(part) if isinstance(part, list | tuple) else part for part in data)
    if size is None:
        yield data
        return
    if size < 1:
        raise ValueError(f"a batch of {size} rows")
    count, *others = map(len, data)
    if any(other != count for other in others):
        raise ValueError(f"data of {count} rows and of {others[0]} rows")
    order = np.random.default_rng([seed, epoch]).permutation(count)
    for begin in range(0, count, size):
        rows = order[begin : begin + size]
        yield tuple(part[rows] for part in data)


def train(
    loss: Callable[..., Any],
    parameters: Any,
    data: tuple[Any, ...],
    optimizer: Optimizer,
    *,
    epochs: int,
    batch: int | None = None,
    seed: int = 0,
    validation: tuple[Any, ...] | None = None,
    stopping: EarlyStopping | None = None,
    keep_parameters: bool = False,
    path: str | Path | None = None,
    progress: bool = False,
) -> tuple[Any, History]:
    """Make that many passes over the data, and give the parameters and what became of the loss.

    ``batch``: rows per step, else all. ``validation``: other data, on which the loss is watched; ``stopping`` is
    asked about it. ``path``: an npz file with the state after each epoch; if it is there, training goes on from it.
    """
    derivative, history = gradient_of(loss), History(keep_parameters)
    if path is not None:
        parameters = restored(path, parameters, optimizer, history, stopping)
    with Progress("training") as shown:
        for epoch in range(len(history.losses), epochs):
            if stopping is not None and stopping.done:
                break
            parts = batches(data, batch, seed, epoch)
            parameters, total = _pass(derivative, parameters, parts, optimizer)
            other = None if validation is None else _judged(loss, parameters, validation)
            history.note(total, other, parameters)
            if stopping is not None:
                stopping(total if other is None else other)
            if path is not None:
                saved(path, parameters, optimizer, history, stopping)
            if progress:
                shown(_bar(epoch + 1, epochs, total if other is None else other))
    return parameters, history


def _bar(done: int, epochs: int, loss: float) -> str:
    """
    >>> _bar(5, 20, 0.125)
    '[#####               ] 5/20, loss 0.125'
    """
    return f"[{'#' * (20 * done // epochs):20}] {done}/{epochs}, loss {loss:.4g}"


def _pass(
    derivative: Any, parameters: Any, parts: Iterator[Any], optimizer: Optimizer
) -> tuple[Any, float]:
    """One pass over the data; the mean of the losses, by rows."""
    total, rows = 0.0, 0
    for part in parts:
        value, gradient = derivative(parameters, *part)
        parameters = optimizer.step(parameters, gradient, float(value))
        total += float(value) * len(part[0])
        rows += len(part[0])
    return parameters, total / max(rows, 1)


def _judged(loss: Callable[..., Any], parameters: Any, data: tuple[Any, ...]) -> float:
    """The loss of other data, with layers that behave as they do after training."""
    learning = [o for o in objects(parameters) if getattr(o, "training", False) is True]
    for one in learning:
        one.training = False
    try:
        return float(loss(parameters, *data))
    finally:
        for one in learning:
            one.training = True
