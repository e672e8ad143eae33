"""The parameters of one model, step after step: where they are is found once, and after that only checked.

In: an object, and its gradient.
Out: what `nests.pairs` gives, and the parameters that nobody but the object holds: they can be written into.
Next: optimizers.

Any other nest is walked through anew each time, and so is an object that is not as it was.

>>> from types import SimpleNamespace
>>> walk, model = Walk(), SimpleNamespace(w=np.ones(2), layers=[SimpleNamespace(b=1.0)])
>>> slopes = SimpleNamespace(w=np.zeros(2), layers=[SimpleNamespace(b=0.5)])
>>> walk.pairs(model, slopes)
[('w', array([1., 1.]), array([0., 0.])), ('layers.0.b', 1.0, 0.5)]
>>> del model.layers[0]
>>> walk.pairs(model, slopes)
[('w', array([1., 1.]), array([0., 0.]))]
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

import numpy as np

from tangentlite.learn.nests import has_attributes, is_parameter, pairs, part_of, parts, replaced
from tangentlite.learn.rooms import UNHELD
from tangentlite.runtime.containers.fields import slots

NOTHING: Mapping[str, Any] = {}
INERT = frozenset((int, bool, str, type(None)))
ALONE = UNHELD + 2  # held by an object, by a list, and by the optimizer that made it


class Walk:
    """The way through one object; a copy of it begins anew."""

    def __init__(self) -> None:
        self.root: Any = None
        self.unheld: set[str] = set()  # names of parameters
        self.holders: list[Any] = []  # the dicts of the objects, and the lists
        self.owners: list[Any] = []  # the objects and lists themselves
        self.inner: list[tuple[int, Any, Any]] = []  # holder, key and value of each but the first
        self.leaves: list[tuple[int, Any, str]] = []  # holder, key and name of each parameter
        self.others: list[tuple[int, Any]] = []  # holder and key of what is no parameter
        self.sizes: list[tuple[Any, int]] = []
        self.said: list[tuple[Any, Any]] = []  # objects and what they call their parameters

    def __reduce__(self) -> Any:
        return Walk, ()

    def pairs(self, nest: Any, gradient: Any, made: Mapping[str, Any] = NOTHING) -> list[Any]:
        """Give name, value and gradient of each parameter; note which of those that were made nobody else holds."""
        self.unheld = set()
        if (nest is not self.root or not self._stands()) and not self._found(nest):
            return pairs(nest, gradient)
        slopes = [gradient]
        for above, key, _ in self.inner:
            slopes.append(None if slopes[above] is None else part_of(slopes[above], key))
        values = [self.holders[k][key] for k, key, _ in self.leaves]
        for k, (_, _, name) in enumerate(self.leaves):
            if made.get(name) is values[k] and sys.getrefcount(values[k]) == ALONE:
                self.unheld.add(name)
        found = [
            (name, value, part_of(slopes[k], key))
            for (k, key, name), value in zip(self.leaves, values)
            if slopes[k] is not None
        ]
        return [one for one in found if one[2] is not None]

    def replaced(self, nest: Any, values: Mapping[str, Any]) -> Any:
        """Give the nest with other values for parameters, as `nests.replaced` does."""
        if nest is not self.root:
            return replaced(nest, values)
        for k, key, name in self.leaves:
            if name in values:
                setattr(self.owners[k], key, values[name])
        return nest

    def _stands(self) -> bool:
        """Whether all is where it was, and no parameter is in two places."""
        try:
            same = all(self.holders[k][key] is part for k, key, part in self.inner)
            values = [self.holders[k][key] for k, key, _ in self.leaves]
            others = [self.holders[k][key] for k, key in self.others]
        except (KeyError, IndexError):
            return False
        arrays = [id(value) for value in values if isinstance(value, np.ndarray)]
        return (
            same
            and all(len(holder) == n for holder, n in self.sizes)
            and all(getattr(one, "parameters", None) is names for one, names in self.said)
            and all(map(is_parameter, values))
            and all(map(is_inert, others))
            and len(set(arrays)) == len(arrays)
        )

    def _found(self, nest: Any) -> bool:
        """Whether there is a way: through objects, lists, tuples and dicts that are in one place each."""
        self.root = None
        self.holders, self.owners, self.inner = [], [], []
        self.leaves, self.others, self.sizes, self.said = [], [], [], []
        if has_attributes(nest) and self._entered(nest, "", {id(nest)}) and self._stands():
            names = {name for _, _, name in self.leaves}
            self.root = nest if len(names) == len(self.leaves) else None
        return self.root is not None

    def _entered(self, nest: Any, path: str, seen: set[int]) -> bool:
        """Note what a nest holds, unless that takes more than to set attributes."""
        place, is_object = len(self.holders), has_attributes(nest)
        if is_object and not plain(nest):
            return False
        self.holders.append(vars(nest) if is_object else nest)
        self.owners.append(nest)
        names = getattr(nest, "parameters", None) if is_object else None
        self.said += [(nest, names)] if is_object else []
        self.sizes += [] if isinstance(names, tuple) else [(self.holders[place], len(parts(nest)))]
        for key, part in parts(nest):
            if is_parameter(part):
                if not is_object or vars(nest).get(key) is not part:
                    return False
                self.leaves.append((place, key, f"{path}{key}"))
            elif is_inert(part):
                self.others.append((place, key))
            elif id(part) in seen or not is_nest(part):
                return False
            else:
                seen.add(id(part))
                self.inner.append((place, key, part))
                if not self._entered(part, f"{path}{key}.", seen):
                    return False
        return True


def is_nest(value: Any) -> bool:
    """Whether a value may hold parameters."""
    return isinstance(value, list | tuple | dict) or has_attributes(value)


def is_inert(value: Any) -> bool:
    """Whether a value neither is a parameter nor may hold one; a complex number is none, and must not be there."""
    if type(value) in INERT:
        return True
    return not (is_nest(value) or is_parameter(value) or np.iscomplexobj(value))


def plain(value: Any) -> bool:
    """Whether all attributes of an object are in its dict, and can be set."""
    kind: Any = type(value)
    frozen = getattr(getattr(value, "__dataclass_params__", None), "frozen", False)
    return not frozen and not slots(kind)
