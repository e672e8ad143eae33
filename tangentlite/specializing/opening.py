"""The first lines of a specialized derivative: what it was written for, and what raises where that does not hold.

In: a derivative as trees, facts of its arguments, axes that are equally long.
Out: the derivative with these lines in place of the general check.
Next: specializing.
"""

from __future__ import annotations

import builtins
from collections.abc import Mapping, Sequence
from types import CellType
from typing import Any

import gast
import numpy as np

from tangentlite import ir, runtime, syntax
from tangentlite.naming import Names
from tangentlite.optimize.comments import tidy
from tangentlite.runtime.edges.entry import is_alike, unfit
from tangentlite.specializing.facts import Fact
from tangentlite.values import replace


def opened(
    derived: ir.Derived, facts: Mapping[str, Fact], same: Sequence[tuple[str, ...]]
) -> ir.Derived:
    """The same derivative, for arguments like the examples only."""
    first, *rest = derived.functions
    lines = _Lines(first)
    body: list[gast.stmt] = [syntax.comment("Specialized for " + _shown(facts, same))]
    for name, known in facts.items():
        body.append(lines.kind(name, known))
    body += [lines.shape(axes) for axes in same]
    sweeps = tidy([s for s in first.body if not _checks(first, s)], top=True)
    function = first.with_body([*body, *sweeps])
    function = replace(function, namespace=function.namespace.extended(lines.cells))
    return replace(derived, functions=(function, *rest))


def _shown(facts: Mapping[str, Fact], same: Sequence[tuple[str, ...]]) -> str:
    said = [f"{name}: {known.wanted}" for name, known in facts.items()]
    return "; ".join([*said, *map(" == ".join, same)])


def _checks(function: ir.Function, statement: gast.stmt) -> bool:
    """Whether a statement is the check that arguments are numbers, or like defaults."""
    match statement:
        case gast.Expr(value=gast.Call(func=gast.Attribute(value=gast.Name(id=rt), attr=attr))):
            space = function.namespace
            known = space.binds(rt) and space.lookup(rt) is runtime
            return known and attr in ("numbers", "alike")
    return False


class _Lines:
    """Writes tests; ``cells`` holds what they name."""

    def __init__(self, function: ir.Function) -> None:
        self.function = function
        self.names = Names(
            function.local | function.namespace.cells.keys() | set(function.namespace.globals)
        )
        self.cells: dict[str, CellType] = {}
        self.known: dict[int, str] = {}

    def denoted(self, wish: str, value: Any) -> str:
        """A name that means a value in the text."""
        space = self.function.namespace
        if wish not in self.function.local and space.binds(wish) and space.lookup(wish) is value:
            return wish
        if id(value) not in self.known:
            name = self.known[id(value)] = self.names.fresh(wish)
            self.cells[name] = CellType(value)
        return self.known[id(value)]

    def kind(self, name: str, known: Fact) -> gast.stmt:
        """``if type(x) is not float: raise TypeError(…)``."""
        test = syntax.expression(known.misfit)
        builtin = ("type", "float", "int", "bool", "complex", "str", "bytes")
        used = syntax.loads(test)
        holes: dict[str, syntax.Hole] = {
            b: self.denoted(b, getattr(builtins, b)) for b in builtin if b in used
        }
        if "np" in used:
            holes["np"] = self.denoted("np", np)
        if "is_alike" in used:
            holes["is_alike"] = self.denoted("is_alike", is_alike)
            holes["y"] = self.denoted(f"example_{name}", known.like)
        test = syntax.substitute(test, {**holes, "x": name})
        wanted = syntax.constant(known.wanted)
        unfit_ = self.denoted("unfit", unfit)
        said = syntax.expression("f(n, x, w)", f=unfit_, n=syntax.constant(name), x=name, w=wanted)
        return self._raising(test, TypeError, said)

    def shape(self, axes: tuple[str, ...]) -> gast.stmt:
        """``if not w.shape[1] == b.shape[0]: raise ValueError(…)``."""
        wanted = " == ".join(axes)
        said = syntax.constant(f"specialized for {wanted}")
        return self._raising(syntax.expression(f"not {wanted}"), ValueError, said)

    def _raising(self, test: gast.expr, error: type, said: gast.expr) -> gast.stmt:
        name, text = self.denoted(error.__name__, error), "if test:\n    raise error(said)"
        (statement,) = syntax.quote(text, test=test, error=name, said=said)
        return statement
