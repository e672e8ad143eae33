"""What a product is made of, and which of its factors come twice.

In: a product or a quotient, and what made its operands.
Out: what must hold of which factor, so that the product is flat, or never negative.
Next: flat.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gast

from tangentlite.analysis.smoothness.radicands import Need
from tangentlite.analysis.smoothness.squares import PRODUCTS, QUOTIENTS, Call, Makers
from tangentlite.values import mutable

DEEPEST = 6


@mutable
class Leaf:
    """A factor, read by a statement; ``below``: of the denominator. ``count``: how often it is there."""

    statement: gast.stmt
    node: gast.expr
    below: bool
    count: int = 1


def factors(
    makers: Makers, statement: gast.stmt, call: Call, need: Need
) -> list[tuple[gast.stmt, gast.expr, Need]]:
    """What must hold of which factors: ``w * x * x / s`` is a sum if w and s are, and flat if w is.

    A product is zero where a factor is. A factor that is there twice is a square; where a denominator is zero the
    product is none.
    """
    found: dict[Any, Leaf] = {}
    for leaf in _leaves(makers, statement, call, False, DEEPEST):
        token = makers.token(leaf.statement, leaf.node)
        key = object() if token is None else (token, leaf.below)
        if key in found:
            found[key].count += 1
        else:
            found[key] = leaf
    if need == "flat":
        alone = [leaf for leaf in found.values() if leaf.count == 1 and not leaf.below]
    else:
        alone = [leaf for leaf in found.values() if leaf.count % 2]
    return [(leaf.statement, leaf.node, need) for leaf in alone]


def _leaves(
    makers: Makers, statement: gast.stmt, call: Call, below: bool, depth: int
) -> Iterator[Leaf]:
    sides = [(value, below) for value in call.bound.values()]
    if call.callee in QUOTIENTS:
        sides = [(call.bound["x"], below), (call.bound["y"], not below)]
    for node, side in sides:
        made = makers.made_by(statement, node.id) if isinstance(node, gast.Name) and depth else None
        if made is not None and made[1].callee in PRODUCTS | QUOTIENTS:
            yield from _leaves(makers, *made, side, depth - 1)
        elif made is not None and (twice := made[1].factors):
            for name in twice:
                yield Leaf(made[0], gast.Name(name, gast.Load(), None, None), side)
        else:
            yield Leaf(statement, node, side)
