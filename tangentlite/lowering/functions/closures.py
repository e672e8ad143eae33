"""Functions inside a function become functions beside it, with what they capture as parameters.

In: ``ir.Function``.
Out: the same function without nested ones: a call of one passes what it captures; where one is handed on as a
value, it is ``rt.closure(g, k)``, which holds what it captures. A variable that is bound again while a closure lives
is kept in a list of one element, as Python keeps it in a cell.
Next: exits.
"""

from __future__ import annotations

import functools
from types import CellType

import gast

from tangentlite import scopes, syntax
from tangentlite.ir import Function
from tangentlite.lowering.context import Context, read, remade
from tangentlite.lowering.flow import patterns
from tangentlite.lowering.functions import cached, captures, handed
from tangentlite.lowering.functions.lifted import lifted
from tangentlite.lowering.functions.plans import HOLE, Nested, Plan, Scope
from tangentlite.lowering.functions.uses import Tree, Uses
from tangentlite.lowering.iteration import late
from tangentlite.values import replace


def converted(function: Function, context: Context) -> Function:
    """The function without nested functions, made once.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("k = 2 * x\\ndef g(a):\\n    return a * k\\nreturn g(x) + h(g)", "x"))
    k = 2 * x
    t1 = g(k, x)
    t2 = rt.closure(g, k)
    t3 = h(t2)
    y = t1 + t3
    return y
    """
    if function.contents.kinds.isdisjoint(scopes.FUNCTIONS):
        return function
    known: Function | None = function.nested.get("converted")
    if known is None:
        plain = cached.uncached(late.looped(_branched(function, context), context), context)
        if plain is not function:
            context = Context.of(plain, context.lower)
        known = function.nested["converted"] = Conversion(context).run()
    return known


def _branched(function: Function, context: Context) -> Function:
    """The function with branches for each ``match``: nested functions may capture what its patterns bind."""
    body = patterns.as_branches(function.body, context)
    if body is function.body:
        return function
    namespace = function.namespace.extended(context.cells)
    return replace(function.with_body(body), namespace=namespace)


