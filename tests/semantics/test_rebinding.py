"""What helpers, objects and modules mean is looked at again at each call, to second order and in every variant."""

from __future__ import annotations

import functools
import pickle
from collections.abc import Callable, Iterator
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

import tangentlite as tl

X = np.array([0.4, 1.3, 0.7, 0.9])
E = np.array([0.3, -0.2, 0.5, 0.1])


def square(v):
    return v * v


def cube(v):
    return v * v * v


class Settings:
    act = np.tanh
    size: Any = 1


class Computed:
    parts: Any = (4,)

    @property
    def shape(self) -> Any:
        return self.parts[:1] + self.parts[1:]


class Slotted:
    __slots__ = ("act",)

    def __init__(self, act: Any) -> None:
        self.act = act


LAYER = ModuleType("layer")
FUNCTION, SIZE, SHAPE, SCALE, TYPE = np.tanh, 1, (4,), 2.0, float
FUNCTIONS, TABLE, LIST = [np.tanh], {"act": np.tanh}, [1.0, 2.0]
COMPUTED = Computed()
INSTANCE, SLOTTED, OBJECT = Settings(), Slotted(np.tanh), SimpleNamespace(act=np.tanh)


@pytest.fixture(autouse=True)
def as_they_were() -> Iterator[None]:
    names = {n: v for n, v in globals().items() if n.isupper()}
    LAYER.__dict__.update(act=np.tanh, size=1)
    yield
    globals().update(names)
    globals().pop("abs", None)
    Settings.act, Settings.size, SLOTTED.act, OBJECT.act = np.tanh, 1, np.tanh, np.tanh
    vars(INSTANCE).clear()
    vars(COMPUTED).clear()
    Computed.parts = (4,)
    FUNCTIONS[:], LIST[:] = [np.tanh], [1.0, 2.0]
    TABLE.update(act=np.tanh)
    takes_a_list.__defaults__[0][:] = [np.tanh]


def helper(v):
    return FUNCTION(v) * v**SIZE


def reads_through_a_helper(x):
    return np.sum(helper(x))


def shapes_in_a_helper(v):
    return np.reshape(v * v, SHAPE)


def writes_what_a_helper_shaped(x):
    y = shapes_in_a_helper(x)
    z = y[0]
    z *= 2.0
    return np.sum(y * y)


def reads_a_module(x):
    return np.sum(LAYER.act(x) * x**LAYER.size)


def reads_a_module_by_another_name(x):
    layer = LAYER
    return np.sum(layer.act(x))


def reads_a_class(x):
    return np.sum(Settings.act(x) * x**Settings.size)


def reads_an_instance(x):
    return np.sum(INSTANCE.act(x))


def reads_a_slot(x):
    return np.sum(SLOTTED.act(x))


def reads_what_is_computed(x):
    y = np.reshape(x * x, COMPUTED.shape)
    z = y[0]
    z *= 2.0
    return np.sum(y * y)


def reads_an_object(x):
    return np.sum(OBJECT.act(x))


def reads_a_list(x):
    return np.sum(FUNCTIONS[0](x))


def reads_a_dict(x):
    return np.sum(TABLE["act"](x))


def walks_a_list(x):
    s = x * 0.0
    for v in LIST:
        s = s + v * x * x
    return np.sum(s)


def reads_a_number(x):
    return np.sum(np.real(x * x * SCALE))


def asks_for_none(x):
    scale = SCALE
    if scale is None:
        scale = 1.0
    return np.sum(x * x * scale)


def reads_a_type(x):
    y = np.zeros(4, dtype=TYPE)
    y[1:] = x[1:]
    return np.sum(y * y) + np.sum(x)


def calls_a_builtin(x):
    return np.sum(abs(x) * x)


def loops(x):
    y = x
    for _ in range(SIZE):
        y = FUNCTION(y) * x
    return np.sum(y)


def takes_a_list(x, functions=[np.tanh]):  # noqa: B006
    return np.sum(functions[0](x))


