"""What an exception brings to its handler: variables that are bound where it is raised.

In: the statements of a function.
Out: the same statements; ``e.value`` in a handler is the variable that was bound beside ``raise``.
Next: suspended.
"""

from __future__ import annotations

import ast
import inspect
from types import FunctionType
from typing import Any

import gast

from tangentlite import scopes, syntax
from tangentlite.frontend.defaulting import owner, surely
from tangentlite.lowering.context import Context, read, remade
from tangentlite.lowering.flow.brought import brought, raises
from tangentlite.lowering.iteration.borrowed import standing_in

Body = list[Any]
DEEPEST = 3
DECIDING = (gast.IfExp, gast.BoolOp, gast.Lambda, gast.NamedExpr, *scopes.COMPREHENSIONS)


def bound(body: Body, context: Context) -> Body:
    """``raise E(v)`` inside of ``try`` binds what its handler reads.

    >>> from tangentlite.lowering.example import function
    >>> text = "try:\\n    raise ValueError(x)\\nexcept ValueError as e:\\n    y = e.args[0]\\nreturn y"
    >>> f = function(text, "x")
    >>> print("\\n".join(map(syntax.unparse, bound(f.body, Context.of(f, print)))))
    raised = False
    try:
        e_args_0 = x
        raised = True
        raise ValueError(x)
    except ValueError:
        rt.came(raised)
        y = e_args_0
    return y
    """
    if gast.Try not in context.contents(body).kinds:
        return body
    return _block(body, context)


def _block(body: Body, context: Context) -> Body:
    return [new for statement in body for new in _statement(statement, context)]


def _statement(statement: Any, context: Context) -> Body:
    fields = {}
    for name in syntax.BLOCKS:
        block = getattr(statement, name, None)
        if isinstance(block, list) and block and not isinstance(statement, scopes.FUNCTIONS):
            fields[name] = _block(block, context)
    if any(len(fields[n]) != len(getattr(statement, n)) for n in fields) or any(
        a is not b for n in fields for a, b in zip(fields[n], getattr(statement, n))
    ):
        new = remade(statement, **fields)
        context.made[new] = context.made.get(statement, statement)
        statement = new
    if not isinstance(statement, gast.Try):
        return [statement]
    before: Body = []
    for place in range(len(statement.handlers)):
        made = _Payload(statement, place, context).carried()
        if made is not None:
            more, statement = made
            before += more
    return [*before, statement]


