"""Statements that write: into arrays, lists and dicts.

In: a statement and the kinds before it.
Out: its operation, and the kinds it changes.
Next: calls.
"""

from __future__ import annotations

from typing import Any

import gast
import numpy as np

from tangentlite import runtime, syntax
from tangentlite.analysis.atoms import Atoms, Environment
from tangentlite.analysis.classes.members import MISSING, PLAIN, lookup, writable
from tangentlite.analysis.joining import any_dict, either, element, join, key_of
from tangentlite.analysis.kinds import (
    CONTAINERS,
    Again,
    Dict,
    Inert,
    Kind,
    List,
    Nothing,
    Num,
    Object,
    Tuple,
    Unknown,
    floating,
    general,
    is_open,
)
from tangentlite.analysis.lists import containers
from tangentlite.analysis.lists.containers import described
from tangentlite.analysis.lists.nesting import holds, unnested
from tangentlite.analysis.operations import (
    Accumulate,
    Mutate,
    NoFlow,
    Opaque,
    Operation,
    Push,
    Store,
)
from tangentlite.analysis.storage.origins import unplaced
from tangentlite.rules import UNKNOWN
from tangentlite.values import replace

Changed = tuple[Operation, dict[str, Kind]]
LIST_METHODS = frozenset("append pop insert extend remove reverse sort clear __delitem__".split())
DICT_METHODS = frozenset("pop update setdefault clear __delitem__".split())
HELD = {("append", 0), ("insert", 1), ("setdefault", 1)}
SPREAD = {("extend", 0), ("update", 0)}
LIST = "Bind it to a list on every path: `xs = []`."
PLAINLY = (
    "Attributes of plain classes can be set: no `__setattr__`, no descriptor, and a place if there are `__slots__`; "
    "what the class has as well is first set in `__init__`."
)
KEEP = "Keep what changes in an array, a list or a dict, under a name that holds nothing else."
NO_LIST = "got what is not known to be a list, tuple or dict"
WHOLE = (np.copyto, runtime.settle)
ADDERS = {np.add.at: 1, np.subtract.at: -1}


def stored(kind: Kind, index: gast.expr, item: Kind | None, key: Kind) -> Kind:
    """The kind of a list or dict after something was stored in it; ``key``: the kind of the index."""
    match kind := unnested(kind):
        case Tuple(items=items):
            k = index.value if isinstance(index, gast.Constant) else None
            if isinstance(k, int) and -len(items) <= k < len(items) and item is not None:
                new = list(items)
                new[k] = item
                return replace(kind, items=tuple(new), optional=False)
        case Object(keys=keys, items=items):
            table = dict(zip(keys, items)) | {index.value: folded(item or Unknown(), kind)}
            keys = tuple(sorted(table))
            whole = replace(kind, keys=keys, items=tuple(table[key] for key in keys))
            if not holds(whole, whole.owner):
                return whole
            return unplaced(_of_one_kind(whole, item) if isinstance(item, Object) else whole)
        case Dict(keys=keys, items=items) if isinstance(index, gast.Constant) and item is not None:
            if not is_open(keys):
                table = dict(zip(keys, items)) | {index.value: item}
                return Dict(tuple(table), tuple(table.values()), made=kind.made)
    known = element(kind)
    if known is not None and item is not None:
        item = join(known, item, None)
    if isinstance(kind, Dict):
        return replace(any_dict(item or known, either(key_of(kind), key)), made=kind.made)
    return List(item or known, made=getattr(kind, "made", None))


def _of_one_kind(whole: Object, part: Object) -> Kind:
    """The kind of an object that holds another one of its class: what that holds, this may hold."""
    if part.owner is not whole.owner:
        return whole
    flags = {"optional": whole.optional, "fields": whole.fields, "direct": whole.direct}
    return join(whole, replace(part, **flags), None)


def folded(kind: Kind, whole: Object) -> Kind:
    """The kind of a part of an object, as it is kept there: what is of the object's kind stands for itself."""
    if isinstance(kind, Object) and kind.owner is whole.owner:
        return Again(kind.owner, kind.optional)
    return kind


def _no_list(name: str, method: str) -> Kind:
    return Unknown(f"`{name}.{method}` {NO_LIST}")


def _keys(kind: Dict, method: str, given: list[Kind]) -> Kind | None:
    """The kind of the keys of a dict after a method got arguments of these kinds."""
    key = key_of(kind)
    if method not in ("setdefault", "update") or not given:
        return key
    added: Kind | None = given[0] if method == "setdefault" else Inert()
    if isinstance(given[0], Dict) and method == "update":
        added = key_of(given[0])
    return either(key, added)


