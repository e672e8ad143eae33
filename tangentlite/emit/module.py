"""Loading: a derivative's text becomes functions that a debugger can show.

In: ``ir.Derived``.
Out: ``Unit``.
Next: assemble, travel.
"""

from __future__ import annotations

import ast
import linecache
import zlib
from collections.abc import Callable, Sequence
from functools import cached_property
from inspect import Parameter
from types import CellType, FunctionType
from typing import Any

from tangentlite.compiling import function_of
from tangentlite.conditions import compiles
from tangentlite.emit.printer import function_text
from tangentlite.errors import UnsupportedSyntaxError
from tangentlite.ir import EMPTY, Derived, Function, Namespace, Param, Request
from tangentlite.parsing import parsed
from tangentlite.standins.table import STEPWISE
from tangentlite.values import immutable, mutable

DEEP = "the derivative has a hundred blocks in each other, which is more than Python reads"
FLAT = "Write a long `elif` as several `if`s, or look its case up in a dict."
POSITIONAL = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)


@immutable
class Title:
    """What a function that is written is called, what it says of itself, and where it lives."""

    name: str
    doc: str
    module: str

    @classmethod
    def of(cls, request: Request, primal: Function, name: str) -> Title:
        """The title of the first function that is written for a request."""
        return cls(name, _describe(request, primal.name, 0), primal.namespace.module)


@mutable
class Unit:
    """A text, the trees it was printed from, and their docstrings; the functions are compiled when asked for."""

    source: str
    file: str
    parts: tuple[Function, ...] = ()
    docs: tuple[str, ...] = ()
    made: tuple[FunctionType, ...] = ()

    @property
    def heads(self) -> tuple[Function, ...]:
        """What the functions are called and take; their bodies may be longer than those of the text."""
        return self.parts

    @property
    def repeats(self) -> bool:
        """Whether there are loops in the text."""
        return any(part.contents.loops for part in self.heads)

    @property
    def title(self) -> Title:
        """What the first function is called."""
        part = self.heads[0]
        return Title(part.name, self.docs[0], part.namespace.module)

    @property
    def stepwise(self) -> Unit:
        """The same with loops trip by trip, as a compiler wants them."""
        return self

    @property
    def functions(self) -> tuple[FunctionType, ...]:
        """The functions of the text, in its order."""
        remember(self.source, self.file)
        if not self.made:
            names, spaces = [p.name for p in self.parts], [p.namespace for p in self.parts]
            made = load(self.source, self.file, names, spaces)
            for function, part, doc in zip(made, self.parts, self.docs):
                function.__defaults__, function.__kwdefaults__ = defaults(part.params)
                function.__doc__ = doc
            self.made = self.made or made
        return self.made


class Late(Unit):
    """A text that is improved and printed when it is asked for: calls may go to one that knows the arguments.

    One that is given a ``title`` is written then, too. ``better`` gives what a compiler reads, and what people do.
    """

    better: Callable[[Derived], tuple[Derived, Derived]]

    def __init__(
        self, derive: Callable[[], Derived], title: Title | None = None, repeats: bool = False
    ) -> None:
        self._derive, self.made, self._repeats = derive, (), repeats
        self._heads: tuple[Function, ...] = ()
        self._title = title
        if title is None:
            self.write()

    def write(self) -> Derived:
        """What is improved, the first time it is asked for."""
        derived = self._derive()
        self._derive, self._heads = lambda: derived, self._heads or derived.functions
        self.docs = _docs(derived)
        return derived

    @property
    def heads(self) -> tuple[Function, ...]:
        """What was written, or what was made of it."""
        return self._heads or self.write().functions

    @property
    def repeats(self) -> bool:
        """Whether there are loops in the text: where the function has some, there are until it is improved."""
        return (self._repeats and "parts" not in self.__dict__) or super().repeats

    @property
    def title(self) -> Title:
        """What the first function is called."""
        return self._title or super().title

    @cached_property
    def parts(self) -> tuple[Function, ...]:  # type: ignore[override]
        """The trees of the text; what they were made of is let go."""
        steps, whole = found = self.better(self.write())
        self.better, self._derive = lambda _: found, lambda: steps
        self._steps, self._heads = steps.functions, whole.functions
        return self._heads

    @property
    def functions(self) -> tuple[FunctionType, ...]:
        """The functions of the text, which are read trip by trip when they are differentiated."""
        first, made = not self.made, super().functions
        if first and self.parts is not self._steps:
            for k, function in enumerate(made):
                setattr(function, STEPWISE, lambda k=k: self.stepwise.functions[k])
        return made

    @cached_property
    def stepwise(self) -> Unit:
        """The text before loops were done at once."""
        if self.parts is self._steps:
            return self
        source = _printed(self._steps)
        return Unit(source, register(source, self._steps[0].name), self._steps, self.docs)

    @cached_property
    def source(self) -> str:  # type: ignore[override]
        """The text."""
        return _printed(self.parts)

    @cached_property
    def file(self) -> str:  # type: ignore[override]
        """The name under which tracebacks find it."""
        return register(self.source, self.parts[0].name)


def module(derived: Derived) -> Unit:
    """Print what was written for a request."""
    source = text(derived)
    file = register(source, derived.functions[0].name)
    return Unit(source, file, derived.functions, _docs(derived))


def text(derived: Derived) -> str:
    """The source of what was written for a request."""
    return _printed(derived.functions)


@compiles
def _printed(functions: Sequence[Function]) -> str:
    return "\n\n".join(map(function_text, functions))


def _docs(derived: Derived) -> tuple[str, ...]:
    count = range(len(derived.functions))
    return tuple(_describe(derived.request, derived.primal.name, number) for number in count)


def register(source: str, name: str) -> str:
    """Make the text known to tracebacks, pdb and inspect; its file name is the answer.

    The name depends on the text alone; line_profiler asks for the first word.
    """
    file = f"<generated: tangentlite {name} {zlib.crc32(source.encode()):08x}>"
    remember(source, file)
    return file


def remember(source: str, file: str) -> None:
    """Have the text in the cache of lines, also when somebody has cleared it."""
    if file not in linecache.cache:
        linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)


@compiles
def load(
    source: str, file: str, names: Sequence[str], spaces: Sequence[Namespace]
) -> tuple[FunctionType, ...]:
    """The functions of ``source``, each with its own namespace.

    A function that its namespace does not bind may be named by the others of the text.
    """
    trees = functions_in(source)
    siblings = {name: CellType() for name in names}
    functions = []
    for name, space in zip(names, spaces):
        cells = {**siblings, **space.cells}
        function = function_of(trees[name], file, cells, space.globals)
        siblings[name].cell_contents = function
        functions.append(function)
    return tuple(functions)


def functions_in(source: str) -> dict[str, ast.FunctionDef]:
    """The functions of a text by name."""
    try:
        body = parsed(source).body
    except IndentationError:
        raise UnsupportedSyntaxError(DEEP, None, FLAT) from None
    return {s.name: s for s in body if isinstance(s, ast.FunctionDef)}


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
