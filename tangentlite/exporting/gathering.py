"""What a derivative names, and what that names in turn, as pieces of a file.

In: generated functions.
Out: pieces and imports; ExportError for what a file cannot hold.
Next: linking.
"""

from __future__ import annotations

import ast
import builtins
import functools
import itertools
import operator
from collections.abc import Callable, Container, Iterator, Mapping
from types import FunctionType, ModuleType
from typing import Any, cast

import numpy as np

from tangentlite.derivative import Derivative
from tangentlite.errors import ExportError
from tangentlite.exporting import foreign, inlined, plainness, texts
from tangentlite.exporting.inlined import Inlined
from tangentlite.exporting.literals import PASS, Writer
from tangentlite.exporting.pieces import CONSTANTS, GENERATED, OWN, Import, Key, Piece
from tangentlite.parsing import parsed
from tangentlite.values import field, mutable

CACHED = type(functools.lru_cache(len))
GETTERS = (operator.itemgetter, operator.attrgetter, operator.methodcaller)
RT: Key = ("rt",)
SUITS = ("tangentlite.runtime.edges.suiting", "suits")


def _names(wish: str) -> Iterator[str]:
    return (wish + "_" * n for n in itertools.count())


def _classes(patterns: Any) -> Iterator[type]:
    """The classes of users in patterns."""
    if isinstance(patterns, type) and foreign.is_own(patterns):
        yield patterns
    elif isinstance(patterns, dict):
        yield from _classes([*patterns, *patterns.values()])
    elif isinstance(patterns, list | tuple):
        for part in patterns:
            yield from _classes(part)


@mutable
class Known:
    """What must be known before: the classes of which a copy will not do, and which functions are methods."""

    recognized: list[type] = field(default_factory=list)
    methods: dict[int, tuple[type, str]] = field(default_factory=dict)


CONTAINERS = (list, dict, set, tuple)


