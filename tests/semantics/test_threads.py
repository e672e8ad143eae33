"""Many threads at once: the same first call, compiling, pullbacks; nothing of one is seen by another."""

from __future__ import annotations

import gc
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tangentlite.parsing import parsed

COUNT = 6
X = np.array([0.3, 0.5, 0.7])


@pytest.fixture(autouse=True)
def restless() -> Iterator[None]:
    """Threads take turns very often."""
    interval, limit = sys.getswitchinterval(), sys.getrecursionlimit()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)
    assert sys.getrecursionlimit() == limit


def together(work: Callable[[int], Any]) -> list[Any]:
    """What ``work`` gives for 0, 1, 2 …, all at once."""
    found: list[Any] = [None] * COUNT
    faults: list[BaseException] = []
    gate = threading.Barrier(COUNT)

    def one(k: int) -> None:
        try:
            gate.wait()
            found[k] = work(k)
        except BaseException as fault:
            faults.append(fault)

    threads = [threading.Thread(target=one, args=(k,)) for k in range(COUNT)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for fault in faults:
        raise fault
    return found


def sines(x, k):
    y = x
    for i in range(k):
        y = np.sin(y) * x
    return y


def by_a_helper(x):
    return np.sum(sines(x, 3)) + sines(x[0], 2)


def into_an_array(x):
    y = np.zeros(8)
    for i in range(1, 8):
        y[i] = np.tanh(y[i - 1] + x[i % 3])
    return np.sum(y * y)


def over_a_list(xs):
    out = []
    for v in xs:
        out.append(v * v * xs[0])
    return sum(out)


def by_recursion(x):
    return x if x > 2.0 else by_recursion(x * 1.7) * x


def of_a_derivative(x):
    def inner(y):
        return y * y * x

    return tl.grad(inner)(x * 2.0)


class Model:
    def __init__(self, w):
        self.w = w

    def loss(self, x):
        return np.sum(np.tanh(self.w * x) ** 2)


PROGRAMS: list[tuple[Any, Callable[[int], Any]]] = [
    (by_a_helper, lambda k: X * (k + 1)),
    (into_an_array, lambda k: X + 0.1 * k),
    (over_a_list, lambda k: [0.1 + k, 0.2, 0.3][: 2 + k % 2]),
    (by_recursion, lambda k: 0.4 + 0.1 * k),
    (of_a_derivative, lambda k: 0.5 + k),
    (Model(2.0).loss, lambda k: X * (k + 1)),
]
IDS = [f.__name__ for f, _ in PROGRAMS]


@pytest.mark.parametrize(("f", "at"), PROGRAMS, ids=IDS)
def test_the_same_first_call(f: Any, at: Any) -> None:
    expected = [tl.grad(f)(at(k)) for k in range(COUNT)]
    df = tl.grad(f)
    np.testing.assert_equal(together(lambda k: df(at(k))), expected)


@pytest.mark.parametrize(("f", "at"), PROGRAMS, ids=IDS)
def test_compiling(f: Any, at: Any) -> None:
    expected = [tl.grad(f)(at(k)) for k in range(COUNT)]
    np.testing.assert_equal(together(lambda k: tl.grad(f)(at(k))), expected)
    sources = together(lambda k: tl.grad(f).source)
    assert set(sources) == {sources[0]}


@pytest.mark.parametrize(("f", "at"), PROGRAMS, ids=IDS)
def test_pullbacks(f: Any, at: Any) -> None:
    expected = [np.multiply(1.0 + k, tl.grad(f)(at(1))) for k in range(COUNT)]
    _, pullback = tl.vjp(f)(at(1))
    for k, found in enumerate(together(lambda k: [pullback(1.0 + k) for _ in range(10)])):
        for gradient in found:
            np.testing.assert_allclose(gradient, expected[k], rtol=1e-12)


def test_second_derivatives_and_tangents() -> None:
    slope = tl.jvp(tl.grad(by_a_helper))
    expected = [slope(X * (k + 1), tangent=X)[1] for k in range(COUNT)]
    fresh = tl.jvp(tl.grad(by_a_helper))
    np.testing.assert_equal(together(lambda k: fresh(X * (k + 1), tangent=X)[1]), expected)


def test_a_helper_that_is_defined_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever notices it writes the text anew; the others wait or go on with a whole one."""
    df = tl.grad(by_a_helper)
    df(X)
    for factor in (2.0, 3.0):

        def scaled(x, k, factor=factor):
            return x * factor

        monkeypatch.setitem(globals(), "sines", scaled)
        expected = factor * np.array([2.0, 1.0, 1.0])
        np.testing.assert_equal(together(lambda k: df(X)), [expected] * COUNT)


def test_the_first_rules_of_a_process() -> None:
    text = """
import sys, threading
sys.setswitchinterval(1e-6)
import numpy as np, tangentlite as tl
from tests.semantics.test_threads import COUNT, X, by_a_helper, together
gradients = together(lambda k: tl.grad(by_a_helper)(X).tolist())
assert gradients == [gradients[0]] * COUNT, gradients
"""
    import subprocess

    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=False)
    assert not done.returncode, done.stderr


def test_texts_that_are_read_at_once() -> None:
    """Python's parser counts depth for all threads in one place, and finalisers let the others run in between."""

    class Finalised:
        def __del__(self) -> None:
            for _ in range(50):
                pass

    text = "def f(x):\n" + "    y = x * (x + 1) if x else [1, 2, (3, {4: x})]\n" * 50

    def read(_: int) -> int:
        for _ in range(40):
            cycle = Finalised()
            cycle.itself = cycle  # type: ignore[attr-defined]
            found = parsed(text)
        return len(found.body[0].body)

    thresholds = gc.get_threshold()
    gc.set_threshold(50)
    try:
        assert together(read) == [50] * COUNT
    finally:
        gc.set_threshold(*thresholds)
