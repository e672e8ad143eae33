"""What a derivative may write: its own copy of an argument or a record, in which arrays overlap as they did.

In: an argument that is written, or what a forward function saved.
Out: a copy.
Next: times.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np

from tangentlite.errors import AliasError, OverlapError
from tangentlite.persistent import PersistentArray
from tangentlite.runtime.containers.closures import Closure
from tangentlite.runtime.containers.fields import Fields, same, vars_of
from tangentlite.runtime.containers.numbers_only import NUMBERS, only_numbers
from tangentlite.runtime.containers.objects import attributes, blank, is_object, opened
from tangentlite.runtime.memory.lying import alike, apart, root, start
from tangentlite.runtime.memory.records import Spent
from tangentlite.runtime.memory.unshaped import followed

APART = "Pass copies: df(x, x.copy())."
COPY = "Pass a copy: df(x.copy())."
FOLDED = "elements of an argument share memory, and the function writes into it"
TWICE = "what is copied deeply holds something twice, or arrays that share memory"
OVERLAP = "arguments share memory, and the function writes into one of them"


def own(x: Any, *others: Any, effects: Any = None) -> Any:
    """A copy of an argument that is written; ``others`` are the arguments that must not overlap it.

    ``effects`` remembers what was copied, so that ``publish`` can do to the user's objects what was done to the copies.

    >>> x = np.zeros(2)
    >>> own(x) is x, own(1.5)
    (False, 1.5)
    """
    kind = type(x)
    if kind is not np.ndarray:
        nest = isinstance(opened(x), list | tuple | dict)
        if kind is not PersistentArray and not nest:
            return x
    for other in others:
        if overlap(x, other):
            raise OverlapError(OVERLAP, None, APART)
    if kind is not np.ndarray:
        copies = _Copies(arguments=True)
        if effects is not None:
            effects.append(copies)
        return copies.all_of(x)
    flags = x.flags
    if flags.forc:
        copy = alike(x)
    else:
        _check_layout(x)
        copy = apart(x) if folded(x) else alike(x)
    if not flags.writeable:
        copy.flags.writeable = False
    return copy


def _check_layout(x: Any) -> None:
    """Refuse an array that may be written and whose elements share memory."""
    if x.flags.writeable and folded(x):
        raise AliasError(FOLDED, None, COPY)


def folded(x: Any) -> bool:
    """Whether elements of an array share memory.

    >>> folded(np.broadcast_to(np.ones(2), (3, 2))), folded(np.ones((3, 2))[::2].T)
    (True, False)
    """
    if x.flags.forc or x.size == 0:
        return False
    reach = 0
    for stride, count in sorted((abs(s), n) for s, n in zip(x.strides, x.shape) if n > 1):
        if stride <= reach:
            return True
        reach += stride * (count - 1)
    return False


def overlap(x: Any, y: Any) -> bool:
    """Whether an array, list or dict is, or shares memory, in both nests.

    >>> x = np.zeros(3)
    >>> overlap(x, (1.0, x[1:])), overlap(x[:1], x[1:])
    (True, False)
    """
    if type(x) is np.ndarray:
        kind = type(y)
        if kind is np.ndarray or kind in NUMBERS:
            return kind is np.ndarray and overlapping(x, y)
    return any(overlapping(a, b) for a in _memory_in(x) for b in _memory_in(y))


def _memory_in(x: Any) -> Iterator[Any]:
    """The arrays, lists and dicts in a nest."""
    if type(x) is np.ndarray or type(x) is PersistentArray:
        yield x
        return
    x = opened(x)
    if isinstance(x, list | tuple | dict):
        if not isinstance(x, tuple):
            yield x
        for part in x.values() if isinstance(x, dict) else x:
            yield from _memory_in(part)


def single(x: Any) -> None:
    """Refuse to copy a nest in which something stands twice, or shares memory: so would the copies.

    >>> single([np.ones(2), {"a": np.ones(2)}])
    """
    parts = [p for p in _memory_in(x) if not isinstance(p, PersistentArray)]
    if len(parts) > 1 and any(overlapping(a, b) for a, b in combinations(parts, 2)):
        raise AliasError(TWICE, None, "Copy the parts: `[v.copy() for v in xs]`.")


def overlapping(a: Any, b: Any) -> bool:
    """Whether two arrays share memory, or two lists, dicts or handles are the same."""
    if type(a) is not np.ndarray or type(b) is not np.ndarray:
        return same(a, b) and isinstance(a, list | dict | PersistentArray)
    if a.flags.owndata and b.flags.owndata:
        return a is b and a.size > 0
    return np.may_share_memory(a, b) and np.shares_memory(a, b)


def private(saved: Any) -> Any:
    """A copy of a nest of arrays; views of one array are views of one copy.

    >>> a = np.zeros(3)
    >>> b, row = private((a, a[1:]))
    >>> row[0] = 7.0
    >>> a, b
    (array([0., 0., 0.]), array([0., 7., 0.]))
    """
    return saved if type(saved) is Spent else _Copies().of(saved)


class Effects(list[Any]):
    """What was copied; then the user's objects with their content after the call. ``copies`` belong to these."""

    copies: list[Any]


