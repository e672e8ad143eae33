"""Exercise 11: dropout and batch norm against those of tangentlite.learn."""

import numpy as np

import tangentlite as tl
from tangentlite.learn import layers


def rows(seed=4):
    return np.random.default_rng(seed).normal(1.5, 2.0, size=(30, 3))


def test_dropout_is_that_of_the_library(work):
    x = rows()
    library = layers.Dropout(0.3, np.random.default_rng(8))
    np.testing.assert_allclose(work.dropout(x, 0.3, np.random.default_rng(8)), library(x))


def test_the_mean_over_many_drawings_is_what_went_in(work):
    rng = np.random.default_rng(0)
    mean = np.mean([work.dropout(np.ones(50), 0.4, rng) for _ in range(4000)], 0)
    np.testing.assert_allclose(mean, 1.0, atol=0.06)


def test_columns_are_normalized(work):
    y = work.normalized(rows())
    np.testing.assert_allclose(np.mean(y, 0), 0.0, atol=1e-12)
    np.testing.assert_allclose(np.std(y, 0), 1.0, rtol=1e-5)


def test_a_column_of_equal_numbers_is_zero(work):
    assert np.all(work.normalized(np.full((5, 2), 3.0)) == 0.0)


def test_the_adjoint_in_closed_form(work):
    x, by = rows(), rows(5)
    found = work.normalized_adjoint(by, x)
    _, pullback = tl.vjp(work.normalized)(x)
    np.testing.assert_allclose(found, pullback(by), rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(np.sum(found, 0), 0.0, atol=1e-12)


def test_batch_norm_while_it_is_trained_and_after(work):
    yours, library = work.BatchNorm(3), layers.BatchNorm(3)
    for layer in (yours, library):
        layer.scale, layer.shift = np.array([1.0, 2.0, 0.5]), np.array([0.1, 0.2, 0.3])
    for seed in range(3):
        np.testing.assert_allclose(yours(rows(seed)), library(rows(seed)), rtol=1e-12)
    yours.training = library.training = False
    for _ in range(2):
        np.testing.assert_allclose(yours(rows(9)), library(rows(9)), rtol=1e-12)
    np.testing.assert_allclose(yours.mean, library.mean, rtol=1e-12)
    np.testing.assert_allclose(yours.variance, library.variance, rtol=1e-12)
