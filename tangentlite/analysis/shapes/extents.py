"""Shapes of which every axis has a name: those of the arguments of a specialized derivative.

In: axes, rules and the kinds of their arguments.
Out: shapes, as sets of symbols. An array of axes (m, n) has a symbol for (m, n) and one for (n): what is broadcast into
    it without changing its shape is part of it.
Next: ranks.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping

from tangentlite.analysis.kinds import Kind, Num, Shape
from tangentlite.rules import Rule

AXES = "axes"
Axes = tuple[Hashable, ...]


def shape(axes: Axes) -> Shape:
    """The shape of an array with these axes.

    >>> shape(("m", "n")) | shape(("n",)) == shape(("m", "n"))
    True
    """
    return frozenset((AXES, axes[k:]) for k in range(len(axes)))


def axes(kind: Kind | None) -> Axes | None:
    """The axes of an array, if all have names.

    >>> axes(Num(shape(("m", "n")))), axes(Num(frozenset({"x"})))
    (('m', 'n'), None)
    """
    if not isinstance(kind, Num) or not kind.shape:
        return None
    named = [s[1] for s in kind.shape if isinstance(s, tuple) and s[0] == AXES]
    longest: Axes = max(named, key=len, default=())
    return longest if shape(longest) == kind.shape else None


def of(rule: Rule, bound: Mapping[str, object], kinds: Mapping[str, Kind]) -> Shape | None:
    """The shape of products and transposes of arrays whose axes have names."""
    if "templates" not in rule.file or set(bound) - set(kinds):
        return None
    found = [axes(kinds.get(p.name)) for p in rule.params[:2]]
    match rule.name, found:
        case "matmul" | "dot", [left, right] if left and right and len(kinds) == 2:
            return _product(left, right)
        case "outer", [(m,), (n,)] if len(kinds) == 2:
            return shape((m, n))
        case "T" | "transpose_all" | "transpose" | "transpose_method" | "mT" | "matrix_transpose", [
            first,
            *_,
        ] if first and len(kinds) == 1 and len(first) <= 2:
            return shape(first[::-1])
    return None


def _product(left: Axes, right: Axes) -> Shape | None:
    """Of vectors and matrices; of two vectors it is a number.

    >>> _product(("m", "k"), ("k", "n")) == shape(("m", "n")), _product(("k",), ("k",))
    (True, None)
    """
    if len(left) > 2 or len(right) > 2 or len(left) + len(right) < 3:
        return None
    return shape((*left[:-1], *right[:-2], *(right[-1:] if len(right) == 2 else ())))
