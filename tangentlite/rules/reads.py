"""What a slice reads: values, or shapes only, and the globals it names.

In: trees of a slice.
Out: names whose value is read, names of which only shape or dtype is read, globals.
Next: slices.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

import gast

from tangentlite import runtime, syntax

SHAPE_ATTRIBUTES = frozenset({"shape", "ndim", "size", "dtype"})
SHAPE_FUNCTIONS: dict[str, tuple[int, ...]] = {
    "len": (0,),
    "np.shape": (0,),
    "np.ndim": (0,),
    "np.size": (0,),
    "np.zeros_like": (0,),
    "np.ones_like": (0,),
    "np.empty_like": (0,),
    "np.full_like": (0,),
}


def reads(trees: Iterable[gast.AST]) -> tuple[set[str], set[str]]:
    """The names whose value is read, and those of which only the shape is.

    >>> values, shapes = reads([syntax.expression("by * x + np.zeros(np.shape(z))")])
    >>> sorted(values), sorted(shapes)
    (['by', 'np', 'x'], ['z'])
    """
    values: set[str] = set()
    shapes: set[str] = set()
    for tree in trees:
        for name, by_value in _reads(tree):
            (values if by_value else shapes).add(name)
    return values, shapes - values


def _reads(tree: gast.AST) -> Iterator[tuple[str, bool]]:
    match tree:
        case gast.Name(id=name):
            yield name, True
        case gast.Attribute(value=gast.Name(id=name), attr=attr) if attr in SHAPE_ATTRIBUTES:
            yield name, False
        case gast.Call(func=function, args=arguments, keywords=keywords):
            yield from _reads(function)
            quiet = _shape_only(syntax.dotted(function) or "")
            for key, argument in [*enumerate(arguments), *((k.arg, k.value) for k in keywords)]:
                if key in quiet:
                    yield from ((name, False) for name in _plain(argument))
                else:
                    yield from _reads(argument)
        case _:
            for child in syntax.children(tree):
                yield from _reads(child)


def _plain(tree: gast.expr) -> Iterator[str]:
    """The names in an argument of which only the shape is read: the tree's leaves."""
    yield from sorted(syntax.loads(tree))


@cache
def _shape_only(path: str) -> frozenset[Any]:
    """Positions and keywords of ``path`` that read a shape only."""
    if not path.startswith("rt."):
        return frozenset(SHAPE_FUNCTIONS.get(path, ()))
    name = path[3:]
    quiet = runtime.SHAPE_ONLY.get(name, ())
    if not quiet:
        return frozenset()
    order = list(inspect.signature(getattr(runtime, name)).parameters)
    return frozenset(quiet) | {order.index(parameter) for parameter in quiet}
