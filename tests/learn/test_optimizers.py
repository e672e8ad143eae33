"""Optimizers, schedules, nests and the training loop."""

from __future__ import annotations

import math
from collections import namedtuple
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tangentlite.learn import nests, optimizers, schedules
from tangentlite.learn.optimizers import Adam, GradientDescent, Heuristic, Momentum
from tangentlite.learn.searches import lbfgs, minimize
from tangentlite.learn.training import EarlyStopping, History, batches, train

Pair = namedtuple("Pair", "w b")
EVERY = [
    optimizers.GradientDescent(0.05),
    optimizers.Momentum(0.02),
    optimizers.Nesterov(0.02),
    optimizers.RMSProp(0.02),
    optimizers.Adam(0.1),
    optimizers.AdamW(0.1, decay=1e-4),
    optimizers.Heuristic(0.05, window=3),
]


class Line:
    parameters = ("w", "b")

    def __init__(self) -> None:
        self.w, self.b, self.rate, self.name = np.zeros(2), 0.0, 0.5, "line"


class Holder:
    def __init__(self, *layers: Any) -> None:
        self.layers = list(layers)


def bowl(p: Any) -> Any:
    return np.sum((p["w"] - 3.0) ** 2) + (p["layers"][0] + 1.0) ** 2


@pytest.mark.parametrize("optimizer", EVERY, ids=lambda o: type(o).__name__)
def test_each_finds_the_bottom(optimizer: Any) -> None:
    start = {"w": np.zeros(2), "layers": [1.0]}
    found, losses = minimize(bowl, start, optimizer=optimizer, steps=600)
    assert losses[-1] < 2e-3
    np.testing.assert_allclose(found["w"], 3.0, atol=0.03)
    assert type(found["layers"][0]) is float
    assert start["w"].tolist() == [0.0, 0.0]


def test_lbfgs_finds_the_bottom_of_a_valley() -> None:
    pytest.importorskip("scipy")

    def rosenbrock(p: Any, a: float) -> Any:
        return (
            np.sum(100.0 * (p[0][1:] - p[0][:-1] ** 2) ** 2 + (1.0 - p[0][:-1]) ** 2)
            + (p[1] - a) ** 2
        )

    found, losses = lbfgs(rosenbrock, (np.zeros(5), 0.0), 2.0)
    np.testing.assert_allclose(found[0], 1.0, atol=1e-4)
    assert type(found) is tuple
    assert abs(found[1] - 2.0) < 1e-3
    assert losses == sorted(losses, reverse=True)


class Slotted:
    __slots__ = ("b", "w")

    def __init__(self) -> None:
        self.w, self.b = np.ones(2), 2.0


@dataclass(frozen=True)
class Frozen:
    w: Any
    b: float
    name: str = "frozen"


def square(p: Any) -> Any:
    return np.sum(p.w**2) + p.b**2


def of_all(p: Any) -> Any:
    return square(p[0]) + square(p[1]["x"]) + square(p[1]["same"]) + p[2] ** 2


def test_objects_that_are_frozen_or_have_slots_are_trained() -> None:
    slotted, frozen = Slotted(), Frozen(np.ones(2), 2.0)
    moved, losses = minimize(square, slotted, optimizer=GradientDescent(0.25), steps=20)
    assert moved is slotted
    assert losses[-1] < 1e-5
    start = [slotted, {"x": frozen, "same": frozen}, np.float32(1.0)]
    found, losses = minimize(of_all, start, optimizer=GradientDescent(0.1), steps=60)
    assert losses[-1] < 1e-5
    assert found[1]["x"] is found[1]["same"]
    assert (type(found[1]["x"]), found[1]["x"].name, frozen.b) == (Frozen, "frozen", 2.0)
    assert type(found[2]) is np.float32
    assert nests.named(start)["2"] == np.float32(1.0)


def test_what_would_not_be_trained_is_said() -> None:
    step = GradientDescent(0.1).step
    with pytest.raises(ValueError, match="nothing to train"):
        step(np.array([1, 2]), np.ones(2))
    with pytest.raises(TypeError, match="z is complex"):
        step({"w": 1.0, "z": np.ones(2, complex)}, {"w": 1.0, "z": np.ones(2, complex)})
    twice = {"a.b": 1.0, "a": {"b": 2.0}}
    with pytest.raises(ValueError, match="two parameters would be called 'a.b'"):
        step(twice, twice)


def one_step(optimizer: Any, slopes: list[float]) -> list[float]:
    """The values after each step from 1."""
    value, values = np.array([1.0]), []
    for slope in slopes:
        value = optimizer.step(value, np.array([slope]))
        values.append(float(value[0]))
    return values


