"""Exercise 8: activations, and the loss behind the last of them.

All functions take arrays, and work element by element unless they say otherwise.
"""

import numpy as np


def relu(x):
    """Give max(x, 0)."""
    return np.maximum(x, 0.0)


def relu_slope(x):
    """Give the derivative: 1 for x > 0 and 0 for x < 0; at zero, where there is none, the mean of both sides, ½."""
    return 0.5 * (1.0 + np.sign(x))


def leaky(x, slope=0.01):
    """Give x for x > 0, and slope · x elsewhere."""
    return np.where(x > 0.0, x, slope * x)


def logistic(x):
    """Give 1 / (1 + e⁻ˣ) without an overflow at x = −1000: it is ½ + ½ tanh(x/2)."""
    return 0.5 + 0.5 * np.tanh(0.5 * x)


def logistic_slope(y):
    """Give the derivative at an x, from the value y = logistic(x) alone."""
    return y * (1.0 - y)


def tanh_slope(y):
    """Give the derivative of tanh at an x, from the value y = tanh x alone."""
    return 1.0 - y * y


def softmax(x):
    """Give eˣⁱ / Σⱼ eˣʲ for each row of x. Adding a number to a row changes nothing: make its largest element 0."""
    y = np.exp(x - np.max(x, -1, keepdims=True))
    return y / np.sum(y, -1, keepdims=True)


def softmax_jacobian(y):
    """Give the matrix ∂yᵢ/∂xⱼ = yᵢ (δᵢⱼ − yⱼ) for one row, from the value y = softmax(x)."""
    return np.diag(y) - np.outer(y, y)


def cross_entropy(x, labels):
    """Give −1/n Σᵢ log yᵢ[labelᵢ] with y = softmax(x), for rows x and whole numbers for labels.

    Where y is 0 in floating point its logarithm is not: log softmax(x) = x − m − log Σ e^(x − m), m = max x.
    """
    moved = x - np.max(x, -1, keepdims=True)
    logs = moved - np.log(np.sum(np.exp(moved), -1, keepdims=True))
    return -np.mean(logs[np.arange(len(labels)), labels])


def cross_entropy_gradient(x, labels):
    """Give ∂/∂x of the cross-entropy. Multiply the slope of −log y by the Jacobian: little is left of it."""
    y = softmax(x)
    y[np.arange(len(labels)), labels] -= 1.0
    return y / len(labels)
