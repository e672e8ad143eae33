"""Exercise 7: linear and logistic regression.

The rows of x are samples, w has one weight for each column, and b is a number.
"""

import numpy as np


def linear_loss(w, b, x, y):
    r = x @ w + b - y
    return np.mean(r * r)


def linear_gradient(w, b, x, y):
    """Give (∂L/∂w, ∂L/∂b) of L = 1/n Σᵢ (xᵢ·w + b − yᵢ)², with products of arrays and without loops."""
    raise NotImplementedError


def least_squares(x, y):
    """Give the (w, b) at which the gradient of the linear loss is zero, by solving a system of linear equations.

    Put a column of ones beside x: with A = [x 1] and p = [w b] the gradient is zero where AᵀA p = Aᵀy.
    """
    raise NotImplementedError


def logistic_loss(w, b, x, y):
    """Give the cross-entropy of labels y, 0 or 1, with probabilities p = σ(z), z = x·w + b.

    L = −1/n Σᵢ [yᵢ log pᵢ + (1 − yᵢ) log(1 − pᵢ)] = 1/n Σᵢ [log(1 + e^zᵢ) − yᵢ zᵢ]. The second form is right for
    z = 1000 as well, if the logarithm is written as ``np.logaddexp``.
    """
    raise NotImplementedError


def logistic_gradient(w, b, x, y):
    """Give (∂L/∂w, ∂L/∂b) of the logistic loss. The derivative of log(1 + eᶻ) is σ(z) = ½ + ½ tanh(z/2)."""
    raise NotImplementedError


def fit(gradient, w, b, x, y, rate, steps):
    """Give (w, b) after so many steps of gradient descent, w − rate · ∂L/∂w, with one of the gradients above."""
    raise NotImplementedError
