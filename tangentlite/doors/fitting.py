"""What a call looks at before it goes on: the kinds of arguments that are like those of the last call, in one function.

In: the arguments of a call, the door that took them.
Out: ``fitting``: the door behind a test that is written for arguments like these; None where that is not simple.
Next: ranked.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from types import CodeType
from typing import Any

import numpy as np

from tangentlite.arguments import ATOMS, DICTS, DOUBLE, LARGE, MEANT, is_plain
from tangentlite.errors import OverlapError

Called = Callable[..., Any]
Watch = tuple[str, dict[str, Any]]  # the test whether a text is outdated, and what it reads
NUMERIC = "fiub"
HEAD = """def called(*args, **kwargs):
    if kwargs or len(args) != {count} or {stale}:
        return other(*args, **kwargs)
"""
TAIL = """    try:
        return door(*args)
    except OverlapError:
        return other(*args)
"""


class _Odd(Exception):
    """An argument of which only the kind itself tells what it is."""


def fitting(
    args: tuple[Any, ...], door: Called, outdated: Watch | None, other: Called
) -> Called | None:
    """Calls with arguments like these go through the door, and what is unlike them to the other one.

    A door that asks for the forms of its arguments gives one that does not ask again (``for_like``).

    >>> door, other = lambda p, x: "door", lambda *args, **kwargs: "other"
    >>> called = fitting(([{"w": np.ones(2)}], 1.0), door, None, other)
    >>> called([{"w": np.zeros(3)}], 2.0), called([{"w": np.zeros((3, 1))}], 2.0), called([{"v": np.zeros(3)}], 2.0)
    ('door', 'other', 'other')
    >>> fitting((object(),), door, None, other) is None
    True
    """
    tests = _Tests()
    try:
        tests.all("args", args)
    except _Odd:
        return None
    stale, watched = outdated or ("False", {})
    door = getattr(door, "for_like", lambda _: door)(args)
    text = HEAD.format(count=len(args), stale=stale) + "".join(tests.lines) + TAIL
    scope = {**watched, **tests.names, "door": door, "other": other}
    scope |= {"ndarray": np.ndarray, "DOUBLE": DOUBLE, "OverlapError": OverlapError}
    exec(_compiled(text), scope)
    made: Called = scope["called"]
    made.__wrapped__ = door  # type: ignore[attr-defined]  # what debuggers and profilers look at
    return made


@lru_cache(256)
def _compiled(text: str) -> CodeType:
    return compile(text, "<tangentlite: arguments>", "exec")


class _Tests:
    """The lines of the tests, and the ``names`` that they read."""

    def __init__(self) -> None:
        self.lines, self.names = list[str](), dict[str, Any]()
        self._count = 0

    def all(self, shown: str, parts: Any) -> None:
        """Take apart what holds others, of which there are as many, and look at each."""
        if not parts:
            return
        names = [self._fresh() for _ in parts]
        if self._count > LARGE:
            raise _Odd
        self.lines.append(f"    {', '.join(names)}, = {shown}\n")
        wanted, held = list[str](), list[tuple[str, Any]]()
        for name, part in zip(names, parts):
            wanted += self._wanted(name, part)
            if not _is_leaf(part):
                held.append((name, part))
        self._refuse(wanted)
        for name, part in held:
            self._inside(name, part)

    def _wanted(self, name: str, value: Any) -> list[str]:
        """What must hold of a value itself."""
        kind: Any = type(value)
        if kind is np.ndarray and value.dtype is DOUBLE:
            return [
                f"type({name}) is ndarray and {name}.dtype is DOUBLE and {name}.ndim == {value.ndim}"
            ]
        own = f"type({name}) is {self._named(kind)}"
        if kind is np.ndarray:
            if value.dtype.kind not in NUMERIC:
                raise _Odd
            given = self._named(value.dtype)
            return [f"{own} and {name}.dtype == {given} and {name}.ndim == {value.ndim}"]
        if kind in ATOMS:
            return [own]
        if kind in MEANT:
            return [f"{name} is {self._named(value)}"]
        if kind is tuple or kind is list:
            if _is_even(value):
                return [f"{own} and set(map(type, {name})) == {self._named({type(value[0])})}"]
            return [f"{own} and len({name}) == {len(value)}"]
        if kind in DICTS:
            return [f"{own} and [*{name}] == {self._named([*value])}"]
        if is_plain(kind) and type(getattr(value, "__dict__", None)) is dict:
            return [f"{own} and [*{name}.__dict__] == {self._named([*value.__dict__])}"]
        raise _Odd

    def _inside(self, name: str, value: Any) -> None:
        if isinstance(value, dict):
            self.all(f"{name}.values()", value.values())
        elif isinstance(value, tuple | list):
            self.all(name, value)
        else:
            self.all(f"{name}.__dict__.values()", value.__dict__.values())

    def _refuse(self, wanted: list[str]) -> None:
        self.lines.append(f"    if not ({' and '.join(wanted)}):\n        return other(*args)\n")

    def _named(self, value: Any) -> str:
        name = f"_known{len(self.names)}"
        self.names[name] = value
        return name

    def _fresh(self) -> str:
        self._count += 1
        return f"a{self._count}"


def _is_leaf(value: Any) -> bool:
    kind: Any = type(value)
    return kind is np.ndarray or kind in ATOMS or kind in MEANT or _is_even(value)


def _is_even(value: Any) -> bool:
    """Whether a list holds plain numbers of one type, of which nobody counts how many there are."""
    if type(value) is not list or not value or type(value[0]) not in ATOMS:
        return False
    return len(set(map(type, value))) == 1
