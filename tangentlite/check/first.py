"""The statement at which a derivative goes wrong, as it is told.

In: what the search found.
Out: ``First``: text, and JSON.
Next: locate.
"""

from __future__ import annotations

from typing import Any

from tangentlite.check.report import number, times, uncertain
from tangentlite.errors import Place
from tangentlite.values import field, mutable, replace


@mutable
class Fault:
    """A rule that is wrong: whose, where it stands, in which parameter, and the numbers that show it."""

    callee: str
    place: str
    parameter: str
    expected: float
    error: float
    found: float
    meant: bool = False
    twice: bool = False

    def __str__(self) -> str:
        if self.meant:
            return f"`{self.callee}` changes the derivative on purpose: leave it out to check the rest."
        what = "second derivative, which the lines of the rule have," if self.twice else "rule"
        told = f"The {what} of `{self.callee}` ({self.place}) is wrong in `{self.parameter}`: "
        told += f"it gives {number(self.found)}, differences give {number(self.expected)}"
        return told + uncertain(self.error) + times(self.found, self.expected)


@mutable
class First:
    """The first statement whose derivative is wrong."""

    place: Place
    statement: str
    function: str
    variable: str
    run: int
    runs: int
    mode: str
    along: str
    expected: float
    error: float
    found: float
    rule: Fault | None = None
    via: list[Place] = field(default_factory=list)

    def column(self, line: int, column: int) -> None:
        """Point at a call of the statement."""
        if line == self.place.line:
            self.place = replace(self.place, column=column)

    def lines(self) -> list[str]:
        """What is to be said about it, beside the place."""
        run = f", run {self.run} of {self.runs}" if self.runs > 1 else ""
        what = "second derivative" if " over " in self.mode else "derivative"
        told = f"In `{self.function}`{run}: the {what} of `{self.variable}` in {self.along}: "
        told += f"{self.mode} mode gives {number(self.found)}, "
        told += f"differences give {number(self.expected)}{uncertain(self.error)}"
        lines = [told + times(self.found, self.expected)]
        lines += [f"Called from {p.file}, line {p.line}: {p.text.strip()}" for p in self.via[::-1]]
        if self.rule is not None:
            lines.append(str(self.rule))
        return lines

    def as_dict(self) -> dict[str, Any]:
        """The statement as JSON has it."""
        told: dict[str, Any] = {name: getattr(self, name) for name in self.__match_args__}
        told["place"] = _place(self.place)
        told["via"] = [_place(p) for p in self.via]
        told["rule"] = None if self.rule is None else vars(self.rule)
        return told


def _place(place: Place) -> dict[str, Any]:
    return {"file": place.file, "line": place.line, "column": place.column, "text": place.text}
