"""The adjoints by hand are those of the compiler; nothing here is timed."""

from __future__ import annotations

import copy

import numpy as np
import pytest

from tests.bench.against_hand import every_case

CASES = every_case()


@pytest.mark.parametrize("name", CASES)
def test_the_compiler_agrees_with_the_adjoint_by_hand(name: str) -> None:
    made = CASES[name]
    before = copy.deepcopy(made.small)
    found, expected = (f(*copy.deepcopy(before)) for f in (made.gradient(), made.by_hand))
    pairs = zip(found, expected) if isinstance(found, tuple) else [(found, expected)]
    for mine, by_hand in pairs:
        np.testing.assert_allclose(mine, by_hand, rtol=1e-12, atol=1e-12)
