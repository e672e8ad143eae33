"""Recurrent cells: one step each. The loop over time is yours.

In: what comes in, and the state; rows are sequences.
Out: the next state.
Next: models.

>>> cell = RNNCell(2, 3, np.random.default_rng(0))
>>> h = np.zeros((5, 3))
>>> for x in np.ones((4, 5, 2)):
...     h = cell(x, h)
>>> h.shape
(5, 3)
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tangentlite.learn.initializers import orthogonal, xavier

Generator = np.random.Generator


class RNNCell:
    """``tanh(x w + h u + b)``."""

    parameters = ("w", "u", "b")

    def __init__(self, inputs: int, size: int, rng: Generator | None = None) -> None:
        rng = np.random.default_rng() if rng is None else rng
        self.w, self.u = xavier((inputs, size), rng), orthogonal((size, size), rng)
        self.b = np.zeros(size)

    def __call__(self, x: Any, h: Any) -> Any:
        return np.tanh(x @ self.w + h @ self.u + self.b)


class LSTMCell:
    """Gates decide what a memory forgets, takes and shows: ``h, c = cell(x, (h, c))``."""

    parameters = ("w", "u", "b")

    def __init__(self, inputs: int, size: int, rng: Generator | None = None) -> None:
        rng = np.random.default_rng() if rng is None else rng
        self.w = np.concatenate([xavier((inputs, size), rng) for _ in range(4)], 1)
        self.u = np.concatenate([orthogonal((size, size), rng) for _ in range(4)], 1)
        self.b = np.concatenate([np.ones(size), np.zeros(3 * size)])  # it begins by keeping
        self.size = size

    def __call__(self, x: Any, state: Any) -> Any:
        h, c = state
        z = x @ self.w + h @ self.u + self.b
        n = self.size
        gates = 0.5 + 0.5 * np.tanh(0.5 * z[..., : 3 * n])
        c = gates[..., :n] * c + gates[..., n : 2 * n] * np.tanh(z[..., 3 * n :])
        return gates[..., 2 * n :] * np.tanh(c), c
