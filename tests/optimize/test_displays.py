"""Adjoints of lists that are said as lists are those that are added up, whatever the lists hold and however long they are."""

import inspect

import numpy as np
import pytest

import tangentlite as tl
from tangentlite.optimize.sums.segments import Part, in_order

R = np.random.default_rng(3)


def a(*shape):
    return R.normal(size=shape)


def ends(ws, x):
    for w in ws[:-1]:
        x = np.tanh(w @ x)
    return np.sum(ws[-1] @ x)


def begins(ws, x):
    x = ws[0] @ x
    for w in ws[1:]:
        x = np.sin(w @ x)
    return np.sum(x)


def both_ends(ws, x):
    x = ws[0] @ x
    for w in ws[1:-1]:
        x = np.sin(w @ x)
    return np.sum(ws[-1] @ x)


def starred(ws, x):
    *rest, last = ws
    for w in rest:
        x = np.tanh(w @ x)
    return np.sum(last @ x)


def first_starred(ws, x):
    first, *rest = ws
    x = first @ x
    for w in rest:
        x = np.tanh(w @ x)
    return np.sum(x)


def middle_starred(ws, x):
    first, *rest, last = ws
    for w in rest:
        x = np.tanh(w @ x)
    return np.sum(first @ x) * np.sum(last @ x)


def last_twice(ws, x):
    y = ws[-1] @ x
    for w in ws[:-1]:
        x = np.tanh(w @ x)
    return np.sum(ws[-1] @ x) + np.sum(y)


def last_and_all(ws, x):
    for w in ws:
        x = np.tanh(w @ x)
    return np.sum(ws[-1] @ x)


def two_last(ws, x):
    for w in ws[:-2]:
        x = np.tanh(w @ x)
    return np.sum(ws[-1] @ (ws[-2] @ x))


def overlapping(ws, x):
    for w in ws[:-1]:
        x = np.tanh(w @ x)
    for w in ws[1:]:
        x = np.sin(w @ x)
    return np.sum(x)


def some(ws, x):
    for i in range(len(ws)):
        if i % 2:
            x = np.tanh(ws[i] @ x)
    return np.sum(x)


def twice_in_a_trip(ws, x):
    for i in range(len(ws)):
        x = np.tanh(ws[i] @ x) + ws[i] @ x
    return np.sum(x)


def fewer_trips(ws, x):
    for w, k in zip(ws[:-1], (1.0, 2.0)):
        x = np.tanh(w @ x) * k
    return np.sum(ws[-1] @ x)


ONE = ends, begins, both_ends, starred, first_starred, middle_starred, last_twice, last_and_all
ONE += two_last, overlapping, some, twice_in_a_trip, fewer_trips


def paired(ps, x):
    for w, b in ps[:-1]:
        x = np.maximum(w @ x + b, 0.0)
    w, b = ps[-1]
    return np.sum((w @ x + b) ** 2)


def paired_star(ps, x):
    *hidden, (w, b) = ps
    for v, c in hidden:
        x = np.maximum(v @ x + c, 0.0)
    return np.sum((w @ x + b) ** 2)


def same(one, other):
    assert type(one) is type(other)
    if isinstance(one, list | tuple):
        assert len(one) == len(other)
        for pair in zip(one, other):
            same(*pair)
    elif isinstance(one, dict):
        assert [*one] == [*other]
        for key in one:
            same(one[key], other[key])
    elif one is not None:
        assert np.shape(one) == np.shape(other)
        np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-14)
        assert getattr(one, "dtype", None) == getattr(other, "dtype", None)


def compare(f, *args):
    """Whether three calls give what the text gives that is not optimized."""
    plain, better = tl.grad(f, optimized=False), tl.grad(f)
    try:
        wanted = plain(*args)
    except Exception as fault:
        for _ in range(3):
            with pytest.raises(type(fault)):
                better(*args)
        return better
    for _ in range(3):
        same(better(*args), wanted)
    return better


@pytest.mark.parametrize("count", [0, 1, 2, 3, 5])
@pytest.mark.parametrize("f", ONE, ids=lambda f: f.__name__)
def test_lists_of_arrays(f, count):
    compare(f, [a(2, 2) for _ in range(count)], a(2))


