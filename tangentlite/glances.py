"""What can be seen of a value at a glance: enough to know that it is still of the kind that was looked at before.

In: an object, a list or a dict that the user may change.
Out: something hashable; equal glances of one value mean equal kinds.
Next: guards.
"""

from __future__ import annotations

from collections.abc import Callable
from types import NoneType
from typing import Any

import numpy as np

from tangentlite.runtime.containers.fields import own, slots
from tangentlite.runtime.containers.objects import is_object

DEEP = 8
TYPES = frozenset((float, np.float64, np.float32))  # numbers of any value are of one kind
VALUES = frozenset((int, bool, str, NoneType))


class Remembered:
    """A test of a value that is made again only if something else is seen.

    >>> looked = []
    >>> allows = Remembered(lambda value: looked.append(value) or True)
    >>> values = [1.0]
    >>> allows(values), allows(values), len(looked)
    (True, True, 1)
    >>> values.append("text")
    >>> allows(values), len(looked)
    (True, 2)
    """

    def __init__(self, test: Callable[[Any], bool]) -> None:
        self.test = test
        self.last: Any = None

    def __call__(self, value: Any) -> bool:
        try:
            seen = id(value), glance(value)
        except LookupError:
            return self.test(value)
        if seen == self.last:
            return True
        allowed = self.test(value)
        self.last = seen if allowed else None
        return allowed


def glance(value: Any, depth: int = 0) -> Any:
    """The types of the numbers in a value, and how they lie in it; LookupError where that does not tell all.

    >>> glance({"w": np.ones(3), "b": [0.5, 1]})
    (<class 'dict'>, ('w', 'b'), ('f', (<class 'list'>, <class 'float'>, (<class 'int'>, 1))))
    """
    kind = type(value)
    if kind in TYPES:
        return kind
    if kind is np.ndarray:
        return value.dtype.kind
    if kind in VALUES:
        return kind, value
    if depth == DEEP:
        raise LookupError
    if kind is list or kind is tuple:
        return (kind, *[glance(part, depth + 1) for part in value])
    parts = value if kind is dict else _attributes(value)
    return kind, (*parts,), (*[glance(part, depth + 1) for part in parts.values()],)


def _attributes(value: Any) -> Any:
    """The attributes of an object that keeps all of them in its ``__dict__``."""
    kind: Any = type(value)
    if not is_object(value) or slots(kind):
        raise LookupError
    parts = own(value)
    if type(parts) is not dict:
        raise LookupError
    return parts
