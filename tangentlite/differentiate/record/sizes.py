"""Literals and sizes: what a backward function says or asks its arguments for again, instead of having it recorded.

In: a forward sweep, and the names that the backward one reads of it.
Out: the statements that bind some of these names again.
Next: motion.
"""

from __future__ import annotations

from collections import Counter

import gast

from tangentlite import syntax
from tangentlite.analysis.kinds import Num
from tangentlite.analysis.storage.memory import memory
from tangentlite.differentiate.adjoints import Body
from tangentlite.differentiate.record.literals import is_literal
from tangentlite.differentiate.session import Session

ATTRIBUTES = frozenset({"shape", "ndim", "size"})
OPERATORS = (gast.Add, gast.Sub, gast.Mult, gast.FloorDiv, gast.Mod)


def bound_again(session: Session, forward: Body, kept: list[str], sizes: bool) -> Body:
    """The statements that say literals again, and ask for ``sizes``."""
    said = _said_again(session, forward, kept)
    return [*said, *_asked_again(session, forward, kept)] if sizes else said


def _said_again(session: Session, forward: Body, kept: list[str]) -> Body:
    """The statements that bind names to literals, and to numbers such as ``np.pi``, until the end."""
    found: dict[str, tuple[int, gast.stmt]] = {}
    for place, statement in enumerate(forward):
        match statement:
            case gast.Assign(targets=[gast.Name(id=name)], value=value):
                if name in kept and is_literal(value, session.function):
                    found[name] = place, statement
    last = [
        s for name, (place, s) in found.items() if name not in syntax.stores(forward[place + 1 :])
    ]
    return [s for s in forward if s in last]


def _asked_again(session: Session, forward: Body, kept: list[str]) -> Body:
    """The statements that make sizes, such as ``n, m = a.shape``, of arguments that are never bound again."""
    finder = _Sizes(session, forward)
    wanted = {s for name in kept for s in finder.steps(name)}
    return [s for s in forward if s in wanted]


class _Sizes:
    def __init__(self, session: Session, forward: Body) -> None:
        self._session = session
        bound = Counter(
            n.id
            for s in forward
            for n in syntax.walk(s)
            if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Store)
        )
        start = session.facts.kinds.before[0]
        free = [p.name for p in session.function.params if p.name not in bound]
        kinds = {name: start.get(name) for name in free}
        self._arrays = {n for n, k in kinds.items() if isinstance(k, Num) and memory(k)}
        self._whole = {
            n for n, k in kinds.items() if isinstance(k, Num) and k.scalar and k.exact == "int"
        }
        self._known: dict[str, list[gast.stmt]] = {}
        self._made = {
            s.targets[0].id: s
            for s in forward
            if isinstance(s, gast.Assign)
            and isinstance(s.targets[0], gast.Name)
            and bound[s.targets[0].id] == 1
        }

    def steps(self, name: str) -> list[gast.stmt]:
        """The statements that make a name; none if it is more than a size."""
        if name not in self._known:
            self._known[name] = []
            self._known[name] = self._steps(name)
        return self._known[name]

    def _steps(self, name: str) -> list[gast.stmt]:
        statement = self._made.get(name)
        if statement is None:
            return []
        above = [n for n in sorted(syntax.loads(statement.value)) if n in self._made]
        below = [self.steps(n) for n in above]
        if not all(below) or not self._is_size(statement.value):
            return []
        return [*(s for steps in below for s in steps), statement]

    def _is_size(self, tree: gast.expr) -> bool:
        match tree:
            case gast.Constant(value=int()):
                return True
            case gast.Name(id=name):
                return name in self._whole or bool(self.steps(name))
            case gast.Attribute(value=gast.Name(id=name), attr=attr):
                return name in self._arrays and attr in ATTRIBUTES
            case gast.Call(func=func, args=[gast.Name(id=name)], keywords=[]):
                return name in self._arrays and self._means(func, len)
            case gast.Call(func=func, args=[value, gast.Constant()], keywords=[]):
                unpacked = syntax.dotted(func) == f"{self._session.rt}.unpack"
                return unpacked and self._is_size(value)
            case gast.Subscript(value=value, slice=index):
                return self._is_size(value) and self._is_size(index)
            case gast.BinOp(left=left, op=op, right=right) if isinstance(op, OPERATORS):
                return self._is_size(left) and self._is_size(right)
        return False

    def _means(self, func: gast.expr, callee: object) -> bool:
        namespace = self._session.function.namespace
        return (
            isinstance(func, gast.Name)
            and namespace.binds(func.id)
            and namespace.lookup(func.id) is callee
        )
