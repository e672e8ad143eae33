"""Expressions in normal form: every operand a name or a literal, evaluated in Python's order.

In: an expression of the user.
Out: a simple expression or an atom; what must happen before is emitted into the context.
Next: blocks.
"""

from __future__ import annotations

import ast
import functools
import itertools
from collections.abc import Callable, Iterator
from types import MethodType
from typing import Any

import gast
import numpy as np

from tangentlite import syntax
from tangentlite.frontend.check import gives_nothing
from tangentlite.lowering import spellings, truth, values
from tangentlite.lowering.arrays import flat, outputs
from tangentlite.lowering.context import Context, read, remade
from tangentlite.lowering.iteration import consumers
from tangentlite.lowering.lists import dicts, dunders

EXPANDED = (gast.IfExp, gast.NamedExpr, gast.ListComp, gast.GeneratorExp, gast.DictComp)


def atom(node: gast.expr, context: Context) -> gast.expr:
    """A name or a literal that has the value of ``node``."""
    value = simple(node, context)
    return value if syntax.is_atom(value) else context.hold(value)


def simple(node: gast.expr, context: Context) -> gast.expr:
    """Operands become names or literals, in Python's order of evaluation.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("return g(x).T + g(x * 2, axis=-1)[1:x]", "x"))
    t1 = g(x)
    t2 = t1.T
    t3 = x * 2
    t4 = g(t3, axis=-1)
    t5 = t4[1:x]
    y = t2 + t5
    return y
    """
    if syntax.is_atom(node):
        return node
    if isinstance(node, EXPANDED):
        return _expanded(node, context)
    lowering = SIMPLE.get(node.__class__)
    return lowering(node, context) if lowering else node


def operands(nodes: list[gast.expr], context: Context) -> list[gast.expr]:
    """Atoms for ``nodes``, left to right; a name that a later operand rebinds is kept first."""
    found: list[gast.expr] = []
    for node in nodes:
        if syntax.is_atom(node):
            found.append(node)
            continue
        if found:
            found = _kept(found, node, context)
        found.append(atom(node, context))
    return found


def _kept(found: list[gast.expr], later: gast.expr, context: Context) -> list[gast.expr]:
    """Copies of the names among ``found`` that evaluating ``later`` may rebind."""
    names = {a.id for a in found if isinstance(a, gast.Name)}
    rebound = syntax.stores(later) if context.walrus else set()
    shared = {n for n in names - context.locals if not context.is_builtin(n)}
    if shared and not truth.quiet(later, context):
        rebound = rebound | shared
    if not names & rebound:
        return found
    return [context.hold(a) if isinstance(a, gast.Name) and a.id in rebound else a for a in found]


def _expanded(node: gast.expr, context: Context) -> gast.expr:
    """An expression that only statements can say: they are lowered, and leave a name."""
    statements, result = values.expand(node, context)
    context.run(statements)
    return result


def _binary(node: gast.BinOp, context: Context) -> gast.expr:
    """``a + b + c + …`` without recursion on the left side."""
    chain = [node]
    while isinstance(chain[-1].left, gast.BinOp):
        chain.append(chain[-1].left)
    result = chain[-1].left
    for link in reversed(chain):
        if link is not chain[-1]:
            result = context.hold(result)
        left, right = operands([result, link.right], context)
        result = remade(link, left=left, right=right)
    return result


def _unary(node: gast.UnaryOp, context: Context) -> gast.expr:
    if isinstance(node.op, gast.Not):
        return _truth(node, context)
    return remade(node, operand=atom(node.operand, context))


def _truth(node: gast.expr, context: Context) -> gast.expr:
    """A truth value: kept whole, unless something in it needs statements."""
    if not truth.is_truth(node) or (isinstance(node, gast.BoolOp) and truth.needs(node, context)):
        return _expanded(node, context)
    if not truth.needs(node, context):
        return node
    match node:
        case gast.UnaryOp(operand=operand):
            return remade(node, operand=test(operand, context))
        case gast.Compare(comparators=[_, *rest]) if any(truth.needs(n, context) for n in rest):
            return _expanded(node, context)
    left, *others = operands([node.left, *node.comparators], context)
    return remade(node, left=left, comparators=others)


def test(node: gast.expr, context: Context) -> gast.expr:
    """What may stand after ``if``: an atom or an inert expression."""
    inert = isinstance(node, gast.BoolOp) or truth.is_truth(node)
    if inert and not truth.needs(node, context):
        return node
    value = simple(node, context)
    return value if syntax.is_atom(value) or truth.is_truth(value) else context.hold(value)


