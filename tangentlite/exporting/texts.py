"""The texts of functions and classes, and what names mean in them.

In: functions that were generated or written by the user, classes.
Out: their definitions as text, plain: without decorators and annotations.
Next: gathering.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import linecache
import sys
from collections.abc import Callable, Iterable
from enum import Enum
from types import FunctionType
from typing import Any

import gast
import numpy as np

from tangentlite import ir, syntax
from tangentlite.emit.printer import function_text
from tangentlite.errors import ExportError
from tangentlite.frontend import parameters, source, surgery
from tangentlite.parsing import parsed
from tangentlite.translation import from_ast

PREFIX = "<generated: tangentlite "
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
DATA = (bool, int, float, complex, str, bytes, tuple, list, dict, np.ndarray, np.generic)
FILE = "Save it in a file, and load that."
OUTSIDE = "Write it as a class (`class N(NamedTuple): …`) in a module, outside of functions."


def is_generated(value: Any) -> bool:
    """Whether a function was written by the compiler."""
    if not isinstance(value, FunctionType):
        return False
    return hasattr(value, "__lifted__") or value.__code__.co_filename.startswith(PREFIX)


def generated(function: FunctionType) -> str:
    """The text of a generated function, with its comments."""
    lifted = getattr(function, "__lifted__", None)
    if lifted is not None:
        return function_text(lifted)
    lines = linecache.getlines(function.__code__.co_filename)
    for statement in parsed("".join(lines)).body:
        if isinstance(statement, ast.FunctionDef) and statement.name == function.__name__:
            return "".join(lines[statement.lineno - 1 : statement.end_lineno])
    raise AssertionError(function)


def written(function: FunctionType) -> str:
    """The text of a user's function; code for ``tl.insert_grad_of`` is taken out, as it does not run here."""
    found = source.find(getattr(function, surgery.WHOLE, None) or function)
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or ()))
    space = ir.Namespace(function.__globals__, cells)
    params = tuple(parameters.params(found.node.args, function))
    tree = from_ast(parsed("def f(): return 0").body[0])
    if isinstance(found.node.body, list):
        tree.body = surgery.without(found.node.body, space) or found.node.body
    else:
        tree.body[0].value = found.node.body
    _check_scope(tree, function)
    made = ir.Function(
        tree, found.name, params, space, ir.Origin(found.file, found.line, found.lines)
    )
    return plain(function_text(made))


def _check_scope(tree: Any, function: FunctionType) -> None:
    for node in syntax.walk(tree):
        for name in getattr(node, "names", ()):
            outer = isinstance(node, gast.Nonlocal) and name in function.__code__.co_freevars
            if outer or isinstance(node, gast.Global):
                said = f"`{function.__name__}` binds `{name}`, which lives outside it"
                raise ExportError(said, None, "Pass the value in, and return the new one.")


def plain(text: str) -> str:
    """A definition without annotations of variables and parameters."""
    tree = Plain().visit(parsed(text))
    return text if ast.dump(tree) == ast.dump(parsed(text)) else ast.unparse(tree) + "\n"


class Plain(ast.NodeTransformer):
    """Takes annotations away, but not those of the fields of a class."""

    def visit_FunctionDef(self, node: Any) -> Any:
        """A function: nothing said of its parameters and its result."""
        node.returns = None
        args = node.args
        for arg in [*args.posonlyargs, *args.args, args.vararg, *args.kwonlyargs, args.kwarg]:
            if arg is not None:
                arg.annotation = None
        return self.generic_visit(node)

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Expr(self, node: ast.Expr) -> ast.Expr:
        """A docstring: its lines stand below each other."""
        if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            lines = inspect.cleandoc(node.value.value).split("\n")
            margin = "\n" + " " * node.col_offset
            node.value = ast.Constant(margin.join(lines).replace(margin + "\n", "\n\n"))
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        """A class: its fields stay fields."""
        node.body = [s if isinstance(s, ast.AnnAssign) else self.visit(s) for s in node.body]
        for statement in node.body:
            if isinstance(statement, ast.AnnAssign):
                statement.annotation = ast.Name("object", ast.Load())
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt:
        """A variable: bound, or nothing at all."""
        if node.value is None:
            return ast.copy_location(ast.Pass(), node)
        return ast.copy_location(ast.Assign([node.target], node.value), node)


def of_class(kind: type, literal: Callable[[str, Any], str]) -> str:
    """The text of a class as it is now; ``literal`` writes down the value of an attribute."""
    try:
        text = inspect.cleandoc("\n" + inspect.getsource(kind))
        if not _stands_there(kind):
            raise OSError
    except (OSError, TypeError):
        reason = f"the text of the class {kind.__name__} is not to be found"
        inside = "<locals>" in kind.__qualname__ or issubclass(kind, tuple)
        raise ExportError(reason, None, OUTSIDE if inside else FILE) from None
    tree = parsed(text).body[0]
    if getattr(tree, "type_params", None):
        raise ExportError(f"the class {kind.__name__} has type parameters", None, "Take them out.")
    tree = Plain().visit(tree)
    _update(tree, kind, literal)
    return ast.unparse(ast.fix_missing_locations(tree)) + "\n"


