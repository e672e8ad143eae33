"""Files for kernels that a compiler keeps on disk: ``numba.njit(cache=True)`` wants one that stays.

In: the text of a kernel, and those of the helpers that it calls.
Out: the path of a file, the same for the same texts.
Next: workshop.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numba
import numpy as np

FOLDER, OTHER = "TANGENTLITE_CACHE_DIR", "NUMBA_CACHE_DIR"
WANTS_A_FILE = "no locator available"


def kept(
    compiler: Callable[..., Any], make: Callable[[str], Any], file: str, texts: Iterable[str]
) -> Any:
    """What ``compiler`` makes of the function that ``make`` gives for a file: a real one if it wants that."""
    try:
        return compiler(make(file))
    except RuntimeError as fault:
        if WANTS_A_FILE not in str(fault):
            raise
    return compiler(make(written(list(texts))))


def written(texts: list[str]) -> str:
    """The file of the last text, which depends on the others, and on what is compiled into it from here."""
    beside = [
        path.read_text(encoding="utf-8") for path in sorted(Path(__file__).parent.rglob("*.py"))
    ]
    parts = [numba.__version__, np.__version__, *beside, *texts]
    name = hashlib.sha256("\n\n".join(parts).encode()).hexdigest()[:24]
    path = folder() / f"kernel_{name}.py"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_suffix(f".{os.getpid()}")
        unfinished.write_text(texts[-1] + "\n", encoding="utf-8")
        unfinished.replace(path)
    return str(path)


def folder() -> Path:
    """Where files are kept."""
    for name in (FOLDER, OTHER):
        if os.environ.get(name):
            return Path(os.environ[name]) / "tangentlite"
    around = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(around) / "tangentlite"
