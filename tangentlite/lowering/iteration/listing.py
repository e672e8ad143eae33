"""Functions that give the list of what a generator yields.

In: a generator function.
Out: a function that collects all, or the first, of what it yields.
Next: generators.
"""

from __future__ import annotations

import collections
import copy
import re
from contextlib import suppress
from inspect import CO_GENERATOR, Parameter
from types import CellType, FunctionType, ModuleType
from typing import Any

import gast

from tangentlite import frontend, runtime, scopes, syntax
from tangentlite.ir import Function, Param
from tangentlite.lowering.context import remade
from tangentlite.lowering.functions import captures
from tangentlite.lowering.functions.lifted import lifted
from tangentlite.naming import Names
from tangentlite.standins.bounded import Bounded
from tangentlite.values import immutable

LOOKING = frozenset(
    ("copy", "sum", "dot", "mean", "max", "min", "reshape", "items", "keys", "values")
)
LOOKING |= {name for name in dir(str) if not name.startswith("_")}
MAKERS = (list, dict, set, collections.deque, Bounded)
STEADY = (ModuleType, str, re.Pattern)  # their methods, and functions, only look


@immutable
class Way:
    """How a list is made: of all, of the first (``most``), of those before one that ``goes`` does not let pass.

    ``kept``: how a value is kept that the generator may write into later: itself, a copy, or only if it is a number.
    ``once``: nothing else happens while the generator runs, so that its effects come when they came.
    ``valued``: what it returns is given beside the list.
    """

    param: str = ""
    kept: str = "itself"
    once: bool = False
    valued: bool = False

    @property
    def start(self) -> str:
        """What comes first."""
        return "items = []" + ("\nif most < 1:\n    return items" if self.param == "most" else "")

    @property
    def step(self) -> str:
        """What is done with a value ``e``."""
        value = "e" if self.param != "goes" and self.kept != "number" else "v"
        text = "v = e\n" if value == "v" else ""
        if self.param == "goes":
            text += "if not goes(v):\n    return items\n"
        if self.kept == "number":
            text += "rt.no_storage(v)\n"
        text += f"items.append({f'copy({value})' if self.kept == 'copy' else value})\n"
        if self.param == "most":
            text += "if len(items) == most:\n    return items"
        return text


def listing(function: FunctionType, way: Way) -> FunctionType | None:
    """A function that gives the list of what an iterator gives; None where the difference may be seen.

    The iterator is the generator that ``function`` makes, or the ``iter(xs)`` that it returns.
    """
    source = frontend.read(function, fenced=False)
    made = source.nested.get(way)
    if made is None:
        generates = function.__code__.co_flags & CO_GENERATOR
        made = source.nested[way] = _listing(source, way) if generates else _handing(source)
    return made if isinstance(made, FunctionType) else None


def apart(function: FunctionType) -> FunctionType | None:
    """The same, where nobody can tell who keeps what is yielded."""
    return listing(
        function, Way(kept="copy" if changes(frontend.read(function, fenced=False)) else "itself")
    )


def meanwhile(body: list[Any], node: Any) -> list[Any]:
    """What may happen in a function while the iterator lives that a statement of it binds."""
    for place, statement in enumerate(body):
        if statement is node:
            return body[place + 1 :]
        if any(inner is node for inner in syntax.statements([statement])):
            return body[place:]
    return body


def stored(body: list[Any], surely: bool = False) -> set[str]:
    """The names of what a block may write into, or hands on; ``surely``: also if it is a number."""
    found: set[str] = set()
    for node in scopes.inside(body):
        match node:
            case gast.Subscript(ctx=gast.Store()) | gast.Attribute(ctx=gast.Store()):
                found |= syntax.loads(node.value)
            case gast.Call(func=gast.Attribute(value=gast.Name(id=name))):
                found.add(name)
            case gast.AugAssign(target=gast.Name(id=name)) if not surely:
                found.add(name)
    return found


