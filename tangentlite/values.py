"""Classes whose instances are their fields, as dataclasses are, made in a tenth of the time.

In: classes with annotated fields.
Out: the same classes with ``__init__``, ``__eq__``, ``__hash__`` and ``__repr__``; ``replace``.
Next: ir and all stages.

A dataclass writes and compiles its methods when it is made; these do it when the first instance is. That spares a
third of the time until the first derivative. That values are not changed is for the type checker to see.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, Field, field
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeVar, overload

if TYPE_CHECKING:
    from typing_extensions import dataclass_transform
else:

    def dataclass_transform(**_: object) -> Callable[[Any], Any]:
        return lambda function: function


__all__ = ["field", "immutable", "mutable", "replace"]

T = TypeVar("T")
Class = TypeVar("Class", bound=type)


@overload
def immutable(cls: Class) -> Class: ...
@overload
def immutable(*, eq: bool) -> Callable[[Class], Class]: ...
@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def immutable(cls: Any = None, *, eq: bool = True) -> Any:
    """A class of values: what is made is not changed. Those of equal fields are equal, unless ``eq`` is false.

    >>> @immutable
    ... class Point:
    ...     x: int
    ...     y: int = 0
    >>> Point(1) == Point(1, 0), len({Point(1), Point(1)}), replace(Point(1), y=2)
    (True, 1, Point(x=1, y=2))
    """
    if cls is None:
        return _compared if eq else _made
    return _compared(cls)


@dataclass_transform(eq_default=False, field_specifiers=(field,))
def mutable(cls: Class) -> Class:
    """A class of things that change, each equal to itself only."""
    _made(cls)
    return cls


def replace(item: T, /, **changes: object) -> T:
    """A value like ``item``, with some fields changed."""
    cls: Any = item.__class__
    given = item.__dict__
    kept = {name: given[name] for name in cls.__match_args__}
    kept.update(changes)
    return cls(**kept)  # type: ignore[no-any-return]


def _made(cls: Any) -> Any:
    """The class with a constructor, which is written when it is called first."""
    fields = {name: f for base in reversed(cls.__mro__) for name, f in _inherited(base, cls)}
    cls.__fields__ = fields
    cls.__match_args__ = tuple(n for n, f in fields.items() if f.init)  # type: ignore[misc]
    for name, given in fields.items():
        if given.default is not MISSING:
            setattr(cls, name, given.default)
        elif name in vars(cls):
            delattr(cls, name)

    def first(self: Any, *args: Any, **kwargs: Any) -> None:
        cls.__init__ = _written(cls)
        cls.__init__(self, *args, **kwargs)

    cls.__init__ = first
    cls.__repr__ = _repr
    return cls


def _inherited(base: type, cls: type) -> list[tuple[str, Field[Any]]]:
    """The fields that a class declares itself, or that were found when a base of it was made."""
    if base is not cls:
        return list(vars(base).get("__fields__", {}).items())
    found = []
    for name, kind in vars(cls).get("__annotations__", {}).items():
        if not str(kind).startswith("ClassVar"):
            given = vars(cls).get(name, MISSING)
            found.append((name, given if isinstance(given, Field) else field(default=given)))
    return found


def _written(cls: Any) -> Any:
    """The constructor of a class: each field is set to what is given."""
    names: dict[str, object] = {}
    parameters, lines = ["self"], []
    for name, given in cls.__fields__.items():
        if not given.init:
            continue
        text = name
        if given.default is not MISSING:
            names[f"_{name}"] = given.default
            parameters.append(f"{name}=_{name}")
        elif given.default_factory is not MISSING:
            names |= {f"_{name}": given.default_factory, "_missing": MISSING}
            parameters.append(f"{name}=_missing")
            text = f"_{name}() if {name} is _missing else {name}"
        else:
            parameters.append(name)
        lines.append(f"self.{name} = {text}")
    if hasattr(cls, "__post_init__"):
        lines.append("self.__post_init__()")
    body = "\n    ".join(lines or ["pass"])
    exec(f"def __init__({', '.join(parameters)}):\n    {body}", names)
    return names["__init__"]


def _compared(cls: Any) -> Any:
    """The class with a constructor, whose instances are compared by their fields."""
    _made(cls)
    names = [name for name, f in cls.__fields__.items() if f.compare]
    if names:
        own = attrgetter(*names)
        cls.__eq__ = lambda self, other: (
            own(self) == own(other) if other.__class__ is self.__class__ else NotImplemented
        )
        cls.__hash__ = lambda self: hash(own(self))
    else:
        cls.__eq__ = lambda self, other: other.__class__ is self.__class__
        cls.__hash__ = lambda self: hash(())
    return cls


def _repr(self: Any) -> str:
    shown = (f"{n}={getattr(self, n)!r}" for n, f in self.__fields__.items() if f.repr)
    return f"{self.__class__.__qualname__}({', '.join(shown)})"
