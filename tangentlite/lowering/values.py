"""Expressions that become statements: ternaries, ``and``/``or``, walrus, chained comparisons.

In: an expression of the user.
Out: statements, still to be lowered, that bind its value to a name.
Next: comprehensions, anf, desugar.
"""

from __future__ import annotations

import gast

from tangentlite.lowering.context import Context, read, remade
from tangentlite.lowering.iteration import comprehensions, consumers
from tangentlite.lowering.lists import dicts


def expand(node: gast.expr, context: Context) -> tuple[list[gast.stmt], gast.expr]:
    """Statements that compute ``node``, and the name that holds it then."""
    if isinstance(node, gast.NamedExpr) and isinstance(node.target, gast.Name):
        statements = context.quote("x = value", node, x=node.target, value=node.value)
        return statements, read(node.target.id, node)
    name = context.temporary()
    if isinstance(node, gast.NamedExpr):  # what an inner function captures lies in a cell
        statements = context.quote(
            "name = value\ncell = name", node, name=name, cell=node.target, value=node.value
        )
        return statements, read(name, node)
    return into(name, node, context), read(name, node)


def expands(node: gast.expr, context: Context) -> bool:
    """Whether a call or a display can only be said by statements."""
    if isinstance(node, gast.Call):
        return (consumers.into(node, context) or dicts.into(node, context)) is not None
    return dicts.is_computed(node)


def into(name: str, node: gast.expr, context: Context) -> list[gast.stmt]:
    """Statements that bind ``name`` to the value of ``node``."""
    match node:
        case gast.IfExp():
            return ternary(name, node, context)
        case gast.BoolOp():
            return logic(name, node, context)
        case gast.Compare():
            return chain(name, node, context)
        case gast.Call():
            lower = consumers.into(node, context) or dicts.into(node, context)
            assert lower is not None
            return lower(name, node, context)
        case gast.Dict() | gast.DictComp():
            return dicts.display(name, node, context)
        case _:
            return comprehensions.build(name, node, context)


def ternary(name: str, node: gast.IfExp, context: Context) -> list[gast.stmt]:
    """A ternary becomes an ``if``.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("return g(x if x > 0 else 2)", "x"))
    if x > 0:
        t1 = x
    else:
        t1 = 2
    y = g(t1)
    return y
    """
    text = "if test:\n    x = a\nelse:\n    x = b"
    return context.quote(text, node, x=name, test=node.test, a=node.body, b=node.orelse)


def alone(node: gast.IfExp | gast.BoolOp, context: Context) -> list[gast.stmt]:
    """A ternary, ``and`` and ``or`` whose value nobody reads are an ``if``.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("x.sort() if x else x.fill(2)\\nx or x.append(1)\\nreturn x", "x"))
    if x:
        t1 = rt.in_order(x)
        x[:] = t1
    else:
        x[...] = 2
    if not x:
        x.append(1)
    return x
    """
    if isinstance(node, gast.IfExp):
        text = "if test:\n    a\nelse:\n    b"
        return context.quote(text, node, test=node.test, a=node.body, b=node.orelse)
    *tests, last = node.values
    text = "if test:\n    a" if isinstance(node.op, gast.And) else "if not test:\n    a"
    test = tests[0] if len(tests) == 1 else remade(node, values=tests)
    return context.quote(text, node, test=test, a=last)


def logic(name: str, node: gast.BoolOp, context: Context) -> list[gast.stmt]:
    """``and`` and ``or`` as values become ``if``; the truth of each value is asked once.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("return g(x and g(x))", "x"))
    t1 = x
    if t1:
        t1 = g(x)
    y = g(t1)
    return y
    """
    again = "if x:\n    rest" if isinstance(node.op, gast.And) else "if not x:\n    rest"
    rest: list[gast.stmt] = []
    for value in reversed(node.values):
        tail = context.quote(again, value, x=name, rest=rest) if rest else []
        rest = context.quote("x = value", value, x=name, value=value) + tail
    return rest


def chain(name: str, node: gast.Compare, context: Context) -> list[gast.stmt]:
    """A chained comparison that needs statements stops where Python stops.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("return x < g(x) < (b := x)", "x"))
    t2 = x
    t3 = g(x)
    t1 = t2 < t3
    if t1:
        b = x
        t1 = t3 < b
    y = t1
    return y
    """
    given = [node.left, *node.comparators[:-1]]
    held = [context.temporary() for _ in given]
    sides = [*(read(h, g) for h, g in zip(held, given, strict=True)), node.comparators[-1]]
    rest: list[gast.stmt] = []
    for k in reversed(range(len(node.ops))):
        tail = context.quote("if x:\n    rest", node, x=name, rest=rest) if rest else []
        compare = remade(node, left=sides[k], ops=[node.ops[k]], comparators=[sides[k + 1]])
        rest = context.quote("x = value", node, x=name, value=compare) + tail
        if k + 1 < len(held):
            right = given[k + 1]
            rest = context.quote("m = value", right, m=held[k + 1], value=right) + rest
    return context.quote("m = value", given[0], m=held[0], value=given[0]) + rest
