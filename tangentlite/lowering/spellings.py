"""Other spellings: ``np.r_[…]``, ``np.einsum`` with lists, methods of universal functions, ``np.piecewise``.

In: a call or a subscript of the user.
Out: a call that means the same, or statements; still to be lowered.
Next: consumers, anf.
"""

from __future__ import annotations

import string
import typing
from typing import Any

import gast
import numpy as np

from tangentlite import runtime, syntax
from tangentlite.errors import UnsupportedSyntaxError
from tangentlite.lowering.context import Context, read, remade
from tangentlite.lowering.lists import methods
from tangentlite.standins import arrays

JOINING = (np.r_, np.c_)
FOR_SPEED = (
    *(runtime.spent, runtime.dot, runtime.frame),
    *(runtime.unbroadcast_product, runtime.unreduce_product),
)
SAME = (*FOR_SPEED, typing.cast)


def joined(node: gast.Subscript, context: Context) -> gast.expr:
    """``np.r_[a, b]`` and ``np.c_[a, b]``, of atoms and slices of atoms, are concatenations.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("return np.r_[x, 1:3]", "x"))
    t1 = np.atleast_1d(x)
    t2 = np.arange(1, 3)
    t3 = (t1, t2)
    y = np.concatenate(t3)
    return y
    """
    rows = context.meaning(node.value) is np.r_
    elements = node.slice.elts if isinstance(node.slice, gast.Tuple) else [node.slice]
    parts = [_part(e, rows, node, context) for e in elements]
    keywords: list[Any] = []
    if any(map(_is_number, elements)) and not all(map(_is_number, elements)):
        whole = [e for e in elements if not isinstance(e, gast.Slice)]
        rt = read(context.module("rt", runtime), node)
        common = syntax.at(gast.Attribute(rt, "common_dtype", gast.Load()), node)
        dtype = gast.Call(common, whole, [])
        keywords.append(syntax.at(gast.keyword("dtype", syntax.at(dtype, node)), node))
    args: list[gast.expr] = [syntax.at(gast.Tuple(parts, gast.Load()), node)]
    if not rows:
        args.append(syntax.at(syntax.constant(-1), node))
    return syntax.at(gast.Call(context.numpy("concatenate", node), args, keywords), node)


def _part(element: gast.expr, rows: bool, node: gast.expr, context: Context) -> gast.expr:
    if isinstance(element, gast.Constant) and isinstance(element.value, str):
        what = "a string in `np.r_[…]`"
        raise UnsupportedSyntaxError(
            what, context.function.origin.place(element), "Write `np.concatenate(…)`."
        )
    if isinstance(element, gast.Slice):
        element = _numbers(element, context)
        if rows:
            return element
    if rows:
        return syntax.at(gast.Call(context.numpy("atleast_1d", node), [element], []), element)
    func = read(context.module("column", arrays.column), element)
    return syntax.at(gast.Call(func, [element], []), element)


def _numbers(part: gast.Slice, context: Context) -> gast.expr:
    """``a:b:c`` is ``np.arange(a, b, c)``, with an imaginary c ``np.linspace``."""
    start = part.lower or syntax.constant(0)
    match part.step:
        case gast.Constant(value=complex() as count):
            args = [start, part.upper, syntax.constant(int(abs(count)))]
            call = gast.Call(context.numpy("linspace", part), args, [])
        case step:
            args = [start, part.upper, *([step] if step is not None else [])]
            call = gast.Call(context.numpy("arange", part), args, [])
    for node in syntax.walk(call):
        if not hasattr(node, "lineno"):
            syntax.at(node, part)
    return call


def _is_number(element: gast.expr) -> bool:
    return not isinstance(element, gast.Slice) and not syntax.loads(element)


