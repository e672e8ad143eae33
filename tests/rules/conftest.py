"""Runs the parts of a rule on numbers: text is built from the trees and executed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import gast
import numpy as np
import pytest

from tangentlite import rules, runtime as rt, syntax
from tangentlite.rules.model import slot


class Case:
    """A rule at one point: its primal, its arguments, and which of them are active."""

    def __init__(
        self,
        rule: rules.Rule,
        args: Sequence[Any],
        active: Sequence[str] = (),
        literals: Mapping[str, Any] | None = None,
    ) -> None:
        names = [syntax.name(f"v{k}") for k in range(len(args))]
        bound = rule.bind(names, {})
        facts = {n: Fact(args[int(t.id[1:])]) for n, t in bound.items()}
        for parameter in rule.params:
            if parameter.default is not rules.EMPTY and parameter.name not in facts:
                facts[parameter.name] = Fact(parameter.default, parameter.default)
        for name, literal in (literals or {}).items():
            facts[name] = Fact(literal, literal)
            bound[name] = syntax.constant(literal)
        self.rule = rule.select(facts)
        self.args, self.bound = list(args), bound
        self.names = {n: k for k, n in enumerate(bound)}
        self.values = {n: args[k] for n, k in self.names.items()}
        self.active = frozenset(active) or self.rule.differentiable & set(bound)

    def primal(self, values: Mapping[str, Any] | None = None) -> tuple[Any, ...]:
        """The results."""
        values = values or self.values
        given = [values[n] for n in self.bound]
        result = self.rule.callee(*given)
        return tuple(result) if len(self.rule.results) > 1 else (result,)

    def tangent(self, tangents: Mapping[str, Any]) -> tuple[Any, ...]:
        """The tangents of the results."""
        part = self.rule.tangent(self.active)
        if part.apply:
            given = {n: tangents.get(n, v) for n, v in self.values.items()}
            return self.primal(given)
        results = dict(zip(self.rule.results, self.primal(), strict=True))
        slots = {slot("d", n): t for n, t in tangents.items()}
        found = dict.fromkeys(self.rule.results, rt.ZERO)
        for term, value in self._run(part, results, slots):
            found[term.target] = value
        return tuple(
            rt.broadcast(found[r], results[r])
            if found[r] is not rt.ZERO
            else np.zeros(np.shape(results[r]))
            for r in self.rule.results
        )

    def adjoint(self, seeds: Sequence[Any]) -> dict[str, Any]:
        """The adjoints of the active parameters, unbroadcast where the compiler would."""
        part = self.rule.adjoint(self.active)
        results = dict(zip(self.rule.results, self.primal(), strict=True))
        slots = {slot("b", r): s for r, s in zip(self.rule.results, seeds, strict=True)}
        found: dict[str, Any] = {}
        for term, value in self._run(part, results, slots):
            value = value if term.sign > 0 else -value
            if term.elementwise:
                value = rt.unbroadcast(value, self.values[term.target])
            found[term.target] = found.get(term.target, rt.ZERO) + value
        return found

    def _run(
        self, part: rules.Part, results: Mapping[str, Any], slots: Mapping[str, Any]
    ) -> list[tuple[rules.Term, Any]]:
        scope: dict[str, Any] = dict(part.globals)
        holes = {}
        for k, (name, value) in enumerate({**results, **slots}.items()):
            holes[name] = syntax.name(f"w{k}")
            scope[f"w{k}"] = value
        bindings = dict(self.bound) | {r: holes[r] for r in results}
        scope |= {f"v{k}": value for k, value in enumerate(self.args)}
        shown = {p.name: p.shown for p in self.rule.params if p.shown is not None}
        for statement in self.rule.replaces:
            tree = syntax.substitute(statement, shown | self.bound)
            exec(_text(tree), {**scope, "np": np, "rt": rt}, scope)
        written = rules.instantiate(part, bindings, holes, {}, {})
        for statement in written.shared:
            exec(_text(statement), scope)
        return [(t, self._value(t, scope)) for t in written.terms]

    def _value(self, term: rules.Term, scope: dict[str, Any]) -> Any:
        value = eval(_text(term.value), scope)
        if term.index is None:
            return value
        zeros = rt.zeros(self.values[term.target])
        return rt.add_at(zeros, eval(_text(term.index), scope), value)


class Fact:
    """What analysis would know of an argument; literals are unknown."""

    def __init__(self, value: Any, literal: object = rules.UNKNOWN) -> None:
        self.ndim = np.ndim(value) if not isinstance(value, str) else None
        self.scalar = self.ndim == 0
        self.literal = literal


def _text(tree: gast.AST) -> str:
    return syntax.unparse(tree)


@pytest.fixture(name="case")
def _case() -> type[Case]:
    return Case
