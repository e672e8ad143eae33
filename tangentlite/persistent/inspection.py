"""What the tree of versions holds, as plain data.

In: a tree.
Out: one `Node` per version.
Next: drawing, array.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tangentlite.persistent.versions import WHOLE, Change, Tree, Version

SHOWN = 18


@dataclass(frozen=True, slots=True)
class Node:
    """A version: its number, counting changes; how many handles hold it; whether the buffer has its values.

    ``toward`` is the neighbor whose values ``change`` turns into these; ``nbytes`` counts what is held for that.
    """

    number: int
    handles: int
    current: bool
    toward: int | None
    change: str
    nbytes: int


def outline(tree: Tree) -> tuple[Node, ...]:
    """All versions, oldest first."""
    found: list[Node] = []
    pending = [tree.root]
    while pending:
        version = pending.pop()
        found.append(node(tree, version))
        child = version.child
        while child is not None:
            pending.append(child)
            child = child.after
    return tuple(sorted(found, key=lambda node: node.number))


def node(tree: Tree, version: Version) -> Node:
    """One version as plain data."""
    current = version is tree.root
    nbytes = tree.view.nbytes if current else sum(map(held, version.changes))
    return Node(
        number=version.number,
        handles=version.handles,
        current=current,
        toward=None if version.toward is None else version.toward.number,
        change=described(version),
        nbytes=nbytes,
    )


def held(change: Change) -> int:
    """The bytes of the values in a change."""
    return 0 if change[2] is None else int(change[2].nbytes)


def described(version: Version) -> str:
    """The changes that lead to a version from its neighbor, in a few characters."""
    if len(version.changes) > 1:
        return f"{len(version.changes)} changes"
    for _, place, values in version.changes:
        if place is WHOLE:
            return "all rows"
        if place is None:
            return f"{version.length} rows"
        return shortened(f"[{index(place)}] = {text(values)}")
    return ""


def index(place: Any) -> str:
    """An index as it is written between brackets."""
    if isinstance(place, tuple):
        return ", ".join(map(index, place)) or "()"
    if isinstance(place, slice):
        bounds = ":".join("" if part is None else str(part) for part in (place.start, place.stop))
        return bounds if place.step is None else f"{bounds}:{place.step}"
    if isinstance(place, np.ndarray):
        return "mask" if place.dtype == bool else text(place)
    return "..." if place is Ellipsis else str(place)


def text(values: Any) -> str:
    """Values, only the first of many."""
    if np.ndim(values) == 0:
        return str(np.asarray(values).item())
    first = np.ravel(values)[:3]
    return f"[{', '.join(str(x) for x in first.tolist())}{', …' if np.size(values) > 3 else ''}]"


def shortened(line: str) -> str:
    """A line that fits between two versions of a drawing."""
    return line if len(line) <= SHOWN else line[: SHOWN - 1] + "…"
