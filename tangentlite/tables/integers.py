"""Integers: whether lists of numbers may hold integers that no float is equal to.

In: a function as it was read, the lists that it makes, ``Purity``.
Out: ``Integers``: ``held``: whether lists hold integers at all, ``large``: whether these may be too large.
Next: tables.

An array holds a float where a list has an integer, which is the same number below ``2 ** 53``. Generators of random
numbers, hashes and tables of combinatorics go beyond. How many bits an integer has is followed from where it is made
to where it is computed with, until nothing grows. What is only added to once in each trip of a loop does not grow.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any

import gast

from tangentlite import rules, syntax
from tangentlite.errors import DerivativeError
from tangentlite.ir import Function
from tangentlite.optimize.facts.purity import Purity
from tangentlite.optimize.numbers.forms import Form
from tangentlite.slices.effects import DEEP
from tangentlite.tables.bits import (
    EXACT,
    GIVEN,
    UNKNOWN,
    Bits,
    bits_in,
    bits_of,
    grown,
    joined,
    operation,
    power,
)
from tangentlite.tables.callees import result
from tangentlite.tables.made import UNSEEN

WALKS = (enumerate, zip, reversed)
COUNTER = syntax.constant(2**GIVEN - 1)


class Integers:
    """Looks for integers in lists, until it knows all of them.

    >>> from tangentlite.optimize.numbers.forms import FLOAT, INT
    >>> from tangentlite.optimize.samples import function
    >>> def show(text):
    ...     made = function(text)
    ...     found = Integers(made, {"u": 1}, {"x": FLOAT, "n": INT}, lambda helper: None)
    ...     print(found.held, found.large)
    >>> show("u = [0.0] * n\\nu[0] = x\\nu[1] = u[0] * 3")
    False False
    >>> show("u = [0] * n\\nu[0] = 1\\nfor i in range(1, n):\\n    u[i] = u[i - 1] + i")
    True False
    >>> show("u = [1] * n\\nfor i in range(1, n):\\n    u[i] = u[i - 1] * i")
    True True
    """

    def __init__(
        self,
        function: Function,
        tables: Mapping[str, int],
        given: Mapping[str, Form | Bits],
        read: Callable[[Any], Function],
        depth: int = 0,
    ) -> None:
        self._function, self._tables, self._read, self._depth = function, tables, read, depth
        self._purity = Purity(function.namespace, function.local, rules.is_pure)
        self._known: dict[str, Bits | None] = {p.name: Bits(UNKNOWN) for p in function.params}
        self._known |= {name: _given(form) for name, form in given.items()}
        self.large = False
        self.result: Bits | None = None
        before: Any = None
        while before != self._known and not self.large:
            before = dict(self._known)
            for statement in syntax.statements(function.body):
                self._statement(statement)

    @property
    def held(self) -> bool:
        """Whether there are integers in lists."""
        return any(self._known.get(name) is not None for name in self._tables)

    # Statements ---------------------------------------------------------------------------------

    def _statement(self, statement: Any) -> None:
        match statement:
            case gast.Assign(
                targets=[gast.Name(id=name) as target],
                value=gast.BinOp(left=gast.Name(id=same), op=gast.Add() | gast.Sub(), right=value),
            ) if name == same and name not in self._tables:
                self._bind(target, None, grown(self.of(target), self.of(value)))
            case gast.Assign(targets=targets, value=value):
                found = self.of(value)
                for target in targets:
                    self._bind(target, value, found)
            case gast.AnnAssign(target=target, value=value) if value is not None:
                self._bind(target, value, self.of(value))
            case gast.AugAssign(target=target, op=op, value=value):
                before, added = self.of(target), self.of(value)
                sums = isinstance(op, gast.Add | gast.Sub)
                found = grown(before, added) if sums else operation(op, before, added)
                self._bind(target, None, found)
            case gast.For(target=target, iter=iterable):
                self._walk(target, iterable)
            case gast.Return(value=value) if value is not None:
                self.result = joined(self.result, self.of(value))
            case _:
                fields = map(vars(statement).get, syntax.parts(statement.__class__))
                for tree in fields:
                    if isinstance(tree, gast.expr):
                        self.of(tree)

    def _bind(self, target: Any, value: Any, found: Bits | None) -> None:
        """Names, and places of lists, for what is bound to them."""
        match target:
            case gast.Name(id=name):
                self._hold(name, found)
                if isinstance(value, gast.Name) and value.id in self._tables:
                    self._hold(value.id, self._known.get(name))
            case gast.Subscript():
                self.of(target)
                self._hold(_base(target), found)
            case gast.Tuple(elts=elts) | gast.List(elts=elts):
                parts = value.elts if isinstance(value, gast.Tuple) else []
                parts = parts if len(parts) == len(elts) else [None] * len(elts)
                for element, part in zip(elts, parts):
                    self._bind(element, part, found if part is None else self.of(part))
            case gast.Starred(value=inner):
                self._bind(inner, None, found)

    def _hold(self, name: str, found: Bits | None) -> None:
        if name in self._tables and found is not None:
            self.large = self.large or found.width > EXACT
            found = Bits(found.width, True)
        if found is not None or name not in self._known:
            self._known[name] = joined(self._known.get(name), found)

    def _walk(self, target: Any, iterable: Any) -> None:
        """What a loop runs through, one by one."""
        match iterable:
            case gast.Call(func=func, args=[*args]) if self._purity.means(func, WALKS):
                counted = self._purity.means(func, (enumerate,))
                parts = [COUNTER, *args] if counted else args
                elements = target.elts if isinstance(target, gast.Tuple) else [target]
                if len(elements) != len(parts):
                    self._bind(target, None, joined(*map(self.of, parts)))
                else:
                    for element, part in zip(elements, parts):
                        self._walk(element, part)
            case _:
                self._bind(target, None, self.of(iterable))

    # Expressions --------------------------------------------------------------------------------

    def of(self, tree: Any) -> Bits | None:
        """How many bits an integer has, that an expression may be."""
        found = self._found(tree)
        if found is not None and found.listed and found.width > EXACT:
            self.large = True
        return found

    def _found(self, tree: Any) -> Bits | None:
        match tree:
            case gast.Constant(value=value):
                return bits_of(value) if isinstance(value, int) else None
            case gast.Name(id=name) if name in self._function.local:
                return self._known.get(name)
            case gast.Name() | gast.Attribute():
                return self._named(tree)
            case gast.Subscript(value=value, slice=index):
                self.of(index)
                return self.of(value)
            case gast.BinOp(left=gast.List() as some) | gast.BinOp(right=gast.List() as some):
                return self.of(some)
            case gast.BinOp(left=left, op=gast.Pow(), right=right):
                return power(left, right, self.of(left), self.of(right))
            case gast.BinOp(left=left, op=op, right=right):
                return operation(op, self.of(left), self.of(right))
            case gast.Compare(left=left, comparators=others):
                list(map(self.of, (left, *others)))
                return Bits(1)
            case gast.IfExp(test=test, body=body, orelse=orelse):
                self.of(test)
                return joined(self.of(body), self.of(orelse))
            case gast.Call():
                return self._called(tree)
            case (
                gast.ListComp(elt=elt, generators=parts)
                | gast.GeneratorExp(elt=elt, generators=parts)
            ):
                for part in parts:
                    self._walk(part.target, part.iter)
                    list(map(self.of, part.ifs))
                return self.of(elt)
        parts = (part for part in syntax.children(tree) if isinstance(part, gast.expr))
        return joined(*map(self.of, parts))

    def _named(self, tree: Any) -> Bits | None:
        """A part of something, or something outside."""
        if isinstance(tree, gast.Attribute) and tree.attr in ("shape", "size", "ndim"):
            return Bits(GIVEN)
        path = syntax.dotted(tree)
        if path is None or path.partition(".")[0] in self._function.local:
            return self.of(tree.value)
        found = bits_of(self._purity.meaning(tree))
        return found and Bits(max(found.width, GIVEN))

    def _called(self, call: gast.Call) -> Bits | None:
        meant = self._purity.meaning(call.func)
        parts = [*call.args, *(k.value for k in call.keywords)]
        given = [self.of(part) for part in parts]
        if type(meant) is FunctionType and rules.find(meant) is None:
            return self._helped(meant, call, given)
        if meant is self._purity and isinstance(call.func, gast.Attribute):
            own = joined(*given, self.of(call.func.value))
            return own if own is None or call.func.attr == "copy" else Bits(UNKNOWN, own.listed)
        return power(*parts, *given) if meant is pow and len(parts) == 2 else result(meant, given)

    def _helped(self, meant: Any, call: gast.Call, given: list[Bits | None]) -> Bits | None:
        """What a helper gives, and whether that is too large somewhere in it."""
        try:
            helper = self._read(meant)
        except DerivativeError:
            helper = self._function
        plain = helper is not self._function and helper.contents.kinds.isdisjoint(UNSEEN)
        if not plain or self._depth >= DEEP or any(k.arg is None for k in call.keywords):
            self.large = True
            return Bits(UNKNOWN)
        names = [p.name for p in helper.params]
        own = {p.name: bits_of(p.default) for p in helper.params}
        own |= dict(zip([*names[: len(call.args)], *(k.arg for k in call.keywords)], given))
        found = Integers(helper, {}, own, self._read, self._depth + 1)
        self.large = self.large or found.large
        return found.result


def _given(known: Form | Bits) -> Bits | None:
    return known if isinstance(known, Bits) else bits_in(known)


def _base(tree: Any) -> str:
    while isinstance(tree, gast.Subscript):
        tree = tree.value
    return tree.id if isinstance(tree, gast.Name) else ""
