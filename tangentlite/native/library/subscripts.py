# mypy: ignore-errors
# ruff: noqa: D103
"""Sums of products by subscripts: as products of matrices where that pays, else as loops.

In: nothing.
Out: implementations, known to Numba once this module is imported.
Next: spelling.
"""

from __future__ import annotations

import importlib.util

import numpy as np
from numba import types

from tangentlite import runtime
from tangentlite.native.library.perhaps import overload
from tangentlite.native.library.reductions import made_of
from tangentlite.runtime.linear.einsum import labels

LARGE = 4_096  # so many products are worth the way through matrices
BLOCK = 64
PRODUCTS = (
    importlib.util.find_spec("scipy") is not None
)  # Numba multiplies matrices by what SciPy has


def _is_array(kind):
    return isinstance(kind, types.Array)


@overload(runtime.einsum, prefer_literal=True)
@overload(np.einsum, prefer_literal=True)
def einsum(spec, *xs):
    xs = xs[0].types if len(xs) == 1 and isinstance(xs[0], types.BaseTuple) else xs
    given = _labels(spec, xs)
    if given is None or (len(xs) == 1 and set(given[0][0]) == set(given[1])):
        return None  # of one array nothing is summed: that is a view
    inputs, output = given
    factors = [(f"x{n}", part) for n, part in enumerate(inputs)]
    dtype, exact = _dtype(xs)
    lines = [
        *_named(xs),
        *_sizes(factors),
        *(_by_products(output, factors) if exact else []),
    ]
    lines += _summed(output, factors)
    return made_of("spec, *xs", lines, dtype=dtype, zero=dtype(0))


@overload(runtime.einsum_adjoint, prefer_literal=True)
def einsum_adjoint(spec, b, xs, k):
    place = getattr(k, "literal_value", None)
    given = _labels(spec, getattr(xs, "types", ())) if isinstance(place, int) else None
    if given is None or not given[0][place]:
        return None
    inputs, output = given
    if _is_array(b) != bool(output) or (output and b.ndim != len(output)):
        return None
    operands = [(f"x{n}", part) for n, part in enumerate(inputs)]
    factors = [("b", output), *operands[:place], *operands[place + 1 :]]
    dtype, exact = _dtype([b, *xs.types])
    lines = [*_named(xs.types), *_sizes(operands), *_sizes([("b", output)], set("".join(inputs)))]
    lines += _by_products(inputs[place], factors) if exact else []
    lines += _summed(inputs[place], factors)
    return made_of("spec, b, xs, k", lines, dtype=dtype, zero=dtype(0))


def _labels(spec, xs):
    """The labels of real arrays, if the subscripts are written down."""
    text = getattr(spec, "literal_value", getattr(spec, "value", spec))
    plain = all(_is_array(x) and isinstance(x.dtype, (types.Float, types.Integer)) for x in xs)
    if not isinstance(text, str) or not xs or not plain:
        return None
    try:
        inputs, output = labels(text, tuple(x.ndim for x in xs))
    except ValueError:
        return None
    fitting = all(len(part) == x.ndim for part, x in zip(inputs, xs))
    once = len(set(output)) == len(output) and set(output) <= set("".join(inputs))
    return (inputs, output) if fitting and once else None


def _dtype(xs):
    """The type of the elements, and whether all are arrays of it that can be multiplied as matrices."""
    kinds = {getattr(x, "dtype", x) for x in xs}
    if all(isinstance(kind, types.Integer) for kind in kinds):
        return np.int64, False
    exact = kinds in ({types.float32}, {types.float64}) and all(map(_is_array, xs))
    return (np.float32 if kinds == {types.float32} else np.float64), exact and PRODUCTS


def _named(xs):
    """To take an array from a tuple takes long, in a loop."""
    return [f"x{n} = xs[{n}]" for n in range(len(xs))]


def _at(part, cut=""):
    places = (f"begin + i_{c}" if c == cut else f"i_{c}" for c in part)
    return f"[{', '.join(places)}]" if part else ""


def _shape(part):
    return f"({', '.join(f'n_{c}' for c in part)},)"


def _sizes(operands, met=()):
    """Lengths of labels, compared where a label stands twice."""
    lines, met = [], set(met)
    for name, part in operands:
        for axis, label in enumerate(part):
            if label in met:
                lines += [
                    f"if {name}.shape[{axis}] != n_{label}:",
                    "    raise ValueError(MISMATCH)",
                ]
            else:
                lines.append(f"n_{label} = {name}.shape[{axis}]")
            met.add(label)
    return lines


def _summed(output, factors):
    """Loops that sum products. Where the last of them belong to the sum alone, a number takes it up.

    >>> for line in _summed("ik", [("a", "ij"), ("b", "kj")]):
    ...     print(line)
    r = np.zeros((n_i, n_k,), dtype)
    for i_i in range(n_i):
        for i_k in range(n_k):
            s = zero
            for i_j in range(n_j):
                s += a[i_i, i_j] * b[i_k, i_j]
            r[i_i, i_k] += s
    return r
    """
    order = _order([output, *(part for _, part in factors)])
    outside = max((k for k, label in enumerate(order, 1) if label in output), default=0)
    product = " * ".join(name + _at(part) for name, part in factors)
    made = f"r = np.zeros({_shape(output)}, dtype)" if output else "r = zero"
    inner = _loops(order[outside:], [f"s += {product}"])
    if len(inner) == 1:
        inner = [f"r{_at(output)} += {product}"]
    else:
        inner = ["s = zero", *inner, f"r{_at(output)} += s"]
    return [made, *_loops(order[:outside], inner), "return r"]


