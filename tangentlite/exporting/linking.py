"""One name for each thing in a file, and each piece with these names.

In: pieces and imports.
Out: names by key; texts.
Next: layout.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from typing import Any

from tangentlite.exporting import texts
from tangentlite.exporting.pieces import Import, Key, Piece
from tangentlite.naming import RESERVED, Names
from tangentlite.parsing import parsed


def named(
    pieces: Mapping[Key, Piece], others: Mapping[Key, str], imports: Mapping[Key, Import]
) -> dict[Key, str]:
    """A name for each thing: the first of those it is called by that nothing else has, nor any reader binds.

    The pieces are named in the order given.
    """
    readers: dict[Key, list[tuple[str, Piece]]] = {}
    unknown: set[str] = set()
    for piece in pieces.values():
        for name in dict.fromkeys(o.node.id for o in piece.free):
            if name in piece.means:
                readers.setdefault(piece.means[name], []).append((name, piece))
            elif name != piece.name:
                unknown.add(name)  # builtins, and what is not bound yet
    everything = {n for p in pieces.values() for n in (p.bound | {o.node.id for o in p.free})}
    fresh = Names(everything | unknown)
    given: dict[Key, str] = {}
    taken = set(unknown)
    for key in [*pieces, *others, *(k for k in imports if k not in pieces)]:
        wishes = [pieces[key].name] if key in pieces else []
        wishes += [name for name, _ in readers.get(key, [])]
        wishes += [others[key]] if key in others else []
        if key in imports and not wishes:
            wishes = [imports[key].attribute or imports[key].module]
        bound = {n for _, reader in readers.get(key, []) for n in reader.bound}
        good = (w for w in wishes if w not in taken and w not in bound and w not in RESERVED)
        name = next(good, None) or fresh.fresh(wishes[0])
        given[key] = name
        taken.add(name)
    return given


def linked(piece: Piece, key: Key, names: Mapping[Key, str]) -> str:
    """The text of a piece, in which everything has its name."""
    changes = {name: names[k] for name, k in piece.means.items() if names[k] != name}
    own = names[key]
    if own != piece.name and piece.name not in piece.means:
        changes[piece.name] = own  # otherwise its text means another thing by that name
    if not changes and own == piece.name:
        return piece.text
    edits: dict[int, tuple[Any, str]] = {}
    for found in piece.free:
        if found.node.id in changes:
            if found.around is not None:
                edits[id(found.around)] = found.around, _string(found.around, changes, piece)
            else:
                edits[id(found.node)] = found.node, changes[found.node.id]
    text = texts.edited(piece.text, edits.values())
    for old, new in changes.items():
        if "." in new:  # an attribute of a module, in comments too
            text = re.sub(rf"(?m)^( *#.*)\b{old}\b", rf"\g<1>{new}", text)
    return _defined(text, piece, own)


def _string(node: ast.JoinedStr, changes: Mapping[str, str], piece: Piece) -> str:
    """An f-string in which the free names have changed."""
    inside = {id(o.node) for o in piece.free if o.around is node}
    old = {id(n): n.id for n in ast.walk(node) if isinstance(n, ast.Name) and id(n) in inside}
    named = [n for n in ast.walk(node) if isinstance(n, ast.Name) and id(n) in old]
    for n in named:
        n.id = changes.get(n.id, n.id)
    text = ast.unparse(node)
    for n in named:
        n.id = old[id(n)]
    return text


def _defined(text: str, piece: Piece, name: str) -> str:
    """The definition under its own name."""
    if name == piece.name:
        return text
    statement = parsed(text).body[0]
    if isinstance(statement, ast.Assign | ast.AnnAssign):
        target: Any = (
            statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
        )
        return texts.edited(text, [(target, name)])
    lines = text.splitlines(keepends=True)
    row = statement.lineno - 1
    for word in ("def ", "class "):
        lines[row] = lines[row].replace(f"{word}{piece.name}", f"{word}{name}", 1)
    return "".join(lines)
