"""States: tuples that are made and taken apart in one function, and nothing else, are the names of their parts.

In: a function as it was read.
Out: the function, in which such tuples are gone.
Next: inlined.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import gast

from tangentlite import syntax
from tangentlite.ir import Function
from tangentlite.optimize.replace import exchanged, inside

Body = list[gast.stmt]
OTHERS = frozenset(  # what has heads of its own, or looks at names later
    (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef, gast.Lambda, gast.With, gast.AsyncWith)
    + (gast.AsyncFor, gast.Try, gast.Match)
)


def parted(function: Function) -> Function:
    """A function without tuples that nobody sees as a whole; it is as it was where there is none.

    >>> from tangentlite.optimize.samples import function, text_of
    >>> text = '''
    ... s = (x, 0.0)
    ... for k in range(n):
    ...     p, q = s
    ...     s = (p + q, s[0] * k)
    ... return s[0]
    ... '''
    >>> print(text_of(parted(function(text)).body))
    s_0, s_1 = (x, 0.0)
    for k in range(n):
        p, q = (s_0, s_1)
        s_0, s_1 = (p + q, s_0 * k)
    return s_0
    """
    kinds = function.contents.kinds
    if gast.Tuple not in kinds or not OTHERS.isdisjoint(kinds):
        return function
    sizes = _sizes(function)
    if not sizes:
        return function
    taken = set(function.local | function.read)
    parts = {name: _names(name, count, taken) for name, count in sizes.items()}
    return function.with_body(_block(function.body, parts))


def _sizes(function: Function) -> dict[str, int]:
    """The names of tuples that are only taken apart, and how many parts they have."""
    sizes = dict[str, int]()
    for statement in function.body:  # what is bound first, before anything asks for it
        for name, count in _made(statement):
            if name not in syntax.loads(statement):
                sizes.setdefault(name, count)
    if not sizes:
        return {}
    fit = Counter[str]()
    for node in syntax.nodes(function.body):
        for name, count in (*_made(node), *_apart(node)):
            fit[name] += count == sizes.get(name) or (count < 0 and -count <= sizes.get(name, 0))
    uses = Counter(n.id for n in syntax.nodes(function.body) if isinstance(n, gast.Name))
    params = {p.name for p in function.params}
    found = {n: c for n, c in sizes.items() if fit[n] == uses[n] and n not in params}
    return {n: c for n, c in found.items() if _is_bound_first(function.body, n)}


def _made(node: Any) -> Iterator[tuple[str, int]]:
    """A name that is bound to a tuple that is written out."""
    match node:
        case gast.Assign(targets=[gast.Name(id=name)], value=gast.Tuple(elts=[_, *_] as elts)):
            if not any(isinstance(e, gast.Starred) for e in elts):
                yield name, len(elts)


def _apart(node: Any) -> Iterator[tuple[str, int]]:
    """A name that is taken apart, into all its parts, or (below zero) with a part that there must be."""
    match node:
        case gast.Assign(targets=[gast.Tuple(elts=elts)], value=gast.Name(id=name)):
            if all(isinstance(e, gast.Name) for e in elts):
                yield name, len(elts)
        case gast.Subscript(value=gast.Name(id=name), slice=gast.Constant(value=place)):
            if type(place) is int and place >= 0 and isinstance(node.ctx, gast.Load):
                yield name, -1 - place


def _is_bound_first(body: Body, name: str) -> bool:
    first = next(s for s in body if any(n.id == name for n in syntax.names([s])))
    return any(made == name for made, _ in _made(first)) and name not in syntax.loads(first)


def _names(name: str, count: int, taken: set[str]) -> list[str]:
    made = list[str]()
    for k in range(count):
        wish = f"{name}_{k}"
        while wish in taken:
            wish += "_"
        taken.add(wish)
        made.append(wish)
    return made


def _block(body: Body, parts: dict[str, list[str]]) -> Body:
    return [_statement(s, parts) for s in body]


def _statement(statement: Any, parts: dict[str, list[str]]) -> gast.stmt:
    """A statement in which the parts have names."""
    holes: dict[int, gast.expr] = {}
    if isinstance(statement, gast.Assign):
        (target, *_), value = statement.targets, statement.value
        if isinstance(target, gast.Name) and target.id in parts:
            stores = [syntax.store(syntax.name(n)) for n in parts[target.id]]
            holes[id(target)] = syntax.at(gast.Tuple(stores, gast.Store()), target)
        if isinstance(value, gast.Name) and value.id in parts:
            loads = [syntax.name(n) for n in parts[value.id]]
            holes[id(value)] = syntax.at(gast.Tuple(loads, gast.Load()), value)
    for node in syntax.nodes(_heads(statement)):
        match node:
            case gast.Subscript(value=gast.Name(id=name), slice=gast.Constant(value=place)):
                if name in parts:
                    holes[id(node)] = syntax.at(syntax.name(parts[name][place]), node)
    said: Any = exchanged(statement, holes) if holes else statement
    return inside(said, lambda block: _block(block, parts)) if syntax.blocks(said) else said


def _heads(statement: Any) -> list[Any]:
    """What a statement computes itself."""
    if not syntax.blocks(statement):
        return [statement]
    return [getattr(statement, f) for f in ("test", "iter") if hasattr(statement, f)]
