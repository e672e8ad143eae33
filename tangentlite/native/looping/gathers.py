"""Loops that add to one array, as one loop over its elements: each gets at once all that is added to it.

In: such loops.
Out: statements.
Next: rows, loops.

Of the elements at either end, to which not every loop adds, each has lines of its own.
"""

from __future__ import annotations

import ast
import re

from tangentlite.native.looping.nests import Loop, indented, worked_out

EDGE = 3  # so many elements at either end have lines of their own
SUM, ADDED = "_sum", re.compile(r"^.*?\](?= [-+*]= )")


def gathered(loops: list[Loop], variables: tuple[str, ...]) -> list[ast.stmt]:
    """One loop over the elements of an array to which several loops add: each gets all that is added to it at once.

    >>> first = Loop(("n",), [], ["b[_0 + 1] += t[_0]"], added=("b", "b[_j]", 1))
    >>> second = Loop(("n",), [], ["b[_0] += t[_0]"], added=("b", "b[_j]", 0))
    >>> print(ast.unparse(gathered([first, second], ("_0",))[0]))
    if 1 <= n:
        b[0] += t[0]
        for _j in range(n - 1):
            _sum = b[_j + 1]
            _sum += t[_j]
            _sum += t[_j + 1]
            b[_j + 1] = _sum
        b[n] += t[n - 1]
    """
    *lead, last = variables
    *outer, count = loops[0].counts
    (count,), before = worked_out((count,), "_n")
    body = gathering(loops, last, count)
    whole = Loop(tuple(outer), [*loops[0].before, *before], body, loops[0].checks)
    return whole.statements(tuple(lead))


def gathering(loops: list[Loop], last: str, count: str) -> list[str]:
    """What a row of such a loop does: ``count`` is the length of what is added, ``last`` its index."""
    offsets = [loop.added[2] for loop in loops if loop.added is not None]
    pairs = [(loop, offset) for loop, offset in zip(loops, offsets)]
    low, high = min(offsets), max(offsets)
    _, whole, _ = loops[0].added or ("", "", 0)

    def added(at: str, chosen: list[tuple[Loop, int]]) -> list[str]:
        """What comes to the element at a place."""
        return [placed(line, last, f"{at} - {k}") for loop, k in chosen for line in loop.body]

    plain = [ADDED.sub(SUM, line) for line in added(f"_j + {high}", pairs)]
    place = placed(whole, "_j", f"_j + {high}")
    middle = f"for _j in range({plus(count, low - high)}):\n"
    middle += indented([f"{SUM} = {place}", *plain, f"{place} = {SUM}"])
    if low == high:
        return [middle]
    guarded = [
        f"if 0 <= {plus('_j', -k)} < {count}:\n{indented(added('_j', [(loop, k)]))}"
        for loop, k in pairs
    ]
    if high - low > EDGE:
        ends = plus(count, low), plus(count, high)
        behind = _walk(f"max({ends[0]}, {high})", ends[1], guarded)
        return [_walk(low, high, guarded), middle, behind]
    first = [
        line for j in range(low, high) for line in added(str(j), [p for p in pairs if p[1] <= j])
    ]
    rest = [
        line
        for j in range(low, high)
        for line in added(f"({count} + {j})", [p for p in pairs if p[1] > j])
    ]
    most = f"if {high - low} <= {count}:\n{indented([*first, middle, *rest])}"
    if high - low == 1:
        return [most]
    short = _walk(low, plus(count, high), guarded)
    return [f"{most}\nelse:\n{indented([short])}"]


def _walk(low: int | str, high: int | str, lines: list[str]) -> str:
    return f"for _j in range({low}, {high}):\n{indented(lines)}"


def plus(text: str, more: int) -> str:
    """What is so much more.

    >>> plus("n", 0), plus("n", -1), plus("3", 2)
    ('n', 'n - 1', '5')
    """
    if text.isdigit():
        return str(int(text) + more)
    return f"{text} + {more}" if more > 0 else f"{text} - {-more}" if more else text


def placed(line: str, variable: str, at: str) -> str:
    """A line with a place for a variable.

    >>> placed("b[_0, _1 + 2] += t[2 * _1 + 1]", "_1", "_j - 2"), placed("b[_0] += t[_0 + 1]", "_0", "(n + 1) - 2")
    ('b[_0, _j] += t[2 * (_j - 2) + 1]', 'b[n - 1] += t[n]')
    """
    tree = _Placed(variable, ast.parse(at, mode="eval").body).visit(ast.parse(line))
    return ast.unparse(tree)


class _Placed(ast.NodeTransformer):
    def __init__(self, variable: str, at: ast.expr) -> None:
        self._variable, self._at = variable, _folded(at)

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self._at if node.id == self._variable else node

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        """Numbers that are added to the place are one number."""
        named = any(isinstance(n, ast.Name) and n.id == self._variable for n in ast.walk(node))
        self.generic_visit(node)
        return _folded(node) if named else node


def _folded(node: ast.expr) -> ast.expr:
    base, more = _linear(node)
    if base is node:
        return node
    text = str(more) if base is None else plus(ast.unparse(base), more)
    return ast.parse(text, mode="eval").body


def _linear(node: ast.expr) -> tuple[ast.expr | None, int]:
    """A name, if there is one, and the whole number that is added to it."""
    match node:
        case ast.Constant(value=int(value)) if type(value) is int:
            return None, value
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as op, right=right):
            (base, more), (other, last) = _linear(left), _linear(right)
            plain = (base is None or isinstance(base, ast.Name)) and other is None
            if plain:
                return base, more + (last if isinstance(op, ast.Add) else -last)
    return node, 0
