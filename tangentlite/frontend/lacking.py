"""Attributes that a module lacks, most often words with a slip of the finger: ``np.sinn``.

In: a function, and those of its attributes of modules that the modules lack.
Out: a function that raises AttributeError where it comes to one; an error in words if every call comes to one.
Next: lowering.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from types import ModuleType
from typing import Any

import gast

from tangentlite import scopes, slips, syntax
from tangentlite.errors import MissingRuleError
from tangentlite.ir import Function
from tangentlite.values import replace

PERHAPS = (gast.IfExp, gast.BoolOp, *scopes.FUNCTIONS, *scopes.COMPREHENSIONS)


def has(module: ModuleType, name: str) -> bool:
    """Whether a module has an attribute, or may get it while it is imported."""
    if name in module.__dict__ or hasattr(module, name):
        return True
    return bool(getattr(module.__spec__, "_initializing", False))


def raising(function: Function, absent: Collection[gast.Attribute]) -> Function:
    """``function``, which raises where it comes to what is ``absent``.

    >>> import numpy as np
    >>> from tangentlite.ir import Namespace, Origin
    >>> (tree,) = syntax.parse("def f(x):\\n    if len(x) > 2:\\n        x = np.sinn(x)\\n    return x")
    >>> function = Function(tree, "f", (), Namespace({"np": np}), Origin("f.py", 1, ()))
    >>> absent = [n for n in syntax.nodes(tree.body) if getattr(n, "attr", "") == "sinn"]
    >>> print(syntax.unparse(raising(function, absent).body[0]))
    if len(x) > 2:
        raise AttributeError("module 'numpy' has no attribute 'sinn'")
        x = np.sinn(x)
    """

    def step(statement: gast.stmt) -> list[gast.stmt]:
        for node in _surely(statement, absent):
            said = syntax.constant(error(function, node))
            (made,) = syntax.quote("raise AttributeError(said)", said=said)
            for inner in syntax.walk(made):
                syntax.at(inner, statement)
            return [made, statement]
        return [statement]

    stored = {syntax.dotted(n) for n in absent if isinstance(n.ctx, gast.Store)}
    absent = [n for n in absent if syntax.dotted(n) not in stored]
    raised = function.with_body(syntax.rewrite(function.body, step))
    return replace(raised, lacking=tuple(absent))


def refuse(function: Function) -> None:
    """Say it at once, where every call of a function comes to what a library lacks."""
    for statement in function.body if function.lacking else ():
        for node in _surely(statement, function.lacking):
            raise _refusal(function, node)
        if isinstance(statement, gast.Return):
            return


def _surely(statement: ast.AST, absent: Collection[ast.AST]) -> Iterator[Any]:
    """What is ``absent`` of that which a statement evaluates in any case, before its blocks."""
    if isinstance(statement, (*scopes.FUNCTIONS, gast.ClassDef, gast.Try)):
        return
    waiting = [n for n in syntax.children(statement) if isinstance(n, (gast.expr, gast.withitem))]
    for node in waiting:
        if node in absent:
            yield node
        if not isinstance(node, PERHAPS):
            waiting += syntax.children(node)


def error(function: Function, node: gast.Attribute) -> str:
    """What Python says."""
    owner = function.namespace.resolve(str(syntax.dotted(node.value)))
    try:
        getattr(owner, node.attr)
    except AttributeError as fault:
        return str(fault)
    return f"module {owner.__name__!r} has no attribute {node.attr!r}"


def _refusal(function: Function, node: gast.Attribute) -> MissingRuleError:
    shown = syntax.unparse(node)
    path = str(syntax.dotted(node.value))
    owner = function.namespace.resolve(path)
    said = error(function, node)
    usual = f"module {owner.__name__!r} has no attribute {node.attr!r}"
    hint = slips.function(node.attr, path, dir(owner)) if said == usual else said
    reason = f"no rule for `{shown}`: `{owner.__name__}` has no `{node.attr}`"
    return MissingRuleError(reason, function.origin.place(node), hint)