@pytest.mark.parametrize("f", ONE, ids=lambda f: f.__name__)
def test_lists_that_hold_one_array_twice_and_nans(f):
    w, v = a(2, 2), np.array([[np.nan, 1.0], [np.inf, 0.0]])
    with np.errstate(all="ignore"):
        compare(f, [w, w, w], a(2))
        compare(f, [w, v, w], a(2))
        compare(f, (w, w, w), a(2))


@pytest.mark.parametrize("count", [1, 2, 4])
@pytest.mark.parametrize("f", [paired, paired_star])
@pytest.mark.parametrize("made", [tuple, list])
def test_lists_of_pairs(f, count, made):
    compare(f, [made((a(3, 3), a(3))) for _ in range(count)], a(3))
    compare(f, [made((a(3, 3), 0.5)) for _ in range(count)], a(3))
    compare(f, [made((a(3, 3), a(1))) for _ in range(count)], a(3))
    compare(f, [made((a(3, 3).astype(np.float32), a(3))) for _ in range(count)], a(3))
    compare(f, [made((a(3, 3), np.arange(3))) for _ in range(count)], a(3))


def test_numbers_stay_what_loops_compute_with():
    def poly(ws, x):
        s = ws[-1]
        for w in ws[:-1]:
            s = s * x + w
        return s

    compare(poly, [1.0, 2.0, 3.0], 0.5)
    compare(poly, [2.0], 0.5)


def test_loops_that_begin_below_zero_may_come_to_a_place_twice():
    def around(ps, x):
        for i in range(-1, 1):
            w, b = ps[i]
            x = np.tanh(w @ x + b)
        return np.sum(x)

    for count in (1, 2, 3):
        compare(around, [(a(2, 2), a(2)) for _ in range(count)], a(2))


def test_dicts_in_dicts_under_keys_that_are_made():
    def net(p, x):
        for i in range(1, 4):
            layer = p["l%d" % i]
            x = x @ layer["w"] + layer["b"]
            if i < 3:
                x = np.maximum(x, 0)
        return np.mean(x**2)

    p = {f"l{i}": {"w": a(2, 2), "b": a(2)} for i in (1, 2, 3)}
    df = compare(net, p, a(3, 2))
    assert "{'w': bw, 'b': bb}" in inspect.getsource(df.__func__)
    p["l2"]["b"] = 0.5
    compare(net, p, a(3, 2))


def test_lists_that_are_changed_are_added_up():
    def grown(ws, x):
        ws = ws + [ws[0]]
        for w in ws[:-1]:
            x = np.tanh(w @ x)
        return np.sum(ws[-1] @ x)

    def popped(ws, x):
        last = ws.pop()
        for w in ws:
            x = np.tanh(w @ x)
        return np.sum(last @ x)

    for f in (grown, popped):
        compare(f, [a(2, 2) for _ in range(3)], a(2))


def test_the_texts():
    df = compare(paired_star, [(a(3, 3), a(3)) for _ in range(3)], a(3))
    assert "bps = [*bhidden, (bw, bb)]" in inspect.getsource(df.__func__)
    df = compare(ends, [a(2, 2) for _ in range(3)], a(2))
    assert "bws = [*bt2, bws_part]" in inspect.getsource(df.__func__)
    df = compare(both_ends, [a(2, 2) for _ in range(3)], a(2))
    assert "[*" not in inspect.getsource(df.__func__)


def test_places_from_both_ends_may_be_the_same():
    def ordered(*spans, length=None):
        parts = [Part(start, end, None, item, 0) for start, end, item in spans]
        return in_order(parts, length) is not None

    assert ordered((0, -1, False), (-1, None, True))
    assert ordered((-1, None, True), (0, -1, False))
    assert ordered((0, 1, True), (1, None, False))
    assert ordered((0, None, False))
    assert ordered((0, 1, True), (1, 2, True), length=2)
    assert not ordered((0, 1, True), (1, 2, True))
    assert not ordered((0, 1, True), (1, -1, False), (-1, None, True))
    assert not ordered((0, -1, False), (-2, None, False))
    assert not ordered((0, -1, False), (-1, None, True), (-1, None, True))
    assert not ordered((1, None, False))
    assert not ordered()
