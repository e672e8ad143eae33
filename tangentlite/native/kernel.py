"""A generated function in two: a door that checks and finishes in Python, and a kernel that Numba compiles.

In: a unit, what compiles.
Out: a unit whose text calls the kernel.
Next: native.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from types import CellType, FunctionType
from typing import Any

import numpy as np

from tangentlite import runtime
from tangentlite.compiling import function_of
from tangentlite.emit.module import Unit, register
from tangentlite.ir import Namespace
from tangentlite.native.access import SPAN
from tangentlite.native.indices import span
from tangentlite.native.loops import Looper
from tangentlite.native.ranks import Names
from tangentlite.native.spelling import spelled
from tangentlite.parsing import parsed
from tangentlite.values import field, mutable, replace

Compiler = Callable[..., Any]
ENTRY = (runtime.numbers, runtime.numeric, runtime.alike, runtime.own)


@mutable
class Workshop:
    """Compiles kernels, and the helpers that they call: ``units`` holds the texts of those."""

    compiler: Compiler
    units: list[Unit]
    made: dict[Any, Any] = field(default_factory=dict)

    def opened(self, unit: Unit) -> Unit:
        """The unit with a door and a kernel in place of each of its functions."""
        trees = _trees(unit)
        parts, texts = [], []
        for part in unit.parts:
            tree, cell = trees[part.name], CellType()
            name = f"{part.name}_kernel"
            door, kernel = divided(tree, name, _meaning(part.namespace))
            cell.cell_contents = Waiting(self, kernel, part.namespace, cell)
            parts.append(replace(part, namespace=part.namespace.extended({name: cell})))
            texts.append(ast.unparse(door))
        source = "\n\n\n".join(texts) + "\n"
        return Unit(source, register(source, unit.parts[0].name), tuple(parts), unit.docs)

    def kernel(self, tree: ast.FunctionDef, space: Namespace, args: tuple[Any, ...]) -> Any:
        """The kernel for arguments of these types."""
        names = [a.arg for a in tree.args.args]
        doubles = {n for n, a in zip(names, args) if getattr(a, "dtype", None) == np.float64}
        others = [a for a in args if isinstance(a, np.ndarray) and a.dtype.kind not in "fiub"]
        single = [a for a in args if isinstance(a, np.ndarray) and a.dtype.kind == "f"]
        if not others and all(a.dtype == np.float64 for a in single):
            meaning = _meaning(space)
            ranks = {n: np.ndim(a) for n, a in zip(names, args)}
            known = Names(tree.body, ranks, doubles, meaning)
            tree.body = Looper(known, meaning).block(tree.body)
            space = space.extended({SPAN: CellType(self.compiler(span))})
        return self._compiled(ast.fix_missing_locations(tree), space)

    def _compiled(self, tree: ast.FunctionDef, space: Namespace) -> Any:
        free = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}
        cells = {
            n: CellType(self._known(c.cell_contents)) for n, c in space.cells.items() if n in free
        }
        names = dict(space.globals)
        names |= {
            n: self._known(names[n])
            for n in free
            if n in names and isinstance(names[n], FunctionType)
        }
        text = ast.unparse(tree)
        file = register(text, tree.name)
        (tree,) = parsed(text).body
        return self.compiler(function_of(tree, file, cells, names))

    def _known(self, value: Any) -> Any:
        """What a kernel calls, compiled if it is a function of Python."""
        if not isinstance(value, FunctionType) or value.__module__.startswith(
            "tangentlite.runtime"
        ):
            return value
        if value not in self.made:
            self.made[value] = self._helper(value)
        return self.made[value]

    def _helper(self, function: FunctionType) -> Any:
        for unit in self.units:
            for part, made in zip(unit.parts, unit.functions):
                if made is function:
                    return self._compiled(
                        plain(_trees(unit)[part.name], _meaning(part.namespace)),
                        part.namespace,
                    )
        return self.compiler(function)


class Waiting:
    """A kernel that is compiled when it is called first, for the types of those arguments."""

    def __init__(
        self, workshop: Workshop, tree: ast.FunctionDef, space: Namespace, cell: CellType
    ) -> None:
        self._made = workshop, tree, space
        self._cell = cell

    def __call__(self, *args: Any) -> Any:
        workshop, tree, space = self._made
        kernel = workshop.kernel(copy.deepcopy(tree), space, args)
        result = kernel(*args)
        self._cell.cell_contents = kernel
        return result


def _trees(unit: Unit) -> dict[str, ast.FunctionDef]:
    return {s.name: s for s in parsed(unit.source).body if isinstance(s, ast.FunctionDef)}


def _meaning(space: Namespace) -> Callable[[ast.expr], Any]:
    def of(node: ast.expr) -> Any:
        try:
            return space.resolve(ast.unparse(node))
        except (KeyError, AttributeError):
            return None

    return of


def plain(tree: ast.FunctionDef, meaning: Callable[[ast.expr], Any]) -> ast.FunctionDef:
    """A function of helpers: all of it is compiled."""
    names = {a.arg for a in tree.args.args + tree.args.kwonlyargs}
    tree.body = spelled(tree.body, names, meaning)
    return _positional(tree)


def divided(
    tree: ast.FunctionDef, name: str, meaning: Callable[[ast.expr], Any]
) -> tuple[ast.FunctionDef, ast.FunctionDef]:
    """The door and the kernel of a generated function."""
    params = [a.arg for a in tree.args.args + tree.args.kwonlyargs]
    begin = next((k for k, s in enumerate(tree.body) if not _is_entry(s, meaning)), 0)
    end = len(tree.body) - isinstance(tree.body[-1], ast.Return)
    inner, last = tree.body[begin:end], tree.body[end:]
    stored = set(_names(inner, ast.Store))
    results = list(dict.fromkeys(n for n in _names(last, ast.Load) if n in stored))
    returned = ast.parse(f"return ({', '.join(results)},)" if results else "return None").body
    kernel = _like(tree, name, _arguments(params), [*inner, *returned])
    kernel.body = spelled(kernel.body, set(params), meaning)
    call = f"{name}({', '.join(params)})"
    text = f"({', '.join(results)},) = {call}" if results else call
    door = _like(tree, tree.name, tree.args, [*tree.body[:begin], *ast.parse(text).body, *last])
    return ast.fix_missing_locations(door), ast.fix_missing_locations(kernel)


def _like(
    tree: ast.FunctionDef, name: str, args: ast.arguments, body: list[ast.stmt]
) -> ast.FunctionDef:
    made = copy.copy(tree)
    made.name, made.args, made.body = name, args, body
    return made


def _positional(tree: ast.FunctionDef) -> ast.FunctionDef:
    params = [a.arg for a in tree.args.args + tree.args.kwonlyargs]
    tree.args = _arguments(params)
    return ast.fix_missing_locations(tree)


def _arguments(params: list[str]) -> ast.arguments:
    return ast.arguments([], [ast.arg(p, None) for p in params], None, [], [], None, [])


def _is_entry(statement: ast.stmt, meaning: Callable[[ast.expr], Any]) -> bool:
    """Whether a statement checks or copies arguments."""
    match statement:
        case ast.Expr(value=ast.Call(func=func)) | ast.Assign(value=ast.Call(func=func)):
            return any(meaning(func) is entry for entry in ENTRY)
    return False


def _names(body: list[ast.stmt], context: type) -> Iterator[str]:
    for statement in body:
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, context):
                yield node.id
