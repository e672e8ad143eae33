"""Calls of what `operator` and `functools` make of a name or a function: getters, vectorized and dispatched functions.

In: a call, and the kinds before it.
Out: statements that mean the same.
Next: functions.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Set
from enum import Enum
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Any

import gast
import numpy as np

from tangentlite import rules, standins, syntax
from tangentlite.analysis import atoms
from tangentlite.analysis.calling import drawing, stars
from tangentlite.analysis.classes import members
from tangentlite.analysis.classes.attributes import Attributes
from tangentlite.analysis.environment import Environment
from tangentlite.analysis.kinds import (
    Dict,
    Inert,
    Kind,
    List,
    Num,
    Object,
    Tuple,
    Value,
    is_open,
)
from tangentlite.rules.model import EMPTY
from tangentlite.runtime.containers.closures import Label
from tangentlite.runtime.special.tables import makes_tables
from tangentlite.standins import frozen, tables

FUNCTIONS = frozenset((FunctionType, BuiltinFunctionType, np.ufunc, type(np.sum)))
GETTERS = (operator.itemgetter, operator.attrgetter, operator.methodcaller)
Statements = list[gast.stmt]


def _calls(name: str, kind: Any) -> Callable[[gast.AST], bool]:
    """Whether a node calls what has a name, or a method of it that a closure has, too."""
    function = standins.polynomials.CALLED.get(kind)
    methods = standins.polynomials.METHODS.get(function, {}) if function is not None else {}

    def calls(node: gast.AST) -> bool:
        match node:
            case gast.Call(func=gast.Name(id=other)):
                return bool(other == name)
            case gast.Call(func=gast.Attribute(value=gast.Name(id=other), attr=attr)):
                return bool(other == name and attr in methods)
        return False

    return calls


class Getters(Attributes):
    """The part of the classifier for what is made of names and functions."""

    def made_of(
        self, statement: gast.stmt, call: gast.Call, value: Any, state: Environment
    ) -> Statements | None:
        """What stands for a call of ``value``, or for the making of it."""
        if any(value is one for one in GETTERS):
            return self._getter(statement, call, value)
        if isinstance(value, GETTERS):
            return self._got(statement, call, value)
        if value.__class__ not in FUNCTIONS:
            if (read := tables.reader(value)) is not None:
                return [stars.with_call(statement, self._reading(call, *read))]
            if makes_tables(value):
                return self._table(statement, call, value)
        if isinstance(value, MethodType):
            if (given := frozen.parameters(value)) is not None:
                return self._of_parameters(statement, call, *given)
            owner = value.__self__
            named = isinstance(owner, type) and issubclass(owner, tuple)  # ``Point._make``
            known = named or rules.find(value) or standins.find(value)
            if isinstance(value.__func__, FunctionType) and not known:
                return self._of_its_object(statement, call, value)
        elif str(value.__class__.__module__).startswith(frozen.HOME):  # of C, it may be no text
            return self._frozen(statement, call, value)
        if value is setattr and not call.keywords:
            return self.attribute_set(statement, call, state)
        if value is getattr:
            return self.named_attribute(statement, call, state)
        if value is np.vectorize and len(call.args) == 1:
            return self._vectorizing(statement, call, state)
        if value is np.einsum and len(call.args) > 1:
            return self._of_lists(statement, call, state)
        if isinstance(value, np.vectorize):
            return self._vectorized(statement, call, value)
        if isinstance(value, FunctionType) and hasattr(value, "dispatch") and call.args:
            return self._dispatched(statement, call, value, state)
        return None

    def _of_its_object(
        self, statement: gast.stmt, call: gast.Call, bound: MethodType
    ) -> Statements:
        """A call of a method that was taken from its object elsewhere: of the function, with the object."""
        name = bound.__self__.name if isinstance(bound.__self__, Enum) else "owner"
        new = stars.with_func(call, self.rewrites.denoted(bound.__func__))
        new.args = [self.rewrites.denoted(bound.__self__, name), *call.args]
        return [stars.with_call(statement, new)]

    def _reading(self, call: gast.Call, reader: Any, table: Any) -> gast.Call:
        """``spline(x)`` of a spline outside is ``read(spline, x)``."""
        new = stars.with_func(call, self.rewrites.denoted(reader))
        new.args = [self.rewrites.denoted(table, "table"), *call.args]
        return new

    def _table(self, statement: gast.stmt, call: gast.Call, kind: Any) -> Statements | None:
        """``s = CubicSpline(x, y)`` is a closure that holds the spline, if ``s`` is only called.

        That of a polynomial holds its coefficients, through which a derivative may flow.
        """
        match statement:
            case gast.Assign(targets=[gast.Name(id=name)]):
                called = sum(map(_calls(name, kind), syntax.nodes(self.function.body)))
                if called == 0 or called != syntax.times_loaded(self.function.body)[name]:
                    return None
                plain = len(call.args) == 1 and not call.keywords
                if plain and kind in standins.polynomials.CALLED:
                    read = self.rewrites.denoted(standins.polynomials.CALLED[kind])
                    new = syntax.expression("rt.closure(f)", rt=self.rt(), f=read)
                    new.args.append(call.args[0])
                    return [stars.with_call(statement, new)]
                made = syntax.name(self.rewrites.temporary())
                read = self.rewrites.denoted(tables.read)
                new = syntax.expression("rt.closure(f, t)", rt=self.rt(), f=read, t=made)
                return [syntax.assign(made.id, call), stars.with_call(statement, new)]
        return None

    def drawn(self, statement: gast.stmt, call: gast.Call, state: Environment) -> Statements | None:
        """A call of what stands in for a method of a generator of random numbers."""
        match call.func:
            case gast.Attribute(value=base, attr=attr):
                value = self.value(base, state)
                if not drawing.draws(self.kind(base, state), value):
                    return None
                values = [
                    *((None, a) for a in call.args),
                    *((k.arg, k.value) for k in call.keywords),
                ]
                given = [(name, v, self.kind(v, state)) for name, v in values]
                other = drawing.standin(value, attr, given)
                if other is not None:
                    rng = syntax.name(self.rewrites.temporary())
                    new = gast.Call(self.rewrites.denoted(other), [rng, *call.args], call.keywords)
                    return [syntax.assign(rng.id, base), stars.with_call(statement, new)]
        return None

    def updated(
        self, statement: gast.stmt, call: gast.Call, state: Environment
    ) -> Statements | None:
        """``vars(x).update(kw)`` sets one attribute after the other."""
        match call.func:
            case gast.Attribute(value=gast.Name() as base, attr="update"):
                kind = self.kind(base, state)
                fields = isinstance(kind, Object) and kind.fields
                if not fields or len(call.args) > 1 or self.generated:
                    return None
                found: Statements = []
                items: dict[Any, gast.expr] = {k.arg: k.value for k in call.keywords}
                for given in call.args:
                    named = self.kind(given, state)
                    if not isinstance(named, Dict) or is_open(named.keys):
                        return None
                    found, slots = self.slots(given, named.keys)
                    items = dict(zip(named.keys, slots)) | items
                places = [gast.Subscript(base, syntax.constant(k), gast.Store()) for k in items]
                pairs = zip(places, items.values())
                return [*found, *(gast.Assign([place], v, None) for place, v in pairs)]
        return None

    def _of_lists(
        self, statement: gast.stmt, call: gast.Call, state: Environment
    ) -> Statements | None:
        """``np.einsum(x, a, y, b)`` of lists a and b is ``t = (a, b); s = rt.einsum_spec(t); np.einsum(s, x, y)``."""
        first, second = (self.kind(a, state) for a in call.args[:2])
        lists = isinstance(second, Tuple | List) or second == Inert("range")
        lists = lists or (isinstance(second, Num) and second.exact == "int" and second.array)
        if not (lists and isinstance(first, Num | Tuple | List)):
            return None
        several, spec = (syntax.name(self.rewrites.temporary()) for _ in range(2))
        labels = gast.Tuple(call.args[1::2], gast.Load())
        holes = {"a": several, "s": spec, "labels": labels, "rt": self.rt()}
        text = "a = labels\ns = rt.einsum_spec(a)"
        if len(call.args) % 2:
            text, holes["o"] = "a = labels\ns = rt.einsum_spec(a, o)", call.args[-1]
        new = stars.with_func(call, call.func)
        new.args = [spec, *call.args[: len(call.args) // 2 * 2 : 2]]
        return [*syntax.quote(text, **holes), stars.with_call(statement, new)]

    def _frozen(self, statement: gast.stmt, call: gast.Call, law: Any) -> Statements | None:
        """``norm(2.0)`` is an object of a class that stands in for it, if nobody sees that."""
        made = frozen.frozen(law)
        if made is None or not self._only_asked(statement, frozen.methods(law)):
            return None
        return [stars.with_call(statement, stars.with_func(call, self.rewrites.denoted(made)))]

    def _of_parameters(
        self,
        statement: gast.stmt,
        call: gast.Call,
        method: Any,
        args: tuple[Any, ...],
        named: dict[str, Any],
    ) -> Statements:
        """``law.pdf(x)`` of ``law = norm(2.0)`` outside is ``norm.pdf(x, 2.0)``."""
        new = stars.with_func(call, self.rewrites.denoted(method))
        new.args = [*call.args, *(self.rewrites.denoted(a, "value") for a in args)]
        new.keywords += [gast.keyword(k, self.rewrites.denoted(v, k)) for k, v in named.items()]
        return [stars.with_call(statement, new)]

    def _only_asked(self, statement: gast.stmt, methods: Set[str]) -> bool:
        """Whether of what a statement makes nothing but some methods are called: nobody sees what it is."""
        match statement:
            case gast.Assign(targets=[gast.Name(id=name)]):
                names = {name}
            case _:
                return False
        aliases, calls = 0, 0
        for other in syntax.statements(self.function.body):
            match other:
                case gast.Assign(targets=[gast.Name(id=target)], value=gast.Name(id=source)):
                    if source in names:
                        names, aliases = names | {target}, aliases + 1
        for node in syntax.nodes(self.function.body):
            match node:
                case gast.Call(func=gast.Attribute(value=gast.Name(id=name), attr=attr)):
                    calls += name in names and attr in methods
        loaded = syntax.times_loaded(self.function.body)
        return sum(loaded[n] for n in names) == aliases + calls

    def _getter(self, statement: gast.stmt, call: gast.Call, make: Any) -> Statements | None:
        """``operator.itemgetter(1)`` is made when compiling."""
        if not call.args or call.keywords or not all(map(atoms.written, call.args)):
            return None
        made = make(*(ast.literal_eval(syntax.unparse(a)) for a in call.args))
        return [stars.with_call(statement, self.rewrites.denoted(made, make.__name__))]

    def _got(self, statement: gast.stmt, call: gast.Call, getter: Any) -> Statements | None:
        """``operator.itemgetter(0, 2)(x)`` is ``(x[0], x[2])``."""
        if len(call.args) != 1 or call.keywords or not isinstance(call.args[0], gast.Name):
            return None
        base, given = call.args[0], getter.__reduce__()[1]
        if isinstance(getter, operator.methodcaller):
            attr, *args = given
            method = gast.Attribute(base, attr, gast.Load())
            values = [syntax.constant(a) for a in args]
            return [stars.with_call(statement, gast.Call(method, values, []))]
        before: Statements = []
        names: list[gast.expr] = []
        for key in given:
            name: gast.expr = base
            steps = key.split(".") if isinstance(getter, operator.attrgetter) else [key]
            for step in steps:
                read = gast.Subscript(name, syntax.constant(step), gast.Load())
                if isinstance(getter, operator.attrgetter):
                    read = gast.Attribute(name, step, gast.Load())
                name = syntax.name(self.rewrites.temporary())
                before.append(syntax.assign(name.id, read))
            names.append(name)
        result = names[0] if len(names) == 1 else gast.Tuple(names, gast.Load())
        return [*before, stars.with_call(statement, result)]

    def _vectorizing(
        self, statement: gast.stmt, call: gast.Call, state: Environment
    ) -> Statements | None:
        """``f = np.vectorize(g)`` is a closure that holds g."""
        known = self.value(call.args[0], state)
        kind = self.kind(call.args[0], state) if known is rules.UNKNOWN else Value(known)
        match kind:
            case Value(value=value) if (rule := rules.find(value)) is not None:
                count: int | None = sum(p.default is EMPTY for p in rule.params)
            case Value() | Tuple(items=[Value(value=Label()), *_]):
                count = stars.wanted(kind)
            case _:
                return None
        given = {k.arg: self.kind(k.value, state) for k in call.keywords}
        table = standins.calling.FLOATS if given else standins.calling.VECTORIZED
        other = table.get(count or 0)
        if other is None or given.keys() - {"otypes"} or not all(map(_says_float, given.values())):
            return None
        new = syntax.expression("rt.closure(f, g)", rt=self.rt(), g=call.args[0])
        new.args[0] = self.rewrites.denoted(other)
        return [stars.with_call(statement, new)]

    def _vectorized(
        self, statement: gast.stmt, call: gast.Call, made: np.vectorize
    ) -> Statements | None:
        """A call of ``np.vectorize(f)`` is a loop over the elements."""
        other = standins.calling.vectorized(made, len(call.args))
        if other is None or call.keywords:
            return None
        new = stars.with_func(call, self.rewrites.denoted(other))
        function = syntax.name(self.rewrites.temporary())
        new.args = [function, *call.args]
        bound = syntax.assign(function.id, self.rewrites.denoted(made.pyfunc))
        return [bound, stars.with_call(statement, new)]

    def _dispatched(
        self, statement: gast.stmt, call: gast.Call, function: Any, state: Environment
    ) -> Statements | None:
        """``functools.singledispatch``: the function for the class of the first argument."""
        found = {
            function.dispatch(owner) for owner in members.classes(self.kind(call.args[0], state))
        }
        if len(found) != 1:
            return None
        return [stars.with_call(statement, stars.with_func(call, self.rewrites.denoted(*found)))]


def _says_float(kind: Kind) -> bool:
    """Whether ``otypes`` is ``[float]`` or ``"d"``."""
    match kind:
        case Tuple(items=[Value(value=value)]):
            return bool(value in (float, np.float64))
        case Inert(literal=literal):
            return bool(literal == "d")
    return False
