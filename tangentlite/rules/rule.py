"""One derivative: the parameters of a primal, and its slices for both modes.

In: sources of the two modes (one and the same unless a user gave them apart).
Out: ``Rule``, with ``bind``, ``select``, ``adjoint`` and ``tangent``.
Next: registry.
"""

from __future__ import annotations

import inspect
import math
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache, cached_property
from os import path
from typing import Any

import gast

from tangentlite import runtime, syntax
from tangentlite.errors import RuleError
from tangentlite.rules.binding import Binder
from tangentlite.rules.body import lines
from tangentlite.rules.model import Line, Parameter, Part, Source
from tangentlite.rules.notation import Algebra
from tangentlite.rules.slices import Slicer, resolve, statement
from tangentlite.values import field, immutable, replace

# Parameters that NumPy takes whole numbers for: nothing flows through them, whatever is known of the argument.
WHOLE = frozenset(
    """axes axis axis1 axis2 indices indices_or_sections kth new_shape obj offset pad_width repeats reps
    shape shift window_shape""".split()
)


@immutable(eq=False)
class Rule:
    """The derivative of one primitive.

    ``callee`` is the primal the rule was found for, ``count`` the number of arguments of ``*xs``.
    """

    name: str
    primals: tuple[object, ...]
    params: tuple[Parameter, ...]
    results: tuple[str, ...]
    algebra: Algebra
    file: str
    line: int
    doc: str = ""
    callee: object = None
    in_: tuple[str, ...] | None = None
    domain: Any = None
    samples: Any = None
    pure: bool = False
    count: int | None = None
    backward: Source | None = field(default=None, repr=False)
    forward: Source | None = field(default=None, repr=False)
    variants: tuple[tuple[Callable[..., Any], Rule], ...] = field(default=(), repr=False)
    constant: tuple[str, ...] = ()
    literal: tuple[str, ...] = ()

    @cached_property
    def called(self) -> str:
        """What the user calls: ``np.sum``."""
        return spelled(self.callee if self.callee is not None else self.primals[0])

    @property
    def place(self) -> str:
        """Where the rule stands, for messages: ``templates/reductions.py:12``."""
        return _place(self)

    @property
    def differentiable(self) -> frozenset[str]:
        """The parameters that may be active; of ``*xs`` both the whole and each of them."""
        return _differentiable(self)

    @property
    def indifferent(self) -> frozenset[str]:
        """The parameters in which the derivative is zero, known and intended."""
        return _indifferent(self)

    @property
    def names(self) -> tuple[str, ...]:
        """The parameters, `*xs` as ``xs[0]``, ``xs[1]`` …"""
        spread = [[f"{p.name}[{k}]" for k in range(self.count or 0)] for p in self.params]
        pairs = zip(self.params, spread, strict=True)
        return tuple(n for p, many in pairs for n in (many if p.variadic else [p.name]))

    @property
    def sides(self) -> list[tuple[Source, tuple[Line, ...]]]:
        """The sources that are there, adjoint first, with their lines."""
        sources = [s for s in (self.backward, self.forward) if s is not None]
        return [(source, _lines(self, source)) for source in sources]

    @cached_property
    def replaces(self) -> tuple[gast.stmt, ...]:
        """The lines that compute the result instead of the primal call."""
        slicer = _slicer(self, self.backward)
        return tuple(statement(r.targets, r.value) for r in slicer.replaced) if slicer else ()

    @cached_property
    def keeps(self) -> bool:
        """Whether a variant makes in the forward sweep what stands for operands."""
        if self.variadic is not None or self.replaces:
            return False
        return any(variant.replaces for _, variant in self.variants)

    @property
    def named(self) -> Mapping[str, object]:
        """What the lines of ``replaces`` name that is neither a parameter nor bound by them."""
        if self.backward is None:
            return {}
        bound = syntax.stores(self.replaces) | {p.name for p in self.params}
        return resolve(self.backward, syntax.loads(self.replaces) - bound)

    def bind(
        self, args: Sequence[gast.expr], keywords: Mapping[str, gast.expr]
    ) -> dict[str, gast.expr]:
        """The expression of every parameter that is given."""
        binder = Binder(
            self.called, _place(self), self.params, self.callee, self.algebra, self.literal
        )
        return binder.bind(args, keywords)

    def select(self, facts: Mapping[str, object]) -> Rule:
        """The tidiest variant whose guard is proved; counts what ``*xs`` stands for."""
        counted = self.sized(facts)
        for guard, variant in self.variants:
            if _proved(guard, facts):
                return _chosen(variant, self, counted.count)
        return counted

    def sized(self, bound: Mapping[str, object]) -> Rule:
        """The same rule for the arguments in ``bound`` (or in facts with the same keys)."""
        if self.variadic is None:
            return self
        return _counted(self, sum(key.startswith(f"{self.variadic}[") for key in bound))

    @cached_property
    def variadic(self) -> str | None:
        """The parameter that is written ``*xs``."""
        return next((p.name for p in self.params if p.variadic), None)

    def adjoint(self, active: frozenset[str], results: frozenset[str] | None = None) -> Part:
        """What the backward sweep does for the active parameters."""
        return _adjoint(self, active, frozenset(self.results) if results is None else results)

    def tangent(self, active: frozenset[str]) -> Part:
        """What the forward mode does for the active parameters."""
        return _tangent(self, active)

    def refuse(self, active: frozenset[str]) -> None:
        """Raise if a parameter without derivative is active."""
        for name in sorted(active - self.differentiable):
            raise RuleError(
                f"{self.called}: the rule in {self.place} has no derivative in `{name}`",
                None,
                f"Pass `{name}` as a value that depends on no input, or register a rule.",
            )


