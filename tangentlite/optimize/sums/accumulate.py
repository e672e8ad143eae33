"""Accumulate: a sum of products grows in the array that it begins with.

In: the statements of a function, ``Scope``, the names whose sums are real.
Out: the same statements; ``bw = bw + x.T @ by`` is ``bw += x.T @ by`` where ``bw`` is an array that nobody else holds.
Next: emit.

A name *owns* what it holds at a point if on every path that is a product, a number or ZERO, and nothing that was
read since may hold it too. A sum in place keeps the precision of what it begins with: an adjoint has that of its value.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Set

import gast

from tangentlite import runtime, syntax
from tangentlite.lowering.arrays.augmented import FITTED, PLAIN
from tangentlite.optimize.facts.scope import Scope
from tangentlite.optimize.replace import inside

Body = list[gast.stmt]
Owned = frozenset[str]
DISPLAYS = gast.List, gast.Tuple, gast.ListComp, gast.Dict
FRESH = gast.Mult, gast.Div, gast.MatMult, gast.Pow


def accumulate(body: Body, scope: Scope, real: Set[str] = frozenset()) -> Body:
    """Add in place to what is owned.

    >>> from tangentlite.optimize.samples import parse, function, text_of, sample_is_pure, USER
    >>> def show(text):
    ...     sample = function(text)
    ...     scope = Scope(sample, USER, sample_is_pure)
    ...     print(text_of(accumulate(sample.body, scope, {"bw", "bu"})))
    >>> show('''
    ... bw = rt.ZERO
    ... bu = bt
    ... for i in reversed(range(n)):
    ...     bw = bw + np.outer(by, x)
    ...     bu = bu + np.outer(by, x)
    ... by = bw * bu
    ... ''')
    bw = rt.ZERO
    bu = bt
    for i in reversed(range(n)):
        bw += np.outer(by, x)
        bu = bu + np.outer(by, x)
    by = bw * bu
    """
    found = _Owners(scope, real)
    if not any(map(found.product, syntax.statements(body))):
        return body
    found.whole(body)
    return _changed(body, found.in_place) if found.in_place else body


def _changed(body: Body, in_place: Set[gast.stmt]) -> Body:
    return [
        _augmented(s) if s in in_place else inside(s, lambda b: _changed(b, in_place)) for s in body
    ]


def _augmented(statement: gast.stmt) -> gast.stmt:
    (target,), sum_ = statement.targets, statement.value
    return syntax.at(gast.AugAssign(target, sum_.op, sum_.right), statement)


class _Owners:
    """A walk along the statements with the names that own what they hold."""

    def __init__(self, scope: Scope, real: Set[str]) -> None:
        self._scope, self._real = scope, real
        self.in_place: set[gast.stmt] = set()
        self._broken: list[Owned] = []
        self._fitted: dict[str, str] = {}  # names of arrays that another name may hold as well
        self._last: dict[str, int] = {}  # where the function reads a name last
        self._place: int | None = None  # of a statement of the function; None in a block

    def product(self, statement: ast.AST) -> str | None:
        """The name n of ``n = n + e``, where e is a product of its own memory that fits n."""
        match statement:
            case gast.Assign(
                targets=[gast.Name(id=name)],
                value=gast.BinOp(left=gast.Name(id=left), op=gast.Add() | gast.Sub(), right=right),
            ) if name == left and name not in syntax.loads(right):
                mine = self._scope.adjoint(name) and name not in self._scope.captured
                return name if mine and self._fits(name, right) else None
        return None

    def _fits(self, name: str, tree: gast.expr) -> bool:
        """Whether an expression is a product of the shape and realness of the adjoint to which it is added."""
        match tree:
            case gast.Call(func=func, args=[_, like, *_]) if self._repeats(func):
                return isinstance(like, gast.Name) and name == f"b{like.id}"
            case gast.Call(func=func):
                means = self._scope.purity.means
                return means(func, FITTED) or (name in self._real and means(func, PLAIN))
            case gast.BinOp(op=gast.MatMult()):
                return name in self._real
            case gast.UnaryOp(op=gast.USub(), operand=operand):
                return self._fits(name, operand)
        return False

    def _repeats(self, func: gast.expr) -> bool:
        """Whether a callee repeats the adjoint of a sum, which is exact, for each of the summands."""
        return self._scope.purity.means(func, (runtime.unreduce,))

    def whole(self, body: Body) -> None:
        """Walk along the statements of the function."""
        owned = frozenset[str]()
        self._last = {name: k for k, s in enumerate(body) for name in syntax.loads(s)}
        for k, statement in enumerate(body):
            inner = bool(syntax.blocks(statement))
            self._place = None if inner else k
            if inner:
                owned -= self._fitted.keys()
                self._fitted.clear()
            owned = self._after(statement, owned)

    def _shared(self, names: Set[str]) -> Set[str]:
        """Names, and those that hold what they hold."""
        return names | {name for name, whole in self._fitted.items() if whole in names}

    def block(self, body: Body, owned: Owned) -> Owned:
        """The names that own what they hold after a block."""
        for statement in body:
            owned = self._after(statement, owned)
        return owned

    def _after(self, statement: gast.stmt, owned: Owned) -> Owned:
        match statement:
            case syntax.Comment() | syntax.Blank() | gast.Pass():
                return owned
            case gast.Assign(targets=[gast.Name(id=name)], value=value):
                return self._bound(statement, name, value, owned)
            case gast.If(test=test, body=then, orelse=other):
                owned -= syntax.loads(test)
                return self.block(then, owned) & self.block(other, owned)
            case gast.For(target=target, iter=head, orelse=[]):
                return self._loop(statement, syntax.stores(target), owned - syntax.loads(head))
            case gast.While(test=test, orelse=[]):
                return self._loop(statement, syntax.loads(test), owned)
            case gast.Break() | gast.Continue():
                self._broken.append(owned)
                return owned
        lost = self._shared(syntax.loads(statement))
        return owned - lost - frozenset(syntax.stores(statement))

    def _bound(self, statement: gast.stmt, name: str, value: gast.expr, owned: Owned) -> Owned:
        if self.product(statement) is not None and name in owned:
            if not self._is_read_later(self._fitted.get(name)):
                self.in_place.add(statement)
                view = isinstance(value.right, gast.Call) and self._repeats(value.right.func)
                return owned - {name} if view else owned
        self.in_place.discard(statement)
        self._fitted.pop(name, None)
        whole = self._fits_whole(value, owned)
        owned -= self._shared(self._held(value))
        if whole is not None and whole != name:
            self._fitted[name] = whole
            return owned | {name}
        return owned | {name} if self._is_own(value) else owned - {name}

    def _is_read_later(self, name: str | None) -> bool:
        return (
            name is not None
            and self._place is not None
            and self._last.get(name, self._place) > self._place
        )

    def _fits_whole(self, value: gast.expr, owned: Owned) -> str | None:
        """The array of its own that a value is, if nothing of it has to be summed."""
        match value:
            case gast.Call(func=func, args=[gast.Name(id=whole), _], keywords=[]) if (
                whole in owned and self._place is not None
            ):
                return whole if self._scope.purity.means(func, (runtime.unbroadcast,)) else None
        return None

    def _loop(self, statement: gast.stmt, lost: Set[str], owned: Owned) -> Owned:
        """Until the trips begin with what they leave."""
        outer, self._broken = self._broken, []
        while True:
            owned -= lost
            after = self.block(statement.body, owned).intersection(owned, *self._broken)
            if after == owned:
                break
            owned = after
        self._broken = outer
        return owned

    def _is_own(self, tree: gast.expr) -> bool:
        """Whether nobody else holds the value of an expression."""
        match tree:
            case gast.Attribute(attr="ZERO"):
                return True
            case gast.Constant(value=float()):
                return True
        return not isinstance(tree, gast.Name) and self._is_fresh(tree)

    def _is_fresh(self, tree: gast.expr) -> bool:
        """Whether the value of an expression is a number or an array that it made."""
        if any(isinstance(n, DISPLAYS) for n in syntax.walk(tree)):
            return False
        match tree:
            case gast.Constant() | gast.UnaryOp(op=gast.USub()):
                return True
            case gast.BinOp(op=op):
                return isinstance(op, FRESH)
            case gast.Call(func=func):
                fresh: Callable[[gast.Call], bool] = self._scope.purity.fresh
                return fresh(tree) or self._scope.purity.means(func, (*FITTED, *PLAIN))
        return False

    def _held(self, tree: gast.expr) -> Set[str]:
        """The names whose memory the value of an expression may hold."""
        if self._is_fresh(tree):
            return frozenset()
        match tree:
            case gast.BinOp(left=left, op=gast.Add() | gast.Sub(), right=right):
                return self._held(left) | self._held(right)
        return frozenset(syntax.loads(tree))
