"""Classes inside a function that read its variables: each object carries what its methods read.

In: ``ir.Function``.
Out: the same function; the methods read ``self.x_``, and ``C(…)`` is ``C(x, …)``.
Next: classes.
"""

from __future__ import annotations

from typing import Any

import gast

from tangentlite import scopes, syntax
from tangentlite.frontend import bodies
from tangentlite.ir import Function

Names = dict[str, str]


def carried(function: Function) -> Function:
    """``class C: def f(self): return x`` takes x when an object is made.

    >>> from tangentlite.lowering.example import function
    >>> text = "class C:\\n    def f(self):\\n        return x * 2\\nreturn C().f()"
    >>> print("\\n".join(map(syntax.unparse, carried(function(text, "x")).body)))
    class C:
    <BLANKLINE>
        def __init__(self, x):
            self.x_ = x
    <BLANKLINE>
        def f(self):
            return self.x_ * 2
    return C(x).f()
    """
    if gast.ClassDef not in function.contents.kinds:
        return function
    body = list(function.body)
    for place, statement in enumerate(body):
        if isinstance(statement, gast.ClassDef):
            names = _read(statement, function, body, place)
            if names:
                made = _Made(statement, names)
                body = [made.one(s) for s in body]
    return function if body == function.body else function.with_body(body)


def is_carried(node: Any) -> bool:
    """Whether the objects of a class carry what its methods read."""
    return bool(getattr(node, "carries", None))


def _read(node: Any, function: Function, body: list[Any], place: int) -> Names:
    """The variables that the methods read, with the attributes that hold them; none if they cannot be carried."""
    before = {p.name for p in function.params} | scopes.bound(body[:place])
    methods = [s for s in node.body if isinstance(s, gast.FunctionDef)]
    others = [s for s in node.body if s not in methods]
    plain = [m for m in methods if m.args.args and not _is_bare(m)]
    wanted = {n for m in plain for n in _loads(m.body) & before} - {node.name}
    kinds = {s.name for s in body[:place] if isinstance(s, gast.ClassDef | gast.FunctionDef)}
    wanted -= kinds
    outside = {n for part in (*others, *node.bases, *node.decorator_list) for n in _loads([part])}
    outside |= {n for m in methods for n in _loads([m.args, *m.decorator_list])}
    outside |= {n for m in methods if m not in plain for n in _loads(m.body)}
    bound = {n for m in methods for n in scopes.own(m)} | scopes.bound(body[place + 1 :])
    twice = {n for n in wanted if _times(n, function, body) > 1}
    started = any(m.name == "__init__" for m in methods) or _is_plain(node.bases, body)
    if node.decorator_list or not started or wanted & (outside | bound | twice):
        return {}
    if not bodies.only_called(node, body):
        return {}
    walked = (n for s in function.body for n in syntax.walk(s))
    taken = {n.attr for n in walked if isinstance(n, gast.Attribute)}
    names = {n: f"{n}_" for n in sorted(wanted)}
    return {} if taken & set(names.values()) else names | bodies.holds(node)


def _is_plain(bases: list[Any], body: list[Any]) -> bool:
    """Whether the bases of a class are classes of the function that have no ``__init__``."""
    made = {s.name: s for s in body if isinstance(s, gast.ClassDef)}
    found = [made.get(getattr(base, "id", "")) for base in bases]
    starts = [any(getattr(s, "name", "") == "__init__" for s in b.body) for b in found if b]
    return None not in found and not any(starts) and not any(b.bases for b in found if b)


def _is_bare(method: Any) -> bool:
    """Whether a method is given no object."""
    known = {getattr(d, "id", "") for d in method.decorator_list}
    return bool(known & {"staticmethod", "classmethod"})


def _loads(parts: Any) -> set[str]:
    return syntax.loads([p for p in parts if isinstance(p, gast.AST)])


def _times(name: str, function: Function, body: list[Any]) -> int:
    """How often a variable is bound."""
    stored = [n for s in body for n in syntax.walk(s) if isinstance(n, gast.Name) and n.id == name]
    loops = (s for s in body if isinstance(s, gast.For | gast.While))
    again = any(name in syntax.stores(loop) for loop in loops)
    given = any(p.name == name for p in function.params)
    return given + again + sum(isinstance(n.ctx, gast.Store | gast.Del) for n in stored)


class _Made(gast.NodeTransformer):  # type: ignore[misc]
    """Writes a class, and the calls that make its objects."""

    def __init__(self, node: Any, names: Names) -> None:
        self.node, self.names, self.own = node, names, ""

    def one(self, statement: Any) -> Any:
        """A statement of the function."""
        return self.visit(syntax.copy(statement))

    def visit_ClassDef(self, node: Any) -> Any:
        if node.name != self.node.name:
            return self.generic_visit(node)
        node.carries = list(self.names)
        node.body = [self._method(s) if isinstance(s, gast.FunctionDef) else s for s in node.body]
        if not any(getattr(s, "name", "") == "__init__" for s in node.body):
            start = syntax.parse("def __init__(self):\n    pass")[0]
            for part in syntax.walk(start):
                syntax.at(part, node)
            node.body.insert(0, self._method(start))
        return node

    def _method(self, method: Any) -> Any:
        self.own = method.args.args[0].id if method.args.args else ""
        if _is_bare(method) or not self.own:
            return method
        method.body = [self.visit(s) for s in method.body]
        if method.name == "__init__":
            kept = []
            for name, attr in self.names.items():
                held = gast.Attribute(syntax.name(self.own), attr, gast.Store())
                kept.append(gast.Assign([held], syntax.name(name), None))
            method.args.args[1:1] = [gast.Name(n, gast.Param(), None, None) for n in self.names]
            rest = [s for s in method.body if not isinstance(s, gast.Pass)]
            method.body = [*kept, *rest]
            for part in syntax.walk(method):
                if not hasattr(part, "lineno"):
                    syntax.at(part, method)
        self.own = ""
        return method

    def visit_Name(self, node: Any) -> Any:
        if self.own and node.id in self.names:
            held = gast.Attribute(syntax.name(self.own), self.names[node.id], gast.Load())
            return syntax.at(held, node)
        return node

    def visit_Call(self, node: Any) -> Any:
        made = isinstance(node.func, gast.Name) and node.func.id == self.node.name
        self.generic_visit(node)
        if made:
            given = [self.visit(syntax.at(syntax.name(n), node)) for n in self.names]
            node.args = [*given, *node.args]
        return node
