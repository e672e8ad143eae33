"""Calls with ``*`` and ``**``, of functions that take any number of arguments, of partials and cached functions.

In: a call, and the kinds before it.
Out: statements that mean the same; the call in them names every argument.
Next: functions.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Iterable, Mapping
from inspect import Parameter
from types import FunctionType, MappingProxyType
from typing import Any

import gast

from tangentlite import frontend, rules, runtime, syntax
from tangentlite.analysis.calling import callees
from tangentlite.analysis.calling.calls import Calls
from tangentlite.analysis.calling.forwarding import forwarded
from tangentlite.analysis.classes.elsewhere import is_same
from tangentlite.analysis.classes.members import lookup
from tangentlite.analysis.environment import Environment
from tangentlite.analysis.kinds import (
    Dict,
    Kind,
    List,
    Num,
    Object,
    Tuple,
    Value,
    floating,
    is_open,
)
from tangentlite.lowering.functions.collected import VARIADIC, collected
from tangentlite.rules.model import EMPTY
from tangentlite.runtime.containers.closures import Label

POSITIONAL = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
Statements = list[gast.stmt]
CACHED = type(functools.cache(len))


class Stars(Calls):
    """The part of the classifier that spells the arguments of a call out."""

    def spelled_out(
        self, statement: gast.stmt, call: gast.Call, callee: Kind, state: Environment
    ) -> Statements | None:
        """``f(*xs)`` becomes ``f(xs[0], xs[1])``."""
        before: Statements = []
        keywords: list[gast.keyword] = []
        for keyword in call.keywords:
            if keyword.arg is not None:
                keywords.append(keyword)
                continue
            named = self._named(keyword.value, state)
            if named is None:
                return None
            before += named[0]
            keywords += named[1]
        new = gast.Call(call.func, [], keywords)
        if (chosen := self._chosen(call, callee, state)) is not None:
            return [*before, with_call(statement, chosen)]
        if isinstance(callee, Value) and _takes_any(callee.value) and self._is_long(call, state):
            joined = self._joined(statement, call.args, keywords, callee.value)
            return None if joined is None else [*before, *joined]
        for k, arg in enumerate(call.args):
            if not isinstance(arg, gast.Starred):
                new.args.append(arg)
                continue
            taken = self._positional(arg.value, callee, len(call.args) - 1 - k, new, state)
            if taken is None:
                return None
            before += taken[0]
            new.args += taken[1]
        return [*before, with_call(statement, new)]

    def _chosen(self, call: gast.Call, callee: Kind, state: Environment) -> gast.Call | None:
        """``max(*xs)`` of a list of any length is ``max(xs)``."""
        match call.args:
            case [gast.Starred(value=value)] if isinstance(self.kind(value, state), List):
                if isinstance(callee, Value) and callee.value in (min, max):
                    return gast.Call(call.func, [value], call.keywords)
        return None

    def _is_long(self, call: gast.Call, state: Environment) -> bool:
        """Whether an argument with a star is an array or a list of any length."""
        stars = [a.value for a in call.args if isinstance(a, gast.Starred)]
        return any(isinstance(self.kind(s, state), Num | List) for s in stars)

    def _joined(
        self,
        statement: gast.stmt,
        args: list[gast.expr],
        keywords: list[gast.keyword],
        function: Any,
    ) -> Statements | None:
        """``f(a, *xs)`` of ``def f(first, *rest)`` becomes ``t = (a,) + tuple(xs); f(t[0], rest=t[1:])``.

        So with a class and its objects."""
        params = inspect.signature(function, follow_wrapped=False).parameters.values()
        own = [p.name for p in params if p.kind in POSITIONAL]
        rest = next((p.name for p in params if p.kind is Parameter.VAR_POSITIONAL), None)
        if rest is None or {k.arg for k in keywords} & set(own):
            return None
        before, parts = list[gast.stmt](), list[gast.expr]()
        for arg in args:
            text = "t = tuple(xs)" if isinstance(arg, gast.Starred) else "t = (xs,)"
            parts.append(syntax.name(self.rewrites.temporary()))
            value = arg.value if isinstance(arg, gast.Starred) else arg
            made = self.rewrites.denoted(tuple, "tuple")
            before += syntax.quote(text, t=parts[-1], xs=value, tuple=made)
        whole = parts[0]
        for part in parts[1:]:
            name = syntax.name(self.rewrites.temporary())
            before += syntax.quote("t = a + b", t=name, a=whole, b=part)
            whole = name
        firsts, slots = self.slots(whole, range(len(own)))
        last = syntax.name(self.rewrites.temporary())
        index = gast.Slice(syntax.constant(len(own)), None, None)
        taken = gast.Assign([last], gast.Subscript(whole, index, gast.Load()), None)
        taken.targets[0] = syntax.store(last)
        if isinstance(function, type):
            new = gast.Call(statement.value.func, slots, [*keywords, gast.keyword(rest, last)])
            return [*before, *firsts, taken, with_call(statement, new)]
        called = self.gathered(
            statement, gast.Call(args[0], slots, keywords), function, {rest: last}
        )
        return None if called is None else [*before, *firsts, taken, *called]

    def _positional(
        self, base: gast.expr, callee: Kind, later: int, new: gast.Call, state: Environment
    ) -> tuple[Statements, list[gast.expr]] | None:
        match self.kind(base, state):
            case Tuple(items=items):
                return self.slots(base, range(len(items)))
            case Num() | List():
                count = wanted(callee)
                if count is None:
                    return None
                count -= len(new.args) + later
                name = syntax.name(self.rewrites.temporary())
                text = "t = rt.unpack(xs, n)"
                holes = {"t": name, "rt": self.rt(), "xs": base, "n": syntax.constant(count)}
                before, slots = self.slots(name, range(count))
                return [*syntax.quote(text, **holes), *before], slots
        return None

    def _named(
        self, base: gast.expr, state: Environment
    ) -> tuple[Statements, list[gast.keyword]] | None:
        match self.kind(base, state):
            case Dict(keys=keys) if not is_open(keys) and all(isinstance(k, str) for k in keys):
                before, slots = self.slots(base, keys)
                return before, [gast.keyword(k, v) for k, v in zip(keys, slots)]
        return None

    def slots(self, base: gast.expr, places: Iterable[Any]) -> tuple[Statements, list[gast.expr]]:
        """Statements that read elements, and the names that they bind."""
        names = [(place, self.rewrites.temporary()) for place in places]
        before = [
            syntax.assign(n, gast.Subscript(base, syntax.constant(place), gast.Load()))
            for place, n in names
        ]
        return before, [syntax.name(n) for _, n in names]

    def rt(self) -> gast.expr:
        """The runtime."""
        return self.rewrites.denoted(runtime, "rt")

    # Functions that take any number of arguments --------------------------------------------

    def gathered(
        self,
        statement: gast.stmt,
        call: gast.Call,
        function: FunctionType,
        known: Mapping[str, gast.expr] = MappingProxyType({}),
    ) -> Statements | None:
        """``f(x, y)`` of ``def f(x, *args)`` becomes ``t = (y,); f(x, args=t)``; ``known``: what t is already."""
        inner = None if known else forwarded(function)
        if inner is not None:
            return [with_call(statement, with_func(call, self.rewrites.denoted(inner)))]
        signature = inspect.signature(function, follow_wrapped=False)
        try:
            bound = signature.bind(*call.args, **{k.arg: k.value for k in call.keywords})
        except TypeError:
            return None
        plain = collected(frontend.read(function, fenced=False))
        before: Statements = []
        new = gast.Call(self.rewrites.denoted(plain), [], [])
        spread = {n: p for n, p in signature.parameters.items() if p.kind in VARIADIC}
        nothing: dict[str, Any] = {
            n: {} if p.kind is Parameter.VAR_KEYWORD else () for n, p in spread.items()
        }
        for name, value in {**nothing, **bound.arguments, **known}.items():
            kind = signature.parameters[name].kind
            if kind in VARIADIC and name not in known:
                held = self.rewrites.temporary()
                before.append(syntax.assign(held, _display(value)))
                value = syntax.name(held)
            if kind is Parameter.POSITIONAL_ONLY:
                new.args.append(value)
            else:
                new.keywords.append(gast.keyword(name, value))
        return [*before, with_call(statement, new)]

    # Partials -------------------------------------------------------------------------------

    def partial(
        self, statement: gast.stmt, call: gast.Call, state: Environment
    ) -> Statements | None:
        """``p = functools.partial(f, x)`` becomes ``p = rt.closure(f, x)``."""
        if not call.args:
            return None
        before: Statements = []
        func, args, keywords = call.args[0], list(call.args[1:]), list(call.keywords)
        match self.kind(func, state):
            case Tuple(items=[Value(value=Label() as label), *held]):
                before, slots = self.slots(func, range(1, 1 + len(held)))
                func = self.rewrites.denoted(label.function)
                args = [*slots[: label.count], *args]
                given = {k.arg for k in keywords}
                named = zip(label.names, slots[label.count :])
                keywords = [
                    *(gast.keyword(n, v) for n, v in named if n not in given),
                    *keywords,
                ]
            case Value():
                pass
            case Object(owner=type() as owner) if isinstance(
                lookup(owner, "__call__")[1], FunctionType
            ):
                method = syntax.name(self.rewrites.temporary())
                own = syntax.assign(method.id, gast.Attribute(func, "__call__", gast.Load()))
                new = with_func(call, call.func)
                new.args = [method, *args]
                return [own, with_call(statement, new)]
            case _:
                return None
        new = syntax.expression("rt.closure(f)", rt=self.rt(), f=func)
        new.args += args
        new.keywords += keywords
        return [*before, with_call(statement, new)]

    def filled_in(
        self, statement: gast.stmt, call: gast.Call, given: functools.partial[Any]
    ) -> Statements:
        """A call of a partial that was made outside."""
        func, names = given.func, _names(given.func)
        wishes = [*names, *("value" for _ in given.args)]
        args = [self.rewrites.denoted(v, wish) for v, wish in zip(given.args, wishes)]
        own = {k.arg for k in call.keywords}
        named = {k: v for k, v in given.keywords.items() if k not in own}
        new = with_func(call, self.rewrites.denoted(func))
        new.args = [*args, *call.args]
        new.keywords += [gast.keyword(k, self.rewrites.denoted(v, k)) for k, v in named.items()]
        return [with_call(statement, new)]

    def uncached(
        self, statement: gast.stmt, call: gast.Call, function: Any, state: Environment
    ) -> Statements | None:
        """A call of a function with a cache: of the function itself, where a derivative may flow."""
        values = [*call.args, *(k.value for k in call.keywords)]
        kinds = [self.kind(v, state) for v in values]
        if not any(map(floating, kinds)):
            return None
        if isinstance(function, CACHED) and any(
            isinstance(k, Object) and is_same(k.owner) for k in kinds
        ):
            return None
        inner = self.rewrites.denoted(function.__wrapped__)
        return [with_call(statement, with_func(call, inner))]


def is_variadic(function: Any) -> bool:
    """Whether a function takes any number of arguments."""
    if not callees.is_user(function):
        return False
    known = inspect.signature(function, follow_wrapped=False).parameters.values()
    return any(p.kind in VARIADIC for p in known)


def _takes_any(callee: Any) -> bool:
    """Whether a function, or a class for its objects, takes any number of arguments."""
    return is_variadic(lookup(callee, "__init__")[1] if isinstance(callee, type) else callee)


def wanted(callee: Kind) -> int | None:
    """How many positional arguments a function takes, if it is one number."""
    match callee:
        case Tuple(items=[Value(value=Label(function=FunctionType() as function) as label), *_]):
            held, own = label.count, [*inspect.signature(function).parameters.values()]
        case Value(value=FunctionType() as function):
            held, own = 0, [*inspect.signature(function, follow_wrapped=False).parameters.values()]
        case Value(value=type() as owner) if _is_made_plainly(owner):
            held, own = 0, [*inspect.signature(owner).parameters.values()]
        case Value(value=value) if (rule := rules.find(value)) is not None:
            return _of_rule(rule)
        case _:
            return None
    if any(p.kind in VARIADIC or p.default is not Parameter.empty for p in own):
        return None
    return sum(p.kind is not Parameter.KEYWORD_ONLY for p in own) - held


def _of_rule(rule: rules.Rule) -> int | None:
    """How many arguments a function of the library takes, if it is one number, and the rule knows all."""
    if any(p.kind in VARIADIC or p.default is not EMPTY for p in rule.params):
        return None
    return len(rule.params)


def _is_made_plainly(owner: type) -> bool:
    """Whether a class of the user says what its objects are made of."""
    return hasattr(owner, "_fields") or isinstance(getattr(owner, "__init__", None), FunctionType)


def _display(value: Any) -> gast.expr:
    if isinstance(value, dict):
        keys: list[gast.expr] = [syntax.constant(k) for k in value]
        return gast.Dict(keys, list(value.values()))
    return gast.Tuple(list(value), gast.Load())


def _names(function: Any) -> list[str]:
    try:
        return list(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return []


def with_call(statement: gast.stmt, call: gast.expr) -> gast.stmt:
    """The statement with another call."""
    new = statement.__class__.__new__(statement.__class__)
    new.__dict__.update(statement.__dict__)
    new.__dict__["value"] = call
    return new


def with_func(call: gast.Call, func: gast.expr) -> gast.Call:
    """The call with another callee."""
    return gast.Call(func, list(call.args), list(call.keywords))
