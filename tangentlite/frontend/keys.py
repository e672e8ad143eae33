"""A key that is computed is computed once, before the statement that begins with it.

In: a function, and the names of its `defaultdict` and `Counter`.
Out: the function, in which such a key is a name.
Next: counters.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import gast

from tangentlite import syntax
from tangentlite.ir import Function
from tangentlite.naming import Names

STEADY: tuple[Any, ...] = (gast.Name, gast.Constant, gast.Tuple, gast.Subscript, gast.Attribute)
STEADY += (gast.BinOp, gast.UnaryOp, gast.Compare, gast.BoolOp, gast.IfExp)
STEADY += (gast.JoinedStr, gast.FormattedValue)
STEADY += (gast.operator, gast.unaryop, gast.cmpop, gast.boolop, gast.expr_context)
PURE = frozenset(("int", "str", "bool", "abs", "min", "max", "round"))


def is_steady(key: Any, own: Collection[str] = ()) -> bool:
    """Whether a key may be said twice: nothing is called in it but what makes a number or a text of others.

    >>> is_steady(syntax.expression("'even' if i % 2 == 0 else str(i)")), is_steady(syntax.expression("len(d)"))
    (True, False)
    """
    known = PURE.difference(own)
    return all(
        isinstance(n, STEADY) or (isinstance(n, gast.Call) and syntax.dotted(n.func) in known)
        for n in syntax.walk(key)
    )


def keyed(function: Function, names: Collection[str]) -> Function:
    """``d[hash(v)] += v`` is ``key = hash(v)`` and ``d[key] += v``.

    >>> from tangentlite.lowering.example import function
    >>> made = keyed(function("d[hash(x)] += x\\nd[len(d)].append(x)\\nreturn d", "x, d"), {"d"})
    >>> print("\\n".join(map(syntax.unparse, made.body)))
    key = hash(x)
    d[key] += x
    key_1 = len(d)
    d[key_1].append(x)
    return d
    """
    fresh = Names({*function.contents.names, *function.local})

    def step(statement: Any) -> list[Any]:
        first = _first(statement, names)
        if first is None or is_steady(first.slice, function.local):
            return [statement]
        name = fresh.fresh("key")
        (bound,) = syntax.quote("k = e", k=name, e=first.slice)
        for part in syntax.walk(bound):
            syntax.at(part, statement)
        first.slice = syntax.at(syntax.expression(name), statement)
        return [bound, statement]

    tree = syntax.copy(function.tree)
    return function.with_body(syntax.rewrite(tree.body, step))


def _first(statement: Any, names: Collection[str]) -> Any:
    """The element of one of these that a statement evaluates before all else."""
    match statement:
        case gast.AugAssign(target=node) | gast.Expr(value=node):
            pass
        case gast.Assign(value=node) | gast.Return(value=node):
            pass
        case _:
            return None
    while node is not None:
        match node:
            case gast.Subscript(value=base) if syntax.dotted(base) in names:
                return node
            case gast.Call(func=inner) | gast.Attribute(value=inner) | gast.Subscript(value=inner):
                node = inner
            case gast.BinOp(left=inner) | gast.Compare(left=inner):
                node = inner
            case _:
                return None
    return None
