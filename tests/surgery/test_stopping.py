"""Inserted code that stops in a debugger: the adjoint has the name that the user gave it."""

from __future__ import annotations

import pdb
import sys
from typing import Any

import numpy as np
import pytest

import tangentlite as tl


def stops(x):
    y = x * x
    with tl.insert_grad_of(y) as dy:
        import pdb

        pdb.set_trace()
    return y * 2


def stops_on_large(x):
    y = x * x
    with tl.insert_grad_of(y) as dy:
        if np.any(dy > 1):
            breakpoint()
            dy = dy * 5.0
    return y * 2


def stops_in_loop(xs, w):
    h = np.zeros(2)
    for x in xs:
        h = np.tanh(w * h + x)
        with tl.insert_grad_of(h) as dh:
            breakpoint()
    return np.sum(h)


def stops_at_storage(x):
    y = np.zeros(3)
    for i in range(3):
        y[i] = x[i] ** 2
    with tl.insert_grad_of(y) as dy:
        breakpoint()
        dy[0] = 7.0
    return np.sum(y)


def looks(x):
    with tl.insert_grad_of(x) as dx:
        assert "dx" in locals()
    return x * x


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """The names that somebody sees who stops, each time."""
    found: list[dict[str, Any]] = []

    def stop() -> None:
        names = sys._getframe(1).f_locals
        found.append({n: np.copy(v) for n, v in names.items() if n in ("dy", "dh")})

    monkeypatch.setattr(sys, "breakpointhook", stop)
    monkeypatch.setattr(pdb, "set_trace", stop)
    return found


@pytest.mark.parametrize(
    ("f", "x", "slope", "dy"),
    [
        (stops, 3.0, 12.0, 2.0),
        (stops, np.float64(3.0), 12.0, 2.0),
        (stops_on_large, 3.0, 60.0, 2.0),
        (stops_on_large, np.array(3.0), 60.0, 2.0),
        (stops_at_storage, np.ones(3), [14.0, 2.0, 2.0], np.ones(3)),
    ],
)
def test_the_adjoint_is_there(f, x, slope, dy, seen) -> None:
    np.testing.assert_allclose(tl.grad(f)(x), slope)
    (names,) = seen
    np.testing.assert_array_equal(names["dy"], dy)


def test_in_each_trip(seen) -> None:
    tl.grad(stops_in_loop, wrt="w")(np.ones((2, 2)), 0.5)
    np.testing.assert_allclose([s["dh"] for s in seen], [[1.0, 1.0], [0.11180529] * 2], rtol=1e-6)


def test_locals() -> None:
    assert tl.grad(looks)(2.0) == 4.0


def test_without_stops_the_name_is_folded_away() -> None:
    assert "dy = " not in tl.grad(quiet).source


def quiet(x):
    y = x * x
    with tl.insert_grad_of(y) as dy:
        print(np.round(dy, 3))
    return y