def effects() -> Effects:
    """Where ``own`` remembers what it copied."""
    return Effects()


def note(effects: Any, *copies: Any) -> None:
    """Remember what was done to the ``copies`` of objects, before the backward sweep undoes it."""
    known = [outcome for made in effects for outcome in made.outcomes()]
    effects[:], effects.copies = [(old, parts) for old, parts, _ in known], [c for *_, c in known]


def publish(effects: Any) -> None:
    """Do to the user's objects what was done to their copies.

    >>> from types import SimpleNamespace
    >>> x, kept = SimpleNamespace(n=1), effects()
    >>> copy = own(x, effects=kept)
    >>> copy.n = 2
    >>> note(kept, copy)
    >>> publish(kept)
    >>> x
    namespace(n=2)
    """
    for old, parts in effects:
        if type(old) is np.ndarray:
            if old.flags.writeable and not np.array_equal(old, parts):
                old[...] = parts
        elif type(old) is list:
            old[:] = parts
        elif type(old) is dict:
            old.clear()
            old.update(parts)
        else:
            _set_attributes(old, parts)


class _Copies:
    """Copies by identity, so that what was shared stays shared; of arguments, what is read-only stays so."""

    def __init__(self, arguments: bool = False) -> None:
        self._made: dict[int, Any] = {}
        self._kept: list[Any] = []
        self._arguments = arguments
        self._arrays: list[tuple[Any, Any]] = []

    def all_of(self, nest: Any) -> Any:
        """The copy of a nest: what must not be written is locked when all views of it are made."""
        result = self.of(nest)
        for x, copy in self._arrays:
            if root(x).dtype != x.dtype or not root(x).flags.owndata or folded(x):
                self._check_overlap(x, copy)
        for x, copy in self._arrays:
            copy.flags.writeable = x.flags.writeable
        return result

    def _check_overlap(self, x: Any, copy: Any) -> None:
        """Refuse arrays that overlap although they are no views of one array of numbers of their kind."""
        for other, twin in self._arrays:
            if overlapping(x, other) and not (x.dtype == other.dtype and overlapping(copy, twin)):
                raise AliasError(OVERLAP, None, APART)

    def outcomes(self) -> list[tuple[Any, Any, Any]]:
        """Objects, and all that they hold, what they are to hold (new arrays are copied again), and their copies."""
        twins = [(old, self._made[id(old)]) for old in self._kept]
        again = _Copies()
        again._made = {id(new): old for old, new in twins}
        seen = _held_by_objects([old for old, _ in twins])
        return [(old, again.parts(new), new) for old, new in twins if id(old) in seen]

    def parts(self, value: Any) -> Any:
        """The content of an array, a list, a dict or an object, copied."""
        if isinstance(value, np.ndarray):
            return value.copy()
        value = opened(value)
        if isinstance(value, dict):
            return {key: self.of(part) for key, part in value.items()}
        return [self.of(part) for part in value] if isinstance(value, list) else value

    def of(self, value: Any) -> Any:
        kind = type(value)
        if kind in NUMBERS:
            return value
        if kind is np.ndarray:
            return self._remembered(value, self._array)
        if kind is PersistentArray:
            return self._remembered(value, PersistentArray.version)
        if kind is list:
            return self._list(value)
        if kind is tuple:
            return tuple(map(self.of, value))
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            return kind._make(map(self.of, value))
        if is_object(value):
            return self._object(value)
        if kind is dict:
            return self._dict(value)
        if kind is Fields:
            return Fields(self._object(value.owner))
        if kind is Closure:
            return tuple.__new__(Closure, (value[0], *map(self.of, value[1:])))
        return value

    def _object(self, value: Any) -> Any:
        """A copy of an object: another object of its class, with copies of its attributes."""
        if id(value) not in self._made:
            self._made[id(value)] = result = blank(type(value))
            self._kept.append(value)
            held = getattr(value, "__dict__", None)
            if id(held) in self._made:  # `vars` of the object came before it
                result.__dict__ = self._made[id(held)]
            elif held is not None:
                self._made[id(held)] = vars(result)
                self._kept.append(held)
            own = vars_of(result)
            own.update({name: self.of(part) for name, part in attributes(value).items()})
        return self._made[id(value)]

    def _remembered(self, value: Any, copy: Any) -> Any:
        if id(value) not in self._made:
            self._made[id(value)] = copy(value)
            self._kept.append(value)
        return self._made[id(value)]

    def _list(self, value: list[Any]) -> list[Any]:
        if id(value) not in self._made:
            result: list[Any] = []
            self._made[id(value)] = result
            self._kept.append(value)
            result.extend(value if only_numbers(value) else map(self.of, value))
        found: list[Any] = self._made[id(value)]
        return found

    def _dict(self, value: dict[Any, Any]) -> dict[Any, Any]:
        if id(value) not in self._made:
            result: dict[Any, Any] = {}
            self._made[id(value)] = result
            self._kept.append(value)
            result.update({key: self.of(part) for key, part in value.items()})
        found: dict[Any, Any] = self._made[id(value)]
        return found

    def _array(self, value: Any) -> Any:
        if self._arguments:
            _check_layout(value)
        copy = apart(value) if self._arguments and folded(value) else self._copied(value)
        if self._arguments:
            self._arrays.append((value, copy))
        return followed(value, copy)

    def _copied(self, value: Any) -> Any:
        if value.base is None:
            return value.copy(order="K")
        whole = root(value)
        if value is whole or value.size == 0:
            return value.copy(order="K")
        flat = self.of(whole) if whole.size else whole
        if flat.strides != whole.strides:
            return value.copy(order="K")
        store = _in_order_of_memory(flat)
        if store is None:
            return value.copy(order="K")
        offset = start(value) - start(whole)
        return np.ndarray(value.shape, value.dtype, store, offset, value.strides)


def _held_by_objects(values: list[Any]) -> set[int]:
    """The identities of objects, and of all that they hold."""
    seen: set[int] = set()
    waiting = [value for value in values if is_object(value)]
    while waiting:
        value = waiting.pop()
        if id(value) not in seen:
            seen.add(id(value))
            parts = opened(value)
            if isinstance(parts, list | tuple | dict):
                waiting += parts.values() if isinstance(parts, dict) else parts
    return seen


def _set_attributes(x: Any, parts: dict[str, Any]) -> None:
    own = attributes(x)
    for name in set(own) - set(parts):
        del own[name]
    for name, part in parts.items():
        if own.get(name) is not part:
            own[name] = part


def _in_order_of_memory(x: Any) -> Any:
    """The elements of a dense array as they lie, whatever the order of its axes; None if there are gaps.

    >>> x = np.zeros((2, 3, 4)).transpose(1, 0, 2).copy(order="K")
    >>> x.flags.forc, _in_order_of_memory(x).shape
    (False, (24,))
    """
    order = sorted(range(x.ndim), key=lambda axis: -x.strides[axis])
    ordered = x.transpose(order)
    return ordered.reshape(-1) if ordered.flags.c_contiguous else None
