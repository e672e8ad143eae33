"""What a function reads from outside, and what of it has to stay of its kind.

In: the function of the user, and the helpers that were compiled with it.
Out: a ``Guard`` for each name, attribute, code and default.
Next: derivative.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import FunctionType, MethodType, ModuleType
from typing import Any

import gast

from tangentlite import frontend, ir, syntax
from tangentlite.analysis.atoms import constant
from tangentlite.analysis.calling.callees import of_library
from tangentlite.analysis.classes import members
from tangentlite.analysis.classes.records import makes_objects
from tangentlite.analysis.kinds import Num
from tangentlite.guards import ABSENT, MISSING, PARTS, Guard, changes


def made(
    function: Any,
    helpers: Iterable[Any],
    sources: Mapping[Any, ir.Function],
    methods: members.Methods,
) -> Iterator[Guard]:
    """The code and defaults of the function and its helpers, the globals, captured variables and attributes they read.

    ``sources``: the trees of those that were read already. ``methods``: what was found in classes.
    """
    helpers = [h for h in dict.fromkeys(helpers) if isinstance(h, FunctionType)]
    for written in dict.fromkeys((function, *helpers)):
        for part in PARTS:
            seen = getattr(written, part, None)
            if seen is not None:
                yield Guard(written, part, seen)
    for (owner, name), found in methods.items():
        kind = constant(name, found) if type(found) in members.DATA else None
        yield Guard(vars(owner) if isinstance(found, classmethod) else owner, name, found, kind)
    for reader in (function, *helpers):
        if isinstance(reader, FunctionType):
            yield from _defaults(reader)
            yield from _read(sources.get(reader) or frontend.read(reader, fenced=False))


def _defaults(function: FunctionType) -> Iterator[Guard]:
    """Lists and dicts that are defaults: what they hold may change. So may those of parameters that are named."""
    given, named = function.__defaults__ or (), function.__kwdefaults__ or {}
    for owner, items in ((given, enumerate(given)), (named, named.items())):
        for name, seen in items:
            if changes(seen):
                yield Guard(owner, name, seen, constant(str(name), seen))
            elif owner is named:
                yield Guard(owner, name, seen)


def _read(source: ir.Function) -> Iterator[Guard]:
    """The names from outside that a function reads, and the attributes of what it finds so."""
    local = source.local
    nodes = syntax.nodes(source.body)
    meant: dict[str, list[str]] = {}  # a local name for a module or a class
    for node in nodes:
        match node:
            case gast.Assign(targets=[gast.Name(id=name)], value=value) if syntax.dotted(value):
                meant.setdefault(name, []).append(str(syntax.dotted(value)))
    stored = frozenset(_stored(nodes, source))
    seen = set(local)
    for node in nodes:
        match node:
            case gast.Name(id=name) if name not in seen:
                seen.add(name)
                yield from _named(source.namespace, name)
                yield from _class(source.namespace, name, stored)
            case gast.Attribute(attr=attr) if (whole := syntax.dotted(node)) and whole not in seen:
                seen.add(whole)
                first, dot, rest = whole.rpartition(".")[0].partition(".")
                for found in [first] if first not in local else meant.get(first, []):
                    if found.partition(".")[0] not in local:
                        yield from _attribute(source.namespace, found + dot + rest, attr)
    called = {id(n.func) for n in nodes if isinstance(n, gast.Call)}
    for node in nodes:
        match node:
            case gast.Attribute(value=owner, attr=attr) if id(node) not in called:
                path = syntax.dotted(owner)
                if path is not None and path.partition(".")[0] not in local:
                    yield from _owner(source.namespace, path, attr)


def _stored(nodes: Iterable[Any], source: ir.Function) -> Iterator[str]:
    """The attributes that a function sets of objects; those of a class stay its own."""
    for node in nodes:
        if isinstance(node, gast.Attribute) and isinstance(node.ctx, gast.Store):
            owner = syntax.dotted(node.value) or ""
            if owner.partition(".")[0] in source.local or not _is_class(source.namespace, owner):
                yield node.attr


def _is_class(namespace: ir.Namespace, path: str) -> bool:
    try:
        return isinstance(namespace.resolve(path), type)
    except ABSENT:
        return False


def _named(namespace: ir.Namespace, name: str) -> Iterator[Guard]:
    if name in namespace.cells:
        guard = Guard(namespace.cells[name], "cell_contents", None)
    else:
        guard = Guard(namespace.globals, name, None)
    seen = guard.now()
    if seen is not MISSING and not _rigid(seen):
        yield Guard(guard.owner, guard.name, seen, constant(guard.name, seen))
    elif name not in namespace.cells and seen is MISSING and namespace.binds(name):
        yield Guard(guard.owner, name, MISSING)  # a builtin that a global may hide later


def _class(namespace: ir.Namespace, name: str, stored: frozenset[str]) -> Iterator[Guard]:
    """What a class has, its new objects have."""
    owner: Any = namespace.lookup(name) if namespace.binds(name) else None
    if makes_objects(owner):
        for key, seen in members.defaults(owner, stored).items():
            yield Guard(owner, key, seen)


def _attribute(namespace: ir.Namespace, path: str, attr: str) -> Iterator[Guard]:
    try:
        owner = namespace.resolve(path)
    except ABSENT:
        return
    try:
        seen = ir.looked_up(owner, attr)
    except AttributeError:
        if isinstance(owner, ModuleType):
            yield Guard(vars(owner), attr, MISSING)
        return
    if isinstance(constant(path, owner), Num) or of_library(owner) or _rigid(seen):
        return
    guard = Guard(owner, attr, seen, constant(attr, seen))
    if guard.allows(guard.now()):  # unlike a bound method, which is another object each time
        yield guard


def _owner(namespace: ir.Namespace, path: str, attr: str) -> Iterator[Guard]:
    """A bound method that is a value is that of one object: `tl.grad(model.loss)`."""
    try:
        owner = namespace.resolve(path)
        seen = ir.looked_up(owner, attr)
    except ABSENT:
        return
    if isinstance(seen, MethodType) and seen.__self__ is owner:
        holder, _, name = path.rpartition(".")
        if holder:
            yield Guard(namespace.resolve(holder), name, owner)
        elif name in namespace.cells:
            yield Guard(namespace.cells[name], "cell_contents", owner)
        else:
            yield Guard(namespace.globals, name, owner)


def _rigid(value: Any) -> bool:
    """Modules of libraries and what was generated are not bound anew."""
    if isinstance(value, FunctionType):
        return value.__code__.co_filename.startswith("<generated: tangentlite")
    return isinstance(value, ModuleType) and of_library(value)
