"""The page as text: well formed, nothing loaded, nothing believed, everything said."""

from __future__ import annotations

import base64
import hashlib
import re
import sys

import numpy as np
import pytest

import tangentlite as tl
from tangentlite.reports.timing import timed
from tests.reports import hostile, programs
from tests.reports.markup import Page


@pytest.fixture(scope="module")
def text() -> str:
    return tl.report(programs.mlp, wrt="w", args=programs.MLP)


@pytest.fixture(scope="module")
def branches() -> str:
    return tl.report(programs.branches, args=(np.array([0.5, 1.0]), 3))


def section(text: str, name: str) -> str:
    return text.split(f'<section id="{name}"')[1].split("</section>")[0]


def plain(html: str) -> str:
    """The text of a piece of HTML, each line on its own."""
    return "".join(Page(f"<div{html}</div>").elements[0][2])


def test_every_element_is_closed(text: str, branches: str) -> None:
    for page in (text, branches, tl.report(programs.whole), tl.report(programs.mlp)):
        assert Page(page).faults == []


def test_an_identifier_is_given_once(text: str, branches: str) -> None:
    for page in (text, branches):
        ids = [given["id"] for _, given, _ in Page(page).elements if "id" in given]
        assert len(ids) == len(set(ids))
        targets = {g["href"][1:] for g, _ in Page(page).all("a")}
        assert targets <= set(ids)


def test_nothing_is_loaded(text: str) -> None:
    page = Page(text)
    assert not [
        tag for tag, _, _ in page.elements if tag in ("link", "img", "iframe", "object", "base")
    ]
    assert not [g for _, g, _ in page.elements if {"src", "srcset", "data", "style"} & set(g)]
    assert not [g for _, g, _ in page.elements if any(name.startswith("on") for name in g)]
    assert "http:" not in text
    assert "https:" not in text
    assert "url(" not in text
    assert "@import" not in text


def test_the_policy_allows_what_the_page_comes_with_and_no_more(text: str) -> None:
    page = Page(text)
    ((meta, _),) = [e for e in page.all("meta") if "http-equiv" in e[0]]
    policy = dict(part.strip().split(" ", 1) for part in meta["content"].split(";"))
    assert policy["default-src"] == "'none'"
    assert policy["base-uri"] == policy["form-action"] == "'none'"
    for tag, directive in (("style", "style-src"), ("script", "script-src")):
        ((_, content),) = page.all(tag)
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert policy[directive] == f"'sha256-{digest}'"


def test_hostile_words_are_words(tmp_path) -> None:
    module = hostile.module(tmp_path)
    honest = {tag for tag, _, _ in Page(tl.report(programs.branches, args=(1.5, 2))).elements}
    page = Page(tl.report(module.loss, args=hostile.arguments(module)))
    assert page.faults == []
    assert {tag for tag, _, _ in page.elements} <= honest
    assert len(page.all("script")) == len(page.all("style")) == 1
    assert not [g for _, g, _ in page.elements if any(name.startswith("on") for name in g)]
    whole = "".join(page.elements[0][2])
    for said in ('LABEL and tag != "<i onclick=', hostile.FILE, "</code></td><img", "\\u202e"):
        assert said in whole, said
    notebook = Page("<body>" + tl.grad(module.loss)._repr_html_() + "</body>")
    assert notebook.faults == []
    assert {tag for tag, _, _ in notebook.elements} <= {"body", "style", "div", "pre", "span", "i"}


def test_source_and_derivative_are_whole(branches: str) -> None:
    code = Page(branches).all("div", class_="lines primal") + Page(branches).all(
        "div", class_="lines derived"
    )
    own, made = (
        [e[1] for e in Page(f"<div>{part}</div>").all("code")]
        for part in re.findall(
            r'<div class="lines (?:primal|derived)"[^>]*>(.*?)</div>', branches, re.S
        )
    )
    assert len(code) == 2
    source = tl.stages(programs.branches)["source"].rstrip("\n").split("\n")
    assert [line.split("#")[0].rstrip() for line in own] == source
    assert "\n".join(line.rstrip() for line in made) == tl.grad(programs.branches).source.rstrip(
        "\n"
    )


