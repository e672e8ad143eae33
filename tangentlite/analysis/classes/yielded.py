"""Methods that are generators: where they are consumed at once, they give the list of what they yield.

In: a method, and the user's statement that calls it.
Out: a function that collects what the method yields; None where the difference might be seen.
Next: making.
"""

from __future__ import annotations

from collections.abc import Iterator
from inspect import CO_GENERATOR
from types import FunctionType
from typing import Any

import gast

from tangentlite import frontend, scopes, syntax
from tangentlite.errors import DerivativeError, UnsupportedSyntaxError
from tangentlite.ir import Function
from tangentlite.lowering.iteration import listing

CONSUMING = frozenset(("sum", "list", "tuple", "sorted", "max", "min", "enumerate", "zip", "dict"))
LOOKING = CONSUMING | frozenset(("range", "len", "getattr", "hasattr", "isinstance", "vars"))
LOOKING |= frozenset(("abs", "float", "int", "str", "type", "reversed"))
COMPREHENSIONS = (gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)
LISTED = (
    "Let it collect the values in a list and return that; what a function yields that is no method may also be taken "
    "in a loop of its own: `for v in g(x): …`."
)
LOOPS = (gast.For, gast.comprehension)
CHANGING = (gast.Delete, gast.With, gast.Try, gast.While, gast.Global, gast.Nonlocal)


def is_generator(function: Any) -> bool:
    """Whether a function is a generator."""
    return isinstance(function, FunctionType) and bool(function.__code__.co_flags & CO_GENERATOR)


def taken(fault: DerivativeError, callee: Any, function: Function, node: Any) -> DerivativeError:
    """What to raise where what a generator yields is taken and it cannot be read: the place is where that is done."""
    if not is_generator(callee) or "`yield" not in str(fault):
        return fault
    reason = f"taking what the generator `{callee.__name__}` yields here is not supported yet"
    return UnsupportedSyntaxError(reason, function.origin.place(node), LISTED)


def collected(function: FunctionType, name: str, source: Any) -> FunctionType | None:
    """The function that collects what a method yields, for a statement that only looks at it."""
    try:
        body = frontend.read(function, fenced=False).body
    except DerivativeError:
        return None
    if source is None or not _is_quiet(body) or not _consumes(source, name):
        return None
    if isinstance(source, gast.For) and not _is_quiet_loop(source):
        return None
    way = listing.Way(kept="copy" if _computes(body) else "itself", once=True)
    return listing.listing(function, way)


def _is_quiet(body: list[Any]) -> bool:
    """Whether statements change nothing but local names, and lists that they append to."""
    walked = {id(n.iter) for n in scopes.inside(body) if isinstance(n, LOOPS)}
    walked |= {id(n.value) for n in scopes.inside(body) if isinstance(n, gast.YieldFrom)}
    for node in scopes.inside(body):
        match node:
            case gast.Attribute(ctx=gast.Store()) | gast.Subscript(ctx=gast.Store()):
                return False
            case gast.Call(func=gast.Name(id=name)) if name not in LOOKING:
                return False
            case gast.Call(func=gast.Attribute() as func) if id(node) not in walked:
                if not _looks(func):
                    return False
            case _ if isinstance(node, (*CHANGING, *scopes.FUNCTIONS)):
                return False
    return True


def _is_quiet_loop(loop: Any) -> bool:
    """The same of the body of a loop, which does not write into what it is given either."""
    body = [*loop.body, *loop.orelse]
    added = {
        getattr(n.target, "id", "") for n in scopes.inside(body) if isinstance(n, gast.AugAssign)
    }
    return _is_quiet(body) and not added & syntax.stores(loop.target)


def _looks(func: gast.Attribute) -> bool:
    module = syntax.dotted(func) or ""
    if func.attr == "append":
        return isinstance(func.value, gast.Name)
    return module.startswith(("np.", "numpy.", "math.")) or func.attr in listing.LOOKING


def _computes(body: list[Any]) -> bool:
    """Whether what is yielded may be written into later: by the generator itself."""
    values = [n.value for n in scopes.inside(body) if isinstance(n, gast.Yield)]
    return bool(listing.stored(body) & syntax.loads([v for v in values if v is not None]))


def _consumes(source: Any, name: str) -> bool:
    """Whether all calls of a method in a statement are walked over at once, and nothing else is done meanwhile."""
    head = source.iter if isinstance(source, gast.For) else source
    nodes = [head, *syntax.walk(head)]
    used = {id(node) for node in _walked(head)} | {id(head)}
    if not all(id(node) in used for node in nodes if _calls(node, name)):
        return False
    for node in nodes:
        if isinstance(node, COMPREHENSIONS):
            loops = [g for g in node.generators if _within(g.iter, name)]
            parts = [p for p in syntax.children(node) if p not in node.generators]
            if loops and not _is_quiet([*parts, *(i for g in node.generators for i in g.ifs)]):
                return False
    return any(_calls(node, name) for node in nodes)


def _within(node: Any, name: str) -> bool:
    return any(_calls(inner, name) for inner in [node, *syntax.walk(node)])


def _walked(head: Any) -> Iterator[Any]:
    """The expressions that are walked over at once."""
    for node in [head, *syntax.walk(head)]:
        match node:
            case gast.comprehension(iter=walked) | gast.YieldFrom(value=walked):
                yield walked
            case gast.Call(func=gast.Name(id=name), args=args) if name in CONSUMING:
                yield from args
            case gast.Starred(value=walked):
                yield walked


def _calls(node: Any, name: str) -> bool:
    match node:
        case gast.Call(func=gast.Attribute(attr=attr)):
            return bool(attr == name)
    return False
