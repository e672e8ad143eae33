"""Sums that keep their axis: what they give back is broadcast, and what they divide is summed, without asking for shapes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangentlite as tl

RNG = np.random.default_rng(8)
Q, K, V = RNG.normal(size=(3, 4)), RNG.normal(size=(5, 4)), RNG.normal(size=(5, 2))
W = RNG.normal(size=(3, 5))


def attention(q, k, v):
    s = q @ k.T / np.sqrt(4.0)
    s -= s.max(axis=1, keepdims=True)
    w = np.exp(s)
    w /= w.sum(axis=1, keepdims=True)
    return np.sum((w @ v) ** 2)


def normalized_layers(q, k, v):
    h = q
    for _ in range(2):
        c = h - h.mean(axis=-1, keepdims=True)
        h = c / np.sqrt((c * c).mean(axis=-1, keepdims=True) + 1e-3)
        h = np.tanh(h @ k.T @ k)
    return np.sum(h * h * q)


def columns(q, k, v):
    s = np.dot(q, k.T)
    s *= 0.5
    w = np.exp(s)
    w /= w.sum(axis=0, keepdims=True)
    w /= w.sum(axis=1, keepdims=True)
    return np.sum(w * W)


def two_sums(q, k, v):
    s = np.exp(q @ k.T)
    rows, cols = s.sum(axis=1, keepdims=True), s.sum(axis=0, keepdims=True)
    s /= rows * cols
    return np.sum(s * W)


def more_than_the_sum(q, k, v):
    s = np.exp(q @ k.T)
    t = s.sum(axis=1, keepdims=True) * v[0, 0] + np.exp(k[:, 0])
    s /= t
    return np.sum(s * W)


def one_row(q, k, v):
    s = np.exp(q[:1] @ k.T)
    s /= s.sum(axis=0, keepdims=True) + s.sum(axis=1, keepdims=True)
    return np.sum(s * W)


def of_another(q, k, v):
    s = np.exp(q @ k.T)
    t = np.sin(s)
    s /= t.sum(axis=1, keepdims=True) + 9.0
    t /= s.sum(axis=1, keepdims=True)
    return np.sum(s * W + t)


def in_three_axes(q, k, v):
    s = np.exp(np.einsum("ij,kj->ikj", q, k))
    s /= s.sum(axis=-1, keepdims=True)
    s /= s.sum(axis=1, keepdims=True)
    return np.sum(s**3)


def shrinks_in_a_loop(q, k, v):
    s = np.exp(q @ k.T)
    t = s.sum(axis=0, keepdims=True)
    total = 0.0
    for _ in range(3):
        total += np.sum(s / t)
        t = s.sum(axis=0, keepdims=True)
        s = s[:-1] * 1.5
    return total


PROGRAMS = [attention, normalized_layers, columns, two_sums, more_than_the_sum, one_row]
PROGRAMS += [of_another, in_three_axes, shrinks_in_a_loop]


@pytest.mark.parametrize("function", PROGRAMS)
def test_derivatives(function: Any, confirm: Any) -> None:
    confirm(function, Q, K, V)


@pytest.mark.parametrize("function", PROGRAMS)
def test_single_precision(function: Any) -> None:
    small = [a.astype(np.float32) for a in (Q, K, V)]
    for wrt in (0, 1, 2):
        wanted = tl.grad(function, wrt=wrt)(Q, K, V)
        found = tl.grad(function, wrt=wrt)(*small)
        assert found.dtype == np.float32
        np.testing.assert_allclose(found, wanted, rtol=2e-3, atol=2e-3)


def test_complex_numbers_keep_the_real_part() -> None:
    def weighed(x, z):
        y = np.exp(x)
        for _ in range(2):
            y = y / y.sum(axis=1, keepdims=True)
        return np.sum(np.abs(y * z) ** 2)

    def plain(x, z):
        y = np.exp(x) / np.exp(x).sum(axis=1, keepdims=True)
        return np.sum(y * y * np.abs(z) ** 2)

    z = Q + 1j * Q[::-1]
    found = tl.grad(weighed)(Q, z)
    assert found.dtype == np.float64
    np.testing.assert_allclose(found, tl.grad(plain)(Q, z), rtol=1e-12)


def test_attention_reads_as_by_hand() -> None:
    derivative = tl.grad(attention)
    derivative(Q, K, V)
    text = derivative.source.rpartition("\ndef ")[2]
    assert "bw = bw - rt.cancel(bw, w).sum(axis=1, keepdims=True)" in text
    for absent in ("copy()", "[...]", "rt.unbroadcast", "rt.unreduce", "rt.storage"):
        assert absent not in text
