"""The calls of one statement, each checked by itself.

In: what was called, and with what.
Out: ``Culprit``: the call whose derivative is wrong, with its rule, or as a subject to look into.
Next: locate.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from types import CellType, FunctionType, MethodType
from typing import Any

import numpy as np

from tangentlite import rules
from tangentlite.check.checking import Checking, Clue
from tangentlite.check.comparing import Comparer
from tangentlite.check.first import Fault
from tangentlite.check.nests import Space, duplicate
from tangentlite.check.report import Report
from tangentlite.check.subject import Subject
from tangentlite.emit.module import load, register
from tangentlite.ir import Namespace
from tangentlite.progress import Progress
from tangentlite.runtime import stop_gradient
from tangentlite.values import immutable

Place = tuple[int, int]


@immutable(eq=False)
class Called:
    """A call: where it stands, what was called, with copies of the arguments."""

    place: Place
    callee: Any
    args: tuple[Any, ...]
    kwargs: dict[str, Any]


class Recorder:
    """Stands before the callee of each call of a statement; keeps those of one of its runs."""

    def __init__(self, run: int) -> None:
        self.run, self.now, self.calls = run, 1, list[Called]()

    def __call__(self, *given: Any, **kwargs: Any) -> Any:
        if not given:  # the statement is done
            self.now += 1
            return None
        place, callee, *args = given
        if self.now == self.run:
            kept = duplicate((_receiver(callee), args, kwargs))
            bound = _rebound(callee, kept[0])
            self.calls.append(Called(place, bound, tuple(kept[1]), kept[2]))
        return callee(*args, **kwargs)


def _receiver(callee: Any) -> Any:
    return callee.__self__ if isinstance(callee, MethodType) else None


def _rebound(callee: Any, receiver: Any) -> Any:
    return MethodType(callee.__func__, receiver) if isinstance(callee, MethodType) else callee


@immutable(eq=False)
class Culprit:
    """A call that is wrong by itself."""

    line: int
    column: int
    rule: Fault | None
    subject: Subject | None
    clue: Clue


def culprit(called: Sequence[Called], clue: Clue, rtol: float) -> Culprit | None:
    """The first call whose derivative is wrong in the mode of the clue."""
    for call in called:
        if call.callee is stop_gradient:
            fault = Fault("tl.stop_gradient", "", "", 0.0, 0.0, 0.0, meant=True)
            return Culprit(*call.place, fault, None, clue)
        try:
            found = _checked(call, clue, rtol)
        except Exception:  # a call that cannot be checked by itself: a type, a method of an array …
            continue
        if found is not None:
            return found
    return None


def _checked(call: Called, clue: Clue, rtol: float) -> Culprit | None:
    rule = rules.find(_hashable(call.callee))
    if rule is None and not isinstance(call.callee, FunctionType | MethodType):
        return None
    if rule is None:
        subject = Subject(call.callee, call.args, call.kwargs)
        clues = _clues(subject, clue, rtol)[1]
        return Culprit(*call.place, None, subject, clues[0]) if clues else None
    function, names = _calling(call)
    values = [*call.args, *call.kwargs.values()]
    for name, value in zip(names, values):
        if not Space(value).size:
            continue
        subject = Subject(function, tuple(values), wrt=name)
        report, clues = _clues(subject, clue, rtol)
        if clues:
            worst = report.mismatches[0]
            side = rule.forward if clue.mode == "forward" else rule.backward
            place = f"{rule.file}, line {side.tree.lineno if side else rule.line}"
            numbers = worst.expected, worst.error, worst.found
            fault = Fault(rule.called, place, _parameter(call, name), *numbers)
            fault.twice = clue.other is not None
            return Culprit(*call.place, fault, None, clues[0])
    return None


def _hashable(callee: Any) -> Any:
    return callee.__func__ if isinstance(callee, MethodType) else callee


def _clues(subject: Subject, clue: Clue, rtol: float) -> tuple[Report, list[Clue]]:
    """What is wrong about a call in the mode of a clue."""
    report = Report(subject.name, subject.wrt, 1)
    first = subject.call(subject.at)
    subject.results = Space(first)
    subject.widen(subject.results.vector(first))
    modes = [mode for mode in ("reverse", "forward") if mode in clue.mode]
    comparer = Comparer(report, rtol, 0.0)
    rng = np.random.default_rng(0)
    checking = Checking(False, subject, comparer, modes, rng, Progress(""))
    (checking.first_order if clue.other is None else checking.second_order)()
    return report, checking.clues


def _calling(call: Called) -> tuple[FunctionType, list[str]]:
    """A function that makes the call, whose parameters are the arguments."""
    names = [f"a{k}" for k in range(len(call.args))]
    given = [*names, *(f"{key}=named_{key}" for key in call.kwargs)]
    every = [*names, *(f"named_{key}" for key in call.kwargs)]
    text = f"def called({', '.join(every)}):\n    return callee({', '.join(given)})\n"
    space = Namespace({}, {"callee": CellType(call.callee)})
    (made,) = load(text, register(text, "called"), ["called"], [space])
    return made, every


def _parameter(call: Called, name: str) -> str:
    """What the callee calls its argument."""
    if name.startswith("named_"):
        return name.removeprefix("named_")
    try:
        known = list(inspect.signature(call.callee).parameters)
        return known[int(name[1:])]
    except (TypeError, ValueError, IndexError):
        return f"argument {int(name[1:]) + 1}"
