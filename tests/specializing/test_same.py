"""A specialized derivative gives what the derivative gives, bit for bit, and of the same types."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tests.golden import numbers
from tests.golden.case import read
from tests.golden.test_golden import CASES
from tests.kernels.corpus import Kernel, every_kernel
from tests.programs import test_calls, test_loops, test_regressions, test_shapes, test_stores  # noqa: F401
from tests.programs.strict import CASES as PROGRAMS

SAMPLE = [case for cases in PROGRAMS.values() for case in cases][::3]
KERNELS = list(every_kernel().values())[::4]


def same(found: Any, expected: Any) -> None:
    """Equal bits, types, shapes and dtypes."""
    assert type(found) is type(expected)
    if isinstance(expected, list | tuple):
        assert len(found) == len(expected)
        for f, e in zip(found, expected):
            same(f, e)
    elif isinstance(expected, dict):
        assert list(found) == list(expected)
        for key in expected:
            same(found[key], expected[key])
    elif isinstance(expected, np.ndarray):
        assert found.dtype == expected.dtype
        np.testing.assert_array_equal(found, expected)
    elif isinstance(expected, float | np.floating):
        assert found == expected or (np.isnan(found) and np.isnan(expected))


def compared(derivative: Any, args: tuple[Any, ...], **named: Any) -> None:
    """The call, or its error, of both; the arguments stay what they are."""
    try:
        special = tl.specialize(derivative, *args)
    except TypeError as fault:
        if "specialize() takes numbers" in str(fault):
            pytest.skip(str(fault))
        raise
    assert "# Specialized for" in special.source
    given = copy.deepcopy(args)
    try:
        expected = derivative(*copy.deepcopy(args), **named)
    except Exception as fault:
        with pytest.raises(type(fault)):
            special(*given, **named)
        return
    same(special(*given, **named), expected)
    same(given, args)


@pytest.mark.parametrize("path", CASES, ids=lambda p: p.stem)
def test_golden(path: Any) -> None:
    case = read(path)
    derivative = case.derive()
    if not hasattr(derivative, "primal"):
        pytest.skip("split motion")
    for point in numbers.points(case):
        named = {}
        if case.forward:
            extra = [p for p in derivative.__signature__.parameters if p not in case.names]
            steps = [numbers.direction(point[case.names.index(w)], 1.0) for w in case.wrt]
            named = dict(zip(extra, steps))
        compared(derivative, point, **named)


def gradient(function: Callable[..., Any], args: tuple[Any, ...]) -> Any:
    """In the first argument, of the sum of what the function gives."""
    try:
        return tl.grad(function)
    except tl.DerivativeError:
        pytest.skip("not differentiated")


@pytest.mark.parametrize("program", SAMPLE, ids=lambda c: c[0].__name__)
def test_programs(program: Any) -> None:
    function, args, _ = program
    compared(gradient(function, args), copy.deepcopy(tuple(args)))


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda k: k.name)
def test_kernels(kernel: Kernel) -> None:
    compared(gradient(kernel.function, kernel.fresh()), kernel.fresh())
