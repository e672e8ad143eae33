"""Containers: the kinds of their elements, and what operators do with them.

In: kinds of operands.
Out: the kind of a slot; the operation and the kind of ``+`` and ``*``.
Next: classify.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import gast

from tangentlite import rules, runtime, syntax
from tangentlite.analysis.calling.texts import STRINGS, text
from tangentlite.analysis.joining import any_dict, either, element, join, key_of, may_be_tuple
from tangentlite.analysis.kinds import (
    Dict,
    Inert,
    Kind,
    List,
    Nothing,
    Num,
    Object,
    Pending,
    Tuple,
    Unknown,
    Value,
    is_closure,
    is_open,
)
from tangentlite.analysis.lists.nesting import unfolded, unnested
from tangentlite.analysis.operations import Joined, NoFlow, Opaque, Operation, Primitive
from tangentlite.errors import UnsupportedSyntaxError
from tangentlite.ir import Origin
from tangentlite.values import replace

WHOLE = (
    "If it is to be repeated, say that the number is whole: `items * int(n)`; "
    "if each element is to be multiplied, make it an array: `np.array(items)`."
)
NAMED = "Keep what it was made of under a name of its own."
APART = (
    "Give each name values of one kind, and keep numbers and arrays apart from other objects. "
    "What is a list or a dict is known when the derivative is called with it."
)
SIGNS = {
    operator.add: "+",
    operator.sub: "-",
    operator.mul: "*",
    operator.truediv: "/",
    operator.floordiv: "//",
    operator.mod: "%",
    operator.pow: "**",
    operator.matmul: "@",
    operator.and_: "&",
    operator.or_: "|",
    operator.xor: "^",
    operator.neg: "-",
    operator.lshift: "<<",
    operator.rshift: ">>",
    operator.pos: "+",
    operator.invert: "~",
}
ARRAY = "Make an array of it first: `np.array(items)`."
JOINED = (
    "To join them, write `items + list(w)`; to add numbers, make an array first: `np.array(items)`."
)


def slot(kind: Kind, index: gast.expr, kind_of: Callable[[gast.expr], Kind]) -> Kind:
    """The kind of ``container[index]``."""
    at = kind_of(index) if syntax.is_atom(index) else Inert()
    match kind := unnested(kind):
        case Tuple(items=items, type=type_):
            if isinstance(at, Num) and isinstance(at.literal, int):
                inside = -len(items) <= at.literal < len(items)
                return items[at.literal] if inside else Pending()  # it raises
            if isinstance(index, gast.Slice):
                return _sliced(items, index, kind_of, type_)
            if is_slice(at):
                return _any_part(items, type_)
        case List() if isinstance(index, gast.Slice) or is_slice(at):
            return kind
        case Object(keys=keys, items=items):
            key = index.value if isinstance(index, gast.Constant) else None
            if key in keys:
                return unfolded(items[keys.index(key)], kind)
            return Unknown("it is no attribute of the object")
        case Dict(keys=keys, items=items):
            key = index.value if isinstance(index, gast.Constant) else getattr(at, "literal", None)
            if isinstance(key, str) and key in keys:
                return items[keys.index(key)]
            if isinstance(index, gast.Constant) and key in keys:
                return items[keys.index(key)]
    nothing = Pending() if getattr(kind, "bare", False) else Num()  # if nothing is in it, it raises
    return element(kind) or nothing


def is_slice(kind: Kind) -> bool:
    """Whether values of a kind are slices."""
    return isinstance(kind, Inert) and kind.type == "slice"


def _sliced(
    items: tuple[Kind, ...], index: gast.Slice, kind_of: Callable[[gast.expr], Kind], type_: str
) -> Kind:
    bounds: list[int | None] = []
    for bound in (index.lower, index.upper, index.step):
        if bound is None:
            bounds.append(None)
            continue
        kind = kind_of(bound)
        if not isinstance(kind, Num) or not isinstance(kind.literal, int):
            return _any_part(items, type_)
        bounds.append(kind.literal)
    return Tuple(items[slice(*bounds)], type_)


def _any_part(items: tuple[Kind, ...], type_: str) -> Kind:
    return List(element(Tuple(items)), loose=type_ == "tuple")


def operation(primal: Any, operands: list[gast.expr], kinds: list[Kind]) -> tuple[Operation, Kind]:
    """``+`` of two lists or tuples, ``*`` of one and an integer, ``%`` of a text."""
    names, kinds = (
        tuple(o.id for o in operands if isinstance(o, gast.Name)),
        [*map(unnested, kinds)],
    )
    if primal is operator.mod and getattr(kinds[0], "type", "") in STRINGS:
        return NoFlow(), text(kinds, "str")
    reason, hint = _words(primal, operands, kinds)
    opaque = Opaque(names, reason, hint, UnsupportedSyntaxError, True)
    joined: Operation = Joined(*names) if len(names) == 2 else opaque
    match kinds:
        case [Tuple(items=a, type=s), Tuple(items=b, type=t)] if s == t and primal is operator.add:
            return joined, Tuple(a + b, s)
        case [(List() | Tuple()) as a, (List() | Tuple()) as b] if primal is operator.add:
            first, second = element(a), element(b)
            item = join(first, second, None) if first and second else first or second
            return joined, List(item, loose=may_be_tuple(a) and may_be_tuple(b))
        case [Dict() as a, Dict() as b] if primal is operator.or_:
            return opaque, _merged(a, b)
        case [(List() | Tuple()) as xs, Num() as n] if primal is operator.mul:
            return _times(operands, xs, n, opaque)
        case [Num() as n, (List() | Tuple()) as xs] if primal is operator.mul:
            return _times(operands[::-1], xs, n, opaque)
    unknown = next((k for k in kinds if isinstance(k, Unknown)), None)
    return opaque, unknown or Unknown(reason)


def _merged(a: Dict, b: Dict) -> Dict:
    """The kind of ``a | b``."""
    if is_open(a.keys) or is_open(b.keys):
        return any_dict(element(join(a, b, None)), either(key_of(a), key_of(b)))
    table = dict(zip(a.keys, a.items)) | dict(zip(b.keys, b.items))
    return Dict(tuple(table), tuple(table.values()))


def _words(primal: Any, operands: list[gast.expr], kinds: list[Kind]) -> tuple[str, str]:
    """Why an operator is refused, and what to write instead."""
    for operand, kind in zip(operands, kinds):
        if isinstance(kind, Unknown):
            return cannot_tell(syntax.unparse(operand), kind), APART
    shown = " and ".join(described(kind) for kind in kinds)
    place = f"between {shown}" if len(kinds) > 1 else f"of {shown}"
    reason = f"`{SIGNS.get(primal, primal.__name__)}` {place} is not differentiated yet"
    if any(isinstance(k, Nothing) for k in kinds):
        return reason, "Ask for None first: `if x is None: …`."
    if any(isinstance(k, (List, Tuple)) for k in kinds):
        return reason, JOINED if primal is operator.add else ARRAY
    if all(isinstance(k, Dict) for k in kinds):
        return reason, "Copy the one and update it with the other: `d = dict(a)`, `d.update(b)`."
    return reason, "Take the numbers out of it first."


def check_opened(kind: Kind, node: gast.Attribute, origin: Origin) -> None:
    """Refuse attributes of a function that captures values: partials and polynomials are such functions, too."""
    if is_closure(kind) and node.attr != "__name__":
        reason = (
            f"`.{node.attr}` of the function `{syntax.unparse(node.value)}`, which is made here,"
        )
        raise UnsupportedSyntaxError(f"{reason} is not supported yet", origin.place(node), NAMED)


def cannot_tell(shown: str, kind: Kind) -> str:
    """That nothing is known of a value, and why."""
    why = kind.why if isinstance(kind, Unknown) else ""
    return f"cannot tell what `{shown}` is{': ' if why else ''}{why}"


def described(kind: Kind) -> str:
    """A kind in words, with its article."""
    match kind:
        case Num():
            return "a number" if kind.scalar else "an array" if kind.array else "a number or array"
        case Tuple(type=type_):
            return f"a {type_}"
        case Nothing():
            return "None"
        case Inert(type=type_):
            return f"a {type_}" if type_ else "what is no number"
        case Value():
            return "a function"
    return f"a {type(kind).__name__.lower()}"


def _times(
    operands: list[gast.expr], kind: List | Tuple, count: Num, opaque: Opaque
) -> tuple[Operation, Kind]:
    """``xs * n``: the elements ``n`` times, if ``n`` is a whole number and no array."""
    if count.exact != "int" or not count.scalar:
        item = element(kind)  # an array takes integers for numbers: their product depends on it
        return replace(opaque, hint=WHOLE), List(Num() if isinstance(item, Num) else item)
    rule = rules.find(runtime.repeated)
    assert rule is not None
    bound = dict(zip(("xs", "n"), operands))
    found = Primitive(rule, bound, {"xs": kind, "n": count})
    if isinstance(kind, Tuple) and isinstance(count.literal, int):
        return found, Tuple(kind.items * count.literal, kind.type)
    return found, List(element(kind), loose=may_be_tuple(kind))
