"""``a.flat``: elements one after the other, in the order of the indices.

In: ``a.flat[i]`` read or stored, ``a.flat`` as an argument.
Out: subscripts of a, still to be lowered.
Next: desugar, anf.
"""

from __future__ import annotations

import gast

from tangentlite import syntax
from tangentlite.errors import UnsupportedSyntaxError
from tangentlite.lowering.context import Context, remade
from tangentlite.lowering.inplace import ONE_BY_ONE, as_value, repeated
from tangentlite.lowering.outputs import of_numpy


def stored(target: gast.Subscript, value: gast.expr, context: Context) -> list[gast.stmt]:
    """``a.flat[i] = v``: one element after the other.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("x.flat[::2] = 1\\nreturn x", "x"))
    t1 = slice(None, None, 2)
    t2 = rt.flat_index(x, t1)
    x[t2] = 1
    return x
    >>> print(lowered("x.flat[::2] = y\\nreturn x", "x", "y"))
    t2 = slice(None, None, 2)
    t1 = rt.flat_index(x, t2)
    t3 = np.ravel(y)
    t4 = rt.turns(y, x, t1)
    t5 = t3[t4]
    x[t1] = t5
    return x
    """
    first, value = context.named(value)
    before, array = context.named(target.value.value)
    place = index(array, target, context)
    return first + before + repeated(array, place, value, ONE_BY_ONE, target, context)


def index(array: gast.expr, target: gast.Subscript, context: Context) -> gast.expr:
    """The index of ``a.flat[i]`` in a."""
    index = as_value(target.slice, context)
    text = "rt.flat_index(a, i)"
    return context.quote(text, target, a=array, rt=context.rt(), i=index)[0].value


def element(node: gast.Subscript, context: Context) -> gast.Subscript:
    """``a.flat[i]``, read or to be written: ``a[rt.flat_index(a, i)]``, which is a copy as it should be."""
    before, array = context.named(node.value.value)
    context.run(before)
    return remade(node, value=array, slice=index(array, node, context))


def is_flat(node: gast.AST, context: Context) -> bool:
    """Whether ``node`` is ``a.flat``."""
    return (
        isinstance(node, gast.Attribute) and node.attr == "flat" and context.meaning(node) is None
    )


def flattened(call: gast.Call, context: Context) -> gast.Call:
    """``a.flat`` as an argument of what reads it at once.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("return np.sum(x.flat)", "x"))
    t1 = np.ravel(x)
    y = np.sum(t1)
    return y
    """
    if not any(is_flat(a, context) for a in call.args) or not _at_once(call.func, context):
        return call
    ravel = context.numpy("ravel", call)
    args = [
        syntax.at(gast.Call(ravel, [a.value], []), a) if is_flat(a, context) else a
        for a in call.args
    ]
    return remade(call, args=args)


def _at_once(func: gast.expr, context: Context) -> bool:
    return of_numpy(context.meaning(func)) or (
        isinstance(func, gast.Name) and context.is_builtin(func.id)
    )


def walked(node: gast.Attribute, context: Context) -> UnsupportedSyntaxError:
    """Why ``a.flat`` as a value is refused: it walks over the array when it is used, not where it is written."""
    hint = "Write `a.flat[…]` where it is used, or `np.ravel(a)`."
    return UnsupportedSyntaxError("`.flat` as a value", context.function.origin.place(node), hint)
