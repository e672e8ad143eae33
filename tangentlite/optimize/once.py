"""Once: a quotient that both parts of a division are given is computed once.

In: the statements of a function, ``Scope``.
Out: the same with fewer quotients.
Next: gather.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any

import gast

from tangentlite import runtime, syntax
from tangentlite.optimize.replace import inside, remade
from tangentlite.optimize.scope import Scope

Body = list[gast.stmt]
NUMBERED = re.compile(r"t(\d+)")


def once(body: Body, scope: Scope) -> Body:
    """Name a quotient that is multiplied somewhere, and read it there and where it stands again.

    >>> from tangentlite.optimize.samples import function, text_of, USER, sample_is_pure
    >>> from tangentlite import runtime
    >>> text = '''
    ... bt1 = -rt.cancel(rt.quotient(by, x), y)
    ... bt2 = rt.unbroadcast(rt.quotient(by, x), u)
    ... '''
    >>> sample = function(text, names={"rt": runtime})
    >>> print(text_of(once(sample.body, Scope(sample, USER, lambda f: True))))
    t1 = rt.quotient(by, x)
    bt1 = -rt.cancel(t1, y)
    bt2 = rt.unbroadcast(t1, u)
    """
    calls = (call for s in syntax.statements(body) for call in _quotients(s, scope))
    names = [frozenset(syntax.loads(call)) for call in calls]
    return _Once(body, scope).block(body) if len(set(names)) < len(names) else body


def _quotients(statement: ast.AST, scope: Scope) -> Iterator[gast.Call]:
    if isinstance(statement, gast.Assign | gast.AugAssign):
        for node in syntax.walk(statement.value):
            if isinstance(node, gast.Call) and scope.purity.means(node.func, (runtime.quotient,)):
                yield node


class _Once:
    def __init__(self, body: Body, scope: Scope) -> None:
        self._scope = scope
        used = syntax.loads(body) | syntax.stores(body) | scope.user | scope.local
        self._last = max((int(m[1]) for n in used if (m := NUMBERED.fullmatch(n))), default=0)

    def block(self, body: Body) -> Body:
        result = [inside(s, self.block) if syntax.blocks(s) else s for s in body]
        start = 0
        while start < len(result):
            for call in _quotients(result[start], self._scope):
                end = self._again(result, start, call)
                if end is not None:
                    result = self._shared(result, start, end, call)
                    break
            start += 1
        return result

    def _again(self, body: Body, start: int, call: gast.Call) -> int | None:
        """The next statement that computes the same, if nothing that it is made of changes before."""
        read = syntax.loads(call) & (self._scope.local | self._scope.params)
        for end in range(start + 1, len(body)):
            passed = self._scope.facts(body[end - 1])
            if passed.effect or not read.isdisjoint(passed.binds | passed.writes):
                return None
            if passed.writes and not self._near(read).isdisjoint(passed.writes):
                return None
            other = body[end]
            if syntax.blocks(other):
                return None
            if any(syntax.same(call, node) for node in _quotients(other, self._scope)):
                both = (body[start], other)
                return end if any(self._multiplies(s, call) for s in both) else None
        return None

    def _near(self, names: set[str]) -> set[str]:
        """The names that may share memory with one of ``names``."""
        return set[str]().union(*map(self._scope.members, names))

    def _multiplies(self, statement: gast.stmt, call: gast.Call) -> bool:
        """Whether all that a statement makes of a quotient is new memory."""
        return any(
            isinstance(node, gast.Call)
            and self._scope.purity.means(node.func, (runtime.cancel,))
            and syntax.same(node.args[0], call)
            for node in syntax.walk(statement.value)
        )

    def _shared(self, body: Body, start: int, end: int, call: gast.Call) -> Body:
        first = body[start]
        whole = isinstance(first, gast.Assign) and first.value is call
        target = first.targets[0] if whole else None
        if isinstance(target, gast.Name) and not self._changes(body[start + 1 : end], target.id):
            name, before = target.id, [first]
        else:
            self._last += 1
            name = f"t{self._last}"
            named = syntax.at(syntax.assign(name, call), first)
            before = [named, _said(first, call, name)]
        other = _said(body[end], call, name)
        return [*body[:start], *before, *body[start + 1 : end], other, *body[end + 1 :]]

    def _changes(self, body: Body, name: str) -> bool:
        facts = self._scope.facts.block(body)
        return not (self._scope.members(name) | {name}).isdisjoint(facts.binds | facts.writes)


def _said(statement: gast.stmt, call: gast.Call, name: str) -> gast.stmt:
    """The statement with a name for the call."""
    return remade(statement, {"value": _exchanged(statement.value, call, name)})


def _exchanged(node: Any, call: gast.Call, name: str) -> Any:
    if isinstance(node, list):
        return [_exchanged(part, call, name) for part in node]
    if not isinstance(node, gast.expr):
        return node
    if isinstance(node, gast.Call) and syntax.same(node, call):
        return syntax.name(name)
    fields = {field: getattr(node, field) for field in node._fields if hasattr(node, field)}
    return remade(node, {f: _exchanged(part, call, name) for f, part in fields.items()})
