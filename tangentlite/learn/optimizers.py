"""Optimizers: each makes of parameters and their gradient the parameters to go on with.

In: any nest of parameters, and a gradient of the same shape, as ``tl.grad`` gives it.
Out: a nest like it; objects are changed themselves.
Next: schedules, searches, training.

>>> import tangentlite as tl
>>> slope = tl.grad(lambda p: np.sum((p["w"] - 3.0) ** 2) + p["b"] ** 2)
>>> parameters, optimizer = {"w": np.zeros(2), "b": 1.0}, Adam(0.1)
>>> for _ in range(300):
...     parameters = optimizer.step(parameters, slope(parameters))
>>> parameters["w"].round(3), round(parameters["b"], 3)
(array([3., 3.]), 0.0)
"""

from __future__ import annotations

import math
from collections.abc import Callable
from copy import copy, deepcopy
from typing import Any

import numpy as np

from tangentlite.learn.nests import as_was, pairs, replaced
from tangentlite.learn.rooms import room
from tangentlite.learn.walks import Walk

NOTHING = "there is nothing to train: no float, and no array of floats"
Rate = float | Callable[[int], float]


class Optimizer:
    """``rate``: the step length, or a schedule, a function of the number of steps before.

    ``decay``: adds this times the parameter to its gradient. ``clip``: the largest norm of a gradient as a whole.
    """

    def __init__(self, rate: Rate = 0.01, *, decay: float = 0.0, clip: float | None = None) -> None:
        self.rate, self.decay, self.clip = rate, decay, clip
        self.count = 0
        self.model: Any = None
        self.data: tuple[Any, ...] = ()
        self.memory: dict[str, dict[str, Any]] = {}
        self.walk = Walk()
        self.made: dict[str, Any] = {}
        self.works: dict[Any, Any] = {}

    def step(self, parameters: Any, gradient: Any, loss: float | None = None) -> Any:
        """Give the parameters after one step; only ``Heuristic`` asks for the loss."""
        found = self.walk.pairs(parameters, gradient, self.made)
        if not found:
            raise ValueError(NOTHING)
        if self.clip is not None:
            found = _clipped(found, self.clip)
        rate = self.length(loss)
        self.count += 1
        values = {}
        for name, value, slope in found:
            if self.decay:
                slope = slope + self.decay * value
            values[name] = self.made[name] = as_was(value, self.change(name, value, slope, rate))
        return self.walk.replaced(parameters, values)

    def copied(self) -> Any:
        """Give an optimizer that goes on from here by itself."""
        other = copy(self)
        other.memory = {what: deepcopy(slot) for what, slot in self.memory.items()}
        other.walk, other.made, other.works = Walk(), {}, {}
        return other

    def attach(self, model: Any, x: Any, y: Any) -> Any:
        """Take a model and its data, for ``train``; give the optimizer."""
        self.model, self.data = model, (x, y)
        return self

    def train(
        self, steps: int, print_each: int = 0, err_hist: list[float] | None = None
    ) -> list[float]:
        """Make that many steps with all of the data; print and note the loss before each."""
        losses = [] if err_hist is None else err_hist
        for k in range(steps):
            gradients, loss = self.model.get_grad(*self.data)
            losses.append(loss)
            if print_each and k % print_each == 0:
                print(f"step {k}: loss {loss:.6g}")
            self.model.set_param(self.step(self.model.get_param(), gradients, loss))
        return losses

    def length(self, loss: float | None) -> float:
        """Give the length of the next step."""
        return float(self.rate(self.count) if callable(self.rate) else self.rate)

    def change(self, name: str, value: Any, slope: Any, rate: float) -> Any:
        """Give a parameter's next value."""
        name = type(self).__name__
        raise TypeError(
            f"{name} makes no step: take Adam, or write change(self, name, value, slope, rate)"
        )

    def moved(self, name: str, value: Any, way: Any) -> Any:
        """Give a parameter less its way: in its own memory, if it was made here and only its object holds it."""
        if type(value) is not np.ndarray:
            return value - way
        mine = name in self.walk.unheld and value is self.made[name]
        return np.subtract(value, way, out=value if mine else np.empty_like(value))

    def average(self, what: str, name: str, value: Any, keep: float, take: float) -> Any:
        """Keep ``keep * old + take * value`` for a parameter, beginning with zero, and give it until the next time."""
        slot = self.memory.setdefault(what, {})
        if name not in slot:
            slot[name] = take * value
        else:
            slot[name] *= keep
            slot[name] += value if take == 1.0 else self.scaled(name, value, take)
        return slot[name]

    def space(self, what: str, name: str, value: Any) -> Any:
        """Give what is kept for a parameter, or an array to work in: large arrays are not made at each step."""
        slot: dict[Any, Any] = self.memory.setdefault(what, {}) if what else self.works
        shape, dtype = np.shape(value), getattr(value, "dtype", np.dtype(float))
        key = name if what else (shape, dtype)
        if key not in slot:
            slot[key] = room(shape, dtype)
            slot[key][...] = 0.0
        elif not isinstance(slot[key], np.ndarray):
            slot[key] = np.array(slot[key])  # a number that was kept in a file
        return slot[key]

    def scaled(self, name: str, value: Any, length: float) -> Any:
        """Give a parameter's slope, or what is like it, times a number; an array is one to work in."""
        if type(value) is not np.ndarray or value.dtype.kind != "f":
            return length * value
        return np.multiply(value, length, out=self.space("", name, value))


