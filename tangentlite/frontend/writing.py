"""Which methods and functions of libraries write into what they are given.

In: the name of a method, an object that is called, keywords of a call.
Out: whether the call may write.
Next: check.
"""

from __future__ import annotations

import operator
import sys
from collections.abc import Iterable
from types import ModuleType
from typing import Any

import gast
import numpy as np

from tangentlite.frontend.refusals import CHANGES

OPERATORS = "add sub mul truediv floordiv mod pow matmul and or xor lshift rshift concat".split()
IN_PLACE = frozenset(f"__i{name}__" for name in OPERATORS)
METHODS = IN_PLACE | frozenset("__setitem__ __delitem__ __setstate__ byteswap fill itemset".split())
METHODS |= frozenset("partition put resize setfield setflags shuffle sort".split())
WRITERS = frozenset("_heapq heapq _bisect bisect _ctypes ctypes array".split())
AS_IF_OWN = "tangentlite.learn."  # what is in it is differentiated as if the user had written it
LOOKING = frozenset(sys.stdlib_module_names) - WRITERS | {"numpy", "scipy", "tangentlite"}


COPYING = (np.sort, np.partition, np.resize)


def is_reading(method: str) -> bool:
    """Whether arrays have a method of this name that only reads.

    >>> is_reading("sum"), is_reading("sort"), is_reading("__imul__"), is_reading("append")
    (True, False, False, False)
    """
    return hasattr(np.ndarray, method) and method not in METHODS


def may_write(callee: Any) -> bool:
    """Whether what is called, which has no source, may write into its arguments or into what it is bound to.

    >>> may_write(np.sort), may_write(np.ndarray.sort), may_write([].append), may_write(operator.imul)
    (False, True, True, True)
    """
    name = getattr(callee, "__name__", "")
    if isinstance(callee, np.ufunc | type):
        return False
    owner = getattr(callee, "__self__", None)
    if isinstance(owner, np.ufunc):
        return bool(name == "at")
    if getattr(operator, name, None) is callee:
        return f"__{name}__" in METHODS
    if any(callee is c for c in COPYING):
        return False
    if name in METHODS or name in CHANGES:
        return True
    bound = owner is not None and not isinstance(owner, ModuleType | type)
    return root(type(owner) if bound else callee) not in LOOKING


def is_method(callee: Any) -> bool:
    """Whether a function is a method of arrays that writes, as in ``np.ndarray.fill(a, 1.0)``."""
    return hasattr(callee, "__objclass__") and callee.__name__ in METHODS


def is_filling(callee: Any) -> bool:
    """Whether a method of an object that is there already writes into it.

    >>> is_filling({}.__setitem__), is_filling(np.ones(2).__imul__), is_filling({}.get)
    (True, True, False)
    """
    owner = getattr(callee, "__self__", None)
    own = isinstance(owner, dict | list | np.ndarray)
    return own and callee.__name__ in METHODS | frozenset(CHANGES)


def perhaps(callee: Any) -> bool:
    """Whether what has no rule and no source may write, or give what shares memory with its arguments."""
    return callee is memoryview or root(callee) == "numpy" or may_write(callee)


def root(callee: Any) -> str:
    """The library that something comes from.

    >>> root(np.sort), root(np.ndarray.sort), root(len)
    ('numpy', 'numpy', 'builtins')
    """
    where = getattr(callee, "__objclass__", callee)
    module = getattr(where, "__module__", None) or type(where).__module__
    return AS_IF_OWN if str(module).startswith(AS_IF_OWN) else str(module).partition(".")[0]


def says_so(keywords: Iterable[gast.keyword]) -> bool:
    """Whether keywords name an array that is written: ``out=a``, ``overwrite_input=True``."""
    for keyword in keywords:
        name, value = keyword.arg or "", keyword.value
        given = not isinstance(value, gast.Constant) or bool(value.value)
        if given and (name == "out" or name.startswith("overwrite_")):
            return True
    return False
