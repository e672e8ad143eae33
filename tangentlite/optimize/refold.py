"""Refold: a temporary that is used once goes back into the expression that uses it.

In: a block, ``Scope``.
Out: the block with fewer, longer statements; nothing is evaluated twice, in a loop, or late.
Next: emit.
"""

from __future__ import annotations

import ast
from math import inf

import gast

from tangentlite import syntax
from tangentlite.analysis.shapes.broadcasting import single, whole as whole_number
from tangentlite.lines import joined
from tangentlite.optimize.comments import tidy
from tangentlite.optimize.facts.measure import Measure
from tangentlite.optimize.facts.scope import Scope
from tangentlite.optimize.facts.table import Facts
from tangentlite.optimize.replace import exchanged, inside, remade, unchanged, with_head

COLUMNS, DEPTH = 88, 3
MANY = -1


def refold(body: list[gast.stmt], scope: Scope, measure: Measure | None = None) -> list[gast.stmt]:
    """Put single-use temporaries back, and sums of one group into one statement.

    >>> from tangentlite.optimize.samples import show
    >>> show(refold, '''
    ... t1 = np.sin(x)
    ... y = t1 * x
    ... # Grad of: y = np.sin(x) * x
    ... bt1 = by * x
    ... bx = by * t2
    ... bx = bx + bt1 * np.cos(x)
    ... return bx
    ... ''')
    y = np.sin(x) * x
    # Grad of: y = np.sin(x) * x
    bx = by * t2 + by * x * np.cos(x)
    return bx

    A part of what has a sign has the sign; an axis that is not kept need not be taken away.

    >>> show(refold, '''
    ... bt1 = -rt.unbroadcast(by, y)
    ... bx = bt1[0] * w
    ... bt2 = by.sum(axis=1, keepdims=True)
    ... bx = bx + bt2[:, 0]
    ... ''')
    bx = -rt.unbroadcast(by, y)[0] * w + by.sum(axis=1)
    """
    return _Refold(scope, measure or scope.measure).block(body, set(), 4)


def _taken(statement: gast.stmt, folded: gast.expr) -> gast.stmt:
    """A statement into which an expression was put back of which it takes a part."""
    match folded:
        case gast.UnaryOp() | gast.Call(keywords=[_, _]):
            for node in syntax.walk(statement):
                if isinstance(node, gast.Subscript) and node.value is folded:
                    part = _part(folded, node)
                    return statement if part is None else exchanged(statement, {id(node): part})
    return statement


def _part(whole: gast.expr, part: gast.Subscript) -> gast.expr | None:
    """``-x[0]`` for ``(-x)[0]``, and ``x.sum(axis=1)`` for ``x.sum(axis=1, keepdims=True)[:, 0]``."""
    match whole, part.slice:
        case gast.UnaryOp(op=gast.USub(), operand=x), _:
            return remade(whole, {"operand": remade(part, {"value": x})})
        case gast.Call(
            func=gast.Attribute(attr="sum"),
            args=[],
            keywords=[
                gast.keyword(arg="axis", value=gast.Constant(value=int(axis))) as along,
                gast.keyword(arg="keepdims", value=gast.Constant(value=True)),
            ],
        ), gast.Constant() | gast.Tuple() as index:
            parts = index.elts if isinstance(index, gast.Tuple) else [index]
            if whole_number(single(parts, axis)) == 0:
                return remade(whole, {"keywords": [along]})
    return None


class _Refold:
    """Blocks are walked backwards, with what is live after them."""

    def __init__(self, scope: Scope, measure: Measure) -> None:
        self.scope, self.measure = scope, measure
        self.seen: frozenset[str] | None = None  # in a try: what is read if it fails, or after it

    def block(self, body: list[gast.stmt], live: set[str], indent: int) -> list[gast.stmt]:
        """The block refolded; ``live`` becomes what is live before it."""
        walk = _Block(self, body, live, indent)
        for index in range(len(body) - 1, -1, -1):
            walk.step(index)
        new = walk.result()
        return tidy(new, top=indent == 4) if len(new) < len(body) else new

    def inner(self, statement: gast.stmt, live: set[str], indent: int) -> gast.stmt:
        """A compound statement with its blocks refolded; ``live`` holds after it."""
        facts = self.scope.facts
        ends: list[set[str]] = [set(live), set(live)]
        match statement:
            case gast.For():
                ends[0] |= facts(statement).reads | facts.block(statement.body).reads
            case gast.While():
                ends[0] |= facts(statement).reads
            case gast.If():
                pass
            case gast.Try():
                ends[0] |= facts(statement).reads
                around, self.seen = self.seen, frozenset(ends[0]) | (self.seen or frozenset())
                new = inside(statement, lambda b: self.block(b, set(ends[0]), indent + 4))
                self.seen = around
                return new
            case gast.With():
                return inside(statement, lambda b: self.block(b, set(live), indent + 4))
            case _:
                return statement
        changes: dict[str, object] = {}
        for field, end in zip(("body", "orelse"), ends, strict=True):
            old = getattr(statement, field)
            new = self.block(old, end, indent + 4)
            if not unchanged(old, new):
                changes[field] = new
        return remade(statement, changes) if changes else statement


