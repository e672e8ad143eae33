"""Distributions with their parameters, as ``scipy.stats.norm(mu, sigma)``: they ask the distribution and hand those on.

In: a distribution.
Out: the class of what stands in for it with parameters.
Next: laws.
"""

from __future__ import annotations

import sys
from functools import cache
from typing import Any

HOME = "scipy.stats."
ASKED = frozenset("pdf logpdf pmf logpmf cdf logcdf sf logsf ppf isf".split())
TOLD = frozenset("mean median var std entropy".split())
OF_VECTORS = frozenset("pdf logpdf pmf logpmf entropy".split())


class Frozen:
    """``law``: the distribution; ``shapes`` and ``named``: its parameters."""

    law: Any = None

    def __init__(self, *shapes, **named):
        self.shapes = shapes
        self.named = named

    def pdf(self, x):
        return self.law.pdf(x, *self.shapes, **self.named)

    def logpdf(self, x):
        return self.law.logpdf(x, *self.shapes, **self.named)

    def pmf(self, k):
        return self.law.pmf(k, *self.shapes, **self.named)

    def logpmf(self, k):
        return self.law.logpmf(k, *self.shapes, **self.named)

    def cdf(self, x):
        return self.law.cdf(x, *self.shapes, **self.named)

    def logcdf(self, x):
        return self.law.logcdf(x, *self.shapes, **self.named)

    def sf(self, x):
        return self.law.sf(x, *self.shapes, **self.named)

    def logsf(self, x):
        return self.law.logsf(x, *self.shapes, **self.named)

    def ppf(self, q):
        return self.law.ppf(q, *self.shapes, **self.named)

    def isf(self, q):
        return self.law.isf(q, *self.shapes, **self.named)

    def mean(self):
        return self.law.mean(*self.shapes, **self.named)

    def median(self):
        return self.law.median(*self.shapes, **self.named)

    def var(self):
        return self.law.var(*self.shapes, **self.named)

    def std(self):
        return self.law.std(*self.shapes, **self.named)

    def entropy(self):
        return self.law.entropy(*self.shapes, **self.named)


def frozen(law: Any) -> type[Frozen] | None:
    """The class that stands in for a distribution with parameters; None if it is no distribution."""
    stats = sys.modules.get("scipy.stats")
    if stats is None or not str(type(law).__module__).startswith(HOME):
        return None
    continuous = isinstance(law, (stats.rv_continuous, stats.rv_discrete))
    return _class_of(law) if continuous or (hasattr(law, "logpdf") and callable(law)) else None


@cache
def _class_of(law: Any) -> type[Frozen]:
    return type(f"Frozen_{getattr(law, 'name', '') or 'law'}", (Frozen,), {"law": law})


def methods(law: Any) -> frozenset[str]:
    """What may be asked of a distribution with parameters."""
    return ASKED | TOLD if hasattr(law, "cdf") and hasattr(law, "ppf") else OF_VECTORS


def parameters(asked: Any) -> tuple[Any, tuple[Any, ...], dict[str, Any]] | None:
    """The method of a distribution that a method of one with parameters asks, and the parameters."""
    owner: Any = getattr(asked, "__self__", None)
    name = getattr(asked, "__name__", "")
    if not (hasattr(owner, "kwds") and type(owner).__module__.startswith(HOME)):
        return None
    method = getattr(owner.dist, name, None) if name in ASKED | TOLD else None
    return None if method is None else (method, owner.args, owner.kwds)
