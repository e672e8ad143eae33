"""The first statement at which a derivative and the differences part.

In: a subject, a clue: a mode that is wrong, and a direction in which it shows.
Out: ``First``: the statement, what it should have given and what it gave, the rule that is to blame.
Next: the report.

The function is written anew so that its result is a weighed sum of what its statements make. Differences of all of them
come from the same calls. The derivative of the sum of a stretch of them is one more derivative of the compiler, in
whichever mode: halving the stretch finds the first that is wrong.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType, MethodType
from typing import Any

import numpy as np

from tangentlite import wrappers
from tangentlite.check import calls
from tangentlite.check.checking import Clue
from tangentlite.check.comparing import Moved
from tangentlite.check.differences import Estimate
from tangentlite.check.first import First
from tangentlite.check.nests import Space, Vector
from tangentlite.check.observing import SCALES, Observed
from tangentlite.check.subject import Subject
from tangentlite.runtime import weighed

DEEP = 8  # helpers inside helpers
MANY = 20000  # what is seen of a run
PARTS = 8  # numbers that are seen of one value
ONE = np.ones(1)


def first(subject: Subject, clue: Clue, rtol: float, depth: int = 0) -> First | None:
    """The statement to blame; None if all statements by themselves are right."""
    search = _Search(subject, clue, rtol)
    number = search.number()
    if number is None:
        return None
    found = search.told(number)
    culprit = calls.culprit(search.called(number), clue, rtol)
    if culprit is None:
        return found
    found.rule = culprit.rule
    if culprit.rule is None and culprit.subject is not None and depth < DEEP:
        inner = first(culprit.subject, culprit.clue, rtol, depth + 1)
        if inner is not None:
            inner.via = [found.place, *inner.via]
            return inner
    found.column(culprit.line + search.observed.text.line - 1, culprit.column)
    return found


class _Search:
    """The numbers that a function makes on its way, with their derivatives."""

    def __init__(self, subject: Subject, clue: Clue, rtol: float) -> None:
        self.clue, self.rtol, self.along = clue, rtol, clue.direction.vector
        self.function, self.receiver = _plain(subject.function)
        self.observed = Observed(self.function)
        self.subject = subject
        self.order: list[int] = []
        self._choose()
        derived = self.observed.weighing(weighed)
        self.plain = self._like(self.observed.seeing(self._see), {})
        self.order, self.notes = [], list[float]()
        self.plain.call(subject.at)
        self.sequence = self.order
        self.count = min(len(self.sequence), MANY)
        self.sums = self._like(derived, {SCALES: np.zeros(len(self.sequence) + 1)})
        self.sums.results = Space(0.0)
        self.estimate = self._differences()
        self.scales = self._balanced()

    def _like(self, function: FunctionType, more: dict[str, Any]) -> Subject:
        """The same arguments for another function."""
        bound = self.subject.bound
        made = Subject(
            function, (*self.receiver, *bound.args), {**bound.kwargs, **more}, self.subject.wrt
        )
        made.wide = self.subject.wide
        return made

    # What is seen -----------------------------------------------------------------------------

    def _choose(self) -> None:
        """One run tells which of the points hold floats, and where in them."""
        found: dict[int, list[list[str]]] = {}

        def look(k: int, value: Callable[[], Any]) -> None:
            found.setdefault(k, []).append(_paths(value))

        self._like(self.observed.seeing(look, lazy=True), {}).call(self.subject.at)
        self.observed.chosen({k: _common(paths) for k, paths in found.items()})

    def _see(self, k: int, value: Any) -> None:
        self.notes.append(float(weighed(value, len(self.order), _Ones())))
        self.order.append(k)

    def _differences(self) -> Estimate:
        def moved(t: float) -> Vector:
            self.order, self.notes = [], []
            function, args, kwargs = self.plain.fresh(
                self.subject.at + t * self.along, self.subject.wide
            )
            self.plain.run(function, args, kwargs)
            same = self.order == self.sequence
            return np.array(self.notes[: self.count]) if same else np.full(self.count, np.nan)

        return Moved(moved, self._fine).estimate

    @property
    def _fine(self) -> float:
        return 2.0**-52 if self.subject.wide else self.subject.space.eps

    def _balanced(self) -> Vector:
        """The scale of each number, so that none hides behind others; zero where nothing is known of it."""
        value, error = np.abs(self.estimate.value), self.estimate.error
        with np.errstate(all="ignore"):
            known = np.isfinite(value) & np.isfinite(error) & ~self.estimate.kink
            told = known & (value > 100.0 * error)
            typical = np.median(value[told]) if told.any() else 1.0
            scales = np.where(known, 1.0 / np.where(told, value, typical + error), 0.0)
        result = np.zeros(len(self.sequence) + 1)
        result[: self.count] = scales
        return result

    # The search ---------------------------------------------------------------------------------

    def number(self) -> int | None:
        """The first of the numbers whose derivative is wrong."""
        low, high = 0, self.count
        if not self.count or not self._is_wrong(low, high):
            return None
        while high - low > 1:
            middle = (low + high) // 2
            if self._is_wrong(low, middle):
                high = middle
            else:
                low = middle
        return low

    def _is_wrong(self, low: int, high: int) -> bool:
        expected, error, found = self._stretch(low, high)
        room = 10.0 * error + self.rtol * np.sqrt(high - low)
        return not abs(found - expected) <= room

    def _stretch(self, low: int, high: int) -> tuple[float, float, float]:
        """The derivative of the sum of a stretch: expected, its error, found."""
        scales = np.zeros_like(self.scales)
        scales[low:high] = self.scales[low:high]
        self.sums.rest[SCALES] = scales
        value, error = self._expected(scales[: self.count])
        return value, error, self._found()

    def _expected(self, scales: Vector) -> tuple[float, float]:
        if self.clue.other is not None:
            estimate = Moved(self._slope, self._fine).estimate
            return float(estimate.value[0]), float(estimate.error[0])
        used = scales != 0.0
        value, error = (x[used] * scales[used] for x in (self.estimate.value, self.estimate.error))
        return float(np.sum(value)), float(np.sqrt(np.sum(error**2)))

    def _slope(self, t: float) -> Vector:
        at, other = self.subject.at + t * self.along, self.clue.other
        assert other is not None
        if self.clue.mode == "forward over forward":
            return self.sums.slope(at, other)
        return np.array([self.sums.gradient(at, ONE) @ other])

    def _found(self) -> float:
        sums, at, along = self.sums, self.subject.at, self.along
        other = along if self.clue.other is None else self.clue.other
        match self.clue.mode:
            case "forward":
                return float(sums.forward(at, along)[0])
            case "reverse":
                return float(sums.reverse(at, ONE) @ along)
            case "forward over reverse":
                return float(sums.forward_over_reverse(at, ONE, along) @ other)
            case "reverse over reverse":
                return float(sums.reverse_twice(at, ONE, other) @ along)
            case _:
                return float(sums.forward_twice(at, other, along)[0])

    # What is told -------------------------------------------------------------------------------

    def told(self, number: int) -> First:
        """The statement that made a number, and what is wrong about it."""
        point = self.observed.points[self.sequence[number]]
        scale = (self.scales[number] or 1.0) * self.clue.direction.unit
        expected, error, found = (x / scale for x in self._stretch(number, number + 1))
        return First(
            place=point.place,
            statement=point.shown,
            function=self.function.__name__,
            variable=point.variable,
            run=self._run(number),
            runs=self.sequence.count(self.sequence[number]),
            mode=self.clue.mode,
            along=self.clue.direction.label,
            expected=expected,
            error=abs(error),
            found=found,
        )

    def _run(self, number: int) -> int:
        """How often the statement had run by then."""
        return self.sequence[: number + 1].count(self.sequence[number])

    def called(self, number: int) -> list[calls.Called]:
        """The calls that the statement made when it gave this number."""
        recorder = calls.Recorder(self._run(number))
        function = self.observed.calling(recorder, self.sequence[number])
        self._like(function, {}).call(self.subject.at)
        return recorder.calls


def _paths(value: Callable[[], Any]) -> list[str]:
    """Where the floats of a value are; the last ones also from the end, for lists that grow."""
    try:
        seen = value()
    except Exception:  # a name that is not bound
        return []
    paths = [leaf.path for leaf in Space(seen).leaves]
    if isinstance(seen, list) and seen:
        paths = [f"[-1]{leaf.path}" for leaf in Space(seen[-1]).leaves] + paths
    return paths


def _common(found: list[list[str]]) -> list[str]:
    """What is there each time: the elements of a list by their positions if it does not grow."""
    every = set(found[0]).intersection(*found)
    same = all(paths == found[0] for paths in found)
    return [p for p in found[0] if p in every and (p[:4] != "[-1]" if same else True)][:PARTS]


class _Ones:
    """A scale of one for each observation."""

    def __getitem__(self, count: int) -> float:
        return 1.0


def _plain(function: Any) -> tuple[FunctionType, tuple[Any, ...]]:
    """The function behind a method, and the object that it is given."""
    if isinstance(function, MethodType):
        return _plain(function.__func__)[0], (function.__self__,)
    if not isinstance(function, FunctionType):
        raise ValueError("no plain function")
    return wrappers.plain(function), ()
