"""``compile=numba.njit(cache=True)``: another process finds what this one compiled, unless a helper changed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("numba", reason="Numba is not installed: pip install tangentlite[numba]")
TEXT = """
import gc
import numba, numpy as np
import tangentlite as tl
from numba.core.dispatcher import Dispatcher

def half(a, b):
    b[1:-1] = {factor} * (a[:-2] + a[1:-1] * a[2:])

def loss(a, w):
    b = a.copy()
    half(a, b)
    half(b, a)
    return np.sum(a * a * w)

gradient = tl.grad(loss, compile=numba.njit(cache=True))
a, w = np.linspace(0.0, 1.0, 9), np.linspace(1.0, 2.0, 9)
np.testing.assert_allclose(gradient(a, w), tl.grad(loss)(a, w))
kernels = [o for o in gc.get_objects() if isinstance(o, Dispatcher) and o.__name__ == "dloss_da_kernel"]
print(*(sum(kernel.stats.cache_hits.values()) for kernel in kernels))
"""


def hits(folder: Path, factor: float) -> str:
    file = folder / "program.py"
    file.write_text(TEXT.format(factor=factor))
    environment = {
        **os.environ,
        "TANGENTLITE_CACHE_DIR": str(folder),
        "NUMBA_CACHE_DIR": str(folder),
    }
    environment["PYTHONPATH"] = os.pathsep.join(p for p in sys.path if p)
    run = subprocess.run(
        [sys.executable, str(file)], env=environment, capture_output=True, text=True, timeout=300
    )
    assert not run.returncode, run.stderr
    return run.stdout.strip()


@pytest.mark.slow
def test_a_second_process_compiles_nothing(tmp_path: Path) -> None:
    assert [hits(tmp_path, 0.3), hits(tmp_path, 0.3), hits(tmp_path, 0.4)] == ["0", "1", "0"]
