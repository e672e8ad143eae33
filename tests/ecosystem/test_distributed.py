"""docs/distributed.md, and training on processes that are really there, and really killed."""

from __future__ import annotations

import os
import signal
import sys
import warnings
from collections import namedtuple
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cloudpickle
import numpy as np
import pytest

import tangentlite as tl
from tangentlite.learn import layers
from tangentlite.learn.models import Classifier
from tangentlite.learn.nests import named, pairs
from tangentlite.learn.optimizers import Adam, GradientDescent, Momentum
from tangentlite.learn.searches import lbfgs, minimize
from tangentlite.learn.training import train
from tests.ecosystem import pages

pytest.importorskip("distributed", reason="dask.distributed not installed")
from tangentlite.learn.distributed import Workers
from tangentlite.learn.distributed.spread import combined

pytestmark = pytest.mark.slow
G = np.random.default_rng(3)
X = G.normal(size=(60, 2))
Y = (X[:, 0] * X[:, 1] > 0.0).astype(int)
Z = np.sin(X[:, 0])
UNEQUAL = [37, 1, 0, 22]


@pytest.fixture(scope="module")
def workers() -> Iterator[Workers]:
    here = sys.modules[
        __name__
    ]  # workers need not find this module, as they do not find a notebook
    cloudpickle.register_pickle_by_value(here)
    with Workers(2) as found:
        yield found
    cloudpickle.unregister_pickle_by_value(here)


@pytest.fixture
def both(workers: Workers) -> Workers:
    """The workers, when those that were killed are there again."""
    workers.client.wait_for_workers(2, timeout=60)
    return workers


class Net(Classifier):
    def __init__(self, seed: int, act: Any = np.tanh) -> None:
        rng = np.random.default_rng(seed)
        self.body = layers.Chain(layers.Linear(2, 8, rng), act, layers.Linear(8, 2, rng))

    def forward(self, x: Any) -> Any:
        return self.body(x)


class Noisy(Net):
    def __init__(self, part: Any) -> None:
        super().__init__(0)
        self.part = part

    def forward(self, x: Any) -> Any:
        return self.body(self.part(x))


def misfit(p, x, y):
    return np.mean((np.tanh(x @ p["w"]) + p["b"] - y) ** 2)


def total(p, x, y):
    return np.sum((np.tanh(x @ p["w"]) + p["b"] - y) ** 2)


def start(kind: Any = float) -> Any:
    return {"w": np.array([0.5, -1.0], kind), "b": kind(0.25)}


