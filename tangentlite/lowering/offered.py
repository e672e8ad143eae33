"""What a library offers: its version decides, and that is known when a derivative is made.

In: an expression.
Out: the same; ``hasattr(np, "trapezoid")`` and ``getattr(np, "trapezoid", None)`` are what they give.
Next: lists.named.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

import gast

from tangentlite import syntax
from tangentlite.lowering.context import Context

LIBRARIES = frozenset(sys.stdlib_module_names) - {"__main__"} | {"numpy", "scipy"}


def decided(node: Any, context: Context) -> Any:
    """An expression whose parts are decided.

    >>> from tangentlite.lowering.example import function
    >>> context = Context.of(function("return x", "x"), print)
    >>> for text in ("hasattr(np, 'sin')", "getattr(np, 'sin', None)", "getattr(np, 'sine', None)"):
    ...     print(syntax.unparse(decided(syntax.expression(text), context)))
    True
    np.sin
    None
    """
    match node:
        case gast.Call(func=func, args=[owner, gast.Constant(value=str() as attr), *rest]):
            library = context.meaning(owner)
            if node.keywords or not _is_library(library):
                return node
            asked, there = context.meaning(func), hasattr(library, attr)
            if asked is hasattr and not rest:
                return syntax.at(gast.Constant(there, None), node)
            if asked is getattr and len(rest) == 1 and attr.isidentifier():
                return (
                    syntax.at(gast.Attribute(owner, attr, gast.Load()), node) if there else rest[0]
                )
        case gast.UnaryOp(op=gast.Not(), operand=gast.Constant(value=bool() as truth)):
            return syntax.at(gast.Constant(not truth, None), node)
        case gast.IfExp(test=gast.Constant(value=bool() as truth), body=body, orelse=orelse):
            return body if truth else orelse
        case gast.BoolOp(op=op, values=[first, last]):
            holds = _truth(first, context)
            if holds is not None:
                return last if holds is isinstance(op, gast.And) else first
    return node


def branch(statement: Any) -> list[Any]:
    """The branch of a statement ``if`` that is taken, where what a library offers decides.

    >>> [syntax.unparse(s) for s in branch(syntax.parse("if False:\\n    x = 1\\nelse:\\n    x = 2")[0])]
    ['x = 2']
    """
    match statement:
        case gast.If(test=gast.Constant(value=bool() as truth), body=body, orelse=orelse):
            taken: list[Any] = body if truth else orelse
            return taken
    return [statement]


def _truth(node: Any, context: Context) -> bool | None:
    """Whether an operand holds: a function of a library does."""
    match node:
        case gast.Constant(value=None | bool() as value):
            return bool(value)
    meaning = context.meaning(node)
    library = _is_library(sys.modules.get(getattr(meaning, "__module__", None) or "numpy"))
    return True if callable(meaning) and library else None


def _is_library(value: Any) -> bool:
    """Whether a value is a module of a library, which stays as it is."""
    return isinstance(value, ModuleType) and value.__name__.partition(".")[0] in LIBRARIES
