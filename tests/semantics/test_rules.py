"""SEMANTICS, section 9: singular derivatives, complex numbers, what rules promise."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangentlite as tl


def f_times_x(step):
    return lambda x: x * step(x)


class TestSingular:
    """`0 * inf` is no NaN where a limit exists, and curvature is not lost."""

    @pytest.mark.parametrize(
        ("f", "x", "expected"),
        [
            (lambda x: np.where(x > 0.0, np.sqrt(x), 0.0), 0.0, 0.0),
            (lambda x: np.where(x > 1.0, np.log(x), 0.0 * x), 0.0, 0.0),
            (lambda x: x**2.0, 0.0, 0.0),
            (lambda x: x**0.0, 0.0, 0.0),
            (lambda x: x**1.0, 0.0, 1.0),
            (lambda x: x**2, 0.0, 0.0),
            (lambda x: 0.0**x, 2.0, 0.0),
            (lambda x: np.maximum(x, 0.0) ** 2.0, 0.0, 0.0),
        ],
    )
    @pytest.mark.filterwarnings("ignore::RuntimeWarning")
    def test_limits(self, f: Any, x: float, expected: float) -> None:
        assert tl.grad(f)(np.float64(x)) == expected
        assert tl.jvp(f)(np.float64(x), tangent=1.0)[1] == expected

    @pytest.mark.filterwarnings("ignore::RuntimeWarning")
    def test_a_pole_that_is_not_looked_at(self) -> None:
        """In reverse mode the zero comes first; a tangent is infinite before it meets the zero."""
        assert tl.grad(lambda x: np.sqrt(x) * 0.0)(np.float64(0.0)) == 0.0

    def test_curvature_is_not_lost_where_the_slope_is_zero(self) -> None:
        def f(x):
            return (np.sqrt(x) - 1.0) ** 2

        assert tl.grad(f)(1.0) == 0.0
        assert tl.grad(tl.grad(f))(1.0) == pytest.approx(0.5)
        assert tl.hessian(f)(1.0) == pytest.approx(0.5)

    @pytest.mark.filterwarnings("ignore::RuntimeWarning")
    def test_a_true_pole_is_infinite(self) -> None:
        assert tl.grad(lambda x: np.sqrt(x))(np.float64(0.0)) == np.inf

    def test_norms_at_the_origin(self) -> None:
        gradient = tl.grad(lambda x: np.linalg.norm(x))(np.zeros(3))
        np.testing.assert_array_equal(gradient, np.zeros(3))


class TestKinks:
    @pytest.mark.parametrize("x", [-1.5, 0.0, 1.5])
    def test_abs(self, x: float) -> None:
        assert tl.grad(lambda x: abs(x))(x) == np.sign(x)
        assert tl.grad(lambda x: np.abs(x))(x) == np.sign(x)

    def test_a_tie_is_shared(self) -> None:
        assert tl.grad(lambda x, y: np.maximum(x, y), (0, 1))(2.0, 2.0) == (0.5, 0.5)
        np.testing.assert_array_equal(
            tl.grad(lambda x: np.max(x))(np.array([1.0, 3.0, 3.0])), [0.0, 0.5, 0.5]
        )

    def test_steps_are_flat(self) -> None:
        for f in (np.floor, np.sign, np.round, np.ceil):
            assert tl.grad(f_times_x(f))(2.3) == f(2.3)
        assert tl.grad(lambda x: x * np.floor(x))(2.3) == 2.0
        assert tl.grad(lambda x: x // 1.0)(2.3) == 0.0
        assert tl.grad(lambda x: np.sum(x * np.argmax(x)))(np.array([1.0, 3.0])).tolist() == [
            1.0,
            1.0,
        ]


class TestComplex:
    """The pairing is the sum of b·d without conjugation."""

    def test_real_inputs_have_real_gradients(self) -> None:
        def f(x):
            z = np.exp(1j * x)
            return np.sum(np.real(z * z))

        x = np.array([0.3, 0.9])
        gradient = tl.grad(f)(x)
        assert gradient.dtype == np.float64
        np.testing.assert_allclose(gradient, -2.0 * np.sin(2.0 * x))

    def test_absolute_value(self) -> None:
        def f(a, b):
            return np.abs(a + 1j * b)

        assert tl.grad(f, (0, 1))(3.0, 4.0) == (pytest.approx(0.6), pytest.approx(0.8))

    def test_parts(self) -> None:
        def f(a, b):
            z = (a + 1j * b) ** 2
            return np.imag(z) + np.real(np.conj(z))

        bx, by = tl.grad(f, (0, 1))(1.5, 0.5)
        assert bx == pytest.approx(2.0 * 0.5 + 2.0 * 1.5)
        assert by == pytest.approx(2.0 * 1.5 - 2.0 * 0.5)


class TestExceptions:
    """Section 7: the user's exception passes unchanged."""

    def test_from_numpy(self) -> None:
        with pytest.raises(ValueError, match="could not be broadcast"):
            tl.grad(lambda x, y: np.sum(x * y))(np.ones(2), np.ones(3))
        with pytest.raises(np.linalg.LinAlgError):
            tl.grad(lambda a: np.sum(np.linalg.inv(a)))(np.zeros((2, 2)))

    def test_from_python(self) -> None:
        with pytest.raises(ZeroDivisionError):
            tl.grad(lambda x: 1.0 / x)(0.0)
        with pytest.raises(IndexError):
            tl.grad(lambda x: x[5])(np.ones(3))

    def test_nothing_is_left_behind(self) -> None:
        def f(x):
            y = x * x
            if y > 4.0:
                raise ValueError("large")
            return y

        df = tl.grad(f)
        with pytest.raises(ValueError, match="large"):
            df(3.0)
        assert df(1.0) == 2.0
