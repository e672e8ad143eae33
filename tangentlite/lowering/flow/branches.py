"""Branches that are known to be taken stand alone.

In: a normal form, and which branch of an ``if`` is taken.
Out: a normal form without those tests.
Next: analysis.
"""

from __future__ import annotations

from collections.abc import Mapping

import gast

from tangentlite import syntax
from tangentlite.lowering.context import Normal
from tangentlite.lowering.rewriting import Lines, Sources, within
from tangentlite.values import replace


def chosen(normal: Normal, taken: Mapping[gast.stmt, bool]) -> Normal:
    """``if test: a else: b`` becomes ``a`` where True is ``taken``, and ``b`` where False is; other statements go."""
    sources = dict(normal.sources)
    body = _block(normal.function.body, taken, sources)
    return replace(normal, function=normal.function.with_body(body), sources=sources)


def _block(body: Lines, taken: Mapping[gast.stmt, bool], sources: Sources) -> Lines:
    def inside(block: Lines) -> Lines:
        return _block(block, taken, sources) or [_nothing(block[0], sources)]

    result: Lines = []
    for statement in body:
        if statement in taken:
            branch = getattr(statement, "body" if taken[statement] else "orelse", [])
            result += _block(branch, taken, sources)
        else:
            result.append(within(statement, inside, sources))
    return result


def _nothing(statement: gast.stmt, sources: Sources) -> gast.stmt:
    new: gast.stmt = syntax.at(gast.Pass(), statement)
    sources[new] = sources[statement]
    return new
