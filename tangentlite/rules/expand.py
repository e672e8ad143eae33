"""What a rule prints, for people who write rules.

In: a rule or a primal, and the names of a statement.
Out: text.
Next: the differentiate stage.
"""

from __future__ import annotations

import gast

from tangentlite import syntax
from tangentlite.errors import MissingRuleError
from tangentlite.rules.instantiate import instantiate
from tangentlite.rules.model import Part, slot
from tangentlite.rules.notation import Declaration
from tangentlite.rules.registry import find
from tangentlite.rules.rule import Rule, spelled


def expand(rule: object, **names: str) -> str:
    """The tangent and the adjoint that a rule gives, with ``names`` for its parameters and results.

    >>> import numpy as np
    >>> print(expand(np.multiply, z="c", x="a", y="b"))
    # Tangent
    dc = b * da + a * db
    # Adjoint
    ba += bc * b
    bb += bc * a
    """
    found = _rule(rule)
    called = {**{n: n.replace("[", "").replace("]", "") for n in found.names}, **names}
    called = {**{r: r for r in found.results}, **called}
    active = found.differentiable
    text: list[str] = []
    if found.forward is not None:
        tangent = found.tangent(active)
        text += ["# Tangent", *_tangent(found, tangent, called)]
    if found.backward is not None:
        text += ["# Adjoint", *_adjoint(found.adjoint(active), called)]
    return "\n".join(text) or "# No derivative: inactive"


def _rule(rule: object) -> Rule:
    if isinstance(rule, Declaration):
        rule = rule.primals[0]
    found = rule if isinstance(rule, Rule) else find(rule)
    if found is None:
        raise MissingRuleError(f"{spelled(rule)} has no rule", None, "Register one with @tl.rule.")
    if found.count is None and any(p.variadic for p in found.params):
        variadic = next(p.name for p in found.params if p.variadic)
        return found.sized({f"{variadic}[0]": None, f"{variadic}[1]": None})
    return found


def _written(part: Part, names: dict[str, str]) -> Part:
    bindings = {n: syntax.name(t) for n, t in names.items()}
    slots = {slot(letter, n): syntax.name(letter + t) for n, t in names.items() for letter in "db"}
    return instantiate(part, bindings, slots, {}, {})


def _tangent(rule: Rule, part: Part, names: dict[str, str]) -> list[str]:
    if part.apply:
        given = [f"d{names[n]}" if n in part.apply else names[n] for n in rule.names]
        results = ", ".join(f"d{names[r]}" for r in rule.results)
        return [f"{results} = {rule.called}({', '.join(given)})"]
    written = _written(part, names)
    lines: list[gast.stmt] = list(written.shared)
    lines += [syntax.assign(f"d{names[t.target]}", t.value) for t in written.terms]
    return [syntax.unparse(line) for line in lines]


def _adjoint(part: Part, names: dict[str, str]) -> list[str]:
    written = _written(part, names)
    text = [syntax.unparse(line) for line in written.shared]
    for term in written.terms:
        index = "" if term.index is None else f"[{syntax.unparse(term.index)}]"
        op = "+=" if term.sign > 0 else "-="
        text.append(f"b{names[term.target]}{index} {op} {syntax.unparse(term.value)}")
    return text
