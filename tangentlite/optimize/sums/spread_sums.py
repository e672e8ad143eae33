"""Spread sums: the adjoint of a sum of products is not repeated along the axes that were summed, in loops.

In: the finished statements of a function, ``Scope``.
Out: the same with fewer arrays.
Next: framed.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import gast

from tangentlite import runtime, syntax
from tangentlite.optimize.facts.buffers import Buffers
from tangentlite.optimize.facts.scope import Scope
from tangentlite.optimize.replace import exchanged, inside, remade

Body = list[gast.stmt]
FUSED = syntax.expression("rt.unreduce_product")


def spread_sums(body: Body, scope: Scope) -> Body:
    """Leave it to the runtime whether an adjoint is repeated that is multiplied and summed down again.

    >>> from tangentlite.optimize.samples import function, text_of, USER
    >>> text = '''
    ... for i in range(n):
    ...     bt1 = rt.unreduce(by, rt.frame(x, w), (1, 2))
    ...     bw += rt.unbroadcast_product(bt1, x, w)
    ...     bx += rt.unbroadcast_product(bt1, w, x)
    ... '''
    >>> sample = function(text, names={"rt": runtime})
    >>> print(text_of(spread_sums(sample.body, Scope(sample, USER, lambda f: True))))
    for i in range(n):
        bw += rt.unreduce_product(by, x, w, (1, 2))
        bx += rt.unreduce_product(by, w, x, (1, 2))
    """
    if "frame" not in scope.attributes or not scope.purity.means(
        FUSED, (runtime.unreduce_product,)
    ):
        return body
    return _Spread(body, scope).block(body)


class _Spread:
    def __init__(self, body: Body, scope: Scope) -> None:
        self._scope, self._buffers, self._body = scope, Buffers(body, scope), body
        self._loads, self._bound = syntax.times_loaded(body), syntax.times_stored(body)

    def block(self, body: Body) -> Body:
        result = [inside(s, self.block) if syntax.blocks(s) else s for s in body]
        for k in range(len(result) - 1, -1, -1):
            found = self._repeated(result[k])
            uses = list(self._uses(result, k, *found)) if found is not None else []
            if found is not None and sum(len(calls) for _, calls in uses) == self._loads[found[0]]:
                for place, calls in uses:
                    result[place] = self._fused(result[place], calls, found[1])
                del result[k]
        return result

    def _repeated(self, statement: gast.stmt) -> tuple[str, gast.Call] | None:
        """A temporary that is the adjoint of a sum of the products of two names, repeated."""
        means, scope = self._scope.purity.means, self._scope
        match statement:
            case gast.Assign(
                targets=[gast.Name(id=name)],
                value=gast.Call(
                    func=func,
                    args=[
                        gast.Name(),
                        gast.Call(func=frame, args=[gast.Name(), gast.Name()]),
                        gast.Constant() | gast.Tuple() as axis,
                    ],
                    keywords=[],
                ) as call,
            ) if means(func, (runtime.unreduce,)) and means(frame, (runtime.frame,)):
                own = scope.temporary(name) and self._bound[name] == 1
                plain = not syntax.loads(axis) and name not in scope.captured
                return (name, call) if own and plain and self._loads[name] else None
        return None

    def _uses(
        self, body: Body, start: int, name: str, call: gast.Call
    ) -> Iterator[tuple[int, list[gast.Call]]]:
        """Where it is multiplied by one factor and summed to the shape of the other, as long as none changes."""
        kept = syntax.loads(call.args[:2])
        pair = sorted(n.id for n in call.args[1].args)
        for k, statement in enumerate(body[start + 1 :], start + 1):
            if syntax.blocks(statement) or isinstance(statement, gast.Return):
                return
            calls = [n for n in syntax.walk(statement) if self._is_use(n, name, pair)]
            if calls:
                yield k, calls
            facts = self._scope.facts(statement)
            changed = {n for w in facts.writes for n in self._buffers.sharing(w)} | facts.writes
            if facts.effect or not kept.isdisjoint(changed | facts.binds):
                return

    def _is_use(self, node: object, name: str, pair: list[str]) -> bool:
        match node:
            case gast.Call(func=func, args=[gast.Name(id=given), gast.Name(id=x), like]):
                y = like.id if isinstance(like, gast.Name) else self._named(like, pair)
                alike = given == name and y is not None and sorted((x, y)) == pair
                return alike and self._scope.purity.means(func, (runtime.unbroadcast_product,))
        return False

    def _named(self, like: gast.expr, pair: list[str]) -> str | None:
        """The name of the pair that is bound to what is asked for its shape: ``t`` for ``w[None]``."""
        text = syntax.unparse(like)
        found = (n for n in pair if self._parts.get(n) == text)
        return next(found, None)

    @cached_property
    def _parts(self) -> dict[str, str]:
        """The texts of names that are parts of what is bound once."""
        found = {}
        for statement in syntax.statements(self._body):
            match statement:
                case gast.Assign(
                    targets=[gast.Name(id=name)],
                    value=gast.Subscript(value=gast.Name()) as part,
                ) if self._bound[name] == 1 and all(map(self._is_one, syntax.loads(part))):
                    found[name] = syntax.unparse(part)
        return found

    def _is_one(self, name: str) -> bool:
        """Whether a name means one thing only."""
        given = name in self._scope.params
        return self._bound[name] == (not given) and name not in self._scope.captured

    def _fused(
        self, statement: gast.stmt, calls: list[gast.Call], repeated: gast.Call
    ) -> gast.stmt:
        """A statement that repeats and multiplies at once."""
        adjoint, frame, axis = repeated.args
        holes = {}
        for call in calls:
            _, x, like = call.args
            (other,) = [n for n in frame.args if n.id != x.id] or [x]
            args = [adjoint, x, like if isinstance(like, gast.Name) else other, axis]
            holes[id(call)] = remade(call, {"func": FUSED, "args": args})
        new: gast.stmt = exchanged(statement, holes)
        return new
