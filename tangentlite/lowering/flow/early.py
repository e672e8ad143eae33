"""Loops that write into what Python has yet to read, where the text would have read it before the first trip.

In: a ``for`` of the user.
Out: an error, if that could be seen.
Next: loops.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import gast
import numpy as np

from tangentlite import scopes, syntax
from tangentlite.errors import UnsupportedSyntaxError
from tangentlite.frontend.consumers import LAZY, VIEWS, is_one
from tangentlite.frontend.writing import METHODS
from tangentlite.lowering.arrays.outputs import of_numpy
from tangentlite.lowering.context import Context
from tangentlite.lowering.iteration import lazy

SIDE_BY_SIDE: tuple[Any, ...] = (zip, enumerate)
AT_ONCE: tuple[Any, ...] = (itertools.product, itertools.permutations, itertools.combinations)
AT_ONCE += (itertools.combinations_with_replacement, itertools.repeat)
AS_LISTS: tuple[Any, ...] = (itertools.chain, itertools.islice, itertools.pairwise, reversed)
MAKERS = frozenset(
    """zeros ones empty full zeros_like ones_like empty_like full_like copy arange linspace eye array
    sum mean min max dot sqrt exp log sin cos abs len range float int sorted""".split()
)
KEEPING = frozenset(
    "append appendleft extend insert add update setdefault get pop index count".split()
)
KEYED = ("get", "setdefault", "pop")
GROWING = frozenset("append appendleft extend insert".split())
LOOKING = frozenset(dir(np.ndarray)) - METHODS
LOOKING |= {*VIEWS, "get", "index", "count", "copy"}
READ = "a loop that writes into `{}`, of which `{}` has yet to read"
LIST = "Walk over `list(…)` of it, which is read before the first trip; or over indices."


def checked(statement: gast.For, context: Context) -> gast.expr:
    """What a loop walks over; an error if the body may write into what it reads as it goes."""
    data = statement.iter
    if not isinstance(data, gast.Call | gast.GeneratorExp):
        return data
    turned = set[str]()
    read = set(_taken(data, context, turned, reversed_=True)) & context.locals
    parts = _parts(statement)
    for name, others in (written(statement.body, context) if read | turned else {}).items():
        if (read | (set() if name in parts else turned)) & others:
            place = context.function.origin.place(data)
            raise UnsupportedSyntaxError(READ.format(name, syntax.unparse(data)), place, LIST)
    return data


def changes(data: gast.expr, context: Context) -> bool:
    """Whether the function may write into what an iterable reads as it goes."""
    if not isinstance(data, gast.Call | gast.GeneratorExp):
        return False
    read = syntax.loads(data) & context.locals
    return any(read & near for near in written(context.function.body, context, data).values())


def written(body: list[Any], context: Context, but: Any = None) -> dict[str, set[str]]:
    """The names of what a block may write into, each with those that may hold the same; ``but`` one call."""
    near = _neighbors(context.function.body, context.locals)
    slots = _slots(body, context)
    touched = _touched([n for n in scopes.inside(body) if n not in slots], context, but)
    found = {name: _all_near(name, near) for name in sorted(touched)}
    same = _neighbors(context.function.body, context.locals, plain=True)
    grown = {n for n in map(_grown, scopes.inside(body)) if n is not None} - found.keys()
    grown |= {slot.value.id for slot in slots} - found.keys()
    return found | {name: _all_near(name, same) for name in sorted(grown)}


def near(name: str, context: Context) -> set[str]:
    """The names that may hold the same as one."""
    return _all_near(name, _neighbors(context.function.body, context.locals))


def _parts(statement: gast.For) -> set[str]:
    """The names that hold elements all through the body: what is written into one stays out of the places of others."""
    nodes = list(syntax.nodes(statement.body))
    grown = {id(n.target) for n in nodes if isinstance(n, gast.AugAssign)}
    names = (n for n in nodes if isinstance(n, gast.Name) and id(n) not in grown)
    return syntax.stores(statement.target) - {n.id for n in names if _is_bound(n)}


def _is_bound(name: gast.Name) -> bool:
    return not isinstance(name.ctx, gast.Load)


def _taken(node: Any, context: Context, turned: set[str], reversed_: bool = False) -> Iterator[str]:
    """The names whose elements are read before the first trip, where Python reads them one by one.

    ``turned``: gets those of which a list reads what each place holds, and an array nothing: they are ``x[::-1]``.
    """
    if isinstance(node, gast.Starred):
        yield from _taken(node.value, context, turned)
        return
    meaning = context.meaning(node.func) if isinstance(node, gast.Call) else None
    if is_one(meaning, AT_ONCE) or (reversed_ and meaning is reversed):
        return
    if is_one(meaning, SIDE_BY_SIDE):
        for arg in node.args:
            yield from _taken(arg, context, turned)
        return
    if meaning is reversed and isinstance(node.args[0], gast.Name):
        turned.add(node.args[0].id)
        return
    found = None if is_one(meaning, AS_LISTS) else lazy.generator(node, context)
    if found is not None and len(found.generators) == 1:
        (inner,) = found.generators
        if inner.iter is node:  # loops know how to walk over it
            return
        if reversed_ or not inner.ifs:
            yield from _taken(inner.iter, context, turned)
            return
    if found is not None or is_one(meaning, LAZY):
        yield from syntax.loads(node)


def _grown(node: Any) -> str | None:
    """The list that gets another element; those that it has are left alone."""
    match node:
        case gast.Call(func=gast.Attribute(value=gast.Name(id=name), attr=attr)) if attr in GROWING:
            return str(name)
    return None


def _slots(body: list[Any], context: Context) -> set[Any]:
    """The stores ``d[k] = v`` into dicts: what lies in their other slots is left alone."""
    kinds: dict[str, set[bool]] = {}
    for target, value in (p for s in syntax.statements(context.function.body) for p in _bound(s)):
        for name in syntax.stores(target):
            shown = isinstance(target, gast.Name) and isinstance(value, gast.Dict | gast.DictComp)
            kinds.setdefault(name, set()).add(shown)
    given = {p.name for p in context.function.params}
    dicts = {name for name, shown in kinds.items() if shown == {True}} - given
    targets = [t for n in scopes.inside(body) if isinstance(n, gast.Assign) for t in n.targets]
    return {
        t
        for t in targets
        if isinstance(t, gast.Subscript) and isinstance(t.value, gast.Name) and t.value.id in dicts
    }


def _touched(nodes: list[Any], context: Context, but: Any) -> set[str]:
    """The names of what some nodes may write into."""
    found: set[str] = set()
    for node in nodes:
        match node:
            case gast.Subscript(ctx=gast.Store()) | gast.Attribute(ctx=gast.Store()):
                found |= _owners(node.value)
            case gast.AugAssign(target=gast.Name(id=name)):
                found.add(name)
            case gast.Call(func=func, args=args, keywords=keywords) if (
                but is None or not syntax.same(node, but)
            ):
                if isinstance(func, gast.Attribute) and context.meaning(func) is None:
                    still = func.attr in LOOKING or _grown(node) is not None
                    found |= set() if still else _owners(func.value)
                given = [k.value for k in keywords if k.arg == "out"]
                method = func.attr if isinstance(func, gast.Attribute) else ""
                keeps = method in KEEPING or method in LOOKING
                if not keeps and not _looks_on(context.meaning(func)):
                    given = [*args, *(k.value for k in keywords)]
                found |= syntax.loads(given)
    return found


def _owners(node: Any) -> set[str]:
    """The names of what a part belongs to: ``d`` for ``d[k]`` and ``d.setdefault(k, [])``; keys have no parts."""
    match node:
        case gast.Subscript(value=value):
            return _owners(value)
        case gast.Call(func=gast.Attribute(value=value, attr=attr), args=[_, *rest]) if (
            attr in KEYED
        ):
            return _owners(value) | syntax.loads([*rest, *node.keywords])
    return syntax.loads(node)


def _looks_on(meaning: Any) -> bool:
    """Whether a function is known to write into nothing but ``out=``."""
    module = getattr(meaning, "__module__", None)
    return of_numpy(meaning) or module in ("builtins", "math", "itertools", "operator")


def _neighbors(body: list[gast.stmt], local: set[str], plain: bool = False) -> dict[str, set[str]]:
    """Names that may hold the same array, by what is plain to see: ``b = a``, ``b = a[1:]``, ``for row in a``.

    ``plain``: those that are one object, by ``b = a``.
    """
    near: dict[str, set[str]] = {}
    for target, value in (pair for s in syntax.statements(body) for pair in _bound(s)):
        if isinstance(value, gast.Name) if plain else not _is_made(value):
            names = (syntax.stores(target) | syntax.loads(value)) & local
            for name in names:
                near.setdefault(name, set()).update(names)
    return near


def _bound(statement: gast.stmt) -> Iterator[tuple[Any, Any]]:
    """What a statement binds, with the values."""
    match statement:
        case gast.Assign(targets=[gast.Tuple(elts=left)], value=gast.Tuple(elts=right)) if len(
            left
        ) == len(right):
            yield from zip(left, right)
        case gast.Assign(targets=targets, value=value):
            yield from ((target, value) for target in targets)
        case gast.For(target=target, iter=value):
            yield target, value


def _is_made(value: Any) -> bool:
    """Whether a value is surely no part of what it is made of."""
    match value:
        case gast.Call(func=gast.Attribute(attr=name) | gast.Name(id=name)):
            return name in MAKERS
    return isinstance(value, gast.BinOp | gast.UnaryOp | gast.Constant | gast.Compare)


def _all_near(name: str, near: dict[str, set[str]]) -> set[str]:
    found, waiting = {name}, [name]
    while waiting:
        more = near.get(waiting.pop(), set()) - found
        found |= more
        waiting += more
    return found
