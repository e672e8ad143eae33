"""Shadows: each lies in memory as its array does, and views have views of one shadow.

In: arrays, lists, tuples and dicts of them.
Out: their shadows.
Next: private.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tangentlite.errors import AliasError
from tangentlite.persistent import PersistentArray
from tangentlite.runtime.containers.fields import identity, same
from tangentlite.runtime.containers.objects import opened
from tangentlite.runtime.memory.arrays import continuous, is_array
from tangentlite.runtime.memory.lying import bounds, root as root_of, start
from tangentlite.runtime.memory.private import folded, overlapping, private
from tangentlite.runtime.memory.stores import storage
from tangentlite.runtime.memory.unshaped import unshaped
from tangentlite.runtime.zero import INERT, ZERO

RETYPED = "a view of another type than its array shares memory that is written"
CIRCLE = "a list or dict that holds itself, as by a function that captures it, is differentiated once only"
FOLDED = "an array whose elements share memory is read after its base was written"
BEYOND = "a view reaches beyond the one that it overlaps, in a second derivative"
IMAGINARY = "the imaginary part of an array that is written is held as a view"


def shadow(x: Any) -> Any:
    """Zeros that lie in memory as ``x`` does; of shape () for a number.

    >>> shadow(np.ones((2, 3)).T).strides, shadow(2.0)
    ((8, 24), array(0.))
    """
    if type(x) is PersistentArray:
        return storage(x)
    if type(x) is not np.ndarray:
        return _nest(x, {})
    if not continuous(x.dtype):
        return INERT
    low, high = bounds(x)
    flat = np.zeros((high - low) // x.itemsize, x.dtype)
    return np.ndarray(x.shape, x.dtype, flat, start(x) - low, x.strides)


def _nest(x: Any, made: dict[int, Any]) -> Any:
    """Shadows of the parts of a nest: one for each object, however often it is in there."""
    x = opened(x)
    if isinstance(x, complex | np.complexfloating):
        return np.zeros((), complex)
    if type(x) is np.ndarray:
        if identity(x) not in made:
            made[identity(x)] = _nested_array(x, made)
        return made[identity(x)]
    if isinstance(x, tuple):
        return tuple(_nest(part, made) for part in x)
    if type(x) is PersistentArray:
        return made.setdefault(identity(x), storage(x))
    if x is ZERO:
        return unshaped()
    if not isinstance(x, list | dict):
        return INERT if x is INERT or x is None else np.zeros(())
    if identity(x) not in made:
        made[identity(x)] = {} if isinstance(x, dict) else []
        if isinstance(x, dict):
            made[identity(x)].update({key: _nest(part, made) for key, part in x.items()})
        else:
            made[identity(x)].extend(_nest(part, made) for part in x)
    return made[identity(x)]


def _nested_array(x: Any, made: dict[int, Any]) -> Any:
    """The shadow of an array in a nest: views of one array have views of one shadow."""
    if not continuous(x.dtype):
        return INERT
    root = root_of(x)
    if root is x or x.size == 0 or root.dtype != x.dtype:
        return shadow(x)
    if id(root) not in made:
        made[id(root)] = shadow(root)
    return _same_view(x, root, made[id(root)])


def collected(bx: Any) -> Any:
    """What the shadow of a nest has gathered; memory that stands in it twice counts once.

    >>> b = np.ones(3)
    >>> collected((b[:1], b))
    (array([0.]), array([1., 1., 1.]))
    """
    bx = private(bx)
    taken: dict[int, Any] = {}
    for array in _largest_first(bx):
        taken[id(array)] = array.copy()
        array[...] = 0.0
    return _replaced(bx, taken)


def uncollected(by: Any, bx: Any) -> Any:
    """The adjoint of a shadow from that of what it has gathered.

    >>> b = np.zeros(3)
    >>> uncollected((np.ones(1), np.ones(3)), (b[:1], b))
    (array([0.]), array([1., 1., 1.]))
    """
    if by is ZERO:
        return by
    bx = private(bx)
    for array in _largest_first(bx):
        array[...] = 1.0
    return _masked(by, collected(bx))


def _masked(by: Any, counted: Any) -> Any:
    """The adjoints of those elements that were counted."""
    if by is ZERO or counted is ZERO:
        return ZERO
    if isinstance(counted, dict):
        return {key: _masked(by[key], part) for key, part in counted.items()}
    if isinstance(counted, list | tuple):
        return type(counted)(_masked(b, part) for b, part in zip(by, counted))
    return by * counted


def _largest_first(bx: Any) -> list[Any]:
    """The arrays in a nest, each once."""
    arrays: list[Any] = []
    _arrays_in(bx, arrays)
    return sorted({id(a): a for a in arrays}.values(), key=lambda a: -a.size)


def _arrays_in(bx: Any, found: list[Any], around: tuple[int, ...] = ()) -> None:
    if type(bx) is np.ndarray:
        found.append(bx)
    elif isinstance(bx, list | tuple | dict):
        if id(bx) in around:
            raise AliasError(CIRCLE, None, "Hand it to the function that reads it instead.")
        for part in bx.values() if isinstance(bx, dict) else bx:
            _arrays_in(part, found, (*around, id(bx)))


def _replaced(bx: Any, taken: dict[int, Any]) -> Any:
    if type(bx) is np.ndarray:
        return taken.pop(id(bx), ZERO)
    if isinstance(bx, dict):
        return {key: _replaced(part, taken) for key, part in bx.items()}
    return type(bx)(_replaced(part, taken) for part in bx) if isinstance(bx, list | tuple) else bx


def view(y: Any, *pairs: Any) -> Any:
    """The shadow of ``y``: the same view of the shadow of what ``y`` is a view of, else one of its own.

    ``pairs``: arrays, each followed by its shadow.

    >>> a, ba = np.ones(4), shadow(np.ones(4))
    >>> view(a[1:], a, ba).base is ba.base, view(np.ones(2), a, ba).base is ba.base
    (True, False)
    """
    y = opened(y)
    if y is ZERO:  # an adjoint that is nothing has no parts
        return INERT
    if isinstance(y, list | tuple | dict):
        return _same_parts(y, pairs)
    if is_array(y):
        found = _among(y, pairs)
        return shadow(y) if found is None or found is ZERO else found
    if pairs and y is pairs[0]:
        return pairs[1]
    return shadow(y)


def _among(y: Any, pairs: Any) -> Any:
    """The shadow of an array that is one of the pairs, is in one, or a view of one; None if it is not."""
    for x, bx in zip(map(opened, pairs[::2]), pairs[1::2]):
        if same(y, x):
            return bx
        found = _in_nest(y, x, bx) if isinstance(x, list | tuple | dict) else None
        if found is not None:
            return found
        if is_array(x) and overlapping(y, x):
            return bx if bx is ZERO else _same_view(y, x, bx)
    return None


def unview(by: Any, y: Any, x: Any, bx: Any, *others: Any) -> Any:
    """The transpose of ``view``: an adjoint like ``bx`` that holds ``by`` where ``y`` is a view of ``x``.

    ZERO if ``y`` is a view of one of the others, which came before ``x``.
    """
    if by is ZERO or any(is_array(one) and overlapping(y, one) for one in others):
        return ZERO
    result = shadow(x)
    roots = {id(_root(array)) for array in _largest_first(result)}
    before: list[Any] = []
    for one in others:
        if one is not None and not (is_array(one) and is_array(y)):
            before += [one, shadow(one)]
    return result if _poured(view(y, *before, x, result), by, roots, set()) else ZERO


def _poured(part: Any, by: Any, roots: set[int], seen: set[tuple[int, int]]) -> bool:
    """Add to the arrays of a nest that lie in one of the roots; whether there are any."""
    if by is ZERO or (id(part), id(by)) in seen:
        return False
    seen.add((id(part), id(by)))
    if isinstance(part, list | tuple | dict):
        keys = part if isinstance(part, dict) else range(len(part))
        poured = [_poured(part[key], by[key], roots, seen) for key in keys]
        return any(poured)
    if type(part) is not np.ndarray or id(_root(part)) not in roots:
        return False
    part[...] += by
    return True


def _same_parts(y: Any, pairs: Any) -> Any:
    """The shadow of a nest: parts that stand in another one, or are views of it, have theirs."""
    known: dict[int, Any] = {}
    for x, bx in zip(map(opened, pairs[::2]), pairs[1::2]):
        if same(y, x):
            return bx
        _learn(x, bx, known)
    if identity(y) in known:
        return known[identity(y)]

    made: dict[int, Any] = {}

    def of(part: Any) -> Any:
        part = opened(part)
        if identity(part) in known:
            return known[identity(part)]
        if isinstance(part, dict):
            return {key: of(inner) for key, inner in part.items()}
        if isinstance(part, list | tuple):
            known[identity(part)] = type(part)(of(inner) for inner in part)
            return known[identity(part)]
        found = _among(part, pairs) if is_array(part) else None
        return _nest(part, made) if found is None else found

    if isinstance(y, dict):
        return {key: of(part) for key, part in y.items()}
    return type(y)(of(part) for part in y) if type(y) in (list, tuple) else [of(p) for p in y]


def _learn(x: Any, bx: Any, known: dict[int, Any]) -> None:
    """The shadows of a nest, of all nests in it, and of what these hold."""
    x = opened(x)
    if isinstance(x, list | tuple | dict) and bx is not ZERO and identity(x) not in known:
        known[identity(x)] = bx
        for key, part in x.items() if isinstance(x, dict) else enumerate(x):
            held = _slot(bx, key, part)
            _learn(part, held, known)
            known.setdefault(identity(opened(part)), held)


def _slot(bx: Any, key: Any, part: Any) -> Any:
    """The shadow of a part: one that was made of ZERO begins anew where a nest has come into its place."""
    if type(bx[key]) is np.ndarray and isinstance(bx, list | dict):
        if isinstance(opened(part), list | tuple | dict):
            bx[key] = _nest(part, {})
    return bx[key]


def _in_nest(y: Any, x: Any, bx: Any) -> Any:
    """The shadow of an array that is in a nest, or a view of one that is; None if it is not."""
    parts = x.items() if isinstance(x, dict) else enumerate(x)
    for key, part in parts:
        part = opened(part)
        if same(part, y):
            return bx[key]
        if isinstance(part, list | tuple | dict):
            found = _in_nest(y, part, _slot(bx, key, part))
            if found is not None:
                return found
        elif overlapping(y, part):
            return _same_view(y, part, bx[key])
    return None


def _same_view(y: Any, x: Any, bx: Any) -> Any:
    if bx is INERT:
        return bx
    real = x.dtype.kind == "c" and y.dtype == x.real.dtype
    if y.dtype != x.dtype and not real:
        raise AliasError(RETYPED, None, "Make a copy of it, or store into the array itself.")
    if folded(y):
        raise AliasError(FOLDED, None, "Make a copy of it: `y = y.copy()`.")
    if real and (start(y) - start(x)) % x.itemsize:
        raise AliasError(IMAGINARY, None, "Make a copy of it: `y = z.imag.copy()`.")
    root = _root(bx)
    offset = start(bx) - start(root) + start(y) - start(x)
    low, high = bounds(y)
    if not 0 <= offset + low - start(y) <= offset + high - start(y) <= root.nbytes:
        raise AliasError(BEYOND, None, "Make a copy of it: `y = y.copy()`.")
    return np.ndarray(y.shape, y.dtype, root, offset, y.strides)


def apart(by: Any, bx: Any) -> Any:
    """The shadow ``by``, or ZERO if it is a view of ``bx``, which has taken part in all that it gathered."""
    if by is ZERO or by is INERT:
        return ZERO
    if isinstance(by, list | tuple):
        parts = [apart(part, bx) for part in by]
        return ZERO if all(part is ZERO for part in parts) else parts
    if isinstance(by, dict):
        table = {key: apart(part, bx) for key, part in by.items()}
        return ZERO if all(part is ZERO for part in table.values()) else table
    if type(by) is not np.ndarray:
        return ZERO
    arrays: list[Any] = []
    _arrays_in(bx, arrays)
    return ZERO if any(_root(by) is _root(array) for array in arrays) else by


def unshared(g: Any, r: Any) -> Any:
    """What belongs to those parts of a result of ``apart`` that are not ZERO.

    >>> unshared([1.0, 2.0], [ZERO, 2.0])
    [ZERO, 2.0]
    """
    if g is ZERO or r is ZERO:
        return ZERO
    if isinstance(r, dict):
        return {key: unshared(g[key], part) for key, part in r.items()}
    if isinstance(r, list):
        return [unshared(g[i], part) for i, part in enumerate(r)]
    return g


def _root(b: Any) -> Any:
    return b.base if isinstance(b.base, np.ndarray) else b