def test_steps_by_hand() -> None:
    slopes = [1.0, 0.5]
    assert one_step(GradientDescent(0.1), slopes) == pytest.approx([0.9, 0.85])
    assert one_step(optimizers.Momentum(0.1, 0.9), slopes) == pytest.approx([0.9, 0.76])
    assert one_step(optimizers.Nesterov(0.1, 0.9), slopes) == pytest.approx([0.81, 0.634])
    square = 0.1, 0.9 * 0.1 + 0.1 * 0.25
    after = 1.0 - 0.1 / math.sqrt(square[0])
    expected = [after, after - 0.05 / math.sqrt(square[1])]
    assert one_step(optimizers.RMSProp(0.1, 0.9, tiny=0.0), slopes) == pytest.approx(expected)
    mean, raw = 0.9 * 0.1 + 0.1 * 0.5, 0.999 * 0.001 + 0.001 * 0.25
    second = 0.9 - 0.1 * (mean / (1 - 0.81)) / math.sqrt(raw / (1 - 0.999**2))
    assert one_step(Adam(0.1, tiny=0.0), slopes) == pytest.approx([0.9, second])
    assert one_step(optimizers.AdamW(0.1, decay=0.5, tiny=0.0), [1.0]) == pytest.approx([0.85])
    assert one_step(GradientDescent(0.1, decay=0.5), [1.0]) == pytest.approx([0.85])


def test_the_heuristic_shortens_after_a_rise_and_never_lengthens_again() -> None:
    optimizer = Heuristic(1.0, window=1)
    value, rates = np.zeros(1), []
    for loss in [8.0, 6.0, 4.0, 3.0, 2.5, 3.5, 6.0, 9.0, 2.0, 1.0, 0.5]:
        value = optimizer.step(value, np.ones(1), loss)
        rates.append(optimizer.memory["heuristic"]["rate"])
    means = np.array([8.0, 6.0, 4.0, 3.0, 2.5, 3.5, 6.0, 9.0, 2.0, 1.0, 0.5])
    rate, risen, expected = 1.0, False, [1.0, 1.0, 1.0]
    for k in range(3, len(means)):
        first = -means[k - 3] / 3 + 1.5 * means[k - 2] - 3 * means[k - 1] + 11 / 6 * means[k]
        second = -means[k - 3] + 4 * means[k - 2] - 5 * means[k - 1] + 2 * means[k]
        if first > 0 and second > 0:
            rate, risen = rate * 0.99, True
        elif first < 0 and not risen:
            rate *= 1.02
        expected.append(rate)
    assert rates == pytest.approx(expected)
    assert max(rates) > 1.0
    assert rates[-1] < max(rates)


def test_the_differences_of_the_heuristic_are_exact_for_cubics() -> None:
    k = np.arange(-3.0, 1.0)
    assert np.dot(Heuristic.FIRST, k**3 + 2 * k) == pytest.approx(2.0)
    assert np.dot(Heuristic.SECOND, 3 * k**2 + k) == pytest.approx(6.0)


def test_the_heuristic_averages_its_slopes_over_a_window() -> None:
    optimizer = Heuristic(0.1, beta=0.25, window=2)
    optimizer.step(np.zeros(1), np.ones(1), 4.0)
    optimizer.step(np.zeros(1), np.zeros(1), 2.0)
    assert optimizer.memory["slope"][""].tolist() == [0.75 * 0.25]
    assert optimizer.memory["heuristic"]["means"].tolist() == [4.0, 3.0]
    with pytest.raises(TypeError, match="needs the loss"):
        optimizer.step(np.zeros(1), np.ones(1))


def test_gradients_are_clipped_as_a_whole() -> None:
    gradient = {"a": np.array([3.0]), "b": [4.0]}
    clipped = optimizers.clip_by_norm(gradient, 1.0)
    assert clipped["a"].tolist() == [pytest.approx(0.6)]
    assert clipped["b"] == [pytest.approx(0.8)]
    assert optimizers.clip_by_norm(gradient, 9.0) == gradient
    moved = GradientDescent(1.0, clip=1.0).step({"a": np.zeros(1), "b": [0.0]}, gradient)
    assert moved["b"] == [pytest.approx(-0.8)]


def test_schedules_set_the_rate() -> None:
    optimizer = GradientDescent(schedules.exponential(1.0, 0.5))
    assert one_step(optimizer, [1.0, 1.0, 1.0]) == [0.0, -0.5, -0.75]
    assert schedules.inverse(1.0, 1.0)(3) == 0.25
    assert schedules.warmup(schedules.steps(1.0, 2), 2)(0) == 0.5


