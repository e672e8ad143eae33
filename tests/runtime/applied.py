"""A rule applied to one call: its two modes as functions of numbers, arrays and lists of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from tangentlite import rules, runtime as rt, syntax
from tangentlite.rules.model import slot


class Fact:
    """What analysis would know of a value."""

    def __init__(self, value: Any, proved: bool) -> None:
        self.ndim = np.ndim(value) if proved and not isinstance(value, str | list | tuple) else None
        self.scalar = self.ndim == 0
        self.literal = value if isinstance(value, int | bool | None) else rules.UNKNOWN


class Applied:
    """``primal(*args, **kwargs)`` with the tangent and the adjoint of its rule."""

    def __init__(
        self, primal: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any], proved: bool = False
    ) -> None:
        rule = rules.find(primal)
        assert rule is not None
        given = {f"v{k}": value for k, value in enumerate([*args, *kwargs.values()])}
        names = [syntax.name(n) for n in given]
        self.bound = rule.bind(
            names[: len(args)], dict(zip(kwargs, names[len(args) :], strict=True))
        )
        self.values = {p: given[t.id] for p, t in self.bound.items()}
        self.rule = rule.select({p: Fact(v, proved) for p, v in self.values.items()})
        self.keys = dict(zip(kwargs, (n.id for n in names[len(args) :]), strict=True))
        self.count = len(args)
        self.call: Callable[..., Any] = primal
        self.result = self.primal(self.values)

    def primal(self, values: Mapping[str, Any]) -> Any:
        """The result of the call with other values for its parameters."""
        given = {t.id: values[p] for p, t in self.bound.items()}
        args = rt.private([given[f"v{k}"] for k in range(self.count)])
        keywords = {k: given[n] for k, n in self.keys.items()}
        if not callable(self.call):
            return self.call.__get__(args[0])
        return self.call(*args, **keywords)

    def tangent(self, tangents: Mapping[str, Any]) -> Any:
        """The tangent of the result."""
        part = self.rule.tangent(frozenset(tangents))
        if part.apply:
            return self.primal({**self.values, **tangents})
        found = self._run(part, "d", tangents)
        total = {r: rt.ZERO for r in self.rule.results}
        for term, value in found:
            total[term.target] = value
        values = tuple(total[r] for r in self.rule.results)
        return values if len(values) > 1 else values[0]

    def adjoint(self, seed: Any, active: Mapping[str, Any]) -> dict[str, Any]:
        """The adjoints of the active parameters."""
        seeds = seed if len(self.rule.results) > 1 else (seed,)
        part = self.rule.adjoint(frozenset(active))
        found: dict[str, Any] = {}
        for term, value in self._run(part, "b", dict(zip(self.rule.results, seeds, strict=True))):
            name = term.target
            value = value if term.sign > 0 else -value
            if term.elementwise:
                value = rt.unbroadcast(value, self.values[name])
            if term.index is not None:
                value = rt.add_at(rt.zeros(self.values[name]), self.values["i"], value)
            found[name] = rt.add(found.get(name, rt.ZERO), value)
        return found

    def _run(
        self, part: rules.Part, letter: str, slots: Mapping[str, Any]
    ) -> list[tuple[rules.Term, Any]]:
        results = self.result if len(self.rule.results) > 1 else (self.result,)
        scope: dict[str, Any] = {"np": np, "rt": rt, **part.globals}
        scope |= {t.id: self.values[p] for p, t in self.bound.items()}
        shown = {p.name: p.shown for p in self.rule.params if p.shown is not None}
        bindings = dict(self.bound)
        for k, (name, value) in enumerate(zip(self.rule.results, results, strict=True)):
            bindings[name] = syntax.name(f"r{k}")
            scope[f"r{k}"] = value
        holes = {}
        for k, (name, value) in enumerate(slots.items()):
            holes[slot(letter, name)] = syntax.name(f"s{k}")
            scope[f"s{k}"] = _copied(value)
        for statement in self.rule.replaces:
            exec(syntax.unparse(syntax.substitute(statement, shown | bindings)), scope)
        written = rules.instantiate(part, bindings, holes, {}, {})
        for statement in written.shared:
            exec(syntax.unparse(statement), scope)
        return [(t, eval(syntax.unparse(t.value), scope)) for t in written.terms]


def _copied(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.copy()
    return [_copied(v) for v in value] if isinstance(value, list) else value


def flat(value: Any, like: Any) -> Any:
    """All numbers of a nest, in order; ZERO as zeros in the shape of ``like``."""
    if isinstance(like, list | tuple):
        parts = value if value is not rt.ZERO else [rt.ZERO] * len(like)
        pieces = [flat(p, x) for p, x in zip(parts, like, strict=True)]
        return np.concatenate(pieces) if pieces else np.zeros(0)
    if value is rt.ZERO:
        return np.zeros(np.size(like))
    assert np.shape(value) == np.shape(like)
    return np.ravel(value)


def moved(value: Any, by: Any, step: float) -> Any:
    """``value + step * by`` through lists."""
    if isinstance(value, list | tuple):
        return type(value)(moved(v, w, step) for v, w in zip(value, by, strict=True))
    return value + step * by


def drawn(value: Any, draw: np.random.Generator) -> Any:
    """A random nest like ``value``."""
    if isinstance(value, list | tuple):
        return [drawn(v, draw) for v in value]
    return draw.normal(size=np.shape(value)) if np.ndim(value) else float(draw.normal())
