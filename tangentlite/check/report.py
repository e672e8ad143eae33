"""What a check found: how far the modes are apart, and what could not be judged.

In: comparisons.
Out: ``Report``, whose text is meant to be read; ``Mismatch``.
Next: locate.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tangentlite.values import field, immutable, mutable


@immutable(eq=False)
class Mismatch:
    """Two numbers that should be one: ``mode`` gave ``found``; ``expected`` is right up to ``error``.

    ``of`` names the entry of the result, ``along`` what was moved.
    """

    mode: str
    of: str
    along: str
    expected: float
    error: float
    found: float
    against: str = "finite differences"

    def __str__(self) -> str:
        """
        >>> print(Mismatch("reverse", "the result", "w[0]", 2.0, 1e-9, -2.0))
        reverse: the result in w[0]: found -2, finite differences give 2 ± 1e-09 (-1 times)
        """
        told = f"{self.mode}: {self.of} in {self.along}: found {number(self.found)}, "
        told += f"{self.against} give {number(self.expected)}"
        return told + uncertain(self.error) + times(self.found, self.expected)


def number(x: float) -> str:
    """A number as it is told."""
    return f"{x:.8g}"


def uncertain(error: float) -> str:
    """How far a number may be off."""
    return f" ± {error:.0e}" if error > 0.0 else ""


def times(found: float, expected: float) -> str:
    """What one is of the other, if it is a simple multiple.

    >>> times(4.0, 2.0), times(1.0, 3.0), times(0.0, 3.0)
    (' (2 times)', '', '')
    """
    if not (np.isfinite(found) and np.isfinite(expected)) or expected == 0.0:
        return ""
    ratio = found / expected
    for simple in (-1.0, 2.0, -2.0, 0.5, -0.5, 3.0, 4.0, 10.0):
        if abs(ratio - simple) < 1e-5 * abs(simple):
            return f" ({simple:g} times)"
    return ""


@mutable
class Tally:
    """The comparisons of one mode: how many, and the largest relative difference."""

    count: int = 0
    largest: float = 0.0

    def add(self, count: int, largest: float) -> None:
        """Count some comparisons."""
        self.count += count
        self.largest = max(self.largest, largest)


AGREE = "the derivatives agree"


@mutable
class Findings:
    """The fields of a report."""

    function: str
    wrt: tuple[str, ...]
    order: int
    compared: dict[str, Tally] = field(default_factory=dict)
    mismatches: list[Mismatch] = field(default_factory=list)
    kinks: list[str] = field(default_factory=list)
    undecided: list[str] = field(default_factory=list)
    refused: dict[str, str] = field(default_factory=dict)
    complex_step: str = ""
    evaluations: int = 0
    seconds: float = 0.0
    first: Any = None


class Report(Findings):
    """What ``check_grads`` found; its text says it.

    ``compared`` has a ``Tally`` for each mode; ``kinks`` and ``undecided`` say where the derivative jumps, and where
    differences could not tell it; ``complex_step`` whether it applies; ``refused`` which modes there are
    not, and why; ``first`` the statement that is wrong.
    """

    @property
    def ok(self) -> bool:
        """Whether all that could be judged agrees."""
        return not self.mismatches

    @property
    def verdict(self) -> str:
        """What all comparisons together say."""
        if not self.ok:
            return "the derivatives are wrong"
        unjudged = [mode for mode, tally in self.compared.items() if not tally.count]
        return f"{' and '.join(unjudged)} mode cannot be judged here" if unjudged else AGREE

    def __repr__(self) -> str:
        lines = [f"{self.function}, in {', '.join(self.wrt)}: {self.verdict}"]
        for mode, tally in self.compared.items():
            lines.append(f"  {mode:24} {tally.count:6} compared, apart by {tally.largest:.1e}")
        lines += [f"  {mode:24} refused: {why}" for mode, why in self.refused.items()]
        if self.complex_step:
            lines.append(f"  {'complex step':24} {self.complex_step}")
        lines += [f"  {mismatch}" for mismatch in self.mismatches[:5]]
        lines += _some("at a kink (any slope between those of its sides is right)", self.kinks)
        lines += _some("not decided (differences do not settle)", self.undecided)
        return "\n".join(lines)

    def as_dict(self) -> dict[str, Any]:
        """The report as JSON has it."""
        return {
            "function": self.function,
            "wrt": list(self.wrt),
            "order": self.order,
            "ok": self.ok,
            "compared": {
                m: {"count": t.count, "largest": t.largest} for m, t in self.compared.items()
            },
            "mismatches": [dict(zip(m.__match_args__, _fields(m))) for m in self.mismatches],
            "refused": self.refused,
            "kinks": self.kinks,
            "undecided": self.undecided,
            "complex_step": self.complex_step,
            "evaluations": self.evaluations,
            "seconds": round(self.seconds, 3),
            "first": None if self.first is None else self.first.as_dict(),
        }


def _fields(mismatch: Mismatch) -> list[Any]:
    return [getattr(mismatch, name) for name in mismatch.__match_args__]


def _some(title: str, found: list[str]) -> list[str]:
    if not found:
        return []
    more = f" and {len(found) - 3} more" if len(found) > 3 else ""
    return [f"  {title}: {', '.join(found[:3])}{more}"]