def test_objects_say_what_their_parameters_are() -> None:
    model = Holder(Line(), np.tanh, {"k": np.ones(1)}, Pair(np.ones(2), 2.0))
    names = ["layers.0.b", "layers.0.w", "layers.2.k", "layers.3.b", "layers.3.w"]
    assert sorted(nests.named(model)) == names
    nests.replaced(model, {"layers.0.b": 4.0, "layers.3.b": 5.0})
    assert (model.layers[0].b, model.layers[3].b, model.layers[0].rate) == (4.0, 5.0, 0.5)
    assert type(model.layers[3]) is Pair


def test_what_is_in_two_places_is_one_parameter() -> None:
    shared = Line()
    model = SimpleNamespace(first=shared, second=shared, third=Line())
    model.third.w = shared.w
    assert list(nests.named(model)) == ["first.w", "first.b", "third.b"]

    def loss(model: Any, x: Any) -> Any:
        y = np.sum(model.first.w * x) + model.first.b
        return y + np.sum(model.second.w * x * x) + np.sum(model.third.w)

    gradient = tl.grad(loss)(model, np.array([2.0, 3.0]))
    slopes = {name: slope for name, _, slope in nests.pairs(model, gradient)}
    assert slopes["first.w"].tolist() == [7.0, 13.0]
    GradientDescent(1.0).step(model, gradient)
    assert model.third.w is model.first.w
    assert model.second.w.tolist() == [-7.0, -13.0]


def test_an_object_that_holds_itself_ends() -> None:
    ring = SimpleNamespace(w=1.0)
    ring.me = ring
    assert nests.named(ring) == {"w": 1.0}
    assert nests.replaced(ring, {"w": 2.0}).w == 2.0


X = np.random.default_rng(0).normal(size=(50, 3))
Y = X @ np.array([1.0, -2.0, 0.5]) + 0.3


def squared(p: Any, x: Any, y: Any) -> Any:
    return np.mean((x @ p["w"] + p["b"] - y) ** 2)


def begin() -> dict[str, Any]:
    return {"w": np.zeros(3), "b": 0.0}


def test_the_seed_decides() -> None:
    options = {"epochs": 3, "batch": 8}
    one, first = train(squared, begin(), (X, Y), Adam(0.05), seed=1, **options)
    same, second = train(squared, begin(), (X, Y), Adam(0.05), seed=1, **options)
    other, _ = train(squared, begin(), (X, Y), Adam(0.05), seed=2, **options)
    assert first.losses == second.losses
    assert np.array_equal(one["w"], same["w"])
    assert not np.array_equal(one["w"], other["w"])


@pytest.mark.parametrize("make", [lambda: Adam(0.05), lambda: Heuristic(0.05, window=2)])
def test_training_goes_on_from_a_file_as_if_it_had_not_stopped(make: Any, tmp_path: Any) -> None:
    options: dict[str, Any] = {"batch": 8, "validation": (X, Y), "keep_parameters": True}
    whole, expected = train(squared, begin(), (X, Y), make(), epochs=6, **options)
    path = tmp_path / "state.npz"
    train(squared, begin(), (X, Y), make(), epochs=2, path=path, **options)
    found, history = train(squared, begin(), (X, Y), make(), epochs=6, path=path, **options)
    assert np.array_equal(found["w"], whole["w"])
    assert found["b"] == whole["b"]
    assert type(found["b"]) is float
    assert history.losses == expected.losses
    assert history.validation == expected.validation
    assert len(history.parameters) == 6
    assert np.array_equal(history.parameters[0]["w"], expected.parameters[0]["w"])
    assert [p.name for p in tmp_path.iterdir()] == ["state.npz"]


def test_early_stopping_stops_also_when_it_is_begun_again(tmp_path: Any) -> None:
    options: dict[str, Any] = {"epochs": 50, "path": tmp_path / "state.npz"}
    _, history = train(
        squared, begin(), (X, Y), GradientDescent(0.0), stopping=EarlyStopping(3), **options
    )
    assert len(history.losses) == 4
    _, again = train(
        squared, begin(), (X, Y), GradientDescent(0.0), stopping=EarlyStopping(3), **options
    )
    assert again.losses == history.losses


