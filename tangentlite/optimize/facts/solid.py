"""Solid: names that hold nothing but arrays and numbers, so that what is stored in them is copied.

In: the statements of a function, its parameters, ``Purity``.
Out: names.
Next: sharing.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

import gast
import numpy as np

from tangentlite import runtime, syntax
from tangentlite.optimize.facts.purity import Purity

ARRAYS = (
    *(np.zeros, np.ones, np.empty, np.full, np.eye, np.arange, np.linspace),
    *(np.zeros_like, np.ones_like, np.empty_like, np.full_like),
)


def solid(
    body: list[gast.stmt],
    params: frozenset[str],
    purity: Purity,
    owned: frozenset[str] = frozenset(),
) -> frozenset[str]:
    """The names all of whose bindings are arrays made here, parts of them, or copies of such names.

    ``owned``: parameters that are arrays or numbers, and copied before anything else is done.

    >>> from tangentlite.optimize.samples import function, sample_is_pure
    >>> f = function("a = np.zeros(n)\\nb = a[1:]\\nc = b.copy()\\nd = [a]\\ne = d")
    >>> sorted(solid(f.body, frozenset(), Purity(f.namespace, set("abcde"), sample_is_pure)))
    ['a', 'b', 'c']
    """
    made: dict[str, list[gast.expr | None]] = {
        name: [] if name in owned else [None] for name in params
    }
    for name, value in bindings(body):
        made.setdefault(name, []).append(value)
    found = frozenset(made)
    while True:
        kept = frozenset(n for n in found if all(_is_array(v, found, purity) for v in made[n]))
        if kept == found:
            return found
        found = kept


def is_part(index: gast.expr) -> bool:
    """Whether what is stored at an index is copied: there is an array, no list or dict that would hold it."""
    parts = index.elts if isinstance(index, gast.Tuple) else [index]
    return any(isinstance(part, gast.Slice) or _is_ellipsis(part) for part in parts)


def _is_ellipsis(part: gast.expr) -> bool:
    return isinstance(part, gast.Constant) and part.value is Ellipsis


def owned(body: list[gast.stmt]) -> Iterator[str]:
    """Parameters that stand for copies: ``x = rt.own(x)`` is the first thing that is done with them."""
    for statement in body:
        match statement:
            case gast.Assign(
                targets=[gast.Name(id=name)],
                value=gast.Call(func=gast.Attribute(attr="own"), args=[gast.Name(id=given), *_])
                | gast.Call(
                    func=gast.Attribute(attr="buffer"),
                    args=[
                        gast.Call(func=gast.Attribute(attr="own"), args=[gast.Name(id=given)]),
                        _,
                    ],
                ),
            ) if name == given:
                yield name
            case syntax.Comment() | syntax.Blank() | gast.Expr():
                continue
            case gast.Assign(targets=[gast.Tuple()], value=gast.Name()):  # what was saved
                continue
            case _:
                return


def handed(body: list[gast.stmt]) -> Iterator[str]:
    """Parameters into which adjoints are added: ``bx = rt.buffer(bx, x)`` is the first thing that is done with them."""
    for statement in body:
        match statement:
            case gast.Assign(
                targets=[gast.Name(id=name)],
                value=gast.Call(
                    func=gast.Attribute(value=gast.Name(id="rt"), attr="buffer"),
                    args=[gast.Name(id=given), _],
                ),
            ) if name == given:
                yield name


def parts(body: list[gast.stmt], is_whole: Callable[[str], bool]) -> frozenset[str]:
    """The names that hold nothing but parts of certain arrays.

    >>> body = syntax.parse("t1 = bx[0]\\nt2 = bx[1:].copy()\\nt3 = bx[1]\\nt3 = y[0]")
    >>> sorted(parts(body, {"bx"}.__contains__))
    ['t1', 't2']
    """
    found: dict[str, bool] = {}
    for name, value in bindings(body):
        match value:
            case gast.Call(func=gast.Attribute(value=taken, attr="copy"), args=[]):
                value = taken
        match value:
            case gast.Subscript(value=gast.Name(id=base)) if is_whole(base):
                found.setdefault(name, True)
            case _:
                found[name] = False
    return frozenset(name for name, only in found.items() if only)


def bindings(body: list[gast.stmt]) -> Iterator[tuple[str, gast.expr | None]]:
    """Every name that is bound, with the value if there is one expression for it."""
    for statement in body:
        match statement:
            case gast.Assign(targets=[gast.Name(id=name)], value=value):
                yield name, value
            case gast.AugAssign(target=gast.Name()):
                pass
            case gast.If() | gast.While():
                pass
            case gast.Try(handlers=handlers):
                yield from ((h.name.id, None) for h in handlers if h.name is not None)
            case gast.With(items=items):
                yield from ((name, None) for name in syntax.stores(items))
            case gast.For(target=target):
                yield from ((name, None) for name in syntax.stores(target))
            case _:
                yield from ((name, None) for name in syntax.stores(statement))
        for block in syntax.blocks(statement):
            yield from bindings(block)


def _is_array(value: ast.AST | None, found: frozenset[str], purity: Purity) -> bool:
    match value:
        case gast.Name(id=name):
            return name in found
        case gast.Subscript(value=gast.Name(id=name)):
            return name in found
        case gast.Call(func=gast.Attribute(value=gast.Name(id=name), attr="copy"), args=[]):
            return name in found
        case gast.Call(func=func, args=args):
            first = args[0] if args else None
            like = isinstance(first, gast.Name) and first.id in found
            means = purity.means(func, (*ARRAYS, runtime.zeros, runtime.own) if like else ARRAYS)
            return means and not any(map(_is_object, syntax.walk(value)))
    return False


def _is_object(node: ast.AST) -> bool:
    """Whether a node names the type of arrays that hold anything."""
    match node:
        case gast.Name(id="object") | gast.Attribute(attr="object_") | gast.Constant(value="O"):
            return True
    return False
