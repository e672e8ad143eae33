"""The functions of the runtime that a file needs, taken from its sources.

In: names of ``rt``.
Out: the pieces that define them, and all that these need.
Next: linking.
"""

from __future__ import annotations

import ast
import importlib
import inspect
from functools import cache
from pathlib import Path
from typing import Any

from tangentlite.errors import ExportError
from tangentlite.exporting import foreign, occurrences
from tangentlite.exporting.folding import folded
from tangentlite.exporting.pieces import RUNTIME, Import, Key, Piece
from tangentlite.parsing import parsed
from tangentlite.values import immutable

PACKAGE, RT = "tangentlite", "tangentlite.runtime"
PERSISTENT = ("tangentlite.persistent", "PersistentArray")
HEAVY = {
    PERSISTENT,
    *(f"{RT}.{module}" for module in ("zero", "objects", "closures", "structures")),
}
NONE_OF_THEM = """\
# The class of arrays that keep their versions: there are none here.
PersistentArray: Any = type("PersistentArray", (), {"version": None})
"""
ANY = Import("typing", "Any")
LEAN = "tangentlite.exporting.lean"
FINISH = f"{RT}.edges.finish"
PLAIN: dict[tuple[str, str | None], tuple[str, str | None]] = {
    (FINISH, "_nest"): (FINISH, "_finished")
}  # without functions that are written when they run


@immutable(eq=False)
class Source:
    """A module: its lines, its definitions by name, and where its other names come from."""

    lines: list[str]
    defined: dict[str, ast.stmt]
    imported: dict[str, tuple[str, str | None]]
    stars: list[str]


@cache
def source(module: str) -> Source:
    """The text of a module of the package."""
    found = importlib.import_module(module)
    text = Path(inspect.getfile(found)).read_text(encoding="utf-8")
    made = Source(text.splitlines(), {}, {}, [])
    for statement in parsed(text).body:
        _enter(statement, made)
    return made


def _enter(statement: ast.stmt, made: Source) -> None:
    match statement:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            made.defined[name] = statement
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            made.defined[name] = statement
        case ast.Import(names=names):
            for alias in names:
                made.imported[alias.asname or alias.name] = alias.name, None
        case ast.ImportFrom(module=str(origin), names=names):
            for alias in names:
                if alias.name == "*":
                    made.stars.append(origin)
                else:
                    made.imported[alias.asname or alias.name] = origin, alias.name


def home(module: str, name: str) -> tuple[str, str | None] | None:
    """Where a name of a module is defined: in a module of the package, or by an import from outside.

    >>> home("tangentlite.runtime", "unbroadcast"), home("tangentlite.runtime.zero", "np")
    (('tangentlite.runtime.shapes.broadcast', 'unbroadcast'), ('numpy', None))
    """
    here = source(module)
    if name in here.defined:
        return module, name
    if name in here.imported:
        origin, attribute = here.imported[name]
        inside = origin.partition(".")[0] == PACKAGE and (origin, attribute) != PERSISTENT
        return home(origin, attribute) if inside and attribute else (origin, attribute)
    return next((found for star in here.stars if (found := home(star, name))), None)


def place_of(value: Any) -> tuple[str, str] | None:
    """Where the runtime, or the errors, define an object."""
    module = getattr(value, "__module__", "") or type(value).__module__
    name = getattr(value, "__name__", None) or repr(value)
    if module.startswith(RT) or module == "tangentlite.errors":
        scope = vars(importlib.import_module(module))
        if scope.get(name) is value and name in source(module).defined:
            return module, name
    return None


def leaner(place: tuple[str, str | None]) -> tuple[str, str | None]:
    """Where that is defined which does the same for numbers and arrays only.

    >>> leaner(("tangentlite.runtime.zero", "ZERO")), leaner(("tangentlite.runtime.linear.norms", "ratio"))
    (('tangentlite.exporting.lean', 'ZERO'), ('tangentlite.runtime.linear.norms', 'ratio'))
    """
    module, name = place
    return (LEAN, name) if module.startswith(RT) and name in source(LEAN).defined else place


