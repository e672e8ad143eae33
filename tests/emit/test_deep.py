"""Blocks in blocks: more than Python reads are refused."""

from __future__ import annotations

import linecache
from typing import Any

import numpy as np
import pytest

import tangentlite as tl


def chain(length: int) -> Any:
    lines = ["def f(x, k):", "    if k == 0:", "        y = x"]
    for k in range(1, length):
        lines += [f"    elif k == {k}:", f"        y = x * {k}.0 + np.sin(x)"]
    text = "\n".join([*lines, "    else:", "        y = x * x", "    return np.sum(y * y)", ""])
    file = f"<a chain of {length}>"
    linecache.cache[file] = len(text), None, text.splitlines(keepends=True), file
    space: dict[str, Any] = {"np": np}
    exec(compile(text, file, "exec"), space)
    return space["f"]


def test_long_chains_of_branches() -> None:
    assert tl.grad(chain(90))(3.0, 500) == 108.0


def test_a_chain_that_is_too_long_is_refused() -> None:
    with pytest.raises(tl.UnsupportedSyntaxError, match="hundred blocks in each other"):
        tl.grad(chain(120))(3.0, 0)
