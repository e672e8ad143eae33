"""Calls of functions that are values: which one is called is found here, and the call is written for that one.

In: a statement, and the kinds before it.
Out: statements that mean the same; every call in them is of a function by its name.
Next: classify.
"""

from __future__ import annotations

import functools
import inspect
from abc import abstractmethod
from types import FunctionType
from typing import Any

import gast
import numpy as np

from tangentlite import rules, standins, syntax
from tangentlite.analysis.calling import callees, nested
from tangentlite.analysis.calling.choices import takes
from tangentlite.analysis.calling.rerun import Rerun
from tangentlite.analysis.calling.stars import CACHED, is_variadic, with_call, with_func
from tangentlite.analysis.classes.meant import at, holds_meaning, of_call, parts
from tangentlite.analysis.environment import Environment
from tangentlite.analysis.joining import join
from tangentlite.analysis.kinds import (
    CONTAINERS,
    Choice,
    Kind,
    Object,
    Pending,
    Tuple,
    Unknown,
    Value,
    is_complex,
)
from tangentlite.analysis.lists import counted
from tangentlite.analysis.lists.listed import placed
from tangentlite.analysis.never import never_done
from tangentlite.analysis.operations import NoFlow, Operation
from tangentlite.errors import DerivativeError, RuleError
from tangentlite.frontend import jitted
from tangentlite.runtime.containers.closures import Label

VALUELESS = frozenset("append extend insert remove clear reverse update".split())
Statements = list[gast.stmt]
Changes = tuple[Operation, dict[str, Kind]]


