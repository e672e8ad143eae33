"""The kernels: gradients, pullbacks, tangents and second derivatives against finite differences."""

from __future__ import annotations

import pytest

import tangentlite as tl
from tests.kernels.corpus import Kernel, every_kernel
from tests.kernels.harness import MODES, check
from tests.turns import every_other, slow

OTHERS = [mode for mode in MODES if mode != "reverse"]
REFUSALS = (tl.UnsupportedSyntaxError, tl.MissingRuleError)


def cases(mode: str) -> list[object]:
    """The kernels with readable ids; a gap is expected to be refused."""
    found = []
    for k, (name, kernel) in enumerate(every_kernel().items()):
        late = every_other(k) if mode == "reverse" else slow(k, mode, OTHERS)
        marks = [pytest.mark.slow] if late else []
        if kernel.gap and mode != "differences":
            reason = f"not supported yet: {kernel.gap}"
            marks.append(pytest.mark.xfail(raises=REFUSALS, reason=reason))
        found.append(pytest.param(kernel, mode, id=f"{name}-{mode}", marks=marks))
    return found


@pytest.mark.parametrize(("kernel", "mode"), [case for mode in MODES for case in cases(mode)])
def test_kernel(kernel: Kernel, mode: str) -> None:
    check(kernel, mode)
