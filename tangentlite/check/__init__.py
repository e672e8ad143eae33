"""Derivatives against finite differences, against each other, and the statement at which they part.

In: a function and arguments.
Out: a ``Report``, or ``GradientMismatchError`` with one.
Next: subject, checking, locate.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tangentlite.check import locate
from tangentlite.check.checking import Checking
from tangentlite.check.comparing import Comparer
from tangentlite.check.nests import Space
from tangentlite.check.report import Report
from tangentlite.check.subject import Subject
from tangentlite.errors import GradientMismatchError
from tangentlite.progress import Progress

UNKNOWN = "No single statement is wrong by itself. Check the functions that it calls one by one."
BOTH = ("reverse", "forward")
MODES = {"reverse": "reverse", "rev": "reverse", "forward": "forward", "fwd": "forward"}


def check_grads(
    f: Any,
    args: Any,
    modes: Sequence[str] | str = BOTH,
    order: int = 2,
    *,
    kwargs: Mapping[str, Any] | None = None,
    wrt: Any = None,
    rtol: float | None = None,
    atol: float = 0.0,
    seed: int = 0,
) -> Report:
    """Compare the derivatives of ``f`` at ``args`` with finite differences, and the modes with each other.

    >>> print(check_grads(lambda x: np.sin(x) * x, (2.0,)))
    <lambda>, in x: the derivatives agree
    ...

    ``args``: a tuple of the arguments (or the only one); ``kwargs``: those that are passed by name.
    ``wrt``: what to differentiate in, by default every argument that holds floats.
    ``modes``: "reverse", "forward" or both. Where they are not given, forward mode is left out if it is refused.
    ``order``: 1, or 2 for second derivatives as well.
    ``rtol``: the relative difference that is allowed besides the estimated error of the differences.

    A difference raises ``GradientMismatchError``, which names the statement; its ``report`` has all numbers.
    """
    chosen = _modes(modes, order)
    subject = Subject(f, args if isinstance(args, tuple | list) else (args,), kwargs, wrt)
    report = Report(subject.name, subject.wrt, order)
    with Progress(f"checking {subject.name}") as progress:
        _begin(subject)
        comparer = Comparer(report, _tolerance(subject) if rtol is None else rtol, atol)
        checking = Checking(
            modes is BOTH, subject, comparer, chosen, np.random.default_rng(seed), progress
        )
        _work(checking, order)
    return report


def _work(checking: Checking, order: int) -> None:
    """All comparisons; the error if one fails."""
    began, report = time.monotonic(), checking.report
    checking.first_order()
    if order == 2 and report.ok:
        checking.second_order()
    report.evaluations, report.seconds = checking.subject.evaluations, time.monotonic() - began
    if not report.ok:
        raise _mismatch(checking)


def _modes(modes: Sequence[str] | str, order: int) -> tuple[str, ...]:
    """The modes by their long names."""
    if order not in (1, 2) or isinstance(order, bool):
        raise ValueError(f"order is 1 or 2, not {order!r}")
    given = (modes,) if isinstance(modes, str) else tuple(modes)
    for mode in given:
        if mode not in MODES:
            raise ValueError(f"{mode!r} is no mode: write 'reverse' or 'forward'")
    if not given:
        raise ValueError("modes is empty: name 'reverse', 'forward' or both")
    return tuple(dict.fromkeys(MODES[mode] for mode in given))


def _begin(subject: Subject) -> None:
    """Call the function twice: its result tells the form, and must be the same again."""
    first = subject.untouched()
    subject.results = Space(first)
    if not subject.results.size:
        raise TypeError(f"the result of {subject.name} holds no float: it has no derivative")
    value = subject.results.vector(first)
    if not np.array_equal(value, subject.value(subject.at), equal_nan=True):
        subject.share()
    if not np.array_equal(value, subject.value(subject.at), equal_nan=True):
        raise ValueError(
            f"{subject.name} gives another result when it is called again: it cannot be checked. "
            "Pass what it changes as an argument, and the random generator with a fixed seed."
        )
    subject.widen(value)


def _tolerance(subject: Subject) -> float:
    eps = max(subject.space.eps, subject.results.eps)
    return max(1e-7, 1e3 * eps)


def _message(report: Report) -> str:
    """All modes that are wrong, and the first numbers."""
    worst = report.mismatches[0]
    modes = dict.fromkeys(m.mode for m in report.mismatches)
    wrong = f"The derivative of `{report.function}` is wrong in {' and '.join(modes)} mode"
    return f"{wrong}.\n{worst}"


def _mismatch(checking: Checking) -> GradientMismatchError:
    """The error, with the first statement that is wrong."""
    report = checking.report
    checking.progress("looking for the statement")
    try:
        report.first = locate.first(checking.subject, checking.clues[0], checking.comparer.rtol)
    except Exception:  # the function cannot be taken apart: the error says what is known
        report.first = None
    message = _message(report)
    if report.first is None:
        error = GradientMismatchError(message, None, UNKNOWN)
    else:
        error = GradientMismatchError(message, report.first.place, "\n".join(report.first.lines()))
    error.report = report
    return error
