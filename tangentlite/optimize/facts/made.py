"""Made: names that hold arrays and numbers of NumPy, which have methods, and raise no ``OverflowError``.

In: the statements of a function, ``Scope``, the parameters that are arrays.
Out: ``Made``, which tells whether NumPy gives what an expression is.
Next: methods.
"""

from __future__ import annotations

from typing import Any

import gast
import numpy as np

from tangentlite import runtime
from tangentlite.optimize.facts.popped import popped
from tangentlite.optimize.facts.scope import Scope

ELEMENTWISE = frozenset(f for f in vars(np).values() if isinstance(f, np.ufunc) and f.nout == 1)
MAKERS: tuple[Any, ...] = (
    *(np.zeros, np.ones, np.empty, np.zeros_like, np.ones_like, np.empty_like, np.linspace),
    *(np.sum, np.mean, np.dot, np.outer, np.einsum, runtime.einsum, np.roll, np.diff, np.cumsum),
    *(np.concatenate, np.stack, np.vstack, np.hstack, np.pad, np.fft.fft, np.fft.ifft),
)
GIVEN = ELEMENTWISE.union(MAKERS)  # what gives arrays, or numbers of NumPy


class Made:
    """What is known of the names of a function."""

    def __init__(
        self, body: list[gast.stmt], scope: Scope, arrays: frozenset[str] = frozenset()
    ) -> None:
        self._scope = scope
        values: dict[str, list[gast.expr | None]] = {name: [None] for name in scope.params}
        values |= {name: [] for name in arrays}
        for name, value in popped(body, scope.params):
            values.setdefault(name, []).append(value)
        self._numpy, before = set(values), 0
        while len(self._numpy) != before:  # in the order of the text, so that twice is enough
            before = len(self._numpy)
            for name in [n for n in values if n in self._numpy]:
                if not all(v is not None and self.is_made(v) for v in values[name]):
                    self._numpy.discard(name)

    def is_made(self, tree: gast.expr) -> bool:
        """Whether NumPy gives what an expression is: it has methods."""
        match tree:
            case gast.Name(id=name):
                return name in self._numpy
            case gast.BinOp(op=gast.MatMult()):
                return True
            case gast.BinOp(left=left, right=right):
                return self.is_made(left) or self.is_made(right)
            case gast.UnaryOp(op=gast.USub(), operand=operand):
                return self.is_made(operand)
            case gast.Call(func=gast.Attribute(value=owner, attr="copy"), args=[]):
                return self.is_made(owner)
            case gast.Call(func=func):
                return self._scope.purity.means(func, GIVEN)
        return False
