"""Methods of lists, dicts and arrays that have names of their own: `push = out.append` and then `push(v)`.

In: the statements of a function.
Out: the same statements; the method is called by its own name.
Next: named.
"""

from __future__ import annotations

import ast
import collections
from collections import Counter
from collections.abc import Sequence
from typing import Any

import gast
import numpy as np

from tangentlite import scopes, syntax
from tangentlite.lowering.context import Context, read, remade

Body = list[Any]
METHODS = frozenset(n for owner in (list, dict, set, np.ndarray) for n in dir(owner) if n[0] != "_")


def ordered(body: Body, context: Context) -> Body:
    """Dicts are ordered: `OrderedDict(a=x)` is `dict(a=x)`."""
    made = [c for c in context.contents(body).calls if _is_ordered(c, context)]
    if not made:
        return body
    said = _Said({}, context, made)
    return [said.tree(s) for s in body]


def _is_ordered(call: gast.Call, context: Context) -> bool:
    return context.meaning(call.func) is collections.OrderedDict


def spelled(body: Body, context: Context) -> Body:
    """``push(v)`` is ``out.append(v)``.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("out = []\\npush = out.append\\nfor v in x:\\n    push(v)\\nreturn out", "x"))
    out = []
    t1 = rt.sequence(x)
    t2 = len(t1)
    for i in range(t2):
        v = t1[i]
        out.append(v)
    return out
    """
    if not any(_gives_name(s, context) for s in syntax.statements(body)):
        return body
    nodes = list(scopes.inside(body))
    found = {n.targets[0].id: n for n in nodes if _gives_name(n, context)}
    if not found:
        return body
    bound, read = syntax.times_stored(body), syntax.times_loaded(body)
    called = Counter(getattr(n.func, "id", "") for n in nodes if isinstance(n, gast.Call))
    params = {p.name for p in context.function.params}
    once = {name for s in body for name in _bound_here(s) if bound[name] == 1} - params
    steady = once | {name for name in params if not bound[name]}
    known = {
        name: made.value
        for name, made in found.items()
        if name in once and name not in params and read[name] == called[name]
        if made.value.value.id in steady
    }
    said = _Said(known, context)
    return [said.tree(s) for s in body if _target(s) not in known] if known else body


def _target(statement: Any) -> str | None:
    match statement:
        case gast.Assign(targets=[gast.Name(id=name)]):
            return str(name)
    return None


def _bound_here(statement: Any) -> set[str]:
    """The names that a statement of the function's own block binds."""
    return (
        syntax.stores(statement) if isinstance(statement, gast.Assign | gast.AnnAssign) else set()
    )


def _gives_name(node: Any, context: Context) -> bool:
    match node:
        case gast.Assign(
            targets=[gast.Name()], value=gast.Attribute(value=gast.Name(id=owner), attr=attr)
        ):
            return attr in METHODS and owner in context.locals
    return False


class _Said:
    """Trees in which methods are called by their names."""

    def __init__(self, known: dict[str, Any], context: Context, dicts: Sequence[Any] = ()) -> None:
        self.known, self.context, self.dicts = known, context, set(dicts)

    def tree(self, node: Any) -> Any:
        """The same tree where there is no such call."""
        if isinstance(node, list):
            return [self.tree(n) for n in node]
        if not isinstance(node, ast.AST) or not (self.dicts or syntax.mentions(node, self.known)):
            return node
        fields = {name: self.tree(getattr(node, name, None)) for name in node._fields}
        if isinstance(node, gast.Call) and getattr(node.func, "id", "") in self.known:
            fields["func"] = syntax.copy(self.known[node.func.id])
        if node in self.dicts:
            fields["func"] = read(self.context.builtin("dict", node), node)
        new = remade(node, **fields)
        if isinstance(node, gast.stmt):
            self.context.made[new] = self.context.made.get(node, node)
        return new