class _Block:
    """The backward walk over one block.

    ``uses`` tells for a name bound above where it is read: the one statement, or MANY.
    A name that is not in ``uses`` is read after the block if it is in ``live``, else nowhere.
    """

    def __init__(self, fold: _Refold, body: list[gast.stmt], live: set[str], indent: int) -> None:
        self._fold, self._scope = fold, fold.scope
        self._new: list[gast.stmt | None] = list(body)
        self._live, self._indent = live, indent
        self._uses: dict[str, int] = {}
        self._bound: dict[str, float] = {}
        self._written: list[tuple[str, int]] = []  # since it was asked for last
        self._classes: dict[str, int] = {}  # of names that share memory: where they were written
        self._lowest: float = inf  # of what was written
        self._effect: float = inf
        self._remark: float = inf
        self._next: float = inf

    def result(self) -> list[gast.stmt]:
        return [statement for statement in self._new if statement is not None]

    def step(self, index: int) -> None:
        """Take in the statement at ``index``, the ones below it being done."""
        statement = self._new[index]
        assert statement is not None
        if isinstance(statement, (syntax.Comment, syntax.Blank)):
            self._remark = index
            return
        if syntax.blocks(statement):
            statement = self._new[index] = self._fold.inner(statement, self._live, self._indent)
        elif self._folds(index, statement):
            return
        self._take(index, self._scope.facts(statement))

    def _folds(self, index: int, statement: gast.stmt) -> bool:
        match statement:
            case gast.Assign(targets=[gast.Name(id=name)], value=value):
                place = self._uses.get(name, MANY)
                if place == MANY or name in self._scope.captured:
                    return False
            case _:
                return False
        user = self._new[place]
        assert user is not None
        facts = self._scope.facts(statement)
        if not self._wanted(name, statement, place) or not self._movable(facts, value, name, place):
            return False
        folded = _taken(with_head(user, {name: value}), value)
        if not self._fits(name, folded, statement):
            return False
        self._new[place], self._new[index] = joined(folded, user, statement), None
        self._forget(name)
        once = self._scope.facts(folded).once
        for read in facts.reads:
            self._read(read, place if read in once else MANY)
        return True

    def _wanted(self, name: str, statement: gast.stmt, place: int) -> bool:
        user = self._new[place]
        if isinstance(statement.value, gast.Name) and not self._scope.temporary(name):
            return False
        if self._scope.temporary(name):
            return True
        own = self._scope.generated(name) or self._scope.adjoint(name)  # which may be the seed's
        return own and self._remark > place and isinstance(user, gast.Assign)

    def _movable(self, facts: Facts, value: gast.expr, name: str, place: int) -> bool:
        """Whether nothing between the statement and ``place`` minds, or is minded by, the move."""
        if facts.effect or facts.writes:
            user = self._new[place]
            return place == self._next < self._remark and _first(user, name, value)
        if self._effect < place or isinstance(value, gast.Lambda) or _empty(value):
            return False
        if any(self._bound.get(read, inf) < place for read in facts.reads):
            return False
        if self._fold.seen is not None and self._shows(place):
            return False
        if self._lowest >= place:
            return True
        shared, reads = self._scope.shared, facts.reads - self._scope.integers
        self._classes |= {shared(name): index for name, index in self._written}
        self._written.clear()
        return not any(self._classes.get(shared(read), inf) < place for read in reads)

    def _shows(self, place: int) -> bool:
        """Whether anything that can be seen if a ``try`` fails is done before ``place``."""
        bound = (self._bound.get(name, inf) for name in self._fold.seen or ())
        return min((*bound, self._lowest)) < place

    def _fits(self, name: str, folded: gast.stmt, origin: gast.stmt) -> bool:
        measure = self._fold.measure
        parts = [measure(c) for c in syntax.children(folded) if not isinstance(c, ast.stmt)]
        width = self._indent + sum(w for w, _ in parts) + 3 * (len(parts) - 1)
        depth = max(d for _, d in parts)
        place = _place(origin)
        own = name.startswith("t") and place is not None and place == _place(folded)
        return width <= COLUMNS and (own or depth <= DEPTH)

    def _take(self, index: int, facts: Facts) -> None:
        for name in facts.binds:
            self._bound[name] = index
            if name in facts.kills:
                self._forget(name)
            elif name in self._uses:
                self._uses[name] = MANY
        for name in facts.writes:
            self._written.append((name, index))
            self._lowest = index
        if facts.effect:
            self._effect = index
        for name in facts.reads:
            self._read(name, index if name in facts.once else MANY)
        self._next = index

    def _forget(self, name: str) -> None:
        self._uses.pop(name, None)
        self._live.discard(name)

    def _read(self, name: str, place: int) -> None:
        known = name in self._live
        self._uses[name] = MANY if known else place
        self._live.add(name)


def _empty(value: gast.expr) -> bool:
    """Whether ``value`` makes a container that is going to be filled."""
    match value:
        case gast.List(elts=[]) | gast.Dict(keys=[]):
            return True
    return False


def _place(node: ast.AST) -> tuple[int, int] | None:
    line = getattr(node, "lineno", None)
    return None if line is None else (line, node.col_offset)  # type: ignore[attr-defined]


def _first(user: gast.stmt | None, name: str, value: gast.expr) -> bool:
    """Whether ``user`` evaluates ``name`` before anything else."""
    match user:
        case gast.Assign(value=tree) | gast.Expr(value=tree) | gast.Return(value=tree):
            pass
        case _:
            return False
    if isinstance(value, gast.Call) and isinstance(value.func, gast.Attribute):
        return isinstance(tree, gast.Name) and tree.id == name
    while not isinstance(tree, gast.Name):
        match tree:
            case gast.BinOp(left=tree) | gast.Subscript(value=tree) | gast.UnaryOp(operand=tree):
                pass
            case _:
                return False
    return bool(tree.id == name)
