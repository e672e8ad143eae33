"""Statements about arrays that keep their versions, in terms of plain arrays and of a few rules.

In: a normal form, and its statements that read such arrays or move their handles.
Out: a normal form in which arithmetic is done with ``np.asarray(p)``, and handles are bound or stored into.
Next: analysis.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import CellType

import gast
import numpy as np

from tangentlite import syntax
from tangentlite.lowering.augmented import with_block
from tangentlite.lowering.context import Normal, name_of
from tangentlite.values import replace

# What a method does to the handle, the number of its arguments, and whether it has a result.
MOVES = {
    "set": ("y = p.version()\ny[a] = b", 2),
    "append": ("q = p.insert(a)\np = q", 1),
    "pop": ("y = p[-1]\nq = p.delete()\np = q", 0),
}


def plain(normal: Normal, found: Mapping[gast.stmt, tuple[str, ...]]) -> Normal:
    """``y = np.sin(p)`` becomes ``t = np.asarray(p); y = np.sin(t)``; ``found``: names of arrays by statement.

    No names: the statement is a call of a method in ``MOVES``.
    """
    return _Rewriting(normal, found).run()


def call_of(statement: gast.stmt) -> gast.Call | None:
    """The call of a method on a name, if a statement is that."""
    value = statement.value if isinstance(statement, (gast.Assign, gast.Expr)) else None
    match value:
        case gast.Call(func=gast.Attribute(value=gast.Name())):
            return value
    return None


def moved(statement: gast.stmt) -> str | None:
    """The name of the array, if a statement calls a method in ``MOVES``."""
    call = call_of(statement)
    if call is None or call.func.attr not in MOVES or call.keywords:
        return None
    if isinstance(statement, gast.Assign) and "y" not in MOVES[call.func.attr][0]:
        return None
    name: str = call.func.value.id
    return name if len(call.args) == MOVES[call.func.attr][1] else None


def is_value(statement: gast.stmt) -> bool:
    """Whether a call of a method in ``MOVES`` leaves the handle that it is called of."""
    call = call_of(statement)
    return call is not None and call.func.attr == "set"


class _Rewriting:
    def __init__(self, normal: Normal, found: Mapping[gast.stmt, tuple[str, ...]]) -> None:
        self.normal, self.found = normal, found
        self.names, self.sources = normal.names.copy(), dict(normal.sources)
        self.cells: dict[str, CellType] = {}

    def run(self) -> Normal:
        function = self.normal.function
        function = function.with_body(self._block(function.body))
        function = replace(function, namespace=function.namespace.extended(self.cells))
        return replace(self.normal, function=function, sources=self.sources, names=self.names)

    def _block(self, body: list[gast.stmt]) -> list[gast.stmt]:
        result: list[gast.stmt] = []
        for statement in body:
            if statement in self.found:
                names = self.found[statement]
                new = self._read(statement, names) if names else self._moved(statement)
                result += [self._placed(s, statement) for s in new]
                continue
            for field in ("body", "orelse"):
                inner = getattr(statement, field, None)
                if isinstance(inner, list) and inner:
                    block = self._block(inner)
                    if len(block) != len(inner) or any(a is not b for a, b in zip(block, inner)):
                        statement = with_block(statement, field, block, self.sources)
            result.append(statement)
        return result

    def _read(self, statement: gast.stmt, names: tuple[str, ...]) -> list[gast.stmt]:
        made = {name: self.names.numbered("t") for name in names}
        text = "t = np.asarray(p)"
        before = [syntax.quote(text, t=t, p=p, np=self._numpy())[0] for p, t in made.items()]
        if isinstance(statement, gast.Assign):
            value = syntax.substitute(statement.value, dict(made))
            return [*before, gast.Assign(statement.targets, value, None)]
        return [*before, syntax.substitute(statement, dict(made))]

    def _moved(self, statement: gast.stmt) -> list[gast.stmt]:
        call = call_of(statement)
        assert call is not None
        holes: dict[str, syntax.Hole] = dict(zip("ab", call.args))
        holes |= {"p": call.func.value.id, "q": self.names.numbered("t")}
        bound = isinstance(statement, gast.Assign)
        holes["y"] = statement.targets[0].id if bound else self.names.numbered("t")
        return syntax.quote(MOVES[call.func.attr][0], **holes)

    def _placed(self, new: gast.stmt, statement: gast.stmt) -> gast.stmt:
        for node in syntax.walk(new):
            syntax.at(node, statement)
        self.sources[new] = self.sources[statement]
        return new

    def _numpy(self) -> str:
        return name_of(np, "np", self.normal, self.names, self.cells)
