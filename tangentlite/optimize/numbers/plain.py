"""Plain: real numbers are Python's floats, and functions of them ``math``'s.

In: the finished statements of a function whose arguments are known, ``Sorts``.
Out: the same with ``math.sin(y)`` for ``np.sin(y)``, and bare quotients and products where a sum of the runtime's
    keeps NaN away: what goes wrong raises, or shows as NaN in the result.
Next: lists.

Only what does the same to a float of Python as to one of NumPy may stand beside it: otherwise ``Unusual``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast
import numpy as np

from tangentlite import runtime, syntax
from tangentlite.optimize.numbers.calls import MATH, PRODUCTS
from tangentlite.optimize.numbers.forms import (
    BOOL,
    FLOAT,
    INT,
    NUMBERS,
    ZERO,
    Form,
    Tape,
    holds,
    is_array,
    joined,
    of_numbers,
    tainted,
)
from tangentlite.optimize.numbers.sorts import Body, Sorts
from tangentlite.optimize.replace import exchanged, remade

SAFE = (
    *(abs, max, min, float, int, len, range, reversed, np.absolute, np.sum, np.dot),
    *(runtime.like, runtime.seed, runtime.numbers, runtime.buffer, runtime.quotient),
    *(*PRODUCTS, runtime.unbroadcast, runtime.spread, runtime.to_winner, runtime.distinct),
    *(runtime.weighted, runtime.stack, runtime.unreduce, runtime.within, np.where, np.full),
    *(runtime.add_at, runtime.real_only, runtime.sure, runtime.unpack),
)
GIVEN = (runtime.unbroadcast, runtime.spread, runtime.seed, runtime.real_only, runtime.sure)
ROUNDED = (np.sqrt, np.fabs)  # to the last digit, whoever computes them
PLAINLY = (gast.UnaryOp, gast.Compare, gast.BoolOp, gast.IfExp)
QUIET = (syntax.Comment, syntax.Blank, gast.Pass, gast.Break, gast.Continue, gast.Raise)
LOOPS = (gast.For, gast.While)
KNOWN: dict[Any, tuple[str, ...]] = {  # the parts of statements
    gast.Assign: ("targets", "value"),
    gast.AugAssign: ("target", "value"),
    gast.Expr: ("value",),
    gast.Return: ("value",),
    gast.If: ("test", "body", "orelse"),
    gast.While: ("test", "body", "orelse"),
    gast.For: ("target", "iter", "body", "orelse"),
}
Use = Callable[[str, tuple[Form, ...]], bool]


class Unusual(Exception):
    """Something is done to a real number that floats of Python do otherwise."""


class Plain:
    """The statements in plain numbers; ``changed`` tells whether there was something to change in loops.

    ``exact``: a value is given that must be the function's own to the last digit, so that functions stay NumPy's.
    ``use`` takes calls of helpers that are written in plain numbers, too; ``inner``: this is one, called in loops.

    >>> from tangentlite.optimize.samples import USER, function, sample_is_pure, text_of
    >>> from tangentlite.optimize.facts.scope import Scope
    >>> text = '''
    ... s = rt.ZERO
    ... for i in range(n):
    ...     t1 = np.exp(s)
    ...     s = s + rt.cancel(t1, rt.quotient(x[i], t1)) * np.maximum(s, 0.0)
    ... '''
    >>> f = function(text, names={"rt": runtime})
    >>> sorts = Sorts(f.body, {"x": 1, "n": "int"}, Scope(f, USER, sample_is_pure).purity)
    >>> print(text_of(Plain(sorts).block(f.body)))
    s = 0.0
    for i in range(n):
        t1 = math.exp(s)
        s = s + t1 * (x[i] / t1) * float(np.maximum(s, 0.0))
    """

    def __init__(
        self,
        sorts: Sorts,
        exact: bool = False,
        use: Use = lambda *_: False,
        inner: bool = False,
    ) -> None:
        self._sorts, self._form, self._means, self._use = sorts, sorts.of, sorts.means, use
        self.changed, self._exact, self._depth = False, exact, int(inner)
        for name, value, path, pushed in sorts.bindings:
            form = sorts.part(value, path)
            self._check(holds(sorts.known[name], Tape(form) if pushed else form))

    @staticmethod
    def _check(fits: bool) -> None:
        if not fits:
            raise Unusual

    def _untainted(self, *trees: Any) -> None:
        self._check(not any(tainted(self._form(tree)) for tree in trees))

    def block(self, body: Body) -> Body:
        """The statements of a block."""
        return [self._statement(s) for s in body]

    def _statement(self, statement: Any) -> gast.stmt:
        kind = statement.__class__
        if kind in QUIET or self._guards(statement):
            return statement
        self._check(kind in KNOWN)
        if (added := self._added(statement)) is not None:
            return self._statement(added)
        changes: dict[str, Any] = {}
        self._depth += kind in LOOPS
        for field in KNOWN[kind]:
            part = getattr(statement, field)
            if part.__class__ is list and field != "targets":
                changes[field] = self.block(part)
            elif part is not None:
                changes[field] = getattr(self, f"_{field}")(part, statement)
        self._depth -= kind in LOOPS
        return remade(statement, changes)

    def _guards(self, statement: gast.stmt) -> bool:
        """Whether a statement only refuses arguments, which are as they were given."""
        match statement:
            case gast.If(test=test, body=[gast.Raise()], orelse=[]):
                return syntax.loads(test).isdisjoint(b.name for b in self._sorts.bindings)
        return False

    def _added(self, statement: gast.stmt) -> gast.stmt | None:
        """``bx[k] += v``, where that is added to one place."""
        match statement:
            case gast.Expr(value=gast.Call(func=func, args=[array, place, value], keywords=[])):
                at = gast.Subscript(array, place, gast.Load())
                if self._means(func, (runtime.add_at,)) and self._form(at) == FLOAT:
                    self.changed = self.changed or self._depth > 0
                    return syntax.at(gast.AugAssign(syntax.store(at), gast.Add(), value), statement)
        return None

    def _targets(self, targets: list[gast.expr], statement: gast.Assign) -> list[gast.expr]:
        self._check(len(targets) == 1)
        return [self._target(targets[0], statement)]

    def _target(self, target: gast.expr, statement: Any) -> gast.expr:
        """Where something is stored: in names, and in places of arrays."""
        match target:
            case gast.Name():
                if isinstance(statement, gast.AugAssign):
                    self._check(not isinstance(statement.op, gast.Pow))
                    self.said(gast.BinOp(syntax.name(target.id), statement.op, statement.value))
                return target
            case gast.Tuple(elts=elts) if all(isinstance(e, gast.Name) for e in elts):
                return target
            case gast.Subscript(value=array, slice=index):
                value, held = self._form(getattr(statement, "value", None)), self._form(array)
                if of_numbers(held):
                    self._check(
                        self._form(index) == INT and joined(held.pushed, value) == held.pushed
                    )
                self._check(is_array(held) or of_numbers(held) or not tainted(value))
                return remade(target, {"value": self.said(array), "slice": self._index(index)})
        raise Unusual

    def _test(self, test: gast.expr, statement: gast.stmt) -> gast.expr:
        return self.said(test)

    def _iter(self, iterable: gast.expr, statement: gast.stmt) -> gast.expr:
        self._untainted(iterable)
        return self.said(iterable)

    def _value(self, value: gast.expr, statement: Any) -> gast.expr:
        """What is bound, stored or given: where a number is meant, nothing yet is nought."""
        target = statement.targets[0] if isinstance(statement, gast.Assign) else None
        if isinstance(target, gast.Name) and self._sorts.known.get(target.id) == FLOAT:
            if isinstance(value, gast.Attribute) and value.attr == "ZERO":
                return syntax.constant(0.0)
        if isinstance(target, gast.Tuple) and is_array(form := self._form(value)) and form == 1:
            self.changed = True
            return syntax.expression("x.tolist()", x=self.said(value))
        return self._whole(value)

    def _number(self, tree: gast.expr) -> gast.expr:
        """A number in a list: nothing yet is nought."""
        return syntax.constant(0.0) if self._form(tree) == ZERO else self.said(tree)

    def _whole(self, tree: gast.expr) -> gast.expr:
        """A value that may be a tuple."""
        if isinstance(tree, gast.Tuple):
            return remade(tree, {"elts": [self._whole(e) for e in tree.elts]})
        return self.said(tree)

    def said(self, tree: Any) -> Any:
        """An expression in plain numbers."""
        match tree:
            case gast.Constant() | gast.Name():
                return tree
            case gast.List(elts=elts) if of_numbers(self._form(tree)):
                return remade(tree, {"elts": list(map(self._number, elts))})
            case gast.BinOp(left=left, op=op, right=right):
                return self._operation(tree, self.said(left), op, self.said(right))
            case gast.Call():
                return self._called(tree)
            case gast.Subscript(value=value, slice=index):
                is_part = type(self._form(value)) is tuple and isinstance(index, gast.Constant)
                if not is_part and not (of_numbers(self._form(value)) and self._form(index) == INT):
                    self._untainted(value)
                return remade(tree, {"value": self.said(value), "slice": self._index(index)})
            case gast.Attribute(value=value):
                self._untainted(value)
                return tree
        parts = [c for c in syntax.children(tree) if isinstance(c, gast.expr)]
        forms = list(map(self._form, parts))
        if any(map(tainted, forms)):
            plain = tainted(self._form(tree)) and None not in forms
            self._check(plain and isinstance(tree, PLAINLY))
        return exchanged(tree, {id(part): self.said(part) for part in parts})

    def _operation(
        self, tree: gast.BinOp, left: gast.expr, op: gast.operator, right: gast.expr
    ) -> gast.expr:
        form = self._form(tree)
        if tainted(self._form(tree.left)) or tainted(self._form(tree.right)):
            self._check(form is not None)
            if of_numbers(form):
                return remade(tree, {"left": left, "right": right})
            if isinstance(op, gast.Pow) and form == FLOAT:
                if not (isinstance(right, gast.Constant) and isinstance(right.value, int)):
                    return self._said_by("math.pow", left, right)
        return remade(tree, {"left": left, "right": right})

    def _index(self, index: gast.expr) -> gast.expr:
        """The places in an array: no real numbers, nor masks."""
        entries = index.elts if isinstance(index, gast.Tuple) else [index]
        parts = [c for e in entries for c in ([e], syntax.children(e))[isinstance(e, gast.Slice)]]
        self._untainted(*parts)
        return exchanged(index, {id(part): self.said(part) for part in parts})

    def _called(self, call: gast.Call) -> gast.expr:
        func, forms = call.func, tuple(map(self._form, call.args))
        args = list(map(self._whole, call.args))
        if isinstance(func, gast.Attribute):
            is_tape = isinstance(self._form(func.value), Tape) and func.attr in ("append", "pop")
            self._check(is_tape or not tainted(self._form(func.value)))
            if is_tape:
                return remade(call, {"args": args})
        if isinstance(func, gast.Name) and not call.keywords and self._use(func.id, forms):
            return remade(call, {"args": args})
        if forms and not call.keywords and all(form in (*NUMBERS, BOOL) for form in forms):
            if (plainly := self._plainly(call, args)) is not None:
                return plainly
        if any(isinstance(form, Tape) for form in forms) or of_numbers(self._form(call)):
            return self._of_lists(call, args)
        if forms == (1,) and is_array(forms[0]) and self._means(func, (max, min)):
            return remade(call, {"args": [syntax.expression("x.tolist()", x=args[0])]})
        if any(map(self._may_differ, [*call.args, *(k.value for k in call.keywords)])):
            safe = self._means(func, SAFE) or self._sorts.is_elementwise(func)
            self._check(safe and not call.keywords)
        return remade(call, {"args": args})

    def _of_lists(self, call: gast.Call, args: list[gast.expr]) -> gast.expr:
        """A function of lists of numbers."""
        self._check(self._form(call) is not None and not call.keywords)
        if self._means(call.func, (runtime.zeros,)):
            return self._said("[0.0] * len(x)", x=args[0])
        if self._means(call.func, (runtime.add,)):
            return self._said("[one + other for one, other in zip(x, y)]", x=args[0], y=args[1])
        return remade(call, {"args": args})

    def _said(self, text: str, **holes: gast.expr) -> gast.expr:
        return self._changed(syntax.expression(text, **holes))

    def _may_differ(self, tree: gast.expr) -> bool:
        """Whether a value is or holds a real number that may be of another class now."""
        return tainted(self._form(tree)) and not isinstance(tree, gast.Constant)

    def _plainly(self, call: gast.Call, args: list[gast.expr]) -> gast.expr | None:
        """A function of numbers, said without NumPy and the runtime."""
        for function, spelled in MATH.items():
            if self._means(call.func, (function,)):
                if self._exact and function not in ROUNDED:
                    return self._said_by("float", remade(call, {"args": args}))
                return self._said_by(f"math.{spelled}", *args)
        if self._means(call.func, GIVEN):
            return self._changed(args[0])
        if self._means(call.func, (runtime.quotient,)):
            return self._changed(gast.BinOp(args[0], gast.Div(), args[1]))
        if self._means(call.func, PRODUCTS):
            return self._changed(gast.BinOp(args[0], gast.Mult(), args[1]))
        meant = self._sorts.meaning(call.func)
        if (isinstance(meant, np.ufunc) or meant is np.where) and self._form(call) == FLOAT:
            return self._said_by("float", remade(call, {"args": args}))
        return None

    def _said_by(self, function: str, *args: gast.expr) -> gast.expr:
        return self._changed(gast.Call(syntax.expression(function), list(args), []))

    def _changed(self, made: gast.expr) -> gast.expr:
        self.changed = self.changed or self._depth > 0
        return made
