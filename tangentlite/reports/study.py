"""All that a page tells of a derivative.

In: a function, what to differentiate in, arguments if there is an example.
Out: ``Study``.
Next: recorded, ruling, timing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import MethodType
from typing import Any

from tangentlite import analysis, differentiate, emit, ir, optimize
from tangentlite.analysis.kinds import Kind, Num, is_complex
from tangentlite.api import Wrt, grad
from tangentlite.conditions import compiles
from tangentlite.derivative import Derivative, general
from tangentlite.emit import Unit
from tangentlite.emit.assemble import lifted
from tangentlite.errors import DerivativeError
from tangentlite.knowledge import Known
from tangentlite.lines import NONE
from tangentlite.methods import Bound
from tangentlite.pipeline import Linker
from tangentlite.reports.correspondence import Text, generated
from tangentlite.values import field, mutable, replace

Arguments = tuple[tuple[Any, ...], dict[str, Any]]


@mutable
class Watching(Linker):
    """A linker that keeps the facts of everything that it compiles."""

    facts_seen: list[analysis.Facts] = field(default_factory=list)

    def see(self, facts: analysis.Facts) -> None:
        """Take in a function."""
        self.facts_seen.append(facts)
        super().see(facts)


@mutable
class Study:
    """``primal``: the texts of the user; ``derivative``: the generated ones; ``units``: as they run."""

    name: str
    request: ir.Request
    primal: list[Text]
    derivative: list[Text]
    stages: dict[str, str]
    units: list[Unit]
    facts: list[analysis.Facts]
    subject: Callable[..., Any]
    arguments: Arguments | None = None


def study(f: Any, wrt: Wrt = 0, arguments: Arguments | None = None) -> Study:
    """Compile a function, and keep what was found out."""
    derivative = f if isinstance(f, Derivative) else grad(f, wrt=wrt)
    if isinstance(derivative, Bound):
        owner = derivative.owner
        if arguments is not None:
            arguments = (owner, *arguments[0]), arguments[1]
        derivative = derivative.plain
    primal, request = general(derivative.primal), derivative.request
    if isinstance(primal, MethodType):
        primal = primal.__func__
    return _compiled(primal, _fitting(derivative, request, arguments), arguments)


def _fitting(
    derivative: Derivative, request: ir.Request, arguments: Arguments | None
) -> ir.Request:
    """The request that the text is written for: that of the arguments where it cannot be written for any."""
    kinds = derivative._kinds(*arguments) if arguments is not None else ()
    try:
        derivative._ready()
    except DerivativeError as fault:
        if not fault.of_kinds or arguments is None:
            raise
        return replace(request, kinds=kinds)
    if arguments is None or _suits(derivative, kinds):
        return replace(request, absent=derivative._absent)
    return replace(request, kinds=kinds)


def _suits(derivative: Derivative, kinds: tuple[Kind, ...]) -> bool:
    """Whether the text for any numbers and arrays takes arguments of these kinds."""
    if derivative._ranked:
        return all(isinstance(k, Num) and not (is_complex(k) or k.persistent) for k in kinds)
    return derivative._is_usual(kinds)


@compiles
def _compiled(function: Any, request: ir.Request, arguments: Arguments | None) -> Study:
    linker = Watching(Known(function))
    source = linker.read(function)
    normal, facts = linker.studied(function, request)
    linker.see(facts)
    derived = differentiate.transform(normal, facts, request, linker)
    better = optimize.improve(derived, None, linker.effects()) if request.optimized else derived
    stages = {
        "source": replace(derived, functions=(source,)),
        "normal": replace(derived, functions=(normal.function,)),
        "derived": derived,
        "optimized": better,
    }
    units = [emit.module(better), *linker.units]
    texts = _texts(units)
    return Study(
        name=getattr(function, "__name__", source.name),
        request=request,
        primal=_primal(source, linker.known.sources.values(), texts),
        derivative=texts,
        stages={name: emit.text(stage) for name, stage in stages.items()},
        units=units,
        facts=linker.facts_seen,
        subject=function,
        arguments=arguments,
    )


def _texts(units: Iterable[Unit]) -> list[Text]:
    """The generated texts, each once, then those of functions that were made of nested ones."""
    found: dict[str, Text] = {}
    for unit in units:
        if unit.source not in found:
            title = " and ".join(part.name for part in unit.parts)
            found[unit.source] = generated(title, unit.file, unit.source, unit.parts)
    for unit in units:
        for part in unit.parts:
            for text in lifted(part):
                lines = tuple(text.rstrip("\n").split("\n"))
                found.setdefault(text, Text("", "", 1, lines, (NONE,) * len(lines)))
    return list(found.values())


def _primal(source: ir.Function, known: Iterable[ir.Function], texts: list[Text]) -> list[Text]:
    """The function, and those of its helpers that have lines with counterparts."""
    behind = frozenset().union(*(lines for text in texts for lines in text.behind))
    found: dict[tuple[str, int], Text] = {}
    for function in (source, *known):
        origin, rows = function.origin, function.origin.lines
        numbers = {(origin.file, origin.line + k) for k in range(len(rows))}
        key = origin.file, origin.line
        if key not in found and (function is source or not behind.isdisjoint(numbers)):
            found[key] = _own(function)
    return list(found.values())


def of_units(units: Iterable[Unit]) -> tuple[list[Text], list[Text]]:
    """The texts of the user and the generated ones, of what is compiled already."""
    units = list(units)
    parts = [part for unit in units for part in unit.parts]
    own = {(p.origin.file, p.origin.line): _own(p) for p in reversed(parts)}
    return list(own.values())[::-1], _texts(units)


def _own(function: ir.Function) -> Text:
    """The text of a function; of a lambda, whose origin is its whole file, the lines that it stands on."""
    origin, tree, first = function.origin, function.tree, 1
    rows = list(origin.lines)
    start = getattr(tree, "lineno", 1)
    words = [*(rows[start - 1].split() if start <= len(rows) else []), ""]
    title = words[1].partition("(")[0] if words[0] == "def" else function.name
    if words[0] not in ("def", "async") and getattr(tree, "end_lineno", None):
        rows, first = rows[start - 1 : tree.end_lineno], start
    while rows and not rows[-1].strip():
        rows.pop()
    indent = len(rows[0]) - len(rows[0].lstrip()) if rows else 0
    lines = tuple(_shifted(line.rstrip("\n"), indent) for line in rows)
    return Text(title, origin.file, origin.line + first - 1, lines)


def _shifted(line: str, indent: int) -> str:
    """A line further to the left, as far as nothing is lost."""
    return line[min(indent, len(line) - len(line.lstrip())) :]
