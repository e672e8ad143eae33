"""The drawing of a version tree."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from typing import Any

import numpy as np
import pytest

from tangentlite.persistent import PersistentArray
from tangentlite.persistent.drawing import BLUE, GRAY, GREEN, draw
from tangentlite.persistent.inspection import Node

SVG = "{http://www.w3.org/2000/svg}"


def drawn(p: PersistentArray) -> ElementTree.Element:
    return ElementTree.fromstring(p._repr_svg_())


def texts(root: ElementTree.Element) -> list[str]:
    return [element.text or "" for element in root.iter(f"{SVG}text")]


def test_one_version() -> None:
    root = drawn(PersistentArray([1.0]))
    assert texts(root) == ["0"]
    assert root.find(f"{SVG}title").text == "1 versions"


def test_versions_handles_and_changes_are_shown() -> None:
    p = PersistentArray(np.zeros((3, 2)))
    a = p.version()
    p[0] = 1.0
    b = p.set((1, 0), 2.0).insert(5.0)
    p += 1.0
    assert [node.handles for node in p.tree()] == [1, 0, 1, 1]
    root = drawn(p)
    shown = texts(root)
    for words in ("0", "[0] = [0.0, 0.0]", "all rows"):
        assert words in shown
    assert sum(e.get("stroke") == GREEN for e in root.iter(f"{SVG}circle")) == 1
    assert sum(e.get("fill") == BLUE for e in root.iter(f"{SVG}circle")) == 1
    del a, b


@pytest.mark.parametrize(
    ("index", "label"),
    [
        (1, "[1] = [2.0, 3.0]"),
        ((1, 0), "[1, 0] = 2.0"),
        ((slice(None), 0), "[:, 0] = [0.0, 2.…"),
        ((slice(None, None, 2), 0), "[::2, 0] = [0.0, …"),
        ((..., 1), "[..., 1] = [1.0, …"),
        (([0, 2], [1, 1]), "[[0, 2], [1, 1]] …"),
        (np.array([True, False, False]), "[mask] = [0.0, 1.…"),
        ((), "[()] = [0.0, 1.0,…"),
    ],
)
def test_changes_in_a_few_characters(index: Any, label: str) -> None:
    p = PersistentArray(np.arange(6.0).reshape(3, 2))
    before = p.version()
    p[index] = 9.0
    assert p.tree()[0].change == label
    assert label in texts(drawn(before))


def test_long_chains_and_wide_families_are_abbreviated() -> None:
    p, tape = PersistentArray(np.zeros(2)), []
    for k in range(999):
        tape.append(p.version())
        p[0] = float(k)
    assert texts(drawn(p)).count("… 998 versions") == 1
    middle = tape[500]
    shown = texts(drawn(middle))
    assert "500" in shown
    assert "999" in shown
    many = [p.set(1, float(k)) for k in range(30)]
    shown = texts(drawn(many[20]))
    assert "… 23 branches" in shown
    assert len(shown) < 40
    assert str(many[20].tree()[-1].number - 9) in shown


def overlaps(p: PersistentArray) -> bool:
    circles = [
        (c.get("cx"), c.get("cy"))
        for c in drawn(p).iter(f"{SVG}circle")
        if c.get("stroke") != GREEN
    ]
    return len(set(circles)) < len(circles)


def test_nothing_is_drawn_twice_in_one_place() -> None:
    random = np.random.default_rng(1)
    held = [PersistentArray(np.zeros(3))]
    for k in range(60):
        held.append(held[random.integers(len(held))].set(k % 3, float(k)))
        assert not overlaps(held[-1])
    for k in range(40):
        held.pop(random.integers(len(held)))
        assert not overlaps(held[-1])


def luminance(color: str) -> float:
    parts = [int(color[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(first: str, second: str) -> float:
    low, high = sorted([luminance(first), luminance(second)])
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("color", [GRAY, BLUE, GREEN])
@pytest.mark.parametrize("page", ["#ffffff", "#111111"])
def test_colors_read_on_light_and_dark_pages(color: str, page: str) -> None:
    assert contrast(color, page) > 3.9


def test_words_are_escaped() -> None:
    nodes = (Node(0, 1, False, 1, "<b> & </b>", 8), Node(1, 1, True, None, "", 8))
    text = draw(nodes, 1)
    assert "<b>" not in text
    assert "&lt;b&gt; &amp; &lt;/b&gt;" in text
    ElementTree.fromstring(text)


def test_every_color_is_one_that_was_checked() -> None:
    p = PersistentArray(np.zeros(2))
    q = p.set(0, 1.0)
    colors = set(re.findall(r"#[0-9a-f]{6}", q._repr_svg_()))
    assert colors <= {GRAY, BLUE, GREEN, "#ffffff"}
