"""Minimizing a function of parameters as a whole: step by step, or by SciPy's L-BFGS.

In: ``f(parameters, *args)``, which gives a number.
Out: the parameters, and the losses on the way.
Next: training.

>>> def f(p, target):
...     return np.sum((p["w"] - target) ** 2)
>>> from tangentlite.learn.optimizers import Momentum
>>> found, losses = minimize(f, {"w": np.zeros(2)}, 3.0, optimizer=Momentum(0.05), steps=200)
>>> found["w"].round(3), len(losses)
(array([3., 3.]), 200)
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

import tangentlite as tl
from tangentlite.learn.nests import as_was, named, pairs, replaced
from tangentlite.learn.optimizers import NOTHING, Optimizer


def gradient_of(f: Callable[..., Any]) -> Any:
    """Give ``(value, gradient)`` of a function in its first parameter, ``self`` too; or what it has for that itself."""
    own = getattr(f, "value_and_grad", None)
    if own is not None:
        return own
    return tl.value_and_grad(f, wrt=next(iter(inspect.signature(f).parameters)))


def minimize(
    f: Callable[..., Any],
    parameters: Any,
    *args: Any,
    optimizer: Optimizer,
    steps: int = 1000,
) -> tuple[Any, list[float]]:
    """Make that many steps with all of the data."""
    derivative, losses = gradient_of(f), []
    for _ in range(steps):
        loss, gradient = derivative(parameters, *args)
        losses.append(float(loss))
        parameters = optimizer.step(parameters, gradient, losses[-1])
    return parameters, losses


def lbfgs(
    f: Callable[..., Any], parameters: Any, *args: Any, steps: int = 200, tolerance: float = 1e-9
) -> tuple[Any, list[float]]:
    """Minimize by SciPy's L-BFGS-B, which is to be installed; all parameters are one vector to it."""
    from scipy.optimize import minimize as by_scipy

    derivative, losses = gradient_of(f), []
    start = named(parameters)
    if not start:
        raise ValueError(NOTHING)

    def spread(vector: Any) -> Any:
        values, at = {}, 0
        for name, old in start.items():
            part = vector[at : at + np.size(old)]
            at += np.size(old)
            is_array = isinstance(old, np.ndarray)
            new = part.reshape(old.shape).astype(old.dtype) if is_array else part[0]
            values[name] = as_was(old, new)
        return replaced(parameters, values)

    def objective(vector: Any) -> tuple[float, Any]:
        nest = spread(vector)
        loss, gradient = derivative(nest, *args)
        slopes = {name: slope for name, _, slope in pairs(nest, gradient)}
        flat = [np.ravel(slopes.get(name, np.zeros(np.shape(old)))) for name, old in start.items()]
        return float(loss), np.concatenate(flat).astype(float)

    vector = np.concatenate([np.ravel(value) for value in start.values()]).astype(float)
    options = {"maxiter": steps, "ftol": tolerance, "gtol": tolerance}
    watch = {"callback": lambda intermediate_result: losses.append(float(intermediate_result.fun))}
    found = by_scipy(objective, vector, jac=True, method="L-BFGS-B", options=options, **watch)
    return spread(found.x), losses
