"""Models: objects with layers as attributes, and a loss. They are differentiated as they stand.

In: a class of yours with ``forward`` (and ``loss``, if the square is not what you want).
Out: gradients by name, and what scikit-learn's models do: fit, predict, score.
Next: checking.

>>> class Line(Model):
...     def __init__(self):
...         self.w, self.b = np.zeros(2), np.zeros(())
...     def forward(self, x):
...         return x @ self.w + self.b
>>> x = np.random.default_rng(0).normal(size=(64, 2))
>>> y = x @ np.array([1.0, -2.0]) + 0.5
>>> line = Line().fit(x, y, Adam(0.05), epochs=60, batch=16)
>>> line.w.round(2), round(line.score(x, y), 3)
(array([ 1., -2.]), 1.0)
>>> gradients, loss = line.get_grad(x, y)
>>> sorted(gradients)
['b', 'w']
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from tangentlite.learn.estimators import Estimator
from tangentlite.learn.losses import check_labels, compare_shapes, cross_entropy, squared
from tangentlite.learn.nests import named, objects, pairs, replaced
from tangentlite.learn.optimizers import Adam, Optimizer
from tangentlite.learn.searches import gradient_of
from tangentlite.learn.training import History, train

_gradient = lru_cache(maxsize=256)(gradient_of)
_histories: WeakKeyDictionary[Any, History] = (
    WeakKeyDictionary()
)  # no attribute: not differentiated


class Model(Estimator):
    """Write ``__init__`` with layers for attributes, and ``forward``; ``loss`` is the mean square unless you say."""

    def forward(self, x: Any) -> Any:
        """Give what the model makes of rows."""
        raise TypeError(f"{type(self).__name__} is no model yet: write its method forward(self, x)")

    def loss(self, x: Any, y: Any) -> Any:
        """Give a number: how far the model is from what it should give."""
        return squared(self.forward(x), y)

    def __call__(self, x: Any) -> Any:
        return self.forward(x)

    def get_grad(self, x: Any, y: Any) -> tuple[dict[str, Any], float]:
        """Give the gradients of the loss by name, and the loss."""
        loss, gradient = _gradient(type(self).loss)(self, x, y)
        return {name: slope for name, _, slope in pairs(self, gradient)}, float(loss)

    def get_param(self, name: str | None = None) -> Any:
        """Give a parameter, or all by name."""
        found = named(self)
        return found if name is None else found[name]

    def set_param(self, name: str | dict[str, Any], value: Any = None) -> None:
        """Set a parameter, or those of a dict."""
        given = name if isinstance(name, dict) else {name: value}
        if unknown := sorted(given.keys() - named(self).keys()):
            raise KeyError(f"no parameter {unknown[0]!r}; there are {', '.join(named(self))}")
        replaced(self, given)

    def train(self, training: bool = True) -> Any:
        """Tell all layers that they are trained, and give the model."""
        for one in objects(self):
            if isinstance(getattr(one, "training", None), bool):
                one.training = training
        return self

    def eval(self) -> Any:
        """Tell all layers that they are used, and give the model."""
        return self.train(False)

    def fit(
        self,
        x: Any,
        y: Any,
        optimizer: Optimizer | None = None,
        *,
        epochs: int = 100,
        workers: Any = None,
        **options: Any,
    ) -> Any:
        """Train with the options of ``training.train``, and give the model, which is ready for use; see ``history``.

        The optimizer is copied: it may be given to several models, or again.
        ``workers``: those of ``learn.distributed`` that hold the rows and compute the loss.
        """
        self.train()
        optimizer = Adam() if optimizer is None else optimizer.copied()
        loss: Any = type(self).loss
        data: tuple[Any, ...] = (x, y)
        if workers is not None:
            loss, data = workers.spread(loss), (workers.hold(x, y),)
        _, history = train(loss, self, data, optimizer, epochs=epochs, **options)
        _histories[self] = history
        return self.eval()

    @property
    def history(self) -> History | None:
        """What became of the loss in the last ``fit``."""
        return _histories.get(self)

    def predict(self, x: Any) -> Any:
        """Give what the model makes of rows."""
        return self.forward(x)

    def score(self, x: Any, y: Any) -> float:
        """Give the part of the variance that the model explains, the mean over the columns of ``y``."""
        found, y = np.asarray(self.predict(x)), np.asarray(y)
        compare_shapes(np.shape(found), np.shape(y), True)
        rest, whole = np.sum((found - y) ** 2, 0), np.sum((y - np.mean(y, 0)) ** 2, 0)
        varies = whole != 0.0
        missed = np.where(varies, rest / np.where(varies, whole, 1.0), rest != 0.0)
        return float(1.0 - np.mean(missed))


class Classifier(Model):
    """``forward`` gives a score for each class; the loss is the cross-entropy."""

    _estimator_type = "classifier"

    def loss(self, x: Any, y: Any) -> Any:
        """Give minus the mean logarithm of the probability of the right class."""
        return cross_entropy(self.forward(x), y)

    def fit(self, x: Any, y: Any, optimizer: Optimizer | None = None, **options: Any) -> Any:
        """Train, as any model, with numbers of classes for ``y``."""
        check_labels(y)
        return super().fit(x, y, optimizer, **options)

    def predict(self, x: Any) -> Any:
        """Give the most likely class of each row."""
        return np.argmax(self.forward(x), -1)

    def score(self, x: Any, y: Any) -> float:
        """Give the part of the rows that is classified rightly."""
        return float(np.mean(self.predict(x) == y))
