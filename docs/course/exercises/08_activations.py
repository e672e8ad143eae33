"""Exercise 8: activations, and the loss behind the last of them.

All functions take arrays, and work element by element unless they say otherwise.
"""

import numpy as np


def relu(x):
    """Give max(x, 0)."""
    raise NotImplementedError


def relu_slope(x):
    """Give the derivative: 1 for x > 0 and 0 for x < 0; at zero, where there is none, the mean of both sides, ½."""
    raise NotImplementedError


def leaky(x, slope=0.01):
    """Give x for x > 0, and slope · x elsewhere."""
    raise NotImplementedError


def logistic(x):
    """Give 1 / (1 + e⁻ˣ) without an overflow at x = −1000: it is ½ + ½ tanh(x/2)."""
    raise NotImplementedError


def logistic_slope(y):
    """Give the derivative at an x, from the value y = logistic(x) alone."""
    raise NotImplementedError


def tanh_slope(y):
    """Give the derivative of tanh at an x, from the value y = tanh x alone."""
    raise NotImplementedError


def softmax(x):
    """Give eˣⁱ / Σⱼ eˣʲ for each row of x. Adding a number to a row changes nothing: make its largest element 0."""
    raise NotImplementedError


def softmax_jacobian(y):
    """Give the matrix ∂yᵢ/∂xⱼ = yᵢ (δᵢⱼ − yⱼ) for one row, from the value y = softmax(x)."""
    raise NotImplementedError


def cross_entropy(x, labels):
    """Give −1/n Σᵢ log yᵢ[labelᵢ] with y = softmax(x), for rows x and whole numbers for labels.

    Where y is 0 in floating point its logarithm is not: log softmax(x) = x − m − log Σ e^(x − m), m = max x.
    """
    raise NotImplementedError


def cross_entropy_gradient(x, labels):
    """Give ∂/∂x of the cross-entropy. Multiply the slope of −log y by the Jacobian: little is left of it."""
    raise NotImplementedError
