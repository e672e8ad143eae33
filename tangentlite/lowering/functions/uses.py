"""Where a nested function is used: its calls pass what it captures, and as a value it is a closure.

In: expressions.
Out: the same expressions without nested functions.
Next: closures.
"""

from __future__ import annotations

import ast
from abc import abstractmethod
from typing import Any

import gast

from tangentlite import scopes, syntax
from tangentlite.errors import UnsupportedSyntaxError
from tangentlite.ir import Function
from tangentlite.lowering.context import Context, read, remade
from tangentlite.lowering.functions import captures, handed
from tangentlite.lowering.functions.plans import HOLE, Nested, Plan, Scope

Tree = Any


class Uses:
    """Rewrites the expressions of one function."""

    context: Context
    function: Function
    plan: Plan
    lifted: dict[Any, str]
    rt: str

    @abstractmethod
    def block(self, body: list[Tree], scope: Scope) -> list[Tree]:
        """The statements without nested functions."""

    @abstractmethod
    def inside(self, node: Tree, scope: Scope) -> Tree:
        """A function inside a nested one."""

    def tree(self, node: Tree, scope: Scope) -> Tree:
        """``node`` without nested functions."""
        match node:
            case gast.Name(id=name) if name in scope.fixed and isinstance(node.ctx, gast.Load):
                return self.closure(scope.fixed[name], node, scope)
            case gast.Name(id=name) if name in scope.cells:
                return self._element(node, scope.cells[name])
            case gast.Name(id=name) if name in scope.names:
                return remade(node, id=scope.names[name])
            case gast.Call(func=gast.Name(id=name)) if name in scope.fixed:
                return self._call(scope.fixed[name], node, scope)
            case gast.Call(func=gast.Lambda() as func) if not scope.inner:
                if not scopes.outside_of(func):
                    return self._call(self.plan.nested[func], node, scope)
            case gast.Lambda() if not scope.inner:
                return self.closure(self.plan.nested[node], node, scope)
            case gast.Lambda():
                return self.inside(node, scope)
            case gast.Compare():
                self._compared(node, scope)
        if isinstance(node, scopes.COMPREHENSIONS):
            return self._comprehension(node, scope)
        return self.parts(node, scope)

    def parts(self, node: Tree, scope: Scope) -> Tree:
        """``node`` with its parts rewritten."""
        fields: dict[str, Any] = {}
        for field in node._fields:
            value = getattr(node, field, None)
            if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
                fields[field] = self.block(value, scope)
            elif isinstance(value, list):
                fields[field] = [
                    self.tree(v, scope) if isinstance(v, ast.AST) else v for v in value
                ]
            elif (isinstance(value, ast.AST) and syntax.children(value)) or isinstance(
                value, gast.Name
            ):
                fields[field] = self.tree(value, scope)
        return remade(node, **fields) if fields else node

    def _comprehension(self, node: Tree, scope: Scope) -> Tree:
        targets = syntax.stores([g.target for g in node.generators])
        cells = targets & set(self.plan.cells)
        if cells and not any(isinstance(n, scopes.FUNCTIONS) for n in syntax.walk(node)):
            first = node.generators[0].iter  # it sees the variables of the function
            node = syntax.substitute(node, {v: self.context.local(v) for v in sorted(cells)})
            node.generators[0].iter = first
            return self._comprehension(node, scope)
        if cells and not scope.inner:
            name = sorted(cells)[0]
            what = f"a function that captures `{name}`, which a comprehension binds again,"
            raise self.refuse(node, what, f"Give it a default: `lambda …, {name}={name}: …`.")
        inner = scope.without(targets)
        new = self.parts(node, inner)
        first = remade(new.generators[0], iter=self.tree(node.generators[0].iter, scope))
        return remade(new, generators=[first, *new.generators[1:]])

    def _compared(self, node: gast.Compare, scope: Scope) -> None:
        for side in (node.left, *node.comparators):
            if isinstance(side, gast.Name) and side.id in scope.fixed:
                if scope.fixed[side.id].captured:
                    what = f"comparing `{side.id}`, a function defined here,"
                    raise self.refuse(side, what, "Compare something that tells them apart.")

    def _element(self, node: gast.Name, cell: str) -> Tree:
        zero = syntax.at(syntax.constant(0), node)
        return syntax.at(gast.Subscript(read(cell, node), zero, node.ctx), node)

    def _captured(self, one: Nested, node: Tree, scope: Scope) -> list[Tree]:
        left_out = syntax.at(syntax.constant(...), node)
        return [left_out if v is HOLE else read(scope.passed[v], node) for v in one.captured]

    def giver(self, call: Tree, scope: Scope) -> Nested | None:
        """The function that a call is of, if it hands back variables."""
        match call:
            case gast.Call(func=gast.Name(id=name)) if name in scope.fixed:
                return scope.fixed[name] if name in self.plan.given else None
        return None

    def given(self, one: Nested, scope: Scope) -> list[str]:
        """The variables that a call hands back."""
        return [scope.passed[v] for v in self.plan.given[one.name]]

    def _call(self, one: Nested, node: gast.Call, scope: Scope) -> Tree:
        """A call, and what it hands back."""
        call = self.plain_call(one, node, scope)
        if one.name not in self.plan.given:
            return call
        held = self.context.names.fresh("given")
        return handed.expression(node, call, self.given(one, scope), held)

    def plain_call(self, one: Nested, node: gast.Call, scope: Scope) -> Tree:
        """``g(a)`` becomes ``g(k, a)``; ``(t := a, g(k, t))[-1]`` if a binds k: it is read when g begins."""
        func = read(self.lifted[one.node], node.func)
        captured = self._captured(one, node, scope)
        args = [self.tree(a, scope) for a in node.args]
        keywords = [self.tree(k, scope) for k in node.keywords]
        names = {k.id for k in captured if isinstance(k, gast.Name)}
        if names.isdisjoint(handed.bound([*args, *keywords])):
            return remade(node, func=func, args=[*captured, *args], keywords=keywords)
        before, args, keywords = handed.beforehand(args, keywords, self.context)
        call = remade(node, func=func, args=[*captured, *args], keywords=keywords)
        return handed.last([*before, call], node)

    def closure(self, one: Nested, node: Tree, scope: Scope) -> Tree:
        """A function as a value: itself, or with what it captures."""
        name = read(self.lifted[one.node], node)
        captured = self._captured(one, node, scope)
        defaults = [] if one.fixed else self._defaults(one.node, scope)
        if not captured and not defaults:
            return name
        made = syntax.at(gast.Attribute(read(self.rt, node), "closure", gast.Load()), node)
        keywords = [syntax.at(gast.keyword(k, v), node) for k, v in defaults]
        loose = self.plan.loose.get(node, set()) & set(one.captured)
        if loose:
            made = remade(made, attr="passing")
        return syntax.at(gast.Call(made, [name, *captured], keywords), node)

    def _defaults(self, node: Tree, scope: Scope) -> list[tuple[str, Tree]]:
        """The parameters whose defaults are no literals, with what those say."""
        found = [(p, d) for p, d in captures.defaults(node) if not captures.literal(d)]
        return [(name, self.tree(default, scope)) for name, default in found]

    def refuse(self, node: ast.AST, what: str, hint: str) -> UnsupportedSyntaxError:
        """The error for what is not lifted."""
        place = self.function.origin.place(node)
        return UnsupportedSyntaxError(f"{what} is not supported yet", place, hint)
