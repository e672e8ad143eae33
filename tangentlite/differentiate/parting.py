"""The adjoint of a tuple that is only taken apart: a tuple of the adjoints of its parts.

In: ``u = t[0]``, one of some statements in a row that take a tuple apart, each another part.
Out: ``bt = bu, bv``; where the tuple is read in other ways, its adjoint is a buffer.
Next: contributions.
"""

from __future__ import annotations

import gast

from tangentlite import syntax
from tangentlite.analysis.kinds import Tuple
from tangentlite.analysis.operations import Slot, target
from tangentlite.analysis.versions import Version
from tangentlite.differentiate.adjoints import Adjoints, Body
from tangentlite.differentiate.shapes import shape_of_kind


def part(adjoints: Adjoints, operation: Slot, name: str) -> Body:
    """The adjoint of a part goes into that of the whole."""
    whole, index = operation.container, operation.index
    bx = syntax.name(adjoints.adjoint(name))
    if whole not in adjoints.before:
        return []
    row = _row(adjoints, whole)
    if row is None:
        return adjoints.give_at(whole, index, bx, False)
    found = adjoints.parts[row[0]]
    found[index.value] = bx
    adjoints.bound[whole] = shape_of_kind(adjoints.kind(whole))
    zero = adjoints.session.runtime("ZERO")
    parts = [found.get(k, zero) for k in range(row[1])]
    made = adjoints.session.facts.versions.made.items()
    makers = [s for s, v in made if v.name == whole and isinstance(s, gast.Assign)]
    once = len(makers) == 1  # the adjoints of others may be buffers, which are lists
    display = gast.Tuple if once else gast.List
    return [syntax.assign(adjoints.adjoint(whole), display(parts, gast.Load()))]


def _row(adjoints: Adjoints, whole: str) -> tuple[Version, int] | None:
    """The version of a tuple and its length, if nothing reads it but statements in a row that take it apart."""
    facts, statement = adjoints.session.facts, adjoints.statement
    assert statement is not None
    version = facts.versions.reads[statement].get(whole)
    if version is None or whole in adjoints.shadowed or adjoints.shapes.lazy:
        return None
    kind = adjoints.kind(whole)
    if type(kind) is not Tuple or kind.type != "tuple" or kind.optional:
        return None
    count = len(kind.items)
    if whole not in adjoints.bound:
        if not _is_taken_apart(adjoints, version, count):
            return None
        adjoints.parts[version] = {}
    return (version, count) if version in adjoints.parts else None


def _is_taken_apart(adjoints: Adjoints, version: Version, count: int) -> bool:
    """Whether all that reads a version stands in a row, in the block that makes it, and takes another part each."""
    facts, block = adjoints.session.facts, version.scope.block
    readers = facts.versions.readers(version)
    first = next((k for k, s in enumerate(block) if s is readers[0]), None)
    if first is None or block[first : first + len(readers)] != readers:
        return False
    parts, names = set[int](), set[str | None]()
    for reader in readers:
        match facts.operation(reader):
            case Slot(index=gast.Constant(value=int() as k)) as operation if 0 <= k < count:
                parts.add(k)
                names.add(target(reader, operation))
    apart = names.isdisjoint(adjoints.shadowed)  # the others add into their shadows
    return apart and len(parts) == len(names) == len(readers)
