"""Classes inside a function that take nothing from it: they are made once, beside it.

In: ``ir.Function``.
Out: the same function without the definitions; the names mean the classes.
Next: check.
"""

from __future__ import annotations

import ast
import collections
import dataclasses
import enum
from types import CellType, FunctionType
from typing import Any

import gast

from tangentlite import scopes, syntax
from tangentlite.compiling import code_of
from tangentlite.frontend import carried, held, parameters
from tangentlite.ir import Function, Namespace
from tangentlite.parsing import parsed
from tangentlite.values import replace

MAKERS = (collections.namedtuple, dataclasses.make_dataclass, enum.Enum, enum.IntEnum)


def resolved(function: Function) -> Function:
    """``class C: …`` is a class that the function finds, like one of its module."""
    if gast.ClassDef not in function.contents.kinds and not _makes_any(function):
        return function
    cells: dict[str, CellType] = {}
    body: list[Any] = []
    for statement in function.body:
        if (made := _called(statement, function)) is not None:
            cells[statement.targets[0].id] = CellType(made)
            continue
        free = isinstance(statement, gast.ClassDef) and _is_free(statement, function, cells)
        begin = held.begun(statement, function) if free else None
        if begin is None:
            body.append(statement)
            continue
        body += begin
        key = ("class", statement.name)
        if key not in function.nested:
            function.nested[key] = _made(statement, function, cells)
        cells[statement.name] = CellType(function.nested[key])
    if not cells:
        return function
    namespace = function.namespace.extended(cells)
    return replace(function.with_body(body), namespace=namespace)


def _makes_any(function: Function) -> bool:
    return any(_meaning(call, function) in MAKERS for call in function.contents.calls)


def _meaning(call: Any, function: Function) -> Any:
    path = syntax.dotted(call.func)
    if path is None or path.partition(".")[0] in function.local:
        return None
    try:
        return function.namespace.resolve(path)
    except (KeyError, AttributeError):
        return None


def _called(statement: Any, function: Function) -> type | None:
    """The class that ``P = namedtuple("P", "a b")`` makes, if nothing else is bound to its name."""
    match statement:
        case gast.Assign(targets=[gast.Name(id=name)], value=gast.Call(args=args) as call):
            others = [s for s in function.body if s is not statement]
            once = name not in scopes.bound(others) and all(p.name != name for p in function.params)
            make = _meaning(call, function)
            if not once or make not in MAKERS:
                return None
            try:
                given = [ast.literal_eval(syntax.unparse(a)) for a in args]
                named = {
                    str(k.arg): ast.literal_eval(syntax.unparse(k.value)) for k in call.keywords
                }
            except (ValueError, SyntaxError):
                return None
            key = ("made", name)
            if key not in function.nested:
                function.nested[key] = make(*given, **named)
            return function.nested[key]  # type: ignore[no-any-return]
    return None


def _is_free(node: Any, function: Function, cells: dict[str, CellType]) -> bool:
    """Whether a class reads no variable of the function, and its name is bound once."""
    others = [s for s in function.body if s is not node]
    if node.name in scopes.bound(others) or any(p.name == node.name for p in function.params):
        return False
    taken = {p.name for p in function.params} | scopes.bound(function.body)
    wanted = {n for part in ast.walk(node) if (n := getattr(part, "id", None))}
    return not (wanted & (taken - set(cells) - {node.name}) - _own(node))


def _own(node: Any) -> set[str]:
    """The names that the class and its methods bind themselves."""
    found = scopes.bound(node.body)
    for part in ast.walk(node):
        if isinstance(part, gast.FunctionDef | gast.Lambda):
            found |= scopes.own(part)
    return found


def _made(node: Any, function: Function, cells: dict[str, CellType]) -> type:
    namespace = function.namespace.extended(cells)
    text = "def make():\n    pass\n    return c"
    make: Any = parsed(text).body[0]
    standard: Any = ast.fix_missing_locations(syntax.to_ast(node))
    ast.increment_lineno(standard, function.origin.line - 1)
    make.body = [standard, ast.Return(ast.Name(node.name, ast.Load()))]
    code = code_of(ast.fix_missing_locations(make), function.origin.file, namespace.cells)
    closure = tuple(namespace.cells[name] for name in code.co_freevars)
    made: type = FunctionType(code, namespace.globals, "make", None, closure)()
    if carried.is_carried(node):
        _tell(made, node, function)
    return made


def _tell(made: type, node: Any, function: Function) -> None:
    """The methods of a class that was written anew have no text of their own."""
    for method in node.body:
        found: Any = vars(made).get(getattr(method, "name", ""))
        for plain in (found, getattr(found, "fget", None)):
            if isinstance(plain, FunctionType) and isinstance(method, gast.FunctionDef):
                cells = dict(zip(plain.__code__.co_freevars, plain.__closure__ or (), strict=True))
                plain.__lifted__ = Function(  # type: ignore[attr-defined]
                    tree=method,
                    name=method.name,
                    params=tuple(parameters.params(method.args, plain)),
                    namespace=Namespace(plain.__globals__, cells),
                    origin=function.origin,
                )