def shape_of_all(call: gast.Call, context: Context) -> gast.expr:
    """``np.broadcast(a, b).shape`` asks for shapes only.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("return np.zeros(np.broadcast(x, y).shape)", "x", "y"))
    t1 = np.shape(x)
    t2 = np.shape(y)
    t3 = np.broadcast_shapes(t1, t2)
    y_1 = np.zeros(t3)
    return y_1
    """

    def shape(part: gast.expr) -> gast.expr:
        return syntax.at(gast.Call(context.numpy("shape", part), [part], []), part)

    return remade(call, func=context.numpy("broadcast_shapes", call), args=[*map(shape, call.args)])


def plainly(node: gast.Call, meaning: Any) -> gast.expr:
    """What is said for who checks types, or for speed: a second derivative reads records and products twice."""
    if meaning is runtime.spent or meaning is typing.cast:
        return node.args[meaning is typing.cast]
    if meaning is runtime.unreduce_product:
        return _unreduced(node)
    left, right, *like = node.args
    product = syntax.at(gast.BinOp(left, gast.Mult(), right), node)
    if meaning is runtime.frame:
        return product
    like = like or [syntax.at(syntax.constant(0.0), node)]
    func = remade(node.func, attr="unbroadcast")
    return syntax.at(gast.Call(func, [product, *like], []), node)


def _unreduced(node: gast.Call) -> gast.expr:
    """``rt.unbroadcast(rt.unreduce(b, x * y, axis) * x, y)`` for ``rt.unreduce_product(b, x, y, axis)``."""
    b, x, like, axis = node.args
    whole = syntax.at(gast.BinOp(x, gast.Mult(), like), node)
    repeated = gast.Call(remade(node.func, attr="unreduce"), [b, whole, axis], [])
    product = syntax.at(gast.BinOp(syntax.at(repeated, node), gast.Mult(), x), node)
    return syntax.at(gast.Call(remade(node.func, attr="unbroadcast"), [product, like], []), node)


def respelled(node: gast.Call, context: Context) -> gast.expr:
    """The call of a function where a method or lists are given.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("return np.einsum(x, [0, 1], x, [1, 2])", "x"))
    y = np.einsum('ab,bc', x, x)
    return y
    >>> print(lowered("return np.hypot.reduce(x)", "x"))
    t1 = np.hypot
    y = reduce(t1, x)
    return y
    """
    meaning = context.meaning(node.func)
    if meaning is np.array or meaning is np.asarray:
        return _array(meaning, node, context)
    if isinstance(meaning, np.ufunc) or meaning is np.einsum:
        node = _of_dtype(node, context)
    if meaning is np.einsum and len(node.args) > 1:
        return _einsum(node, context)
    if meaning is np.nditer and len(node.args) == 1 and not node.keywords:
        order = gast.keyword("order", syntax.constant("K"))
        return remade(node, func=context.numpy("ravel", node), keywords=[syntax.at(order, node)])
    if meaning is np.fromfunction and len(node.args) == 2:
        return _fromfunction(node, context)
    owner = getattr(meaning, "__self__", None)
    return methods.of_ufunc(node, meaning, context) if isinstance(owner, np.ufunc) else node


def _array(meaning: Any, node: gast.Call, context: Context) -> gast.Call:
    """``np.array(x, copy=None, ndmin=2)`` is ``np.atleast_2d(np.asarray(x))``.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("return np.array(x, copy=None) + np.asarray(x, copy=True)", "x"))
    t1 = np.asarray(x)
    t2 = np.array(x)
    y = t1 + t2
    return y
    """
    options = {k.arg: k.value.value for k in node.keywords if isinstance(k.value, gast.Constant)}
    left = list(node.keywords)
    if options.get("copy", 0) is (None if meaning is np.array else True):
        left = [k for k in left if k.arg != "copy"]
        node = remade(node, func=context.numpy(OTHER[meaning], node), keywords=left)
    if meaning is np.array and options.get("copy") is False:  # raises where a copy is needed
        node = remade(node, func=context.numpy("asarray", node))
    if options.get("ndmin") not in AT_LEAST:
        return node
    made = remade(node, keywords=[k for k in left if k.arg != "ndmin"])
    raised = AT_LEAST[options["ndmin"]]
    return syntax.at(gast.Call(context.numpy(raised, node), [made], []), node) if raised else made


