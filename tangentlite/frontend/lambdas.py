"""Which of the lambdas on a line is the one at hand.

In: the tree of a file and a code object.
Out: the ``Candidate`` whose code it is.
Next: source.
"""

from __future__ import annotations

import ast
from types import CodeType
from typing import Any

import gast

from tangentlite import syntax
from tangentlite.frontend import codes
from tangentlite.values import immutable

Span = tuple[tuple[int, int], tuple[int, int]]


@immutable(eq=False)
class Candidate:
    """A lambda, and the name it is assigned to, if any."""

    node: gast.Lambda
    name: str | None


def parameters(args: gast.arguments) -> tuple[str, ...]:
    """Parameter names in the order of ``co_varnames``."""
    named = [*args.posonlyargs, *args.args, *args.kwonlyargs, args.vararg, args.kwarg]
    return tuple(arg.id for arg in named if arg is not None)


def on_line(tree: gast.Module, line: int) -> list[Candidate]:
    """The lambdas that begin on ``line``, outermost first."""
    found: list[Candidate] = []
    named: dict[gast.Lambda, str] = {}
    for node in syntax.walk(tree):
        match node:
            case gast.Assign(targets=[gast.Name(id=name)], value=gast.Lambda() as value):
                named[value] = name
            case gast.Lambda(lineno=row) if row == line:
                found.append(Candidate(node, named.get(node)))
    return found


def choose(found: list[Candidate], code: CodeType) -> list[Candidate]:
    """Those of ``found`` that ``code`` can belong to: by position, else by comparing bytecode."""
    span = _span(code)
    if span is not None:
        around = [c for c in found if _within(span, _body_span(c.node))]
        return around[-1:]
    return [c for c in found if compiles_to(c.node, code)]


def _span(code: CodeType) -> Span | None:
    """From where to where the instructions of ``code`` stand (known from Python 3.11 on)."""
    positions = getattr(code, "co_positions", None)
    if positions is None:
        return None
    known = [p for p in positions() if None not in p and p[2:] != (0, 0)]
    if not known:
        return None
    return min((p[0], p[2]) for p in known), max((p[1], p[3]) for p in known)


def _body_span(node: gast.Lambda) -> Span:
    body = node.body
    return (body.lineno, body.col_offset), (body.end_lineno, body.end_col_offset)


def _within(inner: Span, outer: Span) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def compiles_to(node: gast.Lambda, code: CodeType) -> bool:
    """Whether ``node``, compiled with the free variables of ``code``, gives ``code``."""
    captured = ", ".join(code.co_freevars)
    wrapper = syntax.quote(f"def wrapper({captured}):\n    return body", body=node)
    tree: Any = syntax.to_ast(wrapper[0])
    module = ast.Module([tree], [])
    return codes.compiles_to(ast.fix_missing_locations(module), code)
