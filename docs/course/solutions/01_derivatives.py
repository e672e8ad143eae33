"""Exercise 1: derivatives by hand, and a way to check them."""

import numpy as np


def quotient(x):
    return (x * x + 1.0) / (x - 2.0)


def root(x):
    return np.sqrt(1.0 + x * x)


def tower(x):
    return np.exp(np.sin(x * x))


def logistic(x):
    return 1.0 / (1.0 + np.exp(-x))


def power(x):
    return x**x


def difference(f, x, h=1e-5):
    """Give the central difference of a function of one number, (f(x + h) − f(x − h)) / 2h."""
    return (f(x + h) - f(x - h)) / (2.0 * h)


def quotient_slope(x):
    """Give the derivative of (x² + 1) / (x − 2), by (u / v)′ = (u′v − uv′) / v²."""
    return (2.0 * x * (x - 2.0) - (x * x + 1.0)) / (x - 2.0) ** 2


def root_slope(x):
    """Give the derivative of √(1 + x²), by the chain rule."""
    return x / np.sqrt(1.0 + x * x)


def tower_slope(x):
    """Give the derivative of exp(sin(x²)): the chain rule, twice."""
    return np.exp(np.sin(x * x)) * np.cos(x * x) * 2.0 * x


def logistic_slope(x):
    """Give the derivative of σ(x) = 1 / (1 + e⁻ˣ); it can be said with σ alone."""
    s = logistic(x)
    return s * (1.0 - s)


def power_slope(x):
    """Give the derivative of xˣ for x > 0; write it as exp(x log x) first."""
    return x**x * (np.log(x) + 1.0)
