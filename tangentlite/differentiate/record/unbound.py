"""Names that a record holds, or whose memory is asked for, although they might not be bound: they begin as None.

In: a forward function's statements, and the names that begin as None.
Out: the statements, with a test before each first read that might come too early: it raises Python's own error.
Next: motion.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import Any

import gast

from tangentlite import syntax
from tangentlite.analysis import Facts
from tangentlite.differentiate.adjoints import Body
from tangentlite.differentiate.record.exposed import certain, live
from tangentlite.differentiate.refusals import BEFORE, NO_VALUE
from tangentlite.differentiate.session import Session
from tangentlite.errors import UNBOUND, AliasError

BEGINNINGS = ("zeros", "storage", "room", "buffer", "shadow")


def begin(session: Session, statement: gast.stmt, shadows: Mapping[str, str]) -> None:
    """Names whose memory is asked for beside a statement begin as None, if they may have no value there.

    ``shadows``: the shadow, or the tangent, of each: it begins as nothing. Where such a name may be read before it
    has a value that would hide Python's error.
    """
    facts = session.facts
    for name in sorted(shadows):
        if facts.versions.is_bound(name, facts.versions.made[statement]):
            continue
        if _read_too_early(facts, name):
            place = facts.normal.function.origin.place(statement)
            fault = AliasError(NO_VALUE.format(name), place, BEFORE)
            fault.of_kinds = True  # a number is not written
            raise fault
        session.unbound[name] = shadows[name]


def opening(session: Session) -> Body:
    """What binds these names, once all statements are written."""
    body: Body = []
    for name, shadow in session.unbound.items():
        body.append(syntax.assign(name, syntax.constant(None)))
        body.append(syntax.assign(shadow, session.runtime("ZERO")))
    return body


def begun(session: Session, forward: Body, backward: Body) -> Body:
    """The forward sweep, where a handler took over before names had a value that the backward sweep asks for.

    Such a name begins as None, and an adjoint like it as nothing.
    """
    if not any(isinstance(s, gast.Try) for s in syntax.statements(forward)):
        return forward
    calls = (n for n in syntax.nodes(backward) if isinstance(n, gast.Call))
    asked = {n for c in calls if _begins(c, session) for n in syntax.loads(c.args)}
    sure = {p.name for p in session.function.params} | certain(forward)
    missing = live(backward) & asked & syntax.stores(forward) - sure
    start = [syntax.assign(name, syntax.constant(None)) for name in sorted(missing)]
    return [*start, *guarded(session, forward, missing)] if missing else forward


def _begins(call: gast.Call, session: Session) -> bool:
    """Whether a call makes what an adjoint begins with."""
    return syntax.dotted(call.func) in {f"{session.rt}.{name}" for name in BEGINNINGS}


def _read_too_early(facts: Facts, name: str) -> bool:
    """Whether a name may be read where it has no value; what was generated reads nothing too early."""
    if facts.normal.function.generated:
        return False
    for statement, read in facts.versions.reads.items():
        tree = statement.test if isinstance(statement, gast.If | gast.While) else statement
        tree = statement.iter if isinstance(statement, gast.For) else tree
        if name in syntax.loads(tree):
            starts = facts.versions.starts.get(statement)
            known = starts[0] if starts and not read else read
            if name not in known or not known[name].certain:
                return True
    return False


def guarded(session: Session, body: Body, names: set[str], added: Set[int] = frozenset()) -> Body:
    """The statements; a name that the user binds to None himself is left alone. ``added``: what only keeps values."""
    own = {n for n in names if any(_nothing(s, n) for t in body for s in syntax.walk(t))}
    return _Guard(session, names - own, added).block(body, set())


def _nothing(node: gast.AST, name: str) -> bool:
    match node:
        case gast.Assign(targets=[gast.Name(id=target)], value=gast.Constant(value=None)):
            return bool(target == name)
    return False


def _surely_read(node: Any) -> set[str]:
    """The names that are read whatever comes before them.

    >>> sorted(_surely_read(syntax.expression("first and second or f(third)"))), _surely_read(
    ...     syntax.expression("1 < x < y")
    ... )
    (['first'], {'x'})
    """
    match node:
        case gast.Name():
            return {node.id} if isinstance(node.ctx, gast.Load) else set()
        case gast.AugAssign(target=gast.Name(id=name)):
            return {name} | _surely_read(node.value)
        case gast.BoolOp(values=[first, *_]) | gast.IfExp(test=first):
            return _surely_read(first)
        case gast.Compare(left=left, comparators=[first, *_]):
            return _surely_read(left) | _surely_read(first)
        case gast.Lambda():
            return set()
        case gast.ListComp() | gast.SetComp() | gast.DictComp() | gast.GeneratorExp():
            return _surely_read(node.generators[0].iter)
    return set().union(*map(_surely_read, gast.iter_child_nodes(node)))


class _Guard:
    def __init__(self, session: Session, names: set[str], added: Set[int]) -> None:
        self.session, self.names, self.added = session, names, added

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

    def _read(self, statement: gast.stmt) -> set[str]:
        """The names that a statement surely reads itself."""
        if id(statement) in self.added:
            return set()
        match statement:
            case gast.If(test=tree) | gast.While(test=tree) | gast.For(iter=tree):
                return _surely_read(tree)
            case gast.Try() | gast.FunctionDef():
                return set()
            case gast.With(items=items):
                return set().union(*map(_surely_read, items))
        return _surely_read(statement)

    def _test(self, name: str) -> gast.stmt:
        error = self.session.alias("UnboundLocalError", UnboundLocalError)
        text = "if y is None:\n    raise error(message)"
        message = syntax.constant(UNBOUND.format(name))
        return syntax.quote(text, y=name, error=error, message=message)[0]