def test_data_may_be_lists_and_have_as_many_rows() -> None:
    one, _ = train(squared, begin(), (X.tolist(), Y.tolist()), Adam(0.05), epochs=2, batch=8)
    two, _ = train(squared, begin(), (X, Y), Adam(0.05), epochs=2, batch=8)
    assert np.array_equal(one["w"], two["w"])
    for x, y in ((X, Y[1:]), (X[1:], Y)):
        with pytest.raises(ValueError, match="rows and of"):
            train(squared, begin(), (x, y), Adam(0.05), epochs=1, batch=8)


def test_the_loss_of_an_epoch_is_the_mean_over_rows() -> None:
    _, history = train(squared, begin(), (X, Y), GradientDescent(0.0), epochs=1, batch=7)
    assert history.losses == pytest.approx([squared(begin(), X, Y)])
    assert History().validation == []


@pytest.mark.parametrize("optimizer", EVERY, ids=lambda o: type(o).__name__)
@pytest.mark.parametrize("shape", [(), (3,), (130, 70)])
def test_single_precision_stays_single(optimizer: Any, shape: tuple[int, ...]) -> None:
    fresh, other = type(optimizer)(), type(optimizer)()
    slope = np.linspace(-1.0, 2.0, math.prod(shape)).reshape(shape)
    narrow, wide = {"w": np.ones(shape, np.float32)}, {"w": np.ones(shape)}
    for _ in range(3):
        narrow = fresh.step(narrow, {"w": slope.astype(np.float32)}, 1.0)
        wide = other.step(wide, {"w": slope}, 1.0)
    assert narrow["w"].dtype == np.float32
    np.testing.assert_allclose(narrow["w"], wide["w"], rtol=1e-5)
    for name, kept in fresh.memory.items():
        assert name == "heuristic" or kept["w"].dtype == np.float32


@pytest.mark.parametrize("optimizer", EVERY, ids=lambda o: type(o).__name__)
def test_slopes_of_whole_numbers_are_as_those_of_floats(optimizer: Any) -> None:
    found: list[Any] = []
    for kind in (np.int64, np.float64):
        at: dict[str, Any] = {"w": np.ones(3), "b": 1.0}
        fresh = type(optimizer)()
        for _ in range(3):
            at = fresh.step(at, {"w": np.array([300, -2, 0], kind), "b": kind(2)}, 1.0)
        found.append([*at["w"], at["b"]])
    np.testing.assert_allclose(found[0], found[1])


def test_parameters_of_one_shape_share_no_way() -> None:
    for optimizer in EVERY:
        fresh, alone = type(optimizer)(), type(optimizer)()
        two, one = {"a": np.ones((90, 40)), "b": np.ones((90, 40))}, {"a": np.ones((90, 40))}
        for k in range(3):
            slopes = {"a": np.full((90, 40), k + 1.0), "b": np.full((90, 40), -5.0)}
            two, one = fresh.step(two, slopes, 1.0), alone.step(one, {"a": slopes["a"]}, 1.0)
        assert np.array_equal(two["a"], one["a"])
        assert (two["b"] > 1.0).all()


@pytest.mark.parametrize(
    "parameters, optimizer, match",
    [
        (
            {"w": np.zeros(3), "b": 0.0},
            Adam(0.1),
            r"'w' has the shape \(2,\), here it has .*\(3,\)",
        ),
        ({"v": np.zeros(2), "b": 0.0}, Adam(0.1), "'v' has no place, here"),
        ({"w": np.zeros(2)}, Adam(0.1), r"'b' has the shape \(\), here it has no place"),
        ({"w": np.zeros(2), "b": 0.0}, Momentum(0.1), "a training by Adam, and not by Momentum"),
    ],
)
def test_the_state_of_another_training_is_refused(
    parameters: Any, optimizer: Any, match: str, tmp_path: Any
) -> None:
    def loss(p: Any, x: Any, y: Any) -> Any:
        return np.mean((x * sum(np.sum(v) for v in p.values()) - y) ** 2)

    path = tmp_path / "state.npz"
    data = np.ones(4), np.zeros(4)
    train(loss, {"w": np.ones(2), "b": 0.0}, data, Adam(0.1), epochs=1, path=path)
    with pytest.raises(ValueError, match=match):
        train(loss, parameters, data, optimizer, epochs=2, path=path)
    path.write_bytes(b"something else")
    with pytest.raises(ValueError, match="has no state of a training"):
        train(loss, parameters, data, optimizer, epochs=2, path=path)


def test_a_batch_has_rows() -> None:
    for size in (0, -3):
        with pytest.raises(ValueError, match=f"a batch of {size} rows"):
            next(batches((np.ones(3),), size, 0, 0))
