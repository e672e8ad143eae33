"""Marks where memory was written, and what is left of a body without them.

In: the body of a backward sweep.
Out: the body without marks.
Next: restoring.
"""

from __future__ import annotations

import gast

from tangentlite import syntax
from tangentlite.differentiate.adjoints import Body
from tangentlite.differentiate.blocks.again import Again
from tangentlite.differentiate.statements import Restored


def tidy(body: Body) -> None:
    """Drop marks, and compound statements that are empty without them."""
    body[:] = [s for s in body if not isinstance(s, Restored) and not _empty(s)]


def _empty(statement: gast.stmt) -> bool:
    match statement:
        case gast.If(body=body, orelse=orelse):
            tidy(body)
            tidy(orelse)
            if not body and orelse:
                statement.test = gast.UnaryOp(gast.Not(), statement.test)
                statement.body, statement.orelse = orelse, []
            return not statement.body
        case gast.For(body=body):
            tidy(body)
            return all(isinstance(s, syntax.Comment | Again) for s in body)
    return False
