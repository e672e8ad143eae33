"""Programs that write in place: sane themselves, and right in every mode."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tests.mutation.harness import CASES, confirm, modes, sane
from tests.mutation.registry import W4, Case, vector
from tests.turns import slow

IMAGINARY = "an imaginary part that is a view has an adjoint of the other sign"
REFUSED = {
    "complex_arrays.imaginary_part_of_a_complex": IMAGINARY,
    "folded.kept_in_a_list": "a view whose elements share memory is kept where it cannot be made anew",
}
SECOND = {
    "folded.made_in_a_loop": "a record holds a view whose elements share memory",
}
# Second derivatives through lists, dicts and parts of complex numbers that change.
CHANGING = {
    "calls_that_write": """imaginary_parts_stored parts_bound_as_attributes""",
    "complex_arrays": """complex_into_real_by_parts imaginary_part_at_once imaginary_part_of_a_complex real_stored_in_complex_and_back""",
    "dicts": """memo_of_a_recursion""",
    "results": """arrays_in_a_tuple_are_overwritten_call_after_call""",
}
PARTS = "lists, dicts and parts that change have first derivatives only"
SECOND |= {f"{g}.{name}": PARTS for g, names in CHANGING.items() for name in names.split()}
SECOND["folded.kept_in_a_list"] = REFUSED["folded.kept_in_a_list"]


def marked(number: int, case: Case, mode: str) -> Any:
    """A case as a parameter; what is refused is expected to be."""
    others = [m for m in modes(case) if m != "reverse"]
    marks = [pytest.mark.slow] if slow(number, mode, others) else []
    expected = {"second": SECOND, "reverse": REFUSED, "split": REFUSED}.get(mode, {})
    if case.gap:
        reason = f"not supported yet: {case.gap}"
        marks.append(pytest.mark.xfail(raises=tl.DerivativeError, reason=reason))
    elif case.name in expected:
        reason = expected[case.name]
        marks.append(pytest.mark.xfail(raises=tl.DerivativeError, reason=reason, strict=True))
    return pytest.param(case, mode, id=f"{case.name}-{mode}", marks=marks)


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_programs_are_sane(case: Case) -> None:
    sane(case)


@pytest.mark.parametrize(
    ("case", "mode"), [marked(k, c, m) for k, c in enumerate(CASES) for m in modes(c)]
)
def test_program(case: Case, mode: str) -> None:
    confirm(case, mode)


def both_written(p, q):
    p[1] = q[0] * q[2]
    q += p[3]
    return np.sum(W4 * p * q)


def second_only_read(p, q):
    p[1] = p[0] * p[2]
    return np.sum(W4 * p * q)


def first_returned(p, q):
    p[1] = q[0] * p[2]
    return p


@pytest.mark.parametrize("f", [both_written, second_only_read])
@pytest.mark.parametrize("part", [slice(0, 4), slice(2, 6), slice(3, None, -1)], ids=str)
def test_overlapping_arguments_of_which_one_is_written(f: Any, part: slice) -> None:
    base = np.sin(1.0 + np.arange(6.0))
    with pytest.raises(tl.AliasError):
        tl.grad(f, wrt=(0, 1))(base[:4], base[part])


def test_overlapping_arguments_that_are_only_read() -> None:
    x = vector()
    p, q = tl.grad(lambda p, q: np.sum(p * p * q), wrt=(0, 1))(x, x)
    np.testing.assert_allclose(p, 2.0 * x * x)
    np.testing.assert_allclose(q, x * x)


def test_the_value_keeps_the_overlap_of_arguments() -> None:
    x = vector()
    twin = x.copy()
    expected = both_written(twin, twin)
    value, _ = tl.value_and_grad(lambda s, p, q: s * both_written(p, q))(1.0, x, x)
    assert value == expected
    np.testing.assert_array_equal(x, vector())


def overlapping_in_a_loop(s, p, q):
    p[0] = s * s
    for i in range(3):
        p[i] = p[i] * s + q[i]
        q *= 1.1
        p[1:] += q[:-1] * s
    return np.sum(p * q * p)


def overlapping_twice(s, p, q):
    p[0] = s * s
    y = q[0] * s
    p[0] = 7.0 * s
    return y * s + q[0]


def overlapping_in_a_tuple(s, pair):
    p, q = pair
    p[0] = s * s
    y = q[0] * s
    p[0] = 7.0 * s
    return y * s + q[0]


MODES = {
    "reverse": lambda f, *args: tl.grad(f)(*args),
    "unoptimized": lambda f, *args: tl.grad(f, optimized=False)(*args),
    "split": lambda f, *args: tl.vjp(f)(*args)[1](1.0),
    "forward": lambda f, *args: tl.jvp(f)(*args, tangent=1.0)[1],
}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("f", [overlapping_in_a_loop, overlapping_twice])
@pytest.mark.parametrize("parts", [np.s_[:, :], np.s_[:, ::-1], np.s_[1:, :-1]], ids=str)
def test_overlapping_arguments_that_are_not_differentiated(f: Any, mode: str, parts: Any) -> None:
    def slope(along: Any) -> float:
        ends = [along(f, 1.3 + e, *overlapping(parts)) for e in (1e-6, -1e-6)]
        return float((ends[0] - ends[1]) / 2e-6)

    p, q = overlapping(parts)
    first = MODES[mode](f, 1.3, p, q)
    np.testing.assert_allclose(first, slope(lambda f, *args: f(*args)), rtol=1e-6)
    second = MODES[mode](tl.grad(f), 1.3, p, q)
    np.testing.assert_allclose(second, slope(MODES["reverse"]), rtol=1e-6)
    np.testing.assert_array_equal(p, overlapping(parts)[0])


def overlapping(parts: Any) -> Any:
    base = vector()
    return tuple(base[part] for part in parts)


@pytest.mark.parametrize("mode", MODES)
def test_arrays_of_a_tuple_that_overlap(mode: str) -> None:
    pair = overlapping(np.s_[:, ::-1])
    expected = MODES["reverse"](overlapping_twice, 1.3, *pair)
    np.testing.assert_allclose(MODES[mode](overlapping_in_a_tuple, 1.3, pair), expected)
    expected = MODES["reverse"](tl.grad(overlapping_twice), 1.3, *pair)
    np.testing.assert_allclose(MODES[mode](tl.grad(overlapping_in_a_tuple), 1.3, pair), expected)


def test_a_written_argument_that_overlaps_a_differentiated_one_is_named() -> None:
    x = vector()
    with pytest.raises(tl.AliasError, match="`p` and `q` share memory"):
        tl.grad(lambda p, q: both_written(p, q), wrt=1)(x, x)


def test_an_argument_whose_elements_share_memory() -> None:
    folded = np.lib.stride_tricks.as_strided(vector(), (2, 3), (8, 8))
    with pytest.raises(tl.AliasError, match="elements of an argument share memory"):
        tl.grad(written_rows)(folded)


def written_rows(a):
    a[0] = a[1] * 2.0
    return np.sum(a)


def test_arguments_of_other_types_that_overlap() -> None:
    x = vector()
    with pytest.raises(tl.AliasError, match="share memory"):
        tl.grad(overlapping_in_a_loop)(1.3, x, x.view(np.int64))


@pytest.mark.parametrize("parts", [np.s_[:4, 4:], np.s_[::2, 1::2]], ids=str)
def test_neighbors_in_one_buffer_do_not_overlap(parts: Any) -> None:
    x = np.concatenate([vector(), vector(1)])
    p, q = x[parts[0]], x[parts[1]]
    together = tl.grad(both_written, wrt=(0, 1))(p, q)
    apart = tl.grad(both_written, wrt=(0, 1))(p.copy(), q.copy())
    np.testing.assert_allclose(together, apart)
    np.testing.assert_array_equal(x, np.concatenate([vector(), vector(1)]))


@pytest.mark.parametrize("make", [lambda x: x[::-1], lambda x: np.repeat(x, 2)[::2]])
def test_arguments_that_are_views(make: Any) -> None:
    x, y = make(vector()), vector(1)
    expected = tl.grad(both_written)(x.copy(), y)
    np.testing.assert_allclose(tl.grad(both_written)(x, y), expected)


def test_a_read_only_argument_is_refused_by_numpy() -> None:
    x = vector()
    x.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        both_written(x, vector(1))
    for mode in MODES.values():
        with pytest.raises(ValueError, match="read-only"):
            mode(lambda s, p, q: s * both_written(p, q), 1.0, x, vector(1))
        with pytest.raises(ValueError, match="read-only"):
            mode(lambda s, pair: s * both_written(pair[0], pair[1]), 1.0, (x, vector(1)))
    with pytest.raises(ValueError, match="read-only"):
        tl.grad(both_written)(x, vector(1))
    with pytest.raises(ValueError, match="read-only"):
        tl.grad(lambda s, p, q: s * both_written(p, q))(1.0, x, x)


def test_a_returned_argument_shares_no_memory_with_it() -> None:
    x, y, seed = vector(), vector(1), np.ones(4)
    value, pullback = tl.vjp(first_returned)(x, y)
    value *= 0.0
    first = pullback(seed)
    first += 1.0
    np.testing.assert_allclose(pullback(seed), [1.0, 0.0, 1.0 + y[0], 1.0])
    np.testing.assert_array_equal(seed, np.ones(4))
    np.testing.assert_array_equal(x, vector())


def integer_argument(k):
    s = k[1] * k[2]
    k[0] = 7
    return s * k[0] * k[1]


def like_an_integer(k):
    y = np.zeros_like(k)
    y[0] = k[1] * 1.5
    return np.sum(y * k)


def test_a_store_into_an_argument_of_integers_is_refused() -> None:
    k = np.array([1, 2, 3])
    with pytest.raises(tl.DerivativeError, match="integers"):
        tl.grad(integer_argument)(k)
    np.testing.assert_allclose(tl.grad(integer_argument)(k.astype(float)), [0.0, 84.0, 28.0])
    np.testing.assert_array_equal(k, [1, 2, 3])


def test_integers_given_for_floats() -> None:
    k = np.array([1, 2, 3])
    gradient = tl.grad(like_an_integer)(k)
    assert gradient.dtype == np.float64
    np.testing.assert_allclose(gradient, [3.0, 0.0, 0.0])
    np.testing.assert_array_equal(k, [1, 2, 3])
