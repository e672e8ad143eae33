"""What ``functools.cached_property`` has kept stays, whatever in the file of the program changes what it was made of.

Each program has a file of its own: what the others do would tell that something changes.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.programs.strict import check

HEAD = """
import numpy as np
from functools import cached_property

class Inner:
    def __init__(self, s):
        self.s = s

def norm(p):
    return p.s ** 2

def touch(w, b):
    w[1] = b

class Model:
    def __init__(self, s):
        self.s = s

    @property
    def base(self):
        return self.s

    @cached_property
    def kept(self):
        return BODY

class Twice(Model):
    @property
    def base(self):
        return super().base * 2

def f(a, b):
    m = MADE
    before = m.kept
    WRITE
    return m.kept * b + before
"""
ARRAY, LIST = "np.array([a, 2 * a, 1.0])", "[a, b]"
PROGRAMS = {
    "a property above": ("np.sqrt(self.base)", "Twice(a)", "m.s = b"),
    "an item": ("np.sum(self.s ** 2)", f"Model({ARRAY})", "m.s[0] = b"),
    "an item of another name": ("np.sum(self.s ** 2)", f"Model({ARRAY})", "w = m.s; w[1] = b"),
    "in place": ("np.sum(self.s ** 2)", f"Model({ARRAY})", "w = m.s; w *= b"),
    "a method": ("np.sum(self.s ** 2)", f"Model({ARRAY})", "m.s.fill(b)"),
    "out": ("np.sum(self.s ** 2)", f"Model({ARRAY})", "np.multiply(m.s, b, out=m.s)"),
    "at": ("np.sum(self.s ** 2)", f"Model({ARRAY})", "np.add.at(m.s, [0, 0], b)"),
    "a helper": ("np.sum(self.s ** 2)", f"Model({ARRAY})", "touch(m.s, b)"),
    "append": ("sum(self.s)", f"Model({LIST})", "m.s.append(a * b)"),
    "a dict": ("self.s['k'] ** 2", "Model({'k': a})", "d = m.s; d['k'] = b"),
    "an inner object": ("self.s.s ** 2", "Model(Inner(a))", "p = m.s; p.s = b"),
    "asked by a helper": ("norm(self.s)", "Model(Inner(a))", "p = m.s; p.s = b"),
    "made again": ("self.s ** 2", "Model(a)", "m.__init__(b)"),
    "a dict of attributes": ("self.s ** 2", "Model(a)", "m.__dict__.update(s=b)"),
    "object": ("self.s ** 2", "Model(a)", "object.__setattr__(m, 's', b)"),
}
ABOVE = """
from functools import cached_property

class Model:
    def __init__(self, s):
        self.s = s

    @cached_property
    def kept(self):
        return self.s ** 2

class Sum(Model):
    @property
    def base(self):
        return self.s * 2

    @cached_property
    def kept(self):
        return super().kept + self.base

def f(a, b):
    m = Sum(a)
    before = m.kept
    m.s = 4.0 * b
    return m.kept * b + before
"""


def module(tmp_path: Path, text: str) -> Any:
    path = tmp_path / "kept_program.py"
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(f"kept_{tmp_path.name}", path)
    assert spec is not None
    assert spec.loader is not None
    found = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = found
    spec.loader.exec_module(found)
    return found


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_is_kept(tmp_path: Path, name: str) -> None:
    body, made, write = PROGRAMS[name]
    text = HEAD.replace("BODY", body).replace("MADE", made).replace("WRITE", write)
    # only what is asked for here may be in the file
    text = text if "touch" in write else text.replace("w[1] = b\n", "pass\n", 1)
    check(module(tmp_path, text).f, 0.7, 1.2, second=False)


def test_what_is_kept_of_a_class_above(tmp_path: Path) -> None:
    check(module(tmp_path, ABOVE).f, np.float64(0.7), 1.2, second=False)
