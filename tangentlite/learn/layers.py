"""Layers: ordinary objects, called with an array of rows. Their derivative is the compiler's business.

In: sizes, and a generator of random numbers for where weights begin.
Out: objects whose ``parameters`` names the attributes to be learned.
Next: cells, models.

>>> layer = Linear(3, 2, np.random.default_rng(0))
>>> layer(np.ones((5, 3))).shape, Chain(layer, ReLU(), Linear(2, 4))(np.ones((5, 3))).shape
((5, 2), (5, 4))
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import tangentlite as tl
from tangentlite.learn.gates import leaky, relu
from tangentlite.learn.images import average_pool2d, conv2d, max_pool2d
from tangentlite.learn.initializers import Initializer, he, normal, xavier
from tangentlite.learn.standards import standardized

Generator = np.random.Generator


def _drawn(initializer: Initializer, shape: tuple[int, ...], rng: Generator | None) -> Any:
    return initializer(shape, np.random.default_rng() if rng is None else rng)


class Linear:
    """``x @ w + b``."""

    parameters = ("w", "b")

    def __init__(
        self,
        inputs: int,
        outputs: int,
        rng: Generator | None = None,
        initializer: Initializer = xavier,
    ) -> None:
        self.w = _drawn(initializer, (inputs, outputs), rng)
        self.b = np.zeros(outputs)

    def __call__(self, x: Any) -> Any:
        return x @ self.w + self.b


class ReLU:
    """What is positive; half the slope at zero."""

    def __call__(self, x: Any) -> Any:
        return relu(x)


class LeakyReLU:
    """What is positive, and a part of what is negative."""

    parameters = ()

    def __init__(self, slope: float = 0.01) -> None:
        self.slope = slope

    def __call__(self, x: Any) -> Any:
        return leaky(x, self.slope)


class Tanh:
    """The hyperbolic tangent."""

    def __call__(self, x: Any) -> Any:
        return np.tanh(x)


class Logistic:
    """``1 / (1 + exp(-x))``, in a form that does not overflow."""

    def __call__(self, x: Any) -> Any:
        return 0.5 + 0.5 * np.tanh(0.5 * x)


class Softmax:
    """Probabilities along the last axis."""

    def __call__(self, x: Any) -> Any:
        y = np.exp(x - tl.stop_gradient(np.max(x, -1, keepdims=True)))
        return y / np.sum(y, -1, keepdims=True)


class Dropout:
    """While it is trained, each number is dropped with a probability, and what is kept grows to make up for it."""

    parameters = ()

    def __init__(self, rate: float = 0.5, rng: Generator | None = None) -> None:
        self.rate, self.training = rate, True
        self.rng = np.random.default_rng() if rng is None else rng

    def __call__(self, x: Any) -> Any:
        if not self.training or self.rate == 0.0:
            return x
        return x * kept(self.rng, x.shape, self.rate) * (1.0 / (1.0 - self.rate))


@tl.inactive
def kept(rng: Generator, shape: tuple[int, ...], rate: float) -> Any:
    """Draw for each number of an array whether it is kept."""
    return rng.random(shape, np.float32) >= rate


class BatchNorm:
    """Columns of mean 0 and variance 1, then scaled and shifted; after training by averages of what it saw."""

    parameters = ("scale", "shift")

    def __init__(self, count: int, keep: float = 0.9, tiny: float = 1e-5) -> None:
        self.scale, self.shift = np.ones(count), np.zeros(count)
        self.mean, self.variance = np.zeros(count), np.ones(count)
        self.keep, self.tiny, self.training = keep, tiny, True

    def __call__(self, x: Any) -> Any:
        if not self.training:
            z = (x - self.mean) / np.sqrt(self.variance + self.tiny)
            return z * self.scale + self.shift
        y, _, mean, variance = standardized(x, self.scale, self.shift, self.tiny)
        remember(self, mean, variance)
        return y


@tl.inactive
def remember(norm: BatchNorm, mean: Any, variance: Any) -> None:
    """Note what a batch was like; no derivative goes through what is kept of former ones."""
    old, new = norm.keep, 1.0 - norm.keep
    norm.mean = (old * norm.mean + new * mean).astype(mean.dtype)
    norm.variance = (old * norm.variance + new * variance).astype(mean.dtype)


class Embedding:
    """A row of numbers for each of so many words, given by their numbers."""

    parameters = ("w",)

    def __init__(self, words: int, size: int, rng: Generator | None = None) -> None:
        self.w = _drawn(normal(0.1), (words, size), rng)

    def __call__(self, words: Any) -> Any:
        return self.w[words]


class Conv2D:
    """Images of shape (number, rows, columns, channels) under a window of ``size`` by ``size``."""

    parameters = ("w", "b")

    def __init__(
        self,
        channels: int,
        count: int,
        size: int,
        rng: Generator | None = None,
        *,
        stride: int = 1,
        padding: int = 0,
    ) -> None:
        self.w = _drawn(he, (size, size, channels, count), rng)
        self.b = np.zeros(count)
        self.stride, self.padding = stride, padding

    def __call__(self, x: Any) -> Any:
        return conv2d(x, self.w, self.stride, self.padding, self.b)


class MaxPool2D:
    """The largest element of each cell."""

    def __init__(self, size: int = 2, stride: int | None = None) -> None:
        self.size, self.stride = size, stride

    def __call__(self, x: Any) -> Any:
        return max_pool2d(x, self.size, self.stride)


class AveragePool2D:
    """The mean of each cell."""

    def __init__(self, size: int = 2, stride: int | None = None) -> None:
        self.size, self.stride = size, stride

    def __call__(self, x: Any) -> Any:
        return average_pool2d(x, self.size, self.stride)


class Flatten:
    """One row for each image."""

    def __call__(self, x: Any) -> Any:
        return np.reshape(x, (len(x), -1))


class Residual:
    """What goes in, and what some layers make of it, added."""

    def __init__(self, *layers: Callable[[Any], Any]) -> None:
        self.layers = list(layers)

    def __call__(self, x: Any) -> Any:
        y = x
        for layer in self.layers:
            y = layer(y)
        return x + y


class Chain:
    """Layers, or functions, one after the other."""

    def __init__(self, *layers: Callable[[Any], Any]) -> None:
        self.layers = list(layers)

    def __call__(self, x: Any) -> Any:
        for layer in self.layers:
            x = layer(x)
        return x
