"""Helpers: pairs of functions, one forward and one backward."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import tangentlite as tl

COUNT = []


def wave(a, k=2.0):
    return np.sin(a * k) * a


def both(a, b):
    return a * b, a + b


def keyed(a, *, power=2.0):
    return a**power


def once(x):
    return wave(x)


def repeated(x):
    y = wave(x) + wave(x, 3.0) + wave(x, k=x)
    return np.sum(y)


def unpacked(x, y):
    p, s = both(x, y)
    q, r = both(s, 2.0)
    return np.sum(p * q - r)


def in_a_loop(x, n):
    y = x
    for i in range(n):
        y = wave(y, 0.5)
    return np.sum(y)


def in_a_while(x):
    y = x
    k = 0
    while k < 3:
        y = wave(y) + x
        k = k + 1
    return np.sum(y)


def in_a_branch(x):
    if np.sum(x) > 0.0:
        return np.sum(wave(x))
    return np.sum(keyed(x, power=3.0))


def factorial(x, n):
    if n == 0:
        return x
    return x * factorial(x, n - 1)


def calls_recursion(x):
    return factorial(x, 4)


def even(x, n):
    return x if n == 0 else odd(x * x, n - 1)


def odd(x, n):
    return np.sin(x) if n == 0 else even(x + 0.1, n - 1)


def calls_mutual(x):
    return even(x, 5)


def ignores(a, b):
    return a * 2.0


def calls_ignoring(x):
    return ignores(x, np.exp(x)) + ignores(1.0, x)


def takes_list(ws, x):
    for w in ws:
        x = np.tanh(w * x)
    return x


def calls_with_list(x, w):
    return np.sum(takes_list([w, x, w * x], x))


def deep(x):
    return once(once(x)) + once(x)


def chosen(x):
    g = wave
    return g(x) * 2.0


def picks(x, flag):
    g = wave if flag else keyed
    return g(x)


X = np.array([0.4, 1.3, 0.7])
PROGRAMS: list[tuple[Any, tuple[Any, ...]]] = [
    (once, (0.7,)),
    (repeated, (X,)),
    (repeated, (0.3,)),
    (unpacked, (X, X + 1.0)),
    (unpacked, (X, 0.3)),
    (in_a_loop, (X, 3)),
    (in_a_loop, (X, 0)),
    (in_a_while, (X,)),
    (in_a_branch, (X,)),
    (in_a_branch, (-X,)),
    (calls_recursion, (1.3,)),
    (calls_mutual, (0.8,)),
    (calls_ignoring, (0.6,)),
    (calls_with_list, (X, 0.8)),
    (calls_with_list, (0.4, 0.8)),
    (deep, (0.6,)),
    (chosen, (0.6,)),
]


@pytest.mark.parametrize(("f", "args"), PROGRAMS, ids=lambda v: getattr(v, "__name__", ""))
def test_derivatives(f: Any, args: tuple[Any, ...], confirm: Any) -> None:
    confirm(f, *args)


def test_one_pair_for_all_calls_of_a_kind() -> None:
    names = re.findall(r"^def (\w+)\(", tl.grad(in_a_loop).source, re.MULTILINE)
    assert sorted(names) == ["din_a_loop_dx", "wave_backward", "wave_forward"]


def test_a_pair_has_a_forward_and_a_backward_half() -> None:
    source = tl.grad(once).source
    assert "wave_forward(" in source
    assert "wave_backward(" in source
    forward = source[source.index("def wave_forward") :]
    assert "return y, " in forward.partition("def wave_backward")[0]


def test_forward_mode_has_one_function_per_helper() -> None:
    source = tl.jvp(once).source
    assert "def wave_tangent(" in source
    assert "wave_backward" not in source


def test_recursion_needs_one_pair() -> None:
    source = tl.grad(calls_recursion).source
    assert source.count("def factorial_forward") == 1


@pytest.mark.parametrize("flag", [True, False])
def test_a_helper_chosen_at_run_time_is_right_or_refused(flag: bool) -> None:
    try:
        df = tl.grad(picks)
    except tl.DerivativeError as error:
        assert error.place is not None
    else:
        expected = (picks(0.7 + 1e-6, flag) - picks(0.7 - 1e-6, flag)) / 2e-6
        assert df(0.7, flag) == pytest.approx(expected)


def test_a_helper_runs_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert tl.grad(calls_chatty)(3.0) == 24.0
    assert capsys.readouterr().out == "chatty\n"


def chatty(a):
    print("chatty")
    return a * a


def calls_chatty(x):
    y = chatty(x)
    return y * 4.0


def test_errors_of_a_helper_point_into_it() -> None:
    with pytest.raises(tl.UnsupportedSyntaxError) as caught:
        tl.grad(calls_keeping)
    assert caught.value.place.text.strip() == "global kept"


def keeping(a):
    global kept
    kept = a
    return a * a


def calls_keeping(x):
    return keeping(x)
