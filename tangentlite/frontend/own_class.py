"""``type(self).n += 1`` in a method of a class that nothing is derived from is ``C.n += 1``.

In: a function.
Out: the function, with the name of its class where it sets an attribute of it.
Next: check.
"""

from __future__ import annotations

from typing import Any

import gast

from tangentlite import syntax
from tangentlite.frontend.defaulting import owner
from tangentlite.ir import Function
from tangentlite.values import replace


def resolved(function: Function) -> Function:
    """The function with ``C.n`` where it stores into ``type(self).n`` or ``self.__class__.n``."""
    asks = "type" in function.read or "__class__" in function.contents.attributes
    if not function.params or not asks:
        return function
    first = function.params[0].name
    targets = [n for s in function.body for n in syntax.walk(s) if _is_set(n, first)]
    own = owner(function) if targets and first not in function.bound else None
    if own is None or type.__subclasses__(own) or not _names(function, own):
        return function
    tree = _Naming(first, own.__name__).visit(syntax.copy(function.tree))
    return replace(function, tree=tree)


def _is_set(node: Any, first: str) -> bool:
    """Whether an attribute of the class of an object is set."""
    match node:
        case gast.Attribute(value=value, ctx=gast.Store()):
            return _is_class(value, first)
    return False


def _is_class(node: Any, first: str) -> bool:
    match node:
        case gast.Call(func=gast.Name(id="type"), args=[gast.Name(id=name)], keywords=[]):
            return bool(name == first)
        case gast.Attribute(value=gast.Name(id=name), attr="__class__"):
            return bool(name == first)
    return False


def _names(function: Function, own: type) -> bool:
    """Whether the name of a class means it in a function."""
    name, space = own.__name__, function.namespace
    return name not in function.local and space.binds(name) and space.lookup(name) is own


class _Naming(gast.NodeTransformer):  # type: ignore[misc]
    """Names the class where an attribute of it is set."""

    def __init__(self, first: str, name: str) -> None:
        self.first, self.name = first, name

    def visit_Attribute(self, node: Any) -> Any:
        """``type(self).n`` as a target."""
        if _is_set(node, self.first):
            node.value = syntax.at(syntax.name(self.name), node.value)
            return node
        return self.generic_visit(node)