def test_stages_mark_what_is_new(text: str) -> None:
    page = section(text, "stages")
    panels = re.findall(r'id="stage-(\w+)">(.*?)</div></div>', page, re.S)
    assert [name for name, _ in panels] == list(tl.stages(programs.mlp, "w"))
    marked = {
        name: [e[1] for e in Page(f"<div>{part}</div></div>").all("span", class_="ln new")]
        for name, part in panels
    }
    assert marked["source"] == []
    assert "    t1 = x @ w" in marked["normal"]
    assert "    r = y - t" not in marked["normal"]
    assert "    y = np.tanh(x @ w)" in marked["optimized"]


def test_what_is_recorded_and_why(branches: str) -> None:
    rows = re.findall(r"<tr>(.*?)</tr>", section(branches, "recorded"), re.S)[1:]
    told = [
        [re.sub("<[^>]*>", "", cell) for cell in re.findall(r"<td>(.*?)</td>", r, re.S)]
        for r in rows
    ]
    by_name = {row[0]: row for row in told}
    first = programs.branches.__code__.co_firstlineno
    assert by_name["z"][1] == "on tape_1, once per trip of for i in range(n)"
    assert by_name["z"][2] == str(first + 7)
    assert by_name["z"][3] == f"{first + 8} y = z * x"
    assert by_name["y_2 (as y)"][3].startswith(f"{first + 3} y = np.sin(y) * x")
    assert by_name["taken"][3] == f"{first + 4} if np.sum(y) &gt; 0:"


def test_nothing_is_recorded_where_nothing_is_read() -> None:
    def linear(x):
        return np.sum(x)

    assert "reads no value" in section(tl.report(linear), "recorded")


def test_rules_are_shown_as_they_stand(text: str) -> None:
    rules = section(text, "rules")
    names = [e[1] for e in Page(f"<div>{rules.split('>', 1)[1]}</div>").all("summary")]
    assert any("np.tanh" in name and "templates/elementary.py:" in name for name in names)
    assert "def tanh(x)" in plain(rules)
    assert "bx += by * (1.0 - y * y)" in plain(rules) or "by * (1" in plain(rules)
    assert "Used for line" in plain(rules)


def test_a_rule_of_the_user_is_shown() -> None:
    @tl.elementwise(cubed)
    def rule(x) -> "z":
        d[z] = 3.0 * x * x * d[x]

    page = tl.report(uses_cubed)
    assert "d[z] = 3.0 * x * x * d[x]" in plain(section(page, "rules"))


from tangentlite import d  # noqa: E402


def cubed(x):
    return x * x * x


def counted(x):
    global calls
    calls = calls + 1
    return x * x


def uses_cubed(x):
    return cubed(x) + 1.0


def test_an_example_tells_gradients_shapes_and_times(text: str) -> None:
    example = plain(section(text, "example"))
    slope = tl.grad(programs.mlp)(*programs.MLP)
    assert "gradient in w" in example
    assert f"{slope[0]:.5f}"[:8] in example
    assert "(2,) float64" in example
    code = section(text, "code")
    assert "br (2,) float64" in plain(code)
    times = re.findall(r'class="time h\d">([^<]+)<', code)
    assert len(times) > 10
    assert all(re.fullmatch(r"[\d.e+]+ (ns|µs|ms|s)", t) for t in times)


def test_array_results_get_a_seed_of_ones() -> None:
    page = tl.report(lambda x: np.sin(x), args=(np.array([0.0, 1.0]),))
    assert "array([1. , 0.540302])" in page.replace("&#x27;", "'")


def test_forward_mode_split_and_bound_derivatives() -> None:
    for derivative in (
        tl.autodiff(programs.mlp, "w", mode="forward"),
        tl.value_and_grad(programs.mlp, "w"),
        tl.vjp(programs.mlp).__split__,
        tl.grad(tl.grad(programs.mlp)),
    ):
        assert Page(tl.report(derivative)).faults == []
    page = tl.report(programs.Model().loss, args=(np.array([1.0, 2.0]),))
    assert "array([2., 8.])" in page
    assert Page(tl.report(tl.grad(programs.Model().loss), args=(np.ones(2),))).faults == []