class Conversion(Uses):
    """Rewrites one function."""

    def __init__(self, context: Context) -> None:
        self.context, self.function = context, context.function
        self.plan: Plan = captures.plan(context)
        taken = {name for fn in self._functions() for name in scopes.own(fn)}
        wanted = {v for n in self.plan.nested.values() for v in n.captured} - {HOLE}
        fresh = context.names.fresh
        for name in sorted(taken):
            context.names.reserve(name)
        self.boxes = {v: fresh(f"{v}_cell") for v in sorted(self.plan.cells)}
        self.params = {
            v: self.boxes.get(v) or (fresh(v) if v in taken else v) for v in sorted(wanted)
        }
        self.lifted = {one.node: self._name(one) for one in self.plan.nested.values()}
        self.cells = {name: CellType() for name in self.lifted.values()}
        self.begun: set[str] = set()
        self.first: set[Tree] = set()
        self.idle = {n: names for f in self._functions() for n, names in scopes.idle(f)}

    def _functions(self) -> list[Tree]:
        nodes = (n for s in self.function.body for n in syntax.walk(s))
        return [n for n in nodes if isinstance(n, scopes.FUNCTIONS)]

    def _name(self, one: Nested) -> str:
        """What a lifted function is called: as the user calls it, unless that is a variable."""
        if one.fixed:
            return one.name
        return (
            self.context.names.fresh(one.name)
            if one.name
            else self.context.names.numbered("lambda_")
        )

    def run(self) -> Function:
        """The function around, with its nested ones beside it."""
        rt = self.context.rt()
        self.rt = rt
        self.cells.update(self.context.cells)
        inner = Scope(self.plan.fixed, self.boxes, self.params, self.params, True)
        for one in self.plan.nested.values():
            tree = self._lifted(one, inner.without(scopes.own(one.node)))
            made = lifted(tree, self.function, self.cells)
            made.__name__ = one.name or "<lambda>"
            left_out = [k for k, v in enumerate(one.captured) if v is HOLE]
            made.__captured__ = len(one.captured)  # type: ignore[attr-defined]
            made.__left_out__ = left_out  # type: ignore[attr-defined]
            self.cells[self.lifted[one.node]].cell_contents = made
        passed = {v: self.boxes.get(v, v) for v in self.params}
        outer = Scope(self.plan.fixed, self.boxes, {}, passed)
        params = [p.name for p in self.function.params if p.name in self.boxes]
        self.begun |= set(params)
        self.first = self._first_bindings()
        body = self.block(self.function.body, outer)
        begun = [s for name in params for s in self._cell(name, name)]
        missing = sorted(set(self.boxes) - self.begun)
        begun += [s for name in missing for s in self._cell(name, None)]
        namespace = self.function.namespace.extended(self.cells)
        return replace(self.function.with_body([*begun, *body]), namespace=namespace, nested={})

    # Cells ----------------------------------------------------------------------------------

    def _cell(self, name: str, value: str | None) -> list[gast.stmt]:
        place = self.function.body[0]
        held = syntax.constant(None) if value is None else syntax.name(value)
        return self.context.quote("c = [v]", place, c=self.boxes[name], v=syntax.at(held, place))

    def _first_bindings(self) -> set[Tree]:
        """The statements ``v = e`` that are the first to mention a variable with a cell: they make it."""
        found: set[Tree] = set()
        for name in set(self.boxes) - self.begun:
            for statement in self.function.body:
                mentioned = any(
                    isinstance(n, gast.Name) and n.id == name for n in syntax.walk(statement)
                )
                match statement:
                    case gast.Assign(targets=[gast.Name(id=target)], value=value) if target == name:
                        if name not in syntax.loads(value):
                            found.add(statement)
                            self.begun.add(name)
                if mentioned:
                    break
        return found

    # Statements -----------------------------------------------------------------------------

    def block(self, body: list[Tree], scope: Scope) -> list[Tree]:
        """The statements without nested functions."""
        result = [new for statement in body for new in self.statement(statement, scope)]
        return result or [syntax.at(gast.Pass(), body[0])] if body else []

    def statement(self, node: Tree, scope: Scope) -> list[Tree]:
        match node:
            case gast.FunctionDef() if not scope.inner:
                return self._definition(node, scope)
            case gast.FunctionDef():
                return [self.inside(node, scope)]
            case gast.Assign(value=gast.Lambda() as value) if not scope.inner:
                if self.plan.nested[value].fixed:
                    return []
            case gast.Nonlocal(names=names):
                known = {*scope.cells, *scope.names, *self.idle.get(node, ())}
                names = [n for n in names if n not in known]
                return [remade(node, names=names)] if names else []
            case (
                gast.Expr(value=call)
                | gast.Assign(targets=[gast.Name()], value=call)
                | (gast.Return(value=call))
            ) if (one := self.giver(call, scope)) is not None:
                held = self.context.names.fresh("given")
                plain = self.plain_call(one, call, scope)
                new = remade(node, value=None)
                if isinstance(node, gast.Assign):
                    new = remade(new, targets=[self.tree(node.targets[0], scope)])
                return handed.statements(new, plain, self.given(one, scope), held)
            case gast.For():
                return self._for(node, scope)
            case gast.Delete(targets=targets):
                for target in targets:
                    if isinstance(target, gast.Name) and target.id in scope.cells:
                        raise self.refuse(target, f"`del {target.id}`", "Leave it bound.")
        if node in self.first:
            name = node.targets[0].id
            value = gast.List([self.tree(node.value, scope)], gast.Load())
            return [self._assigned(read(self.boxes[name], node), syntax.at(value, node), node)]
        return [self.tree(node, scope)]

    def _for(self, node: gast.For, scope: Scope) -> list[Tree]:
        """A loop keeps its variable in a cell, and walks over something with a name if that reads cells."""
        match node:
            case gast.For(iter=iterable) if not self._is_plain(iterable, scope):
                walked = self.context.names.fresh("walked")
                held = self._assigned(read(walked, iterable), self.tree(iterable, scope), node)
                loop = remade(node, iter=read(walked, iterable))
                return [held, *self.statement(loop, scope)]
            case gast.For(target=gast.Name(id=name) as target) if name in scope.cells:
                variable = self.context.names.fresh(name)
                held = self._assigned(self.tree(target, scope), read(variable, target), node)
                new = gast.Name(variable, gast.Store(), None, None)
                node = remade(
                    node,
                    iter=self.tree(node.iter, scope),
                    target=syntax.at(new, target),
                    body=[held, *self.block(node.body, scope)],
                    orelse=self.block(node.orelse, scope),
                )
                return [node]
        return [self.tree(node, scope)]

    def _is_plain(self, iterable: Tree, scope: Scope) -> bool:
        """Whether a loop walks over what has nothing to do with cells: those may be stored into meanwhile."""
        if not scope.cells or isinstance(iterable, gast.Name):
            return True
        return not set(scope.cells.values()) & syntax.loads(self.tree(iterable, scope))

    def _assigned(self, target: Tree, value: Tree, place: Tree) -> Tree:
        target = remade(target, ctx=gast.Store())
        return syntax.at(gast.Assign([target], value, None), place)

    def _definition(self, node: Tree, scope: Scope) -> list[Tree]:
        """``def g`` of what is no more than a variable."""
        one = self.plan.nested[node]
        if one.fixed:
            return []
        if one.name in one.captured:
            reason = (
                f"`{one.name}`, which calls itself and has decorators, defaults or other meanings,"
            )
            raise self.refuse(node, reason, "Give it a name of its own, and literal defaults.")
        value = self.closure(one, node, scope)
        for decorator in reversed(node.decorator_list):
            if not self._wraps(decorator):
                args = self.tree(decorator, scope)
                value = syntax.at(gast.Call(args, [value], []), decorator)
        target = self.tree(syntax.at(gast.Name(one.name, gast.Store(), None, None), node), scope)
        return [self._assigned(target, value, node)]

    def _wraps(self, decorator: Tree) -> bool:
        """Whether a decorator only copies the name and the docstring of another function."""
        match decorator:
            case gast.Call(func=func):
                return self.context.meaning(func) is functools.wraps
        return False

    # Inside nested functions ----------------------------------------------------------------

    def inside(self, node: Tree, scope: Scope) -> Tree:
        """A function inside a nested one: it is lifted when that one is lowered."""
        inner = scope.without(scopes.own(node))
        args = self.parts(node.args, scope)
        if isinstance(node, gast.Lambda):
            return remade(node, args=args, body=self.tree(node.body, inner))
        decorators = [self.tree(d, scope) for d in node.decorator_list]
        body = self.block(node.body, inner)
        return remade(node, args=args, decorator_list=decorators, body=body)

    def _lifted(self, one: Nested, scope: Scope) -> gast.FunctionDef:
        """The definition with what it captures as parameters."""
        node, args = one.node, one.node.args
        names = [self.params.get(v) or self.context.names.fresh("unused") for v in one.captured]
        captured = [self._param(name, node) for name in names]
        first = "posonlyargs" if args.posonlyargs else "args"
        args = captures.undefaulted(args)
        args = remade(args, **{first: [*captured, *getattr(args, first)]})
        if isinstance(node, gast.Lambda):
            body = [syntax.at(gast.Return(self.tree(node.body, scope)), node.body)]
        else:
            body = self.block(captures.undocumented(node.body), scope)
        if one.fixed and one.name in self.plan.given:
            body = handed.returning(body, [self.params[v] for v in self.plan.given[one.name]])
        made = gast.FunctionDef(self.lifted[node], args, body, [], None, None, [])
        return syntax.at(made, node)

    def _param(self, name: str, place: Tree) -> gast.Name:
        return syntax.at(gast.Name(name, gast.Param(), None, None), place)
