"""What was found beside what it should be, written into a report.

In: estimates, numbers that were found, their names.
Out: tallies, mismatches, kinks and what is undecided, in the report.
Next: checking.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from tangentlite.check.differences import WIDER, Estimate, derivative
from tangentlite.check.directions import Direction
from tangentlite.check.judging import Verdict, judged
from tangentlite.check.nests import Vector
from tangentlite.check.report import Mismatch, Report, Tally
from tangentlite.values import mutable, replace

NOISE = 20.0
EXACT = 1e-8  # a complex step that is so near confirms
SHOWN = 1000


class Moved:
    """A function of one number, and its derivative at zero, estimated as often as needed."""

    def __init__(self, function: Callable[[float], Vector], eps: float) -> None:
        self.function, self.eps = function, eps
        self.center, self.estimate = function(0.0), derivative(function, eps)
        self.exact: Vector | None = None  # by the complex step
        self._wide: Estimate | None = None

    def wider(self, where: slice) -> Estimate:
        """What longer steps tell: where numbers are nearly zero they may confirm, but they see too far to accuse."""
        if self._wide is None:
            self._wide = derivative(self.function, self.eps, WIDER)
        return self._wide.part(where)

    def part(self, where: slice) -> Estimate:
        """The estimate of some entries."""
        return self.estimate.part(where)


@mutable
class Comparer:
    """Compares, and keeps the report."""

    report: Report
    rtol: float
    atol: float

    def compare(
        self,
        mode: str,
        moved: Moved,
        where: slice,
        found: Vector,
        again: Callable[[], Vector],
        told: tuple[Sequence[str], Direction],
    ) -> bool:
        """Whether what was found agrees. ``again`` finds it at a point nearby, ``told`` names entries and direction."""
        verdict = judged(moved.part(where), found, self.rtol, self.atol)
        if verdict.undecided.any():
            wide = judged(moved.wider(where), found, self.rtol, self.atol)
            unsure = verdict.undecided & (wide.wrong | wide.undecided)
            verdict = replace(verdict, undecided=unsure)
        if verdict.wrong.any():
            with np.errstate(all="ignore"):
                noise = np.nan_to_num(np.abs(again() - found))
            verdict = judged(moved.part(where), found, self.rtol, self.atol + NOISE * noise)
        verdict = _confirmed(verdict, moved, where, found)
        self._note(mode, moved.part(where), found, verdict, told)
        return not verdict.wrong.any()

    def _note(
        self,
        mode: str,
        estimate: Estimate,
        found: Vector,
        verdict: Verdict,
        told: tuple[Sequence[str], Direction],
    ) -> None:
        names, along = told
        tally = self.report.compared.setdefault(mode, Tally())
        tally.add(int(np.sum(~verdict.undecided)), verdict.largest)
        for k in np.flatnonzero(verdict.wrong)[:3]:
            value, error, given = (
                float(x[k]) / along.unit for x in (estimate.value, estimate.error, found)
            )
            wrong = Mismatch(mode, _name(names, k), along.label, value, error, given)
            self.report.mismatches.append(wrong)
        for entries, kept in (
            (estimate.kink & ~verdict.wrong, self.report.kinks),
            (verdict.undecided, self.report.undecided),
        ):
            for k in np.flatnonzero(entries)[:3]:
                text = f"{_name(names, k)} in {along.label}"
                if text not in kept:
                    kept.append(text)


def _name(names: Sequence[str], k: int) -> str:
    return names[k] if k < len(names) else f"entry {k}"


def _confirmed(verdict: Verdict, moved: Moved, where: slice, found: Vector) -> Verdict:
    """What differences could not tell, and a complex step confirms, is decided."""
    if moved.exact is None or not verdict.undecided.any():
        return verdict
    exact = moved.exact[where]
    near = np.abs(found - exact) <= EXACT * np.abs(exact)
    return replace(verdict, undecided=verdict.undecided & ~near)
