"""Exercise 11: layers that act otherwise while they are trained, dropout and batch norm."""

import numpy as np


def dropout(x, rate, rng):
    """Give x with each number dropped (zero) with the probability ``rate``, and the others divided by 1 − rate.

    Drop where ``rng.random(x.shape, np.float32) < rate``. The mean over many drawings is x: that is what the division
    is for.
    """
    raise NotImplementedError


def normalized(x, tiny=1e-5):
    """Give (x − μ) / √(σ² + tiny), with the mean μ and the variance σ² of each column of x."""
    raise NotImplementedError


def normalized_adjoint(by, x, tiny=1e-5):
    """Give the adjoint of x where y = normalized(x), in closed form.

    x goes into y by itself, by μ and by σ². Add the three up and simplify; with s = √(σ² + tiny) and ⟨·⟩ for the mean
    of a column it is bx = (by − ⟨by⟩ − y ⟨by · y⟩) / s.
    """
    raise NotImplementedError


class BatchNorm:
    def __init__(self, count, keep=0.9, tiny=1e-5):
        self.scale, self.shift = np.ones(count), np.zeros(count)
        self.mean, self.variance = np.zeros(count), np.ones(count)
        self.keep, self.tiny, self.training = keep, tiny, True

    def __call__(self, x):
        """Give n · scale + shift.

        While ``training``, n is ``normalized(x)`` with ``self.tiny``, and mean ← keep · mean + (1 − keep) · μ, likewise
        the variance. After that n is made with the mean and the variance that are kept, and these stay as they are.
        """
        raise NotImplementedError
