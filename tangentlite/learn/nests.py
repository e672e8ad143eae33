"""Parameters in any nest: lists, tuples, dicts, namedtuples, objects.

In: a nest, and its gradient, which has the same shape.
Out: the parameters by name, and a nest with others in their place.
Next: optimizers.

An object says by ``parameters = ("w", "b")``, in its class or itself, which of its attributes are parameters; one that
does not say has all that are floats or hold some.

>>> sorted(named({"layers": [np.ones(2), np.zeros(1)], "bias": 0.5}))
['bias', 'layers.0', 'layers.1']
>>> replaced({"w": 1.0, "b": [2.0, "text"]}, {"w": 3.0, "b.0": 4.0})
{'w': 3.0, 'b': [4.0, 'text']}
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from functools import cache
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from tangentlite.runtime.containers.fields import slots
from tangentlite.runtime.containers.objects import attributes

CLOSED = (type, ModuleType, FunctionType, BuiltinFunctionType, MethodType, np.ufunc, np.generic)
Found = dict[Any, tuple[str, Any, Any]]


def named(nest: Any) -> dict[str, Any]:
    """Give the parameters of a nest by name; what is in several places is named after the first."""
    return {path: value for path, value, _ in pairs(nest, nest)}


def pairs(nest: Any, gradient: Any) -> list[tuple[str, Any, Any]]:
    """Give name, value and gradient of each parameter that has one: the sum over all places that it is in.

    >>> w = np.ones(2)
    >>> pairs([w, w], [np.array([1.0, 2.0]), np.array([3.0, 4.0])])
    [('0', array([1., 1.]), array([4., 6.]))]
    """
    found: Found = {}
    _collect(found, "", None, nest, gradient, ())
    known = list(found.values())
    paths = [path for path, _, _ in known]
    if len(set(paths)) < len(paths):
        twice = next(path for path in paths if paths.count(path) > 1)
        raise ValueError(f"two parameters would be called {twice!r}: give keys without dots")
    return known


def _collect(
    found: Found, path: str, owner: Any, nest: Any, slopes: Any, above: tuple[int, ...]
) -> None:
    """Note each parameter once, by identity: an array is one wherever it is, a number belongs to its owner."""
    if slopes is None:
        return
    if is_parameter(nest):
        identity = identity_of(nest, owner)
        first, _, known = found.get(identity, (path, nest, None))
        repeated = known is None or slopes is nest
        found[identity] = first, nest, slopes if repeated else known + slopes
    elif isinstance(nest, np.ndarray | complex | np.complexfloating):
        if slopes is not nest and np.iscomplexobj(nest):
            raise TypeError(f"{path or 'the parameter'} is complex: train its two parts")
    elif id(nest) not in above:
        above = (*above, id(nest))
        for key, part in parts(nest):
            inside = f"{path}.{key}" if path else str(key)
            _collect(found, inside, place(nest, inside, key), part, part_of(slopes, key), above)


def identity_of(value: Any, owner: Any) -> Any:
    """Give what is the same for a parameter that is in several places."""
    return id(value) if isinstance(value, np.ndarray) else owner


def place(nest: Any, path: str, key: Any) -> Any:
    """Give what tells the place of a number from others: an attribute has one, wherever its object is."""
    return (id(nest), key) if has_attributes(nest) else (path, id(nest))


def is_parameter(value: Any) -> bool:
    """Whether a value is a float or an array of them."""
    if isinstance(value, np.ndarray):
        return bool(value.dtype.kind == "f")
    return isinstance(value, float | np.floating)


def as_was(old: Any, new: Any) -> Any:
    """Give a new value of a parameter, of the type that it had.

    >>> as_was(np.float32(1.0), np.array(2.0)), as_was(1.0, np.float64(2.0))
    (np.float32(2.0), 2.0)
    """
    return np.asarray(new) if isinstance(old, np.ndarray) else type(old)(new)


def has_attributes(value: Any) -> bool:
    """Whether a value is an object of which attributes may be parameters."""
    kind: Any = type(value)
    return bool(_is_open(kind))


@cache
def _is_open(kind: Any) -> bool:
    return (kind.__dictoffset__ != 0 or bool(slots(kind))) and not issubclass(kind, CLOSED)


def parts(nest: Any, every: bool = False) -> list[tuple[Any, Any]]:
    """Give what a list, tuple, dict or object holds, by key, index or attribute."""
    if isinstance(nest, dict):
        return list(nest.items())
    if hasattr(nest, "_fields"):
        return list(zip(nest._fields, nest))
    if isinstance(nest, list | tuple):
        return list(enumerate(nest))
    if not has_attributes(nest):
        return []
    names = None if every else getattr(nest, "parameters", None)
    if isinstance(names, tuple):
        return [(name, getattr(nest, name)) for name in names]
    return list(attributes(nest).items())


def part_of(nest: Any, key: Any) -> Any:
    """Give a part of a nest by its key, index or attribute."""
    if isinstance(nest, dict | list | tuple) and not hasattr(nest, "_fields"):
        return nest[key]
    return getattr(nest, key)


def replaced(nest: Any, values: Mapping[str, Any]) -> Any:
    """Give the nest with other values for parameters: a new list, tuple or dict; objects have them set.

    An object that is frozen is made anew.
    """
    return _replaced({}, values, "", None, nest, ())


def _replaced(
    known: dict[Any, Any],
    values: Mapping[str, Any],
    path: str,
    owner: Any,
    nest: Any,
    above: tuple[int, ...],
) -> Any:
    if is_parameter(nest):
        return known.setdefault(identity_of(nest, owner), values.get(path, nest))
    if id(nest) in above:
        return nest
    above, changed = (*above, id(nest)), {}
    for key, part in parts(nest):
        inside = f"{path}.{key}" if path else str(key)
        changed[key] = _replaced(known, values, inside, place(nest, inside, key), part, above)
    if isinstance(nest, dict):
        return type(nest)(changed)
    if hasattr(nest, "_fields"):
        return type(nest)(*changed.values())
    if isinstance(nest, list | tuple):
        return type(nest)(changed.values())
    return _with(nest, {k: v for k, v in changed.items() if v is not getattr(nest, k)}, known)


def _with(nest: Any, changed: dict[str, Any], known: dict[Any, Any]) -> Any:
    """Give an object with other attributes: itself, or a copy where it is frozen, the same for all its places."""
    if not changed or not getattr(getattr(nest, "__dataclass_params__", None), "frozen", False):
        for key, value in changed.items():
            setattr(nest, key, value)
        return nest
    if ("copy", id(nest)) not in known:
        known["copy", id(nest)] = new = copy.copy(nest)
        for key, value in changed.items():
            object.__setattr__(new, key, value)
    return known["copy", id(nest)]


def objects(nest: Any) -> Iterator[Any]:
    """Give every object in a nest once, the outermost first."""
    seen: set[int] = set()
    waiting = [nest]
    while waiting:
        one = waiting.pop(0)
        if id(one) in seen:
            continue
        seen.add(id(one))
        if has_attributes(one):
            yield one
        waiting += [part for _, part in parts(one, every=True)]
