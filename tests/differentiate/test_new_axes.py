"""Axes that an index adds are taken away again where they were added, counted from the front or from the end."""

from __future__ import annotations

import itertools
import linecache
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import tangentlite as tl

BODIES = (
    "y = x[{}]\n    return np.sum(np.sin(y) * w)",
    "y = x[{0}]\n    z = y * np.exp(x)[{0}]\n    return np.sum(np.cos(z + w))",
)


def with_dots(parts: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """The same index with ``...`` for a run of whole axes, which may be empty."""
    for first, last in itertools.combinations_with_replacement(range(len(parts) + 1), 2):
        if set(parts[first:last]) <= {":"}:
            yield (*parts[:first], "...", *parts[last:])


def indices(rank: int) -> list[str]:
    """All indices of an array that add an axis or two, and no more."""
    found = set[tuple[str, ...]]()
    for count in (1, 2):
        for places in itertools.combinations(range(rank + count), count):
            parts = tuple("None" if k in places else ":" for k in range(rank + count))
            found |= {parts, *with_dots(parts)}
    return [", ".join(parts) for parts in sorted(found)]


def written(text: str) -> Callable[..., Any]:
    file = f"<new axes {text}>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    names: dict[str, Any] = {"np": np}
    exec(compile(text, file, "exec"), names)
    function: Callable[..., Any] = names["f"]
    return function


@pytest.mark.parametrize("body", BODIES, ids=["alone", "twice"])
@pytest.mark.parametrize(("rank", "index"), [(r, i) for r in (0, 1, 2) for i in indices(r)])
def test_new_axes_are_taken_away_where_they_were_added(body: str, rank: int, index: str) -> None:
    f = written(f"def f(x, w):\n    {body.format(index)}\n")
    draw = np.random.default_rng(0)
    x = draw.normal(size=(2, 3)[:rank])
    w = draw.normal(size=np.shape(eval(f"x[{index}]")))
    v = draw.normal(size=x.shape)
    step = 1e-6
    along = (f(x + step * v, w) - f(x - step * v, w)) / (2 * step)
    assert np.sum(tl.grad(f)(x, w) * v) == pytest.approx(along, abs=1e-7)
    assert tl.jvp(f)(x, w, tangent=v)[1] == pytest.approx(along, abs=1e-7)