def clip_by_norm(gradient: Any, largest: float) -> Any:
    """Give the gradient, shortened to a norm if it is longer, over all parameters at once.

    >>> clip_by_norm({"w": np.array([3.0, 4.0])}, 1.0)
    {'w': array([0.6, 0.8])}
    """
    found = _clipped(pairs(gradient, gradient), largest)
    return replaced(gradient, {name: slope for name, _, slope in found})


def clip_by_value(gradient: Any, largest: float) -> Any:
    """Give the gradient, each number brought to within ``largest`` of zero.

    >>> clip_by_value([np.array([3.0, -0.5]), -4.0], 1.0)
    [array([ 1. , -0.5]), -1.0]
    """
    clipped = {n: np.clip(g, -largest, largest) for n, _, g in pairs(gradient, gradient)}
    return replaced(gradient, {n: float(g) if np.ndim(g) == 0 else g for n, g in clipped.items()})


def _clipped(found: list[Any], largest: float) -> list[Any]:
    norm = math.sqrt(sum(float(np.vdot(slope, slope)) for _, _, slope in found))
    if not norm > largest:
        return found
    return [(name, value, slope * (largest / norm)) for name, value, slope in found]


class GradientDescent(Optimizer):
    """``w - rate * g``."""

    def change(self, name: str, value: Any, slope: Any, rate: float) -> Any:
        """Go down the slope."""
        return self.moved(name, value, self.scaled(name, slope, rate))


class Momentum(Optimizer):
    """The velocity ``v = keep * v + g`` is what the parameter goes along."""

    def __init__(self, rate: Rate = 0.01, keep: float = 0.9, **options: Any) -> None:
        super().__init__(rate, **options)
        self.keep = keep

    def change(self, name: str, value: Any, slope: Any, rate: float) -> Any:
        """Go along the velocity."""
        velocity = self.average("velocity", name, slope, self.keep, 1.0)
        return self.moved(name, value, self.scaled(name, velocity, rate))


class Nesterov(Momentum):
    """Momentum that looks ahead: along ``g + keep * v``, with the new v."""

    def change(self, name: str, value: Any, slope: Any, rate: float) -> Any:
        """Go along the slope and the velocity after it."""
        velocity = self.average("velocity", name, slope, self.keep, 1.0)
        way = self.scaled(name, velocity, self.keep)
        way += slope
        way *= rate
        return self.moved(name, value, way)


class RMSProp(Optimizer):
    """Each slope is measured by the root of the mean of its squares."""

    def __init__(
        self, rate: Rate = 0.01, keep: float = 0.99, tiny: float = 1e-8, **options: Any
    ) -> None:
        super().__init__(rate, **options)
        self.keep, self.tiny = keep, tiny

    def change(self, name: str, value: Any, slope: Any, rate: float) -> Any:
        """Go down the measured slope."""
        square, work = (self.space(w, name, value) for w in ("square", ""))
        np.multiply(slope, slope, out=work)
        work *= 1.0 - self.keep
        square *= self.keep
        square += work
        np.sqrt(square, out=work)
        work += self.tiny
        np.divide(slope, work, out=work)
        work *= rate
        return self.moved(name, value, work)


