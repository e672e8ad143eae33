"""Functions with text, made on the spot."""

from __future__ import annotations

import linecache
import textwrap
import types
from typing import Any

import numpy as np
import pytest

COUNT = iter(range(10**9))


def define(text: str, file: str | None = None, **space: Any) -> Any:
    """The last function that ``text`` defines."""
    text = textwrap.dedent(text).lstrip("\n")
    file = file or f"<frontend test {next(COUNT)}>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    names = {"np": np, **space}
    exec(compile(text, file, "exec"), names)
    return [v for v in names.values() if isinstance(v, types.FunctionType)][-1]


@pytest.fixture(name="define")
def _define() -> Any:
    return define
