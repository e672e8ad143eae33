"""How long the axes of arrays are, said by the arguments of the kernel, so that equal lengths have equal texts.

In: a kernel, what is known of its names.
Out: ``Lengths``.
Next: loops.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from tangentlite import runtime
from tangentlite.native.known import OVERS
from tangentlite.native.ranks import Names


class Lengths:
    """Of names that are bound once, to arrays as long as arguments tell that are never bound again."""

    def __init__(
        self, tree: ast.FunctionDef, names: Names, meaning: Callable[[ast.expr], Any]
    ) -> None:
        times, params = Counter(bindings(tree.body)), [a.arg for a in tree.args.args]
        self._names, self._meaning = names, meaning
        self._still = {n for n in params if not times[n]}
        self._once = {n for n, count in times.items() if count == 1 and n not in params}
        self._known: dict[str, tuple[str, ...]] = {}

    def of(self, name: str, axis: int) -> str:
        """The text of a length."""
        known = self._known.get(name)
        return known[axis] if known is not None else f"{name}.shape[{axis}]"

    def learn(self, statement: ast.stmt, counts: tuple[str, ...]) -> None:
        """Take in a statement; ``counts`` are the lengths of its loops, if it becomes one."""
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name in self._once:
                counts = counts or self._copied(value)
                trees = (node for count in counts for node in ast.walk(ast.parse(count)))
                named = {node.id for node in trees if isinstance(node, ast.Name)}
                if counts and named <= self._still | {"max"}:
                    self._known[name] = counts

    def _copied(self, value: ast.expr) -> tuple[str, ...]:
        """The lengths of an array that is made like another."""
        match value:
            case ast.Call(
                func=ast.Name(id=over),
                args=[ast.Name(id=name) as whole, axis, ast.Constant(value=True)],
            ) if over in OVERS:
                rank = self._names.rank(whole) or 0
                axes = _axes(axis, rank) if rank else set()
                return tuple("1" if k in axes else self.of(name, k) for k in range(rank))
            case ast.Call(args=[ast.Attribute(value=ast.Name(id=name), attr="shape")]):
                pass
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="copy"), args=[]):
                pass
            case ast.Call(func=func, args=[ast.Name(id=name)]) if self._meaning(func) in (
                runtime.zeros,
                runtime.storage,
            ):
                pass
            case _:
                return ()
        return tuple(self.of(name, k) for k in range(self._names.rank(value) or 0))


def _axes(axis: ast.expr, rank: int) -> set[int]:
    """The axes of a reduction, which are written down."""
    found = ast.literal_eval(axis)
    if found is None:
        return set(range(rank))
    return {k % rank for k in ([found] if isinstance(found, int) else found)}


def bindings(body: list[ast.stmt]) -> Iterator[str]:
    """The names that statements bind, once for each place; what is written in place is not bound."""
    for node in (n for statement in body for n in ast.walk(statement)):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                if not _is_sum(value, name):
                    yield name
            case ast.Assign(targets=targets):
                yield from _stores(targets)
            case ast.For(target=target):
                yield from _stores([target])


def _stores(targets: list[ast.expr]) -> Iterator[str]:
    for node in (n for target in targets for n in ast.walk(target)):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


def _is_sum(value: ast.expr, name: str) -> bool:
    """Whether a value is ``rt.summed(ba, e, a)``, which is ``ba``."""
    match value:
        case ast.Call(func=ast.Attribute(attr="summed"), args=[ast.Name(id=first), *_]):
            return first == name
    return False