OTHER = {np.array: "asarray", np.asarray: "array"}
AT_LEAST = {0: "", 1: "atleast_1d", 2: "atleast_2d"}


def _of_dtype(node: gast.Call, context: Context) -> gast.Call:
    """``np.exp(x, dtype=float)`` is ``np.exp(np.asarray(x, dtype=float))``; casts and layout are no matter."""
    dtype = next((k.value for k in node.keywords if k.arg == "dtype"), None)
    other = [k for k in node.keywords if k.arg not in ("casting", "order", "subok", "dtype")]
    if dtype is None or (isinstance(dtype, gast.Constant) and dtype.value is None):
        return node if len(other) == len(node.keywords) else remade(node, keywords=other)
    if context.meaning(dtype) not in FLOATS:
        return node
    asarray = context.numpy("asarray", node)
    args = [
        a
        if isinstance(a, gast.Constant) and isinstance(a.value, str)
        else syntax.at(gast.Call(asarray, [a, dtype], []), a)
        for a in node.args
    ]
    return remade(node, args=args, keywords=other)


FLOATS: tuple[Any, ...] = (float, complex, np.float64, np.float32, np.complex128, np.complex64)


def _fromfunction(node: gast.Call, context: Context) -> gast.Call:
    """``np.fromfunction(f, (2, 3))`` is ``f(t[0], t[1])`` with ``t = np.indices((2, 3), dtype=float)``."""
    dtype = [k for k in node.keywords if k.arg == "dtype"]
    if not isinstance(node.args[1], gast.Tuple):
        return node
    keywords = dtype or [gast.keyword("dtype", read(context.builtin("float", node), node))]
    indices = gast.Call(context.numpy("indices", node), [node.args[1]], keywords)
    before, places = context.named(syntax.at(indices, node))
    context.run(before)
    args = [
        gast.Subscript(places, syntax.constant(k), gast.Load())
        for k in range(len(node.args[1].elts))
    ]
    for part in (p for a in [*args, *keywords] for p in syntax.walk(a)):
        syntax.at(part, node)
    return remade(
        node, func=node.args[0], args=args, keywords=[k for k in node.keywords if k not in dtype]
    )


def _einsum(node: gast.Call, context: Context) -> gast.Call:
    """``np.einsum(a, [0, 1], b, [1, 2], [0, 2])`` is ``np.einsum("ab,bc->ac", a, b)``."""
    labels = [_labels(a) for a in node.args[1::2]]
    out = _labels(node.args[-1]) if len(node.args) % 2 else None
    if None in labels or (len(node.args) % 2 and out is None):
        return node
    letters = string.ascii_lowercase + string.ascii_uppercase
    if any(not isinstance(k, int) or k >= 26 for ls in [*labels, out or []] for k in ls or []):
        letters = string.ascii_uppercase + string.ascii_lowercase
    words = ["".join("..." if k is ... else letters[k] for k in ls or []) for ls in labels]
    spec = ",".join(words)
    if out is not None:
        spec += "->" + "".join("..." if k is ... else letters[k] for k in out)
    return remade(
        node, args=[syntax.at(syntax.constant(spec), node), *node.args[0 : len(words) * 2 : 2]]
    )


def _labels(node: gast.expr) -> list[Any] | None:
    """The numbers in a list of axes that is written out."""
    if not isinstance(node, gast.List | gast.Tuple):
        return None
    found = [e.value if isinstance(e, gast.Constant) else None for e in node.elts]
    plain = all(k is ... or (type(k) is int and 0 <= k < 52) for k in found)
    return found if plain else None


