"""Which lines belong together: known from the compiler, not guessed from the text."""

from __future__ import annotations

import importlib.util
import inspect
from pathlib import Path

import numpy as np
import pytest

import tangentlite as tl
from tangentlite.reports.study import of_units, study
from tests.reports import programs

CASES = sorted((Path(__file__).parent.parent / "golden" / "cases").glob("*.py"))


def table(f, wrt=0, arguments=None):
    """Each generated line with the texts of the lines behind it."""
    found = study(f, wrt, arguments)
    said = {
        (t.file, t.first + k): line.strip() for t in found.primal for k, line in enumerate(t.lines)
    }
    return [
        (line.strip(), {said[place] for place in behind if place in said})
        for text in found.derivative
        for line, behind in zip(text.lines, text.behind)
    ]


def behind(rows, line):
    return set().union(*(said for text, said in rows if text == line))


def test_statements_of_both_sweeps_have_the_line_they_came_from() -> None:
    rows = table(programs.mlp, "w")
    assert behind(rows, "y = np.tanh(x @ w)") == {"y = np.tanh(x @ w)"}
    assert behind(rows, "br = 2.0 * by_1 * r") == {"return np.sum(r * r)"}
    assert behind(rows, "bw = rt.matmul_right(by * (1.0 - y * y), x, w)") == {"y = np.tanh(x @ w)"}
    assert behind(rows, "return rt.like(bw, w)") == {"def mlp(w, x, t):"}


def test_tapes_and_branches() -> None:
    rows = table(programs.branches)
    assert behind(rows, "tape.append((y_2, taken))") == {"for i in range(n):", "if np.sum(y) > 0:"}
    assert behind(rows, "bx = bx + by * z") == {"y = z * x"}
    assert behind(rows, "by = by * x * np.cos(y)") == {"y = np.sin(y) * x"}


def test_helpers_and_methods_keep_their_own_lines() -> None:
    rows = table(programs.whole)
    assert behind(rows, "ba, bb = helper_backward(saved, by)") == {
        "y = helper(y,",
        "x)  # fmt: skip",
    }
    assert behind(rows, "bc = by * np.cos(c)") == {"return np.sin(c)"}
    assert behind(rows, "vars(p)['last'] = t6") == {"self.last = x * self.w", "y = p.scale(y)"}


def test_forward_mode_and_second_order() -> None:
    units = [tl.autodiff(programs.mlp, "w", mode="forward"), tl.grad(tl.grad(programs.mlp))]
    for derivative in units:
        derivative._ready()
        primal, texts = of_units(derivative._units)
        own = {(t.file, t.first + k) for t in primal for k in range(len(t.lines))}
        known = [b & own for text in texts for b in text.behind]
        assert sum(map(bool, known)) > 0.7 * len(known)


@pytest.mark.parametrize("path", CASES, ids=lambda p: p.stem)
def test_comments_name_the_line_behind_what_stands_below(path: Path) -> None:
    spec = importlib.util.spec_from_file_location(f"case_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    f = getattr(module, module.REQUEST.get("of", "f"))
    if not inspect.isfunction(f):
        f = f.primal if hasattr(f, "primal") else f
    rows = table(f, module.REQUEST.get("wrt", 0))
    checked = 0
    for (line, said), (below, said_below) in zip(rows, rows[1:]):
        if line.startswith("# Grad of: ") and len(line) < 70:
            words = line.removeprefix("# Grad of: ").split(" ")[0]
            assert said, line
            assert any(words in text for text in said), (line, said)
            assert said <= said_below, (line, below)
            checked += 1
    assert checked or not any(line.startswith("# Grad of") for line, _ in rows)


def test_nearly_every_line_has_a_counterpart() -> None:
    rows = [row for row in table(programs.whole) if row[0] and not row[0].startswith("#")]
    bare = [line for line, said in rows if not said and line != "else:"]
    assert not bare


def test_written_for_the_arguments_where_there_is_no_text_for_all() -> None:
    p = {"w": np.array([1.0, 2.0]), "b": 0.5}
    rows = table(programs.in_dict, "p", ((p, np.array([3.0, 4.0])), {}))
    assert any(said == {'return np.sum(p["w"] * x) + p["b"]'} for _, said in rows)
