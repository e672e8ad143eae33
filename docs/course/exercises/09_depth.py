"""Exercise 9: where weights begin, and how the gradient fares in a deep network."""

import numpy as np

import tangentlite as tl


def deep(weights, x, between):
    for w in weights:
        x = between(x @ w)
    return x


def xavier(inputs, outputs, rng):
    """Give a matrix (inputs, outputs), normally distributed with mean 0 and variance 2 / (inputs + outputs)."""
    raise NotImplementedError


def he(inputs, outputs, rng):
    """Give a matrix (inputs, outputs), normally distributed with mean 0 and variance 2 / inputs.

    For ReLU: half of the numbers are lost in every layer, so that the variance must be twice as large to last.
    """
    raise NotImplementedError


def deviations(weights, x, between):
    """Give a list: the standard deviation of all numbers after each layer of ``deep``."""
    raise NotImplementedError


def gradient_sizes(weights, x, y, between):
    """Give a list: the mean of |∂L/∂W| for each matrix W, with L = mean of (deep(weights, x, between) − y)².

    Write L as a function whose first parameter is the list, and differentiate it with ``tl.grad``.
    """
    raise NotImplementedError


def explained_decay(depth):
    """Give a bound for the part of the gradient that ``depth`` logistic functions let through, weights aside.

    Each multiplies the adjoint by its slope σ (1 − σ). What is the largest value of that?
    """
    raise NotImplementedError
