"""A loop with one loop inside: what is the same at every trip, what comes before the inner loop and behind it.

In: a statement of a kernel.
Out: ``Nest``.
Next: interchange.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from tangentlite.native.facts.names import bound, loads, stores
from tangentlite.native.looping.access import SPAN
from tangentlite.values import field, mutable

FIXED_CALLS = {SPAN, "max", "min", "len", "abs"}
BEGIN = re.compile(r"_a\d+")
SIMPLE = (ast.Assign, ast.AugAssign)


@mutable
class Nest:
    """``j`` is the target of the outer loop, ``k`` that of the inner one; ``fixed`` is the same at every trip."""

    j: str
    outer: ast.For
    k: str
    inner: ast.For
    before: list[ast.stmt]
    behind: list[ast.stmt]
    fixed: list[ast.stmt] = field(default_factory=list)

    @property
    def moving(self) -> list[ast.stmt]:
        """What is not the same at every trip."""
        return [*self.before, *self.inner.body, *self.behind]

    def settle(self) -> None:
        """Find what is the same at every trip."""
        bound_here = Counter(n for s in self.outer.body for n in stores([s]))
        changed = {self.j, self.k, *bound_here, *written(self.outer.body)}
        for statement in list(self.before):
            made = set(stores([statement]))
            if _is_fixed(statement) and changed.isdisjoint(read(statement)):
                if all(bound_here[n] == 1 for n in made):
                    self.before.remove(statement)
                    self.fixed.append(statement)
                    changed -= made


def nest_of(statement: ast.stmt) -> Nest | None:
    """The nest that a statement is; None for others."""
    match statement:
        case ast.For(target=ast.Name(id=j), body=body, orelse=[]):
            pass
        case _:
            return None
    inner = [s for s in body if isinstance(s, ast.For)]
    plain = all(isinstance(s, SIMPLE) for s in _within(inner))
    if len(inner) != 1 or not plain or not isinstance(inner[0].target, ast.Name):
        return None
    place = body.index(inner[0])
    nest = Nest(j, statement, inner[0].target.id, inner[0], body[:place], body[place + 1 :])
    nest.settle()
    return nest if all(isinstance(s, SIMPLE) for s in nest.moving) else None


def _within(loops: list[ast.For]) -> list[ast.stmt]:
    return [s for loop in loops for s in loop.body]


def _is_fixed(statement: ast.stmt) -> bool:
    """Whether a statement works out numbers or compares them, and nothing else."""
    calls = [n for n in ast.walk(statement) if isinstance(n, ast.Call)]
    match statement:
        case ast.If(test=test, body=[ast.Raise()], orelse=[]):
            return not any(isinstance(n, ast.Call) for n in ast.walk(test))
        case ast.Assign(targets=[ast.Name() | ast.Tuple()]):
            return all(isinstance(c.func, ast.Name) and c.func.id in FIXED_CALLS for c in calls)
    return False


def read(statement: ast.AST) -> Iterator[str]:
    """The names that are read, besides those of arrays of which the lengths are asked."""
    shapes = {
        id(n.value)
        for n in ast.walk(statement)
        if isinstance(n, ast.Attribute) and n.attr == "shape"
    }
    for node in ast.walk(statement):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and id(node) not in shapes:
            yield node.id


def written(body: Sequence[ast.stmt]) -> set[str]:
    """The arrays of which statements write elements."""
    nodes = (n for s in body for n in ast.walk(s))
    subscripts = (n for n in nodes if isinstance(n, ast.Subscript))
    return {n for s in subscripts if isinstance(s.ctx, ast.Store) for n in loads(s.value)}


def trips(loop: ast.For) -> tuple[str, str, str] | None:
    """The lowest number of a loop over a range, the one behind the highest, and what tells that there is a trip.

    >>> loops = ast.parse("for i in range(n): pass\\nfor i in range(n - 1, -1, -1): pass").body
    >>> [trips(loop) for loop in loops]
    [('0', 'n', '0 < n'), ('0', 'n - 1 + 1', '-1 < n - 1')]
    """
    match loop.iter:
        case ast.Call(func=ast.Name(id="range"), args=[high], keywords=[]):
            return "0", ast.unparse(high), f"0 < {ast.unparse(high)}"
        case ast.Call(func=ast.Name(id="range"), args=[low, high], keywords=[]):
            return ast.unparse(low), ast.unparse(high), f"{ast.unparse(low)} < {ast.unparse(high)}"
        case ast.Call(func=ast.Name(id="range"), args=[high, low, step], keywords=[]):
            first, last = ast.unparse(low), ast.unparse(high)
            if ast.unparse(step) == "-1":
                lowest = "0" if first == "-1" else f"{first} + 1"
                return lowest, f"{last} + 1", f"{first} < {last}"
    return None


def counted(statement: ast.stmt, known: frozenset[str]) -> frozenset[str]:
    """The target of a loop, if it is not negative; ``known`` are names that are not."""
    if not isinstance(statement, ast.For) or not isinstance(statement.target, ast.Name):
        return frozenset()
    found = trips(statement)
    if found is None:
        return frozenset()
    low = ast.parse(found[0], mode="eval").body
    return frozenset(bound(statement)) if is_counted(low, known) else frozenset()


def is_counted(node: ast.expr, known: frozenset[str]) -> bool:
    """Whether a whole number is surely not negative; those that kernels have for where slices begin are not."""
    match node:
        case ast.Constant(value=int(value)):
            return value >= 0
        case ast.Name(id=name):
            return name in known or BEGIN.fullmatch(name) is not None
        case ast.Call(func=ast.Attribute(attr="uintp"), args=[place]):
            return not any(isinstance(n, ast.Call) for n in ast.walk(place))
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return is_counted(left, known) and is_counted(right, known)
    return False
