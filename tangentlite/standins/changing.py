"""Functions of `operator` and `bisect` that change what they are given.

In: a list, a dict, an array or a number.
Out: stand-ins.
Next: calling.
"""

from __future__ import annotations

import bisect
import operator

from tangentlite.standins.table import stands_for, whole


@stands_for(operator.iadd)
def iadd(a, b):
    """`operator.iadd`."""
    a += b
    return a


@stands_for(operator.isub)
def isub(a, b):
    """`operator.isub`."""
    a -= b
    return a


@stands_for(operator.imul)
def imul(a, b):
    """`operator.imul`."""
    a *= b
    return a


@stands_for(operator.itruediv)
def itruediv(a, b):
    """`operator.itruediv`."""
    a /= b
    return a


@stands_for(operator.ifloordiv)
def ifloordiv(a, b):
    """`operator.ifloordiv`."""
    a //= b
    return a


@stands_for(operator.imod)
def imod(a, b):
    """`operator.imod`."""
    a %= b
    return a


@stands_for(operator.ipow)
def ipow(a, b):
    """`operator.ipow`."""
    a **= b
    return a


@stands_for(operator.imatmul)
def imatmul(a, b):
    """`operator.imatmul`."""
    a @= b
    return a


OPERATORS = (iadd, isub, imul, itruediv, ifloordiv, imod, ipow, imatmul)


@stands_for(operator.setitem)
def setitem(a, k, value):
    """`operator.setitem`."""
    a[k] = value


@stands_for(operator.delitem)
def delitem(a, k):
    """`operator.delitem`."""
    del a[k]


@stands_for(bisect.insort, bisect.insort_right)
@whole
def insort(a, x):
    """`bisect.insort`."""
    place = bisect.bisect_right(a, x)
    a.insert(place, x)


@stands_for(bisect.insort_left)
@whole
def insort_left(a, x):
    """`bisect.insort_left`."""
    place = bisect.bisect_left(a, x)
    a.insert(place, x)
