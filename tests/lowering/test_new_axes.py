"""``np.newaxis`` in an index is None, and known as such when compiling."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangentlite as tl

X = np.array([[0.1, 0.7, -0.3], [1.2, 0.4, 0.9]])


def entropy(x):
    c = x.max(axis=1)
    return np.sum(c + np.log(np.sum(np.exp(x - c[:, np.newaxis]), axis=1)))


def entropy_of_none(x):
    c = x.max(axis=1)
    return np.sum(c + np.log(np.sum(np.exp(x - c[:, None]), axis=1)))


def stores(x):
    y = np.zeros((2, 3))
    y[np.newaxis, :, :] = x[np.newaxis] * 2.0
    y[:, np.newaxis][:, 0] += np.sin(x)
    return np.sum(y[..., np.newaxis] ** 2 * x[0][np.newaxis, :, np.newaxis])


def of_another_module(x):
    np = Axes
    return x[np.newaxis, 0] * x[1, 2]


class Axes:
    newaxis = 0


@pytest.mark.parametrize("program", (entropy, stores, of_another_module))
def test_derivatives(program: Any, confirm: Any) -> None:
    confirm(program, X)


def test_the_text_is_the_one_for_none() -> None:
    text, other = (tl.grad(f).source for f in (entropy, entropy_of_none))
    found = text.replace("np.newaxis", "None").replace("dentropy_", "dentropy_of_none_")
    assert found == other
    assert "shares" not in text
