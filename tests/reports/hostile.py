"""A module whose words try to be markup, written to a file whose name tries, too."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import numpy as np

FILE = "<img src=x onerror=window.bad=1>.py"
TEXT = '''
import numpy as np

LABEL = "</script><script>window.bad=1</script>"
WEIGHT = 2.0


class Evil:
    def __repr__(self):
        return "</code></td><img src=x onerror=window.bad=1>"


def note(x, text="</title></style><svg onload=window.bad=1>"):
    return x * 1.0


def loss(x, tag):  # </span></pre><script>window.bad=1</script> \\u202e
    """</textarea><img src=x onerror="window.bad=1">"""
    ünïcode = x * WEIGHT  # --> ]]> &amp; <!--
    if "<b>" in LABEL and tag != "<i onclick='window.bad=1'>":
        ünïcode = note(ünïcode, "<img src=x onerror=window.bad=1>")
    z = np.sin(ünïcode) * {"</svg><img src=x onerror=window.bad=1>": 3.0}["</svg><img src=x onerror=window.bad=1>"]
    return np.sum(z)
'''


def module(folder: Path) -> Any:
    """The module, imported."""
    path = folder / FILE
    path.write_text(TEXT, encoding="utf-8")
    spec = importlib.util.spec_from_file_location("hostile_words", path)
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def arguments(made: Any) -> tuple[Any, ...]:
    return np.array([0.5, 1.0]), made.Evil()
