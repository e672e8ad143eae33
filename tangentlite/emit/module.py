"""Loading: a derivative's text becomes functions that a debugger can show.

In: ``ir.Derived``.
Out: ``Unit``.
Next: assemble, travel.
"""

from __future__ import annotations

import ast
import hashlib
import linecache
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from inspect import Parameter
from types import CellType, CodeType, FunctionType
from typing import Any

from tangentlite.emit.printer import function_text
from tangentlite.ir import EMPTY, Derived, Function, Namespace, Param, Request

POSITIONAL = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)


@dataclass(slots=True, eq=False)
class Unit:
    """A text, the trees it was printed from, and their docstrings; the functions are compiled when asked for."""

    source: str
    file: str
    parts: tuple[Function, ...] = ()
    docs: tuple[str, ...] = ()
    made: tuple[FunctionType, ...] = ()

    @property
    def functions(self) -> tuple[FunctionType, ...]:
        """The functions of the text, in its order."""
        if not self.made:
            names, spaces = [p.name for p in self.parts], [p.namespace for p in self.parts]
            self.made = load(self.source, self.file, names, spaces)
            for function, part, doc in zip(self.made, self.parts, self.docs):
                function.__defaults__, function.__kwdefaults__ = defaults(part.params)
                function.__doc__ = doc
        return self.made


def module(derived: Derived) -> Unit:
    """Print and load what was written for a request."""
    source = text(derived)
    file = register(source, derived.functions[0].name)
    count = range(len(derived.functions))
    docs = tuple(_describe(derived.request, derived.primal.name, number) for number in count)
    return Unit(source, file, derived.functions, docs)


def text(derived: Derived) -> str:
    """The source of what was written for a request."""
    return "\n\n".join(function_text(f) for f in derived.functions)


def register(source: str, name: str) -> str:
    """Make the text known to tracebacks, pdb and inspect; its file name is the answer.

    The name depends on the text alone; line_profiler asks for the first word.
    """
    digest = hashlib.sha1(source.encode()).hexdigest()[:8]
    file = f"<generated: tangentlite {name} {digest}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    return file


def load(
    source: str, file: str, names: Sequence[str], spaces: Sequence[Namespace]
) -> tuple[FunctionType, ...]:
    """The functions of ``source``, each with its own namespace.

    A function that its namespace does not bind may be named by the others of the text.
    """
    trees = {s.name: s for s in ast.parse(source).body if isinstance(s, ast.FunctionDef)}
    siblings = {name: CellType() for name in names}
    functions = []
    for name, space in zip(names, spaces):
        cells = {**siblings, **space.cells}
        code = _code(trees[name], file, cells)
        closure = tuple(cells[free] for free in code.co_freevars)
        function = FunctionType(code, space.globals, name, None, closure)
        function.__qualname__ = name
        function.__module__ = space.globals.get("__name__", "")
        siblings[name].cell_contents = function
        functions.append(function)
    return tuple(functions)


def _code(tree: ast.FunctionDef, file: str, cells: Iterable[str]) -> CodeType:
    """Compile inside a wrapper whose parameters are the cells, so that they are free variables.

    The wrapper exists in the tree only: line numbers are those of the text.
    """
    wrapper = ast.parse("def wrapper(): pass").body[0]
    assert isinstance(wrapper, ast.FunctionDef)
    wrapper.args.args = [ast.arg(cell, None) for cell in cells]
    wrapper = ast.fix_missing_locations(wrapper)
    wrapper.body = [tree]
    whole = ast.Module([wrapper], [])
    (outer,) = _codes(compile(whole, file, "exec", dont_inherit=True))
    (code,) = (c for c in _codes(outer) if c.co_name == tree.name)
    return _unwrapped(code)


def _codes(code: CodeType) -> list[CodeType]:
    return [c for c in code.co_consts if isinstance(c, CodeType)]


def _unwrapped(code: CodeType) -> CodeType:
    """The same code without a trace of the wrapper in the names that profilers print."""
    if sys.version_info < (3, 11):
        return code
    inner = tuple(_unwrapped(c) if isinstance(c, CodeType) else c for c in code.co_consts)
    name = code.co_qualname.removeprefix("wrapper.<locals>.")
    return code.replace(co_qualname=name, co_consts=inner)


def defaults(params: Sequence[Param]) -> tuple[tuple[Any, ...] | None, dict[str, Any] | None]:
    """Defaults as the objects that the user's function has, never evaluated from text."""
    given = [p for p in params if p.default is not EMPTY]
    positional = tuple(p.default for p in given if p.kind in POSITIONAL)
    keyword = {p.name: p.default for p in given if p.kind is Parameter.KEYWORD_ONLY}
    return positional or None, keyword or None


def _describe(request: Request, primal: str, number: int) -> str:
    """The docstring: ``Gradient of `f` with respect to `x`.``"""
    if request.motion == "split":
        what = "Backward sweep" if number else "Forward sweep"
    elif request.mode == "forward":
        what = "Tangent" if request.output == "gradient" else "Value and tangent"
    else:
        what = "Gradient" if request.output == "gradient" else request.output.capitalize()
        what = what.replace(",", " and")
    names = " and ".join(f"`{name}`" for name in request.wrt)
    return f"{what} of `{primal}`" + (f" with respect to {names}." if names else ".")
