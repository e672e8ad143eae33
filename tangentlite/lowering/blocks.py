"""Statements in normal form, block by block.

In: the user's statements with one return, the last.
Out: statements of the normal form.
Next: analysis.
"""

from __future__ import annotations

from typing import Any

import gast

from tangentlite import syntax
from tangentlite.lowering import anf, truth
from tangentlite.lowering.arrays import flat
from tangentlite.lowering.context import Context, read, remade
from tangentlite.lowering.desugar import desugar


def lower(body: list[gast.stmt], context: Context) -> list[gast.stmt]:
    """``body`` as a new block; never empty."""
    outer, context.out = context.out, []
    lower_into(body, context)
    if not context.out:
        place = context.source or context.function.tree
        context.emit(syntax.at(gast.Pass(), place), place)
    block, context.out = context.out, outer
    return block


def lower_into(body: list[gast.stmt], context: Context) -> None:
    """Lower ``body`` into the block that is being written."""
    source = context.source
    waiting = list(reversed(body))
    while waiting:
        statement = waiting.pop()
        context.source = context.made.get(statement, statement)
        simpler = desugar(statement, context)
        if simpler is None:
            _statement(statement, context)
        else:
            waiting.extend(reversed(simpler))
    context.source = source


def _statement(statement: Any, context: Context) -> None:
    match statement:
        case gast.Assign(targets=[gast.Name() as target], value=value):
            _assign(statement, target, anf.simple(value, context), context)
        case gast.Assign(targets=[gast.Subscript() as target], value=value):
            _store(statement, target, value, context)
        case gast.AugAssign(target=gast.Subscript() as target, value=value):
            _accumulate(statement, target, value, context)
        case gast.If():
            test = anf.test(statement.test, context)
            then, other = lower(statement.body, context), statement.orelse
            other = lower(other, context) if other else []
            context.emit(remade(statement, test=test, body=then, orelse=other), statement)
        case gast.For():
            _for(statement, context)
        case gast.While():
            _while(statement, context)
        case gast.Try():
            _try(statement, context)
        case gast.With():
            _with(statement, context)
        case gast.Expr(value=value):
            _effect(statement, value, context)
        case gast.Assert(test=test):
            context.emit(remade(statement, test=anf.test(test, context)), statement)
        case gast.Return(value=value):
            context.emit(remade(statement, value=anf.atom(value, context)), statement)
        case gast.Pass():
            pass
        case _:
            context.emit(remade(statement), statement)


def _assign(statement: gast.Assign, target: gast.Name, value: gast.expr, context: Context) -> None:
    """A statement whose target is an operand is split; ``x = x`` says nothing.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("x = x * 2\\nx = x\\nreturn x", "x"))
    t1 = x * 2
    x = t1
    return x
    """
    if isinstance(value, gast.Name) and value.id == target.id:
        return
    if not syntax.is_atom(value) and target.id in syntax.loads(value):
        value = context.hold(value)
    context.emit(remade(statement, targets=[target], value=value, type_comment=None), statement)


def _store(
    statement: gast.Assign, target: gast.Subscript, value: gast.expr, context: Context
) -> None:
    """The value comes first, then the container and the index.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("x[0][g(x)] = x + 1\\nreturn x", "x"))
    t1 = x + 1
    t2 = x[0]
    t3 = g(x)
    t2[t3] = t1
    return x
    """
    value = anf.atom(value, context)
    place = _place(target, context)
    context.emit(remade(statement, targets=[place], value=value, type_comment=None), statement)


def _accumulate(
    statement: gast.AugAssign, target: gast.Subscript, value: gast.expr, context: Context
) -> None:
    """Sums stay; any other operator reads, computes and stores, and so do sums with what may write.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("x[0] += 2 * x\\nx[g(x)] *= 3\\nreturn x", "x"))
    t1 = 2 * x
    x[0] += t1
    t2 = g(x)
    t3 = x[t2]
    t4 = t3 * 3
    x[t2] = t4
    return x
    """
    place = _place(target, context)
    if isinstance(statement.op, gast.Add | gast.Sub) and not truth.writes(value, context):
        context.emit(remade(statement, target=place, value=anf.atom(value, context)), statement)
        return
    old = context.hold(remade(place, ctx=gast.Load()))
    new = syntax.at(gast.BinOp(old, statement.op, anf.atom(value, context)), statement)
    context.emit(syntax.at(gast.Assign([place], context.hold(new), None), statement), statement)


def _place(target: gast.Subscript, context: Context) -> gast.Subscript:
    """A subscript of a name with an index of atoms."""
    if flat.is_flat(target.value, context):
        target = flat.element(target, context)
    container = anf.atom(target.value, context)
    return remade(target, value=container, slice=anf.index(target.slice, context))


