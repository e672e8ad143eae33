"""Exercise 13: the same model in JAX.

``numpy_loss`` is the model, as in exercise 12. JAX has NumPy's functions in ``jax.numpy``, for arrays of its own, which
cannot be written to; it computes in single precision unless it is told otherwise, as here.
"""

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_enable_x64", True)


def numpy_loss(p, x, labels):
    h = np.tanh(x @ p["w1"] + p["b1"])
    scores = h @ p["w2"] + p["b2"]
    moved = scores - np.max(scores, -1, keepdims=True)
    total = np.log(np.sum(np.exp(moved), -1))
    return np.mean(total - moved[np.arange(len(labels)), labels])


def loss(p, x, labels):
    """Give the same as ``numpy_loss``, by functions of ``jnp``; ``jax.nn.logsumexp`` makes it shorter."""
    raise NotImplementedError


def gradient(p, x, labels):
    """Give a dict of NumPy arrays: the gradient of the loss in each parameter, by ``jax.grad`` under ``jax.jit``."""
    raise NotImplementedError


def gradients_of_rows(p, x, labels):
    """Give a dict of NumPy arrays: for each parameter the gradients of the losses of single rows, one after the other.

    ``jax.vmap`` makes of a function of one row one of all rows; ``in_axes`` says which arguments have rows.
    """
    raise NotImplementedError
