"""What is known of helpers, also of those that call each other in circles.

In: what studies a helper once, with what is known of the others so far.
Out: their summaries.
Next: pipeline.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tangentlite import frontend
from tangentlite.analysis.inside import depth, extent
from tangentlite.analysis.kinds import (
    Dict,
    Kind,
    List,
    Num,
    Pending,
    Tuple,
    Unknown,
    choices,
    is_closure,
)
from tangentlite.analysis.lists.nesting import folded, tied
from tangentlite.analysis.operations import Sum, Summary
from tangentlite.errors import DerivativeError, UnsupportedSyntaxError
from tangentlite.values import replace

DEEPEST = 20  # calls of a helper inside each other, each with arguments of other kinds
Key = tuple[Any, tuple[Kind, ...]]
Study = Callable[[Any, tuple[Kind, ...]], Summary]
ROUNDS = 32  # in which what is known of a helper has to settle
LARGEST = 5000  # kinds in the kind of a result
NESTED = "it is a function that holds one that holds one, and so on without end"
DEEPER = 3  # times in a row: the kind of a result names that of a recursive call


class Summaries:
    """Each helper is studied until nothing more is found, with those that it calls and that call it.

    >>> known = Summaries()
    >>> def studied(callee, kinds):  # two helpers call each other, and one of them writes
    ...     other = known.of("b" if callee == "a" else "a", kinds, studied)
    ...     return Summary(Num(), other.writes | ({"x"} if callee == "a" else set()))
    >>> [sorted(known.of(callee, (), studied).writes) for callee in ("b", "a")]
    [['x'], ['x']]
    """

    def __init__(self) -> None:
        self.found: dict[Key, Summary] = {}
        self.open: list[Key] = []  # what is being studied
        self._needs: list[
            int
        ] = []  # the outermost one whose summary each that is open has seen unfinished
        self._unsettled: dict[Key, int] = {}
        self._before: dict[Key, Summary] = {}  # where to begin with what is to be found again
        self._owners: dict[Key, int] = {}
        self._endless: set[Any] = set()
        self._refused: dict[Key, DerivativeError] = {}  # whoever asks again is told again

    def of(self, callee: Any, kinds: tuple[Kind, ...], study: Study) -> Summary:
        """A recursive call begins with what is known so far."""
        key = (callee, kinds)
        if callee in self._endless:
            raise _endless(callee)
        if key in self._refused:
            raise self._refused[key].with_traceback(None)
        if key in self.open:
            self._need(self.open.index(key))
        elif key in self.found:
            self._need(self._unsettled.get(key, len(self.open)))
        else:
            self._settle(key, study)
        return self.found[key]

    def _need(self, level: int) -> None:
        if self._needs:
            self._needs[-1] = min(self._needs[-1], level)

    def _settle(self, key: Key, study: Study) -> None:
        level = len(self.open)
        if sum(other is key[0] for other, _ in self.open) > DEEPEST:
            self._endless.add(key[0])
            raise _endless(key[0])
        self.found[key] = self._before.pop(key, Summary(Pending(), sum=Sum(frozenset())))
        self.open.append(key)
        self._needs.append(level + 1)
        try:
            self._repeat(key, level, study)
        except BaseException as fault:
            del self.found[key]
            self._forget(level)
            if isinstance(fault, DerivativeError) and self._needs[-1] > level:
                self._refused[key] = fault
            raise
        finally:
            self.open.pop()
            needed = self._needs.pop()
        if needed < level:
            self._unsettled[key] = needed
            self._need(needed)
        else:
            self._unsettled = {k: n for k, n in self._unsettled.items() if n < level}

    def _repeat(self, key: Key, level: int, study: Study) -> None:
        """A kind need not settle, it may name a list in a list in a list …: one that names itself, if that is found,
        or one with a number in it."""
        growing, ties, settles, owner = (
            0,
            True,
            True,
            (key[0], self._owners.setdefault(key, len(self._owners))),
        )
        for _ in range(ROUNDS):
            found = study(*key)
            if isinstance(found.kind, Pending):
                found = replace(found, kind=Num())  # it calls itself for ever
            known = self.found[key]
            if self._needs[-1] <= level:
                found = replace(found, standing=None)  # it would call what it was a round ago
            found = replace(found, kind=folded(known.kind, found.kind, owner))
            self.found[key] = found
            if extent(found.kind) > LARGEST:
                break
            if found == known or self._needs[-1] > level:
                return
            if not settles and (found.effects, found.sum) == (known.effects, known.sum):
                return
            growing = growing + 1 if depth(found.kind) > depth(known.kind) else 0
            kind = tied(known.kind, found.kind, owner) if ties and growing > 1 else None
            if kind is not None:
                self.found[key] = replace(found, kind=kind)
                ties, growing = False, 0
            elif growing == DEEPER and settles:
                self.found[key] = replace(found, kind=_cut(known.kind, found.kind))
                settles = False
            self._forget(level)
        self._endless.add(key[0])
        raise _endless(key[0])

    def _forget(self, level: int) -> None:
        """What was found with a summary that has changed is found again."""
        for key in [k for k, needed in self._unsettled.items() if needed >= level]:
            self._before[key] = self.found.pop(key)
            del self._unsettled[key]


def _endless(callee: Any) -> UnsupportedSyntaxError:
    source = frontend.read(callee, fenced=False)
    reason = f"`{source.name}` calls itself with another kind of value each time"
    hint = "Let each call take values of the same kind: numbers and arrays, or lists of them."
    return UnsupportedSyntaxError(reason, source.origin.place(source.tree), hint)


def _cut(a: Kind, b: Kind) -> Kind:
    """What two kinds have in common, with numbers where they differ."""
    match a, b:
        case (Tuple(items=one), Tuple(items=two)) if len(one) == len(two) and not is_closure(a):
            return replace(a, items=tuple(map(_cut, one, two)))
        case (Dict(items=one), Dict(items=two)) if len(one) == len(two) and type(a) is type(b):
            return replace(a, items=tuple(map(_cut, one, two)))
        case List(item=Kind() as item), List(item=Kind() as other):
            return replace(a, item=_cut(item, other))
    if choices(a) or choices(b):
        return a if a == b else Unknown(NESTED)
    return a if a == b else Num()
