"""Calls of functions that write into objects, said by the statements of the function.

In: a function, and what its parameters are bound to.
Out: its statements in normal form, under names that the caller does not use.
Next: objects.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import BuiltinFunctionType, CellType, FunctionType, ModuleType

import gast
import numpy as np

from tangentlite import frontend, ir, lowering, syntax
from tangentlite.analysis.classes.members import written_out
from tangentlite.naming import Names
from tangentlite.values import field, mutable

FIXED = (FunctionType, BuiltinFunctionType, ModuleType, type, np.ufunc)
PLACED = ("lineno", "col_offset", "end_lineno", "end_col_offset")


@mutable
class Inlined:
    """``body``: the statements; ``result``: what the function returns; ``sources``: the user's statement of each."""

    body: list[gast.stmt] = field(default_factory=list)
    result: gast.expr = field(default_factory=lambda: syntax.constant(None))
    sources: dict[gast.stmt, gast.stmt] = field(default_factory=dict)
    cells: dict[str, CellType] = field(default_factory=dict)


def inlined(
    callee: FunctionType,
    bound: Mapping[str, gast.expr],
    caller: ir.Function,
    names: Names,
    local: set[str],
) -> Inlined | None:
    """The statements of a call; None where a name of the function cannot be said in the caller."""
    normal = lowering.normalize(_spelled(frontend.read(callee)))
    function, made = normal.function, Inlined()
    holes: dict[str, str | gast.expr] = {}
    stored = function.bound
    for param in function.params:
        value = bound.get(param.name) or _default(param, names, made.cells)
        if value is None:
            return None
        if param.name in stored or isinstance(value, gast.Tuple | gast.Dict):
            holes[param.name] = name = names.fresh(param.name)
            made.body.append(syntax.assign(name, value))
        else:
            holes[param.name] = value
    for name in sorted(stored - holes.keys()):
        numbered = name[:1] == "t" and name[1:].isdigit()
        holes[name] = names.numbered("t") if numbered else names.fresh(name)
    for name in sorted(function.read - holes.keys()):
        said = _free(name, function.namespace, caller, names, local, made.cells)
        if said is None:
            return None
        if isinstance(said, gast.Attribute):  # a statement of its own, as the normal form has it
            made.body.append(syntax.assign(new := names.fresh(name), said))
            said = new
        holes[name] = said
    _fill(made, normal, holes)
    local |= syntax.stores(made.body)
    return made


def _spelled(function: ir.Function) -> ir.Function:
    """``super()`` is ``super(__class__, self)``, which other functions may say too."""

    def step(statement: gast.stmt) -> list[gast.stmt]:
        for node in syntax.walk(statement):
            match node:
                case gast.Call(func=gast.Name(id="super"), args=[]):
                    node.args += [syntax.name("__class__"), syntax.name(function.params[0].name)]
        return [statement]

    if "__class__" not in function.namespace.cells:
        return function
    return function.with_body(syntax.rewrite(list(map(syntax.copy, function.body)), step))


def _fill(made: Inlined, normal: lowering.Normal, holes: Mapping[str, str | gast.expr]) -> None:
    shown: dict[gast.stmt, gast.stmt] = {}
    function = normal.function
    *body, last = function.body
    for statement in body:
        new = syntax.substitute(statement, holes)
        made.body.append(new)
        for old, copy in zip(statements(statement), statements(new)):
            source = normal.sources.get(old)
            if source is not None:
                if source not in shown:
                    shown[source] = _unplaced(syntax.substitute(source, holes), function)
                made.sources[copy] = shown[source]
    if last.value is not None:
        made.result = syntax.substitute(last.value, holes)


def statements(statement: gast.stmt) -> list[gast.stmt]:
    """A statement and those inside of it."""
    found = [statement]
    for block in syntax.blocks(statement):
        for inner in block:
            found += statements(inner)
    return found


def _unplaced(source: gast.stmt, function: ir.Function) -> gast.stmt:
    """The text of another function has no place in this one."""
    source.__dict__["behind"] = function.origin.lines_of(source)
    for place in PLACED:
        source.__dict__.pop(place, None)
    return source


def _default(param: ir.Param, names: Names, cells: dict[str, CellType]) -> gast.expr | None:
    """What stands for an argument that is not given."""
    if param.default is ir.EMPTY:
        return None
    if (literal := written_out(param.default)) is not None:
        return literal
    cells[new := names.fresh(param.name)] = CellType(param.default)
    return syntax.name(new)


def _is_module(name: str, namespace: ir.Namespace, other: ir.Namespace) -> bool:
    """Whether a name is that of a module, which another namespace may call the same."""
    try:
        module = namespace.lookup(name)
    except KeyError:
        return False
    here = other.lookup(name) if other.binds(name) else module
    return isinstance(module, ModuleType) and here is module


def _free(
    name: str,
    namespace: ir.Namespace,
    caller: ir.Function,
    names: Names,
    local: set[str],
    cells: dict[str, CellType],
) -> str | gast.expr | None:
    """How the caller says a free name of the function: a value that may change keeps its place."""
    if name in namespace.cells:
        plain = name not in local and _is_module(name, namespace, caller.namespace)
        new = name if plain else names.fresh(name)
        cells[new] = namespace.cells[name]
        return new
    same = caller.namespace.globals is namespace.globals
    if name not in local and name not in caller.namespace.cells:
        if same or not (name in namespace.globals or name in caller.namespace.globals):
            return name
    if not namespace.binds(name):
        return None
    value = namespace.lookup(name)
    if not isinstance(value, FIXED):
        return _of_module(name, namespace, caller, names, local, cells)
    cells[new := names.fresh(name)] = CellType(value)
    return new


def _of_module(
    name: str,
    namespace: ir.Namespace,
    caller: ir.Function,
    names: Names,
    local: set[str],
    cells: dict[str, CellType],
) -> gast.expr | None:
    """``module.NAME`` for a global of another module; None where there is no such module."""
    module = namespace.holder
    if module is None or name not in namespace.globals:
        return None
    short = module.__name__.rpartition(".")[2]
    known = caller.namespace.lookup(short) if caller.namespace.binds(short) else None
    if known is not module or short in local:
        held = (n for n, cell in cells.items() if cell.cell_contents is module)
        short = next(held, None) or names.fresh(short)
        cells[short] = CellType(module)
    return gast.Attribute(syntax.name(short), name, gast.Load())
