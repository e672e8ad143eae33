# mypy: ignore-errors
# ruff: noqa: D103
"""Copies and shadows of arrays, and what is written through an index, as Numba reads them.

In: nothing.
Out: implementations, known to Numba once this module is imported.
Next: kernel.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numba import types

from tangentlite import runtime
from tangentlite.native.library.perhaps import overload
from tangentlite.native.library.products import product
from tangentlite.native.looping.nests import MISMATCH

SHARED = "arrays that share memory in part are handed on, which compile= does not do here"
BASIC = (types.Integer, types.SliceType)


def _is_array(kind):
    return isinstance(kind, types.Array)


@overload(runtime.own)
def own(x):
    return (lambda x: x.copy()) if _is_array(x) else (lambda x: x)


@overload(runtime.shadow)
def shadow(x):
    plain = _is_array(x) and x.layout == "C" and isinstance(x.dtype, types.Float)
    return (lambda x: np.zeros(x.shape, x.dtype)) if plain else None


@overload(runtime.private)
def private(saved):
    """Written out for the parts: arrays that are the same one have one copy.

    A kernel reads a record once, and writes into no array of a list in it (`records.check`): what is on a list stays
    what it is, but for parts of a line that is copied, which become parts of the copy.
    """
    if not isinstance(saved, types.BaseTuple) or not _is_plain(saved):
        return None
    found = list(_parts(saved, "saved"))
    arrays = {text: (f"c{k}", kind) for k, (text, kind) in enumerate(found) if _is_array(kind)}
    lines = [f"{copy} = {text}.copy()" for text, (copy, _) in arrays.items()]
    for (text, (copy, a)), (other, (twin, b)) in combinations(arrays.items(), 2):
        lines.append(f"if met({text}, {other}):")
        same = "raise ValueError(SHARED)"
        if (a.dtype, a.ndim) == (b.dtype, b.ndim):
            lines.append(f"    if not one({text}, {other}):\n            {same}")
            same = f"{twin} = {copy}"
        lines.append(f"    {same}")
    made = {text: copy for text, (copy, _) in arrays.items()}
    for number, (text, kind) in enumerate(found):
        if isinstance(kind, types.List):
            made[text] = f"l{number}"
            lines += [f"l{number} = {text}", *_moved(made[text], kind.dtype, arrays)]
    return _function("saved", [*lines, f"return {_rebuilt(saved, 'saved', made)}"])


def _parts(kind, text):
    """The parts of nested tuples, each with the expression that stands for it."""
    if not isinstance(kind, types.BaseTuple):
        yield text, kind
        return
    for k, part in enumerate(kind.types):
        yield from _parts(part, f"{text}[{k}]")


def _rebuilt(kind, text, arrays):
    if not isinstance(kind, types.BaseTuple):
        return arrays.get(text, text)
    inner = [_rebuilt(part, f"{text}[{k}]", arrays) for k, part in enumerate(kind.types)]
    return f"({', '.join(inner)},)" if inner else "()"


def _is_plain(kind):
    """Whether a record is made of arrays, numbers, and lists of these or of tuples of these."""
    flat = [part for _, part in _parts(kind, "")]
    inner = [p for k in flat if isinstance(k, types.List) for _, p in _parts(k.dtype, "")]
    return all(_is_array(k) or _is_number(k) or isinstance(k, types.List) for k in flat) and all(
        _is_array(k) or _is_number(k) for k in inner
    )


def _is_number(kind):
    return isinstance(kind, (types.Number, types.Boolean, types.NoneType))


def _moved(items, kind, arrays):
    """What shares memory on a list with an array of which there is a copy is the same part of the copy."""
    held = {text: f"p{k}" for k, (text, part) in enumerate(_parts(kind, "item")) if _is_array(part)}
    if not held or not arrays:
        return []
    lines = [
        f"{items} = {items}.copy()",
        f"for q in range(len({items})):",
        f"    item = {items}[q]",
    ]
    for text, name in held.items():
        lines.append(f"    {name} = {text}")
        for whole, (copy, _) in arrays.items():
            test = f"met({text}, {whole})"
            lines += [f"    if {test}:", f"        {name} = within({text}, {whole}, {copy})"]
    return [*lines, f"    {items}[q] = {_rebuilt(kind, 'item', held)}"]


def _function(params, lines):
    text = f"def made({params}):\n" + "".join(f"    {line}\n" for line in lines)
    scope = {
        "np": np,
        "met": met,
        "one": one,
        "SHARED": SHARED,
        "MISMATCH": MISMATCH,
        "within": within,
    }
    exec(text, scope)
    return scope["made"]


def met(a, b):
    """Whether the memory between the first and the last element of two arrays has bytes in common."""


def one(a, b):
    """Whether two arrays of one type are the same elements."""


def bounds(a):
    """Where the elements of an array begin and end."""


@overload(bounds)
def _bounds(a):
    def found(a):
        low = high = a.ctypes.data
        for k in range(a.ndim):
            reach = a.strides[k] * (a.shape[k] - 1)
            if reach < 0:
                low += reach
            else:
                high += reach
        return low, high + a.itemsize

    return found


@overload(met)
def _met(a, b):
    def found(a, b):
        if a.size == 0 or b.size == 0:
            return False
        low, high = bounds(a)
        other, end = bounds(b)
        return low < end and other < high

    return found


@overload(one)
def _one(a, b):
    return lambda a, b: (
        a.ctypes.data == b.ctypes.data and a.shape == b.shape and a.strides == b.strides
    )


def within(part, whole, copy):
    """The same part of a copy."""


@overload(within)
def _within(part, whole, copy):
    line = part.ndim == whole.ndim == 1 and whole.layout == "C" and part.dtype == whole.dtype
    if not line or not part.mutable or part.layout not in "AC":

        def refused(part, whole, copy):
            raise ValueError(SHARED)
            return part

        return refused
    if part.layout == "C":
        return _dense_part
    return _part


def _place(part, whole):
    """Where a part begins; refused if it does not lie inside, element upon element."""


@overload(_place)
def _found(part, whole):
    def place(part, whole):
        low, high = bounds(whole)
        begin, end = bounds(part)
        offset, step, size = part.ctypes.data - low, part.strides[0], part.itemsize
        if begin < low or end > high or offset % size or step % size or step == 0:
            raise ValueError(SHARED)
        return offset // size

    return place


def _dense_part(part, whole, copy):
    first = _place(part, whole)
    return copy[first : first + len(part)]


def _part(part, whole, copy):
    step = part.strides[0] // part.itemsize
    return copy[_place(part, whole) :: step][: len(part)]


@overload(runtime.settle)
def settle(ba, e):
    if not _is_array(ba) or not (_is_array(e) or isinstance(e, types.Number)):
        return None

    return lambda ba, e: np.copyto(ba, e)


@overload(np.matmul)
def matmul(a, b):
    return lambda a, b: product(a, b)


@overload(runtime.add_at)
def add_at(bx, i, e):
    """Into a view of an array, or one element of it."""
    if not _is_array(bx):
        return None
    if isinstance(i, types.EllipsisType):

        def whole(bx, i, e):
            bx += runtime.unbroadcast(e, bx)
            return bx

        return whole
    parts = i.types if isinstance(i, types.BaseTuple) else (i,)
    if not all(isinstance(part, BASIC) for part in parts):
        return None
    if sum(isinstance(part, types.Integer) for part in parts) == bx.ndim:

        def element(bx, i, e):
            bx[i] += e
            return bx

        return element

    def view(bx, i, e):
        part = bx[i]
        part += runtime.unbroadcast(e, part)
        return bx

    return view


@overload(runtime.in_step)
def in_step(part, e, mask=None):
    """As in Python, where an element would be read after it was written; of vectors this is looked at."""
    if not isinstance(mask, (types.NoneType, types.Omitted)) and mask is not None:
        return None
    if not (_is_array(part) and _is_array(e)) or part.ndim != 1 or e.ndim != 1:
        return lambda part, e, mask=None: None

    def look(part, e, mask=None):
        if met(part, e) and len(part) == len(e) and trodden(part, e):
            raise ValueError(SHARED)

    return look


def trodden(part, e):
    """Whether ``part[...] = e`` writes an element before another one that shares its bytes is read."""


@overload(trodden)
def _trodden(part, e):
    def found(part, e):
        count, step, stride = len(part), part.strides[0], e.strides[0]
        if step * stride <= 0:
            return False
        offset = e.ctypes.data - part.ctypes.data
        if step < 0:
            offset += (count - 1) * (stride - step)
            step, stride = -step, -stride
        downward = offset < 0 and offset + count * stride > 0
        for k in range(count):
            read = offset + k * stride
            first = max(-((part.itemsize - 1 - read) // step), 0)
            last = min((read + e.itemsize - 1) // step, count - 1)
            if first <= last and (last > k if downward else first < k):
                return True
        return False

    return found