def same(found: Any, expected: Any, tolerance: float = 1e-13) -> None:
    (value, gradient), (other, wanted) = found, expected
    assert np.asarray(value).dtype == np.asarray(other).dtype
    np.testing.assert_allclose(value, other, rtol=tolerance)
    ours, theirs = (list(named(g).items()) for g in (gradient, wanted))
    assert [n for n, _ in ours] == [n for n, _ in theirs]
    assert ours
    for (_, one), (_, two) in zip(ours, theirs):
        assert np.asarray(one).dtype == np.asarray(two).dtype
        np.testing.assert_allclose(one, two, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("parts", [None, 3, UNEQUAL, [60]])
@pytest.mark.parametrize("loss", [misfit, total])
def test_the_gradient_is_that_of_one_process(workers: Workers, loss: Any, parts: Any) -> None:
    spread = workers.spread(loss, "mean" if loss is misfit else "sum")
    rows = workers.hold(X, Z, parts=parts)
    expected = tl.value_and_grad(loss)(start(), X, Z)
    same(spread.value_and_grad(start(), rows), expected)
    same(spread.value_and_grad(start(), X, Z), expected)
    assert spread(start(), rows) == pytest.approx(float(expected[0]), rel=1e-13)
    assert spread(start(), X, Z) == expected[0]


def test_rows_that_are_chosen(workers: Workers) -> None:
    rows = workers.hold(X, Z, parts=UNEQUAL)
    for key in (np.array([59, 0, 40, 3]), slice(10, 50, 3), X[:, 0] > 0.0, np.arange(60)[5:9]):
        expected = tl.value_and_grad(misfit)(start(), X[key], Z[key])
        same(workers.spread(misfit).value_and_grad(start(), rows[key]), expected)
        assert len(rows[key]) == len(X[key])
    assert len(rows[10:30][::2]) == 10
    with pytest.raises(ValueError, match="no rows"):
        workers.spread(misfit).value_and_grad(start(), rows[:0])


def test_single_precision(workers: Workers) -> None:
    x, z = X.astype(np.float32), Z.astype(np.float32)
    rows, p = (
        workers.hold(x, z, parts=UNEQUAL),
        {"w": np.ones(2, np.float32), "b": np.ones(1, np.float32)},
    )
    found = workers.spread(misfit).value_and_grad(p, rows)
    same(found, tl.value_and_grad(misfit)(p, x, z), 1e-5)
    assert found[1]["w"].dtype == np.float32


def test_models_of_objects_and_functions(workers: Workers) -> None:
    rows = workers.hold(X, Y, parts=UNEQUAL)
    spread = workers.spread(Net.loss)
    bend = 0.5
    for act in (np.tanh, layers.ReLU(), lambda v: np.sin(v) * bend, np.tanh):
        net = Net(1, act)
        loss, gradient = spread.value_and_grad(net, rows)
        expected, wanted = tl.value_and_grad(Net.loss, wrt="self")(net, X, Y)
        assert loss == pytest.approx(float(expected), rel=1e-13)
        assert len(pairs(net, gradient)) == 4
        for (name, _, one), (_, _, two) in zip(pairs(net, gradient), pairs(net, wanted)):
            np.testing.assert_allclose(one, two, rtol=1e-12, atol=1e-15, err_msg=name)


def test_values_that_a_loss_reads_are_those_of_now(workers: Workers) -> None:
    scale = 1.0

    def scaled(p, x):
        return np.mean(x @ p) * scale

    rows, spread = workers.hold(X), workers.spread(scaled)
    first = spread.value_and_grad(np.ones(2), rows)[1]
    scale = 3.0
    np.testing.assert_allclose(spread.value_and_grad(np.ones(2), rows)[1], 3.0 * first)


Pair = namedtuple("Pair", "w b")


def mixed(p, x, penalty):
    return np.mean(np.sin(x @ p[0].w) * p[0].b + p[1]) + penalty * np.sum(p[0].w ** 2)


def test_nests_keep_their_shape_and_what_is_not_data_goes_to_all(workers: Workers) -> None:
    p = (Pair(np.ones(2), 2.0), 0.5)
    found = workers.spread(mixed).value_and_grad(p, workers.hold(X, parts=UNEQUAL), 0.1)
    expected = tl.value_and_grad(mixed)(p, X, 0.1)
    assert type(found[1]) is tuple
    assert type(found[1][0]) is Pair
    np.testing.assert_allclose(found[1][0].w, expected[1][0].w, rtol=1e-12)
    np.testing.assert_allclose(found[1][0].b, expected[1][0].b, rtol=1e-12)
    np.testing.assert_allclose(found[1][1], 1.0, rtol=1e-12)


@dataclass(slots=True)
class Slotted:
    w: Any
    n: Any


def test_sums_of_gradients() -> None:
    half = [0.5, 0.5]
    one, two = Slotted(np.ones(2), None), Slotted(np.array([3.0, 5.0]), None)
    found = combined([one, two], half)
    assert type(found) is Slotted
    np.testing.assert_array_equal(found.w, [2.0, 3.0])
    assert (found.n, one.w.tolist()) == (None, [1.0, 1.0])
    zero = 0.0  # one object in two places, where the other nest has two
    assert combined([[zero, zero], [1.0, 3.0]], half) == [0.5, 1.5]
    assert combined([np.float32(1.0), np.float32(2.0)], half).dtype == np.float32
    with pytest.raises(TypeError, match="that hold a str"):
        combined(["a", "b"], half)


def test_training_is_that_of_one_process(workers: Workers, tmp_path: Path) -> None:
    options: dict[str, Any] = {"epochs": 3, "batch": 16, "validation": (X[:9], Y[:9])}
    net = Net(1).fit(X, Y, Adam(0.02), workers=workers, **options)
    alone = Net(1).fit(X, Y, Adam(0.02), **options)
    np.testing.assert_allclose(net.history.losses, alone.history.losses, rtol=1e-12)
    np.testing.assert_allclose(net.history.validation, alone.history.validation, rtol=1e-12)
    rows, loss = workers.hold(X, Z, parts=UNEQUAL), workers.spread(misfit)
    for search in (
        lambda f, *data: minimize(f, start(), *data, optimizer=Momentum(0.05), steps=5),
        lambda f, *data: lbfgs(f, start(), *data, steps=5),
    ):
        try:
            one, two = search(loss, rows), search(misfit, X, Z)
        except ModuleNotFoundError:  # SciPy
            continue
        np.testing.assert_allclose(one[1], two[1], rtol=1e-9)


@pytest.mark.parametrize(
    "part", [layers.BatchNorm(2), layers.Dropout(0.5, np.random.default_rng(0))]
)
def test_what_keeps_something_is_refused(workers: Workers, part: Any) -> None:
    net, rows = Noisy(part), workers.hold(X, Y)
    spread = workers.spread(Noisy.loss)
    with pytest.raises(
        tl.DerivativeError, match="which no other worker would see\nCall model.eval"
    ):
        spread.value_and_grad(net.train(), rows)
    net.eval()
    assert spread.value_and_grad(net, rows)[0] == pytest.approx(float(net.loss(X, Y)), rel=1e-12)


def fails(p, x):
    if p > 2.0:
        raise ZeroDivisionError("mine")
    return np.mean(x) * p


def test_errors_arrive(workers: Workers) -> None:
    rows, spread = workers.hold(X), workers.spread(fails)
    with pytest.raises(ZeroDivisionError, match="mine"):
        spread.value_and_grad(3.0, rows)
    assert spread.value_and_grad(1.0, rows)[0] == pytest.approx(X.mean())
    with pytest.raises(ValueError, match="arrays of one length"):
        workers.hold(X, Y[1:])
    with pytest.raises(ValueError, match="of 60 rows in all"):
        workers.hold(X, parts=[1, 2])
    with pytest.raises(ValueError, match="neither"):
        workers.spread(fails, "median")  # type: ignore[arg-type]


# Workers that die ------------------------------------------------------------------------------


def strike(path):
    """Kill this process, the first time that somebody comes here."""
    try:
        Path(path).touch(exist_ok=False)
    except FileExistsError:
        return
    os.kill(os.getpid(), signal.SIGKILL)


def dangerous(p, x, y, path):
    strike(path)
    return np.mean((np.tanh(x @ p["w"]) + p["b"] - y) ** 2)


def test_a_worker_dies_while_it_computes(both: Workers, tmp_path: Path) -> None:
    spread, rows = both.spread(dangerous), both.hold(X, Z, parts=UNEQUAL)
    safe, deadly = tmp_path / "safe", tmp_path / "deadly"
    safe.touch()
    expected = spread.value_and_grad(start(), rows, str(safe))
    assert not deadly.exists()
    found = spread.value_and_grad(start(), rows, str(deadly))
    assert deadly.exists()
    same(found, expected)


def test_a_worker_is_killed_in_the_middle_of_an_epoch(both: Workers) -> None:
    losses = []
    for kill in (False, True):
        killed: list[int] = []

        def rate(step: int) -> float:
            if kill and step == 6:
                killed.append(next(iter(both.client.run(os.getpid).values())))
                os.kill(killed[0], signal.SIGKILL)
            return 0.05

        data = (both.hold(X, Y, parts=UNEQUAL),)
        _, history = train(
            both.spread(Net.loss), Net(1), data, GradientDescent(rate), epochs=4, batch=16
        )
        losses.append(history.losses)
        assert bool(killed) is kill
    np.testing.assert_allclose(losses[0], losses[1], rtol=1e-12)
    alone = Net(1).fit(X, Y, GradientDescent(0.05), epochs=4, batch=16).history.losses
    np.testing.assert_allclose(losses[0], alone, rtol=1e-12)


def test_a_process_that_is_slow_to_begin_again_is_waited_for() -> None:
    import dask

    with dask.config.set({"distributed.deploy.lost-worker-timeout": "1ms"}):
        with Workers(1) as workers:
            spread, rows = workers.spread(misfit), workers.hold(X, Z)
            expected = spread.value_and_grad(start(), rows)
            os.kill(next(iter(workers.client.run(os.getpid).values())), signal.SIGKILL)
            same(spread.value_and_grad(start(), rows), expected)
        assert dask.config.get("distributed.deploy.lost-worker-timeout") == "1ms"


# Stages ----------------------------------------------------------------------------------------


def noted(path):
    with open(path, "a") as file:
        file.write(f"{os.getpid()}\n")


def encode(p, x, log):
    if log:
        noted(log)
    return np.tanh(x @ p["w"])


def join(p, left, right):
    return {"sum": left * p + right, "product": left * right}


def judge(p, both, left, y):
    return np.mean((both["sum"] @ p["v"] + np.sum(both["product"] + left, 1) - y) ** 2)


def whole(p, x, z, y):
    left, right = encode(p["left"], x, ""), encode(p["right"], z, "")
    return judge(p["loss"], join(p["join"], left, right), left, y)


def many() -> dict[str, Any]:
    g = np.random.default_rng(5)
    sides = {n: {"w": g.normal(size=(2, 3))} for n in ("left", "right")}
    return {**sides, "join": 0.5, "loss": {"v": g.normal(size=3)}}


def tree(workers: Workers) -> Any:
    return workers.stages(
        *("x", "z", "y", "log"),
        left=(encode, "x", "log"),
        right=(encode, "z", "log"),
        join=(join, "left", "right"),
        loss=(judge, "join", "left", "y"),
    )


def test_stages_are_as_one_process(both: Workers, tmp_path: Path) -> None:
    log, stages = tmp_path / "log", tree(both)
    expected = tl.value_and_grad(whole)(many(), X, X[::-1], Z)
    for _ in range(3):
        found = stages.value_and_grad(many(), X, X[::-1], Z, str(log))
        same(found, expected, 1e-12)
        seen = log.read_text().split()
    assert len(seen) < 9, "records are used: without them each of two stages runs twice a step"
    assert len(set(seen)) == 2
    assert str(os.getpid()) not in seen
    assert stages(many(), X, X[::-1], Z, "") == expected[0]


def weighed(parts, x):
    found = 0.0
    for part in parts:
        found = found + np.sum(part * x)
    return found


def test_stages_for_arguments_of_other_kinds(workers: Workers) -> None:
    stages = workers.stages("x", last=(weighed, "x"))
    assert stages.value_and_grad({"last": (2.0,)}, X)[1]["last"] == pytest.approx((X.sum(),))
    found = stages.value_and_grad({"last": (2.0, X)}, X)[1]["last"]
    assert found[0] == pytest.approx(X.sum())
    np.testing.assert_array_equal(found[1], X)


def deadly(p, h, y, path, pid):
    if path:
        strike_other(path, pid)
    return np.mean((h @ p - y) ** 2)


def strike_other(path, log):
    try:
        Path(path).touch(exist_ok=False)
    except FileExistsError:
        return
    mine = str(os.getpid())
    for pid in Path(log).read_text().split():
        if pid != mine:
            os.kill(int(pid), signal.SIGKILL)


def test_a_record_that_died_with_its_worker(both: Workers, tmp_path: Path) -> None:
    path, log = str(tmp_path / "struck"), str(tmp_path / "log")
    stages = both.stages(
        *("x", "y", "path", "log"),
        encode=(encode, "x", "log"),
        loss=(deadly, "encode", "y", "path", "log"),
    )
    p = {"encode": many()["left"], "loss": np.ones(3)}
    expected = stages.value_and_grad(p, X, Z, "", log)
    Path(log).unlink()
    found = stages.value_and_grad(p, X, Z, path, log)
    same(found, expected)
    assert len(Path(log).read_text().split()) > 1, "the stage ran again"


def test_stages_are_trained(workers: Workers) -> None:
    log = ""
    data = (X, X[::-1], Z, log)
    one = minimize(tree(workers), many(), *data, optimizer=Adam(0.05), steps=4)[1]
    two = minimize(
        lambda p, x, z, y, log: whole(p, x, z, y), many(), *data, optimizer=Adam(0.05), steps=4
    )[1]
    np.testing.assert_allclose(one, two, rtol=1e-10)


def scores(p, h, y):
    return np.mean((p(h) - y[:, None]) ** 2)


def test_layers_are_stages_too(workers: Workers) -> None:
    net = Net(4)
    first, act, last = net.body.layers
    stages = workers.stages(
        "x", "y", hidden=(lambda layer, x: np.tanh(layer(x)), "x"), loss=(scores, "hidden", "y")
    )
    _, gradient = stages.value_and_grad({"hidden": first, "loss": last}, X, Z)
    wanted = tl.grad(lambda n, x, y: np.mean((n.forward(x) - y[:, None]) ** 2))(net, X, Z)
    np.testing.assert_allclose(gradient["hidden"].w, wanted.body.layers[0].w, rtol=1e-10)
    np.testing.assert_allclose(gradient["loss"].w, wanted.body.layers[2].w, rtol=1e-10)


def test_stages_that_are_misspelled(workers: Workers) -> None:
    with pytest.raises(ValueError, match="loss takes 'hiden'"):
        workers.stages("x", hidden=(encode, "x"), loss=(judge, "hiden"))


# The page, the end -----------------------------------------------------------------------------


def test_page() -> None:
    pages.run(
        (pages.DOCS / "distributed.md").read_text(encoding="utf-8"),
        "distributed.md",
        {"__name__": "__main__"},
    )


def test_a_client_of_ones_own_stays_open() -> None:
    from distributed import Client

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with Client(n_workers=1, threads_per_worker=1, dashboard_address="127.0.0.1:0") as client:
            with Workers(client=client) as workers:
                found = workers.spread(misfit).value_and_grad(start(), X, Z)
            assert client.submit(len, [1]).result() == 1
    same(found, tl.value_and_grad(misfit)(start(), X, Z))


def test_no_process_is_left() -> None:
    with Workers(2) as workers:
        pids = list(workers.client.run(os.getpid).values())
        workers.spread(misfit).value_and_grad(start(), X, Z)
    assert len(pids) == 2
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
