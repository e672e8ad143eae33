"""Gradients against differences whose steps shrink: a kink or a strong curvature near the point is no fault of the gradient."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.programs.strict import differences

STEPS = (2e-4, 5e-5, 1.25e-5)


def agrees(
    found: Any, f: Any, args: tuple[Any, ...], k: int, seed: list[float], rtol: float, atol: float
) -> None:
    """Every number of a gradient is that of the differences with one of the steps.

    Where it is with none, the differences must not have settled, as they have not with a jump or a kink between the steps. What
    they have settled to holds within as much as the last two differ.
    """
    tried = np.array([differences(f, args, k, seed, step=h) for h in STEPS])
    found = np.asarray(found)
    near = np.any(np.abs(tried - found) <= rtol * np.abs(tried) + atol, axis=0)
    last, apart = tried[-1], np.abs(tried[-1] - tried[-2])
    settled = apart <= 10 * rtol * np.abs(last) + atol
    judged = settled & ~near
    allowed = rtol * np.abs(last) + atol + 2 * apart
    wrong = judged & ~(np.abs(last - found) <= allowed)
    assert not wrong.any(), f"argument {k}: {found}, differences {tried.tolist()}"
