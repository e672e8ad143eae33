"""Batches: outer products that a loop adds to one matrix are added many at a time.

In: the finished statements of a function for NumPy, ``Scope``.
Out: the same with fewer products.
Next: views.
"""

from __future__ import annotations

from collections import Counter

import gast
import numpy as np

from tangentlite import runtime, syntax
from tangentlite.optimize.facts.scope import Scope
from tangentlite.optimize.replace import inside

Body = list[gast.stmt]
ADD_OUTER, ADD_ROWS = syntax.expression("rt.add_outer"), syntax.expression("rt.add_rows")
LEAVES = (gast.Return, gast.With, gast.FunctionDef, gast.Lambda, syntax.Attempt)
RECALLED = "stops"  # what is computed again in the backward sweep does not wait for others


def batches(body: Body, scope: Scope) -> Body:
    """Keep the rows, and add them when there are many of them, or at the end.

    >>> from tangentlite.optimize.samples import function, text_of, sample_is_pure, USER
    >>> text = '''
    ... bw = rt.ZERO
    ... for i in reversed(range(n)):
    ...     bw += np.outer(by, x[i])
    ...     by = w.T @ by
    ... '''
    >>> sample = function(text, names={"rt": runtime, "np": np})
    >>> print(text_of(batches(sample.body, Scope(sample, USER, sample_is_pure))))
    bw = rt.ZERO
    bw_rows = []
    for i in reversed(range(n)):
        bw = rt.add_outer(bw, by, x[i], bw_rows)
        by = w.T @ by
    bw = rt.add_rows(bw, bw_rows)
    """
    if "outer" not in scope.attributes or RECALLED in scope.attributes:
        return body
    if not scope.purity.means(ADD_ROWS, (runtime.add_rows,)):
        return body
    return _Batches(body, scope).block(body)


class _Batches:
    def __init__(self, body: Body, scope: Scope) -> None:
        self._scope = scope
        self._used = syntax.loads(body) | syntax.stores(body) | scope.user | scope.local

    def block(self, body: Body) -> Body:
        """Loops as far outside as they may be."""
        result: Body = []
        for statement in body:
            before: Body = []
            after: Body = []
            if isinstance(statement, gast.For | gast.While):
                for name in self._sums(statement):
                    rows = self._fresh(name)
                    before.append(
                        syntax.at(syntax.assign(rows, gast.List([], gast.Load())), statement)
                    )
                    statement = self._kept(statement, name, rows)
                    rest = gast.Call(ADD_ROWS, [syntax.name(name), syntax.name(rows)], [])
                    after.append(syntax.at(syntax.assign(name, rest), statement))
            if syntax.blocks(statement):
                statement = inside(statement, self.block)
            result += [*before, statement, *after]
        return result

    def _sums(self, loop: gast.stmt) -> list[str]:
        """The matrices to which a loop adds outer products, and does nothing else with them."""
        nodes = list(syntax.walk(loop))
        if any(isinstance(n, LEAVES) for n in nodes):
            return []
        met = Counter(n.id for n in nodes if isinstance(n, gast.Name))
        sums = Counter(filter(None, map(self._sum, syntax.statements([loop]))))
        return [name for name, times in sums.items() if times == met[name]]

    def _sum(self, statement: gast.AST) -> str | None:
        """The name b of ``b += np.outer(x, y)``."""
        match statement:
            case gast.AugAssign(
                target=gast.Name(id=name),
                op=gast.Add(),
                value=gast.Call(func=func, args=[_, _], keywords=[]),
            ) if self._scope.adjoint(name) and name not in self._scope.captured:
                return name if self._scope.purity.means(func, (np.outer,)) else None
        return None

    def _kept(self, statement: gast.stmt, name: str, rows: str) -> gast.stmt:
        """A statement that keeps rows instead of adding their product."""
        if syntax.blocks(statement):
            return inside(statement, lambda body: [self._kept(s, name, rows) for s in body])
        if self._sum(statement) != name:
            return statement
        args = [syntax.name(name), *statement.value.args, syntax.name(rows)]
        return syntax.at(syntax.assign(name, gast.Call(ADD_OUTER, args, [])), statement)

    def _fresh(self, name: str) -> str:
        wish = f"{name}_rows"
        names = (wish, *(f"{wish}_{k}" for k in range(1, len(self._used) + 2)))
        found = next(n for n in names if n not in self._used)
        self._used.add(found)
        return found
