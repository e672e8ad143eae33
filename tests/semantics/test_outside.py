"""SEMANTICS, section 2: what lives outside the function has no shadow that would outlive the call."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangentlite as tl

LOG = []
MEMO = {}
STATE = np.zeros(3)


class Box:
    data = np.zeros(3)


BOX = Box()


@pytest.fixture(autouse=True)
def _as_it_was() -> None:
    LOG.clear()
    MEMO.clear()
    STATE.fill(0.0)
    BOX.data.fill(0.0)


def stores_outside(x):
    STATE[0] = x
    return np.sum(STATE)


def adds_outside(x):
    STATE[0] += x
    return np.sum(STATE)


def stores_key_outside(x):
    MEMO["x"] = x
    return x * MEMO["x"]


def out_outside(x):
    np.multiply(x, x, out=STATE)
    return np.sum(STATE)


def fills_outside(x):
    STATE.fill(x)
    return np.sum(STATE)


def copies_outside(x):
    np.copyto(STATE, x)
    return np.sum(STATE)


def appends_outside(x):
    LOG.append(x)
    return x * LOG[-1]


def stores_in_an_object(x):
    BOX.data[0] = x
    return np.sum(BOX.data)


def stores_through_a_name(x):
    state = STATE
    state[0] = x
    return np.sum(STATE)


def adds_through_a_name(x):
    state = STATE
    state += x
    return np.sum(STATE)


def stores_through_a_view(x):
    part = STATE[1:]
    part[0] = x
    return np.sum(STATE)


def stores_through_rows(x):
    for row in STATE[:, None]:
        row[0] = x
    return np.sum(STATE)


def stores_through_a_list(x):
    states = [STATE]
    states[0][0] = x
    return np.sum(STATE)


def reads_only(x):
    return x * (STATE[0] + 3.0)


def writes_what_is_inactive(x, n):
    STATE[0] = n
    return x * STATE[0]


OUTSIDE = [
    stores_outside,
    adds_outside,
    stores_key_outside,
    out_outside,
    fills_outside,
    copies_outside,
    appends_outside,
    stores_in_an_object,
    stores_through_a_name,
    adds_through_a_name,
    stores_through_a_view,
    stores_through_rows,
    stores_through_a_list,
]


@pytest.mark.parametrize("function", OUTSIDE, ids=lambda f: f.__name__)
def test_what_flows_through_it_is_refused(function: Any) -> None:
    with pytest.raises(tl.AliasError) as caught:
        tl.grad(function)(2.0)
    assert caught.value.place.file == __file__
    assert caught.value.hint
    with pytest.raises(tl.AliasError):
        tl.jvp(function)(2.0, tangent=1.0)


def test_it_may_be_read() -> None:
    assert tl.grad(reads_only)(2.0) == 3.0


def test_effects_happen_once_and_remain() -> None:
    assert tl.grad(writes_what_is_inactive)(2.0, 5) == 5.0
    assert list(STATE) == [5.0, 0.0, 0.0]


WEIGHTS = np.ones(3)


def overwrites_the_weights():
    WEIGHTS[0] = 5.0


def weighs_and_overwrites(x):
    y = np.sum(WEIGHTS * x)
    overwrites_the_weights()
    return y * y


@pytest.mark.parametrize("derivative", [tl.grad, tl.vjp])
def test_a_helper_overwrites_what_is_read_backward(derivative: Any) -> None:
    with pytest.raises(
        tl.AliasError, match="that the derivative of `weighs_and_overwrites` reads"
    ) as caught:
        derivative(weighs_and_overwrites)(np.ones(3))
    assert caught.value.place.text.strip() == "WEIGHTS[0] = 5.0"
    assert WEIGHTS[0] == 1.0


HELD = {"w": np.ones(3), "rows": [np.ones(3)]}


def overwrites_a_held_array():
    row = HELD["rows"][0]
    row[1] = 5.0


def reads_a_held_array(x):
    y = np.sum(HELD["rows"][0] * x)
    overwrites_a_held_array()
    return y * y


def reads_another_one(x):
    y = np.sum(WEIGHTS * x)
    overwrites_a_held_array()
    return y * y


def test_a_helper_overwrites_what_lies_in_a_dict() -> None:
    with pytest.raises(tl.AliasError, match="that the derivative of `reads_a_held_array` reads"):
        tl.grad(reads_a_held_array)(np.ones(3))
    assert np.all(tl.grad(reads_another_one)(np.ones(3)) == 6.0)
    assert HELD["rows"][0][1] == 5.0


TABLE = {"a": 1.0}
ROW = [1.0, 2.0]
ARRAY = np.ones(2)
NUMBER = 1.0


def set_in_a_dict(x):
    TABLE.__setitem__("a", x * 2.0)
    return TABLE["a"]


def set_in_a_list(x):
    ROW.__setitem__(0, x * 2.0)
    return ROW[0]


def set_in_an_array(x):
    ARRAY.__setitem__(0, x * 2.0)
    return ARRAY[0]


def multiplied(x):
    ARRAY.__imul__(x)
    return ARRAY[1]


def by_another_name(x):
    put = TABLE.__setitem__
    put("a", x * 2.0)
    return TABLE["a"]


def in_globals(x):
    globals()["NUMBER"] = x * 2.0
    return NUMBER


def in_named_globals(x):
    names = globals()
    names["NUMBER"] = x * 2.0
    return NUMBER


def set_in_globals(x):
    globals().__setitem__("NUMBER", x * 2.0)
    return NUMBER


@pytest.mark.parametrize(
    "f",
    [
        set_in_a_dict,
        set_in_a_list,
        set_in_an_array,
        multiplied,
        by_another_name,
        in_globals,
        in_named_globals,
        set_in_globals,
    ],
)
def test_methods_that_write_outside_are_refused(f):
    """Of numbers, which nobody writes into, as of arrays."""
    for derived in (tl.grad, tl.jvp):
        with pytest.raises(tl.DerivativeError):
            derived(f)(1.5, **({"tangent": 1.0} if derived is tl.jvp else {}))


def reads_globals(x):
    return x * globals()["NUMBER"] * globals().get("NUMBER", 2.0)


def test_globals_are_read():
    assert tl.grad(reads_globals)(1.5) == 1.0