def names(**values: Any) -> Callable[[], None]:
    return lambda: globals().update(values)


def sets(owner: Any, **values: Any) -> Callable[[], None]:
    return lambda: [setattr(owner, n, v) for n, v in values.items()] and None


CHANGES: list[tuple[Callable[..., Any], list[Callable[[], Any]]]] = [
    (reads_through_a_helper, [names(FUNCTION=np.sin), names(SIZE=2.5), names(FUNCTION=cube)]),
    (writes_what_a_helper_shaped, [names(SHAPE=(2, 2)), names(SHAPE=(1, 4)), names(SHAPE=4)]),
    (reads_a_module, [sets(LAYER, act=np.sin), sets(LAYER, size=1.5), sets(LAYER, act=cube)]),
    (reads_a_module, [names(LAYER=SimpleNamespace(act=np.sin, size=2)), names(LAYER=Settings)]),
    (reads_a_module_by_another_name, [sets(LAYER, act=np.sin)]),
    (reads_a_class, [sets(Settings, act=np.sin), sets(Settings, size=2.5)]),
    (reads_an_instance, [sets(Settings, act=np.exp), sets(INSTANCE, act=np.sin)]),
    (reads_a_slot, [sets(SLOTTED, act=np.sin), names(SLOTTED=Slotted(cube))]),
    (reads_what_is_computed, [sets(Computed, parts=(2, 2)), sets(COMPUTED, parts=(1, 4))]),
    (reads_an_object, [names(OBJECT=SimpleNamespace(act=np.sin)), names(OBJECT=Settings)]),
    (reads_a_list, [lambda: FUNCTIONS.__setitem__(0, np.sin), lambda: FUNCTIONS.insert(0, cube)]),
    (reads_a_dict, [lambda: TABLE.update(act=np.sin), lambda: TABLE.update(act=cube)]),
    (walks_a_list, [lambda: LIST.append(3.0), lambda: LIST.__setitem__(0, X), lambda: LIST.clear()]),
    (reads_a_number, [names(SCALE=v) for v in (1 + 2j, 3, np.array([1j, 2, 3, 4]), np.ones(4))]),
    (asks_for_none, [names(SCALE=v) for v in (None, 3, X, None, 1.5)]),
    (reads_a_type, [names(TYPE=np.dtype(int)), names(TYPE="float64"), names(TYPE="int64")]),
    (calls_a_builtin, [names(abs=np.sin), names(abs=cube)]),
    (loops, [names(SIZE=3), names(FUNCTION=np.sin), names(SIZE=0)]),
    (takes_a_list, [lambda: takes_a_list.__defaults__[0].__setitem__(0, np.sin)]),
]  # fmt: skip


def slope(f: Any, x: Any, direction: Any, step: float = 1e-6) -> Any:
    return (f(x + step * direction) - f(x - step * direction)) / (2.0 * step)


def slopes(f: Any) -> Any:
    return np.array([slope(f, X, e) for e in np.eye(4)])


def curvature(f: Any) -> Any:
    return slope(lambda x: np.array([slope(f, x, e, 1e-4) for e in np.eye(4)]), X, E, 1e-4)


MAKE: dict[str, Callable[[Any], Any]] = {
    "reverse": tl.grad,
    "split": tl.vjp,
    "forward": tl.jvp,
    "grad of grad": lambda f: tl.grad(tl.grad(f), wrt="x"),
    "jvp of grad": lambda f: tl.jvp(tl.grad(f), wrt="x"),
    "vjp of jvp": lambda f: tl.vjp(tl.jvp(f), wrt="x"),
}
FIRST: dict[str, Callable[[Any], Any]] = {
    "reverse": lambda d: d(X.copy()),
    "split": lambda d: d(X.copy())[1](1.0),
    "forward": lambda d: [d(X.copy(), tangent=e)[1] for e in np.eye(4)],
}
SECOND: dict[str, Callable[[Any], Any]] = {
    "grad of grad": lambda d: d(X.copy(), adjoint=E),
    "jvp of grad": lambda d: d(X.copy(), tangent=E)[1],
    "vjp of jvp": lambda d: d(X.copy(), dx=E)[1]((0.0, 1.0)),
}


