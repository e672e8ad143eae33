"""Attributes that hold a `defaultdict` in all objects of the classes that a module defines.

In: a function.
Out: the names of the attributes, and the text of what is put where nothing is.
Next: counters.
"""

from __future__ import annotations

import collections
import dis
import inspect
import textwrap
from collections import Counter
from collections.abc import Iterator
from types import FunctionType
from typing import Any

import gast

from tangentlite import syntax
from tangentlite.ir import Function, Namespace

DEFAULTS: dict[Any, str] = {
    float: "0.0",
    int: "0",
    list: "[]",
    dict: "{}",
    str: "''",
    bool: "False",
}


def default(call: gast.Call, namespace: Namespace) -> str | None:
    """The text of what ``defaultdict(factory)`` puts where nothing is; None where that is not known."""
    if len(call.args) != 1 or call.keywords:
        return None
    match call.args[0]:
        case gast.Lambda(args=gast.arguments(args=[], kwonlyargs=[]), body=body):
            return syntax.unparse(body)
        case factory:
            return DEFAULTS.get(meaning(factory, namespace))


def meaning(node: gast.expr, namespace: Namespace) -> Any:
    """The class that a dotted name is; None if it is none."""
    path = syntax.dotted(node)
    try:
        found = namespace.resolve(path) if path is not None else None
    except (KeyError, AttributeError):
        return None
    return found if isinstance(found, type) else None


def attributes(function: Function) -> dict[str, str | None]:
    """The attributes that `__init__` binds to a `defaultdict`: ``self.handlers``; None where something else.

    Those of ``self`` are asked of its class and of those derived from it, those of other names of all classes.
    """
    space = function.namespace.globals
    if not function.contents.attributes or not _may_make(space):
        return {}
    nodes = [n for s in function.body for n in syntax.walk(s) if isinstance(n, gast.Attribute)]
    paths = {path: n.attr for n in nodes if (path := syntax.dotted(n)) and path.count(".") == 1}
    owners, own = _owners(space), owner(function)
    first = function.params[0].name if function.params and own is not None else ""
    known = dict(_instances(function)) | ({first: own} if own is not None else {})
    found: dict[str, str | None] = {}
    for path, attr in sorted(paths.items()):
        of = known.get(path.partition(".")[0])
        near = [c for c in owners if of and (issubclass(c, of) or issubclass(of, c))]
        texts = _defaults_of(attr, near or owners)
        if texts - {None}:
            found[path] = texts.pop() if len(texts) == 1 else None
    return found


def _instances(function: Function) -> Iterator[tuple[str, type]]:
    """The names that hold new objects of a class and nothing else: ``bus = Bus()``."""
    stored = Counter(
        n.id
        for s in function.body
        for n in syntax.walk(s)
        if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Store | gast.Del)
    )
    for statement in syntax.statements(function.body):
        if not isinstance(statement, gast.Assign):
            continue
        target, value = statement.targets[0], statement.value
        several = isinstance(target, gast.Tuple) and isinstance(value, gast.Tuple)
        for one, other in zip(target.elts, value.elts) if several else [(target, value)]:
            made = meaning(other.func, function.namespace) if isinstance(other, gast.Call) else None
            if made is not None and isinstance(one, gast.Name) and stored[one.id] == 1:
                yield one.id, made


def _defaults_of(attr: str, owners: list[type]) -> set[str | None]:
    """What an attribute of objects of some classes puts where nothing is; None of those that hold something else."""
    methods = [m for c in owners for m in vars(c).values() if isinstance(m, FunctionType)]
    makers = [m for m in methods if _sets(m, attr)]
    return {dict(_made(m)).get(attr) if m.__name__ == "__init__" else None for m in makers}


def _owners(space: dict[str, Any]) -> list[type]:
    """The classes that a module defines."""
    values = list(space.values())
    return [v for v in values if isinstance(v, type) and v.__module__ == space.get("__name__")]


def owner(function: Function) -> type | None:
    """The class of which a function is a method; None if the module has none."""
    owners = _owners(function.namespace.globals) if function.params else []
    return next((c for c in owners if _defines(c, function)), None)


def surely(owner: type, name: str) -> FunctionType | None:
    """The method that a name means in all objects of a class, and of those derived from it."""
    owners: set[type] = set()
    waiting = [owner]
    while waiting:
        one = waiting.pop()
        owners.add(one)
        derived: list[type] = type.__subclasses__(one)
        waiting += [c for c in derived if c not in owners]
    found = {id(m): m for c in owners if (m := inspect.getattr_static(c, name, None)) is not None}
    bases = {base for one in owners for base in one.__mro__}
    known = (m for base in bases for m in vars(base).values() if isinstance(m, FunctionType))
    if len(found) != 1 or any(_sets(m, name) for m in known):
        return None
    (method,) = found.values()
    return method if isinstance(method, FunctionType) else None


def _defines(owner: type, function: Function) -> bool:
    """Whether a function is a method of a class."""
    method = vars(owner).get(function.name)
    return (
        isinstance(method, FunctionType) and method.__code__.co_firstlineno == function.origin.line
    )


def _may_make(space: dict[str, Any]) -> bool:
    """Whether a module can say ``defaultdict``."""
    made = collections.defaultdict
    return any(value is made or value is collections for value in space.values())


def _sets(method: FunctionType, attr: str) -> bool:
    """Whether a method sets an attribute."""
    code = method.__code__
    return attr in code.co_names and any(
        step.opname == "STORE_ATTR" and step.argval == attr for step in dis.get_instructions(code)
    )


def _made(method: FunctionType) -> Iterator[tuple[str, str]]:
    """The attributes of its object that a method binds to new ones."""
    if "defaultdict" not in method.__code__.co_names:
        return
    try:
        tree = syntax.parse(textwrap.dedent(inspect.getsource(method)))[0]
    except (OSError, SyntaxError, TypeError):
        return
    space = Namespace(method.__globals__, {})
    for statement in syntax.statements(tree.body):
        match statement:
            case gast.Assign(targets=[gast.Attribute(attr=attr)], value=gast.Call() as call):
                text = default(call, space) if _is_default(call, space) else None
                if text is not None:
                    yield attr, text


def _is_default(call: gast.Call, space: Namespace) -> bool:
    return meaning(call.func, space) is collections.defaultdict
