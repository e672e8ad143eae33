"""How values follow a shift: by how much they grow with it, and along which axis it is constant.

In: an operation, and how its arguments follow.
Out: ``STEPS``: by the name of a rule, how its value follows, or None where that is not understood.
Next: shifts.
"""

from __future__ import annotations

from collections.abc import Callable, Container

import gast

from tangentlite import syntax
from tangentlite.analysis.kinds import Num
from tangentlite.analysis.operations import Primitive
from tangentlite.analysis.shapes.broadcasting import single, whole
from tangentlite.values import immutable, replace

REDUCED = "axis", "keepdims"


@immutable
class Following:
    """How a value follows a shift: ``by`` a number, as a ``factor`` or not.

    ``axis``: along which the shift is constant, as it is said and counted from the other end; empty: it is a number.
    The name of a parameter stands for whatever axes that says. ``kept``: the axis is there still, so that the value
    and the shift have the same place for it. ``sure``: the value has as many axes as what the shift is made of.
    """

    by: float
    axis: frozenset[int | str]
    factor: bool = False
    kept: bool = True
    sure: bool = True

    @property
    def from_end(self) -> bool:
        """Whether the axis is counted from the end."""
        return any(isinstance(k, int) and k < 0 for k in self.axis)


class Followers:
    """The ``names`` that follow a shift that is made of a value of a ``shape``; ``fixed``: what is never bound anew."""

    def __init__(
        self, names: dict[str, Following], shape: object, fixed: Container[str] = ()
    ) -> None:
        self.names, self._shape, self.fixed = names, shape, fixed
        self.finite: dict[str, str] = {}  # what tells where a name that follows is finite

    def of(self, operation: Primitive, parameter: str) -> Following | None:
        """How an argument follows."""
        node = operation.bound.get(parameter)
        return self.names.get(node.id) if isinstance(node, gast.Name) else None

    def beside(self, operation: Primitive, own: Following, parameter: str) -> Following:
        """``own`` beside an argument that does not follow, but may have more axes."""
        kind = operation.kinds.get(parameter)
        plain = isinstance(operation.bound[parameter], gast.Constant)
        plain = plain or (isinstance(kind, Num) and kind.scalar)
        inside = (
            isinstance(kind, Num) and kind.shape is not None and isinstance(self._shape, frozenset)
        )
        same = inside and kind.shape <= self._shape  # type: ignore[union-attr]
        if same and 0 in own.axis and kind.shape == self._shape:  # type: ignore[union-attr]
            own = replace(own, kept=True)  # the first axis stands where it was, kept or not
        return own if plain or same else replace(own, sure=False)

    def on_axis(self, operation: Primitive, own: Following) -> Following | None:
        """``own`` after a reduction along the axis of the shift; None if it is along another."""
        bound = operation.bound
        if not bound.keys() <= {"x", *REDUCED}:
            return None
        if not own.axis:
            return own
        axes, kept = places(operation, self.fixed), _truth(operation, "keepdims")
        axes = axes if own.sure else frozenset(k for k in axes if isinstance(k, int) and k < 0)
        same = own.kept and not own.axis.isdisjoint(axes)
        return replace(own, kept=kept) if same and kept is not None else None


Step = Callable[[Followers, Primitive], Following | None]


def _truth(operation: Primitive, parameter: str) -> bool | None:
    """Whether a parameter is true, which it is not unless it is given; None if that is not known."""
    given, kind = operation.bound.get(parameter), operation.kinds.get(parameter)
    if given is None or isinstance(given, gast.Constant):
        return syntax.is_true(given)
    literal = kind.literal if isinstance(kind, Num) else None
    return literal if isinstance(literal, bool) else None


def said(axis: gast.expr | None, fixed: Container[str]) -> int | str | None:
    """The axis that is written down, or the name of one that stays what it is."""
    if isinstance(axis, gast.Name) and axis.id in fixed:
        return str(axis.id)
    return whole(axis)


def places(operation: Primitive, fixed: Container[str] = ()) -> frozenset[int | str]:
    """The axis of a reduction, as it is said, and counted from the other end if it is known how many there are."""
    axis, kind = said(operation.bound.get("axis"), fixed), operation.kinds.get("x")
    if axis is None or isinstance(axis, str):
        return frozenset() if axis is None else frozenset((axis,))
    count = kind.ndim if isinstance(kind, Num) else None
    return frozenset((axis, axis if count is None else axis + (count if axis < 0 else -count)))


def _added(sign: float) -> Step:
    def step(known: Followers, operation: Primitive) -> Following | None:
        one, other = known.of(operation, "x"), known.of(operation, "y")
        if one is None or other is None:
            own = one or other
            assert own is not None
            if own.factor:
                return None
            by = own.by if one is not None else sign * own.by
            return replace(known.beside(operation, own, "y" if one is not None else "x"), by=by)
        return _together(one, other, one.by + sign * other.by, False)

    return step