def knowing(
    kind: Dict, method: str, args: list[gast.expr], named: dict[str, gast.expr], given: list[Kind]
) -> tuple[Kind, Kind] | None:
    """The kinds of a dict whose keys are known and of the result after a method; None if they are not known then."""
    if isinstance(kind, Object) or is_open(kind.keys):
        return None
    table = dict(zip(kind.keys, kind.items))
    key = args[0].value if args and isinstance(args[0], gast.Constant) else UNKNOWN
    match method, given[: len(args)]:
        case "update", [*first]:
            for other in first:
                if not isinstance(other, Dict) or is_open(other.keys) or isinstance(other, Object):
                    return None
                table |= dict(zip(other.keys, other.items))
            return _with(kind, table | dict(zip(named, given[len(args) :]))), Nothing()
        case "setdefault", [_, value] if key is not UNKNOWN:
            found = table.setdefault(key, value)
            return _with(kind, table), found
        case "pop", [_, *_] if key in table:
            found = table.pop(key)
            return _with(kind, table), found
        case "pop", [_, default] if key is not UNKNOWN:
            return kind, default
    return None


def _with(kind: Dict, table: dict[Any, Kind]) -> Dict:
    return replace(kind, keys=tuple(table), items=tuple(table.values()), bare=False, optional=False)


