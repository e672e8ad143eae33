"""How control leaves a block.

In: statements of the user.
Out: their exits; whether a block is left on every path.
Next: exits.
"""

from __future__ import annotations

from collections.abc import Iterator

import gast

from tangentlite import syntax

LOOPS = (gast.For, gast.While)
EXITS = (gast.Return, gast.Break, gast.Continue)


def exits(body: list[gast.stmt]) -> Iterator[gast.stmt]:
    """The statements by which control leaves ``body`` for elsewhere in the function, in order."""
    for statement in body:
        if isinstance(statement, EXITS):
            yield statement
        elif isinstance(statement, LOOPS):
            yield from (e for e in exits(statement.body) if isinstance(e, gast.Return))
            yield from exits(statement.orelse)
        else:
            for block in syntax.blocks(statement):
                yield from exits(block)


def leaves(body: list[gast.stmt]) -> bool:
    """Whether control never runs past the end of ``body``."""
    match body[-1] if body else None:
        case gast.Return() | gast.Raise() | gast.Break() | gast.Continue():
            return True
        case gast.If(body=then, orelse=other):
            return leaves(then) and leaves(other)
        case gast.While(test=gast.Constant(value=value), body=inner) if value:
            return not any(isinstance(e, gast.Break) for e in exits(inner))
    return False


def reachable(body: list[gast.stmt]) -> list[gast.stmt]:
    """``body`` up to the first statement that always leaves."""
    for k, statement in enumerate(body):
        if leaves([statement]):
            return body[: k + 1]
    return body
