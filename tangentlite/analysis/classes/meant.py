"""What statements were rewritten for must hold once all is known: a handler may change what is called next.

In: kinds that were found before other calls were known, and the kinds at the end.
Out: whether these are still the ones for which the statements were written.
Next: rewrites.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping

import gast

from tangentlite import syntax
from tangentlite.analysis.kinds import (
    Again,
    Dict,
    Kind,
    List,
    Member,
    Named,
    Nothing,
    Num,
    Object,
    Pending,
    Tuple,
    choices,
)
from tangentlite.values import immutable

Meant = dict[gast.stmt, tuple[str, Kind]]


@immutable
class Whole(Kind):
    """What was written for a value was written for all that is in it."""

    kind: Kind


@immutable
class Laid(Kind):
    """What was written for a value was written for how many items it has, or which attributes."""

    kind: Kind


CHANGES = "what `{}` is here changes while the function runs"
CHOOSE = "Choose with `if` between names that hold one function or object each."


def at(statement: gast.stmt) -> Hashable:
    """The place in the user's text that a statement stands for."""
    return statement.lineno, statement.col_offset


def tells(kind: Kind | None) -> bool:
    """Whether a kind tells what a statement means: which function, which class, how many items."""
    counted = isinstance(kind, Num) and isinstance(kind.literal, int)
    return counted or bool(choices(kind)) or isinstance(kind, (Object, Member, Named, Tuple, Laid))


def parts(call: gast.Call) -> list[gast.expr]:
    """What a call is made of."""
    args = [a.value if isinstance(a, gast.Starred) else a for a in call.args]
    func = call.func.value if isinstance(call.func, gast.Attribute) else call.func
    return [func, *args, *(k.value for k in call.keywords)]


def telling(call: gast.Call, local: set[str]) -> list[str]:
    """The local names in a call that tell what is called, and with how many arguments."""
    spread = [a.value for a in call.args if isinstance(a, gast.Starred)]
    found = [call.func, *spread, *(k.value for k in call.keywords if k.arg is None)]
    return [part.id for part in found if isinstance(part, gast.Name) and part.id in local]


def holds_meaning(kind: Kind | None, inside: bool = False) -> bool:
    """Whether what is in a list, a dict or an object tells what is called; what is empty may hold it later."""
    match kind:
        case List(item=item):
            return item is None or holds_meaning(item, True)
        case Tuple(items=items) | Dict(items=items):
            changes = inside or not isinstance(kind, Tuple) or kind.type == "list"
            empty = changes and not items and not isinstance(kind, Object)
            return empty or any(holds_meaning(item, changes) for item in items)
    return inside and bool(choices(kind))


def _told(kind: Kind | None, path: tuple[Hashable, ...] = ()) -> Iterator[tuple[Hashable, ...]]:
    """The functions in a value, and where it is empty; where a list holds numbers, it might as well be."""
    yield from (("calls", f) for f in choices(kind))
    match kind:
        case List(item=item):
            yield from [("empty", *path)] if item is None or isinstance(item, Num) else ()
            yield from _told(item, (*path, "item"))
        case Tuple(items=items, type=of):
            for k, item in enumerate(items):
                yield from _told(item, (*path, "item" if of == "list" else k))
        case Dict(items=items):
            if not items and not isinstance(kind, Object):
                yield ("empty", *path)
            for key, item in zip(kind.keys, items):
                yield from _told(item, (*path, key if isinstance(kind, Object) else "item"))


def _as_told(known: Kind, now: Kind) -> bool:
    """Whether a value holds no other functions, and is empty where it was."""
    old, new = set(_told(known)), set(_told(now))
    empty = {part for part in old if part[0] == "empty"}
    return empty <= new and {part for part in new if part[0] == "calls"} <= old


def marks(
    statement: gast.stmt, names: Iterable[str], kind_of: Callable[[str], Kind | None], meant: Meant
) -> list[gast.stmt]:
    """A ``pass`` for each name whose kind told what a statement means."""
    found: list[gast.stmt] = []
    for name in names:
        kind = kind_of(name)
        if kind is not None and tells(kind):
            mark = syntax.at(gast.Pass(), statement)
            meant[mark] = name, kind
            found.append(mark)
    return found


def of_call(
    statement: gast.stmt,
    call: gast.Call,
    local: set[str],
    kind_of: Callable[[str], Kind | None],
    meant: Meant,
    late: bool,
) -> list[gast.stmt]:
    """The marks of a call that was rewritten; ``late``: for all that is in its arguments."""
    found = marks(statement, telling(call, local), kind_of, meant)
    given = [part.id for part in parts(call) if isinstance(part, gast.Name) and part.id in local]
    for name in given if late else ():
        kind = kind_of(name)
        if kind is not None and holds_meaning(kind):
            mark = syntax.at(gast.Pass(), statement)
            meant[mark] = name, Whole(kind)
            found.append(mark)
    return found


def holds(known: Kind, now: Kind | None) -> bool:
    """Whether what was written for one kind is right for another.

    >>> holds(Tuple((Num(),)), Tuple((Num(), Num()))), holds(Num(literal=2), Num(literal=2))
    (False, True)
    """
    if now is None or isinstance(now, (Pending, Nothing)) or now == known:
        return True
    if functions := choices(known):
        others = choices(now)
        return bool(others) and set(others) <= set(functions)
    match known:
        case Whole(kind=kind):
            return _as_told(kind, now)
        case Laid(kind=kind):
            return _is_laid(kind, now)
        case Object(owner=owner):
            return isinstance(now, (Object, Again)) and now.owner is owner
        case Member(owner=owner):
            return isinstance(now, Member) and now.owner is owner
        case Named(owner=owner):
            return isinstance(now, Named) and now.owner is owner
        case Tuple(items=items):
            return isinstance(now, Tuple) and len(now.items) == len(items)
        case Num(literal=literal):
            return isinstance(now, Num) and now.literal == literal
    return True


def _is_laid(known: Kind, now: Kind) -> bool:
    """Whether a value has as many items, or the same keys.

    >>> _is_laid(Tuple((Num(),), "list"), List(Num())), _is_laid(List(Num()), Tuple((Num(),), "list"))
    (False, True)
    """
    match known, now:
        case Tuple(items=items, type=of), Tuple(items=others):
            return len(items) == len(others) and of == now.type
        case Object(), (Object() | Again()) if known.owner is not now.owner:
            return False
        case Dict(keys=keys), Dict(keys=others):
            return set(keys) == set(others)
        case List(), Tuple(type="list"):
            return True
    return type(known) is type(now) or isinstance(now, Again)


def copied(meant: Meant, pairs: Iterable[tuple[gast.AST, gast.AST]]) -> None:
    """What holds of copies of statements."""
    for old, new in pairs:
        if old in meant:
            meant[new] = meant[old]


def broken(meant: Meant, before: Mapping[gast.stmt, Mapping[str, Kind]]) -> gast.stmt | None:
    """A mark whose name is of another kind than it was written for."""
    for mark, (name, kind) in meant.items():
        if mark in before and not holds(kind, before[mark].get(name)):
            return mark
    return None
