"""The order of a file: imports, constants, the derivative, what it calls, the runtime.

In: what was gathered.
Out: the text.
Next: export.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from tangentlite.exporting import foreign
from tangentlite.exporting.gathering import RT, Gathered
from tangentlite.exporting.linking import linked, named
from tangentlite.exporting.pieces import CONSTANTS, OWN, RUNTIME, Import, Key, Piece

HEADS = {
    CONSTANTS: "Values that the functions read, as they were when this file was written.",
    OWN: "Functions and classes that the derivative uses as they are.",
    RUNTIME: "What the derivative calls as `{rt}`, from the runtime of tangentlite{kinds}.",
}
# Rules of style, in which the user's code, what is made of it and the runtime follow manners of their own.
STYLE = (
    "F841 PLC0206 PLR0124 PLR1711 PLR1730 RET501 RUF059 RUF100 SIM102 SIM201 SIM401 SIM905 TRY203"
)
NAMESPACE = ("types", "SimpleNamespace")


def file_text(head: str, mains: Iterable[Key], found: Gathered) -> str:
    """The whole file, not formatted yet."""
    pieces = {**found.pieces, **found.runtime.settled()}
    imports = dict(found.imports)
    if found.rt:
        imports[NAMESPACE] = Import(*NAMESPACE)
    first = {k: pieces[k] for k in mains}
    names = named({**first, **_ranked(pieces)}, {RT: "rt"} if found.rt else {}, imports)
    _through_modules(pieces, names, imports)
    foreigners = any(foreign.section(one.module) == 2 for one in imports.values())
    style = sorted([*STYLE.split(), *["I001"] * foreigners])
    parts = [
        f'"""{head}"""',
        f"# ruff: noqa: {', '.join(style)}",
        "from __future__ import annotations",
    ]
    parts += [_imports(imports, names), f"__all__ = {[names[k] for k in mains]!r}"]
    kinds = ": what it does for numbers and arrays" if found.runtime.lean else ""
    parts += _definitions(pieces, names, kinds)
    if found.rt:
        shown = ", ".join(f"{n}={names[k]}" for n, k in sorted(found.rt.items()))
        parts.append(f"{names[RT]} = {names[NAMESPACE]}({shown})")
    return "\n\n".join(p.rstrip("\n") for p in parts if p) + "\n"


def _through_modules(
    pieces: Mapping[Key, Piece], names: dict[Key, str], imports: dict[Key, Import]
) -> None:
    """``np.sin`` where a function could not have its own name in the file, and its module is imported."""
    bound = {name for piece in pieces.values() for name in piece.bound}
    for key, one in list(imports.items()):
        module = names.get((one.module, None))
        if module and module not in bound and one.attribute and names[key] != one.attribute:
            names[key] = f"{module}.{one.attribute}"
            del imports[key]


def _definitions(
    pieces: Mapping[Key, Piece], names: Mapping[Key, str], kinds: str
) -> Iterator[str]:
    """The pieces in their order, each kind under its heading; constants stand close to each other."""
    told, constants = set[int](), list[str]()
    for key, piece in _sorted(_ranked(pieces)).items():
        if piece.section != CONSTANTS and constants:
            yield "\n".join(constants)
            constants = []
        text = linked(piece, key, names).rstrip("\n")
        if piece.section in HEADS and piece.section not in told:
            heading = "# " + HEADS[piece.section].format(rt=names.get(RT, "rt"), kinds=kinds)
            text = heading + ("\n" if piece.section == CONSTANTS else "\n\n") + text
        told.add(piece.section)
        if piece.section == CONSTANTS:
            constants.append(text)
        else:
            yield text
    yield "\n".join(constants)


def _ranked(pieces: Mapping[Key, Piece]) -> dict[Key, Piece]:
    """In the order of the sections, and of the sources of the runtime."""
    return dict(sorted(pieces.items(), key=lambda item: (item[1].section, item[1].order)))


def _sorted(pieces: Mapping[Key, Piece]) -> dict[Key, Piece]:
    """In the order in which they were found, but after what they need when they are defined."""
    done: dict[Key, Piece] = {}

    def enter(key: Key) -> None:
        if key in pieces and key not in done:
            for need in pieces[key].wanted(early=True):
                if need != key:
                    enter(need)
            done[key] = pieces[key]

    for key in pieces:
        enter(key)
    return done


def _imports(imports: Mapping[Key, Import], names: Mapping[Key, str]) -> str:
    """Python's own modules, installed ones, the user's: plain imports first, then names from modules."""
    sections: dict[int, dict[tuple[bool, str], set[str]]] = {}
    for key, one in imports.items():
        text = one.text(names[key])
        place = text.startswith("from "), text.split()[1]
        section = sections.setdefault(foreign.section(one.module), {})
        section.setdefault(place, set()).add(text)
    shown = []
    for _, section in sorted(sections.items()):
        ordered = sorted(section.items(), key=lambda item: (item[0][0], item[0][1].lower()))
        shown.append("\n".join(_import(module, texts) for (_, module), texts in ordered))
    return "\n\n".join(shown)


def _import(module: str, texts: set[str]) -> str:
    """The statements for one module: names together, constants and classes first; renamed ones apart."""
    ignored = "" if foreign.typed(module) else "  # type: ignore"
    plain = [t.split()[-1] for t in texts if t.startswith("from ") and " as " not in t]
    lines = sorted(t for t in texts if " as " in t or t.startswith("import "))
    if plain:
        lines.insert(0, f"from {module} import {', '.join(sorted(plain, key=_rank))}")
    return "\n".join(line + ignored for line in lines)


def _rank(name: str) -> tuple[int, str]:
    kind = 0 if name.isupper() and len(name) > 1 else 1 if name[0].isupper() else 2
    return kind, name