def _stands_there(kind: type) -> bool:
    """Whether a class is in its file where its name says: Python 3.13 goes by lines, and finds what was made inside."""
    if "<locals>" not in kind.__qualname__:
        return True
    place: ast.AST = parsed(inspect.getsource(sys.modules[kind.__module__]))
    for name in kind.__qualname__.replace(".<locals>", "").split("."):
        nodes = (n for n in ast.walk(place) if getattr(n, "name", None) == name and n is not place)
        found = next((n for n in nodes if isinstance(n, (*DEFINITIONS, ast.ClassDef))), None)
        if found is None:
            return False
        place = found
    return True


def _update(tree: ast.ClassDef, kind: type, literal: Callable[[str, Any], str]) -> None:
    """Attributes have the values that they have now; methods must be those of the text."""
    written = set[str]()
    for statement in tree.body:
        if isinstance(statement, DEFINITIONS):
            written.add(statement.name)
            _check_method(kind, statement.name)
        elif isinstance(statement, ast.Assign | ast.AnnAssign):
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            names = [t.id for t in targets if isinstance(t, ast.Name)]
            written |= set(names)
            now = vars(kind).get(names[0]) if names else None
            if len(targets) == len(names) == 1 and statement.value and isinstance(now, DATA):
                statement.value = parsed(literal(names[0], now), "eval").body
    for name, value in vars(kind).items():
        if name not in written and not name.startswith("__") and isinstance(value, DATA):
            tree.body += parsed(f"{name} = {literal(name, value)}").body
        elif name not in written and isinstance(value, FunctionType) and not name.startswith("__"):
            raise _replaced(kind, name)


def _check_method(kind: type, name: str) -> None:
    found = bare(vars(kind).get(name))
    if isinstance(found, FunctionType) and found.__name__ != name:
        raise _replaced(kind, name)


def _replaced(kind: type, name: str) -> ExportError:
    reason = f"`{kind.__name__}.{name}` was put into the class after its definition"
    return ExportError(reason, None, "Write the method in the class.")


def bare(member: Any) -> Any:
    """The function of a member of a class."""
    return getattr(member, "fget", None) or getattr(member, "__func__", member)


def way_to(member: Any) -> str:
    """How the function is reached from what the class gives."""
    return (
        ".fget" if isinstance(member, property) else ".__func__" * isinstance(member, classmethod)
    )


def begun_with(text: str, line: str) -> str:
    """A function with one statement more, which is its first."""
    lines = text.splitlines(keepends=True)
    first = parsed(text).body[0].body[0].lineno - 1
    while lines[first - 1].lstrip().startswith("#"):
        first -= 1
    lines.insert(first, f"    {line}\n")
    return "".join(lines)


def scope_of(function: FunctionType) -> Callable[[str], Any]:
    """What a name means in a function; LookupError: nothing yet."""
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or ()))
    lifted = getattr(function, "__lifted__", None)
    space = ir.Namespace(function.__globals__, cells) if lifted is None else lifted.namespace
    return space.lookup


def scope_of_class(kind: type) -> Callable[[str], Any]:
    """What a name means in the body and the methods of a class."""
    names = dict(vars(builtins))
    names |= vars(sys.modules[kind.__module__]) if kind.__module__ in sys.modules else {}
    for method in vars(kind).values():
        method = getattr(method, "__func__", getattr(method, "fget", method))
        if isinstance(method, FunctionType):
            names = {**method.__globals__, **names}
            for name, cell in zip(method.__code__.co_freevars, method.__closure__ or ()):
                if name != "__class__":
                    names[name] = cell.cell_contents
    return names.__getitem__


def only_makes(tree: ast.AST, name: str, kind: type) -> bool:
    """Whether a text calls a class or reads its attributes, and never asks whether an object is one of it."""
    callees = [n for n in ast.walk(tree) if isinstance(n, ast.Call)]
    good = {id(c.func) for c in callees}
    good |= {id(c.args[0]) for c in callees if c.args and _is_made(c.func)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and not issubclass(kind, Enum):
            good.add(id(node.value))
        elif isinstance(node, ast.ClassDef | ast.FunctionDef):
            good |= {id(n) for d in node.decorator_list for n in ast.walk(d)}
            good |= {id(b) for b in getattr(node, "bases", ())}
    return all(id(n) in good for n in ast.walk(tree) if isinstance(n, ast.Name) and n.id == name)


def _is_made(callee: ast.expr) -> bool:
    """Whether what is called makes objects of its first argument: ``rt.made``, a class method."""
    return isinstance(callee, ast.Attribute) and callee.attr in ("made", "__func__")


def edited(text: str, edits: Iterable[tuple[Any, str]]) -> str:
    """The text with other words where some nodes stand.

    >>> tree = ast.parse("é = a + b")
    >>> edited("é = a + b", [(tree.body[0].value.left, "long")])
    'é = long + b'
    """
    lines = [line.encode() for line in text.splitlines(keepends=True)]
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    whole = b"".join(lines)
    for node, words in sorted(edits, key=lambda e: (-e[0].lineno, -e[0].col_offset)):
        start = starts[node.lineno - 1] + node.col_offset
        end = starts[node.end_lineno - 1] + node.end_col_offset
        whole = whole[:start] + words.encode() + whole[end:]
    return whole.decode()
