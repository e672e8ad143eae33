"""Views: parts of arrays that a backward loop comes to again and again are taken once, before it.

In: the finished statements of a function for NumPy, ``Scope``, ``Axes``.
Out: the same with fewer slices, and sums in place.
Next: emit.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import count

import gast

from tangentlite import syntax
from tangentlite.optimize.facts.axes import Axes
from tangentlite.optimize.facts.scope import Scope
from tangentlite.optimize.replace import exchanged, inside, remade

Body = list[gast.stmt]
WHOLE = syntax.constant(...)


def views(body: Body, scope: Scope, axes: Axes) -> Body:
    """Name what is sliced in every trip.

    >>> from tangentlite.optimize.samples import USER, function, sample_is_pure, text_of
    >>> text = '''
    ... bx = np.zeros(x.shape)
    ... for k in range(n):
    ...     t1 = bx[1:-1]
    ...     bt1 = t1 * 0.5
    ...     bx[1:-1] = 0.0
    ...     bx[2:] += bt1
    ...     bx[k] += x[k]
    ... '''
    >>> sample = function(text)
    >>> scope = Scope(sample, USER, sample_is_pure)
    >>> print(text_of(views(sample.body, scope, Axes(sample.body, {"x": 1}, scope.purity))))
    bx = np.zeros(x.shape)
    t1 = bx[1:-1]
    bx_1 = bx[2:]
    for k in range(n):
        bt1 = t1 * 0.5
        t1[...] = 0.0
        bx_1 += bt1
        bx[k] += x[k]
    """
    if not any(isinstance(s, gast.For | gast.While) for s in body):
        return body
    return _Views(body, scope, axes).result()


class _Views:
    def __init__(self, body: Body, scope: Scope, axes: Axes) -> None:
        self._body, self._scope, self._axes = body, scope, axes
        self._bound = syntax.times_stored(body)
        self._used = syntax.loads(body) | syntax.stores(body) | scope.user | scope.local

    def result(self) -> Body:
        made: Body = []
        bound = set(self._scope.params)
        for statement in self._body:
            if isinstance(statement, gast.For | gast.While) and self._is_backward(statement):
                changed = syntax.stores(statement)
                known = self._parts(statement, (bound & syntax.loads(statement)) - changed)
                made += [syntax.at(syntax.assign(n, p), statement) for n, p in known.values()]
                statement = self._with(statement, {k: n for k, (n, _) in known.items()})
            elif not syntax.blocks(statement):
                bound |= syntax.stores(statement)
            made.append(statement)
        return made

    def _is_backward(self, loop: gast.stmt) -> bool:
        """Whether a loop writes into adjoints, and there is nothing in it that runs at another time."""
        inner = list(syntax.statements([loop]))
        plain = (gast.For, gast.While, gast.If, gast.Assign, gast.AugAssign, gast.Expr)
        quiet = all(isinstance(s, (*plain, syntax.Comment, syntax.Blank)) for s in inner)
        return quiet and any(
            isinstance(s, gast.AugAssign)
            and isinstance(s.target, gast.Subscript)
            and isinstance(s.target.value, gast.Name)
            and self._scope.adjoint(s.target.value.id)
            for s in inner
        )

    def _parts(self, loop: gast.stmt, arrays: set[str]) -> dict[str, tuple[str, gast.expr]]:
        """The parts that are the same in each trip, and their names."""
        found: dict[str, tuple[str, gast.expr]] = {}
        for inner in syntax.statements([loop]):
            match inner:
                case gast.Assign(targets=[gast.Name(id=name)], value=gast.Subscript() as part):
                    once = self._bound[name] == 1 and self._scope.temporary(name)
                    if once and self._is_same(part, arrays):
                        found.setdefault(syntax.unparse(part), (name, part))
        for node in syntax.walk(loop):
            if isinstance(node, gast.Subscript) and self._is_same(node, arrays):
                key = syntax.unparse(node)
                if key not in found:
                    part = gast.Subscript(node.value, node.slice, gast.Load())
                    found[key] = self._fresh(node.value.id), part
        return found

    def _fresh(self, name: str) -> str:
        """A name for a part of an array."""
        part = next(n for k in count(1) if (n := f"{name}_{k}") not in self._used)
        self._used.add(part)
        return part

    def _is_same(self, part: gast.Subscript, arrays: set[str]) -> bool:
        """Whether a part is a view of an array, by slices whose ends are written down."""
        if not isinstance(part.value, gast.Name) or part.value.id not in arrays:
            return False
        index = part.slice
        entries = index.elts if isinstance(index, gast.Tuple) else [index]
        slices = [e for e in entries if isinstance(e, gast.Slice)]
        ends = [e for s in slices for e in syntax.children(s)]
        new = [e for e in entries if isinstance(e, gast.Constant) and e.value is None]
        plain = len(slices) + len(new) == len(entries) and all(map(_is_number, ends))
        fits = (self._axes.known.get(part.value.id) or 0) >= len(slices)
        return plain and fits and bool(ends or new)

    def _block(self, body: Body, known: Mapping[str, str]) -> Body:
        kept = [self._with(s, known) for s in body if not self._is_taken(s, known)]
        return kept or [gast.Pass()]

    @staticmethod
    def _is_taken(statement: gast.stmt, known: Mapping[str, str]) -> bool:
        """Whether a part gets the very name here that it has before the loop."""
        match statement:
            case gast.Assign(targets=[gast.Name(id=name)], value=gast.Subscript() as part):
                return bool(known.get(syntax.unparse(part)) == name)
        return False

    def _with(self, statement: gast.stmt, known: Mapping[str, str]) -> gast.stmt:
        """A statement with names for parts."""
        if not known:
            return statement
        if syntax.blocks(statement):
            return inside(statement, lambda body: self._block(body, known))
        match statement:
            case gast.AugAssign(target=gast.Subscript() as target, op=gast.Add() | gast.Sub()):
                name = known.get(syntax.unparse(target))
                if name is not None:
                    value = _named(statement.value, known)
                    return remade(statement, {"target": _stored(name), "value": value})
        return _named(statement, known)


def _stored(name: str) -> gast.expr:
    return syntax.store(syntax.name(name))


def _is_number(node: gast.AST) -> bool:
    match node:
        case gast.UnaryOp(op=gast.USub(), operand=operand):
            return _is_number(operand)
        case gast.Constant(value=value):
            return type(value) is int
    return False


def _subscripts(node: gast.AST) -> Iterable[gast.Subscript]:
    return (n for n in syntax.walk(node) if isinstance(n, gast.Subscript))


def _named(node: gast.AST, known: Mapping[str, str]) -> gast.AST:
    holes = {}
    for part in _subscripts(node):
        name = known.get(syntax.unparse(part))
        if name is None:
            continue
        read = isinstance(part.ctx, gast.Load)
        whole = gast.Subscript(syntax.name(name), WHOLE, gast.Store())
        holes[id(part)] = syntax.name(name) if read else whole
    return exchanged(node, holes) if holes else node