class Functions(Rerun):
    """The part of the classifier for functions as values."""

    def resolved(self, statement: gast.stmt, state: Environment, point: int) -> Statements | None:
        """What stands for a statement; None where it stands for itself."""
        call = called(statement)
        if call is None:
            return self.between(statement, state)
        kinds = tuple(self.kind(a, state) if syntax.is_atom(a) else None for a in parts(call))
        known = self.rewrites.found.get(statement)
        if known is not None and known[0] == kinds:
            return known[1]
        self.rewrites.late.discard(statement)
        first = self.drawn, self._of_array, self.updated, self.extended, self.keys_taken
        ways = *first, self._valueless, self.given_lists, self.checkpointed, self._other
        other = next((found for way in ways if (found := way(statement, call, state))), None)
        if other is None:
            self.rewrites.found.pop(statement, None)
            return None
        for new in other:
            placed(new, statement)
        late = statement in self.rewrites.late
        other = of_call(statement, call, self.locals, state.get, self.rewrites.meant, late) + other
        if at(statement) in self.rewrites.waiting:
            self.rewrites.late.add(statement)
        self.rewrites.found[statement] = kinds, other
        return other

    def _other(
        self, statement: gast.stmt, call: gast.Call, state: Environment
    ) -> Statements | None:
        callee = self._callee(call.func, state)
        if callees.starred(call) or None in _keys(call):
            found = self.spelled_out(statement, call, callee, state)
            if found is None and isinstance(callee, Choice):
                return self._one_of(statement, call, callee)
            return found
        match callee:
            case Tuple(items=[Value(value=Label() as label), *_]):
                return self._closure(statement, call, label)
            case Tuple(items=[Choice() as choice, *_]) | (Choice() as choice):
                return self._one_of(statement, call, choice)
            case Value(value=value) if nested.transforms(value):
                return self._transformed(statement, call, value, state)
            case Value(value=value) if nested.is_bound(value):
                return self._bound(statement, call, value)
            case Value(value=value) if nested.is_derivative(value):
                return self._derivative(statement, call, value, state)
            case Value(value=value) if value is functools.partial:
                return self.partial(statement, call, state)
            case Value(value=functools.partial() as given):
                return self.filled_in(statement, call, given)
            case Value(value=value) if isinstance(value, CACHED) or jitted.inside(value):
                return self.uncached(statement, call, value, state)
            case Value(value=value) if made := self.made_of(statement, call, value, state):
                return made
            case Value(value=value) if other := self._standin(value, call, state):
                return [with_call(statement, with_func(call, self.rewrites.denoted(other)))]
            case Value(value=value) if is_variadic(value):
                return self.gathered(statement, call, value)
            case Value(value=np.poly1d) if len(call.args) == 1 and not call.keywords:
                value, c = self.rewrites.denoted(standins.polynomials.value), call.args[0]
                new = syntax.expression("rt.closure(value, c)", rt=self.rt(), value=value, c=c)
                return [with_call(statement, new)]
            case Value(value=FunctionType() as function):
                return self._maker(statement, call, function, state)
        return None

    def _of_array(
        self, statement: gast.stmt, call: gast.Call, state: Environment
    ) -> Statements | None:
        """A call of what stands in for a method of an array."""
        match call.func:
            case gast.Attribute(value=base, attr=attr):
                other = counted.method(self.kind(base, state), attr)
                if other is not None:
                    new = gast.Call(self.rewrites.denoted(other), [base, *call.args], call.keywords)
                    return [with_call(statement, new)]
        return None

    def _valueless(
        self, statement: gast.stmt, call: gast.Call, state: Environment
    ) -> Statements | None:
        """``y = xs.append(v)`` becomes ``xs.append(v); y = None``."""
        match call.func:
            case gast.Attribute(value=gast.Name() as base, attr=attr) if attr in VALUELESS:
                if isinstance(statement, gast.Assign) and not callees.starred(call):
                    kind = self.kind(base, state)
                    if isinstance(kind, CONTAINERS) and not isinstance(kind, Object):
                        nothing = syntax.constant(None)
                        return [gast.Expr(call), gast.Assign(statement.targets, nothing, None)]
        return None

    def _standin(self, value: Any, call: gast.Call, state: Environment) -> Any:
        """What is called instead: where there is no rule, where it does not take the call, for complex numbers."""
        keywords = {str(k.arg): k.value for k in call.keywords}
        given = [*call.args, *(k.value for k in call.keywords)]
        if is_complex(*(self.kind(a, state) for a in given if syntax.is_atom(a))):
            other = standins.find(value, is_complex=True)
            if other is not None and takes(other, call):
                return other
        written = {k: v.value for k, v in keywords.items() if isinstance(v, gast.Constant)}
        chosen = standins.find_literal(value, written)
        if chosen is not None and takes(chosen, call):
            return chosen
        other, rule = standins.find(value), rules.find(value)
        if rule is None or other is None or not takes(other, call):
            return other if other is not None and takes(other, call) else None
        try:
            rule.bind(call.args, keywords)
        except RuleError:
            return other
        return None

    def _transformed(
        self, statement: gast.stmt, call: gast.Call, transform: Any, state: Environment
    ) -> Statements | None:
        """``df = tl.grad(f)`` becomes ``df = df_dx``, with what f captures."""
        given = nested.options(call)
        if given is None or callees.starred(call):
            return None
        if isinstance(transform, functools.partial):
            transform, given = transform.func, {**transform.keywords, **given}
        if not call.args:
            made = functools.partial(transform, **given)
            return [with_call(statement, self.rewrites.denoted(made, transform.__name__))]
        match self.kind(call.args[0], state):
            case Tuple(items=[Value(value=Label() as label), *held]):
                before, slots = self.slots(call.args[0], range(1, 1 + len(held)))
                made = nested.derivative(transform, label.function, label.count, given)
                named = zip(label.names, slots[label.count :])
                own = nested.held(made, slots[: label.count], self.rewrites.temporary)
                new = syntax.expression("rt.closure()", rt=self.rt())
                new.args = [self.rewrites.denoted(made), *own[1]]
                new.keywords += [gast.keyword(n, v) for n, v in named]
                return [*before, *own[0], with_call(statement, new)]
            case Value(value=function):
                made = nested.derivative(transform, function, 0, given)
                return [with_call(statement, self.rewrites.denoted(made))]
        return None

    def _bound(self, statement: gast.stmt, call: gast.Call, made: Any) -> Statements:
        """The derivative of a method is called with the method's object."""
        owner = self.rewrites.denoted(made.owner, "owner")
        new = with_func(call, self.rewrites.denoted(made.plain))
        new.args = [owner, *call.args]
        return [with_call(statement, new)]

    def _derivative(
        self, statement: gast.stmt, call: gast.Call, made: Any, state: Environment
    ) -> Statements | None:
        """``y = df(x)`` becomes a call of the text of ``df``."""
        keywords = {k.arg: k.value for k in call.keywords}
        if callees.starred(call) or None in keywords:
            return None
        named = {str(n): self.kind(v, state) for n, v in keywords.items()}
        found = nested.texts(made, [self.kind(a, state) for a in call.args], named)
        if found is None:
            return None
        if hasattr(made, "__split__"):
            return self._pullback(statement, call, found)
        before: Statements = []
        seeds = nested.seeds(made, found[0])
        word = "adjoint" if made.request.mode == "reverse" else "tangent"
        if word in keywords and word not in inspect.signature(found[0]).parameters:
            seed = keywords.pop(word)
            slots = [seed]
            if made.request.several:
                before, slots = self.slots(seed, range(len(seeds)))
            keywords |= dict(zip(seeds, slots))
        new = with_func(call, self.rewrites.denoted(found[0]))
        new.keywords = [gast.keyword(n, v) for n, v in keywords.items()]
        return [*before, with_call(statement, new)]

    def _pullback(self, statement: gast.stmt, call: gast.Call, found: Any) -> Statements:
        """``y, pull = tl.vjp(f)(x)``: the pullback is a closure that holds the record."""
        forward, backward = map(self.rewrites.denoted, found)
        pair, value, saved, pull = (self.rewrites.temporary() for _ in range(4))
        text = "p = call\ny = p[0]\ns = p[1]\nf = rt.closure(g, s)"
        holes = {"p": pair, "y": value, "s": saved, "f": pull, "rt": self.rt(), "g": backward}
        before = syntax.quote(text, **holes, call=with_func(call, forward))
        return [*before, with_call(statement, syntax.expression("(y, f)", y=value, f=pull))]

    def _callee(self, func: gast.expr, state: Environment) -> Kind:
        value = self.value(func, state)
        if value is not rules.UNKNOWN:
            return Value(value)
        return self.kind(func, state) if isinstance(func, gast.Name) else Unknown()

    def _maker(
        self, statement: gast.stmt, call: gast.Call, function: FunctionType, state: Environment
    ) -> Statements | None:
        """A call of a function that gives functions: of one that gives closures."""
        keywords = {k.arg: k.value for k in call.keywords}
        rule = rules.find(function)
        if rule is not None and rule.algebra != "inactive":
            return None
        if hasattr(function, "__standing__") or None in keywords or callees.starred(call):
            return None
        bound = callees.bind(function, call.args, keywords)
        if isinstance(bound, str):
            return None
        kinds = self.kinds(function, bound, state)
        try:
            known = self.summary(function, kinds)
        except DerivativeError:
            return None  # if a derivative flows there, the call itself says so
        if known.standing is None:
            return None
        if any(map(holds_meaning, kinds)):
            self.rewrites.late.add(statement)
        new = self.rewrites.denoted(known.standing)
        return [with_call(statement, with_func(call, new))]

    def _closure(self, statement: gast.stmt, call: gast.Call, label: Label) -> Statements | None:
        """``y = f(x)`` becomes ``t = f[1]; y = g(t, x)``."""
        if callees.starred(call) or None in _keys(call):
            return None
        left = label.left(len(call.args), _keys(call))
        places = [*range(label.count), *(label.count + label.names.index(n) for n in left)]
        left_out = getattr(label.function, "__left_out__", ())
        before, slots = self.slots(call.func, [1 + p for p in places if p not in left_out])
        rest = iter(slots)
        held = [syntax.constant(...) if p in left_out else next(rest) for p in places]
        keywords = [gast.keyword(n, v) for n, v in zip(left, held[label.count :])]
        new = gast.Call(
            self.rewrites.denoted(label.function),
            [*held[: label.count], *call.args],
            [*call.keywords, *keywords],
        )
        return [*before, with_call(statement, new)]

    def _one_of(self, statement: gast.stmt, call: gast.Call, choice: Choice) -> Statements | None:
        """``y = f(x)`` becomes ``if f is g: y = g(x)`` and so on."""
        functions, rt = [value.value for value in choice.values], self.rt()
        rest: Statements = []
        plain = not any(isinstance(f, Label) for f in functions)
        others = [f for f in functions if not takes(f, call)]
        others = [] if len(others) == len(functions) else others
        for function in reversed(functions):
            label = function if isinstance(function, Label) else None
            named = self.rewrites.denoted(label.function if label else function)
            text = "f is g" if plain else "rt.calls(f, g)"
            test = syntax.expression(text, f=call.func, g=named, rt=rt)
            block: Statements | None = [with_call(statement, with_func(call, named))]
            if function in others:
                block = syntax.quote(
                    "raise e('other arguments')", e=self.rewrites.denoted(TypeError)
                )
            elif label is not None:
                block = self._closure(statement, call, label)
            if block is None:
                return None
            rest = [gast.If(test, block, rest)] if rest else block
        return rest

    def meaning(self, statement: gast.stmt, state: Environment, point: int) -> Changes:
        """The operation of a simple statement, and the kinds it changes; of what stands for it, if something does."""
        if isinstance(statement, gast.If):  # in what stands for a call
            return self.branched(statement, state, point)
        around = self.graph.around.get(point, ())
        if never_done(statement, self.graph.reads(statement), state, around):
            return NoFlow(), dict.fromkeys(syntax.stores(statement), Pending())
        other = self.resolved(statement, state, point)
        if other is not None:
            return self.sequence(other, state, point)
        return self.classify(statement, state, point)

    def sequence(self, statements: Statements, state: Environment, point: int) -> Changes:
        """The kinds after statements that stand for one."""
        changed: dict[str, Kind] = {}
        for statement in statements:
            _, new = self.meaning(statement, state, point)
            state, changed = state.binding(new), {**changed, **new}
        return NoFlow(), changed

    def branched(self, statement: gast.If, state: Environment, point: int) -> Changes:
        """The kinds after the calls of one of several functions."""
        blocks = (statement.body, statement.orelse)
        first, second = (self.sequence(block, state, point)[1] for block in blocks)
        both = {n: join(first[n], second[n], (point, n)) for n in first if n in second}
        return NoFlow(), {**first, **second, **both}

    @abstractmethod
    def classify(self, statement: gast.stmt, state: Environment, point: int) -> Changes:
        """The operation of a simple statement, and the kinds it changes."""


def called(statement: gast.stmt) -> gast.Call | None:
    """The call that a statement binds or makes."""
    match statement:
        case gast.Assign(targets=[gast.Name()], value=call) | gast.Expr(value=call):
            return call if isinstance(call, gast.Call) else None
    return None


def _keys(call: gast.Call) -> set[Any]:
    return {k.arg for k in call.keywords}
