"""The keys of dicts and the members of sets: read, they are whole numbers, or what no derivative flows through.

In: the kind of a dict or a set, and what is done with it.
Out: what a walk over it gives; the kind of a set afterwards.
Next: callees, classify.
"""

from __future__ import annotations

import gast

from tangentlite.analysis.calling.texts import written
from tangentlite.analysis.inside import unknown_inside
from tangentlite.analysis.joining import element, key_of
from tangentlite.analysis.kinds import (
    CONTAINERS,
    SCALAR,
    Dict,
    Inert,
    Kind,
    List,
    Num,
    Tuple,
    Unknown,
    floating,
    is_open,
)
from tangentlite.analysis.operations import NoFlow, Opaque, Operation
from tangentlite.errors import UnsupportedSyntaxError
from tangentlite.values import replace

WHOLE = Num(SCALAR, "int", 0, True)
SET = Inert("set")
WHOLE_SET = Inert("set of whole numbers")
WRITTEN_SET = Inert("set", written=True)
NUMBERS = Unknown("it is a set of numbers through which a derivative may flow")
PERHAPS = Unknown(f"{NUMBERS.why}, unless texts are given")
MEMBERS = "Keep them in a list; a set is good for whole numbers, strings, and to ask `x in seen`."
KEYS = "Keep them in a list beside the values: `zip(points, values)`."
CHANGING = frozenset(
    "add update discard remove clear intersection_update difference_update symmetric_difference_update".split()
)
JOINING = frozenset("union intersection difference symmetric_difference copy".split())


def walked(kind: Kind) -> tuple[Operation, Kind]:
    """A walk over the keys of a dict, a set, or something else that is inert."""
    if isinstance(kind, Dict):
        key = key_of(kind)
        if unlike(kind):
            return NoFlow(), Tuple(tuple(Inert("str", literal=k) for k in kind.keys))
        if key is not None and is_open(kind.keys) and floating(key):
            reason = "its keys are numbers through which a derivative may flow"
            return Opaque((), reason, KEYS, UnsupportedSyntaxError), Unknown(reason)
        if key is not None and not isinstance(key, Inert | Unknown):
            return NoFlow(), List(key)
        if kind.keys and _named(kind):
            return NoFlow(), Inert("sequence", literal=kind.keys)
    if written(kind):
        return NoFlow(), Inert("sequence", written=True)
    if kind == Inert("shape") or isinstance(getattr(kind, "literal", None), tuple):
        return NoFlow(), kind
    return NoFlow(), List(WHOLE) if kind in (WHOLE_SET, Inert("range")) else Inert("sequence")


def unlike(kind: Kind | None) -> bool:
    """Whether a kind is that of a dict under whose names there are values of several kinds."""
    if not isinstance(kind, Dict) or not _named(kind):
        return False
    return not any(map(unknown_inside, kind.items)) and unknown_inside(element(kind))


def name_at(kind: Kind, index: gast.expr) -> Kind:
    """``names[0]`` of the names in a dict."""
    match kind, index:
        case Inert(type="sequence", literal=tuple() as names), gast.Constant(value=int() as k):
            return Inert("str", literal=names[k]) if 0 <= k < len(names) else Inert()
    return Inert(written=written(kind))


def _named(kind: Dict) -> bool:
    """Whether all keys of a dict are known names."""
    return all(isinstance(key, str) for key in kind.keys)


def members(kind: Kind | None) -> tuple[Operation, Kind]:
    """``set(xs)``, where xs is of this kind; None: nothing is given."""
    if kind is None or kind in (WHOLE_SET, Inert("range")):
        return NoFlow(), WHOLE_SET
    item = element(kind) if isinstance(kind, CONTAINERS) else kind
    if isinstance(kind, Dict):
        item = key_of(kind)
    if item is None or (isinstance(item, Num) and item.inert and isinstance(kind, CONTAINERS)):
        return NoFlow(), WHOLE_SET
    if written(item):
        return NoFlow(), WRITTEN_SET
    if floating(item):
        found = NUMBERS if isinstance(kind, CONTAINERS) else PERHAPS
        reason = f"it makes a set: {found.why}"
        return Opaque((), reason, MEMBERS, UnsupportedSyntaxError), found
    return NoFlow(), SET


def is_set(kind: Kind) -> bool:
    """Whether a kind is that of a set."""
    return kind in (SET, WHOLE_SET, WRITTEN_SET, NUMBERS, PERHAPS)


def changed(kind: Kind, given: list[Kind]) -> Kind:
    """The kind of a set after something of these kinds came to it."""
    parts = [element(k) if isinstance(k, CONTAINERS) else k for k in given]
    if kind in (NUMBERS, PERHAPS) or any(p is not None and floating(p) for p in parts):
        return kind if kind == PERHAPS else NUMBERS
    if written(kind) or any(map(written, given)):
        return WRITTEN_SET
    whole = all(p is None or p == WHOLE_SET or (isinstance(p, Num) and p.inert) for p in parts)
    return kind if whole else SET


def combined(kinds: list[Kind]) -> Kind | None:
    """The kind of ``a | b``, ``a & b``, … of sets; None if they are none."""
    if not all(map(is_set, kinds)):
        return None
    numbers = [k for k in (NUMBERS, PERHAPS) if k in kinds]
    return numbers[0] if numbers else changed(kinds[0], kinds[1:])


def from_inputs(operation: Operation, inputs: tuple[str, ...]) -> Operation:
    """What nobody has followed may come from any input."""
    if isinstance(operation, Opaque) and not operation.names:
        return replace(operation, names=inputs)
    return operation
