"""How many trips loops inside each other have together, worked out before the first begins.

In: the loops.
Out: statements, and the text of the number.
Next: rowwise.
"""

from __future__ import annotations

import ast
import copy
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from tangentlite.native.facts.names import loads, stores
from tangentlite.native.looping.nests import indented

BUILTIN = {"max", "np"}
PLAIN = (ast.BinOp, ast.UnaryOp, ast.Name, ast.operator, ast.unaryop, ast.expr_context)


def trips(
    loops: Sequence[ast.For],
    before: set[str],
    fresh: Callable[[str], str],
    ranks: Mapping[str, int],
) -> tuple[list[ast.stmt], str] | None:
    """``before``: names that have values by then, and keep them; None if the trips are not known.

    Those of a loop over numbers that depend on a loop round it are counted.

    >>> def shown(text):
    ...     (outer,) = ast.parse(text).body
    ...     lines, whole = trips([outer, outer.body[0]], {"n", "m"}, lambda wish: "_" + wish, {})
    ...     print(*map(ast.unparse, lines), whole, sep="\\n")
    >>> shown("for i in range(n):\\n    for j in range(2, m): pass")
    max(n, 0) * max(m - 2, 0)
    >>> shown("for i in range(n):\\n    for j in range(i + 1, n): pass")
    _trips = 0
    for _i in range(n):
        _trips += max(n - (_i + 1), 0)
    _trips
    """
    times, names = Counter(stores(loops[:1])), dict[str, str]()
    said = [_Said(_made(loops[: k + 1], times, ranks), ranks) for k in range(len(loops))]
    heads = [one.visit(copy.deepcopy(loop.iter)) for one, loop in zip(said, loops)]
    counts = [found for head in heads if (found := _count(head)) is not None]
    if len(counts) < len(loops):
        return None
    if all(set(loads(count)) <= before | BUILTIN for count in counts):
        return [], " * ".join(map(_trips, counts))
    for loop, count in zip(loops, counts):
        if not set(loads(count)) <= before | BUILTIN | names.keys():
            return None
        if loop is not loops[-1]:
            if not isinstance(loop.target, ast.Name) or times[loop.target.id] != 1:
                return None
            names[loop.target.id] = fresh(loop.target.id.strip("_") or "i")
    whole = fresh("trips")
    return _nest(whole, list(zip(loops[:-1], heads)), counts[-1], names), whole


def _nest(
    whole: str, outer: list[tuple[ast.For, ast.expr]], count: ast.expr, names: Mapping[str, str]
) -> list[ast.stmt]:
    """Loops that add up the trips of the last one; ``names``: those that the numbers have here."""
    nest = f"{whole} += {_trips(count)}"
    for loop, head in reversed(outer):
        nest = f"for {ast.unparse(loop.target)} in {ast.unparse(head)}:\n{indented([nest])}"
    lines = ast.parse(f"{whole} = 0\n{nest}").body
    for node in (n for line in lines for n in ast.walk(line) if isinstance(n, ast.Name)):
        node.id = names.get(node.id, node.id)
    return lines


def _made(
    loops: Sequence[ast.For], times: Counter[str], ranks: Mapping[str, int]
) -> dict[str, ast.expr]:
    """Names that a trip binds once, before it comes to the last of the loops, and of what numbers they are made."""
    found: dict[str, ast.expr] = {}
    said = _Said(found, ranks)
    for loop, inner in pairwise(loops):
        for statement in loop.body[: loop.body.index(inner)]:
            match statement:
                case ast.Assign(targets=[ast.Name(id=name)], value=value) if times[name] == 1:
                    if all(map(_is_plain, ast.walk(value))):
                        found[name] = said.visit(copy.deepcopy(value))
    return found


def _is_plain(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Name(id="len"), args=[ast.Name()], keywords=[]):
            return True
        case ast.Constant(value=value):
            return type(value) is int
    return isinstance(node, PLAIN)


class _Said(ast.NodeTransformer):
    """Names as what they are made of, and lengths of arrays."""

    def __init__(self, made: dict[str, ast.expr], ranks: Mapping[str, int]) -> None:
        self._made, self._ranks = made, ranks

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """``n - 1`` for ``m``."""
        return copy.deepcopy(self._made.get(node.id, node))

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """``x.shape[0]`` for ``len(x)``."""
        self.generic_visit(node)
        match node:
            case ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=name)]) if (
                self._ranks.get(name, 0) > 0
            ):
                return ast.parse(f"{name}.shape[0]", mode="eval").body
        return node


def _count(head: ast.expr) -> ast.expr | None:
    """How many numbers there are in a range, if that is not negative."""
    match head:
        case ast.Call(func=ast.Name(id="range"), args=[high], keywords=[]):
            return high
        case ast.Call(func=ast.Name(id="range"), args=[low, high], keywords=[]):
            return ast.BinOp(high, ast.Sub(), low)
        case ast.Call(func=ast.Name(id="range"), args=[high, low, step], keywords=[]):
            return ast.BinOp(high, ast.Sub(), low) if ast.unparse(step) == "-1" else None
    return None


def _trips(count: ast.expr) -> str:
    text = ast.unparse(count)
    return text if text.isdigit() else f"max({text}, 0)"