def _by_products(output, factors):
    """Many products of two arrays, as products of matrices: one for each element of the labels that both have and keep.

    The first label is taken some elements at a time, so that what is copied stays in the cache.

    >>> for line in _by_products("bik", [("x", "bij"), ("y", "bkj")]):
    ...     print(line)
    if n_b * n_i * n_k * n_j > 4096:
        r = np.zeros((n_b, n_i, n_k,), dtype)
        for begin in range(0, n_b, 64):
            m_b = min(64, n_b - begin)
            one = np.empty((m_b, n_i, n_j), dtype)
            for i_b in range(m_b):
                for i_i in range(n_i):
                    for i_j in range(n_j):
                        one[i_b, i_i, i_j] = x[begin + i_b, i_i, i_j]
            two = np.empty((m_b, n_k, n_j), dtype)
            for i_b in range(m_b):
                for i_k in range(n_k):
                    for i_j in range(n_j):
                        two[i_b, i_k, i_j] = y[begin + i_b, i_k, i_j]
            p = np.empty((m_b, n_i, n_k), dtype)
            for at in range(len(p)):
                np.dot(one[at], two[at].T, p[at])
            for i_b in range(m_b):
                for i_i in range(n_i):
                    for i_k in range(n_k):
                        r[begin + i_b, i_i, i_k] += p[i_b, i_i, i_k]
        return r
    """
    found = _grouped(output, factors)
    if found is None:
        return []
    every = dict.fromkeys(output + "".join(part for _, part in factors))
    lines = [*_multiplied(output, *found), "return r"]
    return [f"if {_count(every)} > {LARGE}:", *(f"    {line}" for line in lines)]


def _multiplied(output, factors, groups):
    """What is copied, multiplied and added to the result."""
    many, rows, gone, columns = groups
    cut = _order([output, *(part for _, part in factors)])[0]
    before, lines, given = [f"r = np.zeros({_shape(output)}, dtype)"], [], []
    for name, (array, part), axes in zip(("one", "two"), factors, ((rows, gone), (gone, columns))):
        turned = part[-1] in axes[0]
        laid = (many, *(axes[::-1] if turned else axes))
        given.append(f"{name}[at]{'.T' if turned else ''}")
        place = lines if cut in part else before
        place.append(f"{name} = np.empty({_lengths(laid, cut)}, dtype)")
        place += _loops(part, [f"{name}{_inside(laid, cut)} = {array}{_at(part, cut)}"], cut)
    whole = (many, rows, columns)
    lines.append(f"p = np.empty({_lengths(whole, cut)}, dtype)")
    lines += ["for at in range(len(p)):", f"    np.dot({', '.join(given)}, p[at])"]
    lines += _loops(output, [f"r{_at(output, cut)} += p{_inside(whole, cut)}"], cut)
    head = [
        f"for begin in range(0, n_{cut}, {BLOCK}):",
        f"    m_{cut} = min({BLOCK}, n_{cut} - begin)",
    ]
    return [*before, *head, *(f"    {line}" for line in lines)]


def _grouped(output, factors):
    """Both arrays, the one with the last label of the sum second, and four groups of labels: those that both have
    and keep, those of the first, those that are summed, those of the second. None: no such product.
    """
    if len(factors) != 2:
        return None
    first, second = (part for _, part in factors)
    both = [c for c in first if c in second]
    many, gone = [c for c in both if c in output], [c for c in both if c not in output]
    rows, columns = ([c for c in part if c not in both] for part in (first, second))
    twice = any(len(set(part)) < len(part) for part in (first, second))
    if twice or not (rows and columns and gone) or not {*rows, *columns} <= set(output):
        return None
    if output[-1] in rows:
        return _grouped(output, factors[::-1])
    return factors, (many, rows, gone, columns)


def _lengths(groups, cut):
    return f"({', '.join(_count(group, cut) for group in groups)})"


def _inside(groups, cut):
    """The place of an element there.

    >>> _inside(["", "ab", "c"], "b")
    '[0, (i_a) * m_b + i_b, i_c]'
    """
    places = []
    for group in groups:
        place = f"i_{group[0]}" if group else "0"
        for label in group[1:]:
            place = f"({place}) * {_count(label, cut)} + i_{label}"
        places.append(place)
    return f"[{', '.join(places)}]"


def _count(part, cut=""):
    return " * ".join(f"m_{c}" if c == cut else f"n_{c}" for c in part) or "1"


def _order(parts):
    """The labels, those far from the last axis first: so memory is walked along.

    >>> _order(["nki", "kij", "nkj"]), _order(["kij", "nki", "nkj"]), _order(["ik", "ij", "jk"])
    ('nkij', 'nkij', 'ijk')
    """
    far = {}
    for part in parts:
        for place, label in enumerate(reversed(part)):
            far.setdefault(label, []).append(place)
    return "".join(sorted(far, key=lambda label: (-sum(far[label]) / len(far[label]), label)))


def _loops(order, lines, cut=""):
    heads = (f"for i_{label} in range({_count(label, cut)}):" for label in order)
    text = ["    " * k + head for k, head in enumerate(heads)]
    return [*text, *("    " * len(order) + line for line in lines)]
