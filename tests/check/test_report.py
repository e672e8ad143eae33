"""What ``check_grads`` takes, gives back and says."""

from __future__ import annotations

import json
import math
import pickle
import random
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tangentlite import d, rules
from tangentlite.progress import Progress

W = np.arange(1.0, 5.0)


def square(x):
    return np.sum(x * x)


def scaled(x, w=2.0, *, n=3):
    return np.sum(w * x**n)


class Model:
    def __init__(self):
        self.w = np.array([0.5, 2.0])
        self.calls = 0

    def loss(self, x):
        self.calls += 1
        self.w *= 1.5
        return np.sum(self.w * x * x)


def test_the_report_is_read_as_text() -> None:
    report = tl.check_grads(square, (W,))
    lines = repr(report).split("\n")
    assert lines[0] == "square, in x: the derivatives agree"
    assert [line.split("  ")[1].strip() for line in lines[1:]] == [
        "forward",
        "reverse",
        "forward against reverse",
        "forward over reverse",
        "complex step",
    ]
    assert report.complex_step == "agrees with differences"
    assert report.evaluations > 10
    assert (report.function, report.wrt, report.order) == ("square", ("x",), 2)


def test_it_can_be_written_as_json() -> None:
    told = json.loads(json.dumps(tl.check_grads(square, (W,)).as_dict()))
    assert told["ok"]
    assert told["mismatches"] == []
    assert set(told["compared"]) >= {"forward", "reverse", "forward over reverse"}


@pytest.mark.parametrize(
    ("modes", "found"),
    [
        ("rev", {"reverse", "reverse over reverse"}),
        ("forward", {"forward", "forward over forward"}),
        (
            ("fwd", "reverse"),
            {"forward", "reverse", "forward against reverse", "forward over reverse"},
        ),
    ],
)
def test_modes(modes: Any, found: set[str]) -> None:
    assert set(tl.check_grads(square, (W,), modes).compared) == found


def test_first_order_alone() -> None:
    assert "forward over reverse" not in tl.check_grads(square, (W,), order=1).compared


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"modes": "sideways"}, ValueError, "'sideways' is no mode"),
        ({"modes": ()}, ValueError, "modes is empty"),
        ({"order": 3}, ValueError, "order is 1 or 2"),
        ({"wrt": "y"}, ValueError, "no parameter 'y'"),
    ],
)
def test_wrong_options(options: Any, error: type, words: str) -> None:
    with pytest.raises(error, match=words):
        tl.check_grads(square, (W,), **options)


def test_wrong_arguments() -> None:
    with pytest.raises(TypeError, match=r"square\(x\): too many positional arguments"):
        tl.check_grads(square, (W, 1.0))
    with pytest.raises(TypeError, match="a function is needed, not int"):
        tl.check_grads(3, (W,))
    with pytest.raises(ValueError, match="no argument holds a float"):
        tl.check_grads(square, ("text",))
    with pytest.raises(TypeError, match="holds no float"):
        tl.check_grads(lambda x: "text", (1.0,))


def test_arguments_by_name_and_the_only_one() -> None:
    report = tl.check_grads(scaled, (W,), kwargs={"n": 2})
    assert report.wrt == ("x", "w")
    assert tl.check_grads(scaled, W, wrt="w").wrt == ("w",)
    assert tl.check_grads(scaled, (W, 3.0), wrt=(0, "w")).wrt == ("x", "w")
    assert tl.check_grads(scaled, (3, 2.0), wrt="x").wrt == ("x",)


def test_nothing_of_the_caller_changes() -> None:
    model, x = Model(), np.array([1.0, 2.0])
    assert tl.check_grads(model.loss, (x,)).ok
    assert model.calls == 0
    np.testing.assert_array_equal(model.w, [0.5, 2.0])

    def writes(x, log):
        x[0] = 5.0 * x[1]
        log.append(1.0)
        return np.sum(x * x)

    log: list[float] = []
    assert tl.check_grads(writes, (x, log), wrt="x").ok
    np.testing.assert_array_equal(x, [1.0, 2.0])
    assert log == []


def test_random_numbers_and_output_leave_no_trace(capsys: pytest.CaptureFixture[str]) -> None:
    def noisy(x):
        print("seen")
        return np.sum(x * x) + 0.0 * float(random.random() > 2.0)

    np.random.seed(1)
    random.seed(1)
    before = np.random.get_state()[1].copy(), random.getstate()
    assert tl.check_grads(noisy, (W,), order=1).ok
    assert (np.random.get_state()[1] == before[0]).all()
    assert random.getstate() == before[1]
    assert capsys.readouterr() == ("", "")


