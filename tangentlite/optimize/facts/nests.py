"""Nests: which names of a text are parts of the arguments that are lists, tuples, dicts and objects.

In: the statements of a derivative, the kinds of its arguments.
Out: ``Nests``: ``kinds`` of names, and ``places``: where the value of a name is found, as text.
Next: slots.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import gast

from tangentlite import runtime, syntax
from tangentlite.analysis.kinds import Dict, Kind, List, Object, Tuple

Body = list[gast.stmt]
Means = Callable[[gast.expr, Any], bool]
CHANGING = frozenset(
    ("append", "extend", "insert", "pop", "remove", "clear", "update", "setdefault", "popitem")
    + ("sort", "reverse", "appendleft", "popleft", "rotate")
)
ALIKE = (runtime.sequence, runtime.unpack, list)  # what gives a list of the same items
EXACT = (List, Tuple, Dict, Object)


class Nests:
    """What is known of the names that are bound to parts of arguments, and to nothing else.

    ``kinds``: what they are. ``places``: the expression that each is bound to, wherever it is.
    """

    def __init__(self, body: Body, kinds: Mapping[str, Kind], means: Means) -> None:
        self.kinds: dict[str, Kind | None] = dict(kinds)
        self.places: dict[str, str] = {}
        self._means, self._counters = means, set[str]()
        for statement in syntax.statements(body):
            self._study(statement)

    def _study(self, statement: Any) -> None:
        match statement:
            case gast.For(target=gast.Name(id=name), iter=gast.Call(func=gast.Name())) if (
                name not in self.kinds
            ):
                self._counters.add(name)
            case gast.For(target=gast.Name(id=name), iter=walked):
                self._bind(name, _item(_row(self._kind(walked)), 0))
            case gast.For(target=target):
                for name in syntax.stores(target):
                    self._bind(name, None)
            case gast.Assign(targets=[gast.Name(id=name)], value=value):
                self._bind(name, self._kind(value), syntax.unparse(value))
            case gast.Assign(targets=[gast.Tuple(elts=elts)], value=value):
                kind = self._kind(value)
                for k, target in enumerate(elts):
                    for name in syntax.stores(target):
                        self._bind(name, _item(kind, k) if isinstance(target, gast.Name) else None)
            case _ if not syntax.blocks(statement):
                for name in syntax.stores(statement):
                    self._bind(name, None)

    def _bind(self, name: str, kind: Kind | None, place: str = "") -> None:
        """A name that is bound to something else, too, is nothing that is known."""
        first = name not in self.kinds and name not in self._counters
        same = not first and self.kinds.get(name) == kind
        self.kinds[name] = kind if first or same else None
        self.places[name] = place if first or self.places.get(name) == place else ""

    def _kind(self, value: Any) -> Kind | None:
        match value:
            case gast.Name(id=name):
                return self.kinds.get(name)
            case gast.Call(func=func, args=[inner, *_], keywords=[]) if self._means(func, ALIKE):
                return _row(self._kind(inner))
            case gast.Subscript(value=inner, slice=gast.Slice()):
                return _row(self._kind(inner))
            case gast.Subscript(value=inner, slice=gast.Name(id=name)) if name in self._counters:
                return _item(_row(self._kind(inner)), 0)
            case gast.Subscript(value=inner, slice=gast.Name()):
                return _any(self._kind(inner))
            case gast.Subscript(value=inner, slice=index):
                return _item(self._kind(inner), number(index))
            case gast.Attribute(value=inner, attr=attr):
                kind = self._kind(inner)
                return _part(kind, attr) if isinstance(kind, Object) else None
        return None


def number(index: Any) -> Any:
    """The key or the place that an index says; None of another one."""
    match index:
        case gast.Constant(value=int() | str() as value) if not isinstance(value, bool):
            return value
        case gast.UnaryOp(op=gast.USub(), operand=gast.Constant(value=int() as value)):
            return -value
    return None


def _row(kind: Kind | None) -> Kind | None:
    return kind if type(kind) is List and not kind.optional else None


def _item(kind: Kind | None, key: Any) -> Kind | None:
    """What is at a place, or under a key, of what cannot be None instead."""
    if type(kind) is List and not kind.optional and isinstance(key, int):
        return kind.item
    if type(kind) is Tuple and not kind.optional and isinstance(key, int):
        return kind.items[key] if -len(kind.items) <= key < len(kind.items) else None
    return _part(kind, key) if type(kind) is Dict else None


def _part(kind: Kind | None, key: Any) -> Kind | None:
    if not isinstance(kind, Dict) or type(kind) not in (Dict, Object):
        return None
    if kind.optional or getattr(kind, "loose", False):
        return None
    return kind.items[kind.keys.index(key)] if isinstance(key, str) and key in kind.keys else None


def _any(kind: Kind | None) -> Kind | None:
    """What is under each key of a dict, if that is the same."""
    if type(kind) is not Dict or kind.optional or not kind.items:
        return None
    return kind.items[0] if all(item == kind.items[0] for item in kind.items) else None


def is_changed(body: Body) -> bool:
    """Whether something may be put into lists, dicts or objects that are not made in the statements themselves.

    >>> def shown(text): return is_changed(syntax.parse(text))
    >>> shown("h = []\\nh.append(p[0])"), shown("p[0].append(h)"), shown("y = np.zeros(3)\\ny[0] = p"), shown("p.w = y")
    (False, True, False, True)
    """
    changed = set(_changed(body))
    if not changed:
        return False
    made, others = set[str](), {""}  # what else may be part of something
    for statement in syntax.statements(body):
        targets = getattr(statement, "targets", None) or [getattr(statement, "target", None)]
        new = isinstance(statement, gast.Assign) and _is_made(statement.value)
        for target in filter(None, targets):
            (made if new and isinstance(target, gast.Name) else others).update(_bound(target))
    return not changed <= made - others


def _bound(target: gast.AST) -> set[str]:
    """The names that a target binds."""
    names = (n for n in syntax.nodes([target]) if isinstance(n, gast.Name))
    return {n.id for n in names if isinstance(n.ctx, gast.Store)}


def _is_made(value: Any) -> bool:
    if isinstance(value, gast.Call):
        return isinstance(value.func, gast.Attribute)
    return isinstance(value, gast.List | gast.BinOp | gast.ListComp)


def _changed(body: Body) -> Iterator[str]:
    """The names of what is changed in place, and what is in it; no name of what has none."""
    for node in syntax.nodes(body):
        match node:
            case gast.Subscript() | gast.Attribute() if not isinstance(node.ctx, gast.Load):
                yield _root(node.value)
            case gast.Call(func=gast.Attribute(value=inner, attr=attr)) if attr in CHANGING:
                yield _root(inner)


def _root(node: Any) -> str:
    """The name of a whole of which a part is meant."""
    return node.id if isinstance(node, gast.Name) else ""
