"""A variant for Python floats: no shapes to ask for, no types to give back.

In: a normal form and a request.
Out: two functions where one was: the one for floats in front, which sends everything else to the other.
Next: nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import gast
import numpy as np

from tangentlite import ir, syntax
from tangentlite.analysis import Facts
from tangentlite.analysis.closed import closed
from tangentlite.analysis.kinds import FLOAT, Kind, Num
from tangentlite.analysis.operations import Primitive
from tangentlite.differentiate import motion
from tangentlite.differentiate.entries import relevant, written_for
from tangentlite.differentiate.session import Linker, Session
from tangentlite.lowering import Normal
from tangentlite.values import replace

SHORT = 12
Write = Callable[[Session], tuple[ir.Function, ...]]


def with_floats(
    normal: Normal, facts: Facts, request: ir.Request, linker: Linker, write: Write
) -> tuple[ir.Function, ...]:
    """The derivative, preceded by one for floats if that is worth its lines."""
    asked = _asked(normal, request) and _may_close(normal, facts)
    if not asked or written_for(facts, normal.function):
        return write(Session(normal, facts, request, linker))
    names = relevant(Session(normal, facts, request, linker))
    kinds = tuple(FLOAT if p.name in names else _kind(facts, p) for p in normal.function.params)
    known = replace(request, kinds=kinds)
    floats = linker.facts(normal, known)
    if not names or not closed(floats, linker.summary):
        return write(Session(normal, facts, request, linker))
    name = motion.name(normal.function, request)
    session = Session(normal, facts, replace(request, name=f"{name}_array"), linker)
    (general,) = write(session)
    (scalar,) = write(Session(floats.normal, floats, replace(known, name=name), linker))
    guard = _guard(names, general)
    return scalar.with_body([guard, *scalar.body]), general


def _asked(normal: Normal, request: ir.Request) -> bool:
    """Only for a joint gradient of a function that is short, or whose parameters say ``float``."""
    if request.mode != "reverse" or request.motion != "joint" or request.kinds or request.has_aux:
        return False
    if not all(_is_builtin(normal.function, f) for f in (type, float)):
        return False
    arguments = normal.function.tree.args
    shown = [a.annotation for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
    if shown and all(isinstance(a, gast.Name) and a.id == "float" for a in shown):
        return True
    body = normal.function.body
    return len(body) <= SHORT and not any(isinstance(s, (gast.For, gast.While)) for s in body)


def _is_builtin(function: ir.Function, builtin: type) -> bool:
    """Whether the name of a builtin means it in a function."""
    name = builtin.__name__
    return name not in function.local and function.namespace.lookup(name) is builtin


def _may_close(normal: Normal, facts: Facts) -> bool:
    """Whether floats may give nothing but floats, as far as that is seen without looking at them."""
    for statement, operation in facts.kinds.operations.items():
        if not isinstance(operation, Primitive):
            continue
        if operation.rule.algebra != "elementwise":
            return False
        match statement:
            case gast.Assign(value=gast.Call(func=func)) if _is_of_arrays(normal.function, func):
                return False
    return True


def _is_of_arrays(function: ir.Function, func: gast.expr) -> bool:
    """Whether a call's function gives numbers of NumPy."""
    with suppress(KeyError, AttributeError):
        return isinstance(function.namespace.resolve(syntax.dotted(func) or ""), np.ufunc)
    return False


def _kind(facts: Facts, param: ir.Param) -> Kind:
    kind = facts.kinds.before[0][param.name]
    return Num() if isinstance(kind, Num) else kind


def _guard(names: list[str], general: ir.Function) -> gast.stmt:
    """``if type(x) is not float: return df_dx_array(x, by=by)``."""
    if len(names) == 1:
        test = syntax.expression("type(x) is not float", x=names[0])
    else:
        chain = " is ".join(f"type({n})" for n in names)
        test = syntax.expression(f"not ({chain} is float)")
    call = gast.Call(syntax.name(general.name), [], [])
    for param in general.params:
        value = syntax.name(param.name)
        if param.kind is param.kind.KEYWORD_ONLY:
            call.keywords.append(gast.keyword(param.name, value))
        else:
            call.args.append(value)
    return gast.If(test, [gast.Return(call)], [])
