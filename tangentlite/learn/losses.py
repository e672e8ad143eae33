"""Losses: each is the mean over the rows of a batch.

In: what a model gives, and what it should have given.
Out: a number.
Next: layers.

>>> scores, labels = np.array([[1000.0, 0.0], [0.0, 0.0]]), np.array([0, 1])
>>> round(float(cross_entropy(scores, labels)), 4)  # the mean of 0 and log 2
0.3466
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tangentlite import inactive, stop_gradient


@inactive
def compare_shapes(shape: Any, wanted: Any, exact: bool = False) -> None:
    """Refuse two shapes of which broadcasting would make more numbers than the first has: mostly a mistake.

    >>> compare_shapes((3, 1), (3,))
    Traceback (most recent call last):
    ValueError: what is given has the shape (3, 1), what is wanted has (3,): reshape one of them
    """
    if shape != wanted if exact else np.broadcast_shapes(shape, wanted) != shape:
        raise ValueError(
            f"what is given has the shape {shape}, what is wanted has {wanted}: reshape one of them"
        )


@inactive
def check_labels(labels: Any, shape: Any = None) -> None:
    """Refuse what are no numbers of classes, for scores of a shape; a negative one would count from the end.

    >>> check_labels(np.array([1, 2]), (2, 2))
    Traceback (most recent call last):
    ValueError: the classes are 0 to 1, and a label is 2: np.unique(y, return_inverse=True)[1] has numbers for any
    """
    labels = np.asarray(labels)
    hint = "np.unique(y, return_inverse=True)[1] has numbers for any"
    if labels.dtype.kind not in "iu":
        raise TypeError(f"labels are numbers of classes, these are of type {labels.dtype}: {hint}")
    if shape is not None:
        compare_shapes(shape[:-1], labels.shape, True)
    if labels.size:
        lowest, highest = np.minimum.reduce(labels, None), np.maximum.reduce(labels, None)
        if lowest < 0 or (shape is not None and highest >= shape[-1]):
            wrong, last = lowest if lowest < 0 else highest, "…" if shape is None else shape[-1] - 1
            raise ValueError(f"the classes are 0 to {last}, and a label is {wrong}: {hint}")


def squared(y: Any, target: Any) -> Any:
    """The mean square of the differences."""
    compare_shapes(np.shape(y), np.shape(target))
    return np.mean((y - target) ** 2)


def log_softmax(scores: Any) -> Any:
    """Give the logarithms of the probabilities, without an exponential that overflows."""
    moved = scores - stop_gradient(np.max(scores, -1, keepdims=True))
    return moved - np.log(np.sum(np.exp(moved), -1, keepdims=True))


def cross_entropy(scores: Any, labels: Any) -> Any:
    """Minus the mean logarithm of the probability that the scores give to the right class, a whole number."""
    check_labels(labels, np.shape(scores))
    moved = scores - stop_gradient(np.max(scores, -1, keepdims=True))
    total = np.log(np.sum(np.exp(moved), -1))
    return np.mean(total - moved[np.arange(len(labels)), labels])


def binary(scores: Any, labels: Any) -> Any:
    """The cross-entropy of two classes, 0 and 1, of a score that the logistic function makes a probability."""
    compare_shapes(np.shape(scores), np.shape(labels))
    return np.mean(np.logaddexp(0.0, scores) - labels * scores)


def hinge(scores: Any, signs: Any) -> Any:
    """How far scores are below 1 on the side of their sign, which is 1 or -1."""
    compare_shapes(np.shape(scores), np.shape(signs))
    return np.mean(np.maximum(0.0, 1.0 - signs * scores))


def huber(y: Any, target: Any, delta: float = 1.0) -> Any:
    """Half the square of small differences, and straight lines for those beyond ``delta``."""
    compare_shapes(np.shape(y), np.shape(target))
    far = np.abs(y - target)
    near = np.minimum(far, delta)
    return np.mean(near * (far - 0.5 * near))
