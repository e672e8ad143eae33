"""One run of a function: the value of every node, and the gradient of the result with respect to it.

In: a function in normal form and arguments.
Out: ``Run``.
Next: the graph as an object.

Values are noted behind the statements that make them, gradients in blocks of ``insert_grad_of`` at the same places.
In loops the last trip is the one that is told.
"""

from __future__ import annotations

import copy
import inspect
import itertools
import linecache
import random
import textwrap
from collections.abc import Callable, Iterator
from types import CellType, CodeType, FunctionType
from typing import Any

import gast
import numpy as np

from tangentlite import ir, syntax
from tangentlite.api import grad
from tangentlite.differentiate.blocks.guards import entered
from tangentlite.emit.module import defaults
from tangentlite.emit.printer import function_text
from tangentlite.lowering.flow.guards import called, written
from tangentlite.naming import Names
from tangentlite.pictures.building import BODY, OTHER, root
from tangentlite.pictures.seeds import ones
from tangentlite.pictures.telling import Told, tell
from tangentlite.runtime.edges.skipping import insert_grad_of
from tangentlite.values import field, mutable, replace

Place = tuple[Any, str]
_count = itertools.count()


@mutable
class Run:
    """``values`` and ``gradients`` by place; ``trips``: how often a block was entered; ``why``: no gradients."""

    values: dict[Any, Told] = field(default_factory=dict)
    gradients: dict[Any, Told] = field(default_factory=dict)
    trips: dict[Any, int] = field(default_factory=dict)
    why: str = ""
    seeded: bool = False


def run(function: ir.Function, args: tuple[Any, ...], kwargs: dict[str, Any], wanted: bool) -> Run:
    """Run a function on copies of the arguments; ``wanted``: the gradients, too."""
    found = Run()
    values = _instrumented(function, _noting(found))
    state = random.getstate(), np.random.get_state()
    bound = _bound(values, args, kwargs)
    found.values |= {name: tell(value) for name, value in bound.items()}
    result = _called(values, args, kwargs)
    if wanted:
        random.setstate(state[0])
        np.random.set_state(state[1])
        _differentiated(function, args, kwargs, result, found)
    return found


def _bound(function: FunctionType, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
    bound = inspect.signature(function).bind(*args, **kwargs)
    bound.apply_defaults()
    return bound.arguments


def _called(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any], **more: Any) -> Any:
    args, kwargs = copy.deepcopy((args, kwargs))
    return function(*args, **kwargs, **more)


def _differentiated(
    function: ir.Function,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    result: Any,
    found: Run,
) -> None:
    wrt = tuple(p.name for p in function.params if _is_float(found.values.get(p.name)))
    if not wrt or result is None:
        found.why = "the result is None" if wrt else "no float input"
        return
    needed = ones(result)
    seed = {} if needed is None else {"adjoint": needed}
    found.seeded = bool(seed)
    for inside in (True, False):  # the second time without blocks, which not every function takes
        found.gradients.clear()
        try:
            text = _instrumented(function, _inserting(found) if inside else None)
            slopes = _called(grad(text, wrt=wrt), args, kwargs, **seed)
        except Exception as fault:
            found.why = str(fault).partition("\n")[0]
            continue
        found.why = ""
        found.gradients |= {name: tell(slope) for name, slope in zip(wrt, slopes)}
        return


def _is_float(told: Told | None) -> bool:
    return told is not None and told.floating


# Statements with notes --------------------------------------------------------------------------

Insert = Callable[[Any, Place, str, dict[str, Any]], list[gast.stmt]]


def _noting(found: Run) -> Insert:
    """Behind a statement: ``note(k, y)``."""

    def insert(key: Any, place: Place, name: str, cells: dict[str, Any]) -> list[gast.stmt]:
        def note(value: Any) -> None:
            found.values[place] = tell(value)

        def enter() -> None:
            found.trips[place] = found.trips.get(place, 0) + 1

        cells[key] = note if name else enter
        return syntax.quote("note(x)" if name else "note()", note=key, x=name)

    return insert


