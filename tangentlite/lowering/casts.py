"""A check before stores whose value NumPy might refuse.

In: a normal form, and its doubtful stores.
Out: a normal form in which ``rt.fits``, ``rt.takes``, ``rt.disjoint`` or ``rt.in_step`` stands before each.
Next: analysis.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import CellType

import gast

from tangentlite import runtime, syntax
from tangentlite.lowering.augmented import with_block
from tangentlite.lowering.context import Normal
from tangentlite.naming import Names
from tangentlite.values import replace

Check = tuple[
    str, gast.expr, list[gast.expr]
]  # its name, what reads the old elements, what else it is given
Checks = Mapping[gast.stmt, Sequence[Check]]


def checked(normal: Normal, stores: Checks) -> Normal:
    """``k[...] = t`` becomes ``rt.fits(k, t); k[...] = t``.

    ``k[1] = t`` becomes ``old = k[1]; rt.takes(old, t); k[1] = t``.
    """
    function, names, sources = normal.function, normal.names.copy(), dict(normal.sources)
    namespace = function.namespace
    rt = "rt"
    if not namespace.binds(rt) or namespace.lookup(rt) is not runtime:
        rt = names.fresh("rt")
        namespace = namespace.extended({rt: CellType(runtime)})
    function = replace(function, namespace=namespace)
    function = function.with_body(_block(function.body, stores, rt, names, sources))
    return replace(normal, function=function, names=names, sources=sources)


def _block(
    body: list[gast.stmt],
    stores: Checks,
    rt: str,
    names: Names,
    sources: dict[gast.stmt, gast.stmt],
) -> list[gast.stmt]:
    result: list[gast.stmt] = []
    for statement in body:
        for wanted in stores.get(statement, ()):
            for check in _checks(statement, *wanted, rt, names):
                sources[check] = sources[statement]
                result.append(check)
        for field in ("body", "orelse"):
            inner = getattr(statement, field, None)
            if isinstance(inner, list) and inner:
                new = _block(inner, stores, rt, names, sources)
                if any(a is not b for a, b in zip(new, inner)) or len(new) != len(inner):
                    statement = with_block(statement, field, new, sources)
        result.append(statement)
    return result


def _checks(
    statement: gast.stmt, check: str, old: gast.expr, values: list[gast.expr], rt: str, names: Names
) -> list[gast.stmt]:
    text, holes = f"rt.{check}(s)", {"s": old}
    if isinstance(old, gast.Subscript):
        text, holes = f"t = s\nrt.{check}(t)", {"s": old, "t": names.fresh("old")}
    lines = syntax.quote(text, rt=rt, **holes)
    lines[-1].value.args += [syntax.copy(value) for value in values]
    for line in lines:
        for node in syntax.walk(line):
            syntax.at(node, statement)
    return lines
