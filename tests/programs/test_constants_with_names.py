"""Constants in a dict that is read by attributes, as configurations are: a global, a default, an argument."""

from __future__ import annotations

import numpy as np
import pytest

import tangentlite as tl


class Structure(dict):
    """Reads and writes its items as attributes."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)

    def __setattr__(self, name, value):
        self[name] = value

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError as error:
            raise AttributeError(name) from error


class Short(dict):
    __getattr__ = dict.__getitem__


CONSTANTS = Structure(a=2.0, b=np.array([1.0, 2.0, 3.0]), mode="square")


def short():
    return Short(a=2.0, b=np.array([1.0, 2.0, 3.0]), mode="square")


def by_default(x, c=CONSTANTS):
    return np.sum(x * c.b) * c.a


def by_key(x, c=short()):  # noqa: B008
    return x * c["a"] * c.get("z", 3.0) + np.sum(c["b"])


def handed_on(x):
    return by_default(x, CONSTANTS) + by_key(x) + by_default(x**2)


def chosen(x, c):
    return x**2 if c.mode == "square" else x * c.a


@pytest.mark.parametrize("f", [by_default, by_key, handed_on])
def test_constants(confirm, f):
    confirm(f, 1.3)


@pytest.mark.parametrize("kind", [Structure, Short])
def test_arguments(confirm, kind):
    given = kind(mode="square", a=1.0)
    confirm(lambda x: chosen(x, given), 1.3)
    df = tl.grad(chosen)
    assert df(1.5, given) == 3.0
    assert df(1.5, kind(mode="other", a=4.0)) == 4.0
    assert tl.grad(by_default)(1.5, kind(b=np.ones(2), a=2.0)) == 4.0
    assert tl.grad(by_default)(1.5, kind(b=np.ones(2), a=3.0)) == 6.0


def test_what_is_read_may_become_an_array():
    df = tl.grad(lambda x, c: np.sum(x * c.a))
    given = Structure(a=2.0)
    assert df(1.5, given) == 2.0
    given["a"] = np.array([1.0, 2.0])
    assert df(1.5, given) == 3.0


def sets_an_attribute(x, c):
    c.a = x * 2.0
    return c.a


def sets_an_item(x, c):
    c["a"] = x * 2.0
    return c.a


def updates(x, c):
    c.update(a=x * 2.0)
    return c.a


def sets_what_is_not_there(x, c):
    c.setdefault("b", x * 2.0)
    return c.b


@pytest.mark.parametrize("f", [sets_an_attribute, sets_an_item, updates, sets_what_is_not_there])
def test_active_values_are_not_kept_there(f):
    with pytest.raises(tl.DerivativeError):
        tl.grad(f)(1.5, Structure(a=1.0, b=1.0))


def test_they_are_no_argument_to_differentiate_in():
    """Alone or in what is: rather than a gradient of zero."""

    def within(x, d):
        return d["c"].a * x

    for f, args in ((by_default, (1.5, CONSTANTS)), (within, (1.5, {"c": CONSTANTS}))):
        with pytest.raises(tl.DerivativeError):
            tl.grad(f, wrt=1)(*args)
        with pytest.raises(tl.DerivativeError):
            tl.grad(f, wrt=(0, 1))(*args)
