"""Derivatives by pickle: the texts that were written so far travel, without the primal.

In: a derivative.
Out: ``packed``: what is sent; ``arrived``: a derivative made of it, which is called as the one that was sent.
Next: jacobians.
"""

from __future__ import annotations

import functools
import inspect
from types import FunctionType
from typing import Any

from tangentlite import emit, guards, ir, syntax
from tangentlite.analysis.kinds import Num
from tangentlite.derivative import Derivative, Kinds, Names
from tangentlite.doors.ranked import exactly
from tangentlite.emit import Door, Unit
from tangentlite.errors import DerivativeError
from tangentlite.values import immutable


@immutable(eq=False)
class Text:
    """A text, and what its functions name."""

    source: str
    imports: Any
    values: Any


@immutable(eq=False)
class Sent:
    """``usual``: the text for numbers and arrays of any kind, if there is one; ``others``: those for arguments of other
    kinds, some of which may overlap. ``own``: the parameters of the primal."""

    name: str
    request: ir.Request
    own: Names
    ranked: bool
    kinds: Kinds | None
    usual: Text | None
    others: list[tuple[Kinds, Names, Text]]


def packed(self: Derivative) -> tuple[Any, ...]:
    """What makes the derivative again from all of its texts; it is an error if there is none."""
    usual = None
    try:
        self._ready()
    except DerivativeError:
        if not self._variants:
            raise
    if self._units and not self._refused:
        usual = _text(self._units[0])
        if self._usual is None:
            self._settle_usual()
    others = [(*key, _text(unit)) for key, (unit, _) in self._variants.items()]
    own, kinds = tuple(self._own().parameters), self._usual
    return arrived, (Sent(self.__name__, self.request, own, self._ranked, kinds, usual, others),)


def _text(unit: Unit) -> Text:
    return Text(unit.source, *emit.describe(unit.functions))


class Traveled(Derivative):
    """A derivative that arrived by pickle. What was not written before is refused: there is no primal."""

    _parameters: tuple[str, ...]
    _any: tuple[Unit, FunctionType] | None = None

    def __new__(cls, sent: Sent) -> Traveled:
        self = functools.partial.__new__(cls, _absent)
        self.request, self._ranked, self._usual = sent.request, sent.ranked, sent.kinds
        self._parameters, self.__name__ = sent.own, sent.name
        self._guards, self._doors, self._variants = guards.Guards([]), {}, {}
        self._aside = []
        self._refused, self._units, self._door = sent.usual is None, [], None
        if sent.usual is not None:
            unit = _unit(sent.usual, sent.name)
            self._units, self._door = (
                [unit],
                functools.partial(self._first, self._open, unit, self._guards),
            )
        for kinds, together, text in sent.others:
            unit = _unit(text, sent.name)
            self._units.append(unit)
            opens = functools.partial(self._opening, (kinds, together), unit)
            self._variants[kinds, together] = unit, opens
        self.primal = first = self._units[0].functions[0]
        self.__qualname__, self.__doc__, self.__module__ = (
            first.__name__,
            first.__doc__,
            first.__module__,
        )
        inside = self._ranked or self._door is None
        self._point(self._by_rank if inside else self._door)  # type: ignore[arg-type]
        return self

    def _opening(self, key: tuple[Kinds, Names], unit: Unit, /, *args: Any, **kwargs: Any) -> Any:
        """The first call of a variant makes what later calls go through."""
        self._variants[key] = unit, self._opened(unit, self.primal)
        self._doors = {}
        return self._variants[key][1](*args, **kwargs)

    def _opened(
        self, unit: Unit, primal: Any, outdated: Any = None, asks: bool = True
    ) -> FunctionType:
        if self.request.motion == "split":
            return unit.functions[0]
        other = self._unwritten if self._ranked else self._other
        calls: tuple[Any, ...] = other, None, self._unwritten, {}, asks
        whole = _with_trees(unit)
        return emit.entrance(whole, Door.of(whole, self.request, self._parameters, *calls))

    def _ready(self) -> None:
        pass

    def _compile_early(self) -> None:
        pass

    def _own(self) -> inspect.Signature:
        signature = inspect.signature(self._units[0].functions[0])
        own = [p for name, p in signature.parameters.items() if name in self._parameters]
        return signature.replace(parameters=own)

    def _write(
        self, kinds: Kinds, together: Names = (), door: Any = None
    ) -> tuple[Unit, FunctionType]:
        """The text for arguments of any kind will do, where it takes these."""
        numbers = all(isinstance(k, Num) or k == u for k, u in zip(kinds, self._usual or ()))
        split = self.request.motion == "split"
        if self._refused or together or not numbers or not (self._ranked or split):
            self._unwritten()
        self._any = self._any or (self._units[0], self._opened(self._units[0], self.primal))
        return self._any

    def _of_numbers(self, args: tuple[Any, ...]) -> Any:
        types = {name: type(value) for name, value in self._bound(args, {}).items()}
        return self._variants.get((exactly(types, self._kinds(args, {})), ()), (None, None))[1]

    def _unwritten(self, *args: Any, **kwargs: Any) -> Any:
        raise DerivativeError(
            f"{self.__name__} was sent here without a text for arguments of these kinds",
            None,
            "Call it with arguments like these before it is sent, or differentiate where it is called.",
        )


def arrived(sent: Sent) -> Traveled:
    """The derivative that was sent."""
    return Traveled(sent)


Derivative.packed = packed


def _unit(text: Text, name: str) -> Unit:
    functions = emit.rebuild(text.source, name, text.imports, text.values)
    return Unit(text.source, functions[0].__code__.co_filename, made=functions)


def _with_trees(unit: Unit) -> Unit:
    """The unit as it was before it was sent, with its trees."""
    names = {f.__name__ for f in unit.made}
    pairs = zip(syntax.parse(unit.source), unit.made)
    parts = tuple(_part(tree, f, unit.file, names) for tree, f in pairs)
    return Unit(unit.source, unit.file, parts, tuple(f.__doc__ or "" for f in unit.made), unit.made)


def _part(tree: Any, function: FunctionType, file: str, beside: set[str]) -> ir.Function:
    given = inspect.signature(function).parameters.values()
    params = tuple(ir.Param(p.name, p.kind, p.default) for p in given)
    named = zip(function.__code__.co_freevars, function.__closure__ or ())
    cells = {name: cell for name, cell in named if name not in beside}
    space = ir.Namespace(function.__globals__, cells)
    return ir.Function(tree, function.__name__, params, space, ir.Origin(file, 1, ()))


def _absent(*args: Any, **kwargs: Any) -> Any:
    raise AssertionError("a derivative is pointed somewhere before it is handed out")