class _Payload:
    """What one handler reads of its exception."""

    def __init__(self, attempt: Any, place: int, context: Context) -> None:
        self.attempt, self.place, self.context = attempt, place, context
        self.handler = attempt.handlers[place]
        self.variables: dict[str, str] = {}
        self.flag = ""
        self.caught: list[Any] = []
        self.told_any = False

    def carried(self) -> tuple[Body, Any] | None:
        """What comes before the ``try``, and the ``try``; None where its handler reads nothing that is known."""
        if self.handler.name is None or self.handler.type is None:
            return None
        name = self.handler.name.id
        spread = [new for s in self.handler.body for new in self.spread(s, name)]
        self.handler = remade(self.handler, body=spread)
        wanted = {k for n in scopes.inside(self.handler.body) if (k := _read(n, name))}
        if not wanted or name in syntax.stores(self.handler.body):
            return None
        self.flag = self.context.local("raised")
        for key in sorted(wanted):
            self.variables[key] = self.context.local(f"{name}_{key}")
        body = self.raising(self.attempt.body, 0)
        if body is None or not self.told_any:
            return None
        handler = self.handler
        inner = [self.substituted(s) for s in handler.body]
        place = inner[0]
        text = "rt.came(t)"
        inner = [*self.context.quote(text, place, rt=self.context.rt(), t=self.flag), *inner]
        kept = handler.name if name in syntax.loads(inner) else None
        handlers = list(self.attempt.handlers)
        handlers[self.place] = remade(handler, body=inner, name=kept)
        new = remade(self.attempt, body=body, handlers=handlers)
        self.context.made[new] = self.context.made.get(self.attempt, self.attempt)
        return self.context.quote("t = False", self.attempt, t=self.flag), new

    def spread(self, statement: Any, name: str) -> Body:
        """``a, b = e.args`` reads one argument after the other."""
        match statement:
            case gast.Assign(
                targets=[gast.Tuple(elts=targets)],
                value=gast.Attribute(value=gast.Name(id=owner), attr="args") as args,
            ) if owner == name and not any(isinstance(t, gast.Starred) for t in targets):
                result: Body = []
                for k, target in enumerate(targets):
                    place = syntax.at(syntax.constant(k), target)
                    result += self.context.quote("v = xs[k]", statement, v=target, xs=args, k=place)
                return result
        return [statement]

    def raising(self, body: Body, depth: int) -> Body | None:
        """The body with what the exceptions bring bound beside ``raise``; None where that cannot be told."""
        result: Body = []
        for statement in body:
            if isinstance(statement, gast.Raise):
                known = self.kind(statement.exc)
                if known is None:
                    return None
                result += [statement] if known == () else self.told(statement, known)
                continue
            if isinstance(statement, gast.With) and self.may_raise(statement):
                return None
            if isinstance(statement, gast.Try):
                tried = self.tried(statement, depth)
                if tried is None:
                    return None
                result.append(tried)
                continue
            inlined = self.inlined(statement, depth)
            if inlined is not None:
                inner = self.raising(inlined, depth + 1)
                if inner is None:
                    return None
                result += inner
                continue
            fields = {}
            for name in syntax.BLOCKS:
                block = getattr(statement, name, None)
                if isinstance(block, list) and block and isinstance(block[0], gast.stmt):
                    made = self.raising(block, depth)
                    if made is None:
                        return None
                    fields[name] = made
            if fields:
                new = remade(statement, **fields)
                self.context.made[new] = self.context.made.get(statement, statement)
                statement = new
            result.append(statement)
        return result

    def tried(self, statement: Any, depth: int) -> Any:
        """A ``try`` inside: what it catches itself does not come here."""
        outer, self.caught = self.caught, [*self.caught, *(h.type for h in statement.handlers)]
        body = self.raising(statement.body, depth)
        self.caught = outer
        parts = {n: self.raising(getattr(statement, n), depth) for n in ("orelse", "finalbody")}
        handlers = [self.raising(h.body, depth) for h in statement.handlers]
        if body is None or None in parts.values() or None in handlers:
            return None
        made = [remade(h, body=b) for h, b in zip(statement.handlers, handlers)]
        new = remade(statement, body=body, handlers=made, **parts)
        self.context.made[new] = self.context.made.get(statement, statement)
        return new

    def may_raise(self, statement: Any) -> bool:
        nodes = scopes.inside([statement])
        return any(isinstance(n, gast.Raise) and self.kind(n.exc) != () for n in nodes)

    def kind(self, value: Any) -> Any:
        """The class that is raised; () if the handler does not catch it, None if nobody knows."""
        call = value.func if isinstance(value, gast.Call) else value
        found = self.context.meaning(call) if call is not None else None
        types = self.handler.type
        types = types.elts if isinstance(types, gast.Tuple) else [types]
        caught = tuple(self.context.meaning(t) for t in types)
        if not isinstance(found, type) or not all(isinstance(c, type) for c in caught):
            return None
        if not issubclass(found, caught) or any(self.catches(t, found) for t in self.caught):
            return ()
        return found

    def catches(self, types: Any, raised: type) -> bool:
        """Whether a handler inside catches what is raised."""
        if types is None:
            return True
        types = types.elts if isinstance(types, gast.Tuple) else [types]
        known = [self.context.meaning(t) for t in types]
        return any(isinstance(k, type) and issubclass(raised, k) for k in known)

    def told(self, statement: Any, raised: type) -> Body:
        """``raise E(v)`` with what it brings bound before."""
        call = statement.exc
        if not isinstance(call, gast.Call):
            call = syntax.at(gast.Call(call, [], []), statement)
        before: Body = []
        args = []
        for arg in call.args:
            more, atom = self.context.named(arg)
            before += more
            args.append(atom)
        keywords = []
        for keyword in call.keywords:
            more, atom = self.context.named(keyword.value)
            before += more
            keywords.append(remade(keyword, value=atom))
        call = remade(call, args=args, keywords=keywords)
        held = brought(raised, call)
        for key, variable in self.variables.items():
            if key in held:
                value = held[key]
                before += self.context.quote("v = e", statement, v=variable, e=value)
        if all(key in held for key in self.variables):
            before += self.context.quote("t = True", statement, t=self.flag)
            self.told_any = True
        return [*before, remade(statement, exc=call)]

    def inlined(self, statement: Any, depth: int) -> Body | None:
        """The statements of a helper that raises, in place of its call."""
        kinds = (gast.Assign, gast.Expr, gast.Return, gast.AugAssign)
        if depth == DEEPEST or not isinstance(statement, kinds) or statement.value is None:
            return None
        nodes = list(scopes.inside([statement.value]))
        calls = [n for n in nodes if isinstance(n, gast.Call)]
        found = [(n, known) for n in calls if (known := self.helper(n)) is not None]
        if not found or any(isinstance(n, DECIDING) for n in nodes):
            return None
        if not all(self.may_wait(n, [call for call, _ in found]) for n in calls):
            return None
        result, value = list[Any](), statement.value
        for call, (function, args) in found:
            made = standing_in(function, remade(call, args=args), self.context)
            if made is None:
                return None
            result += made[0]
            if value is call:
                value = made[1]
                continue
            more, given = self.context.named(made[1])
            result += more
            value = _replaced(value, call, given)
        new = remade(statement, value=value)
        self.context.made[new] = self.context.made.get(statement, statement)
        return [*result, new]

    def may_wait(self, node: gast.Call, called: list[gast.Call]) -> bool:
        """Whether the calls of helpers may be made before the others: not if one of them is an argument of another."""
        inside = [call for call in called if call is not node and call in set(syntax.walk(node))]
        if node in called:
            return not inside
        if inside or any(node in set(syntax.walk(call)) for call in called):
            return True
        library = str(getattr(self.context.meaning(node.func), "__module__", ""))
        return library.startswith(("numpy", "math", "builtins"))

    def helper(self, call: gast.Call) -> tuple[FunctionType, list[Any]] | None:
        """The function of the user that is called, if it may raise, and its arguments."""
        found, args = self.context.meaning(call.func), list(call.args)
        match call.func:
            case gast.Attribute(value=gast.Name(id=name) as owner, attr=attr):
                made = self.context.instances.get(name)
                if made is not None:
                    found, args = inspect.getattr_static(made, attr, None), [owner, *args]
                elif (own := self.own(name)) is not None:
                    found, args = surely(own, attr), [owner, *args]
        known = isinstance(found, FunctionType) and raises(found, DEEPEST)
        return (found, args) if known else None

    def own(self, name: str) -> type | None:
        """The class of which the function is a method, where a name is the object's."""
        function = self.context.function
        first = function.params[0].name if function.params else ""
        return owner(function) if name == first and name not in function.bound else None

    def substituted(self, node: Any) -> Any:
        """A part of the handler with variables for what it reads of the exception."""
        key = _read(node, self.handler.name.id)
        if key is not None:
            return read(self.variables[key], node)
        fields: dict[str, Any] = {}
        for name in node._fields:
            value = getattr(node, name, None)
            if isinstance(value, list):
                fields[name] = [self.substituted(v) if isinstance(v, ast.AST) else v for v in value]
            elif isinstance(value, ast.AST):
                fields[name] = self.substituted(value)
        if not fields:
            return node
        new = remade(node, **fields)
        if isinstance(node, gast.stmt):
            self.context.made[new] = self.context.made.get(node, node)
        return new


def _read(node: Any, name: str) -> str | None:
    """``value`` for ``e.value``, ``args_1`` for ``e.args[1]``."""
    match node:
        case gast.Subscript(
            value=gast.Attribute(value=gast.Name(id=owner), attr="args"),
            slice=gast.Constant(value=int() as place),
        ) if owner == name and place >= 0:
            return f"args_{place}"
        case gast.Attribute(value=gast.Name(id=owner), attr=attr, ctx=gast.Load()):
            known = attr.startswith("__") or hasattr(BaseException, attr)
            return attr if owner == name and not known else None
    return None


def _replaced(node: Any, old: Any, new: Any) -> Any:
    """An expression with a part exchanged."""
    if node is old:
        return new
    fields: dict[str, Any] = {}
    for name in node._fields:
        value = getattr(node, name, None)
        if isinstance(value, list):
            fields[name] = [_replaced(v, old, new) if isinstance(v, ast.AST) else v for v in value]
        elif isinstance(value, ast.AST):
            fields[name] = _replaced(value, old, new)
    return remade(node, **fields)
