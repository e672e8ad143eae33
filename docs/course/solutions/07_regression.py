"""Exercise 7: linear and logistic regression.

The rows of x are samples, w has one weight for each column, and b is a number.
"""

import numpy as np


def linear_loss(w, b, x, y):
    r = x @ w + b - y
    return np.mean(r * r)


def linear_gradient(w, b, x, y):
    """Give (∂L/∂w, ∂L/∂b) of L = 1/n Σᵢ (xᵢ·w + b − yᵢ)², with products of arrays and without loops."""
    r = x @ w + b - y
    return 2.0 * x.T @ r / len(y), 2.0 * np.mean(r)


def least_squares(x, y):
    """Give the (w, b) at which the gradient of the linear loss is zero, by solving a system of linear equations.

    Put a column of ones beside x: with A = [x 1] and p = [w b] the gradient is zero where AᵀA p = Aᵀy.
    """
    a = np.column_stack([x, np.ones(len(x))])
    p = np.linalg.solve(a.T @ a, a.T @ y)
    return p[:-1], p[-1]


def logistic_loss(w, b, x, y):
    """Give the cross-entropy of labels y, 0 or 1, with probabilities p = σ(z), z = x·w + b.

    L = −1/n Σᵢ [yᵢ log pᵢ + (1 − yᵢ) log(1 − pᵢ)] = 1/n Σᵢ [log(1 + e^zᵢ) − yᵢ zᵢ]. The second form is right for
    z = 1000 as well, if the logarithm is written as ``np.logaddexp``.
    """
    z = x @ w + b
    return np.mean(np.logaddexp(0.0, z) - y * z)


def logistic_gradient(w, b, x, y):
    """Give (∂L/∂w, ∂L/∂b) of the logistic loss. The derivative of log(1 + eᶻ) is σ(z) = ½ + ½ tanh(z/2)."""
    r = 0.5 + 0.5 * np.tanh(0.5 * (x @ w + b)) - y
    return x.T @ r / len(y), np.mean(r)


def fit(gradient, w, b, x, y, rate, steps):
    """Give (w, b) after so many steps of gradient descent, w − rate · ∂L/∂w, with one of the gradients above."""
    for _ in range(steps):
        bw, bb = gradient(w, b, x, y)
        w, b = w - rate * bw, b - rate * bb
    return w, b
