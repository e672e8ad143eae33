"""Whether a function, and what it reads, is still what its derivative was written for.

In: what the function of the user and its helpers read from outside.
Out: ``Guards``, which notice other code and other defaults, and names from outside that mean another kind of thing.
Next: readings.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterable
from types import FunctionType, MappingProxyType, MethodType
from typing import Any

import numpy as np

from tangentlite.analysis.atoms import constant
from tangentlite.analysis.kinds import FLOAT, Inert, Kind, List, Num, Unknown
from tangentlite.glances import Remembered
from tangentlite.runtime.containers.objects import is_object
from tangentlite.values import immutable, replace

Watch = tuple[
    str, dict[str, Any]
]  # the text of a test whether to look anew, and what its names mean

MISSING = object()
FEW = 2  # guards whose test a text holds itself
PARTS = ("__code__", "__defaults__", "__kwdefaults__")
ABSENT = (LookupError, AttributeError, ValueError)
NUMBERS = frozenset((float, int, np.float64, np.float32))


@immutable(eq=False)
class Guard:
    """``seen`` is what an owner held under a name. Another value of the same ``kind`` will do; None: no other value.

    >>> scope = {"RATE": 2.0}
    >>> guard = Guard(scope, "RATE", 2.0, constant("RATE", 2.0))
    >>> guard.allows(3.0), guard.allows(None), guard.allows(np.ones(3))
    (True, False, False)
    """

    owner: Any
    name: Any
    seen: Any
    kind: Kind | None = None

    def now(self) -> Any:
        """What the owner holds now."""
        try:
            return self.owner[self.name] if self._is_table() else getattr(self.owner, self.name)
        except ABSENT:
            return MISSING

    def test(self, number: int) -> str:
        """The text of a quick test: whether there is reason to look."""
        held = (
            f"_owner{number}[{self.name!r}]" if self._is_table() else f"_owner{number}.{self.name}"
        )
        if self.seen is MISSING:
            return f"{self.name!r} in _owner{number}"
        if changes(self.seen):
            return f"{held} is not _seen{number} or not _allows{number}({held})"
        differs = "!=" if isinstance(self.seen, MethodType) else "is not"  # bound anew each time
        return f"{held} {differs} _seen{number}"

    def allows(self, now: Any) -> bool:
        """Whether a text that was written for ``seen`` is right for what is there now."""
        if now is MISSING or self.kind is None:
            gone = (
                now is MISSING and self.kind is not None and not hasattr(builtins, str(self.name))
            )
            return now is self.seen or gone
        if _numbers(self.kind, self.name, now):
            return True
        kind = constant(self.name, now)
        if isinstance(kind, Unknown):
            return now is self.seen
        if kind == Inert("str") or kind == Inert("dtype"):  # a type of elements, by its name
            return bool(now == self.seen)
        return kind == self.kind

    def is_part(self) -> bool:
        """Whether this is a part of a function that has to stay the same object."""
        return isinstance(self.owner, FunctionType) and not changes(self.seen)

    def _is_table(self) -> bool:
        by_number = isinstance(self.owner, tuple) and isinstance(self.name, int)
        return by_number or isinstance(self.owner, dict | MappingProxyType)


def _never() -> bool:
    return False


class Guards:
    """All guards of a derivative. ``outdated()`` costs a few comparisons as long as nothing is bound anew.

    These are compiled for the first call; who asks for the text only does not wait for that.
    """

    def __init__(self, guards: Iterable[Guard]) -> None:
        self.guards = list({(id(g.owner), g.name): g for g in guards}.values())
        self.outdated: Callable[[], bool] = self._at_first if self.guards else _never
        self._scope: dict[str, Any] = {f"_seen{i}": g.seen for i, g in enumerate(self.guards)}

    def __bool__(self) -> bool:
        return bool(self.guards)

    def untouched(self) -> bool:
        """Whether everything is the same object, and of the same kind if it may change."""
        for guard in self.guards:
            now = guard.now()
            if now is not guard.seen or (changes(now) and not guard.allows(now)):
                return False
        return True

    def watch(self) -> Watch | None:
        """The test of a text that is called often; None: there is nothing to look at.

        >>> def f(x, scale=2.0):
        ...     return scale * x
        >>> Guards([Guard(f, "__defaults__", (2.0,))]).watch()[0]
        '_owner0.__defaults__ is not _seen0'
        >>> Guards([Guard({}, "RATE", 2.0, constant("RATE", 2.0))]).watch()[0]
        '_outdated()'
        """
        if len(self.guards) > FEW or not all(guard.is_part() for guard in self.guards):
            return "_outdated()", {"_outdated": self.quick()}
        return (self._tests(), self._names()) if self else None

    def quick(self) -> Callable[[], bool]:
        """The function of the comparisons."""
        if "outdated" not in self._scope:
            self._scope |= {"stale": self._stale, **self._names()}
            absent = ", ".join(e.__name__ for e in ABSENT)
            text = f"def outdated():\n    try:\n        if not ({self._tests()}):\n            return False\n"
            exec(f"{text}    except ({absent}):\n        pass\n    return stale()\n", self._scope)
            self.outdated = self._scope["outdated"]
        found: Callable[[], bool] = self._scope["outdated"]
        return found

    def _tests(self) -> str:
        return " or ".join(guard.test(i) for i, guard in enumerate(self.guards))

    def _names(self) -> dict[str, Any]:
        """What the tests read."""
        names: dict[str, Any] = {}
        for i, guard in enumerate(self.guards):
            names |= {f"_owner{i}": guard.owner, f"_allows{i}": Remembered(guard.allows)}
            names[f"_seen{i}"] = self._scope[f"_seen{i}"]
        return names

    def _at_first(self) -> bool:
        self.outdated = self._then
        return self._stale()

    def _then(self) -> bool:
        return self.quick()()

    def _stale(self) -> bool:
        """Whether something is of another kind; what is not is taken note of."""
        return any(map(self._is_other, range(len(self.guards))))

    def _is_other(self, i: int) -> bool:
        now, seen = self.guards[i].now(), self._scope[f"_seen{i}"]
        if now is seen and not changes(now):
            return False
        if not self.guards[i].allows(now):
            return True
        self._scope[f"_seen{i}"] = now
        return now is not seen and self._moved(seen, now)

    def _moved(self, old: Any, new: Any) -> bool:
        """Whether something is of another kind in an object that stands where an ``old`` one stood, and was read."""
        inside = [i for i, guard in enumerate(self.guards) if guard.owner is old]
        if inside and any(guard.now() is old for guard in self.guards):
            return True  # it has another name
        for i in inside:
            self.guards[i] = replace(self.guards[i], owner=new)
            self._scope[f"_owner{i}"] = new
        return any(map(self._is_other, inside))


def changes(value: Any) -> bool:
    """Whether a value may be of another kind and still be the same object."""
    return (
        is_object(value)
        or isinstance(value, list | dict)
        or (isinstance(value, tuple) and any(map(changes, value)))
    )


def _numbers(kind: Kind, name: str, now: Any) -> bool:
    """Whether a kind is that of any float, of any array or of a list of numbers, and a value is one."""
    if kind == FLOAT and type(now) is float:
        return True
    if kind == Num(frozenset({name}), solid=True):
        found = constant(name, now)
        return isinstance(found, Num) and found.solid and found.exact != "complex"
    if kind == List(Num()) and type(now) is list and now:
        return NUMBERS.issuperset(map(type, now))
    return False
