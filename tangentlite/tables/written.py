"""Written: a function in which lists of numbers are arrays.

In: a function as it was read, which lists there are.
Out: ``written``: the statements.
Next: tables.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from typing import Any

import gast

from tangentlite import syntax
from tangentlite.ir import Function
from tangentlite.optimize.facts.purity import Purity
from tangentlite.tables.made import Link, Made, bindings


def written(function: Function, ranks: Mapping[str, int], purity: Purity) -> list[gast.stmt]:
    """The statements, with arrays.

    >>> from tangentlite.optimize.samples import function, text_of
    >>> from tangentlite.tables.found import ranks
    >>> def show(text):
    ...     made = function(text)
    ...     purity = Purity(made.namespace, made.local, lambda callee: False)
    ...     print(text_of(written(made, ranks(made, purity), purity)))
    >>> show('''
    ... u = [0.0] * n
    ... v = [x ** k for k in range(1, n + 1)]
    ... A = [[1.0] * n for _ in range(3)]
    ... u[0] += A[2][n - 1]
    ... w = v[:]
    ... u = [0.5 * u[k + 1] for k in range(n - 1)]
    ... ''')
    u = np.zeros(n)
    v = np.zeros(n + 1 - 1)
    for k_1 in range(1, n + 1):
        v[k_1 - 1] = x ** k_1
    A = np.full((3, n), 1.0)
    u[0] += A[2, n - 1]
    w = v.copy()
    u_1 = np.zeros(n - 1)
    for k_2 in range(n - 1):
        u_1[k_2] = 0.5 * u[k_2 + 1]
    u = u_1
    """
    return _Writing(function, ranks, purity).block(function.body)


class _Writing:
    def __init__(self, function: Function, ranks: Mapping[str, int], purity: Purity) -> None:
        self._ranks, self._purity = ranks, purity
        self._taken = {*function.local, *function.read}

    def block(self, body: Sequence[Any]) -> list[gast.stmt]:
        """Statements with arrays."""
        return [syntax.at(made, s) for s in body for made in self._statement(s)]

    def _statement(self, statement: Any) -> Iterator[gast.stmt]:
        parts = bindings(statement, self._purity) or []
        if not parts or any(name not in self._ranks for name, _ in parts):
            yield self._with_blocks(statement)
        elif isinstance(parts[0][1], Link):
            values = [self._linked(part) for _, part in parts if isinstance(part, Link)]
            value = values[0] if len(values) == 1 else gast.Tuple(values, gast.Load())
            yield gast.Assign(list(map(syntax.copy, statement.targets)), value, None)
        else:
            for name, part in parts:
                if isinstance(part, Made):
                    yield from self._filled(name, part)

    def _with_blocks(self, statement: Any) -> gast.stmt:
        made = statement.__class__.__new__(statement.__class__)
        made.__dict__.update(statement.__dict__)
        for field in syntax.parts(statement.__class__):
            value = getattr(statement, field, None)
            if isinstance(value, list) and value and isinstance(value[0], gast.stmt):
                setattr(made, field, self.block(value))
            elif isinstance(value, list):
                setattr(made, field, [self._places(v) for v in value])
            else:
                setattr(made, field, self._places(value))
        return made

    def _places(self, tree: Any) -> Any:
        """An expression, in which ``A[i][j]`` is ``A[i, j]``."""
        return _Places(self._ranks).visit(syntax.copy(tree)) if isinstance(tree, gast.AST) else tree

    def _linked(self, link: Link) -> gast.expr:
        return syntax.expression("u.copy()" if link.copied else "u", u=link.name)

    def _filled(self, name: str, made: Made) -> Iterator[gast.stmt]:
        """The array of a list that is made, and what its numbers are."""
        target = self._fresh(name) if name in syntax.loads(made.trees) else name
        sides = [
            c.stop if c.start is None else gast.BinOp(c.stop, gast.Sub(), c.start)
            for c in made.counted
        ]
        shape = sides[0] if len(sides) == 1 else gast.Tuple(sides, gast.Load())
        number = made.value.value if isinstance(made.value, gast.Constant) else None
        plain = type(number) in (int, float)
        if plain and number:
            value = syntax.expression("np.full(s, c)", s=shape, c=syntax.constant(float(number)))
        else:
            value = syntax.expression("np.zeros(s)", s=shape)
        yield syntax.assign(target, self._places(value))
        if made.places:
            for place, part in made.places:
                yield self._stored(target, list(map(syntax.constant, place)), part)
        elif not plain:
            if made.once and not syntax.is_atom(made.value):
                before = self._fresh(name)
                yield syntax.assign(before, self._places(made.value))
                made = made._replace(value=syntax.name(before))
            yield self._loop(target, made)
        if target != name:
            yield syntax.assign(name, syntax.name(target))

    def _loop(self, target: str, made: Made) -> gast.stmt:
        """A loop that stores what a comprehension gives."""
        names = [self._fresh(c.counter or "k") for c in made.counted]
        renamed = {c.counter: n for c, n in zip(made.counted, names) if c.counter is not None}
        value = syntax.substitute(made.value, renamed)
        places = [
            syntax.name(n) if c.start is None else gast.BinOp(syntax.name(n), gast.Sub(), c.start)
            for c, n in zip(made.counted, names)
        ]
        inner = self._stored(target, places, value)
        for c, n in reversed(list(zip(made.counted, names))):
            ends = [end for end in (c.start, c.stop) if end is not None]
            over = gast.Call(syntax.name("range"), list(map(self._places, ends)), [])
            inner = gast.For(syntax.store(syntax.name(n)), over, [inner], [], None)
        return inner

    def _stored(self, target: str, places: list[Any], value: Any) -> gast.stmt:
        index = places[0] if len(places) == 1 else gast.Tuple(places, gast.Load())
        place = gast.Subscript(syntax.name(target), index, gast.Store())
        return gast.Assign([self._places(place)], self._places(value), None)

    def _fresh(self, name: str) -> str:
        found = next(n for k in count(1) if (n := f"{name}_{k}") not in self._taken)
        self._taken.add(found)
        return found


class _Places(gast.NodeTransformer):  # type: ignore[misc]
    """Says two indices as one."""

    def __init__(self, ranks: Mapping[str, int]) -> None:
        self._ranks = ranks

    def visit_Subscript(self, node: gast.Subscript) -> gast.expr:
        """``A[i][j]`` is ``A[i, j]``."""
        self.generic_visit(node)
        match node.value:
            case gast.Subscript(value=gast.Name(id=name) as table, slice=index) if (
                self._ranks.get(name) == 2
            ):
                both = gast.Tuple([index, node.slice], gast.Load())
                return syntax.at(gast.Subscript(table, both, node.ctx), node)
        return node