def _valued(node: gast.Call, context: Context) -> gast.expr:
    """A call that only writes is a statement, and None.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("return setattr(x, 'w', y)", "x", "y"))
    t1 = vars(x)
    t1['w'] = y
    y_1 = None
    return y_1
    """
    meaning = context.meaning(node.func)
    if any(meaning is one for one in spellings.SAME) and not node.keywords:
        return simple(spellings.plainly(node, meaning), context)
    if not gives_nothing(meaning):
        return call(node, context)
    context.run([syntax.at(gast.Expr(node), node)])
    return syntax.at(syntax.constant(None), node)


def call(node: gast.Call, context: Context) -> gast.expr:
    """Arguments become atoms; the callee is a name, a dotted global, or a method of an atom."""
    if (plain := dunders.plain(node, context)) is not None:
        return simple(plain, context)
    node = consumers.simplified(node, context)
    if not isinstance(node, gast.Call) or values.expands(node, context):
        return _expanded(node, context)
    node = spellings.respelled(outputs.reduced(node, context), context)
    if not isinstance(node, gast.Call):
        return simple(node, context)
    if (written := outputs.given_out(node, context)) is not None:
        context.run(written[0])
        return simple(written[1], context)
    node = flat.flattened(node, context)
    if getattr(context.meaning(node.func), "__transforms__", False):
        node = _with_options(node)
    nodes = [a.value if isinstance(a, gast.Starred) else a for a in node.args]
    nodes += [k.value for k in node.keywords]
    callee = node.func
    if isinstance(callee, gast.Attribute) and not _is_global_callee(callee, context):
        base, *atoms = operands([callee.value, *nodes], context)
        callee = remade(callee, value=base)
    elif isinstance(callee, gast.Name | gast.Attribute):
        atoms = operands(nodes, context)
    else:
        callee, *atoms = operands([callee, *nodes], context)
    rest = iter(atoms)
    args = [
        remade(a, value=next(rest)) if isinstance(a, gast.Starred) else next(rest)
        for a in node.args
    ]
    keywords = [remade(k, value=next(rest)) for k in node.keywords]
    return remade(node, func=callee, args=args, keywords=keywords)


def _with_options(node: gast.Call) -> gast.Call:
    """``tl.grad(f, wrt=(0, 1))``: the options are literals, whatever they are."""
    first, rest = node.args[:1], [_literal(a) for a in node.args[1:]]
    keywords = [remade(k, value=_literal(k.value)) for k in node.keywords]
    return remade(node, args=[*first, *rest], keywords=keywords)


def _literal(node: gast.expr) -> gast.expr:
    try:
        value = ast.literal_eval(syntax.unparse(node))
    except ValueError:
        return node
    return syntax.at(syntax.constant(value), node)


def _is_global_callee(callee: gast.Attribute, context: Context) -> bool:
    """Whether ``a.b.f`` is a path through modules and classes, which stays as it is."""
    owner = context.meaning(callee.value)
    if isinstance(owner, property | functools.cached_property | MethodType):
        return True  # what is written for `x.size`: `C.size.fget(x)`
    return isinstance(owner, type) or context.is_module(callee.value)


def _attribute(node: gast.Attribute, context: Context) -> gast.expr:
    if node.attr == "shape" and isinstance(node.value, gast.Call):
        if context.meaning(node.value.func) is np.broadcast:
            return simple(spellings.shape_of_all(node.value, context), context)
    if _is_global_callee(node, context):
        return node
    if flat.is_flat(node, context):
        raise flat.walked(node, context)
    if node.attr == "__dict__":
        own = read(context.builtin("vars", node), node)
        return simple(syntax.at(gast.Call(own, [node.value], []), node), context)
    return remade(node, value=atom(node.value, context))


def _subscript(node: gast.Subscript, context: Context) -> gast.expr:
    if flat.is_flat(node.value, context):
        node = flat.element(node, context)
    if any(context.meaning(node.value) is one for one in spellings.JOINING):
        held = remade(node, slice=index(node.slice, context))
        return simple(spellings.joined(held, context), context)
    if (chosen := spellings.chosen(node)) is not None:
        return operands(chosen[0], context)[chosen[1]]
    parts = list(_index_parts(node.slice, context))
    base, *atoms = operands([node.value, *parts], context)
    return remade(node, value=base, slice=rebuilt(node.slice, iter(atoms)))