def test_arguments_in_containers() -> None:
    args = {"w": np.array([1.0, 2.0]), "b": 0.5}, np.array([3.0, 4.0])
    page = tl.report(programs.in_dict, wrt="p", args=args)
    assert Page(page).faults == []
    assert "array([3., 4.])" in page


def test_arguments_are_left_alone() -> None:
    def writes(x, log):
        x[0] = 2.0 * x[1]
        log.append(1)
        return np.sum(x * x)

    x, log = np.array([1.0, 2.0]), []
    tl.report(writes, args=(x, log))
    assert x.tolist() == [1.0, 2.0]
    assert log == []


def test_the_errors_of_the_function_and_of_the_compiler_pass() -> None:
    def fails(x):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        tl.report(fails, args=(1.0,))
    with pytest.raises(tl.UnsupportedSyntaxError, match="binding the global"):
        tl.report(counted)
    with pytest.raises(TypeError, match="args takes a tuple"):
        tl.report(programs.mlp, args=1.0)
    with pytest.raises(ValueError, match="has no parameter 'q'"):
        tl.report(programs.mlp, wrt="q")


def test_a_trace_function_comes_back_and_medians_are_of_calls() -> None:
    def trace(frame, event, arg):
        return None

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        seen: list[str] = []
        file = programs.helper.__code__.co_filename
        times = timed(lambda: lambda: programs.helper(1.0, 2.0), [file], seen.append)
        assert sys.gettrace() is trace
    finally:
        sys.settrace(before)
    first = programs.helper.__code__.co_firstlineno
    assert {line for _, line in times.lines} == {first, first + 1, first + 2}
    assert all(t >= 0 for t in times.lines.values())
    assert times.calls == len(seen)
    assert seen[-1] == f"call {times.calls} of {times.calls}"


def test_equal_input_gives_equal_pages() -> None:
    assert tl.report(programs.whole) == tl.report(programs.whole)


# Contrast ----------------------------------------------------------------------------------------


def luminance(color: str) -> float:
    parts = [int(color[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a: str, b: str) -> float:
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


ON = {
    ":root": {
        "paper": "ink muted accent slope",
        "soft": "ink muted k s n c d",
        "lit": "ink muted k s n c d",
        "new": "ink muted k s n c d",
        **{f"h{k}": "h-ink" for k in range(1, 6)},
        "ink": "paper",
    },
    r"\.tlg": {
        **{
            name: "ink muted told slope"
            for name in ("input", "constant", "value", "result", "paper")
        },
        "derived": "ink muted told",
        "box": "ink muted",
    },
}


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("scope", ON)
def test_words_can_be_read_on_their_grounds(text: str, scope: str, scheme: int) -> None:
    """WCAG AA: 4.5 to 1."""
    ((_, css),) = Page(text).all("style")
    block = re.findall(scope + r" \{(.*?)\}", css, re.S)[scheme]
    colors = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", block))
    for ground, words in ON[scope].items():
        for word in words.split():
            ratio = contrast(colors[ground], colors[word])
            assert ratio >= 4.5, f"{word} on {ground}: {ratio:.2f}"


def test_complex_arguments_and_arrays_that_are_written() -> None:
    def power(z):
        return (z * z.conjugate()).real

    def doubled(x):
        x[1:] = 2.0 * x[:-1]
        return np.sum(x * x)

    assert repr(tl.grad(power)(1.0 + 2.0j)) in tl.report(power, args=(1.0 + 2.0j,))
    slope = " ".join(repr(tl.grad(doubled)(np.array([1.0, 3.0]))).split())
    assert slope in tl.report(doubled, args=(np.array([1.0, 3.0]),))


def test_a_text_for_floats_beside_one_for_arrays() -> None:
    def cube(x):
        return x * x * x

    assert tl.grad(cube).source.count("def ") == 2
    for example in (None, (3.0,), (np.array([1.0, 2.0]),)):
        page = tl.report(cube, args=example)
        assert Page(page).faults == []
    assert "27.0" in tl.report(cube, args=(3.0,))
    assert "t1" in plain(section(tl.report(cube), "recorded")) or "reads no value" in page
