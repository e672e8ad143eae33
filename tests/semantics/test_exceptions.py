"""SEMANTICS 5 and 7: a derivative raises what its function raises, where it raises it, and changes no argument."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tests.semantics.failing import PROGRAMS, TRACE, Program

DIRECTION = np.array([1.0, 0.5, -0.3])

# In these modes every statement stays; others may remove what no derivative needs.
EXACT: dict[str, Callable[..., Any]] = {
    "unoptimized": lambda f, *args: tl.grad(f, optimized=False)(*args),
    "value": lambda f, *args: tl.value_and_grad(f)(*args),
    "split": lambda f, *args: tl.vjp(f)(*args),
    "forward": lambda f, *args: tl.jvp(f)(*args, tangent=DIRECTION),
}
OTHERS: dict[str, Callable[..., Any]] = {
    "reverse": lambda f, *args: tl.grad(f)(*args),
    "twice": lambda f, *args: tl.vjp(tl.grad(f))(*args),
    "forward over reverse": lambda f, *args: tl.hvp(f)(args[0], DIRECTION, *args[1:]),
}


def name(program: Program) -> str:
    """The name of a program."""
    return program.function.__name__


def outcome(call: Callable[..., Any], *args: Any) -> tuple[Exception | None, list[int]]:
    """What a call raises, and how far it came."""
    TRACE.clear()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            call(*args)
    except Exception as fault:
        return fault, list(TRACE)
    return None, list(TRACE)


def raised(program: Program, mode: Callable[..., Any]) -> tuple[Any, Any, list[int], list[int]]:
    """What the function raises and what its derivative raises, with the traces of both."""
    expected, trace = outcome(program.function, *copy.deepcopy(program.args))
    assert expected is not None, "the program runs"
    args = copy.deepcopy(program.args)
    found, way = outcome(mode, program.function, *args)
    assert repr(args) == repr(program.args), "an argument was changed"
    return expected, found, trace, way


@pytest.mark.parametrize("mode", EXACT)
@pytest.mark.parametrize("program", [p for p in PROGRAMS if not p.refused], ids=name)
def test_the_derivative_raises_what_the_function_raises(program: Program, mode: str) -> None:
    expected, found, trace, way = raised(program, EXACT[mode])
    assert isinstance(found, type(expected))
    assert way == trace
    assert found.__context__ is None or type(found.__context__) is type(expected.__context__)


@pytest.mark.parametrize("mode", OTHERS)
@pytest.mark.parametrize("program", [p for p in PROGRAMS if not p.refused], ids=name)
def test_what_is_left_of_the_function_raises_the_same(program: Program, mode: str) -> None:
    expected, found, _, _ = raised(program, OTHERS[mode])
    second = mode != "reverse" and isinstance(found, tl.DerivativeError)
    assert found is None or second or isinstance(found, type(expected))


@pytest.mark.parametrize("mode", {**EXACT, **OTHERS})
@pytest.mark.parametrize("program", [p for p in PROGRAMS if p.refused], ids=name)
def test_what_is_refused_is_refused_by_name(program: Program, mode: str) -> None:
    _, found, _, _ = raised(program, {**EXACT, **OTHERS}[mode])
    assert isinstance(found, tl.DerivativeError)
    assert found.place is not None
    assert found.hint
