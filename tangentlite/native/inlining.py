"""Helpers as part of the kernel that calls them: loops join across calls, lengths are known, and less is compiled.

In: the tree of a kernel, its namespace, the texts of helpers.
Out: the tree with the statements of helpers in place of their calls, a namespace that knows what they read.
Next: opening.
"""

from __future__ import annotations

import ast
import copy
from collections import Counter
from collections.abc import Callable, Mapping
from types import CellType, FunctionType, ModuleType
from typing import Any

import numpy as np

from tangentlite import runtime
from tangentlite.ir import Namespace
from tangentlite.native.facts.known import (
    ADD_AT,
    ADDED,
    AT,
    EITHER,
    OWN,
    ROLLED,
    SQUEEZED,
    TURN,
    UNSHARED,
    is_helper,
    is_one_of,
)
from tangentlite.native.facts.names import blocks, bound, loads, statements, stores
from tangentlite.native.looping.access import SPAN
from tangentlite.native.memory.begun import Begun, begin
from tangentlite.native.memory.spent import spent_record, take
from tangentlite.native.passing import given_back, parts_apart, passed, without_buffers

Text = Callable[[FunctionType], tuple[ast.FunctionDef, Namespace]]
Meaning = Callable[[Namespace], Callable[[ast.expr], Any]]
SCOPES = (ast.Lambda, ast.FunctionDef, ast.ListComp, ast.GeneratorExp, ast.SetComp, ast.DictComp)
WORDS = {
    *OWN,
    ADD_AT,
    ADDED,
    AT,
    EITHER,
    ROLLED,
    SQUEEZED,
    TURN,
    UNSHARED,
    SPAN,
}  # they mean the same everywhere
ADJOINTS = (np.zeros, np.zeros_like, runtime.zeros, runtime.shadow, runtime.buffer)
SMALL = 5  # statements of a helper that is put into each of its callers
FEW = 50  # statements of all the copies of a helper
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
        times = Counter(filter(is_helper, called))
        once = {f for f, n in times.items() if n == 1 or self._is_small(f, n)}
        kernel = _Kernel(tree, space)
        self._block(tree.body, kernel, once - set(above), above)
        return tree, kernel.space

    def _is_small(self, function: Any, times: int) -> bool:
        """Whether a helper is no longer than the loops that its calls would keep apart, or is called a few times."""
        size = self._size_of(function, ())
        return size <= SMALL or size * times <= FEW

    def _size_of(self, function: Any, above: tuple[Any, ...]) -> int:
        """The statements of a helper and of those that it calls, which come with it."""
        tree, space = self._text(function)
        meant = self._meaning(space)
        called = [meant(n.func) for n in ast.walk(tree) if isinstance(n, ast.Call)]
        inner = [f for f in called if is_helper(f) and f not in (*above, function)]
        return _size(tree) + sum(self._size_of(f, (*above, function)) for f in inner)

    def _block(
        self, body: list[ast.stmt], kernel: _Kernel, once: set[Any], above: tuple[Any, ...]
    ) -> None:
        for statement in list(body):
            for inner in blocks(statement):
                self._block(inner, kernel, once, above)
            statement = self._apart(statement, body, kernel, once)
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

    def _apart(
        self, statement: ast.stmt, body: list[ast.stmt], kernel: _Kernel, once: set[Any]
    ) -> ast.stmt:
        """``bx += g(x)`` in two statements, of which the first is given back."""
        match statement:
            case ast.AugAssign(target=target, value=ast.Call(func=func) as call) if self._meaning(
                kernel.space
            )(func) in once and _is_whole(target):
                name = kernel.named_once("t")
                statement.value = ast.Name(name, ast.Load())
                first = ast.copy_location(_assign(name, call), statement)
                body.insert(body.index(statement), first)
                return first
        return statement

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
        args = parts_apart(tree, call.args, self._meaning(kernel.space))
        names = kernel.taken_in(tree, space)
        if names is None:
            return None
        through = passed(tree, args, statement, self._meaning(space))
        through = {p: n for p, n in through.items() if kernel.is_array(n, self._meaning)}
        names |= given_back(tree, args, statement, kernel.once) | through
        lines = self._received(tree, args, names, through, kernel.space, space)
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Return) else None
        body = [_Rename(names).visit(s) for s in tree.body]
        meaning = self._meaning(kernel.space)
        lines += without_buffers(body, set(through.values()), meaning)
        given, made = kernel.begun.of(call)
        begin(lines, given, meaning, made)
        kernel.begun.keep(statement, tree.body, names)
        if last is not None and isinstance(statement, ast.Assign):
            value = _Rename(names).visit(last).value or ast.Constant(None)
            lines += _given(statement.targets[0], value)
        elif isinstance(statement, ast.Assign):
            lines += _given(statement.targets[0], ast.Constant(None))
        return lines or [ast.Pass()]

    def _received(
        self,
        tree: ast.FunctionDef,
        args: list[ast.expr],
        names: dict[str, str],
        through: Mapping[str, str],
        outer: Namespace,
        inner: Namespace,
    ) -> list[ast.stmt]:
        """What binds the parameters of a helper; those that are names stand for them in ``names``."""
        lines: list[ast.stmt] = []
        stored = set(stores(tree.body))
        for param, arg in zip([a.arg for a in tree.args.args], args):
            record = spent_record(arg, self._meaning(outer))
            if record is not None:
                take(tree, param, record, self._meaning(inner))
                arg = record[0]
            if isinstance(arg, ast.Name) and param not in stored:
                names[param] = arg.id
            elif param not in through:
                lines.append(_assign(names[param], arg))
        return lines