@pytest.mark.parametrize("mode", FIRST)
@pytest.mark.parametrize(("f", "changes"), CHANGES, ids=lambda v: getattr(v, "__name__", ""))
def test_first_derivatives(f: Any, changes: list[Callable[[], Any]], mode: str) -> None:
    derivative = MAKE[mode](f)
    np.testing.assert_allclose(FIRST[mode](derivative), slopes(f), rtol=1e-4, atol=1e-6)
    for change in changes:
        change()
        np.testing.assert_allclose(FIRST[mode](derivative), slopes(f), rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("mode", SECOND)
@pytest.mark.parametrize(("f", "changes"), CHANGES, ids=lambda v: getattr(v, "__name__", ""))
def test_second_derivatives(f: Any, changes: list[Callable[[], Any]], mode: str) -> None:
    derivative = MAKE[mode](f)
    np.testing.assert_allclose(SECOND[mode](derivative), curvature(f), rtol=1e-3, atol=1e-5)
    for change in changes:
        change()
        np.testing.assert_allclose(SECOND[mode](derivative), curvature(f), rtol=1e-3, atol=1e-5)


def test_a_builtin_is_seen_again_when_a_global_goes() -> None:
    derivative = tl.grad(calls_a_builtin)
    globals()["abs"] = cube
    np.testing.assert_allclose(derivative(X), slopes(calls_a_builtin), rtol=1e-4, atol=1e-6)
    del globals()["abs"]
    np.testing.assert_allclose(derivative(X), slopes(calls_a_builtin), rtol=1e-4, atol=1e-6)


def takes_a_function(x, act=np.tanh):
    return np.sum(act(x))


def through(v):
    return FUNCTION(v)


def test_what_only_a_variant_calls() -> None:
    derivative, twice = tl.grad(takes_a_function), tl.grad(tl.grad(takes_a_function), wrt="x")
    for function, slope_, bend in ((np.sin, np.cos, -1), (cube, lambda x: 3 * x * x, 0)):
        globals()["FUNCTION"] = function
        np.testing.assert_allclose(derivative(X, through), slope_(X))
        if bend:
            np.testing.assert_allclose(twice(0.3, through), bend * function(0.3))
        np.testing.assert_allclose(derivative(X), 1.0 - np.tanh(X) ** 2)


def test_a_helper_with_other_code_and_other_defaults() -> None:
    def power(v, k=2):
        return v**k

    def f(x):
        return np.sum(power(x))

    derivative, twice = tl.grad(f), tl.grad(tl.grad(f), wrt="x")
    np.testing.assert_allclose(twice(X, adjoint=E), 2.0 * E)
    power.__defaults__ = (3,)
    np.testing.assert_allclose(derivative(X), 3.0 * X * X)
    np.testing.assert_allclose(twice(X, adjoint=E), 6.0 * X * E)
    power.__code__, power.__defaults__ = square.__code__, None
    np.testing.assert_allclose(derivative(X), 2.0 * X)


def test_seeds_and_keywords_reach_the_text_that_is_written_anew() -> None:
    def f(x, *, scale=2.0):
        return np.sum(FUNCTION(x) * scale)

    reverse, forward = tl.grad(f), tl.jvp(f)
    globals()["FUNCTION"] = np.sin
    np.testing.assert_allclose(reverse(X, scale=3.0, adjoint=2.0), 6.0 * np.cos(X))
    np.testing.assert_allclose(forward(X, dx=E)[1], 2.0 * np.sum(np.cos(X) * E))
    globals()["FUNCTION"] = np.exp
    np.testing.assert_allclose(reverse(X, by=2.0), 4.0 * np.exp(X))
    np.testing.assert_allclose(forward(X, tangent=E)[1], 2.0 * np.sum(np.exp(X) * E))


def test_what_cannot_be_differentiated_is_refused_until_it_is_bound_anew() -> None:
    derivative = tl.grad(reads_through_a_helper)
    for _ in range(2):
        globals()["FUNCTION"] = np.asmatrix
        for _ in range(2):
            with pytest.raises(tl.DerivativeError):
                derivative(X)
        globals()["FUNCTION"] = np.sin
        np.testing.assert_allclose(derivative(X), slopes(reads_through_a_helper), rtol=1e-6)


def test_a_name_that_is_deleted_matters_where_it_is_read() -> None:
    def f(x, scaled=False):
        if scaled:
            return np.sum(x * SCALE)
        return np.sum(x * x)

    derivative = tl.grad(f)
    del globals()["SCALE"]
    for _ in range(2):
        np.testing.assert_allclose(derivative(X), 2.0 * X)
    with pytest.raises(NameError):
        derivative(X, True)
    globals()["SCALE"] = 3
    np.testing.assert_allclose(derivative(X, True), np.full(4, 3.0))


def test_source_and_pickle_are_of_what_names_mean_then() -> None:
    derivative = tl.grad(reads_a_class)
    Settings.act = np.sin
    assert "np.cos" in derivative.source
    traveled = pickle.loads(pickle.dumps(derivative))
    np.testing.assert_allclose(traveled(X), slopes(reads_a_class), rtol=1e-6)


def test_a_number_for_a_number_is_no_other_text() -> None:
    derivative = tl.grad(reads_a_number)
    text = derivative.function
    for value in (3.0, 4.5):
        globals()["SCALE"] = value
        np.testing.assert_allclose(derivative(X), 2.0 * X * value)
    assert derivative.function is text


def test_an_array_for_an_array_is_no_other_text() -> None:
    globals()["SCALE"] = np.ones(4)
    derivative = tl.grad(reads_a_number)
    text = derivative.function
    for value in (np.arange(4.0), np.array(2.0), np.ones(1), np.ones(4, int)):
        globals()["SCALE"] = value
        np.testing.assert_allclose(derivative(X), 2.0 * X * value)
    assert derivative.function is text


def test_an_array_for_a_number() -> None:
    derivative = tl.grad(reads_a_number)
    for value in (3.0, np.ones(4), 4, np.float32(2.0), 2.0, np.array(0.5)):
        globals()["SCALE"] = value
        np.testing.assert_allclose(derivative(X), 2.0 * X * value)


def test_what_reads_nothing_from_outside_asks_only_for_its_own_code() -> None:
    def plain(x):
        return np.sum(np.sin(x) * x)

    def reads(x):
        return x * SCALE

    first, second = tl.grad(plain), tl.grad(reads)
    first(1.5), second(1.5)  # the first call makes what later ones go through
    assert "_outdated" not in first.func.__code__.co_freevars
    assert "_owner0" in first.func.__code__.co_freevars
    assert "_outdated" in second.func.__code__.co_freevars


def slope_of(derivative: Callable[..., Any], **seeds: float) -> Callable[..., Any]:
    """The derivative alone, of what gives the value too."""
    return lambda *args, **kwargs: derivative(*args, **kwargs, **seeds)[1]


WAYS: dict[str, Callable[[Any], Callable[..., Any]]] = {
    "grad": tl.grad,
    "unoptimised": lambda f: tl.grad(f, optimized=False),
    "value and gradient": lambda f: slope_of(tl.value_and_grad(f)),
    "tangent": lambda f: slope_of(tl.jvp(f), tangent=1.0),
    "second order": lambda f: tl.grad(tl.grad(f)),
    "forward over reverse": lambda f: slope_of(tl.jvp(tl.grad(f)), tangent=1.0),
}


@pytest.mark.parametrize("way", WAYS)
def test_defaults_that_are_replaced(way: str) -> None:
    def f(x, a=2.0, /, b=3.0, *rest, c=4.0, **more):
        return x**2 * a * b * c * (1 + len(rest) + len(more))

    slope, asked = WAYS[way](f), [((), {}), ((1.0,), {}), ((1.0,), {"b": 1.0})]
    asked += [((1.0, 1.0, 7, 7), {}), ((), {"c": 1.0, "z": 3})]
    for positional, named in (((2.0, 3.0), 4.0), ((3.0, 5.0), 4.0), ((3.0, 5.0), 1.0)):
        f.__defaults__, f.__kwdefaults__ = positional, {"c": named}
        for args, kwargs in asked:
            assert slope(1.0, *args, **kwargs) == 2.0 * f(1.0, *args, **kwargs)
    for given in (1.0, True, None):  # the very object that was the default before
        f.__defaults__ = (given, 5.0)
        slope(1.0, 1.0)
        f.__defaults__ = (7.0, 5.0)
        if given is not None:
            assert slope(1.0, given) == 2.0 * f(1.0, given)


def test_a_default_that_is_changed_where_it_is_kept_or_taken_away() -> None:
    def f(x, *, scale=2.0):
        return x * scale

    slope = tl.grad(f)
    assert slope(1.0) == 2.0
    f.__kwdefaults__["scale"] = 7.0
    assert slope(1.0) == 7.0
    del f.__kwdefaults__["scale"]
    with pytest.raises(TypeError, match="scale"):
        slope(1.0)
    assert slope(1.0, scale=3.0) == 3.0


def test_defaults_of_what_is_wrapped() -> None:
    def f(x, y=1.0, n=2.0):
        return n * x * y

    @functools.wraps(f)
    def twice(*args, **kwargs):
        return 2.0 * f(*args, **kwargs)

    class Model:
        def loss(self, x, n=2.0):
            return n * x

    method = Model().loss
    wrapped = (functools.partial(f, y=3.0), twice, functools.lru_cache(f), method)
    slopes = [tl.grad(w) for w in wrapped]
    assert [slope(1.0) for slope in slopes] == [w(1.0) for w in wrapped] == [6.0, 4.0, 2.0, 2.0]
    f.__defaults__, Model.loss.__defaults__ = (1.0, 5.0), (5.0,)
    wrapped[2].cache_clear()
    assert [slope(1.0) for slope in slopes] == [w(1.0) for w in wrapped] == [15.0, 10.0, 5.0, 5.0]


def test_other_code_as_a_reload_gives_it() -> None:
    def f(x):
        return x * 2.0

    slope, second = tl.grad(f), tl.grad(tl.grad(f))
    assert (slope(3.0), second(3.0)) == (2.0, 0.0)
    f.__code__ = (lambda x: x**3).__code__
    assert (slope(3.0), second(3.0)) == (27.0, 18.0)
    f.__code__ = cube.__code__
    with pytest.raises(tl.UnsupportedSyntaxError, match="no parameter `x` any more"):
        slope(3.0)


def test_defaults_that_are_replaced_under_numba() -> None:
    pytest.importorskip("numba")

    def f(x, scale=2.0):
        return np.sum(scale * x)

    slope = tl.grad(f, compile="numba")
    assert list(slope(np.ones(2))) == [2.0, 2.0]
    f.__defaults__ = (5.0,)
    assert list(slope(np.ones(2))) == [5.0, 5.0]


def test_second_derivatives_take_named_arguments_that_are_not_in_the_signature() -> None:
    def f(x, scale=4.0, **more):
        total = x * scale
        for value in more.values():
            total = total + x * value
        return total * total

    slope, twice, along = tl.grad(f), tl.grad(tl.grad(f)), tl.jvp(tl.grad(f))
    for more in ({}, {"z": 3.0}, {"z": 3, "y": 2.0}, {"scale": 1.0, "q": 5.0}):
        expected = 2.0 * f(1.0, **more)
        assert slope(1.0, **more) == twice(1.0, **more) == expected
        assert along(1.0, tangent=2.0, **more) == (expected, 2.0 * expected)
        assert twice(1.0, adjoint=3.0, **more) == 3.0 * expected
