"""Computation graphs as pictures.

In: a function or a derivative; arguments, if the picture shall tell values and gradients.
Out: ``Graph``, an SVG picture.
Next: reports.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from types import MethodType
from typing import Any

import gast

from tangentlite import frontend, ir, lowering, syntax
from tangentlite.derivative import Derivative, general
from tangentlite.errors import DerivativeError
from tangentlite.methods import Bound, as_method
from tangentlite.pictures.building import Builder
from tangentlite.pictures.columns import side_by_side
from tangentlite.pictures.dressing import dressed
from tangentlite.pictures.layout import laid_out
from tangentlite.pictures.model import Level, Node, every
from tangentlite.pictures.painting import measure, svg
from tangentlite.pictures.running import Run, run
from tangentlite.runtime.containers.objects import is_object

__all__ = ["Graph", "graph"]


class Graph:
    """The picture of a computation: ``svg`` is its text; notebooks show it.

    ``nodes`` is how many values and operations there are.
    """

    def __init__(self, level: Level, upward: bool, title: str) -> None:
        measure(level)
        self.nodes = len([n for n in every(level) if n.kind not in ("port", "copy", "wire")])
        if any(n.derived for n in level.nodes):
            level, width, height = side_by_side(level, upward)
        else:
            width, height = laid_out(level)
        self.title = title
        self._level, self._size = level, (width, height)

    @property
    def svg(self) -> str:
        """The picture as a document of its own."""
        return svg(self._level, *self._size, self.title)

    @property
    def fragment(self) -> str:
        """The picture for a page that has the style sheet."""
        return svg(self._level, *self._size, self.title, styled=False)

    def _repr_svg_(self) -> str:
        return self.svg

    def _repr_html_(self) -> str:
        return f'<div style="overflow-x: auto">{self.svg}</div>'

    def save(self, path: str | Path) -> None:
        """Write the picture to a file."""
        Path(path).write_text(self.svg, encoding="utf-8")

    def __repr__(self) -> str:
        return f"<graph of {self.title}: {self.nodes} nodes>"


def graph(f: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Graph:
    """The computation graph of ``f`` as a picture; with arguments, the values and gradients of a run.

    Inputs, parameters (what a derivative is asked for, or what objects have), constants, operations, named values and
    the result are colored apart. Loops and branches are boxes; in a loop the last trip tells its values. Gradients are
    those of the result (of its sum, if it is an array). Of a derivative the nodes stand beside those of its function.

    >>> def f(x, y):
    ...     return x * y
    >>> graph(f)
    <graph of f: 4 nodes>
    >>> "∂" in graph(f, 2.0, 3.0).svg
    True
    """
    if not callable(f):
        raise TypeError(f"a function is needed, not {type(f).__name__}")
    function, args = _subject(f, args, kwargs)
    source = frontend.read(function)
    normal = lowering.normalize(source).function
    derived, seeds, upward = _sides(f, source, normal)
    level = Builder(normal, source.local, derived).graph()
    for node in level.nodes:
        node.derived = node.derived or (node.kind == "input" and node.label in seeds)
    _mark_parameters(level, f, [p.name for p in normal.params], args, kwargs)
    name = getattr(f, "__name__", source.name)
    found = Run()
    if args or kwargs or not normal.params:
        found = run(normal, args, kwargs, not isinstance(f, Derivative))
    return Graph(dressed(level, found, normal), upward, _title(name, found))


def _mark_parameters(level: Level, f: Any, names: list[str], args: Any, kwargs: Any) -> None:
    f = f.plain if isinstance(f, Bound) else f
    wanted = f.request.wrt if isinstance(f, Derivative) else ()
    owners = {n for n, value in (*zip(names, args), *kwargs.items()) if is_object(value)}
    reads = {id(e.end.node) for e in level.edges if _is_input(e.start.node, owners)}
    for node in level.nodes:
        node.parameter = _is_input(node, wanted)
    for edge in level.edges:
        start, end = edge.start.node, edge.end.node
        if id(start) in reads and start.label.startswith(".") and end.kind in ("wire", "value"):
            end.parameter = True


def _is_input(node: Node, names: Any) -> bool:
    return node.kind == "input" and node.label in names


def _title(name: str, found: Run) -> str:
    if found.why:
        return f"{name} (without gradients: {found.why})"
    return f"{name} (gradients of the sum of its result)" if found.seeded else name


def _subject(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, tuple[Any, ...]]:
    """The function whose text is drawn, and its arguments."""
    f = as_method(f)
    if isinstance(f, Bound):
        f, args = f.plain, (f.owner, *args)
    if isinstance(f, MethodType):
        f, args = f.__func__, (f.__self__, *args)
    if not isinstance(f, Derivative):
        return f, args
    try:
        return general(f), args
    except DerivativeError:
        if not (args or kwargs):
            raise
        return f.pair_of(f._kinds(args, kwargs))[-1], args


def _sides(
    f: Any, source: ir.Function, normal: ir.Function
) -> tuple[Callable[[gast.stmt], bool], frozenset[str], bool]:
    """Which statements are those of a derivative, what its seeds are, and whether it runs upward."""
    f = f.plain if isinstance(f, Bound) else f
    if not isinstance(f, Derivative):
        return (lambda statement: False), frozenset(), False
    own = set(inspect.signature(f.primal).parameters)
    seeds = frozenset(p.name for p in normal.params if p.name not in own)
    if f.request.mode == "reverse":
        lines = [line.strip() for line in source.origin.lines]
        row = lines.index("# Backward") + 1 if "# Backward" in lines else 0
        return (lambda statement: getattr(statement, "lineno", row + 1) > row), seeds, True
    tainted = set(seeds)
    for _ in range(2):  # a loop hands tangents to its next trip
        for statement in syntax.statements(normal.body):
            if syntax.loads(statement) & tainted and not syntax.blocks(statement):
                tainted |= syntax.stores(statement)
    return (lambda statement: bool(syntax.loads(statement) & tainted)), seeds, False
