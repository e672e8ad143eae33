"""Generated stencils: every mode agrees with differences.

A program that fails here is shown by ``python -m tests.properties.stencils --show SEED``; ``--reduce SEED`` makes it small.
"""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from tests.properties.faults import judge
from tests.properties.stencils import arguments, written

QUIET = {"deadline": None, "suppress_health_check": list(HealthCheck)}


def agree(seed: int) -> None:
    kind, text = judge(written(seed), arguments(seed), second=False)
    assert kind == "ok", f"seed {seed}: {kind} {text}"


@pytest.mark.parametrize("seed", range(12))
def test_few_programs(seed: int) -> None:
    agree(seed)


@pytest.mark.slow
@settings(max_examples=200, **QUIET)
@given(seed=st.integers(0, 10**9))
def test_many_programs(seed: int) -> None:
    agree(seed)
