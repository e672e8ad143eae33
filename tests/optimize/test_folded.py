"""Slices stand where they are read, in the end: until then passes find them under their names."""

from __future__ import annotations

import re

import numpy as np

import tangentlite as tl


def columns(u, p, a, n):
    for j in range(1, n - 1):
        p[1 : n - 1, j] = -a / (a * p[1 : n - 1, j - 1] + 2.0)
        u[1 : n - 1, j] = (u[1 : n - 1, j] - a * u[1 : n - 1, j - 1]) / (
            a * p[1 : n - 1, j - 1] + 2.0
        )


def loss(u, w):
    p = np.zeros(u.shape)
    columns(u, p, 0.3, len(u))
    return np.sum(u * w)


def test_no_adjoint_has_a_name_for_a_line_only() -> None:
    derivative = tl.grad(loss)
    derivative(np.ones((5, 5)), np.ones((5, 5)))
    assert "bu[1:n - 1, j - 1] -= rt.unbroadcast(" in derivative.source
    assert not re.search(r"(bt\d+) = rt\.unbroadcast\(\1,", derivative.source)


def test_derivatives(confirm) -> None:  # type: ignore[no-untyped-def]
    u, w = np.random.default_rng(5).normal(size=(2, 5, 5))
    confirm(loss, u, w)
