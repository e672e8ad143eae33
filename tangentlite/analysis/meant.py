"""What statements were rewritten for must hold once all is known: a handler may change what is called next.

In: kinds that were found before other calls were known, and the kinds at the end.
Out: whether these are still the ones for which the statements were written.
Next: rewrites.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import gast

from tangentlite import syntax
from tangentlite.analysis.kinds import (
    Again,
    Kind,
    Member,
    Named,
    Nothing,
    Num,
    Object,
    Pending,
    Tuple,
    choices,
)

Meant = dict[gast.stmt, tuple[str, Kind]]
CHANGES = "what `{}` is here changes while the function runs"
CHOOSE = "Choose with `if` between names that hold one function or object each."


def tells(kind: Kind | None) -> bool:
    """Whether a kind tells what a statement means: which function, which class, how many items."""
    counted = isinstance(kind, Num) and isinstance(kind.literal, int)
    return counted or bool(choices(kind)) or isinstance(kind, (Object, Member, Named, Tuple))


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
