"""Cubes: ``z ** 3`` of an array is ``z ** 2 * z``, which takes a tenth of the time of a power.

In: the finished statements of a gradient, ``Scope``.
Out: the same with products for third and fourth powers of what NumPy has made; they may differ in the last digit, so
that powers stay from which ties, signs or whole numbers are told.
Next: methods.
"""

from __future__ import annotations

import gast

from tangentlite import syntax
from tangentlite.optimize.facts.made import Made
from tangentlite.optimize.facts.scope import Scope
from tangentlite.optimize.replace import exchanged, inside

Body = list[gast.stmt]
CHOOSING = (gast.Compare, gast.If, gast.While)
ASKING = frozenset(
    """maximum minimum fmax fmin max min amax amin nanmax nanmin ptp sort argsort argmax argmin nanargmax nanargmin clip
    sign floor ceil trunc round rint around fix median nanmedian quantile percentile partition
    argpartition searchsorted digitize unique heaviside floor_divide mod remainder fmod divmod equal not_equal greater
    greater_equal less less_equal copysign signbit isclose allclose interp lexsort histogram astype modf
    wins shares direction quantile_shares winner""".split()
)
PLAIN = frozenset("float len sum range reversed list tuple".split())
PRODUCTS = {3: "z ** 2 * z", 4: "(z ** 2) ** 2"}


def cubes(body: Body, scope: Scope, arrays: frozenset[str] = frozenset()) -> Body:
    """Products for powers, in a text in which no power decides what is computed; ``arrays``: parameters that are.

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
    return _Cubes(body, scope, arrays).changed(body)


def _is_power(node: object) -> bool:
    match node:
        case gast.BinOp(left=gast.Name(), op=gast.Pow(), right=gast.Constant(value=int() as n)):
            return n in PRODUCTS
    return False


class _Cubes:
    """Knows the names of what ties, signs and whole numbers are told from: no power in them is changed."""

    def __init__(self, body: Body, scope: Scope, arrays: frozenset[str]) -> None:
        self._made, self._asked = Made(body, scope, arrays), set[int]()
        found = [n for n in syntax.nodes(body) if _asks(n)]
        inner = [part for n in found for part in syntax.walk(n)]
        self._asked = {id(part) for part in inner}
        self._names = _sources(body, {part.id for part in inner if isinstance(part, gast.Name)})

    def changed(self, body: Body) -> Body:
        """The statements with products."""
        result = []
        for statement in body:
            if syntax.blocks(statement):
                statement = inside(statement, self.changed)
            elif self._names.isdisjoint(_given(statement)):
                powers = [n for n in syntax.nodes([statement]) if _is_power(n) and self._may(n)]
                holes = {id(n): _product(n) for n in powers}
                statement = exchanged(statement, holes) if holes else statement
            result.append(statement)
        return result

    def _may(self, power: gast.BinOp) -> bool:
        return id(power) not in self._asked and self._made.is_made(power.left)


def _asks(node: object) -> bool:
    """Whether something is computed that may jump where its arguments change in the last digit."""
    match node:
        case gast.BinOp(op=gast.FloorDiv() | gast.Mod()):
            return True
        case gast.Call(func=gast.Attribute(attr=name)):
            return name in ASKING
        case gast.Call(func=gast.Name(id=name)):
            return name not in PLAIN  # a function of the user
    return False


def _sources(body: Body, names: set[str]) -> set[str]:
    """The names from which those of ``names`` are computed, and these."""
    waiting, statements = [*names], [s for s in syntax.statements(body) if not syntax.blocks(s)]
    makers: dict[str, list[gast.stmt]] = {}
    for statement in statements:
        for name in _given(statement):
            makers.setdefault(name, []).append(statement)
    while waiting:
        for statement in makers.pop(waiting.pop(), ()):
            new = syntax.loads(statement) - names
            names |= new
            waiting += new
    return names


def _given(statement: gast.stmt) -> set[str]:
    """The names that a statement binds, or into which it may write."""
    match statement:
        case gast.Expr():
            return syntax.loads(statement)
        case gast.Assign(targets=targets):
            return {n.id for t in targets for n in syntax.walk(t) if isinstance(n, gast.Name)}
        case gast.AugAssign(target=target):
            return {n.id for n in syntax.walk(target) if isinstance(n, gast.Name)}
    return set()


def _product(power: gast.BinOp) -> gast.expr:
    whole = syntax.expression(PRODUCTS[power.right.value], z=power.left.id)
    placed: gast.expr = syntax.at(whole, power)
    return placed
