"""Small pieces of generated text.

In: expressions.
Out: expressions.
Next: pouring.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import gast
import numpy as np

from tangentlite import syntax
from tangentlite.analysis.kinds import Inert, Kind, Nothing, Num, Tuple
from tangentlite.analysis.operations import Display
from tangentlite.differentiate.session import Session


def is_whole(index: gast.expr) -> bool:
    """Whether an index takes all there is, so that a number has it too: ``x[()]``, ``x[...]``."""
    if isinstance(index, gast.Tuple):
        return not index.elts
    return isinstance(index, gast.Constant) and index.value is ...


def fits_numbers(index: gast.expr) -> bool:
    """Whether a number of NumPy has what an index takes: all there is, perhaps with new axes (``x[None]``)."""
    parts = index.elts if isinstance(index, gast.Tuple) else [index]
    return all(isinstance(p, gast.Constant) and (p.value is ... or p.value is None) for p in parts)


def without_new_axes(index: gast.expr) -> gast.expr | None:
    """The index that takes the new axes away again, of one that does no more than to add some.

    >>> def back(text):
    ...     index = without_new_axes(syntax.expression(text).slice)
    ...     return index and syntax.unparse(syntax.expression("by[i]", i=index))
    >>> back("x[:, None, :]"), back("x[..., None]"), back("x[..., None, :]"), back("x[1:, None]")
    ('by[:, 0]', 'by[..., 0]', 'by[..., 0, :]', None)
    """
    parts = index.elts if isinstance(index, gast.Tuple) else [index]
    new = [isinstance(p, gast.Constant) and p.value is None for p in parts]
    if not any(new) or not all(map(_is_new_or_all, parts)):
        return None
    back = [syntax.constant(0) if is_new else part for part, is_new in zip(parts, new)]
    counted_from_the_end = any(isinstance(p, gast.Constant) and p.value is ... for p in parts)
    while isinstance(back[-1], gast.Slice) and not counted_from_the_end:
        back.pop()  # an axis that nobody names is taken whole
    return gast.Tuple(back, gast.Load()) if len(back) > 1 else back[0]


def _is_new_or_all(part: gast.expr) -> bool:
    """Whether a part of an index adds an axis, or takes all of some."""
    if isinstance(part, gast.Slice):
        return part.lower is part.upper is part.step is None
    return isinstance(part, gast.Constant) and (part.value is ... or part.value is None)


def is_unsure(kind: Kind | None) -> bool:
    """Whether it cannot be told if this is a number or an array."""
    return isinstance(kind, Num) and not (kind.array or kind.scalar)


def may_fit_numbers(index: gast.expr, kinds: Mapping[str, Kind]) -> bool:
    """Whether an index may turn out to be one that a number of NumPy has: ``x[x > 0]``, ``x[x.shape]``."""
    match index:
        case gast.Name():
            return _may_fit(kinds.get(index.id))
        case gast.Tuple(elts=parts):
            return all(may_fit_numbers(part, kinds) for part in parts)
    truth = isinstance(index, gast.Constant) and isinstance(index.value, bool)
    return truth or fits_numbers(index)


def _may_fit(kind: Kind | None) -> bool:
    match kind:
        case Num(exact=exact, ndim=rank):
            return exact in ("bool", "") and not rank
        case Tuple(items=items, type="tuple"):
            return all(map(_may_fit, items))
        case Inert(type=name):
            return name not in ("slice", "str")
        case Tuple(type="list"):
            return False
    return True


def whole_of(session: Session, value: gast.expr, x: gast.expr, index: gast.expr) -> gast.expr:
    """The adjoint of all of ``x``, given that of ``x[index]``: without the axes that the index adds."""
    if is_whole(index):
        return value
    rt, np_ = session.rt, session.alias("np", np)
    text = "np.reshape(rt.summed(rt.ZERO, e, x[i]), np.shape(x))"
    if not fits_numbers(index):
        text = "np.sum(rt.summed(rt.ZERO, e, x[i]))"
    return syntax.expression(text, rt=rt, np=np_, e=value, x=x, i=index)


def is_basic(index: gast.expr, kind_of: Callable[[gast.expr], Kind | None]) -> bool:
    """Whether an index is proved to name each element once, as a view does."""
    match index:
        case gast.Tuple(elts=parts):
            return all(is_basic(part, kind_of) for part in parts)
        case gast.Slice():
            return True
        case gast.Constant(value=value):
            return not isinstance(value, bool)
        case gast.UnaryOp(operand=gast.Constant()):
            return True
        case gast.Name():
            kind = kind_of(index)
            number = kind if isinstance(kind, Num) and kind.exact == "int" else None
            integer = number is not None and number.python and number.scalar
            slices = isinstance(kind, Inert) and kind.type == "slice"
            return integer or slices or isinstance(kind, Nothing)
    return False


def as_value(session: Session, index: gast.expr) -> gast.expr:
    """An index as an argument."""
    return syntax.argument(index, lambda: syntax.name(session.alias("slice", slice)))


def displayed(operation: Display, value: gast.expr, parts: list[gast.expr]) -> gast.expr:
    """A display of the derivatives of the elements: that of an object is a dict, that of a closure a tuple."""
    keys = list(operation.keys)
    if isinstance(value, gast.List):
        return gast.List(parts, gast.Load())
    if isinstance(value, gast.Dict) or any(isinstance(k.value, str) for k in keys):
        return gast.Dict(keys, parts)
    made = isinstance(value, gast.Call) and not parts
    return gast.Dict([], []) if made else gast.Tuple(parts, gast.Load())


def negated(value: gast.expr) -> gast.expr:
    """``-value``."""
    return gast.UnaryOp(gast.USub(), value)
