"""Functions that are made anew by the same code have derivatives that are written once."""

from __future__ import annotations

import functools
import inspect
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tangentlite import pipeline
from tangentlite.twins import Again


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The functions of which derivatives are written meanwhile."""
    found: list[Any] = []
    general = pipeline.general
    monkeypatch.setattr(
        pipeline, "general", lambda known, *rest: found.append(known) or general(known, *rest)
    )
    return found


def predict(w: Any, x: Any) -> Any:
    return np.tanh(x @ w)


def step(w: Any, x: Any, y: Any) -> Any:
    return tl.grad(lambda w: np.sum((predict(w, x) - y) ** 2))(w)


def by_hand(w: Any, x: Any, y: Any) -> Any:
    p = predict(w, x)
    return x.T @ (2.0 * (p - y) * (1.0 - p * p))


def test_a_loss_of_each_batch_is_written_twice_at_most(written: list[Any]) -> None:
    rng = np.random.default_rng(0)
    w = rng.normal(size=(3, 2))
    for size in range(1, 8):
        x, y = rng.normal(size=(size, 3)), rng.normal(size=(size, 2))
        assert np.allclose(step(w, x, y), by_hand(w, x, y))
    assert len(written) <= 2


def scaled(k: Any) -> Callable[..., Any]:
    def f(x: Any) -> Any:
        return k * x * x

    return f


def test_each_has_its_own_variables() -> None:
    first, second, third, fourth = (tl.grad(scaled(float(k))) for k in range(1, 5))
    assert isinstance(third, Again)
    assert [d(1.0) for d in (fourth, first, third, second, fourth)] == [8.0, 2.0, 6.0, 4.0, 8.0]
    assert repr(third) == repr(first) == "<derivative df_dx of scaled.<locals>.f>"
    assert third.__doc__ == first.__doc__ and third.__module__ == first.__module__
    assert "k * x" in inspect.getsource(third.__func__) and not third._units
    assert third.primal(2.0) == 12.0 and "k * x" in third.source
    assert third(1.0) == 6.0 and fourth(1.0) == 8.0
    assert tl.grad(fourth)(1.0) == 8.0
    assert tl.value_and_grad(scaled(5.0))(1.0) == (5.0, 10.0)


def test_what_is_captured_may_be_of_another_kind() -> None:
    for k in (2.0, np.array([1.0, 2.0]), 3, np.float32(2.0), [1.0, 2.0][0], np.ones((2, 2))):
        f = scaled(k)
        gradient = tl.grad(lambda x, f=f: np.sum(f(x)))
        assert np.allclose(gradient(1.5), 3.0 * np.sum(k))
        assert np.allclose(tl.vjp(f)(1.5)[0], k * 2.25)
    for k in (2.0, 1j, 2.0):
        assert tl.grad(scaled(k))(1.0) == 2.0 * np.real(k)
    for k in (2.0, "a", None, 2.0):
        if isinstance(k, float):
            assert tl.grad(scaled(k))(1.0) == 4.0
        else:
            with pytest.raises((tl.DerivativeError, TypeError)):
                tl.grad(scaled(k))(1.0)


def test_a_variable_that_is_bound_later() -> None:
    made = []
    for k in (1.0, 2.0, 3.0):
        made.append(tl.grad(lambda x: k * x))  # noqa: B023
    assert [d(1.0) for d in made] == [3.0, 3.0, 3.0]


def test_a_variable_that_is_gone() -> None:
    def made(k: Any) -> tuple[Any, Callable[[], None]]:
        def f(x: Any) -> Any:
            return k * x

        def forget() -> None:
            f.__closure__[0].__delattr__("cell_contents")  # type: ignore[index]

        return tl.grad(f), forget

    for k in (1.0, 2.0, 3.0):
        gradient, forget = made(k)
        assert gradient(1.0) == k
        forget()
        with pytest.raises((NameError, tl.DerivativeError)):
            gradient(1.0)


def counting() -> tuple[Callable[..., Any], Callable[..., Any]]:
    n = 0.0

    def count() -> float:
        nonlocal n
        n += 1.0
        return n

    def f(x: Any) -> Any:
        count()
        return n * x

    return f, count


def counts_itself() -> Callable[..., Any]:
    n = 0.0

    def f(x: Any) -> Any:
        nonlocal n
        n += 1.0
        return n * x

    return f


def in_an_object() -> Callable[..., Any]:
    n = 0.0

    def count() -> None:
        nonlocal n
        n += 1.0

    hooks = {"before": [count]}

    def f(x: Any) -> Any:
        for hook in hooks["before"]:
            hook()
        return n * x

    return f


HOOKS: list[Callable[[], None]] = []


def through_a_list() -> Callable[..., Any]:
    n = 0.0

    def count() -> None:
        nonlocal n
        n += 1.0

    HOOKS.append(count)

    def f(x: Any) -> Any:
        HOOKS[-1]()
        return n * x

    return f


@pytest.mark.parametrize(
    "make", (lambda: counting()[0], counts_itself, in_an_object, through_a_list)
)
def test_variables_that_are_bound_again_are_not_lent(make: Callable[..., Any]) -> None:
    for _ in range(4):
        f = make()
        try:
            gradient = tl.grad(f)
            got = [gradient(1.0), gradient(1.0)]
        except tl.DerivativeError:
            continue
        assert got == [1.0, 2.0]


class Stream:
    """What is printed calls the gradient of another function of the same code."""

    def __init__(self) -> None:
        self.depth, self.seen = 0, []

    def write(self, text: str) -> None:
        if self.depth > 0 and text.strip():
            self.depth -= 1
            self.seen.append(tl.grad(printing(10.0 * self.depth))(1.0))


stream = Stream()


def printing(k: float) -> Callable[..., Any]:
    def f(x: Any) -> Any:
        y = k * x
        print("here", file=stream)
        return y * k * x

    return f


def test_a_twin_that_is_busy() -> None:
    for k in (1.0, 2.0, 3.0):
        assert tl.grad(printing(k))(1.0) == 2.0 * k * k
    stream.depth = 3
    assert tl.grad(printing(3.0))(1.0) == 18.0
    assert stream.depth == 0 and sorted(stream.seen) == [0.0, 200.0, 800.0]
    assert tl.grad(printing(2.0))(1.0) == 8.0


def test_many_threads() -> None:
    wrong: list[Any] = []

    def work(k: float) -> None:
        for _ in range(50):
            if tl.grad(scaled(k))(1.0) != 2.0 * k:
                wrong.append(k)

    tl.grad(scaled(0.5)), tl.grad(scaled(0.5))
    threads = [threading.Thread(target=work, args=(float(k),)) for k in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_later_parts_keep_what_was_captured() -> None:
    back = [tl.vjp(scaled(float(k)))(1.0)[1] for k in range(1, 5)]
    assert [b(1.0) for b in back] == [2.0, 4.0, 6.0, 8.0]
    aux = [
        tl.grad(lambda x, k=k: (k * x, lambda: k), has_aux=True)(1.0)[1]() for k in (1.0, 2.0, 3.0)
    ]
    assert aux == [1.0, 2.0, 3.0]


class Scale:
    def __init__(self, k: Any) -> None:
        self.k = k

    def __call__(self, x: Any) -> Any:
        return self.k * x


def with_an_object(k: Any) -> Callable[..., Any]:
    scale = Scale(k)
    return lambda x: scale(x) * x


def test_objects_may_be_captured(written: list[Any]) -> None:
    assert [tl.grad(with_an_object(float(k)))(1.0) for k in range(5)] == [0.0, 2.0, 4.0, 6.0, 8.0]
    assert len(written) <= 2
    assert np.allclose(tl.grad(lambda x: np.sum(with_an_object(np.ones(2))(x)))(1.0), 4.0)


def test_functions_without_variables(written: list[Any]) -> None:
    assert [tl.grad(lambda x: x * x)(float(k)) for k in range(5)] == [0.0, 2.0, 4.0, 6.0, 8.0]
    assert len(written) <= 2


def test_attributes_and_defaults_are_a_functions_own() -> None:
    for k in (1.0, 2.0, 3.0):

        def f(x: Any, rate: float = k) -> Any:
            return rate * x * f.weight

        f.weight = 2.0 * k
        assert tl.grad(f)(1.0) == 2.0 * k * k
        assert tl.grad(functools.partial(f, rate=5.0))(1.0) == 10.0 * k


def test_defaults_are_passed(written: list[Any]) -> None:
    for k in range(6):
        x = np.arange(1.0, 2.0 + k)
        got = tl.grad(lambda w, x=x, *, k=float(k): np.sum((w * x - k) ** 2))(0.5)
        assert got == pytest.approx(np.sum(2.0 * (0.5 * x - k) * x))
        gradient = tl.grad(lambda w, x=x, k=k: np.sum(w * w * x) * k, wrt=("w", "x"))
        assert gradient(1.0)[0] == pytest.approx(2.0 * np.sum(x) * k)
        assert gradient(1.0, np.ones(2))[0] == 4.0 * k
        assert gradient(1.0, k=1)[0] == pytest.approx(2.0 * np.sum(x))
        assert gradient(w=1.0, k=1, x=np.ones(3))[0] == 6.0
    assert len(written) <= 4


def test_positional_only_parameters_and_stars() -> None:
    for k in range(4):
        assert tl.grad(lambda w, k=float(k), /: w * k)(1.0) == k
        assert tl.grad(lambda w, k=float(k), *more: w * k * len(more))(1.0) == 0.0
        assert tl.grad(lambda w, k=float(k), *more: w * k * len(more))(1.0, 2.0, 3.0) == 2.0
        assert tl.grad(lambda w, k=float(k), **more: w * k * len(more))(1.0, z=2.0) == k


def test_errors_are_those_of_the_function() -> None:
    def made(k: Any) -> Callable[..., Any]:
        return lambda x: x[int(k)] * 2.0

    assert tl.grad(made(0))(np.ones(2)).tolist() == [2.0, 0.0]
    for _ in range(2):
        with pytest.raises(IndexError):
            tl.grad(made(7))(np.ones(2))
    assert tl.grad(made(1))(np.ones(2)).tolist() == [0.0, 2.0]


def test_optimized_and_not() -> None:
    for k in (1.0, 2.0, 3.0):
        for options in ({}, {"optimized": False}):
            assert tl.grad(scaled(k), **options)(1.0) == 2.0 * k
        assert tl.jvp(scaled(k))(1.0, tangent=1.0) == (k, 2.0 * k)
        assert tl.hessian(scaled(k))(1.0) == 2.0 * k
        assert tl.jacrev(scaled(k))(np.ones(2)).tolist() == [[2.0 * k, 0.0], [0.0, 2.0 * k]]