def _effect(statement: gast.Expr, value: gast.expr, context: Context) -> None:
    """A call stays a statement; a literal does nothing; any other value is computed and dropped.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("1\\nx.pop()\\nx.append(1)\\nx + 1\\nreturn x", "x"))
    t1 = x.pop()
    x.append(1)
    t2 = x + 1
    return x
    """
    if syntax.is_atom(value) and isinstance(value, gast.Constant):
        return
    value = anf.call(value, context) if isinstance(value, gast.Call) else anf.simple(value, context)
    if isinstance(value, gast.Call) and not _is_pop(value):
        context.emit(remade(statement, value=value), statement)
    elif not syntax.is_atom(value) or (
        isinstance(value, gast.Name) and value.id not in context.locals
    ):
        context.hold(value)


def _is_pop(call: gast.Call) -> bool:
    return isinstance(call.func, gast.Attribute) and call.func.attr == "pop" and not call.args


def _for(statement: gast.For, context: Context) -> None:
    """The bounds become atoms; a loop variable does not take its own bound.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("for x in range(x):\\n    g(x)\\nreturn x", "x"))
    t1 = x
    for x in range(t1):
        g(x)
    return x
    """
    call = statement.iter
    steps = call.args[0] if call.func.id == "reversed" else call
    args = anf.operands(steps.args, context)
    name = statement.target.id
    args = [context.hold(a) if isinstance(a, gast.Name) and a.id == name else a for a in args]
    new = remade(steps, args=args)
    new = new if steps is call else remade(call, args=[new])
    body = lower(statement.body, context)
    context.emit(remade(statement, iter=new, body=body, type_comment=None), statement)


def _while(statement: gast.While, context: Context) -> None:
    """A test that calls more than NumPy and builtins, or needs statements, gets a name.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("while g(x) > 1:\\n    x = x / 2\\nreturn x", "x"))
    t1 = g(x) > 1
    while t1:
        t2 = x / 2
        x = t2
        t1 = g(x) > 1
    return x
    """
    test, body = statement.test, statement.body
    inert = syntax.is_atom(test) or truth.is_truth(test)
    if inert and not truth.needs(test, context) and truth.quiet(test, context):
        context.emit(remade(statement, body=lower(body, context)), statement)
        return
    name = context.temporary()
    again = context.quote("t = test", test, t=name, test=test)
    lower_into(again, context)
    body, end = syntax.parted(body)
    again = context.quote("t = test", test, t=name, test=test)
    if end:
        again = context.quote("if not s:\n    again", test, s=end[0].test.id, again=again)
    body = lower([*body, *again, *end], context)
    context.emit(remade(statement, test=read(name, test), body=body), statement)


def _try(statement: gast.Try, context: Context) -> None:
    """An attempt: its handler begins with the exception, which may hold what the body computed with."""
    (handler,) = statement.handlers
    errors = handler.type
    if errors is None:
        errors = read(context.builtin("BaseException", handler), handler)
    body = lower(statement.body, context)
    other = handler.body
    if handler.name is not None:
        held = (syntax.loads(body) - syntax.stores(body)) & context.locals
        place = handler.type or statement
        text = f"e = rt.error_caught({', '.join(sorted(held))})"
        holes = {"e": handler.name.id, "rt": context.rt()}
        if _is_tested(
            other, handler.name.id
        ):  # Python unbinds the name, and the backward sweep tests it again
            text = f"error = {text[4:]}\ne = error"
            holes["error"] = context.local("error")
        other = [*context.quote(text, place, **holes), *other]
    attempt = syntax.Attempt(syntax.constant(True), body, lower(other, context))
    attempt.errors = errors
    context.emit(attempt, statement)


def _is_tested(body: list[gast.stmt], name: str) -> bool:
    """Whether a test reads a variable."""
    tests = [s.test for s in syntax.statements(body) if isinstance(s, gast.If | gast.While)]
    return any(name in syntax.loads(test) for test in tests)


def _with(statement: gast.With, context: Context) -> None:
    """Enter and leave; what is between them is printed in a ``with`` again.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("with open(p) as f:\\n    x = g(f)\\nreturn x", "x", "p"))
    t1 = open(p)
    f = rt.begin_with(t1)
    x = g(f)
    rt.end_with(t1)
    return x
    """
    (item,) = statement.items
    manager = context.hold(anf.simple(item.context_expr, context))
    rt = context.rt()
    text = "rt.begin_with(m)" if item.optional_vars is None else "v = rt.begin_with(m)"
    holes = {"m": manager, "rt": rt, "v": item.optional_vars}
    holes = {n: h for n, h in holes.items() if h is not None}
    lower_into(context.quote(text, item.context_expr, **holes), context)
    lower_into(statement.body, context)
    lower_into(context.quote("rt.end_with(m)", item.context_expr, m=manager, rt=rt), context)
