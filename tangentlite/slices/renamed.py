"""Renamed: an argument that is bound anew has another name from there on, so that each name holds one array.

In: a function as it was read, what its arguments are.
Out: ``renamed``.
Next: prepared.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gast
import numpy as np

from tangentlite import rules, syntax
from tangentlite.ir import Function
from tangentlite.optimize.facts.purity import Purity
from tangentlite.optimize.numbers.forms import Form, is_array
from tangentlite.optimize.replace import exchanged

DOUBLE = (float, np.float64, np.double)


def renamed(function: Function, given: Mapping[str, Form]) -> Function:
    """``u_own = u.copy()`` for ``u = u.copy()``, if that is done once for all; ``np.asarray(u)`` of an array is ``u``.

    >>> from tangentlite.optimize.samples import function, text_of
    >>> made = function("x = np.asarray(x, dtype=float)\\nx = x.copy()\\nfor i in range(n):\\n    x[i] = x[i - 1]")
    >>> print(text_of(renamed(made, {"x": 1}).body))
    x_own = x.copy()
    for i in range(n):
        x_own[i] = x_own[i - 1]
    """
    left, before = _without_conversions(function, given), set[str]()
    taken, body = set(function.local | function.read), list[Any]()
    while left:
        statement, *left = left
        match statement:
            case gast.Assign(targets=[gast.Name(id=name)]) if is_array(given.get(name)):
                if name not in before:
                    fresh = _fresh(f"{name}_own", taken)
                    left = [_named(s, name, fresh) for s in left]
                    statement = syntax.at(syntax.assign(fresh, statement.value), statement)
        before |= syntax.stores([statement])
        body.append(statement)
    return function.with_body(body) if body != function.body else function


def _without_conversions(function: Function, given: Mapping[str, Form]) -> list[gast.stmt]:
    """The statements without those, where it begins, that make arrays of what are arrays already."""
    purity = Purity(function.namespace, function.local, rules.is_pure)
    for k, statement in enumerate(function.body):
        match statement:
            case gast.Assign(
                targets=[gast.Name(id=name)],
                value=gast.Call(func=func, args=[gast.Name(id=same), *rest], keywords=keywords),
            ) if name == same and is_array(given.get(name)) and purity.means(func, (np.asarray,)):
                types = [*rest, *(key.value for key in keywords if key.arg == "dtype")]
                if len(types) == len(rest) + len(keywords) <= 1:
                    if all(purity.means(t, DOUBLE) for t in types):
                        continue
        if k == 0:
            break
        return function.body[k:]
    return function.body


def _named(statement: Any, name: str, fresh: str) -> Any:
    """A statement with another name for a name."""
    found = [n for n in syntax.nodes([statement]) if isinstance(n, gast.Name) and n.id == name]
    holes = {id(node): _like(node, fresh) for node in found}
    return exchanged(statement, holes) if holes else statement


def _like(node: gast.Name, fresh: str) -> gast.expr:
    made = gast.Name(fresh, node.ctx, node.annotation, node.type_comment)
    return syntax.at(made, node)


def _fresh(wish: str, taken: set[str]) -> str:
    while wish in taken:
        wish += "_"
    taken.add(wish)
    return wish