def spelled(primal: object) -> str:
    """How a user writes a primal.

    >>> import numpy as np
    >>> spelled(np.sum), spelled(math.sin), spelled(np.linalg.norm), spelled(len)
    ('np.sum', 'math.sin', 'np.linalg.norm', 'len')
    >>> spelled(np.frompyfunc(len, 1, 1)), spelled(np.sin)
    ('len (vectorized)', 'np.sin')
    """
    name = getattr(primal, "__qualname__", getattr(primal, "__name__", repr(primal)))
    owner = getattr(primal, "__objclass__", None)
    if owner is not None:
        return f"{'np.' if owner.__module__ == 'numpy' else ''}{owner.__name__}.{primal.__name__}"  # type: ignore[attr-defined]
    module = getattr(primal, "__module__", None) or ""
    if not module and type(primal).__name__ == "ufunc":
        homes = ("numpy", "scipy.special")
        owns = (h for h in homes if getattr(sys.modules.get(h), str(name), None) is primal)
        module = next(owns, "")
    if module in ("builtins", "__main__", ""):
        return str(name)
    public = ".".join(
        p for p in module.split(".") if module == "_operator" or not p.startswith("_")
    )
    return f"{public.replace('numpy', 'np', 1).replace('_operator', 'operator')}.{name}"


@cache
def _place(rule: Rule) -> str:
    folder, name = path.split(rule.file)
    short = f"templates/{name}" if path.basename(folder) == "templates" else name
    return f"{short}:{rule.line}"


@cache
def _counted(rule: Rule, count: int) -> Rule:
    return replace(rule, count=count)


@cache
def _chosen(variant: Rule, base: Rule, count: int | None) -> Rule:
    return replace(variant, callee=base.callee, count=count)


@cache
def _asked(guard: Callable[..., Any]) -> tuple[str, ...]:
    return tuple(inspect.signature(guard).parameters)


def _proved(guard: Callable[..., Any], facts: Mapping[str, object]) -> bool:
    try:
        return bool(guard(*[facts[name] for name in _asked(guard)]))
    except (AttributeError, TypeError, KeyError, ValueError):
        return False


def _lines(rule: Rule, source: Source | None) -> tuple[Line, ...]:
    if source is None:
        return ()
    if rule.count is None and any(p.variadic for p in source.params):
        raise source.error("`*` needs a number of arguments: select(facts) first")
    return lines(source, rule.count or 0)


def _slicer(rule: Rule, source: Source | None) -> Slicer | None:
    if source is None:
        return None
    math_only = getattr(rule.callee, "__module__", None) == math.__name__
    conform = rule.algebra == "elementwise" or source.conform
    return Slicer(source, _lines(rule, source), conform, math_only)


@cache
def _differentiable(rule: Rule) -> frozenset[str]:
    if rule.algebra == "inactive":
        return frozenset()
    found = {n for n in rule.names if n.split("[")[0] in (rule.in_ or ())}
    if rule.in_ is None:
        for source in (rule.backward, rule.forward):
            found |= {p for line in _lines(rule, source) for p in covered(line)}
    return frozenset(found) | {name.split("[")[0] for name in found}


@cache
def _indifferent(rule: Rule) -> frozenset[str]:
    name = getattr(rule.primals[0], "__name__", "")
    mine = getattr(runtime, name, None) is rule.primals[0]
    whole = {p.name for p in rule.params} & WHOLE if "templates" in rule.file else ()
    return frozenset((*rule.constant, *whole, *(runtime.SHAPE_ONLY.get(name, ()) if mine else ())))


def covered(line: Line) -> set[str]:
    """The parameters that a line gives a derivative for."""
    match line.role:
        case "adjoint":
            return {line.targets[0]}
        case "tangent" | "local":
            trees = [n.id for n in gast.walk(line.value) if isinstance(n, gast.Name)]
            return {n[2:-1] for n in trees if n.startswith("d[")}
    return set()


@cache
def _adjoint(rule: Rule, active: frozenset[str], results: frozenset[str]) -> Part:
    rule.refuse(active)
    slicer = _slicer(rule, rule.backward)
    if slicer is None:
        if rule.algebra == "inactive":
            return Part()
        raise RuleError(f"{rule.called} has a tangent but no adjoint", None, "Add @tl.adjoint.")
    return slicer.adjoint(active, results)


@cache
def _tangent(rule: Rule, active: frozenset[str]) -> Part:
    rule.refuse(active)
    slicer = _slicer(rule, rule.forward)
    if slicer is None:
        if rule.algebra == "inactive":
            return Part()
        raise RuleError(f"{rule.called} has an adjoint but no tangent", None, "Add @tl.tangent.")
    if rule.algebra == "linear" and not any(n.role == "tangent" for n in slicer.lines):
        return Part(reads=frozenset(rule.names) - active, apply=active)
    return slicer.tangent(active)
