"""Pickling by source: a derivative travels as text and is compiled again where it arrives.

In: functions that ``emit.module`` made.
Out: ``describe``: what their text names; ``rebuild``: the same functions in another process,
from what they named when they were described.
Next: pipeline.

Modules travel by name. Other derivatives (the pairs of helpers) travel as text as well. All
else is the pickler's business: functions and classes of importable modules go by reference.
"""

from __future__ import annotations

import builtins
import contextlib
import dis
import importlib
import linecache
from collections.abc import Iterator, Mapping, Sequence
from pickle import PicklingError
from types import CellType, CodeType, FunctionType, ModuleType
from typing import Any

from tangentlite.emit.module import load, register
from tangentlite.emit.printer import function_text
from tangentlite.ir import Namespace
from tangentlite.values import field, mutable

PREFIX = "<generated: tangentlite "
CARRIED = ("__defaults__", "__kwdefaults__", "__doc__", "__module__")


@mutable
class Parcel:
    """One generated function as text, with what it names.

    Not frozen: two functions may name each other, and a pickler fills such circles later.
    """

    source: str
    title: str
    name: str
    imports: dict[str, str] = field(default_factory=dict)
    values: dict[str, object] = field(default_factory=dict)
    attributes: dict[str, object] = field(default_factory=dict)


def describe(functions: Sequence[FunctionType]) -> tuple[dict[str, str], dict[str, object]]:
    """What the functions of one text name: alias -> module, and function -> all the rest."""
    known: dict[int, Parcel] = {}
    parcels = [_pack(function, known) for function in functions]
    imports: dict[str, str] = {}
    for parcel in parcels:
        for alias, target in parcel.imports.items():
            if imports.setdefault(alias, target) != target:
                raise PicklingError(
                    f"{alias} means {target} in {parcel.name}, {imports[alias]} beside"
                )
        parcel.source, parcel.imports = "", {}
    return imports, {parcel.name: parcel for parcel in parcels}


def rebuild(
    source: str, name: str, imports: Mapping[str, str], values: Mapping[str, Parcel]
) -> tuple[FunctionType, ...]:
    """The functions of ``source``; tracebacks, pdb and inspect find the text here as well."""
    for parcel in values.values():
        parcel.source, parcel.title, parcel.imports = source, name, dict(imports)
    made: dict[int, FunctionType] = {}
    return tuple(_unpack(parcel, made) for parcel in values.values())


def _pack(function: FunctionType, known: dict[int, Parcel]) -> Parcel:
    if id(function) in known:
        return known[id(function)]
    parcel = _parcel(function)
    known[id(function)] = parcel
    for name, value in _named(function):
        if isinstance(value, ModuleType):
            parcel.imports[name] = value.__name__
        elif isinstance(value, FunctionType) and _generated(value):
            parcel.values[name] = _pack(value, known)
        else:
            parcel.values[name] = value
    parcel.attributes = {key: getattr(function, key) for key in CARRIED}
    return parcel


def _parcel(function: FunctionType) -> Parcel:
    """A function with its text; that of one that was nested is printed anew."""
    source = getattr(function, "__lifted__", None)
    if source is not None:
        return Parcel(function_text(source), source.name, source.name)
    name = function.__name__
    file = function.__code__.co_filename
    title = file.removeprefix(PREFIX).split()[0]
    return Parcel("".join(linecache.getlines(file)), title, name)


def _unpack(parcel: Parcel, made: dict[int, FunctionType]) -> FunctionType:
    if id(parcel) in made:
        return made[id(parcel)]
    cells = {name: CellType() for name in (*parcel.imports, *parcel.values)}
    scope: dict[str, Any] = {"__name__": parcel.attributes["__module__"]}
    scope["__builtins__"] = builtins
    file = register(parcel.source, parcel.title)
    (function,) = load(parcel.source, file, [parcel.name], [Namespace(scope, cells)])
    made[id(parcel)] = function
    for name, target in parcel.imports.items():
        scope[name] = cells[name].cell_contents = importlib.import_module(target)
    for name, value in parcel.values.items():
        found = _unpack(value, made) if isinstance(value, Parcel) else value
        scope[name] = cells[name].cell_contents = found
    for key, value in parcel.attributes.items():
        setattr(function, key, value)
    return function


def _generated(function: FunctionType) -> bool:
    made = hasattr(function, "__lifted__")
    return made or function.__code__.co_filename.startswith(PREFIX)


def _named(function: FunctionType) -> Iterator[tuple[str, Any]]:
    """The cells and globals that a function reads and that are bound now."""
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
        with contextlib.suppress(ValueError):  # a cell that is not bound yet
            yield name, cell.cell_contents
    for name in dict.fromkeys(_globals(function.__code__)):
        if name in function.__globals__:
            yield name, function.__globals__[name]


def _globals(code: CodeType) -> Iterator[str]:
    """The globals that code reads, inner functions included."""
    for step in dis.get_instructions(code):
        if step.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
            yield step.argval
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _globals(inner)