def index(node: gast.expr, context: Context) -> gast.expr:
    """The index of a subscript: atoms, slices of atoms, tuples of those."""
    return rebuilt(node, iter(operands(list(_index_parts(node, context)), context)))


def _index_parts(node: gast.expr, context: Context) -> Iterator[gast.expr]:
    match node:
        case gast.Slice(lower=lower, upper=upper, step=step):
            yield from (part for part in (lower, upper, step) if part is not None)
        case gast.Tuple(elts=elements):
            for element in elements:
                yield from _index_parts(element, context)
        case gast.Attribute(value=owner, attr="newaxis") if context.meaning(owner) is np:
            yield syntax.at(syntax.constant(None), node)
        case _:
            yield node


def rebuilt(node: gast.expr, atoms: Iterator[gast.expr]) -> Any:
    """The index ``node`` with its parts replaced, in order."""
    match node:
        case gast.Slice(lower=lower, upper=upper, step=step):
            parts = [part and next(atoms) for part in (lower, upper, step)]
            return remade(node, lower=parts[0], upper=parts[1], step=parts[2])
        case gast.Tuple(elts=elements):
            return remade(node, elts=[rebuilt(element, atoms) for element in elements])
        case _:
            return next(atoms)


def _set(node: gast.Set | gast.SetComp, context: Context) -> gast.expr:
    """``{a, b}`` is ``set([a, b])``."""
    make = read(context.builtin("set", node), node)
    if isinstance(node, gast.Set):
        items = gast.List(node.elts, gast.Load())
    else:
        items = gast.ListComp(node.elt, node.generators)
    return simple(syntax.at(gast.Call(make, [syntax.at(items, node)], []), node), context)


def _display(node: gast.expr, context: Context) -> gast.expr:
    if any(isinstance(e, gast.Starred) for e in node.elts):
        return simple(_spliced(node, context), context)
    return remade(node, elts=operands(node.elts, context))


def _spliced(node: gast.Tuple | gast.List, context: Context) -> gast.expr:
    """``[*x, 1.0]`` is ``list(x) + [1.0]``.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("return (*x, 1.0)", "x"))
    t1 = tuple(x)
    t2 = (1.0,)
    y = t1 + t2
    return y
    """
    make = context.builtin("tuple" if isinstance(node, gast.Tuple) else "list", node)
    parts: list[gast.expr] = []
    for starred, group in itertools.groupby(node.elts, lambda e: isinstance(e, gast.Starred)):
        if starred:
            parts += [syntax.at(gast.Call(read(make, node), [e.value], []), e) for e in group]
        else:
            parts.append(remade(node, elts=list(group)))
    return functools.reduce(lambda a, b: syntax.at(gast.BinOp(a, gast.Add(), b), node), parts)


def _dict(node: gast.Dict, context: Context) -> gast.expr:
    if dicts.is_computed(node):
        return _expanded(node, context)
    pairs = [part for pair in zip(node.keys, node.values, strict=True) for part in pair]
    atoms = operands(pairs, context)
    return remade(node, keys=atoms[::2], values=atoms[1::2])


def _text(node: gast.JoinedStr, context: Context) -> gast.expr:
    """An f-string stays whole, unless something in it needs statements."""
    if not truth.needs(node, context):
        return node
    parts = [p for p in syntax.walk(node) if isinstance(p, gast.FormattedValue)]
    atoms = iter(operands([p.value for p in parts], context))
    return _refilled(node, {p: next(atoms) for p in parts})


def _refilled(node: Any, atoms: dict[Any, gast.expr]) -> Any:
    if isinstance(node, gast.JoinedStr):
        return remade(node, values=[_refilled(v, atoms) for v in node.values])
    if isinstance(node, gast.FormattedValue):
        spec = node.format_spec and _refilled(node.format_spec, atoms)
        return remade(node, value=atoms[node], format_spec=spec)
    return node


SIMPLE: dict[type[ast.AST], Callable[[Any, Context], gast.expr]] = {
    gast.BinOp: _binary,
    gast.UnaryOp: _unary,
    gast.BoolOp: _truth,
    gast.Compare: _truth,
    gast.Call: _valued,
    gast.Attribute: _attribute,
    gast.Subscript: _subscript,
    gast.Tuple: _display,
    gast.List: _display,
    gast.Set: _set,
    gast.SetComp: _set,
    gast.Dict: _dict,
    gast.JoinedStr: _text,
}
