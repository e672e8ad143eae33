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

from collections.abc import Iterator, Mapping
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

CLOSED = (type, ModuleType, FunctionType, BuiltinFunctionType, MethodType, np.ufunc, np.generic)


def named(nest: Any) -> dict[str, Any]:
    """Give the parameters of a nest by name; what is in several places is named after the first."""
    return {path: value for path, value, _ in pairs(nest, nest)}


def pairs(nest: Any, gradient: Any) -> list[tuple[str, Any, Any]]:
    """Give name, value and gradient of each parameter that has one: the sum over all places that it is in.

    >>> w = np.ones(2)
    >>> pairs([w, w], [np.array([1.0, 2.0]), np.array([3.0, 4.0])])
    [('0', array([1., 1.]), array([4., 6.]))]
    """
    found: dict[Any, tuple[str, Any, Any]] = {}
    for identity, path, value, slope in _places("", None, nest, gradient, ()):
        if slope is None:
            continue
        if identity in found:
            path, _, other = found[identity]
            slope = other if slope is value else other + slope
        found[identity] = path, value, slope
    return list(found.values())


Place = tuple[Any, str, Any, Any]


def _places(
    path: str, owner: Any, nest: Any, gradient: Any, above: tuple[int, ...]
) -> Iterator[Place]:
    """Give identity, name, value and gradient at each place of a parameter."""
    if is_parameter(nest):
        array = isinstance(nest, np.ndarray)
        yield id(nest) if array else (owner, path.rpartition(".")[2]), path, nest, gradient
    elif gradient is not None and id(nest) not in above:
        for key, part in parts(nest):
            inside = f"{path}.{key}" if path else str(key)
            own = id(nest) if has_attributes(nest) else (inside, id(nest))
            slope = part_of(gradient, key)
            yield from _places(inside, own, part, slope, (*above, id(nest)))


def is_parameter(value: Any) -> bool:
    """Whether a value is a float or an array of them."""
    if isinstance(value, np.ndarray):
        return bool(value.dtype.kind == "f")
    return isinstance(value, float)


def has_attributes(value: Any) -> bool:
    """Whether a value is an object of which attributes may be parameters."""
    return hasattr(value, "__dict__") and not isinstance(value, CLOSED)


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
    return list(vars(nest).items())


def part_of(nest: Any, key: Any) -> Any:
    """Give a part of a nest by its key, index or attribute."""
    if isinstance(nest, dict | list | tuple) and not hasattr(nest, "_fields"):
        return nest[key]
    return getattr(nest, key)


def replaced(nest: Any, values: Mapping[str, Any]) -> Any:
    """Give the nest with other values for parameters: a new list, tuple or dict; objects have them set."""
    found: dict[Any, Any] = {}
    new: dict[str, Any] = {}
    for identity, path, value, _ in _places("", None, nest, nest, ()):
        new[path] = found.setdefault(identity, values.get(path, value))
    return _replaced("", nest, new, ())


def _replaced(path: str, nest: Any, values: Mapping[str, Any], above: tuple[int, ...]) -> Any:
    if is_parameter(nest) or id(nest) in above:
        return values.get(path, nest)
    changed = {
        key: _replaced(f"{path}.{key}" if path else str(key), part, values, (*above, id(nest)))
        for key, part in parts(nest)
    }
    if isinstance(nest, dict):
        return type(nest)(changed)
    if hasattr(nest, "_fields"):
        return type(nest)(*changed.values())
    if isinstance(nest, list | tuple):
        return type(nest)(changed.values())
    for key, value in changed.items():
        if value is not getattr(nest, key):
            setattr(nest, key, value)
    return nest


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
