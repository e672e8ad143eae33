"""What the functions inside a function capture, and how each of them may be used.

In: the body of a function.
Out: ``Plan``: its nested functions, and the variables that need a cell.
Next: closures.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gast

from tangentlite import scopes, syntax
from tangentlite.lowering.context import Context
from tangentlite.lowering.functions import handed, slots
from tangentlite.lowering.functions.plans import Nested, Plan
from tangentlite.values import immutable

Chain = tuple[tuple[int, int], ...]  # the blocks around a place, and where in each
KEEPERS = ("append", "insert", "extend", "setdefault", "update", "add", "put")


@immutable(eq=False)
class Event:
    """Something that happens in the body: ``kind`` is "bind" (of a variable), "make" (of a closure)."""

    kind: str
    name: str
    loops: tuple[int, ...]
    node: Any
    passed: bool = False


def plan(context: Context) -> Plan:
    """Look at the functions inside a function."""
    body = context.function.body
    nested = _nested(body, context)
    fixed = {n.name: n for n in nested.values() if n.fixed}
    variables = {p.name for p in context.function.params} | scopes.bound(body)
    for node in scopes.inside(body):
        if isinstance(node, gast.comprehension):
            variables |= syntax.stores(node.target)
    _capture(nested, fixed, variables - set(fixed))
    slots.aligned(nested, body)
    made = Plan(nested, fixed, set(), {})
    events = list(_Walk(made).block(body, ()))
    _judge(made, events)
    made.given = handed.given(made, {e.name for e in events if e.kind == "make"}, context)
    back = {v for names in made.given.values() for v in names}
    made.cells |= {v for n in nested.values() for v in _written(n.node)} & variables - back
    return made


def _written(function: Any) -> set[str]:
    """The variables of other functions that a function, or one inside it, binds."""
    found: set[str] = set()
    for node in (n for part in scopes.body_of(function) for n in syntax.walk(part)):
        if isinstance(node, gast.Nonlocal):
            found |= set(node.names)
    return found & scopes.free(function)


def _nested(body: list[Any], context: Context) -> dict[Any, Nested]:
    """The nested functions, in order; what is bound once, before it is used, is fixed."""
    found: dict[Any, Nested] = {}
    chains = dict(_chains(body, ()))
    for node in scopes.inside(body):
        match node:
            case gast.FunctionDef(name=name):
                plain = all(literal(d) for _, d in defaults(node))
                found[node] = Nested(node, name, plain and not node.decorator_list)
            case gast.Assign(targets=[gast.Name(id=name)], value=gast.Lambda() as value):
                plain = all(literal(d) for _, d in defaults(value))
                found[value] = Nested(value, name, plain)
            case gast.Lambda() if node not in found:
                found[node] = Nested(node, "", False)
    params = {p.name for p in context.function.params}
    for node, one in found.items():
        if one.fixed:
            one.fixed = one.name not in params and _is_fixed(one, node, body, chains)
    return found


def _is_fixed(one: Nested, node: Any, body: list[Any], chains: dict[Any, Chain]) -> bool:
    """Whether the name of a function is bound here only, and used after this in the same block."""
    binds = 0
    home = chains[node]
    block, place = home[-1]
    for item in scopes.inside(body):
        match item:
            case gast.FunctionDef(name=one.name):
                binds += 1
            case gast.Name(id=one.name):
                binds += not isinstance(item.ctx, gast.Load)
                after = dict(chains[item]).get(block, -1)
                if isinstance(item.ctx, gast.Load) and after <= place:
                    return False
    written = any(one.name in _written(n) for n in scopes.inside(body) if _is_function(n))
    return binds == 1 and not written


def _is_function(node: Any) -> bool:
    return isinstance(node, scopes.FUNCTIONS)


def _chains(body: list[Any], around: Chain) -> Iterator[tuple[Any, Chain]]:
    """Every node of one function with the blocks that it stands in."""
    for place, statement in enumerate(body):
        here = (*around, (id(body), place))
        blocks = [] if _is_function(statement) else syntax.blocks(statement)
        nested = {id(s) for b in blocks for s in b}
        waiting = [statement]
        while waiting:
            node = waiting.pop()
            yield node, here
            parts = scopes.outside_of(node) if _is_function(node) else syntax.children(node)
            waiting += [p for p in parts if id(p) not in nested]
        for block in blocks:
            yield from _chains(block, here)


def _capture(nested: dict[Any, Nested], fixed: dict[str, Nested], variables: set[str]) -> None:
    """A function that mentions a fixed one needs what that one captures."""
    needed: dict[Any, set[str]] = {}
    for node, one in nested.items():
        names = scopes.free(node)
        one.mentioned = names & set(fixed)
        one.makes = _makes(node, set(fixed))
        needed[node] = names & variables
    changed = True
    while changed:
        changed = False
        for node, one in nested.items():
            more = set().union(*(needed[fixed[n].node] for n in one.mentioned))
            changed = changed or not more <= needed[node]
            needed[node] |= more
    for node, one in nested.items():
        one.captured = tuple(sorted(needed[node]))


def _makes(function: Any, fixed: set[str]) -> bool:
    """Whether a function defines functions, or names fixed ones without calling them."""
    called = set()
    for node in (n for part in scopes.body_of(function) for n in syntax.walk(part)):
        if isinstance(node, gast.Call):
            called.add(node.func)
        if _is_function(node):
            return True
        if isinstance(node, gast.Name) and node.id in fixed and node not in called:
            return True
    return False


def _judge(made: Plan, events: list[Event]) -> None:
    """Find the variables that are bound again after a closure took their values."""
    for k, use in enumerate(events):
        if use.kind != "make":
            continue
        captured = set(made.nested[use.node].captured) if use.node in made.nested else set()
        captured |= set(made.fixed[use.name].captured) if use.name in made.fixed else set()
        for j, other in enumerate(events):
            if other.kind != "bind" or other.name not in captured:
                continue
            if j > k or set(other.loops) & set(use.loops):
                if use.passed:
                    made.loose.setdefault(use.node, set()).add(other.name)
                else:
                    made.cells.add(other.name)


class _Walk:
    """The events of a body, in the order in which they happen."""

    def __init__(self, made: Plan) -> None:
        self.made = made

    def block(self, nodes: list[Any], loops: tuple[int, ...]) -> Iterator[Event]:
        for node in nodes:
            yield from self.node(node, loops, False)

    def node(self, node: Any, loops: tuple[int, ...], passed: bool) -> Iterator[Event]:
        match node:
            case gast.Assign(targets=targets, value=value):
                yield from self.node(value, loops, False)
                yield from self.block(targets, loops)
            case (
                gast.AugAssign(target=target, value=value)
                | gast.NamedExpr(target=target, value=value)
            ):
                yield from self.block([value, target], loops)
            case gast.For(iter=iterable, target=target, body=body, orelse=orelse):
                yield from self.node(iterable, loops, False)
                yield from self.block([target, *body], (*loops, id(node)))
                yield from self.block(orelse, loops)
            case gast.While(test=test, body=body, orelse=orelse):
                yield from self.block([test, *body], (*loops, id(node)))
                yield from self.block(orelse, loops)
            case gast.Call():
                yield from self.call(node, loops)
            case gast.Name():
                yield from self.name(node, loops, passed)
            case _ if _is_function(node):
                yield from self.function(node, loops, passed)
            case _ if isinstance(node, scopes.COMPREHENSIONS):
                inner = (*loops, id(node))
                for generator in node.generators:
                    yield from self.block([generator.iter], loops)
                    yield from self.block([generator.target, *generator.ifs], inner)
                parts = [p for p in syntax.children(node) if not isinstance(p, gast.comprehension)]
                yield from self.block(parts, inner)
            case _:
                yield from self.block(list(syntax.children(node)), loops)

    def call(self, node: gast.Call, loops: tuple[int, ...]) -> Iterator[Event]:
        fixed = isinstance(node.func, gast.Name) and node.func.id in self.made.fixed
        if fixed:
            if any(self.made.fixed[name].makes for name in self.reached(node.func.id)):
                yield Event("make", node.func.id, loops, node)
        else:
            yield from self.node(node.func, loops, True)
        kept = isinstance(node.func, gast.Attribute) and node.func.attr in KEEPERS
        for arg in [*node.args, *(k.value for k in node.keywords)]:
            yield from self.node(arg, loops, not kept)

    def reached(self, name: str) -> set[str]:
        """The fixed functions that a call of one may call."""
        found: set[str] = set()
        waiting = {name}
        while waiting:
            found |= waiting
            waiting = set().union(*(self.made.fixed[n].mentioned for n in waiting)) - found
        return found

    def name(self, node: Any, loops: tuple[int, ...], passed: bool) -> Iterator[Event]:
        if not isinstance(node.ctx, gast.Load):
            yield Event("bind", node.id, loops, node)
        elif node.id in self.made.fixed:
            yield Event("make", node.id, loops, node, passed)

    def function(self, node: Any, loops: tuple[int, ...], passed: bool) -> Iterator[Event]:
        yield from self.block(scopes.outside_of(node), loops)
        one = self.made.nested[node]
        if not one.fixed:
            yield Event("make", one.name, loops, node, passed)
        if isinstance(node, gast.FunctionDef):
            yield Event("bind", one.name, loops, node)


def defaults(function: Any) -> list[tuple[str, Any]]:
    """The parameters that have defaults, with those."""
    args = function.args
    positional = [*args.posonlyargs, *args.args]
    pairs = list(zip(positional[len(positional) - len(args.defaults) :], args.defaults))
    pairs += [(a, d) for a, d in zip(args.kwonlyargs, args.kw_defaults) if d is not None]
    return [(a.id, d) for a, d in pairs]


def literal(node: Any) -> bool:
    """Whether a default is a number, a text, None or a tuple of such: the same whenever it is evaluated."""
    if isinstance(node, gast.Tuple):
        return all(map(literal, node.elts))
    return bool(syntax.is_atom(node)) and not isinstance(node, gast.Name)


def constant(default: Any) -> Any:
    """The default of a lifted function: closures bring what is no literal."""
    return default if literal(default) else syntax.at(syntax.constant(None), default)


def undocumented(body: list[Any]) -> list[Any]:
    """The statements of a function without its docstring."""
    match body:
        case [gast.Expr(value=gast.Constant(value=str())), *rest]:
            return rest or [syntax.at(gast.Pass(), body[0])]
    return body


def undefaulted(args: gast.arguments) -> gast.arguments:
    """Parameters with other texts for their defaults: the objects are set on the function."""
    new = args.__class__.__new__(args.__class__)
    new.__dict__.update(args.__dict__)
    new.defaults = [constant(d) for d in args.defaults]
    new.kw_defaults = [d and constant(d) for d in args.kw_defaults]
    for name in ("posonlyargs", "args", "kwonlyargs"):
        setattr(new, name, [_bare(a) for a in getattr(args, name)])
    for name in ("vararg", "kwarg"):
        setattr(new, name, getattr(args, name) and _bare(getattr(args, name)))
    return new


def _bare(arg: gast.Name) -> gast.Name:
    """A parameter without annotation."""
    new: gast.Name = gast.Name(arg.id, arg.ctx, None, None)
    return syntax.at(new, arg)