class Writes(Atoms):
    """The part of the classifier for statements that bind no name."""

    def store(self, name: str, index: gast.expr, value: gast.expr, state: Environment) -> Changed:
        """``name[index] = value``."""
        kind = self._written(name, state)
        if isinstance(kind, Num):
            return Store(name, index, value, self._unique(index, state)), {}
        if isinstance(kind, Object) and not self._settable(kind, index, self.kind(value, state)):
            return self._fixed(kind, name, index), {}
        if isinstance(kind, (List, Dict)) or (isinstance(kind, Tuple) and kind.type == "list"):
            item: Kind | None = Unknown()
            if syntax.is_atom(value):
                item = general(self.kind(value, state))
            if isinstance(index, gast.Slice) or containers.is_slice(self._key(index, state)):
                item = element(item) if item is not None else None
            return Store(name, index, value, holds=True), {
                name: stored(kind, index, item, self._key(index, state))
            }
        whole = isinstance(index, gast.Constant) and index.value is ...
        if isinstance(kind, Tuple) and not whole:
            return NoFlow(), {}  # Python's own error
        return self._refused(name, kind, value), {}

    def sum(
        self, name: str, index: gast.expr, value: gast.expr, sign: int, state: Environment
    ) -> Changed:
        """``name[index] += value``."""
        kind = self._written(name, state)
        if isinstance(kind, Num):
            return Accumulate(name, index, value, sign, self._unique(index, state)), {}
        if isinstance(kind, Object) and not self._settable(kind, index):
            inert = not floating(self.kind(value, state))
            return self._fixed(kind, "" if inert else name, index), {}
        if isinstance(kind, (List, Tuple, Dict)):
            old = self._slot(kind, index, state)
            item = general(join(old, self.kind(value, state), None))
            number = isinstance(old, Num) and old.scalar
            anything = not (number or (isinstance(old, Num) and old.array))
            changed = {name: stored(kind, index, item, self._key(index, state))}
            return Accumulate(
                name, index, value, sign, holds=True, anything=anything, number=number
            ), changed
        return self._refused(name, kind, value), {}

    def _key(self, index: gast.expr, state: Environment) -> Kind:
        if isinstance(index, gast.Tuple) and all(map(syntax.is_atom, index.elts)):
            return Tuple(tuple(general(self.kind(e, state)) for e in index.elts))
        return general(self.kind(index, state)) if syntax.is_atom(index) else Inert()

    def _settable(self, kind: Object, index: gast.expr, value: Kind | None = None) -> bool:
        """What an object of the user's has of its class only may be set to what no derivative flows through."""
        key = index.value if isinstance(index, gast.Constant) else None
        if not (kind.fields and isinstance(key, str) and writable(kind.owner, key, kind.direct)):
            return False
        found = lookup(kind.owner, key)[1]
        own = key in kind.keys and not kind.loose
        inert = value is not None and type(found) in PLAIN and not floating(value)
        fields = getattr(kind.owner, "__dataclass_fields__", ())
        return own or found is MISSING or inert or key in fields or kind.direct

    def _fixed(self, kind: Object, name: str, index: gast.expr) -> Operation:
        """What an object does when an attribute or an element is set is not known."""
        shown = f"setting `{syntax.unparse(index)}` of a `{kind.owner.__name__}`"
        names = (name,) if name else ()
        return Opaque(names, f"{shown} is not differentiated yet", PLAINLY, refused=True)

    def _slot(self, kind: Kind, index: gast.expr, state: Environment) -> Kind:
        return containers.slot(kind, index, lambda e: self.kind(e, state))

    def effect(self, call: gast.Call, state: Environment) -> Operation | None:
        """``np.copyto(name, value)``; ``np.add.at(name, index, value)`` adds twice to elements named twice."""
        match call.args:
            case [gast.Name(id=name), value] if self.value(call.func, state) in WHOLE:
                if isinstance(self._written(name, state), Num):
                    return Store(name, syntax.constant(...), value)
                return None
            case [gast.Name(id=name), index, value]:
                pass
            case _:
                return None
        callee = self.value(call.func, state)
        if callee is runtime.add_at:
            gathers = isinstance(self._written(name, state), CONTAINERS)
            return Accumulate(name, index, value, gathers=gathers)
        if isinstance(call.func, gast.Attribute) and call.func.attr == "at":
            sign = next((s for f, s in ADDERS.items() if f == callee), None)
            if sign is not None:
                return Accumulate(name, index, value, sign)
        return None

    def push(self, name: str, value: gast.expr, state: Environment) -> Changed:
        """``name.append(value)``."""
        stack, kind = (
            self.kind(syntax.name(name), state),
            general(self.kind(value, state)),
        )
        if isinstance(stack, (List, Tuple)):
            known = element(stack)
            return Push(name, value), {
                name: List(kind if known is None else join(known, kind, None), made=stack.made)
            }
        why = stack.why if isinstance(stack, Unknown) else "it is no list"
        reason = f"cannot append to `{name}`{': ' if why else ''}{why}"
        names = (name, *syntax.loads(value))
        return Opaque(names, reason, LIST, of_kinds=isinstance(stack, Num)), {}

    def mutated(
        self, call: gast.Call, keywords: dict[str, gast.expr], kind: Kind, state: Environment
    ) -> tuple[Mutate, Kind, dict[str, Kind]]:
        """``name.method(…)`` on a list or a dict: the operation, its result, what the container is then."""
        name, method = call.func.value.id, call.func.attr
        operation = Mutate(name, method, tuple(call.args), keywords)
        given = [general(self.kind(a, state)) for a in operation.values()]
        known = element(kind)
        for k, value in enumerate(given[: len(call.args)]):
            if (method, k) in HELD:
                known = value if known is None else join(known, value, None)
            elif (method, k) in SPREAD:
                inner = element(value) if isinstance(value, CONTAINERS) else _no_list(name, method)
                known = inner if known is None or inner is None else join(known, inner, None)
        if method == "update":
            for value in given[len(call.args) :]:
                known = value if known is None else join(known, value, None)
        made = kind.made if isinstance(kind, CONTAINERS) else None
        changed: Kind = List(known, made=made)
        result = known or Num()
        if isinstance(kind, Dict):
            changed = replace(any_dict(known, _keys(kind, method, given)), made=made)
            known_keys = knowing(kind, method, call.args, keywords, given)
            if known_keys is not None:
                changed, result = known_keys
        if isinstance(kind, Object):  # a text that puts back what was not set before
            changed = kind
        return operation, result, {name: changed}

    def _written(self, name: str, state: Environment) -> Kind:
        """The kind of what is written into."""
        return self.kind(syntax.name(name), state)

    def _refused(self, name: str, kind: Kind, value: gast.expr) -> Operation:
        names = (name, *sorted(syntax.loads(value) & self.locals))
        why = kind.why if isinstance(kind, Unknown) else f"it is {described(kind)}"
        return Opaque(names, f"cannot write into `{name}`{': ' if why else ''}{why}", KEEP)

    def _unique(self, index: gast.expr, state: Environment) -> bool:
        """Whether an index is known to name no element twice: no array of integers is in it."""
        match index:
            case gast.Tuple(elts=parts):
                return all(self._unique(p, state) for p in parts)
            case gast.Slice():
                return True
            case gast.Constant() | gast.UnaryOp():
                return True
        match self.kind(index, state):
            case Num() as kind:
                return kind.scalar or kind.exact == "bool"
            case Inert(type="slice"):
                return True
        return False