class _Kernel:
    """What the names of a kernel mean, and which are taken."""

    def __init__(self, tree: ast.FunctionDef, space: Namespace) -> None:
        self.space, self._tree = space, tree
        self.begun = Begun(tree)
        self._size = _size(tree)
        self._taken = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}
        self._taken |= {a.arg for a in tree.args.args}
        self._params = {a.arg for a in tree.args.args}
        self._own = set(stores(tree.body)) | self._params
        times = Counter(n for s in statements(tree.body) for n in bound(s))
        self.once = {n for n, count in times.items() if count == 1} - self._params

    def named_once(self, wish: str) -> str:
        """A new name, which one statement binds."""
        name = self._fresh(wish)
        self.once.add(name)
        self._own.add(name)
        return name

    def is_array(self, name: str, meanings: Meaning) -> bool:
        """Whether a name is surely bound to an array of adjoints, which helpers may give back."""
        meaning = meanings(self.space)
        for statement in statements(self._tree.body):
            match statement:
                case ast.AugAssign():
                    continue
                case ast.Assign(value=ast.Call(func=func, args=args)) if name in bound(statement):
                    back = is_helper(meaning(func)) and name in [ast.unparse(a) for a in args]
                    if not back and not is_one_of(meaning(func), ADJOINTS):
                        return False
                case _ if name in bound(statement):
                    return False
        return name not in self._params

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
        case ast.Name(id=name), ast.Name(id=same) if name == same:
            return []
        case ast.Tuple(elts=targets), ast.Tuple(elts=values) if len(targets) == len(values):
            pairs = [(t, v) for t, v in zip(targets, values) if not _is_same(t, v)]
            targets, values = [t for t, _ in pairs], [v for _, v in pairs]
            value = ast.Tuple(values, ast.Load())
            target = ast.Tuple(targets, ast.Store())
            named = all(isinstance(t, ast.Name) for t in targets)
            if named and set(stores(targets)).isdisjoint(loads(value)):
                return [
                    _assign(t.id, v) for t, v in zip(targets, values) if isinstance(t, ast.Name)
                ]
    return [ast.copy_location(ast.Assign([target], value, lineno=0), target)]


def _is_same(target: ast.expr, value: ast.expr) -> bool:
    return isinstance(target, ast.Name) and isinstance(value, ast.Name) and target.id == value.id


def _is_whole(target: ast.expr) -> bool:
    """Whether a target is a name, or all of an array."""
    match target:
        case ast.Name() | ast.Subscript(value=ast.Name(), slice=ast.Constant()):
            return True
    return False


def _assign(name: str, value: ast.expr) -> ast.stmt:
    return ast.Assign([ast.Name(name, ast.Store())], value, lineno=0)


def _is_straight(tree: ast.FunctionDef) -> bool:
    """Whether a function has no scopes inside, and at most one ``return``, at its end."""
    nodes = [n for s in tree.body for n in ast.walk(s)]
    returns = [n for n in nodes if isinstance(n, ast.Return)]
    return not any(isinstance(n, SCOPES) for n in nodes) and returns in ([], [tree.body[-1]])


def _size(tree: ast.FunctionDef) -> int:
    return sum(isinstance(n, ast.stmt) for n in ast.walk(tree))
