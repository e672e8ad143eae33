"""The slopes of exercise 1 against those of tangentlite; the difference where it is exact."""

import math

import pytest

import tangentlite as tl

POINTS = (0.3, 1.7, 4.5)


def test_a_central_difference_of_a_parabola_is_exact(work):
    assert math.isclose(work.difference(lambda x: 3.0 * x * x, 2.0, 0.5), 12.0)


def test_the_error_of_a_central_difference_falls_with_the_square_of_the_step(work):
    wrong = [abs(work.difference(math.exp, 0.0, h) - 1.0) for h in (0.1, 0.01)]
    assert 90.0 < wrong[0] / wrong[1] < 110.0


@pytest.mark.parametrize("name", ["quotient", "root", "tower", "logistic", "power"])
@pytest.mark.parametrize("x", POINTS)
def test_slopes(work, name, x):
    slope = getattr(work, f"{name}_slope")(x)
    assert math.isclose(slope, tl.grad(getattr(work, name))(x), rel_tol=1e-12)


@pytest.mark.parametrize("name", ["quotient", "root", "tower", "logistic", "power"])
def test_your_slopes_pass_your_own_check(work, name):
    f, slope = getattr(work, name), getattr(work, f"{name}_slope")
    assert math.isclose(work.difference(f, 1.1), slope(1.1), rel_tol=1e-7)
