"""The gradient of a mean or a sum over rows, each part of which is computed where its rows are.

In: a loss ``f(parameters, *rows)``.
Out: ``Spread``: for a mean, (sum of |X_i| times the gradient at X_i) / (sum of |X_i|).
Next: stages.
"""

from __future__ import annotations

import copy
import functools
import operator
from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np

from tangentlite.learn.distributed.programs import Program, Unchanged, received
from tangentlite.learn.distributed.rows import Rows, taken
from tangentlite.learn.searches import gradient_of
from tangentlite.runtime.containers.objects import attributes, is_object

How = Literal["mean", "sum"]


class Spread:
    """A loss that is a ``mean`` or a ``sum`` over rows, computed by workers; see ``Workers.spread``."""

    def __init__(self, workers: Any, loss: Callable[..., Any], how: How = "mean") -> None:
        if how not in ("mean", "sum"):
            raise ValueError(f"{how!r} is neither 'mean' nor 'sum'")
        self.workers, self.loss, self.how = workers, loss, how
        self.derivative = gradient_of(loss)
        self.program = Program(self.derivative)

    def __call__(self, parameters: Any, *data: Any) -> Any:
        """Give the loss; that of rows which no worker holds is computed here."""
        if data and isinstance(data[0], Rows):
            return self.value_and_grad(parameters, *data)[0]
        return self.loss(parameters, *data)

    def value_and_grad(self, parameters: Any, *data: Any) -> tuple[Any, Any]:
        """Give the loss and its gradient; ``data``: ``Rows``, and what every worker gets as it is; or arrays."""
        if not (data and isinstance(data[0], Rows)):
            data = (self.workers.hold(*data),)
        rows, rest = data[0], data[1:]
        shares = rows.divided()
        if not shares:
            raise ValueError("there are no rows")
        self.derivative.prepare(parameters, *rows.sample, *rest)
        state = self.program.state(parameters, *rest)
        text = self.workers.kept(self.program.text())
        given = self.workers.sent(state)
        found = self.workers.gathered(
            [self.workers.asked(slope, text, given, part, chosen) for part, chosen, _ in shares]
        )
        total = sum(count for _, _, count in shares)
        weights = [count / total if self.how == "mean" else 1.0 for _, _, count in shares]
        values, gradients = zip(*found)
        return combined(values, weights), combined(gradients, weights)


def slope(text: bytes, state: bytes, part: tuple[Any, ...], rows: Any) -> tuple[Any, Any]:
    """Run by a worker: loss and gradient of some rows of a part."""
    derivative, (parameters, *rest) = received(text, state)
    with Unchanged(parameters):
        value, gradient = derivative(parameters, *taken(part, rows), *rest)
    return value, gradient


def combined(nests: Sequence[Any], weights: Sequence[float]) -> Any:
    """Give the weighted sum of nests of one shape.

    >>> combined([{"w": np.ones(2), "n": None}, {"w": np.array([3.0, 5.0]), "n": None}], [0.5, 0.5])
    {'w': array([2., 3.]), 'n': None}
    """
    return _combined(nests, weights, {})


def _combined(nests: Any, weights: Sequence[float], made: dict[Any, Any]) -> Any:
    first, key = nests[0], tuple(map(id, nests))
    if key in made:
        return made[key]
    if isinstance(first, dict):
        new: Any = type(first)()
        made[key] = new
        new.update({k: _combined([n[k] for n in nests], weights, made) for k in first})
    elif isinstance(first, list | tuple):
        parts = [_combined(part, weights, made) for part in zip(*nests, strict=True)]
        new = type(first)(*parts) if hasattr(first, "_fields") else type(first)(parts)
    elif isinstance(first, float | complex | np.generic | np.ndarray):
        new = functools.reduce(operator.add, map(operator.mul, nests, weights))
    elif is_object(first):
        new = made[key] = copy.copy(first)
        for name in attributes(first):
            part = _combined([getattr(n, name) for n in nests], weights, made)
            object.__setattr__(new, name, part)
    elif first is None:
        return None
    else:
        raise TypeError(f"gradients that hold a {type(first).__name__} cannot be added")
    made[key] = new
    return new