def test_a_function_that_gives_something_else_each_time() -> None:
    calls = []

    def counted(x):
        calls.append(x)
        return x * len(calls)

    with pytest.raises(ValueError, match="another result when it is called again"):
        tl.check_grads(counted, (2.0,))


def test_the_exceptions_of_the_function_pass() -> None:
    def fails(x):
        return x / 0

    with pytest.raises(ZeroDivisionError):
        tl.check_grads(fails, (2.0,))


def test_a_derivative_stands_for_its_primal() -> None:
    report = tl.check_grads(tl.grad(scaled, wrt="w"), (W,))
    assert (report.function, report.wrt) == ("scaled", ("w",))


def test_forward_mode_is_left_out_only_if_nobody_asked_for_it() -> None:
    def cube(x):
        return x**3

    with rules.restored():

        @tl.adjoint(cube)
        def _(y, x):
            d[x] = 3.0 * x * x * d[y]

        def f(x):
            return np.sum(cube(x))

        report = tl.check_grads(f, (W,))
        assert "has an adjoint but no tangent" in report.refused["forward"]
        assert "refused: " in repr(report)
        assert set(report.compared) == {"reverse", "reverse over reverse"}
        with pytest.raises(tl.DerivativeError, match="no tangent"):
            tl.check_grads(f, (W,), ("reverse", "forward"), 1)
            tl.check_grads(f, (W,), modes=["forward"])


def test_the_tolerance_can_be_chosen() -> None:
    def nearly(x):
        return x * x

    with rules.restored():

        @tl.adjoint(nearly)
        def _(y, x):
            d[x] = 2.0002 * x * d[y]

        def f(x):
            return nearly(x)

        with pytest.raises(tl.GradientMismatchError):
            tl.check_grads(f, (2.0,), "reverse", 1)
        assert tl.check_grads(f, (2.0,), "reverse", 1, rtol=1e-3).ok


def test_kinks_and_what_is_not_decided_are_told() -> None:
    report = tl.check_grads(lambda x: np.sum(np.abs(x)), (np.array([0.0, 1.0]),), order=1)
    assert report.kinks == ["the result in x[0]", "the result in a random direction"]
    assert "at a kink" in repr(report)
    report = tl.check_grads(lambda x: np.sum(x**1.5), (np.array([0.0]),), order=1)
    assert report.undecided
    assert "cannot be judged here" in repr(report)


def test_a_slope_outside_a_kink_is_wrong() -> None:
    def ramp(x):
        return np.maximum(x, 0.0)

    with rules.restored():

        @tl.adjoint(ramp)
        def _(y, x):
            d[x] = 1.5 * d[y]

        with pytest.raises(tl.GradientMismatchError):
            tl.check_grads(lambda x: np.sum(ramp(x)), (np.zeros(2),), "reverse", 1)


def test_the_error_travels() -> None:
    def cube(x):
        return x**3

    with rules.restored():

        @tl.adjoint(cube)
        def _(y, x):
            d[x] = d[y]

        with pytest.raises(tl.GradientMismatchError) as caught:
            tl.check_grads(lambda x: cube(x), (2.0,), "reverse")
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value)
    assert again.report.mismatches[0].found == 1.0
    assert math.isclose(again.report.mismatches[0].expected, 12.0)


def test_stopped_gradients_are_named() -> None:
    def stopped(x):
        y = x * x
        return tl.stop_gradient(y) * x

    with pytest.raises(tl.GradientMismatchError, match="changes the derivative on purpose"):
        tl.check_grads(stopped, (2.0,))


def test_progress_is_for_terminals(monkeypatch: pytest.MonkeyPatch) -> None:
    import io
    import sys

    class Terminal(io.StringIO):
        def isatty(self):
            return True

    monkeypatch.setattr("tangentlite.progress.PATIENCE", 0.0)
    monkeypatch.setattr(sys, "stderr", screen := Terminal())
    assert tl.check_grads(square, (W,)).ok
    assert "checking square: " in screen.getvalue()
    assert screen.getvalue().endswith("\r")
    assert "\n" not in screen.getvalue()
    monkeypatch.setattr(sys, "stderr", silent := io.StringIO())
    with Progress("working") as progress:
        progress("nothing")
    assert silent.getvalue() == ""


def lopsided(x):
    return x * x


@tl.adjoint(lopsided)
def lopsided_adjoint(y, x):
    d[x] = x * d[y]


def test_the_rule_of_the_function_itself() -> None:
    with pytest.raises(tl.GradientMismatchError, match="The rule of `.*lopsided`"):
        tl.check_grads(lopsided, (3.0,), modes="rev", order=1)
