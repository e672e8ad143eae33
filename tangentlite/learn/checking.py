"""The gradient of a whole model against central differences, parameter by parameter.

In: a model, and some data.
Out: the largest differences by name; ``tl.GradientMismatchError`` where the derivative is wrong.
Next: nothing; see ``examples``.

>>> from tangentlite.learn.models import Model
>>> class Line(Model):
...     def __init__(self):
...         self.w = np.ones(2)
...     def forward(self, x):
...         return np.tanh(x @ self.w)
>>> found = check_model(Line(), np.ones((3, 2)), np.zeros(3))
>>> list(found), found["w"].relative < 1e-6
(['w'], True)
"""

from __future__ import annotations

import copy
import inspect
from typing import Any, NamedTuple

import numpy as np

import tangentlite as tl


class Apart(NamedTuple):
    """The largest differences of a parameter's gradient, and how many of its numbers were moved."""

    absolute: float
    relative: float
    compared: int


def check_model(model: Any, x: Any, y: Any, limit: int = 20, seed: int = 0) -> dict[str, Apart]:
    """Check by ``tl.check_grads``, which names the statement that is wrong; then tell how far each parameter is off.

    ``limit``: how many numbers of a parameter are moved, chosen by ``seed``. Nothing of the model changes.
    """
    loss = type(model).loss
    first = next(iter(inspect.signature(loss).parameters))
    tl.check_grads(loss, (model, x, y), modes="reverse", order=1, wrt=first, seed=seed)
    gradients, _ = copy.deepcopy(model).get_grad(x, y)
    rng = np.random.default_rng(seed)
    return {name: _apart(model, name, g, x, y, limit, rng) for name, g in gradients.items()}


def _apart(model: Any, name: str, gradient: Any, x: Any, y: Any, limit: int, rng: Any) -> Apart:
    value = np.array(model.get_param(name))
    step = 1e-6 if value.dtype == np.float64 else 1e-3
    chosen = rng.permutation(value.size)[:limit]
    found = np.ravel(gradient)[chosen]
    expected = np.array([_slope(model, name, value, k, step, x, y) for k in chosen])
    off = np.abs(found - expected)
    size = np.maximum(np.abs(found), np.abs(expected))
    relative = np.divide(off, size, out=np.zeros_like(off), where=size > 1e-8)
    return Apart(float(np.max(off, initial=0.0)), float(np.max(relative, initial=0.0)), len(chosen))


def _slope(model: Any, name: str, value: Any, k: int, step: float, x: Any, y: Any) -> float:
    """A central difference; each loss is that of a fresh copy, which draws the same random numbers."""
    losses = []
    for sign in (1.0, -1.0):
        moved, other = value.copy(), copy.deepcopy(model)
        moved.flat[k] += sign * step
        other.set_param(name, moved if moved.ndim else moved[()])
        losses.append(float(other.loss(x, y)))
    return (losses[0] - losses[1]) / (2.0 * step)
