"""A call as a user spells it, in a function of its own, taken through both modes and back by differences.

Capital letters in the text are values: those of floats are the parameters of the function.
"""

from __future__ import annotations

import linecache
import math
import re
import statistics
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tests.rules.compiled import Program, close, confirm, given, is_float, listed, paired, slope

DRAW = np.random.default_rng(1)
SQUARE = DRAW.normal(size=(3, 3)) + 3.0 * np.eye(3)
VALUES: dict[str, Any] = {
    "X": 0.7,
    "Y": 1.3,
    "N": np.array(0.4),
    "E": np.zeros((0,)),
    "V": np.array([0.3, -1.2, 0.8]),
    "U": np.array([0.7, 0.4, -0.9, 1.6]),
    "W": np.array([0.5, 1.5, 1.1]),
    "M": DRAW.normal(size=(3, 4)),
    "K": DRAW.normal(size=(2, 4)),
    "R": DRAW.normal(size=(4, 2)),
    "S": DRAW.normal(size=(2, 3, 4)),
    "T": DRAW.normal(size=(2, 4, 3)),
    "A": SQUARE,
    "P": SQUARE @ SQUARE.T,
    "Q": np.stack([SQUARE, SQUARE.T + 1.0]),
    "H": np.array([[1.0, np.nan, 2.0], [0.5, 3.0, np.nan]]),
    "B": np.array([True, False, True]),
    "C": np.array([[True, False, True, True]]),
    "I": np.array([0, 2, 1]),
    "J": np.array([[0, 0, 3], [1, 1, 1], [2, 0, 2]]),
    "G": np.array([0.0, 0.5, 2.0]),
}


def check(text: str, second: bool = True) -> None:
    """Both modes against differences; with ``second`` both modes of the gradient as well."""
    program = Spelled(text)
    if second:
        confirm(program)
        return
    f, args = program.loss(), program.values
    wrt: Any = tuple(range(len(args))) if len(args) > 1 else 0
    draw = np.random.default_rng(5)
    v = [
        type(x)(draw.normal())
        if np.ndim(x) == 0 and not isinstance(x, np.ndarray)
        else np.asarray(draw.normal(size=np.shape(x)))
        for x in args
    ]
    expected = slope(lambda *xs: float(f(*xs)), args, v, 1e-6)
    close(paired(listed(tl.grad(f, wrt=wrt)(*args), wrt), v), expected, 2e-5)
    close(tl.jvp(f, wrt=wrt)(*args, tangent=given(v, wrt))[1], expected, 2e-5)


class Spelled(Program):
    """``def f(V, M): …`` round the call in a text."""

    def __init__(self, text: str) -> None:
        letters = dict.fromkeys(re.findall(r"\b[A-Z]\b", text))
        self.names = [n for n in letters if is_float(VALUES[n])]
        self.values = [VALUES[n] for n in self.names]
        self.scope = {n: VALUES[n] for n in letters if n not in self.names}
        self.call = text

    def _function(self, *lines: str) -> Callable[..., Any]:
        head = f"def f({', '.join(self.names)}):"
        text = "".join(f"{line}\n" for line in (head, *(f"    {line}" for line in lines)))
        name = f"<spelled {self.call} {len(linecache.cache)}>"
        linecache.cache[name] = (len(text), None, text.splitlines(True), name)
        scope = {"np": np, "math": math, "statistics": statistics, **self.scope}
        exec(compile(text, name, "exec"), scope)
        function: Callable[..., Any] = scope["f"]
        return function


def calls(texts: str) -> list[Any]:
    """The calls in a text, one on each line; the first of each function is taken to second order."""
    found, seen = [], set[str]()
    for line in filter(None, texts.splitlines()):
        name = line.partition("(")[0]
        found.append(pytest.param(line, name not in seen, id=line))
        seen.add(name)
    return found
