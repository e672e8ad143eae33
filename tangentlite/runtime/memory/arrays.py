"""Arrays: those of NumPy and those that keep their versions; adjoints with another row.

In: any value.
Out: whether it is an array; a longer adjoint.
Next: shadow.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tangentlite.errors import AliasError, UnsupportedSyntaxError
from tangentlite.persistent import PersistentArray
from tangentlite.runtime.zero import ZERO

YIELDED = "a generator writes into what it has yielded, and what took it may have kept it"
OBJECTS = "an array of objects or of records, which holds what is differentiated,"


def is_array(x: Any) -> bool:
    """Whether ``x`` has elements that may be written.

    >>> is_array(np.zeros(1)), is_array(PersistentArray([0.0])), is_array(1.0)
    (True, True, False)
    """
    return type(x) is np.ndarray or type(x) is PersistentArray


def continuous(dtype: Any) -> bool:
    """Whether elements of a dtype carry a derivative: floats and complex numbers do.

    >>> continuous(np.dtype(float)), continuous(np.dtype(int))
    (True, False)
    """
    if dtype.kind in "OV":
        hint = "Use a list, or an array of floats for each field."
        raise UnsupportedSyntaxError(f"{OBJECTS} is not differentiated", None, hint)
    return dtype.kind in "fc"


def lengthened(g: Any, row: Any, like: Any) -> Any:
    """The adjoint or tangent of an array with that of one more row; ``like`` is an array with such rows.

    >>> lengthened(np.ones(2), 3.0, np.zeros(2)), lengthened(ZERO, ZERO, np.zeros(1))
    (array([1., 1., 3.]), ZERO)
    """
    if g is ZERO and row is ZERO:
        return ZERO
    dtype = like.dtype if like.dtype.kind in "fc" else np.dtype(float)
    count = len(like) if g is ZERO else len(g)
    result = np.empty((count + 1, *like.shape[1:]), dtype)
    result[:-1] = 0.0 if g is ZERO else g
    result[-1] = 0.0 if row is ZERO else row
    return result


def no_storage(v: Any) -> None:
    """Refuse what a generator has yielded and writes into later, if that is more than a number.

    >>> no_storage(0.5)
    """
    if isinstance(v, np.ndarray | list | dict):
        raise AliasError(YIELDED, None, "Yield a copy: `yield v.copy()`.")
