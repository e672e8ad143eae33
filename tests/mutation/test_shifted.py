"""A sum reads the adjoint of an array as it was before the array's own adjoint grew."""

from __future__ import annotations

import pytest

from tests.mutation import shifted
from tests.mutation.harness import CASES, confirm
from tests.mutation.registry import Case


@pytest.mark.parametrize(
    "case", [c for c in CASES if c.function.__module__ == shifted.__name__], ids=lambda c: c.name
)
def test_coefficients_have_derivatives_beside_the_array(case: Case) -> None:
    confirm(case, "several")