def piecewise(name: str, node: gast.Call, context: Context) -> list[gast.stmt]:
    """Each function where its condition holds; of several the last counts, and where there is none the rest.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("return np.piecewise(x, [x < 0, x > 1], [0.5, np.sqrt])", "x"))
    t1 = np.asarray(x)
    t2 = x < 0
    t3 = x > 1
    y = np.zeros_like(t1)
    y[t2] = 0.5
    t4 = np.any(t3)
    if t4:
        t5 = t1[t3]
        t6 = np.sqrt(t5)
        y[t3] = t6
    return y
    """
    np_ = context.module("np", np)
    x, *rest = (context.temporary() for _ in range(1 + len(node.args[1].elts)))
    text = "x = np.asarray(e)"
    result = context.quote(text, node, x=x, np=np_, e=node.args[0])
    for held, condition in zip(rest, node.args[1].elts):
        result += context.quote("t = c", node, t=held, c=condition)
    lines, node = _given_once(node, context)
    result += lines
    result += context.quote("y = np.zeros_like(x)", node, y=name, np=np_, x=x)
    conditions: list[gast.expr] = [read(held, node) for held in rest]
    if len(node.args[2].elts) > len(conditions):
        last = context.temporary()
        any_ = " | ".join(rest)
        text = f"t = np.logical_not({any_})"
        result += context.quote(text, node, t=last, np=np_)
        conditions.append(read(last, node))
    for condition, value in zip(conditions, node.args[2].elts):
        holes = {"y": name, "x": x, "m": condition, "np": np_}
        result += _piece(value, holes, node, context)
    return result


def _given_once(node: gast.Call, context: Context) -> tuple[list[gast.stmt], gast.Call]:
    """Names for what each of the functions is given beside the elements."""
    more = [context.named(a) for a in [*node.args[3:], *(k.value for k in node.keywords)]]
    names = iter([name for _, name in more])
    args = [*node.args[:3], *(next(names) for _ in node.args[3:])]
    keywords = [remade(k, value=next(names)) for k in node.keywords]
    lines = [line for made, _ in more for line in made]
    return lines, remade(node, args=args, keywords=keywords)


def _piece(
    value: gast.expr, holes: dict[str, Any], node: gast.Call, context: Context
) -> list[gast.stmt]:
    if not _is_function(value, context):
        return context.quote("y[m] = f", node, f=value, **holes)
    part = context.quote("x[m]", node, **holes)[0].value
    call = syntax.at(gast.Call(value, [part, *node.args[3:]], node.keywords), node)
    return context.quote("if np.any(m):\n    y[m] = call", node, call=call, **holes)


def is_piecewise(node: gast.Call, context: Context) -> bool:
    """Whether conditions and functions are written out, so that each can be called by name."""
    if context.meaning(node.func) is not np.piecewise or len(node.args) < 3:
        return False
    if not all(isinstance(a, gast.List | gast.Tuple) for a in node.args[1:3]):
        return False
    conditions, functions = (a.elts for a in node.args[1:3])
    starred = any(isinstance(e, gast.Starred) for e in [*conditions, *functions, *node.args])
    return not starred and len(functions) - len(conditions) in (0, 1)


def _is_function(value: gast.expr, context: Context) -> bool:
    if isinstance(value, gast.Call):
        return context.meaning(value.func) in (runtime.closure, runtime.passing)
    return isinstance(value, gast.Lambda) or callable(context.meaning(value))


def chosen(node: gast.Subscript) -> tuple[list[gast.expr], int] | None:
    """The values of ``(a, b)[0]``, and which of them is meant; None of anything else."""
    match node:
        case gast.Subscript(value=gast.Tuple(elts=values), slice=gast.Constant(value=int() as k)):
            starred = any(isinstance(e, gast.Starred) for e in values)
            return (values, k) if not starred and -len(values) <= k < len(values) else None
    return None
