"""Cubes: ``z ** 3`` of an array is ``z ** 2 * z``, which takes a tenth of the time of a power.

In: the finished statements of a gradient, ``Scope``.
Out: the same with products for third and fourth powers of what NumPy has made; they may differ in the last digit.
Next: methods.
"""

from __future__ import annotations

import gast

from tangentlite import syntax
from tangentlite.optimize.made import Made
from tangentlite.optimize.replace import exchanged, inside
from tangentlite.optimize.scope import Scope

Body = list[gast.stmt]
CHOOSING = (gast.Compare, gast.If, gast.While)
PRODUCTS = {3: "z ** 2 * z", 4: "(z ** 2) ** 2"}


def cubes(body: Body, scope: Scope) -> Body:
    """Products for powers, in a text in which no power decides what is computed.

    >>> from tangentlite.optimize.samples import show
    >>> show(cubes, '''
    ... z = np.exp(x)
    ... bx = by * z ** 3 + x ** 3 + z ** 4
    ... ''')
    z = np.exp(x)
    bx = by * (z ** 2 * z) + x ** 3 + (z ** 2) ** 2
    """
    nodes = list(syntax.nodes(body))
    if not any(map(_is_power, nodes)) or any(isinstance(n, CHOOSING) for n in nodes):
        return body
    return _changed(body, Made(body, scope))


def _is_power(node: object) -> bool:
    match node:
        case gast.BinOp(left=gast.Name(), op=gast.Pow(), right=gast.Constant(value=int() as n)):
            return n in PRODUCTS
    return False


def _changed(body: Body, made: Made) -> Body:
    result = []
    for statement in body:
        if syntax.blocks(statement):
            statement = inside(statement, lambda block: _changed(block, made))
        else:
            powers = [n for n in syntax.nodes([statement]) if _is_power(n) and made.is_made(n.left)]
            holes = {id(n): _product(n) for n in powers}
            statement = exchanged(statement, holes) if holes else statement
        result.append(statement)
    return result


def _product(power: gast.BinOp) -> gast.expr:
    whole = syntax.expression(PRODUCTS[power.right.value], z=power.left.id)
    placed: gast.expr = syntax.at(whole, power)
    return placed
