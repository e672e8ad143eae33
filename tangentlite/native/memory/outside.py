"""What helpers read from outside comes to them as arguments: Numba would keep the values that it found.

In: the tree of a kernel or of a helper, its namespace.
Out: the same tree with more parameters, and calls that give all arguments in their order.
Next: workshop.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from types import CellType, FunctionType
from typing import Any

import numpy as np

from tangentlite.ir import Namespace
from tangentlite.native.facts.known import is_helper
from tangentlite.native.kernel import free_names, meaning_in
from tangentlite.values import immutable

NUMBERS = (int, float, bool, np.floating, np.integer)
HOLDER = "_outside"
Text = Callable[[FunctionType], tuple[ast.FunctionDef, Namespace]]
Key = tuple[int, str]


@immutable(eq=False)
class Place:
    """Where a value is found whenever a kernel is called: in a table of globals, or in a cell."""

    holder: dict[str, Any] | CellType
    name: str

    @property
    def key(self) -> Key:
        """The same for the same place."""
        return id(self.holder), self.name if isinstance(self.holder, dict) else ""

    def now(self) -> Any:
        """The value."""
        return (
            self.holder[self.name] if isinstance(self.holder, dict) else self.holder.cell_contents
        )

    def text(self, holder: str) -> str:
        """How it is read, where the table or the cell has a name."""
        table = isinstance(self.holder, dict)
        return f"{holder}[{self.name!r}]" if table else f"{holder}.cell_contents"


class Outside:
    """``text`` gives the text of a helper as it is written."""

    def __init__(self, text: Text) -> None:
        self._text = text
        self._read: dict[FunctionType, dict[Key, Place]] = {}

    def read_by(self, function: FunctionType) -> dict[Key, Place]:
        """The places of numbers that a helper reads, or one that it calls."""
        if function not in self._read:
            self._read[function] = {}  # of one that calls itself
            tree, space = self._text(function)
            found = {place.key: place for place in _own(tree, space)}
            for callee in _callees(tree, space):
                found |= self.read_by(callee)
            self._read[function] = found
        return self._read[function]

    def helper(self, function: FunctionType) -> tuple[ast.FunctionDef, Namespace]:
        """The text of a helper that takes what it reads."""
        tree, space = self._text(function)
        tree = copy.deepcopy(tree)
        own = {place.key: place.name for place in _own(tree, space)}
        self._close(tree, space, {**self.read_by(function)}, own)
        return tree, space

    def kernel(self, tree: ast.FunctionDef, space: Namespace) -> dict[str, Place]:
        """The parameters that a kernel takes besides, which are added to its tree."""
        found: dict[Key, Place] = {}
        for callee in _callees(tree, space):
            found |= self.read_by(callee)
        return self._close(tree, space, found, {})

    def _close(
        self, tree: ast.FunctionDef, space: Namespace, found: dict[Key, Place], own: dict[Key, str]
    ) -> dict[str, Place]:
        taken = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}
        taken |= {a.arg for a in tree.args.args}
        names = dict(own)
        for key, place in found.items():
            if key not in names:
                names[key] = _fresh(place.name, taken)
                taken.add(names[key])
        tree.args.args += [ast.arg(names[key], None) for key in found]
        meaning = meaning_in(space)
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and is_helper(meaning(node.func)):
                self._give(node, meaning(node.func), names)
        ast.fix_missing_locations(tree)
        return {names[key]: place for key, place in found.items()}

    def _give(self, call: ast.Call, function: FunctionType, names: dict[Key, str]) -> None:
        """What the helper reads comes behind its arguments, which are all there, in their order."""
        count = len(self._text(function)[0].args.args)
        seen = not call.keywords and not any(isinstance(a, ast.Starred) for a in call.args)
        if seen and len(call.args) == count:
            call.args += [ast.Name(names[key], ast.Load()) for key in self.read_by(function)]


def _own(tree: ast.FunctionDef, space: Namespace) -> Iterator[Place]:
    """The places of the numbers that a text itself reads."""
    for name in sorted(free_names(tree)):
        held = space.cells.get(name, space.globals if name in space.globals else None)
        if held is not None and space.binds(name) and isinstance(space.lookup(name), NUMBERS):
            yield Place(held, name)


def _callees(tree: ast.FunctionDef, space: Namespace) -> Iterator[FunctionType]:
    meaning = meaning_in(space)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            meant = meaning(node.func)
            if isinstance(meant, FunctionType) and is_helper(meant):
                yield meant


def _fresh(name: str, taken: set[str]) -> str:
    found, count = name, 2
    while found in taken:
        found, count = f"{name}_{count}", count + 1
    return found


def lines(found: dict[str, Place]) -> tuple[list[ast.stmt], dict[str, CellType]]:
    """The statements that read what a kernel takes besides, and what the names in them mean."""
    holders: dict[int, str] = {}
    cells: dict[str, CellType] = {}
    made: list[ast.stmt] = []
    for name, place in found.items():
        holder = holders.setdefault(id(place.holder), f"{HOLDER}{len(holders) + 1}")
        cells[holder] = CellType(place.holder)
        made += ast.parse(f"{name} = {place.text(holder)}").body
    return made, cells
