"""Pages for people who come from other tools: each row of their tables, both sides where the other tool is installed."""

from __future__ import annotations

import importlib
import re
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.ecosystem import pages

PEERS = {"from-autograd.md": "autograd", "from-jax.md": "jax", "from-tangent.md": "tangent"}
ROWS = [
    (page, theirs, ours)
    for page in PEERS
    for theirs, ours in pages.rows((pages.DOCS / page).read_text(encoding="utf-8"))
]


@cache
def own(page: str) -> dict[str, Any]:
    """What the sessions of a page bind; they must run."""
    space: dict[str, Any] = {"__name__": "__main__"}
    pages.run((pages.DOCS / page).read_text(encoding="utf-8"), page, space)
    return space


@cache
def peers(page: str) -> dict[str, Any]:
    """What the blocks of the other tool bind."""
    text = "\n".join(pages.blocks((pages.DOCS / page).read_text(encoding="utf-8"), "python"))
    return executed(text, f"<{page}>")


def executed(text: str, file: str) -> dict[str, Any]:
    """The namespace of a text whose source can be read."""
    pages.keep(text, file)
    space: dict[str, Any] = {"__name__": "peer"}
    exec(compile(text, file, "exec"), space)
    return space


def value_of(expression: str, space: dict[str, Any], file: str) -> Any:
    """What a cell gives; its lambdas have a source."""
    text = f"cell = {expression}\n"
    pages.keep(text, file)
    exec(compile(text, file, "exec"), space)
    return space.pop("cell")


def leaves(found: Any) -> list[Any]:
    """The numbers of a nest, in order."""
    if isinstance(found, dict):
        return [leaf for key in sorted(found) for leaf in leaves(found[key])]
    if isinstance(found, (list, tuple)):
        return [leaf for part in found for leaf in leaves(part)]
    return [] if found is None else [np.asarray(found)]


@pytest.mark.parametrize(("page", "theirs", "ours"), ROWS)
def test_row(page: str, theirs: str, ours: str, tmp_path: Path) -> None:
    found = leaves(value_of(ours, dict(own(page)), f"<{page}: {ours}>"))
    assert all(np.all(np.isfinite(f)) for f in found)
    try:
        importlib.import_module(PEERS[page])
    except ImportError:
        pytest.skip(f"{PEERS[page]} not installed: only this side was run")
    expected = leaves(value_of(theirs, dict(peers(page)), f"<{page}: {theirs}>"))
    assert len(found) == len(expected)
    for one, other in zip(found, expected):
        assert one.shape == other.shape
        np.testing.assert_allclose(one, other, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("page", PEERS)
def test_every_row_of_the_tables_is_read(page: str) -> None:
    """A row whose cells are not code would be passed over."""
    text = (pages.DOCS / page).read_text(encoding="utf-8")
    first = re.search(
        r"^\| \w+ \| tangentlite \| \|\n\|---\|---\|---\|\n((?:\|.*\n)+)", text, flags=re.MULTILINE
    )
    assert first
    assert len(first[1].splitlines()) == len(pages.rows(text)) > 9


@pytest.mark.parametrize("page", PEERS)
def test_sessions(page: str) -> None:
    assert own(page)
