"""Loops in the order of memory: the one that walks the last axis of arrays becomes the inner one.

In: the statements of a kernel, what is known of its names.
Out: statements.
Next: registers.

``for j: …; for k: …; …`` becomes three loops, the middle one ``for k: for j: …``; numbers that one part of a trip
leaves to the next get an array. Two accesses to an element that is written must share the index that ``j`` walks, so
that they meet in one trip and in the order that they had, or be one sum along ``j``.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

from tangentlite.native.facts.names import loads, rebuild, stores
from tangentlite.native.looping.nesting import (
    Nest,
    counted as counted_by,
    is_counted,
    nest_of,
    read,
    trips,
    written,
)
from tangentlite.native.looping.turning import turned

STRIDED = 4  # what an access costs that is not beside the one before it


class Interchanger:
    """``names`` tells which arrays hold floats, and which may share memory; ``fresh`` gives names."""

    def __init__(
        self,
        tree: ast.FunctionDef,
        names: Any,
        is_known: Callable[[list[ast.stmt]], bool],
        fresh: Callable[[str], str],
    ) -> None:
        self._names, self._is_known, self._fresh = names, is_known, fresh
        self._loads = Counter(n for s in tree.body for n in loads(s))
        self._stores = Counter(stores(tree.body))

    def block(self, body: list[ast.stmt], counted: frozenset[str] = frozenset()) -> list[ast.stmt]:
        """The statements, with loops in another order where that is worth it; ``counted`` are not negative.

        >>> text = "for j in range(n):\\n    t = x[j]\\n    for k in range(m):\\n        y[k] += a[k, j] * t"
        >>> tree = ast.parse("def f(a, x, y, n, m):\\n    " + text.replace("\\n", "\\n    ")).body[0]
        >>> names = type("Names", (), {"meet": lambda self, a, b: a == b, "add_array": lambda self, n, k: None})()
        >>> names.ranks, names.floats = {"a": 2, "x": 1, "y": 1}, set("axyt")
        >>> changer = Interchanger(tree, names, lambda body: True, lambda wish: "_o1")
        >>> print("\\n".join(map(ast.unparse, changer.block(tree.body))))
        if 0 < n:
            _o1 = np.empty(n)
            for j in range(n):
                _o1[j] = x[j]
            for k in range(m):
                for j in range(n):
                    y[k] = _added(y[k], a[k, j] * _o1[j])
        """
        done: list[ast.stmt] = []
        for statement in body:
            found = counted_by(statement, counted)
            within = counted | {n for n in found if self._stores[n] == 1}
            nest = nest_of(statement)
            carried = self._carried(nest, within) if nest is not None else None
            if nest is not None and carried is not None and self._pays(nest, carried):
                done += turned(nest, self._arrays(carried))
                continue
            rebuild(statement, partial(self.block, counted=within))
            done.append(statement)
        return done

    def _carried(self, nest: Nest, counted: frozenset[str]) -> set[str] | None:
        """The numbers that get an array; None if the loops must stay as they are."""
        made = {n for s in nest.outer.body for n in stores([s])}
        moved = {n for s in nest.moving for n in stores([s])} | {nest.j}
        if trips(nest.outer) is None or nest.j not in counted or not self._is_plain(nest):
            return None
        if not made.isdisjoint(read(nest.outer.iter)) or not moved.isdisjoint(
            read(nest.inner.iter)
        ):
            return None
        if not self._meet_in_order(nest, counted - moved):
            return None
        carried = set()
        for name in moved - {nest.j}:
            parts = [name in _named(p) for p in (nest.before, nest.inner.body, nest.behind)]
            part = [nest.before, nest.inner.body, nest.behind][parts.index(True)]
            if not _is_set_first(part, name):
                return None
            if sum(parts) > 1:
                here = sum(n == name for s in nest.outer.body for n in loads(s))
                alone = self._loads[name] == here and name in self._names.floats
                if not (alone and parts[0]):
                    return None
                carried.add(name)
            elif parts[1] and self._loads[name] != sum(n == name for s in part for n in loads(s)):
                return None
        return carried

    def _is_plain(self, nest: Nest) -> bool:
        """Whether arrays are met only element by element."""
        bases = {id(p.value) for p in _places(nest.moving)}
        whole = [n for s in nest.moving for n in ast.walk(s) if isinstance(n, ast.Name)]
        shapes = {n for s in nest.moving for n in loads(s)} - {
            n for s in nest.moving for n in read(s)
        }
        plain = all(
            id(n) in bases or n.id in shapes or self._names.ranks.get(n.id, 0) == 0 for n in whole
        )
        return plain and self._is_known(nest.moving)

    # Order ----------------------------------------------------------------------------------

    def _meet_in_order(self, nest: Nest, counted: frozenset[str]) -> bool:
        arrays = written(nest.moving)
        touched = {n for s in (*nest.fixed, *nest.moving) for n in read(s)} | arrays
        for one in arrays:
            others = (n for n in touched if n != one and self._names.ranks.get(n, 0) != 0)
            if any(self._names.meet(one, other) for other in others):
                return False
            if one not in self._names.floats:
                return False
        places = [p for p in _places(nest.moving) if _array(p) in arrays]
        if any(len(_parts(p)) != self._names.ranks.get(_array(p)) for p in places):
            return False
        return all(
            self._share(nest, a, [p for p in places if _array(p) == a], counted) for a in arrays
        )

    def _share(
        self, nest: Nest, array: str, places: list[ast.Subscript], counted: frozenset[str]
    ) -> bool:
        first = _parts(places[0])
        for axis, part in enumerate(first):
            alike = all(_same(_parts(p)[axis], part) for p in places)
            if alike and _walks(part, nest.j, counted):
                return True
        sums = [s for s in nest.inner.body if isinstance(s, ast.AugAssign) and _is_sum(s, array)]
        alone = len(places) == len(sums) and all(_same(p.slice, places[0].slice) for p in places)
        return alone and nest.j not in loads(places[0].slice)

    def _arrays(self, carried: set[str]) -> dict[str, str]:
        """New names for arrays of the numbers that trips leave."""
        made = {name: self._fresh("o") for name in sorted(carried)}
        for array in made.values():
            self._names.add_array(array, 1)
        return made

    # Gain -----------------------------------------------------------------------------------

    def _pays(self, nest: Nest, carried: set[str]) -> bool:
        found = {ast.unparse(p): p for p in _places(nest.inner.body)}
        now = sum(_cost(p, nest.k) for p in found.values())
        then = sum(_cost(p, nest.j) for p in found.values()) + len(carried)
        return now > 2 * then


def _named(body: list[ast.stmt]) -> set[str]:
    return {n.id for s in body for n in ast.walk(s) if isinstance(n, ast.Name)}


def _is_set_first(body: list[ast.stmt], name: str) -> bool:
    first = next(s for s in body if name in _named([s]))
    return isinstance(first, ast.Assign) and name in stores([first]) and name not in loads(first)


def _places(body: list[ast.stmt]) -> list[ast.Subscript]:
    nodes = (n for s in body for n in ast.walk(s) if isinstance(n, ast.Subscript))
    return [n for n in nodes if isinstance(n.value, ast.Name)]


def _array(place: ast.Subscript) -> str:
    assert isinstance(place.value, ast.Name)
    return place.value.id


def _parts(place: ast.Subscript) -> list[ast.expr]:
    return place.slice.elts if isinstance(place.slice, ast.Tuple) else [place.slice]


def _same(one: ast.expr, other: ast.expr) -> bool:
    return ast.unparse(one) == ast.unparse(other)


def _walks(part: ast.expr, target: str, counted: frozenset[str]) -> bool:
    """Whether an index is another one at every trip: the target, and what is added to it."""
    return list(loads(part)).count(target) == 1 and is_counted(part, counted | {target})


def _is_sum(statement: ast.AugAssign, array: str) -> bool:
    adds = isinstance(statement.op, (ast.Add, ast.Sub)) and isinstance(
        statement.target, ast.Subscript
    )
    return adds and array in loads(statement.target) and array not in loads(statement.value)


def _cost(place: ast.Subscript, target: str) -> int:
    if not (parts := _parts(place)):  # a[()], of no dimension
        return 0
    *lead, last = parts
    if any(target in loads(p) for p in lead):
        return STRIDED
    return int(target in loads(last))
