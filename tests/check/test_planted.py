"""Rules that are wrong on purpose: each is found, and its line is named."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import tangentlite as tl
from tangentlite import rules
from tests.check import planted

LINES = Path(planted.__file__).read_text().splitlines()


@pytest.fixture(autouse=True, scope="module")
def planted_rules() -> Iterator[None]:
    with rules.restored():
        planted.declare()
        yield


def marked(name: str) -> int:
    """The line that must be named for a program."""
    for number, line in enumerate(LINES, 1):
        if line.endswith(f"# wrong: {name}"):
            return number
    start = next(k for k, line in enumerate(LINES) if line.startswith(f"def {name}("))
    return next(k for k in range(start, len(LINES)) if LINES[k].endswith("# wrong")) + 1


def mismatch(f: Any, args: tuple[Any, ...], **options: Any) -> tl.GradientMismatchError:
    with pytest.raises(tl.GradientMismatchError) as caught:
        tl.check_grads(f, args, **options)
    return caught.value


@pytest.mark.parametrize("case", planted.CASES, ids=lambda case: case[0].__name__)
def test_the_line_is_named(case: Any) -> None:
    function, args, options = case
    error = mismatch(function, args, **options)
    first = error.report.first
    assert error.place == first.place
    assert (first.place.file, first.place.line) == (planted.__file__, marked(function.__name__))
    assert first.rule is not None
    assert not error.report.ok
    assert f'File "{planted.__file__}", line {first.place.line}' in str(error)
    assert first.rule.callee.split(".")[-1] in first.place.text[first.place.column :]


def test_what_is_said() -> None:
    text = str(mismatch(planted.loop, (0.7, 4)))
    assert "The derivative of `loop` is wrong in forward and reverse mode." in text
    assert "In `loop`: the derivative of `y` in x: forward mode gives 4.1089692" in text
    assert "differences give 12.326908 ±" in text
    assert "in `x`: it gives 3.494374, differences give 10.483122" in text

    assert "planted.py, line " in text


def test_the_run_of_a_loop_is_told() -> None:
    first = mismatch(planted.onlyrev, (planted.W,), modes="reverse").report.first
    assert (first.run, first.runs) == (1, 4)
    assert (first.mode, first.rule.parameter) == ("reverse", "x")


def test_helpers_tell_where_they_were_called() -> None:
    error = mismatch(planted.deep, (planted.W,))
    first = error.report.first
    assert first.function == "deep3"
    assert [place.text.strip() for place in first.via] == [
        "return np.sum(deep1(a))",
        "return deep2(x) * 2.0",
        "return deep3(y * 0.1)",
    ]
    assert str(error).count("Called from") == 3


def test_only_the_mode_that_is_wrong_is_blamed() -> None:
    reverse = mismatch(planted.onlyrev2, (planted.W,)).report
    assert {m.mode for m in reverse.mismatches} == {"reverse"}
    forward = mismatch(planted.onlyfwd, (planted.W,)).report
    assert {m.mode for m in forward.mismatches} == {"forward"}
    second = mismatch(planted.second, (planted.W,)).report
    assert {m.mode for m in second.mismatches} == {"forward over reverse"}
    assert tl.check_grads(planted.onlyrev2, (planted.W,), modes="forward").ok
    assert tl.check_grads(planted.onlyfwd, (planted.W,), modes="reverse").ok
    assert tl.check_grads(planted.second, (planted.W,), order=1).ok


@pytest.mark.parametrize(
    ("modes", "mode"),
    [("reverse", "reverse over reverse"), ("forward", "forward over forward")],
)
def test_second_order_in_one_mode(modes: str, mode: str) -> None:
    report = mismatch(planted.second, (planted.W,), modes=modes).report
    assert {m.mode for m in report.mismatches} == {mode}
    assert report.first.place.line == marked("second")
