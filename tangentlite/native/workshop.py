"""Where kernels are compiled, and the helpers that they call.

In: the units of a derivative, what compiles.
Out: a unit whose functions call kernels.
Next: native.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Mapping
from functools import partial
from inspect import Parameter
from types import CellType, FunctionType, ModuleType
from typing import Any

import numpy as np

from tangentlite import frontend, syntax
from tangentlite.compiling import function_of
from tangentlite.emit.module import Unit, register
from tangentlite.errors import UnsupportedSyntaxError
from tangentlite.ir import Namespace
from tangentlite.native.algebra import brief
from tangentlite.native.caching import kept
from tangentlite.native.calls import Alike, Call, Few, Waiting, ones
from tangentlite.native.facts.known import POURED, Known, is_helper
from tangentlite.native.facts.ranks import Names
from tangentlite.native.indices import span
from tangentlite.native.inlining import Inliner
from tangentlite.native.kernel import (
    Meaning,
    divided,
    free_names,
    inside,
    meaning_in,
    plain,
    trees_of,
)
from tangentlite.native.library.adding import poured
from tangentlite.native.library.named import OURS
from tangentlite.native.looping.access import SPAN
from tangentlite.native.looping.laying import laid
from tangentlite.native.looping.once import asked_once
from tangentlite.native.memory import begun, boxes, outside, records
from tangentlite.native.memory.overlaps import unlapped
from tangentlite.native.memory.results import handed, only_asked
from tangentlite.native.memory.spent import owned, settle, take_copies
from tangentlite.native.memory.unshared import told_apart
from tangentlite.native.steps import looped, prepared
from tangentlite.native.variants import Variants
from tangentlite.parsing import parsed
from tangentlite.values import field, mutable, replace

Compiler = Callable[..., Any]
Callees = dict[FunctionType, tuple[tuple[Known, ...], bool]]
Use = tuple[tuple[Known, ...], bool, frozenset[int]]
Uses = Mapping[FunctionType, Use]
NONE: frozenset[int] = frozenset()
STARS = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)
FLOATS = (np.dtype(np.float32), np.dtype(np.float64))
STARRED = "Numba takes neither *args nor **kwargs here: `{}` has them"
RECURSIVE = "`{}` calls itself, which compile= does not do here"
GLOBAL = "`{}` reads `{}`, which is not an argument: Numba would keep the value that it has now"


@mutable
class Workshop:
    """``units`` hold the texts of helpers.

    ``loops``: arrays are of float32 or float64, so loops may be written; ``double``: there are none of float32.
    """

    compiler: Compiler
    units: list[Unit]
    made: dict[Any, Any] = field(default_factory=dict)
    begun: list[FunctionType] = field(default_factory=list)
    loops: bool = True
    double: bool = True
    texts: list[str] = field(default_factory=list)
    doors: list[tuple[ast.FunctionDef, Waiting]] = field(default_factory=list)
    read: dict[FunctionType, tuple[ast.FunctionDef, Namespace]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._outside = outside.Outside(self._written)
        self._variants = Variants(self.read)

    def opened(self, unit: Unit) -> Unit:
        """The unit with a door and a kernel in place of each of its functions."""
        unit = unit.stepwise
        trees, text = trees_of(unit), unit.source
        parts, texts = [], []
        for part in unit.parts:
            name = f"{part.name}_kernel"
            space = inside(trees[part.name], part.namespace)
            door, kernel = divided(trees[part.name], name, space)
            copies = owned(door, meaning_in(space))
            asked = only_asked(door, name, meaning_in(space))
            waiting = Waiting(partial(self.kernel, copies, asked), kernel, space, text)
            self.doors.append((door, waiting))
            cell = CellType(waiting)
            parts.append(replace(part, namespace=part.namespace.extended({name: cell})))
            texts.append(ast.unparse(door))
        source = "\n\n\n".join(texts) + "\n"
        return Unit(source, register(source, unit.parts[0].name), tuple(parts), unit.docs)

    def kernel(
        self,
        copies: frozenset[str],
        asked: frozenset[str],
        tree: ast.FunctionDef,
        space: Namespace,
        args: tuple[Any, ...],
        alike: Alike,
        few: Few,
    ) -> Call:
        """The kernel for such arguments: some are ``alike`` in shape, have ``few`` columns, are ``copies``."""
        arrays = [a for a in args if isinstance(a, np.ndarray)]
        self.loops = all(a.dtype in FLOATS or a.dtype.kind in "iub" for a in arrays)
        self.double = all(map(_is_double, args))
        names = [a.arg for a in tree.args.args]
        given = {
            name: replace(_known(value), like=names[k], few=few[place])
            for place, (name, value, k) in enumerate(zip(names, args, alike))
        }
        params, around = copy.deepcopy(tree.args), list[ast.stmt]()
        read = self._outside.kernel(tree, space)
        given |= {name: _known(place.now()) for name, place in read.items()}
        before, cells = outside.lines(read)
        made = self._compiled(tree, space, given, True, around, copies, asked=asked)
        return Call(made, tree.name, params, [*before, *around], space.extended(cells), alike, few)

    def _compiled(
        self,
        tree: ast.FunctionDef,
        space: Namespace,
        given: Mapping[str, Known],
        apart: bool,
        around: list[ast.stmt] | None = None,
        copies: frozenset[str] = frozenset(),
        lists: frozenset[int] = NONE,
        asked: frozenset[str] | None = None,
    ) -> Any:
        """``around``: where the statements go that the caller of a kernel begins with, and the call.

        ``asked``: what of its results is asked for its shape alone.
        """
        tree, space = self._opened(tree, space, copies)
        meaning = meaning_in(space)

        def known(tree: ast.FunctionDef) -> Names:
            return Names(tree.body, given, apart, meaning, self.results)

        names = prepared(tree, meaning, known, self.loops, self.double)
        records.check(tree, names, meaning)
        space = self._variants.by_use(tree, space, names)
        meaning = meaning_in(space)
        callees = _callees(tree, names, meaning)
        cells = {n: CellType(f) for n, f in (OURS | {SPAN: self._span()}).items()}
        if self.loops:
            looped(tree, names, meaning, self.double, copies, asked)
        unlapped(tree, names)
        if around is not None:
            around += handed(tree, names, meaning, self.loops and self.double)
        self._told(tree, names, meaning, around is not None)
        boxed = boxes.boxes(tree, meaning, lambda function: self._text(function)[0])
        uses = {f: (*callees.get(f, ((), False)), boxed.get(f, NONE)) for f in callees | boxed}
        boxes.put(tree, lists)
        return self._finished(tree, space.extended(cells), uses)

    def _opened(
        self, tree: ast.FunctionDef, space: Namespace, copies: frozenset[str]
    ) -> tuple[ast.FunctionDef, Namespace]:
        """A function with what its small helpers do, and what its names mean by then."""
        inliner = Inliner(self._outside.helper, meaning_in)
        tree, space = inliner.opened(tree, space, tuple(self.begun))
        space = self._variants.by_record(tree, space, self._written)
        settle(tree, meaning_in(space))
        begun.settle(tree, meaning_in(space))
        take_copies(tree, copies, meaning_in(space))
        space = self._variants.by_parts(tree, space, self._written)
        return tree, space.extended({POURED: CellType(poured)})

    def _told(self, tree: ast.FunctionDef, names: Names, meaning: Meaning, whole: bool) -> None:
        """What is not a loop in words that compile fast, what loops may rely on."""
        laid(tree, names)
        brief(tree, names, meaning)
        asked_once(tree, names, meaning)
        if self.loops:
            told_apart(tree, names.separate if whole else set(), names.ranks, meaning)

    def _finished(self, tree: ast.FunctionDef, space: Namespace, uses: Uses) -> Any:
        free = free_names(tree)
        inside = {n: self._named(n, space, uses, tree.name) for n in sorted(free) if space.binds(n)}
        text = ast.unparse(ast.fix_missing_locations(tree))
        self.texts.append(text)
        (tree,) = parsed(text).body
        scope = {"__name__": tree.name, **space.globals, **inside}
        file = register(text, tree.name)
        return kept(
            self.compiler, lambda f: function_of(tree, f, {}, dict(scope)), file, self.texts
        )

    def _named(self, name: str, space: Namespace, uses: Uses, reader: str) -> Any:
        """What a name of a kernel means to Numba."""
        value = space.lookup(name)
        if is_helper(value):
            return self._made(value, uses.get(value, ((), False, NONE)))
        if isinstance(value, ModuleType) or callable(value):
            return value
        raise UnsupportedSyntaxError(
            GLOBAL.format(reader.removesuffix("_kernel"), name), None, "Pass it as an argument."
        )

    def _made(self, function: FunctionType, use: Use) -> Any:
        key = function, use
        if key not in self.made:
            tree, space = self._text(function)
            origin = self._variants.origin(function)
            if origin in self.begun:
                name = tree.name.removesuffix("_forward").removesuffix("_backward")
                raise UnsupportedSyntaxError(RECURSIVE.format(name), None, "Write it as a loop.")
            self.begun.append(origin)
            try:
                self.made[key] = self._compiled(
                    tree, space, _given(tree, use[0]), use[1], lists=use[2]
                )
            finally:
                self.begun.remove(origin)
        return self.made[key]

    def _span(self) -> Any:
        if span not in self.made:
            self.made[span] = self.compiler(span)
        return self.made[span]

    def results(self, function: FunctionType, args: tuple[Known, ...], apart: bool) -> Known:
        """What is known of the result of a helper."""
        key = function, args, apart, "result"
        if key not in self.made:
            self.made[key] = Known()  # of one that calls itself
            tree, space = self._text(function)
            names = Names(tree.body, _given(tree, args), apart, meaning_in(space), self.results)
            self.made[key] = names.result
        found: Known = self.made[key]
        return found

    def _text(self, function: FunctionType) -> tuple[ast.FunctionDef, Namespace]:
        tree, space = self._outside.helper(function)
        settle(tree, meaning_in(space))
        begun.settle(tree, meaning_in(space))
        return tree, space

    def _written(self, function: FunctionType) -> tuple[ast.FunctionDef, Namespace]:
        if function not in self.read:
            self.read[function] = self._plain(function)
        return self.read[function]

    def _plain(self, function: FunctionType) -> tuple[ast.FunctionDef, Namespace]:
        for unit in self.units:
            for part, made in zip(unit.stepwise.parts, unit.functions):
                if made is function:
                    tree = trees_of(unit.stepwise)[part.name]
                    space = inside(tree, part.namespace)
                    return plain(tree, space), space
        read = frontend.read(function)
        if any(p.kind in STARS for p in read.params):
            raise UnsupportedSyntaxError(
                STARRED.format(read.name), None, "Give it plain parameters."
            )
        (tree,) = parsed(ast.unparse(ast.fix_missing_locations(syntax.to_ast(read.tree)))).body
        tree.decorator_list, tree.returns = [], None
        space = inside(tree, read.namespace)
        return plain(tree, space), space


def _is_double(value: Any) -> bool:
    """Whether there is nothing of single precision, or complex, in an argument."""
    if isinstance(value, tuple | list):
        return all(map(_is_double, value))
    kind = getattr(value, "dtype", None)
    return (
        not isinstance(value, complex) if kind is None else kind == np.float64 or kind.kind in "iub"
    )


def _known(value: Any) -> Known:
    if isinstance(value, tuple | list):
        return Known(parts=tuple(map(_known, value)) if isinstance(value, tuple) else None)
    floating = isinstance(value, float) or getattr(value, "dtype", None) in FLOATS
    short = ones(value) if isinstance(value, np.ndarray) else ()
    whole = type(value) is int or getattr(value, "dtype", None) == np.int64
    return Known(np.ndim(value), floating, ones=short, whole=whole)


def _given(tree: ast.FunctionDef, args: tuple[Known, ...]) -> dict[str, Known]:
    names = [a.arg for a in tree.args.args]
    return {n: args[k] if k < len(args) else Known() for k, n in enumerate(names)}


def _callees(tree: ast.FunctionDef, names: Names, meaning: Callable[[ast.expr], Any]) -> Callees:
    """How the helpers are called, those that are always called alike."""
    found: dict[FunctionType, Any] = {}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or node.keywords:
            continue
        meant = meaning(node.func)
        if is_helper(meant):
            use = tuple(map(names.known, node.args)), names.apart(node.args)
            found[meant] = use if found.get(meant, use) == use else ((), False)
    return found
