"""Sorts: which names of a derivative hold integers, which real numbers, and which arrays of doubles.

In: the finished statements of a function whose arguments are known, ``Purity``.
Out: ``Sorts``: ``of(expression)``, ``known``.
Next: plain, lists.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import reduce
from typing import Any, NamedTuple

import gast

from tangentlite import runtime, syntax
from tangentlite.optimize.facts.purity import Purity
from tangentlite.optimize.numbers.calls import called, is_elementwise
from tangentlite.optimize.numbers.forms import (
    BOOL,
    FLOAT,
    INT,
    NUMBERS,
    ZERO,
    Form,
    Ints,
    Tape,
    axes_of,
    is_array,
    joined,
    of_numbers,
    operation,
)

Body = list[gast.stmt]
Helper = Callable[[str, tuple[Form, ...]], Form]


class Binding(NamedTuple):
    """A name, what it is bound to, and which part of that; ``pushed``: it is put on the tape of that name."""

    name: str
    value: gast.expr | None
    path: tuple[int, ...] = ()
    pushed: bool = False


def no_helper(name: str, forms: tuple[Form, ...]) -> Form:
    """What a helper gives of which nothing is known."""
    return None


class Sorts:
    """What the names of a function hold, wherever they are read; what ``helper`` says of calls of helpers.

    ``lists`` looks at lists of numbers, too, that the function makes.

    >>> from tangentlite.optimize.samples import function, sample_is_pure
    >>> text = '''
    ... s = 0
    ... tape = []
    ... for i in range(1, n):
    ...     y = np.sin(x[i]) * s
    ...     tape.append((y, i))
    ...     s = s + y
    ... y, k = tape.pop()
    ... z = x[:k] * y
    ... w = unknown(x)
    ... '''
    >>> f = function(text)
    >>> purity = Purity(f.namespace, f.local, sample_is_pure)
    >>> sorts = Sorts(f.body, {"x": 1, "n": INT}, purity)
    >>> {name: sorts.known[name] for name in "siykzw"}
    {'s': 'float', 'i': 'int', 'y': 'float', 'k': 'int', 'z': 1, 'w': None}
    """

    def __init__(
        self,
        body: Body,
        given: Mapping[str, Form],
        purity: Purity,
        helper: Helper = no_helper,
        lists: bool = False,
    ) -> None:
        self.lists = lists
        self.means, self.meaning, self.helper = purity.means, purity.meaning, helper
        self.fresh, self._stored = purity.fresh, syntax.stores(body)
        self._is_constant = purity.is_constant
        self.bindings = [b for s in syntax.statements(body) for b in self._bound(s)]
        self.given, self.known = frozenset(given), dict(given)
        self._learn()

    def _learn(self) -> None:
        """Look at what is bound until nothing new is found; a value made of names not known yet has to wait."""
        local, before = {b.name for b in self.bindings}, None
        waiting = [(b, syntax.loads(b.value) & local if b.value else set()) for b in self.bindings]
        while before != self.known:
            before = dict(self.known)
            for (name, value, path, pushed), read in waiting:
                if not read <= self.known.keys():
                    continue
                form = self.part(value, path)
                form = Tape(form) if pushed else form
                self.known[name] = joined(self.known[name], form) if name in self.known else form
        self.known |= dict.fromkeys(local - self.known.keys())

    def part(self, value: gast.expr | None, path: tuple[int, ...]) -> Form:
        """The form of a part of a value."""
        form = self.of(value)
        for k in path:
            if is_array(form):
                form = form - 1 or FLOAT
            else:
                form = form[k] if type(form) is tuple and k < len(form) else None
        return form

    def _bound(self, statement: gast.stmt) -> Iterator[Binding]:
        """The names that a statement binds, and to what; an empty list is a tape if something is put on it."""
        match statement:
            case gast.Assign(targets=[gast.Subscript()]) | gast.AugAssign(target=gast.Subscript()):
                return
            case gast.Assign(targets=[gast.Name()], value=gast.List(elts=[])):
                return
            case gast.Assign(targets=[target], value=value):
                yield from _assigned(target, value, ())
            case gast.AugAssign(target=gast.Name(id=name), op=op, value=value):
                yield Binding(name, gast.BinOp(syntax.name(name), op, value))
            case gast.For(target=target, iter=gast.Tuple(elts=rows) | gast.List(elts=rows)):
                for row in rows:
                    yield from _assigned(target, row, ())
            case gast.For(target=gast.Name(id=name), iter=iterable):
                yield Binding(name, syntax.constant(0) if self._counts(iterable) else None)
            case gast.Expr(
                value=gast.Call(
                    func=gast.Attribute(value=gast.Name(id=name), attr="append"), args=[pushed]
                )
            ) if name in self._stored:
                yield Binding(name, pushed, (), True)
            case gast.If() | gast.While():
                return
            case _:
                heads = statement.target if isinstance(statement, gast.For) else statement
                yield from (Binding(name, None) for name in syntax.stores(heads))

    def is_elementwise(self, func: gast.expr) -> bool:
        """Whether a function is one of real numbers."""
        return is_elementwise(self.meaning(func))

    def has_numbers(self, body: Body) -> bool:
        """Whether numbers are taken from arrays somewhere, or functions of numbers."""
        return any(map(self._is_of_numbers, syntax.nodes(body)))

    def _is_of_numbers(self, node: Any) -> bool:
        match node:
            case gast.Subscript(value=value):
                return self.of(node) == FLOAT and is_array(self.of(value))
            case gast.Assign(targets=[gast.Tuple()], value=value):
                return is_array(self.of(value)) and self.part(value, (0,)) == FLOAT
            case gast.Call(func=func, args=[some, *_]) if self.lists and of_numbers(self.of(some)):
                return bool(self.means(func, (runtime.zeros, runtime.add_at)))
            case gast.Call(args=[first, *_], func=gast.Attribute()):
                return self.of(first) in NUMBERS and self.of(node) == FLOAT
            case gast.Call(func=gast.Name(id=name), args=args):
                return self.helper(name, tuple(map(self.of, args))) is not None
        return False

    def _counts(self, iterable: gast.expr) -> bool:
        """Whether a loop runs over a range."""
        match iterable:
            case gast.Call(func=func, args=[inner]) if self.means(func, (reversed,)):
                return self._counts(inner)
            case gast.Call(func=func):
                return self.means(func, (range,))
        return False

    def of(self, tree: Any) -> Form:
        """The form of an expression."""
        match tree:
            case gast.Constant(value=value):
                return {bool: BOOL, int: INT, float: FLOAT}.get(type(value))
            case gast.Name(id=name):
                return self.known.get(name)
            case gast.Tuple(elts=elts):
                return tuple(map(self.of, elts))
            case gast.List(elts=[_, *_] as elts) if self.lists:
                found = reduce(joined, map(self.of, elts))
                return Tape(found) if found in NUMBERS else None
            case gast.BinOp(left=gast.List() as some, op=gast.Mult(), right=count) if self.lists:
                return self.of(some) if self.of(count) == INT else None
            case gast.UnaryOp(op=gast.Not()):
                return BOOL
            case gast.UnaryOp(op=gast.USub() | gast.UAdd(), operand=operand):
                return found if (found := self.of(operand)) in NUMBERS or is_array(found) else None
            case gast.BinOp(left=left, op=op, right=right):
                return operation(op, self.of(left), self.of(right))
            case gast.Compare(left=left, comparators=others):
                return BOOL if all(self.of(e) in NUMBERS for e in (left, *others)) else None
            case gast.BoolOp(values=values):
                return reduce(joined, map(self.of, values))
            case gast.IfExp(body=body, orelse=orelse):
                return joined(self.of(body), self.of(orelse))
            case gast.Subscript(value=value, slice=index):
                return self._part(self.of(value), index)
            case gast.Attribute():
                return self._attribute(tree)
            case gast.Call(func=func, args=args, keywords=keywords):
                return called(self, func, args, keywords)
        return None

    def _attribute(self, tree: gast.Attribute) -> Form:
        form = self.of(tree.value)
        rank = axes_of(form)
        if rank is not None and tree.attr == "T":
            return form if is_array(form) else None
        if rank is not None:
            return (INT,) * rank if tree.attr == "shape" else INT if tree.attr == "size" else None
        is_zero = tree.attr == "ZERO" and self.means(tree, (runtime.ZERO,))
        return ZERO if is_zero else FLOAT if self._is_constant(tree) else None

    def _part(self, form: Form, index: gast.expr) -> Form:
        """What an index takes from an array or a tuple."""
        entries = index.elts if isinstance(index, gast.Tuple) else [index]
        numbers = [e for e in entries if not isinstance(e, gast.Slice)]
        place = _constant(index)
        if self.lists and of_numbers(form):
            return form.pushed if self.of(index) == INT else None
        if type(form) is tuple and place is not None:
            return form[place] if -len(form) <= place < len(form) else None
        if isinstance(index, gast.Constant) and index.value is Ellipsis:
            return form if axes_of(form) is not None else None
        rank = axes_of(form)
        if rank is None or len(entries) > rank or any(self.of(e) != INT for e in numbers):
            return None
        left = rank - len(numbers)
        return (left or FLOAT) if is_array(form) else Ints(left) if left else INT


def _constant(index: gast.expr) -> int | None:
    """The number that an index is."""
    match index:
        case gast.Constant(value=int() as value):
            return value
        case gast.UnaryOp(op=gast.USub(), operand=gast.Constant(value=int() as value)):
            return -value
    return None


def _assigned(target: gast.expr, value: gast.expr, path: tuple[int, ...]) -> Iterator[Binding]:
    """What an assignment binds, the parts of a tuple one by one."""
    match target:
        case gast.Name(id=name):
            yield Binding(name, value, path)
        case gast.Tuple(elts=elts) if not any(isinstance(e, gast.Starred) for e in elts):
            for k, part in enumerate(elts):
                yield from _assigned(part, value, (*path, k))
        case _:
            yield from (Binding(name, None) for name in syntax.stores(target))
