"""Names that a block reads before it binds them, and those that it binds on every path.

In: statements of generated code.
Out: names.
Next: motion.
"""

from __future__ import annotations

import gast

from tangentlite import syntax
from tangentlite.differentiate.adjoints import Body


def live(body: Body) -> set[str]:
    """The names that a block reads before it binds them."""
    found: set[str] = set()
    bound: set[str] = set()
    for statement in body:
        found |= _exposed(statement) - bound
        bound |= certain([statement])
    return found


def _exposed(statement: gast.stmt) -> set[str]:
    match statement:
        case gast.If(test=test, body=body, orelse=orelse):
            return syntax.loads(test) | live(body) | live(orelse)
        case gast.For(target=target, iter=iterable, body=body):
            return syntax.loads(iterable) | (live(body) - syntax.stores(target))
        case gast.While(test=test, body=body):
            return syntax.loads(test) | live(body)
    return syntax.loads(statement)


def certain(body: Body) -> set[str]:
    """The names that a block binds on every path."""
    bound: set[str] = set()
    for statement in body:
        match statement:
            case gast.If(body=then, orelse=orelse):
                bound |= certain(then) & certain(orelse)
            case gast.Try(body=done, handlers=[gast.ExceptHandler(body=other)]):
                bound |= certain(done) & certain(other)
            case gast.With(body=inside):
                bound |= certain(inside)
            case gast.For() | gast.While():
                pass
            case _:
                bound |= syntax.stores(statement)
    return bound
