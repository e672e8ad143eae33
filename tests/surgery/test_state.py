"""What inserted code does is seen by the user: prints, exceptions, lists, counters, random numbers."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import tangentlite as tl

W = np.arange(1.0, 5.0)


def logging(x, log):
    for i in range(3):
        x = x * 2.0
        with tl.insert_grad_of(x) as dx:
            log.append((i, float(dx)))
    return x


def test_a_list_that_is_handed_in() -> None:
    log: list[Any] = []
    assert tl.grad(logging)(1.0, log) == 8.0
    assert log == [(2, 1.0), (1, 2.0), (0, 4.0)]


def factory(k):
    seen = []

    def scaled(x):
        y = x * k
        with tl.insert_grad_of(y) as dy:
            seen.append(dy * k)
        return y * y

    return scaled, seen


def test_a_captured_list() -> None:
    scaled, seen = factory(3.0)
    assert tl.grad(scaled)(2.0) == 36.0
    assert seen == [36.0]


SEEN: list[Any] = []


def of_the_moment(x, n):
    c = W * 1.0
    y = x
    for k, (i, w) in enumerate(zip(range(n), W)):
        y = y * w
        with tl.insert_grad_of(y) as dy:
            SEEN.append((k, i, float(w), c[0], c[1]))
            dy = dy * c[0]
        c[0] = c[0] + 1.0
        c[1:] *= x
    return y * 1.0


def test_values_are_those_of_that_point() -> None:
    SEEN.clear()
    assert tl.grad(of_the_moment)(2.0, 3) == 6.0 * 1 * 2 * 3
    assert SEEN == [(2, 2, 3.0, 3.0, 8.0), (1, 1, 2.0, 2.0, 4.0), (0, 0, 1.0, 1.0, 2.0)]


def beside_the_input(w, x):
    h = x * 2.0
    with tl.insert_grad_of(h) as dh:
        SEEN.append(dh)
    return np.sum(w * h)


def test_adjoints_of_what_does_not_depend_on_the_input() -> None:
    SEEN.clear()
    np.testing.assert_array_equal(tl.grad(beside_the_input)(W, W), 2.0 * W)
    np.testing.assert_array_equal(SEEN[0], W)


def bent(a):
    b = np.sin(a)
    with tl.insert_grad_of(b) as db:
        SEEN.append(float(db))
        db = db * 2.0
    return b


def helpers(x, c):
    return x * bent(c) + bent(3.0)


def test_helpers_whose_arguments_do_not_depend_on_the_input() -> None:
    SEEN.clear()
    assert tl.grad(helpers)(2.0, 1.0) == pytest.approx(np.sin(1.0))
    assert SEEN == [1.0, 2.0]


def adding(h, k):
    with tl.insert_grad_of(h) as dh:
        SEEN.append(float(dh))
        dh = dh + k


def without_result(x):
    y = x * x
    adding(y, 3.0)
    return y


def test_a_helper_without_result() -> None:
    SEEN.clear()
    assert tl.grad(without_result)(2.0) == 4.0 + 3.0 * 4.0
    assert SEEN == [0.0]


def guarded(x):
    y = np.sqrt(x)
    with tl.insert_grad_of(y) as dy:
        if not np.all(np.isfinite(dy)):
            raise FloatingPointError(f"the gradient of y is {dy}")
    return y * np.inf


def test_exceptions_pass() -> None:
    with pytest.raises(FloatingPointError, match="the gradient of y is inf"):
        tl.grad(guarded)(0.5)


def noisy(x, rng):
    y = x * 2.0
    with tl.insert_grad_of(y) as dy:
        dy = dy + rng.normal(size=dy.shape)
    return np.sum(y)


def test_random_numbers() -> None:
    expected = 2.0 * (1.0 + np.random.default_rng(0).normal(size=4))
    np.testing.assert_allclose(tl.grad(noisy)(W, np.random.default_rng(0)), expected)


def printing(x):
    with tl.insert_grad_of(x) as dx:
        print("gradient", dx)
    return x * x


def test_prints(capsys: pytest.CaptureFixture[str]) -> None:
    tl.grad(printing)(3.0)
    assert capsys.readouterr().out == "gradient 6.0\n"


class Net:
    """Layers that clip their gradients and log them; ``keeps``: each sets an attribute, too."""

    def __init__(self) -> None:
        self.w = np.array([0.5, 0.2, 0.1, 0.3])
        self.h = np.zeros(4)
        self.norms: list[Any] = []
        self.calls = 0
        self.table: dict[str, Any] = {}

    def layer(self, x):
        h = np.tanh(self.w * x)
        with tl.insert_grad_of(h) as dh:
            size = np.linalg.norm(dh)
            self.norms.append(size)
            self.calls += 1
            if size > 1:
                dh = dh / size
        return h

    def loss(self, x):
        return np.sum(self.layer(self.layer(x)) * W)

    def step(self, x):
        self.h = np.tanh(self.w * x) + self.h
        with tl.insert_grad_of(self.h) as dh:
            self.norms.append(dh.copy())
            self.calls += 1
            self.table["last"] = self.calls
        self.look(self.h)
        return self.h

    def look(self, h):
        with tl.insert_grad_of(h) as dh:
            self.norms.append("looked")
        return None

    def steps(self, x):
        return np.sum(self.step(x) * W) + np.sum(self.step(2.0 * x))


def layered(w, x):
    h1 = np.tanh(w * x)
    h2 = np.tanh(w * h1)
    g = W / np.linalg.norm(W) * (1.0 - h2**2)
    return (g * h1, g * w * (1.0 - h1**2)), np.linalg.norm(g * w)


def test_methods_log_and_clip() -> None:
    net = Net()
    (_, inner), size = layered(net.w, W)
    np.testing.assert_allclose(tl.grad(net.loss)(W), inner * net.w)
    np.testing.assert_allclose(net.norms, [np.linalg.norm(W), size])
    assert net.calls == 2


def test_in_the_object_itself() -> None:
    net = Net()
    (outer, inner), _ = layered(net.w, W)
    gradient = tl.grad(Net.loss, wrt="self")(net, W)
    np.testing.assert_allclose(gradient.w, outer + inner * W)
    assert net.calls == 2 and len(net.norms) == 2


@pytest.mark.parametrize("wrt", ["x", "self"])
def test_objects_that_the_function_changes_as_well(wrt: str) -> None:
    net, plain = Net(), Net()
    gradient = tl.grad(Net.steps, wrt=wrt)(net, W)
    plain.steps(W)
    a, b = 1 - np.tanh(plain.w * W) ** 2, 1 - np.tanh(2 * plain.w * W) ** 2
    if wrt == "x":
        np.testing.assert_allclose(gradient, plain.w * (a * (W + 1) + 2 * b))
    else:
        np.testing.assert_allclose(gradient.w, W * (a * (W + 1) + 2 * b))
    np.testing.assert_array_equal(net.h, plain.h)
    assert net.calls == 2 and net.table == {"last": 2}
    assert [n for n in net.norms if isinstance(n, str)] == ["looked", "looked"]
    arrays = [n for n in net.norms if not isinstance(n, str)]
    np.testing.assert_allclose(arrays, [np.ones(4), W + 1])


def in_arrays(x, log):
    y = np.zeros(4)
    y[:] = x * x
    y[1:] += y[:-1]
    with tl.insert_grad_of(y) as dy:
        log.append(1)
    return np.sum(y)


def test_a_pullback_does_not_change_a_copy_in_silence() -> None:
    log: list[Any] = []
    tl.grad(in_arrays)(W, log)
    assert log == [1]
    with pytest.raises(tl.AliasError, match="`log` is changed by inserted code"):
        tl.vjp(in_arrays)(W, log)


def squared(y, log):
    z = y * y
    with tl.insert_grad_of(z) as dz:
        log.append(float(np.sum(dz)))
    return z


def helper_beside_stores(x, log):
    y = x.copy()
    y[0] = y[1] * y[0]
    z = squared(y, log)
    y[1] = z[2]
    return np.sum(z * y)


def test_what_a_helper_changes_is_no_copy_either() -> None:
    log: list[Any] = []
    tl.grad(helper_beside_stores)(W, log)
    assert log == [2.0 + 9.0 + (3.0 + 4.0) + 4.0]  # y at the end, and z[1] for y[1] = z[2]
    with pytest.raises(tl.AliasError, match="`log` is changed by inserted code"):
        tl.vjp(helper_beside_stores)(W, log)


class Filter:
    def __init__(self) -> None:
        self.k, self.norms = np.array([0.5, 0.25]), []

    def __call__(self, x):
        out = np.zeros(4)
        for i in range(1, 4):
            out[i] = x[i] * self.k[0] + x[i - 1] * self.k[1]
        with tl.insert_grad_of(out) as d:
            self.norms.append(float(np.sum(d)))
        return out

    def loss(self, x):
        return np.sum(self(self(x)) * W)


def test_methods_with_arrays_of_their_own() -> None:
    one = Filter()
    tl.grad(one.loss)(W)
    tl.vjp(one.loss)(W)[1](1.0)
    inner = 0.25 * 2 + 0.5 * 2 + 0.25 * 3 + 0.5 * 3 + 0.25 * 4 + 0.5 * 4
    assert one.norms == [10.0, inner, 10.0, inner]


def both(x, log):
    log.append(0)
    with tl.insert_grad_of(x) as dx:
        log.append(dx)
    return x * x


def test_what_function_and_block_change_is_refused() -> None:
    with pytest.raises(tl.UnsupportedSyntaxError, match="`log` is changed by inserted code"):
        tl.grad(both)(2.0, [])


def test_derivatives_with_inserted_code_travel() -> None:
    SEEN.clear()
    there = pickle.loads(pickle.dumps(tl.grad(without_result)))
    assert there(2.0) == 16.0


def listing(x):
    with tl.insert_grad_of(x) as dx:
        if dx > 10:
            print("Clipping", dx)
            dx = 10
    return x * x


def test_clipping_as_in_the_paper(capsys: pytest.CaptureFixture[str]) -> None:
    assert tl.grad(listing)(2.0) == 4.0
    assert capsys.readouterr().out == ""
    assert tl.grad(listing)(20.0) == 10
    assert listing(20.0) == 400.0
    assert capsys.readouterr().out == "Clipping 40.0\n"