class Gathered:
    """Pieces and imports by what they stand for; ``rt``: the names of the runtime that are used."""

    def __init__(self, known: Known, lean: bool = False) -> None:
        self.known = known
        self.settled = True  # nothing was found out that should have been known
        self.runtime = Inlined(lean)
        self.imports = self.runtime.imports
        self.pieces: dict[Key, Piece] = {}
        self.rt: dict[str, Key] = {}
        self.numeric: set[Key] = set()  # constants that are numbers and arrays
        self._alive: list[Any] = []  # so that their identities stay their own
        self._reader = ""

    def is_plain(self, given: Container[str]) -> bool:
        """Whether the functions of the runtime are given numbers and arrays only; ``given``: the user's parameters."""
        made = [p for p in self.pieces.values() if p.section == GENERATED]
        return all(plainness.is_plain(piece, RT, self.numeric, given) for piece in made)

    def generated(self, function: Any) -> Key:
        """A function that the compiler wrote."""
        return self._function(function, GENERATED, texts.generated)

    def _function(self, function: Any, section: int, read: Callable[[Any], str]) -> Key:
        key = self._key(function)
        if key not in self.pieces:
            text, means = read(function), dict[str, Key]()
            text = self._with_defaults(function, text, means)
            name: str = parsed(text).body[0].name
            piece = self.pieces[key] = Piece(section, name, text, means)
            self._fill(piece, means, texts.scope_of(function))
        return key

    def _key(self, value: Any) -> Key:
        self._alive.append(value)
        return "object", id(value)

    def _with_defaults(self, function: Any, text: str, means: dict[str, Key]) -> str:
        """Defaults are the values that the function has: what its text says may mean another by now."""
        before, self._reader = self._reader, function.__name__
        args = parsed(text).body[0].args
        positional = [*args.posonlyargs, *args.args]
        given = dict(
            zip(args.defaults[::-1], zip(positional[::-1], (function.__defaults__ or ())[::-1]))
        )
        named = function.__kwdefaults__ or {}
        given |= {d: (a, named[a.arg]) for a, d in zip(args.kwonlyargs, args.kw_defaults) if d}
        edits = []
        for node, (arg, value) in given.items():
            wish = node.id if isinstance(node, ast.Name) else f"default_{arg.arg}"
            edits.append((node, self._inline(value, wish, means)))
        self._reader = before
        return texts.edited(text, edits)

    def _inline(self, value: Any, wish: str, means: dict[str, Key]) -> str:
        """A short literal, else the name of a constant."""
        if type(value) in (bool, int, float, str, type(None)):
            return Writer(self._refused).text(value)
        while wish in means or hasattr(builtins, wish):
            wish += "_"
        means[wish] = self._value(value, wish)
        return wish

    def _refused(self, value: Any, wish: str) -> str:
        raise AssertionError(wish)

    def _fill(self, piece: Piece, means: dict[str, Key], scope: Callable[[str], Any]) -> None:
        """Find out what the free names of a text stand for."""
        before, self._reader = self._reader, piece.name
        for name in dict.fromkeys(o.node.id for o in piece.free if not o.said):
            if name == piece.name and isinstance(piece.tree, ast.ClassDef):
                continue
            try:
                value = scope(name)
            except LookupError:
                continue
            if name in means:
                continue
            if isinstance(value, ModuleType) and value.__name__.partition(".")[0] == "tangentlite":
                means[name] = self._runtime(name, value, piece)
            elif getattr(builtins, name, None) is not value or not hasattr(builtins, name):
                means[name] = self._value(value, name, piece)
        self._reader = before

    def _runtime(self, name: str, module: ModuleType, piece: Piece) -> Key:
        """The attributes of ``rt`` and ``tl`` that a text uses."""
        for node in ast.walk(piece.tree):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                if node.value.id == name:
                    found = getattr(module, node.attr)
                    place = inlined.place_of(found)
                    if module.__name__ != inlined.RT and place is None:
                        said = f"`{name}.{node.attr}` in `{piece.name}` needs tangentlite"
                        raise ExportError(said, None, "Compute it outside, and pass it in.")
                    key = self.runtime.add(place) if place else self.runtime.named(node.attr)
                    self.rt[node.attr] = key
        return RT

    def _value(self, value: Any, name: str, piece: Piece | None = None) -> Key:
        """The key of what a name stands for."""
        if isinstance(value, ModuleType):
            return self._module(value, name)
        if isinstance(value, Derivative):
            return self.generated(value.function)
        place = (
            inlined.place_of(value) if callable(value) or not hasattr(value, "__dict__") else None
        )
        if place is not None:
            return self.runtime.add(place)
        if texts.is_generated(value):
            return self.generated(value)
        if isinstance(value, FunctionType) and id(value) in self.known.methods:
            return self._method(value, name)
        if isinstance(value, FunctionType) and foreign.is_own(value):
            return self._function(value, OWN, texts.written)
        if isinstance(value, type) and foreign.is_own(value):
            return self._class(value, name, piece)
        found = foreign.importable(value)
        if found is not None and not isinstance(value, (CACHED, functools.partial)):
            self.imports[found] = Import(*found)
            return found
        return self._constant(value, name)

    def _module(self, module: ModuleType, name: str) -> Key:
        foreign.check_module(module, name, self._reader)
        key = (module.__name__, None)
        self.imports[key] = Import(module.__name__)
        return key

    def _class(self, value: type, name: str, piece: Piece | None) -> Key:
        """A copy of a class will do where objects are made; where they are recognized it must be the class itself."""
        self._learn(value)
        if piece is not None and not texts.only_makes(piece.tree, name, value):
            self._recognize(value)
        if value in self.known.recognized:
            found = foreign.importable(value)
            if found is None:
                said = f"`{self._reader}` recognizes objects of {value.__name__}, a class that no module holds"
                raise ExportError(said, None, "Put the class into a module of its own.")
            self.imports[found] = Import(*found)
            return found
        key = self._key(value)
        if key not in self.pieces:
            means: dict[str, Key] = {}
            text = texts.of_class(value, lambda name, now: self._inline(now, name, means))
            made = self.pieces[key] = Piece(OWN, value.__name__, text, means)
            self._fill(made, means, texts.scope_of_class(value))
        return key

    def _recognize(self, kind: type) -> None:
        if kind not in self.known.recognized:
            self.known.recognized.append(kind)
            self.settled = self.settled and self._key(kind) not in self.pieces

    def _learn(self, kind: type) -> None:
        """Functions that are methods of a class are these: others may ask whether they are the same."""
        for name, value in vars(kind).items():
            bare = texts.bare(value)
            if isinstance(bare, FunctionType) and id(bare) not in self.known.methods:
                self.known.methods[id(bare)] = kind, name + texts.way_to(value)
                self.settled = self.settled and self._key(bare) not in self.pieces

    def _method(self, function: FunctionType, name: str) -> Key:
        """A function under another name than that of its class."""
        key, (kind, path) = self._key(function), self.known.methods[id(function)]
        if key not in self.pieces:
            means: dict[str, Key] = {}
            owner = kind.__name__ if kind.__name__ != name else f"{name}_"
            self.pieces[key] = Piece(OWN, name, f"{name} = {owner}.{path}\n", means)
            means[owner] = self._class(kind, owner, None)
        return key

    def expect(self, main: Key, patterns: Mapping[str, Any]) -> None:
        """Let a function refuse arguments of other kinds."""
        piece, means = self.pieces[main], dict(self.pieces[main].means)
        self._reader = piece.name
        for kind in _classes(list(patterns.values())):
            self._recognize(kind)
        free = {o.node.id for o in piece.free} | piece.bound
        rt = next((n for n, key in means.items() if key == RT), None)
        given = next(n for n in _names("given") if n not in free)
        rt = rt or next(n for n in _names("rt") if n not in free)
        means[given] = self._constant(tuple(patterns.values()), given)
        means[rt], self.rt["suits"] = RT, self.runtime.add(SUITS)
        call = f"{rt}.suits({', '.join([given, *patterns])})"
        text = texts.begun_with(piece.text, call)
        self.pieces[main] = Piece(piece.section, piece.name, text, means)

    def _constant(self, value: Any, name: str) -> Key:
        key = self._key(value)
        if key in self.pieces:
            return key
        number = isinstance(value, int | float | complex | np.generic | np.ndarray)
        if number and np.asarray(value).dtype.kind in "fiubc":
            self.numeric.add(key)
        means: dict[str, Key] = {}

        def refer(found: Any, wish: str) -> str:
            if found is value or not (callable(found) or isinstance(found, ModuleType)):
                raise self._refusal(found, name)
            wish = wish if wish.isidentifier() else "function"
            while wish == name or (wish in means and means[wish] != self._value(found, wish)):
                wish += "_"
            means[wish] = self._value(found, wish)
            return wish

        text = self._called(value, refer) or Writer(refer).text(value)
        empty = any(
            e in text for e in ("[]", "{}", "set()")
        )  # of which nobody can tell what they hold
        kind = f": {type(value).__name__}" if empty and type(value) in CONTAINERS else ""
        self.pieces[key] = Piece(CONSTANTS, name, f"{name}{kind} = {text}\n", means)
        return key

    def _called(self, value: Any, refer: Callable[[Any, str], str]) -> str | None:
        """Functions round functions."""
        if isinstance(value, CACHED):
            given = value.cache_parameters()
            shown = ", ".join(f"{k}={v!r}" for k, v in given.items())
            inner = refer(value.__wrapped__, value.__wrapped__.__name__)
            return f"{refer(functools, 'functools')}.lru_cache({shown})({inner})"
        if isinstance(value, functools.partial) and type(value) is functools.partial:
            write = Writer(refer).text
            parts = [write(value.func), *map(write, value.args)]
            parts += [f"{k}={write(v)}" for k, v in value.keywords.items()]
            return f"{refer(functools, 'functools')}.partial({', '.join(parts)})"
        if isinstance(value, GETTERS):
            write, reduced = Writer(refer).text, cast(tuple[Any, ...], value.__reduce__())
            made, taken = reduced[:2]
            return f"{write(made)}({', '.join(map(write, taken))})"
        return None

    def _refusal(self, value: Any, name: str) -> ExportError:
        said = f"`{name}`, which `{self._reader}` reads, "
        inside = "is" if not isinstance(value, list | dict | tuple) else "holds"
        said += f"{inside} of type {type(value).__name__}: a file cannot hold it"
        return ExportError(said, None, PASS)
