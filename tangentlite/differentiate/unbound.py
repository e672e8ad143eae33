"""Names that a record holds although they might not be bound: reading them still raises Python's own error.

In: a forward function's statements, and the names that begin as None.
Out: the statements, with a test before each first read that might come too early.
Next: motion.
"""

from __future__ import annotations

import gast

from tangentlite import syntax
from tangentlite.differentiate.adjoints import Body
from tangentlite.differentiate.session import Session

UNBOUND = "cannot access local variable '{0}' where it is not associated with a value"


def guarded(session: Session, body: Body, names: set[str]) -> Body:
    """The statements; a name that the user binds to None himself is left alone."""
    own = {n for n in names if any(_nothing(s, n) for t in body for s in syntax.walk(t))}
    return _Guard(session, names - own).block(body, set())


def _nothing(node: gast.AST, name: str) -> bool:
    match node:
        case gast.Assign(targets=[gast.Name(id=target)], value=gast.Constant(value=None)):
            return bool(target == name)
    return False


class _Guard:
    def __init__(self, session: Session, names: set[str]) -> None:
        self.session, self.names = session, names

    def block(self, body: Body, bound: set[str]) -> Body:
        """A block; ``bound`` becomes what is bound after it."""
        result: Body = []
        for statement in body:
            for name in sorted((self._read(statement) & self.names) - bound):
                result.append(self._test(name))
                bound.add(name)
            match statement:
                case gast.If(body=then, orelse=orelse):
                    ends = set(bound), set(bound)
                    statement.body, statement.orelse = (
                        self.block(block, end) for block, end in zip((then, orelse), ends)
                    )
                    bound |= ends[0] & ends[1]
                case gast.Try(body=done, handlers=[gast.ExceptHandler() as handler]):
                    ends = set(bound), set(bound)
                    statement.body = self.block(done, ends[0])
                    handler.body = self.block(handler.body, ends[1])
                    bound |= ends[0] & ends[1]
                case gast.With():
                    statement.body = self.block(statement.body, bound)
                case gast.For(body=inner) | gast.While(body=inner):
                    statement.body = self.block(inner, set(bound))
                case _:
                    bound |= syntax.stores(statement)
            result.append(statement)
        return result

    @staticmethod
    def _read(statement: gast.stmt) -> set[str]:
        match statement:
            case gast.If(test=tree) | gast.While(test=tree) | gast.For(iter=tree):
                return syntax.loads(tree)
            case gast.Try():
                return set()
            case gast.With(items=items):
                return syntax.loads(items)
        return syntax.loads(statement)

    def _test(self, name: str) -> gast.stmt:
        error = self.session.alias("UnboundLocalError", UnboundLocalError)
        text = "if y is None:\n    raise error(message)"
        message = syntax.constant(UNBOUND.format(name))
        return syntax.quote(text, y=name, error=error, message=message)[0]
