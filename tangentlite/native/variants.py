"""Helpers that are called in several ways are compiled for each: what is known of arguments is known inside.

In: the tree of a kernel, its namespace.
Out: the tree with names of their own for unlike calls, and what these mean.
Next: workshop.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable
from types import CellType, FunctionType
from typing import Any

from tangentlite.ir import Namespace
from tangentlite.native.facts.known import is_helper
from tangentlite.native.kernel import meaning_in
from tangentlite.native.memory.spent import spent_record, take
from tangentlite.native.passing import in_parts, unpacked

Text = tuple[ast.FunctionDef, Namespace]


class Variants:
    """``texts``: those of helpers, to which those of variants are added."""

    def __init__(self, texts: dict[FunctionType, Text]) -> None:
        self._texts = texts
        self._made: dict[Any, FunctionType] = {}
        self._origins: dict[FunctionType, FunctionType] = {}

    def origin(self, function: FunctionType) -> FunctionType:
        """The helper that a function is a variant of, or is."""
        return self._origins.get(function, function)

    def by_record(
        self, tree: ast.FunctionDef, space: Namespace, text: Callable[[FunctionType], Text]
    ) -> Namespace:
        """Calls that give up their record go to helpers that copy nothing."""
        meaning = meaning_in(space)

        def way(call: ast.Call, function: FunctionType) -> Any:
            found = [spent_record(arg, meaning) for arg in call.args]
            return tuple(k for k, f in enumerate(found) if f is not None and f[1] is None)

        def write(function: FunctionType, places: Any) -> Text:
            written, around = text(function)
            written = copy.deepcopy(written)
            for place in places:
                param = written.args.args[place].arg
                take(written, param, (ast.Name(param, ast.Load()), None), meaning_in(around))
            return written, around

        return self._apart(tree, space, way, write, ())

    def by_parts(
        self, tree: ast.FunctionDef, space: Namespace, text: Callable[[FunctionType], Text]
    ) -> Namespace:
        """Helpers that do nothing with a tuple but take it apart are given its parts: arrays apart stay apart."""

        calls: list[tuple[ast.Call, list[int]]] = []

        def way(call: ast.Call, function: FunctionType) -> Any:
            known = unpacked(text(function)[0])
            places = [
                k
                for k, arg in enumerate(call.args)
                if isinstance(arg, ast.Tuple) and known.get(k) == len(arg.elts)
            ]
            if places:
                calls.append((call, places))
            return ("parts", *places) if places else ()

        def write(function: FunctionType, way: Any) -> Text:
            written, around = text(function)
            return in_parts(copy.deepcopy(written), way[1:]), around

        space = self._apart(tree, space, way, write, ())
        for call, places in calls:
            whole = {id(call.args[k]) for k in places}
            parts = (getattr(a, "elts", [a]) if id(a) in whole else [a] for a in call.args)
            call.args = [part for several in parts for part in several]
        return space

    def by_use(self, tree: ast.FunctionDef, space: Namespace, names: Any) -> Namespace:
        """Calls with other arguments than the first one of a helper go to variants of it."""

        def way(call: ast.Call, function: FunctionType) -> Any:
            return tuple(map(names.known, call.args)), names.apart(call.args)

        return self._apart(tree, space, way, lambda f, way: self._texts[f], None)

    def _apart(
        self,
        tree: ast.FunctionDef,
        space: Namespace,
        way: Callable[[ast.Call, FunctionType], Any],
        write: Callable[[FunctionType, Any], Text],
        usual: Any,
    ) -> Namespace:
        """``usual``: the way of the helper itself; None: that of its first call."""
        meaning, taken = meaning_in(space), _names(tree)
        first: dict[FunctionType, Any] = {}
        cells: dict[str, CellType] = {}
        named: dict[FunctionType, str] = {}
        for call in [n for n in ast.walk(tree) if isinstance(n, ast.Call) and not n.keywords]:
            function = meaning(call.func)
            if not is_helper(function):
                continue
            found = way(call, function)
            if found == (first.setdefault(function, found) if usual is None else usual):
                continue
            other = self._variant(function, found, write)
            if other not in named:
                named[other] = _fresh(ast.unparse(call.func), taken, space)
                taken.add(named[other])
                cells[named[other]] = CellType(other)
            call.func = ast.Name(named[other], ast.Load())
        ast.fix_missing_locations(tree)
        return space.extended(cells) if cells else space

    def _variant(self, function: FunctionType, way: Any, write: Any) -> FunctionType:
        key = function, way
        if key not in self._made:
            code, scope, name = function.__code__, function.__globals__, function.__name__
            other = FunctionType(code, scope, name, function.__defaults__, function.__closure__)
            other.__kwdefaults__ = function.__kwdefaults__
            self._made[key] = other
            self._origins[other] = self.origin(function)
            self._texts[other] = write(function, way)
        return self._made[key]


def _names(tree: ast.FunctionDef) -> set[str]:
    found = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}
    return found | {a.arg for a in tree.args.args}


def _fresh(name: str, taken: set[str], space: Namespace) -> str:
    name = name.replace(".", "_")
    found, count = name, 2
    while found in taken or space.binds(found):
        found, count = f"{name}_{count}", count + 1
    return found
