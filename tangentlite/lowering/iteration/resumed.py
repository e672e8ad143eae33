"""Iterators that nobody follows: what a loop leaves of one would be lost, since loops walk over sequences.

In: the statements of a function, in which the iterators that are followed are gone.
Out: the same, with a question before each loop that may be left and walks over what is read elsewhere, too.
Next: exits.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import gast

from tangentlite import scopes, syntax
from tangentlite.errors import UnsupportedSyntaxError
from tangentlite.lowering.context import Context
from tangentlite.lowering.iteration.iterators import is_followed

UNFOLLOWED = "an iterator that is captured, handed on or bound beside others is not supported yet"
FOLLOW = "Bind it by `it = iter(items)`, for this function only, or walk over `list(items)`."
SEQUENCES = (gast.List, gast.Tuple, gast.ListComp, gast.Dict, gast.DictComp, gast.BinOp)


def whole(body: list[Any], context: Context) -> list[Any]:
    """``for v in xs: …; break`` asks whether ``xs`` can be walked over again.

    >>> from tangentlite.lowering.example import lowered
    >>> text = "xs = g(x)\\nfor v in xs:\\n    if v > 1:\\n        return v\\nreturn h(xs)"
    >>> print(lowered(text, "x").splitlines()[1])
    rt.no_iterator(xs)
    """
    found = context.contents(body)
    left = gast.For in found.kinds and any(map(_may_be_left, syntax.statements(body)))
    if not left and not any(_begins(call, context) for call in found.calls):
        return body
    nodes = list(scopes.inside(body))
    begun = {
        a for n in nodes if isinstance(n, gast.Call) and is_followed(n, context) for a in n.args
    }
    for node in nodes:
        if _begins(node, context) and node not in begun:
            place = context.function.origin.place(node)
            raise UnsupportedSyntaxError(UNFOLLOWED, place, FOLLOW)
    if not any(map(_may_be_left, nodes)):
        return body
    read = Counter(n.id for n in nodes if isinstance(n, gast.Name) and _is_read(n))
    made = {n.targets[0].id for n in nodes if _makes_sequence(n, context)}

    def asked(statement: Any) -> list[Any]:
        if _may_be_left(statement):
            name = statement.iter.id
            if read[name] > 1 and name not in made and name not in context.positions:
                before = context.quote("rt.no_iterator(xs)", statement, rt=context.rt(), xs=name)
                return [*before, statement]
        return [statement]

    return syntax.rewrite(body, asked)


def _may_be_left(node: Any) -> bool:
    """Whether a node is a loop over what has a name, which may end before that does, or whose body asks for more."""
    if not isinstance(node, gast.For) or not isinstance(node.iter, gast.Name):
        return False
    inner = list(scopes.inside(node.body))
    more = (
        n.args[:1] for n in inner if isinstance(n, gast.Call) and syntax.dotted(n.func) == "next"
    )
    if any(isinstance(n, gast.Name) and n.id == node.iter.id for args in more for n in args):
        return True
    return any(isinstance(n, gast.Break | gast.Return) for n in inner)


def _is_read(node: gast.Name) -> bool:
    return isinstance(node.ctx, gast.Load)


def _makes_sequence(node: Any, context: Context) -> bool:
    """Whether a statement binds a name to what is no iterator."""
    match node:
        case gast.Assign(targets=[gast.Name()], value=gast.Call(func=func)):
            found = context.meaning(func)
            library = str(getattr(found, "__module__", "")).partition(".")[0] == "numpy"
            return library or found in (list, tuple, sorted, dict, range)
        case gast.Assign(targets=[gast.Name()], value=value):
            return isinstance(value, SEQUENCES)
    return False


def _begins(node: Any, context: Context) -> bool:
    return isinstance(node, gast.Call) and context.meaning(node.func) is iter