def _inserting(found: Run) -> Insert:
    """Behind a statement: ``with insert_grad_of(y) as slope: note(slope)``."""

    def insert(key: Any, place: Place, name: str, cells: dict[str, Any]) -> list[gast.stmt]:
        if not name or not _is_float(found.values.get(place)):
            return []

        def note(slope: Any) -> None:
            found.gradients.setdefault(place, tell(slope))

        cells[key], cells[f"{key}_block"] = note, insert_grad_of
        text = "with insert(x) as slope:\n    note(slope)"
        return syntax.quote(text, note=key, x=name, insert=f"{key}_block", slope=f"{key}_slope")

    return insert


def _instrumented(function: ir.Function, insert: Insert | None) -> FunctionType:
    """The function of the normal form, with statements inserted."""
    cells: dict[str, Any] = {}
    names = Names(function.local | function.read | set(function.namespace.cells))
    keys = (names.fresh(f"note_{k}") for k in itertools.count())
    certain = {p.name for p in function.params}
    body = function.body
    if insert is not None:
        body = _block(body, insert, keys, cells, certain)
    body = entered(written([syntax.copy(s) for s in body]))
    bindings = {name: CellType(value) for name, value in cells.items()}
    space = function.namespace.extended(bindings)
    name = names.fresh(function.name if function.name.isidentifier() else "f")
    return _compiled(replace(function.with_body(body), name=name), space)


def _compiled(function: ir.Function, space: ir.Namespace) -> FunctionType:
    """The function of a tree, as if it stood inside another one that has its cells."""
    head = f"def around({', '.join(space.cells)}):\n"
    source = head + textwrap.indent(function_text(function), "    ")
    file = f"<graph {next(_count)} of {function.name}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    outer = compile(source, file, "exec", dont_inherit=True)
    for name in ("around", function.name):
        outer = next(c for c in outer.co_consts if isinstance(c, CodeType) and c.co_name == name)
    closure = tuple(space.cells[name] for name in outer.co_freevars)
    made = FunctionType(outer, space.globals, function.name, None, closure)
    made.__defaults__, made.__kwdefaults__ = defaults(function.params)
    return made


def _block(
    body: list[gast.stmt],
    insert: Insert,
    keys: Iterator[str],
    cells: dict[str, Any],
    certain: set[str],
) -> list[gast.stmt]:
    """A block with notes; ``certain``: the names that are bound whatever way was taken."""
    result: list[gast.stmt] = []
    for statement in body:
        result.append(new := syntax.copy(statement))
        ways = []
        for block, side in zip(_blocks(new), (BODY, OTHER)):
            ways.append(way := set(certain))
            entry = insert(next(keys), (statement, side), "", cells)
            originals = _blocks(statement)[len(ways) - 1]
            block[:] = [*entry, *_block(originals, insert, keys, cells, way)]
        if isinstance(statement, gast.Return) or called(statement):
            continue
        if ways and not isinstance(statement, (gast.For, gast.While)):
            certain |= set.intersection(*ways, *([certain] if len(ways) == 1 else []))
        told = _told(statement)
        certain |= set() if ways else set(told)
        for name in told:
            if name in certain:
                result += insert(next(keys), (statement, name), name, cells)
    return result


def _blocks(statement: Any) -> list[list[gast.stmt]]:
    """The two ways that a statement may take."""
    if isinstance(statement, gast.Try):
        return [statement.body, *(h.body for h in statement.handlers)]
    found = [b for b in (getattr(statement, n, None) for n in ("body", "orelse")) if b]
    return found if not isinstance(statement, gast.FunctionDef) else []


def _told(statement: gast.stmt) -> list[str]:
    """The names that stand for another value behind a statement."""
    match statement:
        case gast.Assign(targets=[gast.Subscript() | gast.Attribute() as target]):
            return [name] if (name := root(target)) else []
        case gast.AugAssign(target=target):
            return [name] if (name := root(target)) else []
        case gast.Expr(value=gast.Call(func=func, args=args)):
            place = args[0] if _writes_first(func) and args else getattr(func, "value", None)
            name = root(place) if place is not None else None
            return [name] if name else []
        case gast.Assign() | gast.If() | gast.Try():
            return sorted(syntax.stores(statement))
    return []


def _writes_first(func: gast.expr) -> bool:
    return (syntax.dotted(func) or "").startswith("rt.")
