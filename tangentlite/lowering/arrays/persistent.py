"""Statements about arrays that keep their versions, in terms of plain arrays and of a few rules.

In: a normal form, and its statements that read such arrays or move their handles.
Out: a normal form in which arithmetic is done with ``np.asarray(p)``, and handles are bound or stored into.
Next: analysis.
"""

from __future__ import annotations

from collections.abc import Mapping

import gast
import numpy as np

from tangentlite import syntax
from tangentlite.lowering.context import Normal
from tangentlite.lowering.rewriting import Lines, Rewriting

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
    return _Plain(normal, found).run()


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


class _Plain(Rewriting):
    def __init__(self, normal: Normal, found: Mapping[gast.stmt, tuple[str, ...]]) -> None:
        super().__init__(normal)
        self.found = found

    def block(self, body: Lines) -> Lines:
        result: Lines = []
        for statement in body:
            if statement in self.found:
                names = self.found[statement]
                new = self._read(statement, names) if names else self._moved(statement)
                result += self.placed(new, statement)
                continue
            result.append(self.inside(statement))
        return result

    def _read(self, statement: gast.stmt, names: tuple[str, ...]) -> Lines:
        made = {name: self.names.numbered("t") for name in names}
        text = "t = np.asarray(p)"
        before = [syntax.quote(text, t=t, p=p, np=self.name(np, "np"))[0] for p, t in made.items()]
        if isinstance(statement, gast.Assign):
            value = syntax.substitute(statement.value, dict(made))
            return [*before, gast.Assign(statement.targets, value, None)]
        return [*before, syntax.substitute(statement, dict(made))]

    def _moved(self, statement: gast.stmt) -> Lines:
        call = call_of(statement)
        assert call is not None
        holes: dict[str, syntax.Hole] = dict(zip("ab", call.args))
        holes |= {"p": call.func.value.id, "q": self.names.numbered("t")}
        bound = isinstance(statement, gast.Assign)
        holes["y"] = statement.targets[0].id if bound else self.names.numbered("t")
        return syntax.quote(MOVES[call.func.attr][0], **holes)
