"""Derivatives of methods: bound, static, of the class, and made by a decorator in the class."""

from __future__ import annotations

import inspect
import pickle

import numpy as np
import pytest

import tangentlite as tl


class Model:
    def __init__(self, w):
        self.w = w

    def loss(self, x):
        return np.sum(np.tanh(self.w * x) ** 2)

    @tl.grad
    def slope(self, x):
        return np.sum(self.w * x * x)

    @tl.value_and_grad
    def both(self, x):
        return np.sum(self.w * x * x)

    @tl.grad(wrt="self")
    def of_self(self, x):
        return np.sum(self.w * x * x)

    @staticmethod
    def cube(x):
        return x * x * x

    @staticmethod
    @tl.grad
    def static_slope(x):
        return x * x

    @classmethod
    def scaled(cls, x):
        return cls.cube(x) * 2.0

    def __call__(self, x):
        return self.loss(x)


W, X = np.array([1.0, 2.0]), np.array([0.3, 0.4])


def plain(x, w):
    return np.sum(np.tanh(w * x) ** 2)


def test_a_bound_method() -> None:
    model = Model(W)
    df, expected = tl.grad(model.loss), tl.grad(plain)
    np.testing.assert_allclose(df(X), expected(X, W))
    assert next(iter(inspect.signature(df).parameters)) == "x"
    assert "def dloss_dx(self, x" in df.source
    model.w = 3.0 * W
    np.testing.assert_allclose(df(X), expected(X, 3.0 * W))


def test_every_door() -> None:
    model, hessian = Model(W), tl.hessian(plain)(X, W)
    np.testing.assert_allclose(tl.hessian(model.loss)(X), hessian)
    np.testing.assert_allclose(tl.hvp(model.loss)(X, X), hessian @ X)
    np.testing.assert_allclose(tl.vjp(model.loss)(X)[1](1.0), tl.grad(plain)(X, W))
    np.testing.assert_allclose(tl.grad(tl.grad(model.loss))(X, adjoint=X), hessian @ X)
    _, tangent = tl.jvp(model.loss)(X, tangent=X)
    np.testing.assert_allclose(tangent, tl.grad(plain)(X, W) @ X)


def test_the_object_by_its_name() -> None:
    gradient = tl.grad(Model(W).loss, wrt="self")(X)
    assert gradient == tl.Gradient(w=tl.grad(plain, wrt="w")(X, W))
    assert pickle.loads(pickle.dumps(gradient)) == gradient
    assert repr(tl.Gradient(w=1.0)) == "Gradient(w=1.0)"


def test_self_is_not_counted() -> None:
    np.testing.assert_allclose(tl.grad(Model.loss)(Model(W), X), tl.grad(plain)(X, W))
    with pytest.raises(ValueError, match="positional"):
        tl.grad(Model(W).loss, wrt=1)


def test_decorators_in_a_class() -> None:
    model = Model(W)
    np.testing.assert_allclose(model.slope(X), 2.0 * W * X)
    np.testing.assert_allclose(Model.slope(model, X), 2.0 * W * X)
    np.testing.assert_allclose(model.both(X)[1], 2.0 * W * X)
    np.testing.assert_allclose(model.of_self(X).w, X * X)
    np.testing.assert_allclose(tl.jacobian(model.slope)(X), np.diag(2.0 * W))


def test_static_and_class_methods() -> None:
    assert tl.grad(Model.cube)(2.0) == 12.0
    assert tl.grad(Model.scaled)(2.0) == tl.grad(Model(W).scaled)(2.0) == 24.0
    assert Model.static_slope(3.0) == Model(W).static_slope(3.0) == 6.0


def test_an_object_that_can_be_called() -> None:
    np.testing.assert_allclose(tl.grad(Model(W))(X), tl.grad(plain)(X, W))


class Cubic:
    def __init__(self, w):
        self.w = w

    def potential(self, x):
        return self.w * x * x * x

    @tl.grad
    def force(self, x):
        return self.w * x * x


CUBIC = Cubic(2.0)
FORCE = tl.grad(CUBIC.potential)


def steered(x):
    return tl.grad(CUBIC.potential)(x) * x + tl.jvp(CUBIC.potential)(x, tangent=x)[1]


def steered_by_an_object(x):
    return FORCE(x) * CUBIC.force(x)


@pytest.mark.parametrize("f", [steered, steered_by_an_object])
def test_derivatives_of_methods_inside(f, confirm) -> None:
    confirm(f, 0.7)


def test_another_object_by_the_same_name(monkeypatch: pytest.MonkeyPatch) -> None:
    df = tl.grad(steered)
    assert df(1.0) == pytest.approx(36.0)
    monkeypatch.setattr(CUBIC, "w", 3.0)
    assert df(1.0) == pytest.approx(54.0)
    monkeypatch.setitem(globals(), "CUBIC", Cubic(4.0))
    assert df(1.0) == pytest.approx(72.0)


def test_the_source_before_a_call() -> None:
    assert "def dpotential_dx(self, x" in tl.grad(CUBIC.potential).source


class Plain:
    def __init__(self, w):
        self.w = w

    def loss(self, x):
        return np.sum(self.w * x)


class Restrained(Plain):
    def loss(self, x):
        return super().loss(x) + self.penalty()

    def penalty(self):
        return np.sum(self.w**2)


def test_a_method_that_asks_super_is_differentiated_itself():
    model, x = Restrained(np.array([1.0, 3.0])), np.array([0.5, 2.0])
    assert tl.grad(Restrained.loss, wrt="self")(model, x).w.tolist() == [2.5, 8.0]
    assert tl.grad(model.loss)(x).tolist() == [1.0, 3.0]
