"""Called: which plain function a call means, and whether it can be written out there.

In: functions as they were read, the classes of arguments.
Out: ``nested``, ``defined_by``: the functions defined inside; ``method``; ``is_straight``; ``has_plain_methods``.
Next: inlined.
"""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Iterable
from types import FunctionType
from typing import Any

import gast

from tangentlite import syntax
from tangentlite.ir import Function, Param

PLAIN = (gast.Assign, gast.AugAssign, gast.Expr, gast.For, gast.Return)
DEFINITIONS = gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef
LATER = frozenset((gast.Lambda, gast.GeneratorExp))  # what reads names when they may be bound anew


def nested(function: Function) -> dict[str, Function]:
    """The plain functions that a function defines once, before it reads their names.

    >>> from tangentlite.optimize.samples import function
    >>> sorted(nested(function("def f(v):\\n    return a * v\\ng = lambda: h()\\nh = lambda v=1: v\\nz = f(g())")))
    ['f', 'g']
    """
    bound = syntax.times_stored(function.body) + Counter(p.name for p in function.params)
    inner = (n for n in syntax.nodes(function.body) if isinstance(n, DEFINITIONS))
    bound += Counter(n.name for n in inner)
    found: dict[str, Function] = {}
    for k, statement in enumerate(function.body):
        made = defined_by(statement, function)
        if made is None or bound[made.name] > 1 or made.name in syntax.loads(function.body[:k]):
            continue
        found[made.name] = made
    return found


def defined_by(statement: gast.stmt, function: Function) -> Function | None:
    """The plain function that a statement of another one defines."""
    tree = _definition(statement)
    if tree is None:
        return None
    params = tuple([Param(a.id) for a in tree.args.args])
    made = Function(tree, tree.name, params, function.namespace, function.origin)
    return made if is_straight(made) else None


def _definition(statement: gast.stmt) -> gast.FunctionDef | None:
    """A function of positional arguments that a statement defines."""
    match statement:
        case gast.FunctionDef(args=args, decorator_list=[]):
            tree = statement
        case gast.Assign(targets=[gast.Name(id=name)], value=gast.Lambda(args=args, body=value)):
            (tree,) = syntax.quote("def f():\n    return value", value=value)
            tree.name, tree.args = name, args
        case _:
            return None
    others = args.defaults, args.kwonlyargs, args.posonlyargs, args.vararg, args.kwarg
    return None if any(others) else tree


def method(owner: type, name: str) -> Any:
    """The method of a class, if it is a function that nothing stands before, and whose names are what they seem."""
    found = next((vars(base)[name] for base in owner.__mro__ if name in vars(base)), None)
    looked_up: Any = owner.__getattribute__
    if looked_up is not object.__getattribute__ or not isinstance(found, FunctionType):
        return None
    return None if any(map(_is_private, found.__code__.co_names)) else found


def _is_private(name: str) -> bool:
    return name.startswith("__") and not name.endswith("__")


def is_straight(helper: Function) -> bool:
    """Whether a function consists of assignments and loops, and gives one value at the end, if any."""
    if not helper.contents.kinds.isdisjoint(LATER):
        return False
    ends = [s for s in syntax.statements(helper.body) if isinstance(s, gast.Return)]
    straight = all(isinstance(s, PLAIN) for s in syntax.statements(helper.body))
    return straight and ends in ([], helper.body[-1:])


def has_plain_methods(owner: type, names: Iterable[Any]) -> bool:
    """Whether no attribute of an object hides a method of its class.

    >>> from fractions import Fraction
    >>> has_plain_methods(Fraction, ["weight"]), has_plain_methods(Fraction, ["limit_denominator"])
    (True, False)
    """
    found = (inspect.getattr_static(owner, name, None) for name in names)
    return not any(isinstance(value, FunctionType) for value in found)
