"""Helpers as part of the kernel that calls them: loops join across calls, lengths are known, and less is compiled.

In: the tree of a kernel, its namespace, the texts of helpers.
Out: the tree with the statements of helpers in place of their calls, a namespace that knows what they read.
Next: opening.
"""

from __future__ import annotations

import ast
import copy
from collections import Counter
from collections.abc import Callable
from types import CellType, FunctionType, ModuleType
from typing import Any

from tangentlite.ir import Namespace
from tangentlite.native.facts.known import ADD_AT, ADDED, AT, OWN, ROLLED, TURN, is_helper
from tangentlite.native.facts.names import blocks, loads, stores
from tangentlite.native.looping.access import SPAN
from tangentlite.native.memory.begun import Begun, begin
from tangentlite.native.memory.spent import spent_record, take

Text = Callable[[FunctionType], tuple[ast.FunctionDef, Namespace]]
Meaning = Callable[[Namespace], Callable[[ast.expr], Any]]
SCOPES = (ast.Lambda, ast.FunctionDef, ast.ListComp, ast.GeneratorExp, ast.SetComp, ast.DictComp)
WORDS = {*OWN, ADD_AT, ADDED, AT, ROLLED, TURN, SPAN}  # they mean the same everywhere
SMALL = 5  # statements of a helper that is put into each of its callers
LARGEST = 1000  # statements of a kernel with all that is put into it


class Inliner:
    """``text`` gives the text of a helper, ``meaning`` what names mean in a namespace."""

    def __init__(self, text: Text, meaning: Meaning) -> None:
        self._text, self._meaning = text, meaning

    def opened(
        self, tree: ast.FunctionDef, space: Namespace, above: tuple[Any, ...] = ()
    ) -> tuple[ast.FunctionDef, Namespace]:
        """A function without calls of helpers that are called in one place, and end in their only ``return``."""
        tree = copy.deepcopy(tree)
        meant = self._meaning(space)
        called = [meant(n.func) for n in ast.walk(tree) if isinstance(n, ast.Call)]
        once = {
            f for f, n in Counter(filter(is_helper, called)).items() if n == 1 or self._is_small(f)
        }
        kernel = _Kernel(tree, space)
        self._block(tree.body, kernel, once - set(above), above)
        return tree, kernel.space

    def _is_small(self, function: Any) -> bool:
        """Whether a helper is no longer than the loops that its calls would keep apart."""
        tree, _ = self._text(function)
        return _size(tree) <= SMALL

    def _block(
        self, body: list[ast.stmt], kernel: _Kernel, once: set[Any], above: tuple[Any, ...]
    ) -> None:
        for statement in list(body):
            for inner in blocks(statement):
                self._block(inner, kernel, once, above)
            match statement:
                case (
                    ast.Assign(targets=[_], value=ast.Call(func=func) as call)
                    | ast.Expr(value=ast.Call(func=func) as call)
                ):
                    function = self._meaning(kernel.space)(func)
                    lines = None
                    if is_helper(function) and not call.keywords:
                        params = [a.arg for a in self._text(function)[0].args.args]
                        kernel.begun.note(statement, call, params)
                    if is_helper(function) and function in once and not call.keywords:
                        lines = self._lines(function, call, statement, kernel, above)
                    if lines is not None:
                        place = body.index(statement)
                        body[place : place + 1] = lines

    def _lines(
        self,
        function: FunctionType,
        call: ast.Call,
        statement: Any,
        kernel: _Kernel,
        above: tuple[Any, ...],
    ) -> list[ast.stmt] | None:
        tree, space = self.opened(*self._text(function), (*above, function))
        params = [a.arg for a in tree.args.args]
        starred = any(isinstance(a, ast.Starred) for a in call.args)
        if starred or len(params) != len(call.args) or not _is_straight(tree):
            return None
        names = kernel.taken_in(tree, space)
        if names is None:
            return None
        lines: list[ast.stmt] = []
        stored = set(stores(tree.body))
        for param, arg in zip(params, call.args):
            record = spent_record(arg, self._meaning(kernel.space))
            if record is not None:
                take(tree, param, record, self._meaning(space))
                arg = record[0]
            if isinstance(arg, ast.Name) and param not in stored:
                names[param] = arg.id
            else:
                lines.append(_assign(names[param], arg))
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Return) else None
        lines += [_Rename(names).visit(s) for s in tree.body]
        given, made = kernel.begun.of(call)
        begin(lines, given, self._meaning(kernel.space), made)
        kernel.begun.keep(statement, tree.body, names)
        if last is not None and isinstance(statement, ast.Assign):
            value = _Rename(names).visit(last).value or ast.Constant(None)
            lines += _given(statement.targets[0], value)
        elif isinstance(statement, ast.Assign):
            lines += _given(statement.targets[0], ast.Constant(None))
        return lines or [ast.Pass()]


