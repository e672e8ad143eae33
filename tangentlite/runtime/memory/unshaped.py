"""The shadow of nothing: of what takes the place of ``ZERO`` in a list the shape is not known.

In: a place where a shadow is made, copied or added to.
Out: an array without axes that is known to be such a one.
Next: private, shadow, views.
"""

from __future__ import annotations

from typing import Any
from weakref import WeakValueDictionary

import numpy as np

_known: WeakValueDictionary[int, Any] = WeakValueDictionary()


def unshaped() -> Any:
    """A shadow that may gather numbers, not arrays.

    >>> is_unshaped(unshaped()), is_unshaped(np.zeros(()))
    (True, False)
    """
    return _noted(np.zeros(()))


def is_unshaped(x: Any) -> bool:
    """Whether an array is the shadow of nothing."""
    return _known.get(id(x)) is x


def followed(x: Any, copy: Any) -> Any:
    """The copy of an array, which is the shadow of nothing if that is one."""
    return _noted(copy) if x.ndim == 0 and is_unshaped(x) else copy


def _noted(x: Any) -> Any:
    _known[id(x)] = x
    return x
