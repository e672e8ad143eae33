"""What a slice reads: values, or shapes only, and the globals it names.

In: trees of a slice.
Out: names whose value is read, names of which only shape or dtype is read, globals.
Next: slices.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable
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
    stack: list[Any] = list(trees)
    while stack:
        tree = stack.pop()
        kind = tree.__class__
        if kind is gast.Name:
            values.add(tree.id)
        elif kind is gast.Call:
            quiet = _shape_only(syntax.dotted(tree.func) or "")
            stack.append(tree.func)
            if not quiet:
                stack += tree.args
                stack += tree.keywords
                continue
            keyed = [(k.arg, k.value) for k in tree.keywords]
            for key, argument in [*enumerate(tree.args), *keyed]:
                if key in quiet:
                    shapes |= syntax.loads(argument)
                else:
                    stack.append(argument)
        elif kind is gast.Attribute and _asks_shape(tree):
            shapes.add(tree.value.id)
        elif kind is not gast.Constant:
            stack += syntax.children(tree)
    return values, shapes - values


def _asks_shape(tree: Any) -> bool:
    return tree.attr in SHAPE_ATTRIBUTES and isinstance(tree.value, gast.Name)


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
