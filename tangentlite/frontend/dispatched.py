"""``functools.singledispatch`` inside a function: a function that asks for the class of its first argument.

In: a function.
Out: the function, in which what was registered has names of its own.
Next: carried.
"""

from __future__ import annotations

import functools
from contextlib import suppress
from typing import Any

import gast

from tangentlite import syntax
from tangentlite.frontend.defaulting import meaning
from tangentlite.ir import Function
from tangentlite.naming import Names


def resolved(function: Function) -> Function:
    """``@h.register(list)`` gives another function, which ``h`` calls for lists.

    >>> from tangentlite.lowering.example import function
    >>> text = "@singledispatch\\ndef h(v):\\n    return v\\n"
    >>> text += "@h.register(list)\\ndef _(v):\\n    return v[0]\\nreturn h([x])"
    >>> f = function(text, "x", singledispatch=functools.singledispatch)
    >>> print("\\n".join(map(syntax.unparse, resolved(f).body)))
    def h_other(v):
        return v
    def h_list(v):
        return v[0]
    def h(v):
        if isinstance(v, list):
            return h_list(v)
        return h_other(v)
    return h([x])
    """
    if gast.FunctionDef not in function.contents.kinds:
        return function
    body = list(function.body)
    for statement in function.body:
        if _is_generic(statement, function):
            body = _written(body, statement, function) or body
    return function if body == function.body else function.with_body(body)


def _is_generic(statement: Any, function: Function) -> bool:
    match statement:
        case gast.FunctionDef(decorator_list=[decorator]):
            with suppress(KeyError, AttributeError):
                found = function.namespace.resolve(syntax.dotted(decorator) or "")
                return found is functools.singledispatch
    return False


def _written(body: list[Any], generic: Any, function: Function) -> list[Any] | None:
    """The body with plain functions; None where one of them cannot be told."""
    names = Names({*function.contents.names, *function.local, *function.namespace.cells})
    name = generic.name
    plain = syntax.copy(generic)
    plain.decorator_list, plain.name = [], names.fresh(f"{name}_other")
    known: list[tuple[Any, type, str]] = []
    result: list[Any] = []
    for statement in body:
        if statement is generic:
            result.append(plain)
            continue
        owners = _registered(statement, name)
        if not owners:
            result.append(statement)
            continue
        classes = [meaning(owner, function.namespace) for owner in owners]
        if not all(isinstance(c, type) for c in classes) or not _alike(statement, generic):
            return None
        new = syntax.copy(statement)
        new.decorator_list, new.name = [], names.fresh(f"{name}_{classes[0].__name__}")
        result.append(new)
        known += [(o, c, new.name) for o, c in zip(owners, classes)]
    if not known or any(a is b for k, (_, a, _) in enumerate(known) for _, b, _ in known[:k]):
        return None
    last = max(k for k, s in enumerate(result) if getattr(s, "name", "") in {n for *_, n in known})
    chooser = _chooser(generic, plain.name, known)
    return [*result[: last + 1], chooser, *result[last + 1 :]]


def _registered(statement: Any, name: str) -> list[Any]:
    """The classes for which a function is registered."""
    if not isinstance(statement, gast.FunctionDef):
        return []
    found: list[Any] = []
    for decorator in statement.decorator_list:
        match decorator:
            case gast.Call(func=gast.Attribute(value=gast.Name(id=of), attr="register"), args=[c]):
                found += [c] if of == name else []
            case gast.Attribute(value=gast.Name(id=of), attr="register") if of == name:
                first = statement.args.args[:1]
                found += [a.annotation for a in first if a.annotation is not None]
    return found if len(found) == len(statement.decorator_list) else []


def _alike(one: Any, other: Any) -> bool:
    """Whether two functions take as many arguments, by position."""
    plain = [
        not (a.vararg or a.kwarg or a.kwonlyargs or a.defaults or a.posonlyargs)
        for a in (one.args, other.args)
    ]
    return all(plain) and len(one.args.args) == len(other.args.args) > 0


def _chooser(generic: Any, other: str, known: list[tuple[Any, type, str]]) -> Any:
    """The function that asks for the class, the most derived one first."""
    params = [p.id for p in generic.args.args]
    given = ", ".join(params)
    made = syntax.copy(generic)
    made.decorator_list, made.body = [], []
    for owner, _, name in sorted(known, key=lambda k: -len(k[1].__mro__)):
        text = f"if isinstance({params[0]}, owner):\n    return {name}({given})"
        made.body += syntax.quote(text, owner=owner)
    made.body += syntax.quote(f"return {other}({given})")
    for node in (n for s in made.body for n in syntax.walk(s)):
        syntax.at(node, generic)
    return made
