"""How long each line takes, and what shapes the values have that it binds.

In: functions and arguments.
Out: seconds by file and line; shapes by file and line.
Next: page.

A trace function notes the time between two lines. A line that calls a function takes as long as the call.
"""

from __future__ import annotations

import ast
import copy
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator
from statistics import median
from time import perf_counter
from types import FrameType
from typing import Any

import numpy as np

from tangentlite.parsing import parsed
from tangentlite.reports.correspondence import Text
from tangentlite.runtime import ZERO
from tangentlite.values import field, mutable

Place = tuple[str, int]
Call = Callable[[], Any]
BUDGET, LEAST, MOST = 1.0, 3, 200  # seconds, and how many calls


@mutable
class Times:
    """``lines``: the median of what a line takes in one call; ``whole``: that of a call; ``calls``: how many."""

    lines: dict[Place, float] = field(default_factory=dict)
    whole: float = 0.0
    calls: int = 0


def timed(
    prepare: Callable[[], Call], files: Iterable[str], progress: Callable[[str], None]
) -> Times:
    """Time the lines of some files; ``prepare`` gives the call with fresh arguments."""
    known = frozenset(files)
    prepare()()
    runs: list[dict[Place, float]] = []
    wholes: list[float] = []
    spent = 0.0
    while len(runs) < LEAST or (spent < BUDGET and len(runs) < MOST):
        lines: dict[Place, float] = {}
        call = prepare()
        begin = perf_counter()
        with _Traced(_timer(known, lines)):
            call()
        wholes.append(perf_counter() - begin)
        spent += wholes[-1]
        runs.append(lines)
        progress(f"call {len(runs)} of {_expected(len(runs), spent)}")
        if wholes[0] > 10 * BUDGET:
            break
    places = set().union(*runs)
    found = {place: median([run.get(place, 0.0) for run in runs]) for place in places}
    return Times(found, median(wholes), len(runs))


def _expected(done: int, spent: float) -> int:
    return max(done, min(MOST, max(LEAST, round(done * BUDGET / max(spent, 1e-9)))))


class _Traced:
    """A trace function for a while; the one before comes back, a debugger's or that of coverage."""

    def __init__(self, trace: Any) -> None:
        self.trace, self.before = trace, sys.gettrace()

    def __enter__(self) -> None:
        sys.settrace(self.trace)

    def __exit__(self, *_: object) -> None:
        sys.settrace(self.before)


def _timer(files: frozenset[str], lines: dict[Place, float]) -> Any:
    """A trace function that adds up the time between the lines of these files."""

    def trace(frame: FrameType, event: str, arg: Any) -> Any:
        file = frame.f_code.co_filename
        if file not in files:
            return None
        last, since = frame.f_lineno, perf_counter()

        def line(frame: FrameType, event: str, arg: Any) -> Any:
            nonlocal last, since
            now = perf_counter()
            lines[file, last] = lines.get((file, last), 0.0) + now - since
            last, since = frame.f_lineno, perf_counter()
            return line

        return line

    return trace


def shapes(call: Call, texts: Iterable[Text]) -> dict[Place, str]:
    """What the lines of texts bind, in one call: ``y (3,) float64``."""
    bound = {place: names for text in texts for place, names in _bound(text)}
    files = {file for file, _ in bound}
    found: dict[Place, dict[str, str]] = {}

    def trace(frame: FrameType, event: str, arg: Any) -> Any:
        file = frame.f_code.co_filename
        if file not in files:
            return None
        last = -1

        def line(frame: FrameType, event: str, arg: Any) -> Any:
            nonlocal last
            for name in bound.get((file, last), ()):
                if name in frame.f_locals:
                    told = shape(frame.f_locals[name])
                    if told:
                        found.setdefault((file, last), {})[name] = told
            last = frame.f_lineno
            return line

        return line

    with _Traced(trace):
        call()
    return {p: ", ".join(f"{n} {t}" for n, t in names.items()) for p, names in found.items()}


def _bound(text: Text) -> Iterator[tuple[Place, list[str]]]:
    """The names that each line binds."""
    try:
        tree = parsed(textwrap.dedent(text.source))
    except SyntaxError:
        return
    for node in ast.walk(tree):
        if isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign)):
            names = [
                part.id
                for part in ast.walk(node)
                if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
            ]
            if names:
                yield (text.file, text.first + node.lineno - 1), names


def shape(value: Any) -> str:
    """The shape and the type of a number or an array.

    >>> shape(np.zeros((2, 3))), shape(1.0), shape("text")
    ('(2, 3) float64', 'float', '')
    """
    if value is ZERO:
        return "ZERO"
    if isinstance(value, (np.ndarray, np.generic)):
        return f"{value.shape} {value.dtype}" if value.ndim else str(value.dtype)
    if isinstance(value, (bool, int, float, complex)):
        return type(value).__name__
    if isinstance(value, (list, tuple, dict)):
        return f"{type(value).__name__} of {len(value)}"
    return ""


def caller(function: Callable[..., Any], args: Any, kwargs: Any) -> Call:
    """A call of a function with arguments of its own, copied now."""
    own, named = copy.deepcopy((args, kwargs))
    return lambda: function(*own, **named)