class Inlined:
    """Collects pieces and imports, each once; ``lean``: those for numbers and arrays only."""

    def __init__(self, lean: bool = False) -> None:
        self.lean = lean
        self.pieces: dict[Key, Piece] = {}
        self.imports: dict[Key, Import] = {}
        self._ranks: dict[str, int] = {}

    def named(self, name: str) -> Key:
        """What ``rt.name`` is."""
        found = home(RT, name) or home(PACKAGE + ".errors", name)
        if found is None:
            raise ExportError(f"`{name}` of tangentlite needs the compiler", None, "")
        return self.add(found)

    def add(self, place: tuple[str, str | None]) -> Key:
        """The key of what is defined or imported there; it is added, and what it needs."""
        place = PLAIN.get(place, place)
        place = leaner(place) if self.lean else place
        module, name = place
        if place == PERSISTENT:
            self.pieces[place] = Piece(RUNTIME, str(name), NONE_OF_THEM, {"Any": ANY_KEY}, (-1, 0))
            self.imports[ANY_KEY] = ANY
        elif module.partition(".")[0] != PACKAGE:
            self.imports[place] = Import(module, name)
        elif place not in self.pieces and name is not None:
            self._define(module, name)
        return place

    def _define(self, module: str, name: str) -> None:
        statement = source(module).defined[name]
        text = _text(source(module).lines, statement)
        text = folded(text) if self.lean else text
        means: dict[str, Key] = {}
        piece = Piece(RUNTIME, name, text, means, (self._rank(module), statement.lineno))
        self.pieces[module, name] = piece
        for found in piece.free:
            place = home(module, found.node.id)
            if place is not None and (not found.said or place[0].partition(".")[0] != PACKAGE):
                means[found.node.id] = self.add(place)

    def is_lean(self) -> bool:
        """Whether nothing is left that is for zeros of unknown shape, nests or objects."""
        return not any(key in HEAVY or str(key[0]) in HEAVY for key in self.pieces)  # type: ignore[index]

    def settled(self) -> dict[Key, Piece]:
        """The pieces; a class that only annotations mention, and that is not there, is Any to them."""
        for key, piece in self.pieces.items():
            module = str(key[0])  # type: ignore[index]
            means: dict[str, Key] = piece.means  # type: ignore[assignment]
            for found in piece.free if key != PERSISTENT else ():
                place = home(module, found.node.id)
                if place is not None and found.node.id not in means:
                    means[found.node.id] = place if place in self.pieces else ANY_KEY
                    self.imports.setdefault(ANY_KEY, ANY)
        return self.pieces

    def _rank(self, module: str) -> int:
        """Modules come after those that they import."""
        if module not in self._ranks:
            self._ranks[module] = -1
            for origin, _ in source(module).imported.values():
                if origin.partition(".")[0] == PACKAGE:
                    self._rank(origin)
            self._ranks[module] = max(self._ranks.values()) + 1
        return self._ranks[module]


ANY_KEY = ("typing", "Any")


def _text(lines: list[str], statement: Any) -> str:
    """The lines of a definition, without the examples in its docstrings."""
    first = min([statement.lineno, *(d.lineno for d in getattr(statement, "decorator_list", []))])
    while lines[first - 2].startswith("#"):
        first -= 1
    kept = lines[first - 1 : statement.end_lineno]
    for node in ast.walk(statement):
        if isinstance(node, ast.Import | ast.ImportFrom) and not _typed(node):
            kept[node.lineno - first] += "  # type: ignore"
    documented: list[Any] = [n for n in ast.walk(statement) if _documented(n)]
    for node in sorted(documented, key=lambda n: -n.body[0].lineno):  # from below: lines go away
        text = node.body[0].value
        start, end = text.lineno - first, text.end_lineno - first
        kept[start : end + 1] = _prose(kept[start : end + 1])
    return "\n".join(kept) + "\n"


def _typed(node: ast.Import | ast.ImportFrom) -> bool:
    name = node.module if isinstance(node, ast.ImportFrom) else node.names[0].name
    return foreign.typed(str(name))


def _documented(node: Any) -> bool:
    return isinstance(node, (*occurrences.DEFINITIONS, ast.ClassDef)) and (
        ast.get_docstring(node) is not None
    )


def _prose(lines: list[str]) -> list[str]:
    """A docstring up to its first example."""
    examples = [i for i, line in enumerate(lines) if line.lstrip().startswith(">>>")]
    if not examples:
        return lines
    kept = lines[: examples[0]]
    while kept and not kept[-1].strip():
        kept.pop()
    margin = lines[-1][: len(lines[-1]) - len(lines[-1].lstrip())]
    if len(kept) == 1:
        return [kept[0] + '"""']
    return [*kept, margin + '"""']
