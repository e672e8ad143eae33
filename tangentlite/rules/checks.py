"""What the loader checks of every rule, since linters do not read them.

In: a rule.
Out: nothing, or RuleError with file, line and caret.
Next: registry.
"""

from __future__ import annotations

from inspect import Parameter as Kind

import numpy as np

from tangentlite.rules.binding import POSITIONAL, signature
from tangentlite.rules.model import EMPTY, Source
from tangentlite.rules.rule import Rule, covered, spelled
from tangentlite.values import replace


def check(rule: Rule) -> None:
    """Raise RuleError if ``rule`` contradicts its primals or the notation."""
    if rule.algebra == "inactive":
        return
    counted = replace(rule, count=2) if any(p.variadic for p in rule.params) else rule
    source = counted.backward or counted.forward
    if source is None:
        return
    for primal in rule.primals:
        _against_primal(rule, source, primal)
    for variant in (counted, *(replace(v, count=counted.count) for _, v in rule.variants)):
        _assignments(variant)
        _coverage(variant, source)
        _slices(variant)


def _against_primal(rule: Rule, source: Source, primal: object) -> None:
    required = [p for p in rule.params if p.kind in POSITIONAL and p.default is EMPTY]
    name = spelled(primal)
    if isinstance(primal, np.ufunc):
        if len(required) != primal.nin:
            raise source.error(f"{name} takes {primal.nin} arguments, not {len(required)}")
        if len(rule.results) != primal.nout:
            raise source.error(f"{name} has {primal.nout} results, not {len(rule.results)}")
        return
    theirs = signature(primal)
    if theirs is None:
        return
    kinds = {p.kind for p in theirs}
    order = [p for p in theirs if p.kind in POSITIONAL]
    for k, parameter in enumerate(p for p in rule.params if p.kind in POSITIONAL):
        if k >= len(order):
            if Kind.VAR_POSITIONAL not in kinds:
                raise source.error(f"{name} takes {len(order)} arguments")
        elif parameter.default is not EMPTY and parameter.name != order[k].name:
            raise source.error(
                f"argument {k} of {name} is `{order[k].name}`, not `{parameter.name}`"
            )
    known = {p.name for p in theirs}
    for parameter in rule.params:
        only = parameter.kind is Kind.KEYWORD_ONLY
        if only and parameter.name not in known and Kind.VAR_KEYWORD not in kinds:
            raise source.error(f"{name} has no parameter `{parameter.name}`")


def _assignments(rule: Rule) -> None:
    for source, lines in rule.sides:
        names = {p.name for p in source.params}
        for line in lines:
            variable = line.targets[0].split("[")[0]
            if line.role in ("local", "result") and names & set(line.targets):
                raise source.error(f"the parameter `{variable}` is assigned", line.node)
            if line.role == "tangent" and variable not in source.results:
                raise source.error(f"`d[{variable}] = …`: `{variable}` is no result", line.node)
            if line.role == "adjoint" and variable not in names:
                raise source.error(f"`b[{variable}] += …`: `{variable}` is no parameter", line.node)


def _coverage(rule: Rule, base: Source) -> None:
    if rule.backward is None or rule.forward is None:
        return
    (source, backward), (_, forward) = rule.sides[0], rule.sides[-1]
    tangents = {p for line in forward if line.role != "adjoint" for p in covered(line)}
    adjoints = {line.targets[0] for line in backward if line.role == "adjoint"}
    if rule.algebra == "elementwise":
        adjoints |= {p for line in backward if line.role != "adjoint" for p in covered(line)}
    if rule.algebra == "linear" and not any(line.role == "tangent" for line in forward):
        named = {n for n in rule.names if n.split("[")[0] in (rule.in_ or ())}
        tangents = named if rule.in_ is not None else adjoints
    stray = (tangents | adjoints) - {*(p for p in rule.names)}
    if stray:
        raise source.error(f"`{min(stray)}` is no parameter")
    for name in sorted(tangents ^ adjoints):
        missing = "adjoint" if name in tangents else "tangent"
        raise source.error(f"`{name}` has no {missing}", None, "Every parameter needs both modes.")
    if not tangents and not rule.constant:  # all other parameters are refused by name
        raise source.error("no parameter has a derivative", None, "Declare it with `inactive`.")


def _slices(rule: Rule) -> None:
    """Slicing finds unbound names and expressions that are not linear."""
    every = rule.differentiable
    for active in (every, *(frozenset({name}) for name in sorted(every))):
        if rule.backward is not None:
            rule.adjoint(active)
        if rule.forward is not None:
            rule.tangent(active)
