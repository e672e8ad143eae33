"""Branches that are known to be taken stand alone.

In: a normal form, and which branch of an ``if`` is taken.
Out: a normal form without those tests.
Next: analysis.
"""

from __future__ import annotations

from collections.abc import Mapping

import gast

from tangentlite import syntax
from tangentlite.lowering.augmented import with_block
from tangentlite.lowering.context import Normal
from tangentlite.values import replace


def chosen(normal: Normal, taken: Mapping[gast.stmt, bool]) -> Normal:
    """``if test: a else: b`` becomes ``a`` where True is ``taken``, and ``b`` where False is; other statements go."""
    sources = dict(normal.sources)
    body = _block(normal.function.body, taken, sources)
    return replace(normal, function=normal.function.with_body(body), sources=sources)


def _block(
    body: list[gast.stmt], taken: Mapping[gast.stmt, bool], sources: dict[gast.stmt, gast.stmt]
) -> list[gast.stmt]:
    result: list[gast.stmt] = []
    for statement in body:
        if statement in taken:
            branch = getattr(statement, "body" if taken[statement] else "orelse", [])
            result += _block(branch, taken, sources)
            continue
        for name in ("body", "orelse"):
            inner = getattr(statement, name, None)
            if isinstance(inner, list) and inner:
                new = _block(inner, taken, sources)
                if len(new) != len(inner) or any(a is not b for a, b in zip(new, inner)):
                    new = new or [_nothing(statement, sources)]
                    statement = with_block(statement, name, new, sources)
        result.append(statement)
    return result


def _nothing(statement: gast.stmt, sources: dict[gast.stmt, gast.stmt]) -> gast.stmt:
    new: gast.stmt = syntax.at(gast.Pass(), statement)
    sources[new] = sources[statement]
    return new
