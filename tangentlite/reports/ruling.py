"""The rules that a derivative was made with, and where they stand.

In: facts of the functions that were differentiated.
Out: ``Used``: a rule, its text, and the user's lines that it was used for.
Next: page.
"""

from __future__ import annotations

from collections.abc import Iterable

import gast

from tangentlite import analysis
from tangentlite.analysis.operations import Primitive
from tangentlite.errors import DerivativeError
from tangentlite.lines import Lines, behind
from tangentlite.rules import Rule, expand
from tangentlite.values import mutable


@mutable
class Used:
    """A rule in use: ``called`` as the user calls it, its ``place``, its ``text``, what it ``gives``."""

    called: str
    place: str
    text: str
    gives: str
    lines: Lines


def used(facts: Iterable[analysis.Facts]) -> list[Used]:
    """The rules of active statements, in the order in which they are met."""
    found: dict[tuple[str, int, str], Used] = {}
    for each in facts:
        for statement, operation in each.kinds.operations.items():
            if isinstance(operation, Primitive) and _counts(each, statement, operation):
                rule = operation.rule
                key = rule.file, rule.line, rule.called
                if key not in found:
                    found[key] = Used(
                        rule.called, rule.place, _text(rule), _gives(rule), frozenset()
                    )
                found[key].lines |= _lines(each, statement)
    return list(found.values())


def _counts(facts: analysis.Facts, statement: gast.stmt, operation: Primitive) -> bool:
    """Whether the derivative of the statement is asked for."""
    point = facts.graph.first.get(statement)
    if point is None or not operation.flows:
        return False
    after = facts.activity.after(point)
    return not after.isdisjoint(_bound(statement))


def _bound(statement: gast.stmt) -> set[str]:
    from tangentlite import syntax

    named = syntax.stores(statement)
    return named or {n.id for n in syntax.walk(statement) if isinstance(n, gast.Name)}


def _lines(facts: analysis.Facts, statement: gast.stmt) -> Lines:
    source = facts.normal.sources.get(statement)
    if source is None:
        return behind(statement)
    return facts.normal.function.origin.lines_of(source)


def _text(rule: Rule) -> str:
    """The rule as it stands in its file."""
    sources = [s for s in (rule.backward, rule.forward) if s is not None]
    parts = []
    for source in {id(s.tree): s for s in sources}.values():
        first = min([source.tree.lineno, *(d.lineno for d in source.tree.decorator_list)])
        last = source.tree.end_lineno or first
        parts.append("\n".join(line.rstrip("\n") for line in source.text[first - 1 : last]))
    return "\n\n".join(parts)


def _gives(rule: Rule) -> str:
    try:
        return expand(rule)
    except (DerivativeError, TypeError, ValueError, KeyError):
        return ""  # what it gives depends on its arguments
