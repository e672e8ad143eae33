"""Finished: a gradient that was made as zeros like its argument needs no finishing.

In: the statements of a function, ``Scope``.
Out: the same with fewer calls in its last line.
Next: emit.
"""

from __future__ import annotations

import ast

import gast

from tangentlite import runtime, syntax
from tangentlite.optimize.facts.scope import Scope
from tangentlite.optimize.replace import remade

Body = list[gast.stmt]


def finished(body: Body, scope: Scope, numbers: frozenset[str]) -> Body:
    """Return an array of zeros as it is, if it was only written in place, and its argument is one of ``numbers``.

    >>> from tangentlite.optimize.samples import function, text_of, USER
    >>> text = '''
    ... rt.numbers(x)
    ... bx = rt.zeros(x)
    ... bx[1:] = by * y
    ... return rt.like(bx, x)
    ... '''
    >>> sample = function(text, names={"rt": runtime})
    >>> print(text_of(finished(sample.body, Scope(sample, USER, lambda f: True), frozenset("x"))))
    rt.numbers(x)
    bx = rt.zeros(x)
    bx[1:] = by * y
    return bx
    """
    last = body[-1] if body else None
    if not isinstance(last, gast.Return) or last.value is None:
        return body
    made = {name: given for name, given in _made(body, scope) if given in numbers}
    if not made:
        return body
    value = _without(last.value, made, scope)
    return body if value is last.value else [*body[:-1], remade(last, {"value": value})]


def _made(body: Body, scope: Scope) -> list[tuple[str, str]]:
    """The arrays of zeros that are written on every way through, and are nothing else, with their arguments."""
    checked: set[str] = set()
    zeros: dict[str, str] = {}
    stored: set[str] = set()
    for statement in body:
        match statement:
            case gast.Expr(value=gast.Call(func=func, args=args)) if _means(
                func, runtime.numbers, scope
            ):
                checked |= {a.id for a in args if isinstance(a, gast.Name)}
            case gast.Assign(
                targets=[gast.Name(id=name)],
                value=gast.Call(func=func, args=[gast.Name(id=given)], keywords=[]),
            ) if _means(func, runtime.zeros, scope):
                zeros[name] = given
            case (
                gast.Assign(targets=[gast.Subscript(value=gast.Name(id=name))])
                | gast.AugAssign(target=gast.Subscript(value=gast.Name(id=name)))
            ) if name in zeros:
                stored.add(name)
    if not stored:
        return []
    bound = syntax.times_stored(body)
    return [
        (name, given)
        for name, given in zeros.items()
        if name in stored
        and given in checked & scope.params
        and bound[name] == 1
        and not bound[given]
        and not _escapes(body, name, given, scope)
    ]


def _escapes(body: Body, name: str, given: str, scope: Scope) -> bool:
    """Whether an array is read but for its elements, and for being finished."""
    plain = 0
    for node in syntax.nodes(body):
        match node:
            case gast.Subscript(value=gast.Name(id=found)) if found == name:
                plain += 1
            case gast.Call(func=func, args=[gast.Name(id=found), *_]) if found == name:
                adds = _means(func, runtime.add_at, scope)
                plain += adds or _is_finishing(node, {name: given}, scope)
    return plain != syntax.times_loaded(body)[name]


def _is_finishing(node: ast.AST, made: dict[str, str], scope: Scope) -> bool:
    match node:
        case gast.Call(func=func, args=[gast.Name(id=name), gast.Name(id=given)], keywords=[]):
            return _means(func, runtime.like, scope) and (name, given) in made.items()
    return False


def _without(node: gast.expr, made: dict[str, str], scope: Scope) -> gast.expr:
    """An expression in which arrays of zeros are finished already."""
    match node:
        case gast.Call(args=[array, _]) if _is_finishing(node, made, scope):
            return array
        case gast.Tuple(elts=parts):
            new = [_without(p, made, scope) for p in parts]
            return node if new == parts else remade(node, {"elts": new})
        case gast.Call(func=func, args=[inner]) if _means(func, runtime.distinct, scope):
            new = _without(inner, made, scope)
            return node if new is inner else remade(node, {"args": [new]})
    return node


def _means(func: ast.AST, callee: object, scope: Scope) -> bool:
    return bool(scope.purity.means(func, (callee,)))