class Adam(Optimizer):
    """Averages of the slope and of its square, both corrected for having begun at zero."""

    def __init__(
        self,
        rate: Rate = 0.001,
        keep: tuple[float, float] = (0.9, 0.999),
        tiny: float = 1e-8,
        **options: Any,
    ) -> None:
        super().__init__(rate, **options)
        self.keep, self.tiny = keep, tiny

    def length(self, loss: float | None) -> float:
        """Give the length of the next step, corrected for the averages having begun at zero."""
        first, second = self.keep
        self.plain = super().length(loss)
        self.long = math.sqrt((1.0 - second ** (self.count + 1)) / (1.0 - second))
        return self.plain * self.long * (1.0 - first) / (1.0 - first ** (self.count + 1))

    def change(self, name: str, value: Any, slope: Any, rate: float) -> Any:
        """Go down the average slope, measured by the root of the average square."""
        return self.moved(name, value, self.way(name, value, slope, rate))

    def way(self, name: str, value: Any, slope: Any, rate: float) -> Any:
        """Give how far a parameter goes, in an array to work in.

        What is kept are sums, in which a slope of k steps ago weighs as much as the k-th power of ``keep`` says.
        """
        slopes, squares, work = (self.space(w, name, value) for w in ("slopes", "squares", ""))
        slopes *= self.keep[0]
        slopes += slope
        squares *= self.keep[1]
        squares += np.multiply(slope, slope, out=work)
        np.sqrt(squares, out=work)
        work += self.tiny * self.long
        np.divide(slopes, work, out=work)
        work *= rate
        return work


class AdamW(Adam):
    """Adam whose decay shrinks the parameter itself, and is no part of the slope."""

    def __init__(self, rate: Rate = 0.001, decay: float = 0.01, **options: Any) -> None:
        super().__init__(rate, **options)
        self.shrink = decay

    def change(self, name: str, value: Any, slope: Any, rate: float) -> Any:
        """Shrink, and go as Adam."""
        way = self.way(name, value, slope, rate)
        way += self.plain * self.shrink * value
        return self.moved(name, value, way)


class Heuristic(Optimizer):
    """ArrayFlow's: the step adapts to how a running mean of the loss bends.

    The slope is averaged, ``g = beta * slope + (1 - beta) * g``. Of the means of the last ``window`` losses the last
    four tell the first and the second difference. Where both are positive, the loss rises: steps get shorter by
    ``shorter``, and never again longer. Until then they get longer by ``longer`` while the first is negative.
    """

    FIRST = (-1 / 3, 3 / 2, -3.0, 11 / 6)
    SECOND = (-1.0, 4.0, -5.0, 2.0)

    def __init__(
        self,
        rate: float = 0.01,
        beta: float = 0.9,
        window: int = 10,
        longer: float = 1.02,
        shorter: float = 0.99,
        **options: Any,
    ) -> None:
        super().__init__(rate, **options)
        self.beta, self.window, self.longer, self.shorter = beta, window, longer, shorter
        self.memory["heuristic"] = {"rate": float(rate), "risen": 0.0}
        self.memory["heuristic"] |= {"losses": np.zeros(0), "means": np.zeros(0)}

    def length(self, loss: float | None) -> float:
        """Give the length of the next step, after a loss."""
        if loss is None:
            raise TypeError("Heuristic.step needs the loss: step(parameters, gradient, loss)")
        known = self.memory["heuristic"]
        known["losses"] = np.append(known["losses"], float(loss))[-self.window :]
        known["means"] = np.append(known["means"], np.mean(known["losses"]))[-4:]
        if len(known["means"]) == 4:
            first, second = np.dot(self.FIRST, known["means"]), np.dot(self.SECOND, known["means"])
            if first > 0.0 and second > 0.0:
                known["risen"] = 1.0
                known["rate"] *= self.shorter
            elif first < 0.0 and not known["risen"]:
                known["rate"] *= self.longer
        return float(known["rate"])

    def change(self, name: str, value: Any, slope: Any, rate: float) -> Any:
        """Go down the average slope."""
        average = self.average("slope", name, slope, 1.0 - self.beta, self.beta)
        return self.moved(name, value, rate * average)