def _listing(function: Function, way: Way) -> FunctionType | bool:
    """The function that collects what a generator yields; False where the difference may be seen."""
    body, namespace, params = function.body, function.namespace, function.params
    args = captures.undefaulted(function.tree.args)
    cells = _itself(function)
    if way == Way(once=way.once) and all(map(_is_alone, body)):
        values = [s.value.value or syntax.at(syntax.constant(None), s) for s in body]
        shown = syntax.at(gast.Return(gast.List(values, gast.Load())), body[0])
        tree: Any = gast.FunctionDef(function.tree.name, args, [shown], [], None, None, [])
        return lifted(syntax.at(tree, function.tree), function, cells, params)
    own = _own(function)
    if any(_seen(node, namespace, way, own) for node in scopes.inside(body)):
        return False
    if any(p.kind is Parameter.POSITIONAL_ONLY for p in params) and way.param:
        return False
    taken = {n.id for s in body for n in syntax.walk(s) if isinstance(n, gast.Name)}
    names = Names(taken | {p.name for p in params})
    holes: dict[str, Any] = {
        w: names.fresh(w) for w in ("items", "copy", "len", "most", "goes", "v", "rt")
    }
    cells |= {holes["copy"]: CellType(copy.copy), holes["len"]: CellType(len)}
    cells[holes["rt"]] = CellType(runtime)
    if way.param:
        first = syntax.at(gast.Name(holes[way.param], gast.Param(), None, None), function.tree)
        args = remade(args, args=[first, *args.args])
        params = (Param(first.id), *params)
    try:
        lines = [new for s in body for new in _Collecting(function, way, holes, cells).lines(s)]
    except _UnlistedError:
        return False
    if any(_is_yield(n) for s in lines for n in scopes.inside([s])):
        return False
    start = [_placed(s, body[0]) for s in syntax.quote(way.start, **holes)]
    last = "return (items, None)" if way.valued else "return items"
    end = [_placed(s, body[-1]) for s in syntax.quote(last, **holes)]
    tree = gast.FunctionDef(function.tree.name, args, [*start, *lines, *end], [], None, None, [])
    return lifted(syntax.at(tree, function.tree), function, cells, params)


def changes(function: Function, surely: bool = False) -> bool:
    """Whether a generator may write into what it has yielded; ``surely``: unless that is a number."""
    values = [n.value for n in scopes.inside(function.body) if isinstance(n, gast.Yield)]
    return bool(stored(function.body, surely) & syntax.loads([v for v in values if v is not None]))


def _is_alone(statement: Any) -> bool:
    """Whether a statement does nothing but to yield."""
    return isinstance(statement, gast.Expr) and isinstance(statement.value, gast.Yield)


def _is_yield(node: Any) -> bool:
    return isinstance(node, gast.Yield | gast.YieldFrom)


def _itself(function: Function) -> dict[str, CellType]:
    """A cell for the name of a function that calls itself: it still means the generator."""
    name, namespace = function.tree.name, function.namespace
    if name in namespace.cells or not namespace.binds(name):
        return {}
    return {name: CellType(namespace.lookup(name))}


def _handing(function: Function) -> FunctionType | bool:
    """``return iter(xs)`` as ``return list(xs)``."""
    match function.body:
        case [gast.Return(value=gast.Call(func=gast.Name(id="iter") as called, args=[_]) as call)]:
            known = function.namespace.lookup("iter"), function.namespace.lookup("list")
            if known != (iter, list):
                return False
            value = remade(call, func=remade(called, id="list"))
            body = [remade(function.body[0], value=value)]
            args = captures.undefaulted(function.tree.args)
            tree: Any = gast.FunctionDef(function.tree.name, args, body, [], None, None, [])
            return lifted(syntax.at(tree, function.tree), function, {}, function.params)
    return False


def _own(function: Function) -> set[str]:
    """The variables of a generator that only ever hold new lists and dicts."""
    new, others = set[str](), {p.name for p in function.params}
    for node in scopes.inside(function.body):
        match node:
            case gast.Assign(targets=[gast.Name(id=name)], value=value):
                (new if _makes(value, function.namespace) else others).add(name)
            case gast.Assign(targets=targets) | gast.For(target=gast.expr() as targets):
                others |= syntax.stores(targets)
            case gast.NamedExpr() | gast.With() | gast.comprehension():
                others |= syntax.stores(node)
    return new - others


def _makes(value: Any, namespace: Any) -> bool:
    """Whether an expression makes a new list, dict or set."""
    match value:
        case gast.List() | gast.Dict() | gast.Set() | gast.ListComp() | gast.DictComp():
            return True
        case gast.IfExp(body=body, orelse=other):
            return _makes(body, namespace) and _makes(other, namespace)
        case gast.Subscript(value=whole, slice=gast.Slice()):
            return _makes(whole, namespace)
        case gast.Call(func=func):
            with suppress(KeyError, AttributeError, TypeError):
                return namespace.resolve(syntax.dotted(func) or "") in MAKERS
    return False


