"""Spread: which names hold numbers of NumPy: what is read from an array, and whatever is computed with that.

In: ``Sorts``, ``Purity``.
Out: ``Spread``: ``of(expression)``.
Next: numbers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

import gast

from tangentlite import runtime, syntax
from tangentlite.optimize.facts.purity import Purity
from tangentlite.optimize.numbers.forms import FLOAT, Tape, is_array
from tangentlite.optimize.numbers.sorts import Binding, Sorts

PYTHON = (float, int, len, *(f for f in vars(math).values() if callable(f)))
CHOOSING = (abs, max, min)
HANDING = (runtime.sequence, runtime.unpack)
Combined = Callable[[Iterable[bool]], bool]


class Spread:
    """Which values are numbers of NumPy. What a name holds to begin with, a number that is written out, does not count.

    >>> from tangentlite.optimize.samples import function, sample_is_pure
    >>> text = "a = 0.0\\nfor i in range(n):\\n    a = a + x[i]\\n    c = float(x[i])\\n    d = x[0] if i else c"
    >>> f = function(text)
    >>> purity = Purity(f.namespace, f.local, sample_is_pure)
    >>> spread = Spread(Sorts(f.body, {"x": 1, "n": "int"}, purity), purity)
    >>> [spread.of(syntax.name(name)) for name in "acd"]
    [True, False, None]
    """

    def __init__(self, sorts: Sorts, purity: Purity) -> None:
        self._sorts, self._means = sorts, purity.means
        self._bindings = [
            (b.name, self._from(b))
            for b in sorts.bindings
            if not isinstance(b.value, gast.Constant)
        ]
        self._values: dict[str, list[gast.expr | None]] = {}
        for name, value in self._bindings:
            self._values.setdefault(name, []).append(value)
        written = {b.name for b in sorts.bindings if isinstance(b.value, gast.Constant)}
        self._any, self._all = set[str](), {name for name, _ in self._bindings} - sorts.given
        while found := {n for n, v in self._bindings if self._is(v, self._any, any)} - self._any:
            self._any |= found
        while lost := {n for n in self._all if not self._stays(n, n in written)}:
            self._all -= lost

    def _from(self, binding: Binding) -> gast.expr | None:
        """What a name is bound to; a part of an array as that."""
        value, path = binding.value, binding.path
        if path and value is not None and is_array(self._sorts.of(value)):
            return gast.Subscript(value, syntax.constant(path[0]), gast.Load())
        return value

    def _stays(self, name: str, begins: bool) -> bool:
        """Whether all that a name is bound to are numbers of NumPy, also if the name ``begins`` as a float."""
        names = self._all - {name} if begins else self._all
        return all(self._is(value, names, all) for value in self._values[name])

    def of(self, tree: gast.expr) -> bool | None:
        """Whether a value is a number of NumPy; None if it may be one or the other."""
        is_one, may_be = self._is(tree, self._all, all), self._is(tree, self._any, any)
        return is_one if is_one == may_be else None

    def _is(self, tree: Any, names: set[str], combined: Combined) -> bool:
        """Whether a value is one, if these names hold such; of what is chosen ``any`` is enough, or ``all`` must be."""
        match tree:
            case gast.Name(id=name):
                return name in names
            case gast.Subscript(value=value) if isinstance(self._sorts.of(value), tuple):
                return self._is(value, names, combined)  # a part of a tuple, or of a list
            case gast.List(elts=elts) | gast.Tuple(elts=elts):
                return combined(self._is(part, names, combined) for part in elts)
            case gast.Subscript():
                return bool(self._sorts.of(tree) == FLOAT)
            case gast.IfExp(body=body, orelse=orelse):
                return combined(self._is(part, names, combined) for part in (body, orelse))
            case gast.Call(func=func, args=args):
                if self._means(func, HANDING):
                    return self._is(args[0], names, combined)
                if self._means(func, CHOOSING):
                    if len(args) == 1 and is_array(self._sorts.of(args[0])):
                        return True
                    return combined(self._is(part, names, combined) for part in args)
                if isinstance(func, gast.Attribute) and isinstance(
                    self._sorts.of(func.value), Tape
                ):
                    return self._is(func.value, names, combined)
                return not self._means(func, PYTHON)
        return any(self._is(part, names, combined) for part in syntax.children(tree))
