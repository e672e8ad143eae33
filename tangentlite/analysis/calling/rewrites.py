"""Statements that stand for a call, once it is known what is called.

In: a function.
Out: ``Rewrites``: what was found for its statements, and the names that this takes.
Next: atoms.
"""

from __future__ import annotations

from collections.abc import Hashable, Set
from types import CellType, ModuleType
from typing import Any

import gast
import numpy as np

from tangentlite import ir, syntax
from tangentlite.analysis.classes.meant import Meant
from tangentlite.lowering import Normal
from tangentlite.lowering.rewriting import within
from tangentlite.naming import Names, written
from tangentlite.values import field, mutable, replace


@mutable
class Rewrites:
    """``found``: for statements, what they are found to mean and for which kinds. ``namespace`` has what that names.

    ``late``: those whose meaning depends on what is in lists and objects, which the statements before may change;
    ``waiting``: the places of others that were found to be such.
    """

    names: Names
    waiting: Set[Hashable] = frozenset()
    function: ir.Function = field(init=False)
    namespace: ir.Namespace = field(init=False)
    locals: set[str] = field(init=False)
    found: dict[gast.stmt, tuple[Any, list[gast.stmt]]] = field(default_factory=dict)
    late: set[gast.stmt] = field(default_factory=set)
    cells: dict[str, CellType] = field(default_factory=dict)
    meant: Meant = field(default_factory=dict)
    _known: dict[int, str] = field(default_factory=dict)

    def begin(self, function: ir.Function) -> None:
        """Forget what was found for another text."""
        self.function, self.namespace = function, function.namespace
        self.locals = set(function.local)

    def temporary(self) -> str:
        """A new local name."""
        name = self.names.numbered("t")
        self.locals.add(name)
        return name

    def denoted(self, value: Any, wish: str = "") -> gast.expr:
        """An expression that means ``value``: as the user's module names it, if it does."""
        name = self._known.get(id(value))
        if name is None:
            wish = wish or written(value)
            wish = wish if wish.isidentifier() else "f"
            name = self._known[id(value)] = self._given(value, wish) or self._named(value, wish)
        return syntax.expression(name)

    def _given(self, value: Any, wish: str) -> str | None:
        """The user's own name of a value."""
        if self._means(wish, value):
            return wish
        module = str(getattr(value, "__module__", None) or "")
        for name in (module, "np" if isinstance(value, np.ufunc) or module == "numpy" else "rt"):
            if name and name not in self.locals and self.namespace.binds(name):
                owner = self.namespace.lookup(name)
                if isinstance(owner, ModuleType) and getattr(owner, wish, None) is value:
                    return f"{name}.{wish}"
        return None

    def _means(self, name: str, value: Any) -> bool:
        if name in self.locals or not self.namespace.binds(name):
            return False
        return self.namespace.lookup(name) is value

    def _named(self, value: Any, wish: str) -> str:
        if wish not in self.names and self.namespace.binds(wish):
            self.names.reserve(wish)
        name = self.names.fresh(wish)
        self.cells[name] = CellType(value)
        self.namespace = self.namespace.extended({name: self.cells[name]})
        return name


def rewritten(normal: Normal, rewrites: Rewrites) -> Normal:
    """The normal form with what stands for its statements; for the first that is late, if there are no others."""
    here = [s for s in syntax.statements(normal.function.body) if s in rewrites.found]
    if all(s in rewrites.late for s in here):
        rewrites.late -= set(here[:1])
    sources = dict(normal.sources)
    body = _block(normal.function.body, rewrites, sources)
    namespace = normal.function.namespace.extended(rewrites.cells)
    function = replace(normal.function.with_body(body), namespace=namespace)
    return replace(normal, function=function, sources=sources)


def _block(
    body: list[gast.stmt], rewrites: Rewrites, sources: dict[gast.stmt, gast.stmt]
) -> list[gast.stmt]:
    result: list[gast.stmt] = []
    for statement in body:
        if statement in rewrites.found and statement not in rewrites.late:
            others = rewrites.found[statement][1]
            _inherit(others, sources[statement], sources)
            result += _block(others, rewrites, sources)
            continue
        result.append(within(statement, lambda block: _block(block, rewrites, sources), sources))
    return result


def _inherit(
    statements: list[gast.stmt], source: gast.stmt, sources: dict[gast.stmt, gast.stmt]
) -> None:
    for statement in statements:
        sources[statement] = source
        for block in syntax.blocks(statement):
            _inherit(block, source, sources)
