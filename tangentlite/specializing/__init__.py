"""``tl.specialize(df, *examples)``: a derivative for arguments like the examples only.

In: a derivative, and arguments of a call.
Out: ``Specialized``: its text has no test that the examples decide, and says what it was written for.
Next: api.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Mapping, Sequence
from types import FunctionType
from typing import Any

from tangentlite import guards, pipeline, sharing
from tangentlite.analysis.calling import nested
from tangentlite.analysis.kinds import FLOAT, Kind, Num
from tangentlite.conditions import alone, undisturbed
from tangentlite.derivative import Derivative
from tangentlite.doors import sliced
from tangentlite.emit import Unit
from tangentlite.ir import Request
from tangentlite.methods import Bound
from tangentlite.native import Native
from tangentlite.specializing.facts import Fact, classes, fact, shaped
from tangentlite.specializing.opening import opened
from tangentlite.values import replace

WHAT = "specialize() takes what tl.grad, tl.value_and_grad, tl.jvp and tl.autodiff give, not {}"
METHOD = (
    "specialize() takes derivatives of functions: write a function that takes what the method reads"
)
MACHINE = "machine code is written for its arguments already: specialize(tl.grad(f), …), or leave it as it is"


class Specialized(Derivative):
    """A derivative for arguments like some examples. ``general`` is the derivative it was made of."""

    general: Derivative
    facts: dict[str, Fact]
    axes: list[tuple[str, ...]]

    @undisturbed
    def __new__(cls, derivative: Derivative, examples: dict[str, Any]) -> Specialized:
        self = functools.partial.__new__(cls, derivative)
        assert isinstance(self, Specialized)
        self.general, self.primal, self.request = derivative, derivative.primal, derivative.request
        self._variants, self._doors, self._units, self._aside = {}, {}, [], []
        self._ranked, self._guards, self._door = False, guards.Guards([]), None
        self.facts = {n: fact(n, v, n in self.request.wrt) for n, v in examples.items()}
        self.axes = classes(examples, self.facts)
        self._compile()
        return self

    @alone
    def _compile(self) -> None:
        needed, primal = self._needed(), self._primal(self.facts)
        unit, linker = self._written(needed)
        self._units = [unit, *linker.units]
        self._watch(linker)
        self._adopt(unit)

        def write(function: FunctionType, request: Request) -> list[Unit]:
            unit, linker = self._written(needed, function)
            return [unit, *linker.units]

        self._door = sliced.fastest(self._units, primal, self._opened, write)
        self._point(self._checked if self._guards else self._door)

    def _needed(self) -> list[tuple[str, ...]]:
        """The axes that must be equally long: the text would be another one if they were not."""
        needed, wanted = self.axes, _body(self._written(self.axes)[0]) if self.axes else ""
        for axes in self.axes:
            fewer = [other for other in needed if other is not axes]
            if _body(self._written(fewer)[0]) == wanted:
                needed = fewer
        return needed

    def _primal(self, facts: Mapping[str, Fact]) -> Any:
        """The function whose text is differentiated: of a derivative, its text for these arguments."""
        primal = self.primal
        if not isinstance(primal, Derivative):
            return primal
        return primal.written_for(tuple(nested.plain(f.kind) for f in facts.values()), ())

    def _written(
        self, axes: Sequence[tuple[str, ...]], function: FunctionType | None = None
    ) -> tuple[Unit, pipeline.Linker]:
        """The text for arguments with these axes of equal length; of another ``function`` that says the same."""
        facts = shaped(self.facts, axes)
        primal = function or self._primal(facts)
        linker = pipeline.Linker(sharing.known(primal))
        seeds = len(inspect.signature(primal).parameters) - len(facts)
        kinds = (*(f.kind for f in facts.values()), *[Num()] * seeds)
        request = replace(self.request, kinds=kinds)
        if not pipeline.gives_floats(primal, request, linker):  # a gradient may be np.float64
            request = replace(
                request, kinds=tuple(map(self._loose, facts, kinds)) + kinds[len(facts) :]
            )
        finish = functools.partial(opened, facts=facts, same=axes)
        return pipeline.derive(primal, request, linker, finish), linker

    def _loose(self, name: str, kind: Kind) -> Kind:
        return replace(kind, python=False) if name in self.request.wrt and kind == FLOAT else kind

    def __repr__(self) -> str:
        return f"<{super().__repr__()[1:-1]}, specialized for {', '.join(self.facts)}>"


def specialize(derivative: Any, *examples: Any, **named: Any) -> Specialized:
    """The derivative for arguments like the examples only: Python floats, NumPy scalars, arrays of these ranks.

    >>> import tangentlite as tl
    >>> def f(x, w):
    ...     return x * w * w
    >>> df = specialize(tl.grad(f), 2.0, 3.0)
    >>> df(1.0, 5.0)
    25.0
    >>> df(1, 5.0)
    Traceback (most recent call last):
    TypeError: specialized for `x`: a float, not int
    """
    if isinstance(derivative, Specialized):
        derivative = derivative.general
    if isinstance(derivative, Native):
        raise TypeError(MACHINE)
    if isinstance(derivative, Bound):
        raise TypeError(METHOD)
    if not isinstance(derivative, Derivative) or derivative.request.motion == "split":
        raise TypeError(WHAT.format(type(derivative).__name__))
    bound = inspect.signature(derivative.primal).bind(*examples, **named)
    bound.apply_defaults()
    return Specialized(derivative, dict(bound.arguments))


def _body(unit: Unit) -> str:
    """A text without the lines that say what it is specialized for."""
    lines = unit.source.splitlines()
    kept = (k for k, line in enumerate(lines) if "# Forward" in line or "# Backward" in line)
    return "\n".join(lines[next(kept, 0) :])
