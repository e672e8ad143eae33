"""The workloads: the gradients by hand are those of the compiler, and the text costs what it shall; nothing is timed."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.bench import page, peers, reporting
from tests.bench.comparing import BY_HAND, OWN, Row, arrays, compare
from tests.bench.workloads import IN_PLACE, NAMES


def workload(name: str) -> Any:
    return importlib.import_module(f"tests.bench.workloads.{name}")


@pytest.mark.parametrize("name", NAMES + IN_PLACE)
def test_the_compiler_agrees_with_the_gradient_by_hand(name: str) -> None:
    work = workload(name)
    args = work.arguments(work.SIZES[0])
    found, expected = arrays(peers.compiled(work)(*args)), arrays(work.by_hand(*args))
    for mine, by_hand in zip(found, expected, strict=True):
        np.testing.assert_allclose(mine, by_hand, rtol=1e-9, atol=1e-11)


# How often a word may stand in the generated source: helpers are calls, pushes and arrays of zeros cost time.
COSTS = {
    "cube": {"rt.": 3, "append": 0},
    "while_loop": {"append": 1, "append((": 0},
    "sine_loop": {"append": 1},
    "perceptron": {
        **dict.fromkeys(("shares", "zeros", "append", "unreduce", "rt.times", "= np.log("), 0)
    },
    "recurrent": {"append": 1, "bw = bw": 0, "bu = bu": 0},
    "logsumexp": {
        **dict.fromkeys(("shares", "spread", "unbroadcast", "unreduce", "zeros", "append"), 0),
        **dict.fromkeys(("rt.times", "quotient", "= np.log("), 0),
    },
    "rosenbrock": {"spread": 0, "unbroadcast": 0, "zeros": 1, "append": 0, "+=": 0, "-=": 1},
    "mixture": {"shares": 0, "spread": 0},
}


@pytest.mark.parametrize(("name", "word"), [(n, w) for n, words in COSTS.items() for w in words])
def test_the_text_costs_no_more_than_it_did(name: str, word: str) -> None:
    assert peers.compiled(workload(name)).source.count(word) <= COSTS[name][word]  # type: ignore[attr-defined]


def test_a_comparison() -> None:
    work = workload("rosenbrock")
    rows = compare(work, 10, [])
    assert [row.name for row in rows[:2]] == [BY_HAND, OWN]
    assert all(row.ratio > 0 for row in rows)
    results = {("rosenbrock", size): rows for size in (10, 20)}
    assert "rosenbrock" in reporting.table(results, dict.fromkeys(results, 1.1))
    assert reporting.misses(results, dict.fromkeys(results, 1e9)) == "No goal is missed."
    assert "rosenbrock 20 (" in reporting.misses(results, dict.fromkeys(results, 0.0))
    assert reporting.picture(results).startswith("<svg")


def test_a_peer_that_is_wrong_is_not_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = {"wrong": ("numpy", lambda work: lambda x: 0.0 * x), "absent": ("no_such_module", None)}
    monkeypatch.setattr(peers, "PEERS", wrong)
    rows = {row.name: row for row in compare(workload("rosenbrock"), 10, ["wrong", "absent"])}
    assert rows["wrong"].why == "wrong"
    assert rows["absent"].why == "not installed"
    assert isinstance(rows["wrong"], Row)


def test_a_group_has_its_own_section(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page, "DOCS", tmp_path)
    results = {("rosenbrock", 10): [Row(BY_HAND, 1.0, 1.0, 1.0), Row(OWN, 2.0, 2.0, 1.0)]}
    results["rosenbrock", 10].append(Row("JAX jit", 8.0, 8.0, 3.0))
    for title in (page.IN_PLACE, page.GENERAL):
        page.write(title, results, {("rosenbrock", 10): 1.1})
    parts = page.sections((tmp_path / "benchmarks.md").read_text())
    assert list(parts) == list(page.ORDER)
    assert "JAX jit, geometric means" in parts[page.IN_PLACE]
    assert "by hand 8.00 (1), tangentlite 4.00 (1)" in parts[page.IN_PLACE]
    page.write(page.GENERAL, results, {("rosenbrock", 10): 9.0})
    again = page.sections((tmp_path / "benchmarks.md").read_text())
    assert again[page.IN_PLACE] == parts[page.IN_PLACE]
    assert "No goal is missed" in again[page.GENERAL]


def test_helpers_have_the_other_module_too() -> None:
    class Loud:
        @staticmethod
        def sum(x: Any) -> str:
            return "loud"

        sqrt = np.sqrt
        dot = np.dot

    work = workload("cholesky")
    assert peers.with_module(work.loss, Loud)(*work.arguments(10)) == "loud"
    assert work.cholesky.__globals__["np"] is np
