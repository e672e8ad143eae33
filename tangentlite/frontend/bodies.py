"""Class bodies inside a function that read its variables: what they bind are variables of the function.

In: ``ir.Function``.
Out: the same function; ``class C: w = k * 3`` is ``C_w = k * 3``, which each object carries as ``w``.
Next: carried.
"""

from __future__ import annotations

from typing import Any

import gast

from tangentlite import scopes, syntax
from tangentlite.ir import Function

Bound = dict[str, Any]  # attribute: its value, as the class body binds it
LAZY = (gast.Lambda, gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp, gast.NamedExpr)


def opened(function: Function) -> Function:
    """The function with variables for what class bodies bind that read variables.

    >>> from tangentlite.lowering.example import function
    >>> text = "class C:\\n    w = x * 3\\n    def f(self):\\n        return self.w\\nreturn C().f()"
    >>> print("\\n".join(map(syntax.unparse, opened(function(text, "x")).body)))
    C_w = x * 3
    class C:
    <BLANKLINE>
        def f(self):
            return self.w
    return C().f()
    >>> text = "class Config:\\n    rate = x * 3\\nreturn Config.rate"
    >>> print("\\n".join(map(syntax.unparse, opened(function(text, "x")).body)))
    Config_rate = x * 3
    return Config_rate
    """
    if gast.ClassDef not in function.contents.kinds:
        return function
    body = list(function.body)
    for node in function.body:
        bound = _bound(node, function) if isinstance(node, gast.ClassDef) else None
        if not bound:
            continue
        names = {attr: f"{node.name}_{attr}" for attr in bound}
        if not set(names.values()) & {*function.bound, *function.read, *function.local}:
            body = _with_variables(node, body, bound, names)
    same = len(body) == len(function.body) and all(a is b for a, b in zip(body, function.body))
    return function if same else function.with_body(body)


def _with_variables(node: Any, body: list[Any], bound: Bound, names: dict[str, str]) -> list[Any]:
    """Statements with variables for what a class body binds; the same if the class is used otherwise."""
    place, named = body.index(node), _Named(node.name, names)
    rest = [named.visit(syntax.copy(s)) for s in body[place + 1 :]]
    if not any(isinstance(s, gast.FunctionDef) for s in node.body):
        return [*body[:place], *_hoisted(node, bound, names), *rest] if named.fits else body
    if not only_called(node, [*body[: place + 1], *rest]):
        return body
    new = syntax.copy(node)
    new.body = [s for s in node.body if not isinstance(s, gast.Assign | gast.AnnAssign)]
    new.holds = {names[attr]: attr for attr in bound}
    return [*body[:place], *_hoisted(node, bound, names), new, *rest]


def holds(node: Any) -> dict[str, str]:
    """The variables that stand for what the body of a class bound, with the attributes that they were."""
    return dict(getattr(node, "holds", {}))


def _bound(node: Any, function: Function) -> Bound | None:
    """What a class body binds, if it reads variables of the function there and does nothing else; None if it does."""
    found: Bound = {}
    values: list[Any] = []
    for statement in node.body:
        match statement:
            case gast.Assign(targets=[gast.Name(id=name)], value=value):
                pass
            case gast.AnnAssign(target=gast.Name(id=name), value=value) if value is not None:
                pass
            case gast.FunctionDef() | gast.Pass() | gast.AnnAssign(value=None):
                continue
            case gast.Expr(value=gast.Constant()):
                continue
            case _:
                return None
        if name in found or name.startswith("__"):
            return None
        found[name] = value
        values.append(value)
    variables = {p.name for p in function.params} | scopes.bound(function.body)
    read = syntax.loads(values)
    lazy = any(isinstance(n, LAZY) for v in values for n in [v, *syntax.walk(v)])
    methods = {s.name for s in node.body if isinstance(s, gast.FunctionDef)}
    if node.decorator_list or node.bases or node.keywords or lazy or read & methods:
        return None
    return found if read & (variables - found.keys() - {node.name}) else None


def _hoisted(node: Any, bound: Bound, names: dict[str, str]) -> list[Any]:
    made: list[Any] = []
    known: dict[str, Any] = {}
    for attr, value in bound.items():
        new = syntax.assign(names[attr], syntax.substitute(value, known))
        made.append(_placed(new, node))
        known[attr] = names[attr]
    return made


def only_called(node: Any, body: list[Any]) -> bool:
    """Whether a class is only ever used to make objects."""
    called = used = 0
    for part in (n for s in body for n in syntax.walk(s)):
        match part:
            case gast.Call(func=gast.Name(id=name)) if name == node.name:
                called += 1
            case gast.Name(id=name) if name == node.name:
                used += 1
    return called == used


def _placed(statement: Any, place: Any) -> Any:
    for node in [statement, *syntax.walk(statement)]:
        if not hasattr(node, "lineno"):
            syntax.at(node, place)
    return statement


class _Named(gast.NodeTransformer):  # type: ignore[misc]
    """Says ``C.w`` by the variable."""

    def __init__(self, owner: str, names: dict[str, str]) -> None:
        self.owner, self.names, self.fits = owner, names, True

    def visit_Attribute(self, node: Any) -> Any:
        match node:
            case gast.Attribute(value=gast.Name(id=owner), attr=attr, ctx=gast.Load()):
                if owner == self.owner and attr in self.names:
                    return syntax.at(syntax.name(self.names[attr]), node)
        return self.generic_visit(node)

    def visit_Name(self, node: Any) -> Any:
        self.fits = self.fits and node.id != self.owner
        return node
