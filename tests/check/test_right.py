"""Derivatives that are right raise no alarm, whatever the program and its numbers are like."""

from __future__ import annotations

from typing import Any

import pytest

import tangentlite as tl
from tests.check import right


@pytest.mark.parametrize(
    ("function", "args"), right.CASES, ids=lambda v: getattr(v, "__name__", "")
)
def test_no_alarm(function: Any, args: Any) -> None:
    report = tl.check_grads(function, args)
    assert report.ok
    assert not report.refused
    assert sum(tally.count for tally in report.compared.values()) > 0
    assert all(tally.largest < 2e-2 for tally in report.compared.values())
    if function not in (right.at_a_kink, right.one_sided):
        assert len(report.undecided) <= 2
        assert not report.kinks
