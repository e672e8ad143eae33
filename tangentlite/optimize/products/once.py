"""Once: a quotient that both parts of a division are given is computed once.

In: the statements of a function, ``Scope``.
Out: the same with fewer quotients.
Next: gather.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

import gast

from tangentlite import runtime, syntax
from tangentlite.optimize.facts.buffers import Buffers
from tangentlite.optimize.facts.scope import Scope
from tangentlite.optimize.replace import exchanged, inside, replaced
from tangentlite.optimize.temporaries import numbered

Body = list[gast.stmt]
NEAR = 12  # the parts of one division stand near each other


def once(body: Body, scope: Scope) -> Body:
    """Name a quotient that is multiplied somewhere, and read it there and where it stands again.

    >>> from tangentlite.optimize.samples import function, text_of, USER, sample_is_pure
    >>> from tangentlite import runtime
    >>> text = '''
    ... bt1 = -rt.cancel(rt.quotient(by, x), y)
    ... bt2 = rt.unbroadcast(rt.quotient(by, x), u)
    ... return bt1, bt2
    ... '''
    >>> sample = function(text, names={"rt": runtime})
    >>> print(text_of(once(sample.body, Scope(sample, USER, lambda f: True))))
    t1 = rt.quotient(by, x)
    bt1 = -rt.cancel(t1, y)
    bt2 = rt.unbroadcast(t1, u)
    return (bt1, bt2)

    A quotient that takes the place of its dividend is read under its name.

    >>> text = '''
    ... bt1 = by
    ... by = by / x
    ... by = by - rt.cancel(bt1 / x, y)
    ... return by
    ... '''
    >>> sample = function(text, names={"rt": runtime})
    >>> print(text_of(once(sample.body, Scope(sample, USER, lambda f: True))))
    by = by / x
    by = by - rt.cancel(by, y)
    return by
    """
    if "cancel" not in scope.attributes:
        return body
    factors = (n for n in syntax.nodes(body) if n.__class__ is gast.Call and _is_factor(n, scope))
    return body if next(factors, None) is None else _Once(body, scope).block(body)


def _is_factor(node: Any, scope: Scope) -> bool:
    return (
        isinstance(node, gast.Call)
        and scope.purity.means(node.func, (runtime.cancel,))
        and _is_quotient(node.args[0], scope)
    )


def _is_quotient(node: ast.AST, scope: Scope) -> bool:
    match node:
        case gast.BinOp(op=gast.Div()):
            return True
        case gast.Call(func=func):
            return scope.purity.means(func, (runtime.quotient,))
    return False


def _nodes(statement: Any) -> list[Any]:
    """What a statement computes with."""
    plain = isinstance(statement, gast.Assign | gast.AugAssign)
    return syntax.nodes([statement.value]) if plain else []


class _Once:
    def __init__(self, body: Body, scope: Scope) -> None:
        self._scope, self._buffers = scope, Buffers(body, scope)
        self._reads = syntax.times_loaded(body)
        self._known: dict[int, tuple[gast.stmt, list[gast.expr], list[gast.expr]]] = {}
        self._fresh = numbered(body, scope)

    def block(self, body: Body) -> Body:
        result = [inside(s, self.block) if syntax.blocks(s) else s for s in body]
        start = 0
        while start < len(result):
            found = next(self._pairs(result, start), None)
            if found is not None:
                result = self._shared(result, start, *found)
            start += 1
        return result

    def _pairs(self, body: Body, start: int) -> Iterator[tuple[gast.expr, int, gast.expr]]:
        """Quotients of a statement that are multiplied, and where and how they are said again."""
        quotients = self._quotients(body[start])[0]
        near = body[start : start + NEAR] if quotients else []
        factors = [f for s in near for f in self._quotients(s)[1]]
        for quotient in quotients if factors else ():
            for again in (quotient, *_by_copy(quotient, body[start - 1 : start])):
                if any(syntax.same(q, factor) for q in (quotient, again) for factor in factors):
                    end = self._again(body, start, again)
                    if end is not None and self._multiplied(
                        body[start], body[end], quotient, again
                    ):
                        yield quotient, end, again

    def _again(self, body: Body, start: int, quotient: gast.expr) -> int | None:
        """The next statement that computes the same, if nothing that it is made of changes before."""
        alike = (syntax.same(quotient, node) for node in self._quotients(body[start])[0])
        if sum(alike) > 1:
            return start
        local, params = self._scope.local, self._scope.params
        read = {name for name in syntax.loads(quotient) if name in local or name in params}
        for end in range(start + 1, min(start + NEAR, len(body))):
            passed = self._scope.facts(body[end - 1])
            if passed.effect or not read.isdisjoint(passed.binds | passed.writes):
                return None
            if any(not read.isdisjoint(self._buffers.sharing(w)) for w in passed.writes):
                return None
            other = body[end]
            if syntax.blocks(other):
                return None
            if any(syntax.same(quotient, node) for node in self._quotients(other)[0]):
                return end
        return None

    def _quotients(self, statement: gast.stmt) -> tuple[list[gast.expr], list[gast.expr]]:
        """The quotients in a statement, and those that it multiplies: all that it makes of these is new memory."""
        found = self._known.get(id(statement))
        if found is None:
            nodes = _nodes(statement)
            quotients = [n for n in nodes if _is_quotient(n, self._scope)]
            factors = [n.args[0] for n in nodes if _is_factor(n, self._scope)]
            found = self._known[id(statement)] = statement, quotients, factors
        return found[1:]

    def _multiplied(
        self, first: gast.stmt, second: gast.stmt, one: gast.expr, two: gast.expr
    ) -> bool:
        factors = [f for s in (first, second) for f in self._quotients(s)[1]]
        return any(syntax.same(q, factor) for q in (one, two) for factor in factors)

    def _shared(
        self, body: Body, start: int, quotient: gast.expr, end: int, again: gast.expr
    ) -> Body:
        first = body[start]
        whole = isinstance(first, gast.Assign) and first.value is quotient
        target = first.targets[0] if whole else None
        if isinstance(target, gast.Name) and not self._changes(body[start + 1 : end], target.id):
            name, before = target.id, [first]
        else:
            name = next(self._fresh)
            named = syntax.at(syntax.assign(name, quotient), first)
            before = [named, _said(first, quotient, name)]
        if end == start:
            return [*body[:start], *before, *body[start + 1 :]]
        other = _said(body[end], again, name)
        head = body[:start]
        for copy, source in _copies(head[-1:]):
            if self._reads[copy] == syntax.times_loaded([quotient, again])[copy] > 0:
                before[0] = replaced(before[0], {copy: syntax.name(source)})
                head = head[:-1]
        return [*head, *before, *body[start + 1 : end], other, *body[end + 1 :]]

    def _changes(self, body: Body, name: str) -> bool:
        facts = self._scope.facts.block(body)
        return name in facts.binds or not facts.writes.isdisjoint(
            {name, *self._scope.members(name)} if facts.writes else ()
        )


def _copies(before: Body) -> Iterator[tuple[str, str]]:
    """The name that something has been given just before, and the one that it had."""
    match before:
        case [gast.Assign(targets=[gast.Name(id=copy)], value=gast.Name(id=name))]:
            yield copy, name


def _by_copy(quotient: gast.expr, before: Body) -> Iterator[gast.expr]:
    """The quotient with the name that what it reads has been given just before."""
    for copy, name in _copies(before):
        if name in syntax.loads(quotient):
            yield syntax.substitute(quotient, {name: syntax.name(copy)})


def _said(statement: gast.stmt, quotient: gast.expr, name: str) -> gast.stmt:
    """The statement with a name for a quotient."""
    alike = (n for n in _nodes(statement) if type(n) is type(quotient) and syntax.same(n, quotient))
    said: gast.stmt = exchanged(statement, {id(node): syntax.name(name) for node in alike})
    return said
