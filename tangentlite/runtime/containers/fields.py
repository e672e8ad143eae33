"""The attributes of objects with ``__slots__``, as the dict that they do not have.

In: an object.
Out: a dict; what is done to it is done to the object.
Next: objects.
"""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from functools import cache
from typing import Any

NOTHING: dict[str, Any] = {}


@cache
def slots(kind: Any) -> tuple[str, ...]:
    """The attributes for which a class has a place.

    >>> class Point:
    ...     __slots__ = ("x", "__y")
    >>> slots(Point)
    ('x', '_Point__y')
    """
    found: list[str] = []
    for owner in reversed(kind.__mro__):
        own = vars(owner).get("__slots__", ())
        prefix = "_" + owner.__name__.lstrip("_")
        for name in [own] if isinstance(own, str) else own:
            private = name.startswith("__") and not name.endswith("__")
            found.append(prefix + name if private else name)
    return tuple(dict.fromkeys(n for n in found if n not in ("__dict__", "__weakref__")))


def own(owner: Any) -> dict[str, Any]:
    """The dict of an object; ``NOTHING`` where it has none, whatever a ``__getattr__`` of its says."""
    found = getattr(owner, "__dict__", NOTHING)
    return found if isinstance(found, dict) else NOTHING


class Fields(MutableMapping[str, Any], dict[str, Any]):  # type: ignore[metaclass,misc]
    """The attributes of ``owner``; its own storage is empty.

    >>> class Point:
    ...     __slots__ = ("x", "y")
    >>> p = Point()
    >>> f = vars_of(p)
    >>> f["x"] = 2.0
    >>> p.x, f, "y" in f
    (2.0, {'x': 2.0}, False)
    """

    __slots__ = ("owner",)

    def __init__(self, owner: Any) -> None:
        self.owner = owner

    def __getitem__(self, key: str) -> Any:
        kind: Any = type(self.owner)
        if key not in slots(kind):
            return own(self.owner)[key]
        try:
            return object.__getattribute__(self.owner, key)
        except AttributeError:
            raise KeyError(key) from None

    def __setitem__(self, key: str, value: Any) -> None:
        kind: Any = type(self.owner)
        if key in slots(kind) or own(self.owner) is NOTHING:
            object.__setattr__(self.owner, key, value)
        else:
            vars(self.owner)[key] = value

    def __delitem__(self, key: str) -> None:
        if key in own(self.owner):
            del vars(self.owner)[key]
        else:
            object.__delattr__(self.owner, key)

    def __iter__(self) -> Iterator[str]:
        owner = self.owner
        kind: Any = type(owner)
        found = [name for name in slots(kind) if hasattr(owner, name)]
        return iter([*found, *own(owner)])

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __repr__(self) -> str:
        return repr(self.copy())

    def __or__(self, other: Any) -> Any:
        return self.copy() | other

    def copy(self) -> dict[str, Any]:
        return {name: self[name] for name in self}


def vars_of(x: Any) -> Any:
    """What ``vars(x)`` is, also for an object with ``__slots__``."""
    kind: Any = type(x)
    return Fields(x) if slots(kind) else vars(x)


def bare_vars(x: Any) -> Any:
    """The same, of an object whose class says what ``x.name = v`` does: to set an item here does nothing else."""
    return vars_of(x)


def identity(x: Any) -> int:
    """What tells a value from others: the fields of an object are one dict, however often they were asked for."""
    return id(x.owner) if type(x) is Fields else id(x)


def same(a: Any, b: Any) -> bool:
    """Whether two values are one and the same.

    >>> class Point:
    ...     __slots__ = ("x",)
    >>> p = Point()
    >>> same(vars_of(p), vars_of(p)), same(vars_of(p), vars_of(Point()))
    (True, False)
    """
    return a is b or (type(a) is Fields and type(b) is Fields and a.owner is b.owner)
