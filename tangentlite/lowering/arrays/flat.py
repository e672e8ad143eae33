"""``a.flat``: elements one after the other, in the order of the indices.

In: ``a.flat[i]`` read or stored, ``a.flat`` as an argument.
Out: subscripts of a, still to be lowered.
Next: desugar, anf.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Mapping
from typing import Any

import gast
import numpy as np

from tangentlite import syntax
from tangentlite.errors import UnsupportedSyntaxError
from tangentlite.lowering.arrays.inplace import ONE_BY_ONE, WHOLE, as_value, repeated
from tangentlite.lowering.arrays.outputs import of_numpy
from tangentlite.lowering.context import Context, remade

_WALKED = np.zeros(2)
SHARED = np.shares_memory(np.array(_WALKED.flat), _WALKED)


def stored(
    target: gast.Subscript, value: gast.expr, context: Context, text: str = ONE_BY_ONE
) -> list[gast.stmt]:
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
    return first + before + repeated(array, place, value, text, target, context)


def whole(target: gast.Attribute, value: gast.expr, context: Context) -> list[gast.stmt]:
    """``a.flat = v``: what is short begins again.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("x.flat = 1\\nreturn x", "x"))
    t1 = slice(None, None, None)
    t2 = rt.flat_index(x, t1)
    x[t2] = 1
    return x
    """
    array = gast.Subscript(
        remade(target, ctx=gast.Load()), gast.Slice(None, None, None), gast.Store()
    )
    return stored(syntax.at(array, target), value, context, WHOLE)


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


def held(body: list[Any], context: Context) -> list[Any]:
    """A name for ``a.flat`` that is subscripted, or given to NumPy, is one for a.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("v = x.flat\\nreturn np.dot(v, v)", "x"))
    v = x
    t1 = np.ravel(v)
    t2 = np.ravel(v)
    y = np.dot(t1, t2)
    return y
    """
    if "flat" not in context.contents(body).attributes:
        return body
    nodes = [n for s in body for n in syntax.walk(s)]
    every = Counter(n.id for n in nodes if isinstance(n, gast.Name))
    every.update(p.name for p in context.function.params)
    known = Counter(n.id for n in _asked(nodes, context) if isinstance(n, gast.Name))
    bindings = {
        n.targets[0].id: n
        for n in nodes
        if isinstance(n, gast.Assign)
        and isinstance(n.targets[0], gast.Name)
        and is_flat(n.value, context)
    }
    names = {name: s for name, s in bindings.items() if every[name] == known[name] + 1}
    return [_said(s, names) for s in body] if names else body


def _asked(nodes: list[Any], context: Context) -> list[Any]:
    """What is asked for elements or given to NumPy: no walk over it goes on from there."""
    found = [n.value for n in nodes if isinstance(n, gast.Subscript)]
    for node in nodes:
        if isinstance(node, gast.Call) and of_numpy(context.meaning(node.func)):
            found += node.args
    return found


def _said(node: Any, names: Mapping[str, gast.stmt]) -> Any:
    """A tree in which names stand for arrays."""
    if isinstance(node, gast.Name) and node.id in names:
        return syntax.at(gast.Attribute(node, "flat", gast.Load()), node)
    if isinstance(node, list):
        return [_said(n, names) for n in node]
    if not isinstance(node, ast.AST) or not syntax.mentions(node, names):
        return node
    if isinstance(node, gast.Assign) and node in names.values():
        return remade(node, value=node.value.value)
    return remade(node, **{f: _said(getattr(node, f, None), names) for f in node._fields})


def is_flat(node: gast.AST, context: Context) -> bool:
    """Whether ``node`` is ``a.flat``."""
    return (
        isinstance(node, gast.Attribute)
        and node.attr == "flat"
        and context.meaning(node) is None
        and not context.is_method(node)
    )


def elements(node: gast.Attribute, context: Context) -> gast.expr:
    """``a.flat`` where it is unpacked at once.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("a, b = x.flat\\nreturn b", "x"))
    t1 = np.ravel(x)
    t2 = rt.unpack(t1, 2)
    a = t2[0]
    b = t2[1]
    return b
    """
    return syntax.at(gast.Call(context.numpy("ravel", node), [node.value], []), node)


def flattened(call: gast.Call, context: Context) -> gast.Call:
    """``a.flat`` as an argument of what reads it at once; NumPy makes no copy of it where it says so.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("return np.sum(np.array(x.flat))", "x"))
    t1 = np.ravel(x)
    t2 = np.asarray(t1)
    y = np.sum(t2)
    return y
    """
    if not any(is_flat(a, context) for a in call.args) or not _at_once(call.func, context):
        return call
    args = [elements(a, context) if is_flat(a, context) else a for a in call.args]
    func, keywords = call.func, call.keywords
    if SHARED and context.meaning(func) in (np.array, np.copy):
        func = context.numpy("asarray", call)
        keywords = [k for k in keywords if k.arg != "copy"]
    return remade(call, func=func, args=args, keywords=keywords)


def _at_once(func: gast.expr, context: Context) -> bool:
    return of_numpy(context.meaning(func)) or (
        isinstance(func, gast.Name) and context.is_builtin(func.id)
    )


def walked(node: gast.Attribute, context: Context) -> UnsupportedSyntaxError:
    """Why ``a.flat`` as a value is refused: it walks over the array when it is used, not where it is written."""
    hint = "Write `a.flat[…]` where it is used, or `np.ravel(a)`."
    return UnsupportedSyntaxError("`.flat` as a value", context.function.origin.place(node), hint)
