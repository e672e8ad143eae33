"""The comparisons: each mode with differences, forward with reverse mode, second order with differences of the first.

In: a subject, a report to be filled.
Out: the report tells; ``clues`` for whoever looks for the statement that is wrong.
Next: locate.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence

import numpy as np

from tangentlite.check import complex_step, directions
from tangentlite.check.comparing import NOISE, SHOWN, Comparer, Moved
from tangentlite.check.directions import Direction
from tangentlite.check.nests import Space, Vector
from tangentlite.check.report import Mismatch, Tally
from tangentlite.check.subject import Subject
from tangentlite.errors import DerivativeError
from tangentlite.progress import Progress
from tangentlite.values import immutable

DOT = 1e4  # in units of the precision
SECOND = 4


@immutable(eq=False)
class Clue:
    """A mode that is wrong, and a direction in which it shows."""

    mode: str
    direction: Direction
    other: Vector | None = None


class Checking:
    """A check on its way."""

    def __init__(
        self,
        lenient: bool,
        subject: Subject,
        comparer: Comparer,
        modes: Sequence[str],
        rng: np.random.Generator,
        progress: Progress,
    ) -> None:
        self.subject, self.comparer, self.modes = subject, comparer, tuple(modes)
        self.lenient = lenient  # what is refused is left out
        self.rng, self.progress, self.report = rng, progress, comparer.report
        self.eps = max(subject.space.eps, subject.results.eps)
        self.fine = 2.0**-52 if subject.wide else self.eps
        self.seeds = directions.seeds(subject.results, rng)
        self.gradients: list[Vector] = []
        self.clues: list[Clue] = []

    # First order ----------------------------------------------------------------------------

    def first_order(self) -> None:
        """Both modes along every direction."""
        subject = self.subject
        tried = directions.chosen(subject.space, subject.at, self.rng)
        if "reverse" in self.modes:
            self.progress("reverse mode")
            self.gradients = [subject.reverse(subject.at, seed) for _, seed in self.seeds]
            if subject.space.size > directions.SINGLE:
                last = self.gradients[-1]
                tried.append(directions.balanced(subject.space, subject.at, last, self.rng))
        if "forward" in self.modes:
            self._allowed("forward", lambda: subject.forward(subject.at, tried[0].vector))
        for k, direction in enumerate(tried):
            self.progress(f"direction {k + 1} of {len(tried)}")
            self._along(direction)

    def _allowed(self, mode: str, work: Callable[[], object]) -> bool:
        """Whether a mode is not refused: then it is left out from now on."""
        try:
            work()
        except DerivativeError as error:
            if not self.lenient:
                raise
            self.report.refused[mode] = str(error).split("\n")[0]
            self.modes = tuple(m for m in self.modes if m != mode)
            return False
        return True

    def _along(self, direction: Direction) -> None:
        """One direction: differences of the result and of its weighings, against both modes."""
        subject, count = self.subject, self.subject.results.size
        weights = np.array([seed for _, seed in self.seeds])

        def both(at: Vector) -> Vector:
            value = subject.value(at)
            return np.concatenate([value, weights @ value])

        moved = self._moved(direction, both)
        self._complex_step(direction, moved, weights)
        slope = self._pushed(direction, moved, count) if "forward" in self.modes else None
        if self.gradients:
            self._pulled(direction, moved, count, slope)

    def _moved(self, direction: Direction, function: Callable[[Vector], Vector]) -> Moved:
        def at(t: float) -> Vector:
            self.progress(f"differences along {direction.label}")
            return function(self.subject.at + t * direction.vector)

        return Moved(at, self.fine)

    def _complex_step(self, direction: Direction, moved: Moved, weights: Vector) -> None:
        if self.report.complex_step.startswith("does not"):
            return
        exact, self.report.complex_step = complex_step.tried(self.subject, direction.vector, moved)
        if exact is not None:
            moved.exact = np.concatenate([exact, weights @ exact])

    def _pushed(self, direction: Direction, moved: Moved, count: int) -> Vector | None:
        """The tangent, if it agrees with differences."""
        subject, along = self.subject, direction.vector

        def forward() -> Vector:
            return subject.forward(self._nearby(), along)

        slope, told = subject.forward(subject.at, along), (_names(subject.results), direction)
        if self.comparer.compare("forward", moved, slice(0, count), slope, forward, told):
            return slope
        self.clues.append(Clue("forward", direction))
        return None

    def _pulled(self, direction: Direction, moved: Moved, count: int, slope: Vector | None) -> None:
        subject, along = self.subject, direction.vector

        def reverse() -> Vector:
            nearby = self._nearby()
            return np.array([subject.reverse(nearby, seed) @ along for _, seed in self.seeds])

        found = np.array([gradient @ along for gradient in self.gradients])
        told = [label for label, _ in self.seeds], direction
        if not self.comparer.compare("reverse", moved, slice(count, None), found, reverse, told):
            self.clues.append(Clue("reverse", direction))
        elif slope is not None:
            self._dot(direction, slope, found, reverse, moved)

    def _dot(
        self,
        direction: Direction,
        slope: Vector,
        found: Vector,
        reverse: Callable[[], Vector],
        moved: Moved,
    ) -> None:
        """⟨seed, J v⟩ = ⟨Jᵀ seed, v⟩, up to rounding."""
        right = (moved.estimate.value if moved.exact is None else moved.exact)[-len(found) :]
        along = direction.vector
        tally = self.report.compared.setdefault("forward against reverse", Tally())
        exact = max(DOT * self.eps, min(1e-4, 100.0 * _rounding(moved)))
        for k, (label, seed) in enumerate(self.seeds):
            with np.errstate(all="ignore"):
                pushed = float(seed @ slope)
                scale = np.abs(seed) @ np.abs(slope) + np.abs(self.gradients[k]) @ np.abs(along)
                apart, room = abs(pushed - found[k]), exact * scale + self.comparer.atol
            if apart > room:
                other = float(seed @ self.subject.forward(self._nearby(), along))
                room += NOISE * (abs(other - pushed) + abs(reverse()[k] - found[k]))
            tally.add(1, float(apart / scale) if scale > 0.0 and np.isfinite(apart) else 0.0)
            if apart > room:
                self._apart(label, direction, pushed, float(found[k]), float(right[k]), room)

    def _apart(
        self,
        label: str,
        direction: Direction,
        pushed: float,
        pulled: float,
        right: float,
        room: float,
    ) -> None:
        modes = [("forward", pushed), ("reverse", pulled)]
        (against, expected), (mode, found) = sorted(modes, key=lambda m: abs(m[1] - right))
        expected, room, found = (x / direction.unit for x in (expected, room, found))
        told = Mismatch(mode, label, direction.label, expected, room, found, f"{against} mode")
        self.report.mismatches.append(told)
        self.clues.append(Clue(mode, direction))

    def _nearby(self) -> Vector:
        """The point, each number off by two roundings."""
        signs = np.where(np.arange(self.subject.at.size) % 2, 1.0, -1.0)
        return self.subject.at * (1.0 + 2.0 * self.subject.space.eps * signs)

    # Second order ---------------------------------------------------------------------------

    def second_order(self) -> None:
        """Derivatives of the derivative against its differences."""
        subject = self.subject
        tried = directions.chosen(subject.space, subject.at, self.rng)
        size = directions.sizes(subject.space, subject.at)
        for direction in tried if len(tried) <= SECOND else tried[-2:]:
            other = directions.weights(subject.space.size, self.rng) * size
            work = functools.partial(self._twice, direction, other, *self.seeds[-1])
            if not self._allowed(subject.twice(self.modes), work):
                return

    def _twice(self, direction: Direction, other: Vector, label: str, seed: Vector) -> None:
        subject, along, name = self.subject, direction.vector, self.subject.twice(self.modes)
        names = [f"the derivative of {label} in {n}" for n in _names(subject.space)]
        if name == "reverse over reverse":
            names = [f"a random weighing of the gradient of {label}"]
        elif name == "forward over forward":
            names = [f"the derivative of {n}" for n in _names(subject.results)]

        def first(at: Vector) -> Vector:
            if name == "forward over forward":
                return subject.slope(at, other)
            gradient = subject.gradient(at, seed)
            return gradient if name == "forward over reverse" else np.array([gradient @ other])

        def second(at: Vector) -> Vector:
            if name == "forward over forward":
                return subject.forward_twice(at, other, along)
            if name == "forward over reverse":
                return subject.forward_over_reverse(at, seed, along)
            return np.array([subject.reverse_twice(at, seed, other) @ along])

        self.progress(name)
        found, moved = second(subject.at), self._moved(direction, first)
        told = names, direction
        nearby = lambda: second(self._nearby())  # noqa: E731
        if not self.comparer.compare(name, moved, slice(None), found, nearby, told):
            self.clues.append(Clue(name, direction, other))


def _rounding(moved: Moved) -> float:
    """The precision that the function works with, as its values show it."""
    size = np.max(np.abs(moved.center), initial=0.0)
    return float(np.max(moved.estimate.noise, initial=0.0) / size) if size > 0.0 else 0.0


def _names(space: Space) -> list[str]:
    return [directions.name(space, k) for k in range(min(space.size, SHOWN))]
