"""What a class inside a function holds itself, and changes: each call of the function begins with what it began with.

In: the definition of a class, and the function.
Out: the statements that stand for the definition; None where what the class holds changes otherwise.
Next: classes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gast

from tangentlite import syntax
from tangentlite.ir import Function

LOOKING = frozenset(("items", "keys", "values", "get", "index", "count", "copy", "sum", "dot"))
LOOKING |= frozenset(("mean", "max", "min", "reshape", "format", "join", "lower", "upper"))


def begun(node: Any, function: Function) -> list[Any] | None:
    """``C.n = 0`` for ``class C: n = 0`` where the function, or a method, sets ``C.n``.

    >>> from tangentlite.lowering.example import function
    >>> text = "class C:\\n    n = 0\\n    def __init__(self):\\n        C.n += 1\\nC()\\nreturn C.n * x"
    >>> f = function(text, "x")
    >>> print("\\n".join(map(syntax.unparse, begun(f.body[0], f))))
    C.n = 0
    """
    held = dict(_held(node))
    changed = {attr for s in function.body for attr in _set_by_class(s, node.name)}
    nodes = [n for s in function.body for n in syntax.walk(s)]
    written = {a for n in nodes for a in _written(n) if not isinstance(held.get(a), gast.Constant)}
    if (written & held.keys()) - _of_objects(node):
        return None
    if changed and function.name in function.read:  # another call has a class of its own
        return None
    if not all(isinstance(held.get(attr), gast.Constant) for attr in changed):
        return None
    place = gast.Name(node.name, gast.Load(), None, None)
    begin = [
        gast.Assign([gast.Attribute(place, attr, gast.Store())], held[attr], None)
        for attr in sorted(changed)
    ]
    return [_placed(s, node) for s in begin]


def _held(node: Any) -> Iterator[tuple[str, Any]]:
    """What the class binds in its body."""
    for statement in node.body:
        match statement:
            case gast.Assign(targets=targets, value=value):
                yield from ((n, value) for t in targets for n in syntax.stores(t))
            case gast.AnnAssign(target=gast.Name(id=name), value=value) if value is not None:
                if not node.decorator_list:  # else it is a field
                    yield name, value


def _of_objects(node: Any) -> set[str]:
    """The attributes that every object has as its own from the beginning."""
    begin = [s for m in node.body if getattr(m, "name", "") == "__init__" for s in m.body]
    targets = [t for s in begin for t in getattr(s, "targets", [])]
    return {t.attr for t in targets if isinstance(t, gast.Attribute)}


def _set_by_class(statement: Any, name: str) -> Iterator[str]:
    """The attributes that are set by the name of the class, by ``cls`` or ``type(self)``."""
    for node in syntax.walk(statement):
        match node:
            case gast.Attribute(value=gast.Name(id=known), attr=attr, ctx=gast.Store()):
                if known in (name, "cls"):
                    yield attr
            case gast.Attribute(
                value=gast.Call(func=gast.Name(id="type")) | gast.Attribute(attr="__class__"),
                attr=attr,
                ctx=gast.Store(),
            ):
                yield attr


def _written(node: Any) -> Iterator[str]:
    """The attributes into whose values a node may write."""
    match node:
        case gast.Subscript(value=gast.Attribute(attr=attr), ctx=gast.Store() | gast.Del()):
            yield attr
        case gast.AugAssign(target=gast.Attribute(attr=attr)):
            yield attr
        case gast.Call(func=gast.Attribute(value=gast.Attribute(attr=attr), attr=method)):
            if method not in LOOKING:
                yield attr


def _placed(statement: Any, place: Any) -> Any:
    for node in [statement, *syntax.walk(statement)]:
        syntax.at(node, place)
    return statement