def _seen(node: Any, namespace: Any, way: Way, own: set[str]) -> bool:
    """Whether it matters when a statement runs: it has effects, or runs for ever."""
    if way.once:
        return _ends_otherwise(node)
    match node:
        case gast.While(test=gast.Constant()):
            return not way.param
        case gast.Expr(value=gast.Call(func=gast.Attribute(value=gast.Name(id=name)))):
            return name not in own
        case gast.Expr(value=gast.Call()):
            return True
        case gast.Call(func=func):
            path = syntax.dotted(func)
            if isinstance(func, gast.Attribute) and func.attr in LOOKING:
                return False
            if isinstance(func, gast.Attribute) and syntax.dotted(func.value) in own:
                return False
            if isinstance(func, gast.Name):
                return func.id in ("next", "input", "print", "open")
            try:
                owner = namespace.resolve(path.rpartition(".")[0]) if path else None
            except (KeyError, AttributeError):
                owner = None
            chance = isinstance(owner, ModuleType) and "random" in owner.__name__
            return not isinstance(owner, STEADY) or chance
    return False


def _ends_otherwise(node: Any) -> bool:
    """Whether a generator ends here, perhaps, with an exception that a function lets pass."""
    match node:
        case gast.Call(func=gast.Name(id=name)):
            return bool(name == "next")
    return False


class _UnlistedError(Exception):
    """A generator inside another whose values cannot be collected."""


@immutable(eq=False)
class _Collecting:
    """Writes the statements that collect what one generator yields."""

    function: Function
    way: Way
    holes: dict[str, Any]
    cells: dict[str, CellType]

    def lines(self, statement: Any) -> list[Any]:
        """``yield v`` becomes ``items.append(v)``."""
        match statement:
            case gast.Expr(value=gast.Yield(value=value)):
                return self.kept(value, statement)
            case gast.Assign(value=gast.Yield(value=value)):
                none = syntax.at(syntax.constant(None), statement)
                return [*self.kept(value, statement), remade(statement, value=none)]
            case gast.Expr(value=gast.YieldFrom(value=value)):
                return [self.walked(value, statement)]
            case gast.Assign(targets=[target], value=gast.YieldFrom(value=value)):
                return self.handing(target, value, statement)
            case gast.Return(value=value):
                return self.ended(value, statement)
        fields = {}
        for name in syntax.BLOCKS:
            block = getattr(statement, name, None)
            if isinstance(block, list) and block and not isinstance(statement, scopes.FUNCTIONS):
                fields[name] = [new for s in block for new in self.lines(s)]
        if getattr(statement, "handlers", None):
            fields["handlers"] = [
                remade(h, body=[new for s in h.body for new in self.lines(s)])
                for h in statement.handlers
            ]
        return [remade(statement, **fields) if fields else statement]

    def kept(self, value: Any, place: Any) -> list[Any]:
        value = value or syntax.at(syntax.constant(None), place)
        made = syntax.quote(self.way.step, **self.holes, e=value)
        return [_placed(s, place) for s in made]

    def walked(self, values: Any, place: Any) -> Any:
        item = f"{self.holes['items']}_item"
        (loop,) = syntax.quote("for item in values:\n    step", values=values, item=item)
        loop.body = syntax.quote(self.way.step, **self.holes, e=item)
        return _placed(loop, place)

    def handing(self, target: Any, value: Any, place: Any) -> list[Any]:
        """``target = yield from g()``: what g returns."""
        path = syntax.dotted(value.func) if isinstance(value, gast.Call) else None
        found: Any = None
        if path and path.partition(".")[0] not in self.function.local:
            with suppress(KeyError, AttributeError):
                found = self.function.namespace.resolve(path)
        if not (isinstance(found, FunctionType) and found.__code__.co_flags & CO_GENERATOR):
            raise _UnlistedError
        made = listing(found, Way(self.way.param and "", self.way.kept, self.way.once, True))
        if made is None or self.way.param:
            raise _UnlistedError
        name, pair = f"{self.holes['items']}_{found.__name__}", f"{self.holes['items']}_pair"
        self.cells[name] = CellType(made)
        call = remade(value, func=syntax.at(syntax.name(name), value))
        parts = syntax.quote(
            "pair = e\nvalues = pair[0]\nr = pair[1]",
            pair=pair,
            e=call,
            values=f"{pair}_0",
            r=target,
        )
        held, values, last = (_placed(s, place) for s in parts)
        return [held, values, self.walked(syntax.at(syntax.name(f"{pair}_0"), place), place), last]

    def ended(self, value: Any, place: Any) -> list[Any]:
        """``return``, perhaps with a value."""
        value = value or syntax.at(syntax.constant(None), place)
        text = "return (items, v)" if self.way.valued else "return items"
        made = syntax.quote(text, **{**self.holes, "v": value})
        if not self.way.valued and not syntax.is_atom(value):
            made = [*syntax.quote("v = e", v=self.holes["v"], e=value), *made]
        return [_placed(s, place) for s in made]


def _placed(statement: Any, place: Any) -> Any:
    for node in syntax.walk(statement):
        if not hasattr(node, "lineno"):
            syntax.at(node, place)
    return statement
