"""Shifts that cancel: ``m`` in ``m + log(sum(exp(x - m)))`` has no influence on the result, and is not differentiated.

In: a normal form, operations.
Out: the statements that make such shifts.
Next: activity.

A value *follows* a shift m by a number k: it grows by k m, or by the factor exp(k m). The shift is an extremum along an
axis; the statements behind it in its block tell how each value follows. It cancels if in the end all follow by zero.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from heapq import heappop, heappush

import gast

from tangentlite import syntax
from tangentlite.analysis.broadcasting import single, whole
from tangentlite.analysis.inference import Inference
from tangentlite.analysis.kinds import Num
from tangentlite.analysis.memory import written
from tangentlite.analysis.operations import Copy, Inserted, NoFlow, Operation, Primitive
from tangentlite.analysis.uses import Uses, said
from tangentlite.lowering import Normal
from tangentlite.values import immutable, replace

REDUCED = "axis", "keepdims"


@immutable
class Following:
    """How a value follows a shift: ``by`` a number, as a ``factor`` or not.

    ``axis``: along which the shift is constant, None: it is a number. ``kept``: the axis is there still, so that the
    value and the shift have the same place for it. ``sure``: the value has as many axes as what the shift is made of.
    """

    by: float
    axis: int | None
    factor: bool = False
    kept: bool = True
    sure: bool = True


def cancelling(normal: Normal, inferred: Inference) -> frozenset[gast.stmt]:
    """The statements that make shifts which cancel."""
    operations, body = inferred.operations, normal.function.body
    candidates = list(_candidates(normal, inferred))
    if not candidates:
        return frozenset()
    uses = Uses(lambda s: said(s).union(written(operations.get(s))))
    found = [_Shift(block, at, inferred, uses) for block, at in candidates]
    found = [shift for shift in found if shift.is_followed()]
    inner = any(shift.block is not body for shift in found)
    reads = Counter(_names(body if inner else []))
    kept = (shift for shift in found if shift.block is body or shift.is_alone(reads))
    return frozenset(shift.statement for shift in kept)


def _candidates(normal: Normal, inferred: Inference) -> Iterator[tuple[list[gast.stmt], int]]:
    found = {s for s, o in inferred.operations.items() if _is_extremum(o) and syntax.stores(s)}
    blocks = [normal.function.body] if found else []
    for block in blocks:
        for at, statement in enumerate(block):
            blocks += syntax.blocks(statement)
            if statement in found:
                yield block, at


def _is_extremum(operation: Operation | None) -> bool:
    if not isinstance(operation, Primitive) or operation.rule.name != "extremum":
        return False
    bound = operation.bound
    axis, keepdims = (bound.get(name) for name in REDUCED)
    if not bound.keys() <= {"x", *REDUCED} or not isinstance(bound["x"], gast.Name):
        return False
    along = axis is None or whole(axis) is not None
    return along and (keepdims is None or isinstance(keepdims, gast.Constant))


class _Shift:
    """The walk behind one statement: ``follow`` are the names that follow it."""

    def __init__(self, block: list[gast.stmt], at: int, inferred: Inference, uses: Uses) -> None:
        self.statement, self.block = block[at], block
        self._at, self._uses = at, uses
        self._operations = inferred.operations
        (name,) = syntax.stores(self.statement)
        operation = inferred.operations[self.statement]
        assert isinstance(operation, Primitive)
        self._shape = self._shape_of(operation, "x")
        axis = whole(operation.bound.get("axis"))
        kept = syntax.is_true(operation.bound.get("keepdims"))
        self.follow = {name: Following(1.0, axis, kept=kept)}
        self._read: list[gast.stmt] = []

    def is_followed(self) -> bool:
        """Walk over the statements behind that name what follows: whether all is understood."""
        waiting = [k for name in self.follow for k in self._later(name, self._at)]
        seen = set(waiting)
        while waiting:
            place = heappop(waiting)
            if not self._walked(self.block[place]):
                return False
            for name in self.follow.keys() & syntax.stores(self.block[place]):
                for later in self._later(name, place):
                    if later not in seen:
                        seen.add(later)
                        heappush(waiting, later)
        return True

    def _later(self, name: str, place: int) -> list[int]:
        return self._uses.after(self.block, place, name)

    def is_alone(self, reads: Counter[str]) -> bool:
        """Whether nothing that follows is read by others than the statements of the walk."""
        own = Counter(_names(self._read))
        return all(reads[name] <= own[name] for name in self.follow)

    def _walked(self, statement: gast.stmt) -> bool:
        """Take in a statement; False where it reads what follows in a way that is not understood."""
        followed = [n for n in syntax.loads(statement) if n in self.follow]
        stored = syntax.stores(statement)
        if syntax.blocks(statement):
            return not followed and not any(n in self.follow for n in stored)
        operation = self._operations.get(statement)
        if any(n in self.follow for n in written(operation)):
            return False
        if not followed:
            for name in stored:
                self.follow.pop(name, None)
            return True
        if isinstance(operation, Inserted):
            return False
        if isinstance(operation, NoFlow) and not isinstance(statement, gast.Return):
            return not stored or self._is_size(statement)
        if not isinstance(statement, gast.Assign) or len(stored) != 1:
            return False
        self._read.append(statement)
        return self._bound(operation, *stored)

    def _is_size(self, statement: gast.stmt) -> bool:
        """Whether only the shape of something is asked for."""
        value = getattr(statement, "value", None)
        match value:
            case gast.Attribute(attr="shape" | "ndim" | "size" | "dtype"):
                return True
            case gast.Call(func=gast.Name(id="len")):
                return True
        return False

    def _bound(self, operation: Operation | None, name: str) -> bool:
        if isinstance(operation, Copy):
            self.follow[name] = self.follow[operation.source]
            return True
        step = STEPS.get(operation.rule.name) if isinstance(operation, Primitive) else None
        if step is None:
            return False
        assert isinstance(operation, Primitive)
        found = step(self, operation)
        if found is None:
            return False
        self.follow.pop(name, None)
        if found.by:
            self.follow[name] = found
        return True

    # Steps ----------------------------------------------------------------------------------

    def of(self, operation: Primitive, parameter: str) -> Following | None:
        """How an argument follows."""
        node = operation.bound.get(parameter)
        return self.follow.get(node.id) if isinstance(node, gast.Name) else None

    def _shape_of(self, operation: Primitive, parameter: str) -> object:
        kind = operation.kinds.get(parameter)
        return kind.shape if isinstance(kind, Num) else None

    def beside(self, operation: Primitive, own: Following, parameter: str) -> Following:
        """``own`` beside an argument that does not follow, but may have more axes."""
        kind = operation.kinds.get(parameter)
        plain = isinstance(operation.bound[parameter], gast.Constant)
        plain = plain or (isinstance(kind, Num) and kind.scalar)
        inside = (
            isinstance(kind, Num) and kind.shape is not None and isinstance(self._shape, frozenset)
        )
        same = inside and kind.shape <= self._shape  # type: ignore[union-attr]
        if same and own.axis == 0 and kind.shape == self._shape:  # type: ignore[union-attr]
            own = replace(own, kept=True)  # the first axis stands where it was, kept or not
        return own if plain or same else replace(own, sure=False)

    def on_axis(self, operation: Primitive, own: Following) -> Following | None:
        """``own`` after a reduction along the axis of the shift; None if it is along another."""
        bound = operation.bound
        if not bound.keys() <= {"x", *REDUCED}:
            return None
        if own.axis is None:
            return own
        axis, kept = whole(bound.get("axis")), bound.get("keepdims")
        same = own.kept and axis == own.axis and (own.sure or axis < 0)
        if not same or not (kept is None or isinstance(kept, gast.Constant)):
            return None
        return replace(own, kept=syntax.is_true(kept))


Step = Callable[[_Shift, Primitive], Following | None]


def _added(sign: float) -> Step:
    def step(shift: _Shift, operation: Primitive) -> Following | None:
        one, other = shift.of(operation, "x"), shift.of(operation, "y")
        if one is None or other is None:
            own = one or other
            assert own is not None
            if own.factor:
                return None
            by = own.by if one is not None else sign * own.by
            return replace(shift.beside(operation, own, "y" if one is not None else "x"), by=by)
        return _together(one, other, one.by + sign * other.by, False)

    return step


def _multiplied(sign: float) -> Step:
    def step(shift: _Shift, operation: Primitive) -> Following | None:
        one, other = shift.of(operation, "x"), shift.of(operation, "y")
        if one is None or other is None:
            own = one or other
            assert own is not None
            parameter = "y" if one is not None else "x"
            if not own.factor:
                return _scaled(own, operation.bound[parameter], sign, one is not None)
            by = own.by if one is not None else sign * own.by
            return replace(shift.beside(operation, own, parameter), by=by)
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
    if one.axis is not None and one.kept != other.kept and not (one.axis == 0 and sure):
        return None
    return replace(one, by=by, sure=sure, kept=one.kept or other.kept)


def _power(shift: _Shift, operation: Primitive) -> Following | None:
    own, exponent = shift.of(operation, "x"), operation.bound["y"]
    value = exponent.value if isinstance(exponent, gast.Constant) else None
    if own is None or not own.factor or not isinstance(value, (int, float)):
        return None
    return replace(own, by=own.by * value)


def _changed(factor: bool, becomes: bool, times: float = 1.0) -> Step:
    def step(shift: _Shift, operation: Primitive) -> Following | None:
        own = shift.of(operation, "x")
        if own is None or own.factor != factor or len(operation.bound) > 1:
            return None
        return replace(own, factor=becomes, by=times * own.by)

    return step


def _negative(shift: _Shift, operation: Primitive) -> Following | None:
    own = shift.of(operation, "x")
    return None if own is None else replace(own, by=own.by if own.factor else -own.by)


def _summed(shift: _Shift, operation: Primitive) -> Following | None:
    own = shift.of(operation, "x")
    return shift.on_axis(operation, own) if own is not None and own.factor else None


def _reduced(shift: _Shift, operation: Primitive) -> Following | None:
    own = shift.of(operation, "x")
    return shift.on_axis(operation, own) if own is not None else None


def _taken(shift: _Shift, operation: Primitive) -> Following | None:
    """``m[:, 0]``: the axis of the shift goes; ``m[:, None]``: it comes again."""
    own, index = shift.of(operation, "x"), operation.bound["i"]
    parts = index.elts if isinstance(index, gast.Tuple) else [index]
    if own is None or own.axis is None or not own.sure:
        return None
    part = single(parts, own.axis)
    new = isinstance(part, gast.Constant) and part.value is None
    fits = whole(part) is not None if own.kept else new
    return replace(own, kept=new) if fits else None


def _rooted(shift: _Shift, operation: Primitive) -> Following | None:
    """The value of a root, beside its radicand."""
    return shift.of(operation, "v")


def _squeezed(shift: _Shift, operation: Primitive) -> Following | None:
    own = shift.of(operation, "x")
    if own is None or own.axis is None or not own.kept or not own.sure:
        return None
    return replace(own, kept=False) if whole(operation.bound.get("axis")) == own.axis else None


def _expanded(shift: _Shift, operation: Primitive) -> Following | None:
    own = shift.of(operation, "x")
    if own is None or own.axis is None or own.kept or not own.sure:
        return None
    return replace(own, kept=True) if whole(operation.bound.get("axis")) == own.axis else None


STEPS: dict[str, Step] = {
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


def _names(trees: object) -> Iterator[str]:
    for tree in trees:  # type: ignore[attr-defined]
        for node in syntax.walk(tree):
            if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Load):
                yield node.id
