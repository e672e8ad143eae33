"""Statements that are never done to their end, so that nothing needs to be known of what they make.

In: a statement and the kinds before it.
Out: whether it raises, or waits for what is not known yet.
Next: functions.
"""

from __future__ import annotations

from collections.abc import Collection

import gast

from tangentlite.analysis.environment import Environment
from tangentlite.analysis.kinds import CONTAINERS, Inert, Nothing, Num, Pending

FOR_TEXT = (gast.Mult, gast.Mod)  # what a text and a number have in common


def never_done(
    statement: gast.stmt, reads: Collection[str], state: Environment, around: Collection[str] = ()
) -> bool:
    """Whether a statement reads what no path has given yet, takes a part or an attribute of None, or computes with it.

    Nor does one that adds a number to a text, or the like. ``reads``: the names that it reads; ``around``: those that a
    loop around it binds.

    >>> from tangentlite import syntax
    >>> state = Environment().bind("weights", Nothing()).bind("v", Num())
    >>> statements = syntax.parse("y = weights[0]; y = v * weights; y = v * 2.0")
    >>> [never_done(s, syntax.loads(s), state) for s in statements]
    [True, True, False]
    """

    def absent(node: gast.expr) -> bool:
        return isinstance(node, gast.Name) and isinstance(state.get(node.id), Nothing)

    for name in reads:
        kind = state.get(name)
        if isinstance(kind, Pending) or (kind is None and name in around):
            return True
    match getattr(statement, "value", None):
        case gast.Subscript(value=value) | gast.Call(func=value):
            owner = value.value if isinstance(value, gast.Attribute) else value
            of_none = isinstance(value, gast.Attribute) and hasattr(None, value.attr)
            return absent(owner) and not of_none
        case gast.Attribute(value=value, attr=attr):
            return absent(value) and not hasattr(None, attr)
        case gast.BinOp(left=left, right=right) if absent(left) or absent(right):
            other = right if absent(left) else left
            known = state.get(other.id) if isinstance(other, gast.Name) else Nothing()
            return isinstance(known, (Num, Nothing, *CONTAINERS))
        case gast.BinOp(left=gast.Name(id=left), op=op, right=gast.Name(id=right)):
            return not isinstance(op, FOR_TEXT) and _text_and_number(
                state.get(left), state.get(right)
            )
    return False


def _text_and_number(*kinds: object) -> bool:
    texts = [isinstance(k, Inert) and k.type == "str" for k in kinds]
    numbers = [isinstance(k, Num) for k in kinds]
    return any(texts) and any(numbers)
