"""Views of arrays that live outside of the function.

In: a statement, and the names whose memory its target may share.
Out: those that are arrays outside, of which it may take a view.
Next: aliases.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set

import gast
import numpy as np

from tangentlite import ir
from tangentlite.analysis.kinds import Kind, Num


def viewed(
    statement: gast.stmt,
    names: Iterable[str],
    namespace: ir.Namespace,
    local: Set[str],
    kinds: Mapping[str, Kind],
) -> list[str]:
    """Names that mean arrays; an element of an array with one axis is a number."""
    found = [
        name
        for name in sorted(set(names) - local)
        if namespace.binds(name) and isinstance(namespace.lookup(name), np.ndarray)
    ]
    match getattr(statement, "value", None):
        case gast.Subscript(value=gast.Name(id=name), slice=index) if name in found:
            if _counts(index, kinds) and namespace.lookup(name).ndim == 1:
                found.remove(name)
    return found


def _counts(index: gast.expr, kinds: Mapping[str, Kind]) -> bool:
    """Whether an index is a number: no slice, no new axis."""
    if isinstance(index, gast.Name):
        return isinstance(kinds.get(index.id), Num)
    if isinstance(index, gast.Constant):
        return isinstance(index.value, int)
    return isinstance(index, gast.BinOp | gast.UnaryOp)
