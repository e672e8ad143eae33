"""A `collections.deque` that is made in the function is a list, whose first element is taken with ``pop(0)``.

In: the tree of a function, and what its free names mean.
Out: the tree, with the methods of lists.
Next: read.
"""

from __future__ import annotations

import collections
from typing import Any

import gast

from tangentlite import syntax
from tangentlite.ir import Namespace


def resolved(tree: Any, namespace: Namespace) -> Any:
    """``q.popleft()`` of a name that is only ever bound to a new deque is ``q.pop(0)``.

    >>> tree = gast.parse("def f(x):\\n    q = deque([x])\\n    q.appendleft(2)\\n    return q.popleft()").body[0]
    >>> print(syntax.unparse(resolved(tree, Namespace({"deque": collections.deque}))))
    def f(x):
        q = deque([x])
        q.insert(0, 2)
        return q.pop(0)
    """
    asked = {name for n in syntax.walk(tree) if (name := _asked(n))}
    if not asked:
        return tree
    nodes = [n for s in tree.body for n in syntax.walk(s)]
    asked -= {n.id for n in syntax.walk(tree.args) if isinstance(n, gast.Name)}
    names = {name for name in asked if _is_new(name, nodes, namespace)}
    return _Methods(names).visit(syntax.copy(tree)) if names else tree


def _asked(node: Any) -> str:
    """The name that a method of deques is called of."""
    match node:
        case gast.Attribute(value=gast.Name(id=name), attr="popleft" | "appendleft"):
            return str(name)
    return ""


def _is_new(name: str, nodes: list[Any], namespace: Namespace) -> bool:
    """Whether all that a name is bound to are new deques."""
    made = [n for n in nodes if _makes(n, name, namespace)]
    bound = [n for n in nodes if isinstance(n, gast.Name) and n.id == name and _is_bound(n)]
    return bool(made) and len(bound) == len(made)


def _is_bound(node: Any) -> bool:
    return not isinstance(node.ctx, gast.Load)


def _makes(node: Any, name: str, namespace: Namespace) -> bool:
    match node:
        case gast.Assign(targets=[gast.Name(id=target)], value=gast.Call(func=func)):
            path = syntax.dotted(func)
            try:
                found = namespace.resolve(path) if path is not None else None
            except (KeyError, AttributeError):
                found = None
            return target == name and found is collections.deque
    return False


class _Methods(gast.NodeTransformer):  # type: ignore[misc]
    def __init__(self, names: set[str]) -> None:
        self.names = names

    def visit_Call(self, node: Any) -> Any:
        node = self.generic_visit(node)
        match node:
            case gast.Call(func=gast.Attribute(value=gast.Name(id=name), attr=attr), args=args):
                if name not in self.names:
                    return node
                first = syntax.at(syntax.constant(0), node)
                if attr == "popleft" and not args:
                    node.func.attr, node.args = "pop", [first]
                elif attr == "appendleft" and len(args) == 1:
                    node.func.attr, node.args = "insert", [first, *args]
        return node
