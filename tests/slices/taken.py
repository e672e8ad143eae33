"""Programs that loop over places, each with what becomes of its loops: slices, or loops as before."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tangentlite.doors import sliced

Function = Callable[..., Any]
SIZE = 30


def argument(letter: str, seed: int) -> Any:
    """``V`` a vector, ``L`` a long one, ``P`` a plane, ``S`` a symmetric one, ``Q`` a cube, ``W`` a small plane, ``k`` a short vector, ``R`` rows of three,
    ``r`` rows of one, ``N`` a number."""
    draw = np.random.default_rng(seed).normal
    if letter == "S":
        plane = 0.1 * draw(size=(SIZE, SIZE))
        return plane @ plane.T + np.eye(SIZE)
    made = {
        "V": lambda: draw(size=SIZE),
        "L": lambda: draw(size=100),
        "P": lambda: 0.1 * draw(size=(SIZE, SIZE)),
        "Q": lambda: 0.1 * draw(size=(6, 7, SIZE)),
        "W": lambda: draw(size=(3, 3)),
        "k": lambda: draw(size=3),
        "R": lambda: draw(size=(SIZE, 3)),
        "r": lambda: draw(size=(SIZE, 1)),
        "N": lambda: 0.3 + 0.1 * seed,
        "T": lambda: 3,
        "B": lambda: np.full(SIZE, 800.0),
    }
    return made[letter]()


def case(
    letters: str, slices: bool = True, value: bool | None = None
) -> Callable[[Function], Function]:
    """A program, its arguments, and whether its gradient, and its value and gradient, are computed in slices."""

    def mark(f: Function) -> Function:
        f.__dict__["case"] = letters, slices, slices if value is None else value
        return f

    return mark


def cases(names: dict[str, Any]) -> list[Any]:
    """The programs of a module."""
    return [pytest.param(f, id=n) for n, f in names.items() if hasattr(f, "case")]


def _copies(args: list[Any]) -> list[Any]:
    return [a.copy() if isinstance(a, np.ndarray) else a for a in args]


def _is_real(arg: Any) -> bool:
    return not isinstance(arg, int)


def _parts(found: Any) -> list[Any]:
    return list(found) if isinstance(found, tuple) else [found]


@np.errstate(all="ignore")
def check(f: Function, monkeypatch: pytest.MonkeyPatch) -> None:
    """The gradient is that of the loops, the value is the function's own, and slices are taken where they should."""
    letters, slices, value = f.__dict__["case"]
    taken = list[Any]()
    emitted = sliced._emitted
    monkeypatch.setattr(sliced, "_emitted", lambda found: taken.append(found) or emitted(found))
    args = [argument(letter, seed) for seed, letter in enumerate(letters)]
    wrt = tuple(k for k, a in enumerate(args) if _is_real(a))
    written, looped = _copies(args), _copies(args)
    found = tl.grad(f, wrt=wrt)(*written)
    assert bool(taken) == slices
    _agree(found, tl.grad(f, wrt=wrt, optimized=False)(*looped))
    for a, b in zip(written, looped):
        np.testing.assert_array_equal(a, b)
    taken.clear()
    result, found = tl.value_and_grad(f, wrt=wrt)(*_copies(args))
    assert bool(taken) == value
    own = f(*_copies(args))
    assert result == own
    assert type(result) is type(own)
    _agree(found, tl.value_and_grad(f, wrt=wrt, optimized=False)(*_copies(args))[1])


def _agree(found: Any, known: Any) -> None:
    for a, b in zip(_parts(found), _parts(known), strict=True):
        assert np.shape(a) == np.shape(b)
        assert np.asarray(a).dtype == np.asarray(b).dtype
        np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-11 * max(np.max(np.abs(b)), 1.0))
