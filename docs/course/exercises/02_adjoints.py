"""Exercise 2: adjoints of operations on arrays.

The adjoint bz of an array z has the shape of z: its elements say how much the result of the whole program changes
with each element of z. An operation that makes z of x obeys, for every small change dx and the change dz that follows,

    sum(bz · dz) = sum(bx · dx)

which is what each function here has to respect.
"""

import numpy as np


def unbroadcast(bz, shape):
    """Give the adjoint of x, of that shape, where z is x spread to the shape of bz by NumPy's rules of broadcasting.

    Each element of x went to several places of z, and their adjoints add up: sum over the axes that were put in front,
    and over those that were 1 long, which stay.
    """
    raise NotImplementedError


def multiply(bz, x, y):
    """Give (bx, by) where z = x * y; the shapes of x and y may differ."""
    raise NotImplementedError


def total(bz, x, axis):
    """Give bx where z = np.sum(x, axis), for one axis: each element of x has the adjoint of the sum it went into."""
    raise NotImplementedError


def matmul(bz, x, y):
    """Give (bx, by) where z = x @ y, for matrices.

    z[i, k] = Σⱼ x[i, j] y[j, k]. Write the sum for bx[i, j], and read a product of matrices in it.
    """
    raise NotImplementedError


def softmax(bz, z):
    """Give bx where z = softmax(x) for a vector x, using z alone.

    zᵢ = eˣⁱ / Σⱼ eˣʲ has ∂zᵢ/∂xⱼ = zᵢ (δᵢⱼ − zⱼ), where δᵢⱼ is 1 for i = j and 0 otherwise. Do not build that matrix.
    """
    raise NotImplementedError
