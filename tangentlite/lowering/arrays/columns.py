"""Rows and columns made of vectors, said by an index, or by the reduction that made the vector.

In: a normal form, and what statements bind that give a vector another axis.
Out: a normal form with ``t[:, None]`` for ``t.reshape(-1, 1)``.
Next: analysis.
"""

from __future__ import annotations

from collections.abc import Mapping

import gast

from tangentlite import syntax
from tangentlite.lowering.context import Normal
from tangentlite.lowering.rewriting import Lines, within
from tangentlite.values import replace


def with_values(normal: Normal, found: Mapping[gast.stmt, gast.expr]) -> Normal:
    """The normal form with other values for the names that some statements bind."""
    sources = dict(normal.sources)

    def changed(body: Lines) -> Lines:
        return [bound(s, found[s]) if s in found else within(s, changed, sources) for s in body]

    def bound(statement: gast.stmt, value: gast.expr) -> gast.stmt:
        made = syntax.assign(statement.targets[0].id, value)
        sources[made] = sources[statement]
        return made

    function = normal.function.with_body(changed(normal.function.body))
    return replace(normal, function=function, sources=sources)
