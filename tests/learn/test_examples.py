"""Every example, with small settings: the numbers that it prints. `make examples` runs them in full."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import numpy as np
import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
NAMES = sorted(path.stem for path in EXAMPLES.glob("*.py"))


def example(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(f"example_{name}", EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", NAMES)
def test_each_is_short_and_has_its_picture(name: str) -> None:
    assert len((EXAMPLES / f"{name}.py").read_text().splitlines()) <= 150
    assert name == "demo" or list((EXAMPLES / "pictures").glob(f"{name}.*"))


def test_the_least_energy_is_a_catenary() -> None:
    found = example("catenary").solve(n=16, steps=1500)
    assert found["error"] < 2e-3
    assert found["losses"][-1] < found["losses"][0]


def test_the_oscillator_solves_its_equation() -> None:
    pytest.importorskip("scipy")
    found = example("oscillator").solve(n=60, steps=5)
    assert found["error"] < 1e-2
    assert found["slope"] < 1e-10
    assert found["losses"][-1] < found["losses"][0]


def test_digits_are_learned_by_layers() -> None:
    pytest.importorskip("sklearn")
    assert example("digits_mlp").solve(epochs=4, width=64)["score"] > 0.93


def test_digits_are_learned_by_convolutions() -> None:
    pytest.importorskip("sklearn")
    assert example("digits_lenet").solve(epochs=8)["score"] > 0.9


def test_gradients_vanish_behind_sigmoids_only() -> None:
    found = example("vanishing").solve(rows=50)
    assert found["sigmoid"][0] < 1e-4 * found["sigmoid"][-1]
    assert found["tanh"][0] > 0.05 * found["tanh"][-1]
    assert found["ReLU"][0] > 0.05 * found["ReLU"][-1]


def test_blocks_clip_and_cut_what_goes_back_through_time() -> None:
    found = example("recurrent").solve(epochs=25)
    assert all(one["clipped"] > 100 for one in found.values())
    assert found[100]["losses"][-1] < 0.95 * found[2]["losses"][-1]


def test_a_rod_tells_how_it_conducts() -> None:
    pytest.importorskip("scipy")
    assert example("heat").solve(n=32, steps=1000, searches=40)["error"] < 0.08


def test_a_pendulum_is_swung_up() -> None:
    pytest.importorskip("scipy")
    found = example("control").solve(count=90, steps=150)
    assert found["costs"][-1] < 0.1 * found["costs"][0]
    assert found["angle"] < 10.0


def test_a_filter_finds_its_noise() -> None:
    pytest.importorskip("scipy")
    found = example("kalman").solve(count=150)
    assert 0.005 < found["push"] < 0.08
    assert 2.5 < found["blur"] < 6.0
    assert found["better"] < 0.6


def test_a_lattice_knows_sentences_better_than_pairs_of_letters() -> None:
    found = example("lattice").solve(epochs=3, count=30, size=16)
    assert found["bits"] == sorted(found["bits"], reverse=True)
    assert found["bits"][-1] < found["pairs"]


def test_histograms_are_told_apart_and_morphed() -> None:
    found = example("histograms").solve(count=600, epochs=15)
    assert found["score"] > 0.95
    assert found["scores"][0] > 0.0 > found["scores"][1]


def test_two_numbers_make_an_image() -> None:
    pytest.importorskip("sklearn")
    found = example("autoencoder").solve(epochs=4)
    assert found["losses"][-1] < found["losses"][0] - 3.0
    assert found["images"].shape == (144, 64)


def test_the_approximation_meets_the_posterior() -> None:
    found = example("variational").solve(steps=600)
    assert found["off"] < 0.5
    assert found["ratio"] < 0.25


def test_cameras_and_points_are_adjusted() -> None:
    pytest.importorskip("scipy")
    found = example("bundle").solve(count=3, size=15)
    assert found["after"] < 0.5 < found["before"]


def test_the_product_has_the_gradients_of_the_lecture() -> None:
    found = example("product_graph").solve()
    expected = [[2.72, 14.78, 60.26], [7.39, 109.20, 1210.29]]
    np.testing.assert_allclose(found["A"], expected, atol=0.005)
    np.testing.assert_allclose(found["B"], [[17.50, 116.59, 826.94]], atol=0.005)
    assert "826.9" in found["graph"].svg
    assert "exp" in found["of the gradient"].svg


def test_the_sigmoid_is_five_functions() -> None:
    found = example("sigmoid").solve(points=21)
    assert list(found["values"]) == ["x @ w", "+ b", "exp(-·)", "+ 1", "1 / ·"]
    np.testing.assert_allclose(found["w"], found["expected w"])
    np.testing.assert_allclose(found["b"], found["expected b"])
    assert np.max(np.abs(found["w"])) > 1.0
