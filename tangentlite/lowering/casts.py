"""A check before stores whose value NumPy might refuse to cast.

In: a normal form, and its doubtful stores.
Out: a normal form in which ``rt.fits`` stands before each.
Next: analysis.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import CellType

import gast

from tangentlite import runtime, syntax
from tangentlite.lowering.augmented import with_block
from tangentlite.lowering.context import Normal


def checked(normal: Normal, stores: Mapping[gast.stmt, str]) -> Normal:
    """``k[...] = t`` becomes ``rt.fits(k, t); k[...] = t``."""
    function, names, sources = normal.function, normal.names.copy(), dict(normal.sources)
    namespace = function.namespace
    rt = "rt"
    if not namespace.binds(rt) or namespace.lookup(rt) is not runtime:
        rt = names.fresh("rt")
        namespace = namespace.extended({rt: CellType(runtime)})
    function = replace(function, namespace=namespace)
    function = function.with_body(_block(function.body, stores, rt, sources))
    return replace(normal, function=function, names=names, sources=sources)


def _block(
    body: list[gast.stmt],
    stores: Mapping[gast.stmt, str],
    rt: str,
    sources: dict[gast.stmt, gast.stmt],
) -> list[gast.stmt]:
    result: list[gast.stmt] = []
    for statement in body:
        if statement in stores:
            text = "rt.fits(s, e)"
            check = syntax.quote(text, rt=rt, s=stores[statement], e=statement.value)[0]
            for node in syntax.walk(check):
                syntax.at(node, statement)
            sources[check] = sources[statement]
            result.append(check)
        for field in ("body", "orelse"):
            inner = getattr(statement, field, None)
            if isinstance(inner, list) and inner:
                new = _block(inner, stores, rt, sources)
                if any(a is not b for a, b in zip(new, inner)) or len(new) != len(inner):
                    statement = with_block(statement, field, new, sources)
        result.append(statement)
    return result