class _Kernel:
    """What the names of a kernel mean, and which are taken."""

    def __init__(self, tree: ast.FunctionDef, space: Namespace) -> None:
        self.space = space
        self.begun = Begun(tree)
        self._size = _size(tree)
        self._taken = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}
        self._taken |= {a.arg for a in tree.args.args}
        self._own = set(stores(tree.body)) | {a.arg for a in tree.args.args}

    def taken_in(self, tree: ast.FunctionDef, space: Namespace) -> dict[str, str] | None:
        """The names that those of a helper become; None if it reads values from outside."""
        params = [a.arg for a in tree.args.args]
        local = dict.fromkeys([*params, *stores(tree.body)])
        outside = dict.fromkeys(n for s in tree.body for n in loads(s) if n not in local)
        if self._size + _size(tree) > LARGEST:
            return None
        names, cells = dict[str, str](), dict[str, CellType]()
        for name in outside:
            if name in WORDS:
                continue
            if not space.binds(name):
                return None
            value = space.lookup(name)
            if not (isinstance(value, ModuleType) or callable(value)):
                return None
            known = self.space.binds(name) and self.space.lookup(name) is value
            if name in self._own or not known:
                names[name] = self._fresh(name)
                cells[names[name]] = CellType(value)
        names |= {name: self._fresh(name) for name in local}
        self._own |= {names[name] for name in local}
        self.space = self.space.extended(cells)
        self._size += _size(tree)
        return names

    def _fresh(self, name: str) -> str:
        found, count = name, 2
        while found in self._taken or self.space.binds(found):
            found, count = f"{name}_{count}", count + 1
        self._taken.add(found)
        return found


class _Rename(ast.NodeTransformer):
    def __init__(self, names: dict[str, str]) -> None:
        self._names = names

    def visit_Name(self, node: ast.Name) -> ast.expr:
        node.id = self._names.get(node.id, node.id)
        return node


def _given(target: ast.expr, value: ast.expr) -> list[ast.stmt]:
    """``a, b = x, y`` in two statements: what a helper gives back does not read what its caller binds."""
    match target, value:
        case ast.Tuple(elts=targets), ast.Tuple(elts=values) if len(targets) == len(values):
            named = all(isinstance(t, ast.Name) for t in targets)
            if named and set(stores(targets)).isdisjoint(loads(value)):
                return [
                    _assign(t.id, v) for t, v in zip(targets, values) if isinstance(t, ast.Name)
                ]
    return [ast.copy_location(ast.Assign([target], value, lineno=0), target)]


def _assign(name: str, value: ast.expr) -> ast.stmt:
    return ast.Assign([ast.Name(name, ast.Store())], value, lineno=0)


def _is_straight(tree: ast.FunctionDef) -> bool:
    """Whether a function has no scopes inside, and at most one ``return``, at its end."""
    nodes = [n for s in tree.body for n in ast.walk(s)]
    returns = [n for n in nodes if isinstance(n, ast.Return)]
    return not any(isinstance(n, SCOPES) for n in nodes) and returns in ([], [tree.body[-1]])


def _size(tree: ast.FunctionDef) -> int:
    return sum(isinstance(n, ast.stmt) for n in ast.walk(tree))