def _multiplied(sign: float) -> Step:
    def step(known: Followers, operation: Primitive) -> Following | None:
        one, other = known.of(operation, "x"), known.of(operation, "y")
        if one is None or other is None:
            own = one or other
            assert own is not None
            parameter = "y" if one is not None else "x"
            if not own.factor:
                return _scaled(own, operation.bound[parameter], sign, one is not None)
            by = own.by if one is not None else sign * own.by
            return replace(known.beside(operation, own, parameter), by=by)
        return _together(one, other, one.by + sign * other.by, True)

    return step


def _scaled(own: Following, by: gast.expr, sign: float, first: bool) -> Following | None:
    """A summand that follows, times or over a number that is written down."""
    value = by.value if isinstance(by, gast.Constant) else None
    if type(value) not in (int, float) or not value or (sign < 0 and not first):
        return None
    return replace(own, by=own.by * value**sign)


def _together(one: Following, other: Following, by: float, factor: bool) -> Following | None:
    if one.factor != factor or other.factor != factor:
        return None
    sure = one.sure and other.sure
    if one.axis and one.kept != other.kept and not (0 in one.axis and sure):
        return None
    return replace(one, by=by, sure=sure, kept=one.kept or other.kept)


def _power(known: Followers, operation: Primitive) -> Following | None:
    own, exponent = known.of(operation, "x"), operation.bound["y"]
    value = exponent.value if isinstance(exponent, gast.Constant) else None
    if own is None or not own.factor or not isinstance(value, (int, float)):
        return None
    return replace(own, by=own.by * value)


def _changed(factor: bool, becomes: bool, times: float = 1.0) -> Step:
    def step(known: Followers, operation: Primitive) -> Following | None:
        own = known.of(operation, "x")
        if own is None or own.factor != factor or len(operation.bound) > 1:
            return None
        return replace(own, factor=becomes, by=times * own.by)

    return step


def _negative(known: Followers, operation: Primitive) -> Following | None:
    own = known.of(operation, "x")
    return None if own is None else replace(own, by=own.by if own.factor else -own.by)


def _summed(known: Followers, operation: Primitive) -> Following | None:
    own = known.of(operation, "x")
    return known.on_axis(operation, own) if own is not None and own.factor else None


def _reduced(known: Followers, operation: Primitive) -> Following | None:
    own = known.of(operation, "x")
    return known.on_axis(operation, own) if own is not None else None


def _taken(known: Followers, operation: Primitive) -> Following | None:
    """``m[:, 0]``: the axis of the shift goes; ``m[:, None]``: it comes again."""
    own, index = known.of(operation, "x"), operation.bound["i"]
    parts = index.elts if isinstance(index, gast.Tuple) else [index]
    if own is None or not own.sure:
        return None
    axes = [k for k in own.axis if isinstance(k, int)]
    part = next((p for k in axes if (p := single(parts, k)) is not None), None)
    new = isinstance(part, gast.Constant) and part.value is None
    fits = whole(part) is not None if own.kept else new
    return replace(own, kept=new) if fits else None


def _rooted(known: Followers, operation: Primitive) -> Following | None:
    """The value of a root, beside its radicand."""
    return known.of(operation, "v")


def _squeezed(known: Followers, operation: Primitive) -> Following | None:
    own = known.of(operation, "x")
    if own is None or not own.kept or not own.sure:
        return None
    known_axis = said(operation.bound.get("axis"), known.fixed) in own.axis
    return replace(own, kept=False) if known_axis else None


def _expanded(known: Followers, operation: Primitive) -> Following | None:
    own = known.of(operation, "x")
    if own is None or own.kept or not own.sure:
        return None
    known_axis = said(operation.bound.get("axis"), known.fixed) in own.axis
    return replace(own, kept=True) if known_axis else None


def _chosen(known: Followers, operation: Primitive) -> Following | None:
    """``np.where(np.isfinite(m), m, 0.0)``: where the shift is infinite, nothing comes back to it anyway."""
    condition, x, y = (operation.bound.get(name) for name in ("c", "x", "y"))
    told = known.finite.get(getattr(condition, "id", "")) == getattr(x, "id", None)
    return known.of(operation, "x") if told and isinstance(y, gast.Constant) else None


STEPS: dict[str, Step] = {
    "where": _chosen,
    "add": _added(1.0),
    "subtract": _added(-1.0),
    "multiply": _multiplied(1.0),
    "divide": _multiplied(-1.0),
    "power": _power,
    "exp": _changed(False, True),
    "log": _changed(True, False),
    "sqrt": _changed(True, True, 0.5),
    "rooted": _rooted,
    "square": _changed(True, True, 2.0),
    "negative": _negative,
    "sum": _summed,
    "mean": _reduced,
    "extremum": _reduced,
    "getitem": _taken,
    "squeeze": _squeezed,
    "expand_dims": _expanded,
}
