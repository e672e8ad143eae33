"""What a notebook shows of a derivative."""

from __future__ import annotations

import pickle
import re

import tangentlite as tl
from tests.reports import programs
from tests.reports.markup import Page


def page(derivative) -> Page:
    return Page("<body>" + derivative._repr_html_() + "</body>")


def test_both_texts_are_shown_without_a_script() -> None:
    found = page(tl.grad(programs.mlp))
    assert found.faults == []
    left, right = (
        "\n".join(e[1] for e in Page(f"<pre>{part}</pre>").all("span"))
        for part in re.findall("<pre>(.*?)</pre>", tl.grad(programs.mlp)._repr_html_(), re.S)
    )
    assert left == tl.stages(programs.mlp)["source"].rstrip("\n")
    assert right == tl.grad(programs.mlp).source.rstrip("\n")
    assert not found.all("script")


def test_counterparts_share_a_class_and_each_class_has_a_rule() -> None:
    found = page(tl.grad(programs.branches))
    spans = [(g.get("class", "").split(), text.strip()) for g, text in found.all("span")]
    (own,) = {name for names, text in spans if text == "y = z * x" for name in names[:1]}
    assert [text for names, text in spans if own in names] == [
        "y = z * x",
        "y = z * x",
        "# Grad of: y = z * x",
        "bz = by * x",
        "bx = bx + by * z",
    ]
    ((_, css),) = found.all("style")
    for names, _ in spans:
        assert all(f":has(.{name}:hover) .{name}," in css for name in names)
    assert all(g.get("tabindex") == "0" for g, _ in found.all("span") if g.get("class"))


def test_every_kind_of_derivative_shows_itself() -> None:
    model = programs.Model()
    for derivative in (
        tl.autodiff(programs.mlp, mode="forward"),
        tl.vjp(programs.mlp).__split__,
        tl.grad(tl.grad(programs.mlp)),
        tl.grad(model.loss),
        tl.grad(programs.whole),
    ):
        found = page(derivative)
        assert found.faults == []
        assert len(found.all("pre")) == 2


def test_a_derivative_that_came_by_pickle_shows_its_text() -> None:
    derivative = pickle.loads(pickle.dumps(tl.grad(programs.mlp)))
    ((_, text),) = page(derivative).all("pre")
    assert text == derivative.source


def test_a_derivative_without_a_text_for_all_shows_its_name() -> None:
    def square(p):
        return p.w * p.w

    ((_, text),) = page(tl.grad(square)).all("pre")
    assert text.startswith("<derivative square of ")
