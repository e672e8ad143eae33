"""The page in a real browser: pointing, keys, tabs, phones, the dark, hostile words, a long function."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import tangentlite as tl
from tests.reports import hostile, programs
from tests.reports.browser import Browser

pytestmark = pytest.mark.slow
LIT = "[...document.querySelectorAll('.lit code')].map(e => e.textContent.trim())"
FOCUSED = "document.activeElement.querySelector('code')?.textContent.trim()"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    made = Browser()
    yield made
    made.close()


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("pages") / "page.html"
    tl.report(programs.branches, path, args=(np.array([0.5, 1.0]), 3))
    return path


def line(side: str, text: str) -> str:
    """An expression for the first line of a column with this text."""
    return (
        f"[...document.querySelectorAll('.{side} .ln')]"
        f".find(e => e.querySelector('code').textContent.trim() === {text!r})"
    )


def faults(browser: Browser) -> list[str]:
    """Errors, refusals of the policy, and requests other than for the page."""
    found = []
    for event in browser.events:
        if event["method"] in ("Runtime.exceptionThrown", "Log.entryAdded"):
            found.append(str(event["params"]))
        if event["method"] == "Network.requestWillBeSent":
            url = event["params"]["request"]["url"]
            if not url.startswith("file:"):
                found.append(url)
    return found


def test_pointing_at_a_line_lights_its_counterparts(browser: Browser, page: Path) -> None:
    browser.open(page)
    browser.evaluate(line("primal", "y = z * x") + ".id = 'here'")
    browser.point("#here")
    assert browser.evaluate(LIT) == [
        "y = z * x", "y = z * x", "# Grad of: y = z * x", "bz = by * x", "bx = bx + by * z",
    ]  # fmt: skip
    browser.evaluate(line("derived", "by = by * 2.0") + ".id = 'there'")
    browser.point("#there")
    assert browser.evaluate(LIT) == ["y = y * 2.0", "by = by * 2.0"]
    browser.point("h1")
    assert browser.evaluate(LIT) == []
    assert faults(browser) == []


def test_keys_move_along_lines_and_across(browser: Browser, page: Path) -> None:
    browser.open(page)
    stops = "document.querySelectorAll('#code .primal [tabindex=\"0\"]').length"
    assert browser.evaluate(stops) == 1
    browser.evaluate("document.querySelector('#code .primal [tabindex=\"0\"]').focus()")
    for _ in range(3):
        browser.press("ArrowDown", 40)
    assert browser.evaluate(FOCUSED) == "y = np.sin(y) * x"
    assert browser.evaluate(stops) == 1
    assert "by = by * x * np.cos(y)" in browser.evaluate(LIT)
    said = browser.evaluate("document.getElementById('say').textContent")
    assert said.startswith("counterparts in line ")
    browser.press("Enter", 13)
    assert browser.evaluate("document.activeElement.closest('.derived') !== null")
    assert browser.evaluate(FOCUSED) == "y = np.sin(y) * x"
    browser.press("End", 35)
    assert browser.evaluate(FOCUSED) == "return rt.like(bx, x)"
    browser.press("Home", 36)
    assert browser.evaluate(FOCUSED) == "def dbranches_dx(x, n, *, by_1=1.0):"


def test_tabs_by_mouse_and_keys(browser: Browser, page: Path) -> None:
    browser.open(page)
    shown = "[...document.querySelectorAll('.panel')].filter(e => !e.hidden).map(e => e.id)"
    assert browser.evaluate(shown) == ["stage-optimized"]
    browser.evaluate("document.getElementById('tab-normal').click()")
    assert browser.evaluate(shown) == ["stage-normal"]
    browser.press("ArrowRight", 39)
    assert browser.evaluate("document.activeElement.id") == "tab-derived"
    assert browser.evaluate(shown) == ["stage-derived"]
    browser.press("Home", 36)
    assert browser.evaluate(shown) == ["stage-source"]
    browser.press("ArrowLeft", 37)
    assert browser.evaluate(shown) == ["stage-optimized"]
    selected = "[...document.querySelectorAll('[role=tab][aria-selected=true]')].map(e => e.id)"
    assert browser.evaluate(selected) == ["tab-optimized"]
    assert browser.evaluate("document.querySelectorAll('[role=tab][tabindex=\"0\"]').length") == 1


def test_focus_is_seen(browser: Browser, page: Path) -> None:
    browser.open(page)
    for _ in range(3):
        browser.press("Tab", 9)
        style = browser.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        assert style == "solid"


def test_links_to_rules_open_them(browser: Browser, page: Path) -> None:
    browser.open(page)
    browser.evaluate("document.querySelector('a[href=\"#rule-0\"]').click()")
    assert browser.evaluate("document.getElementById('rule-0').open")


def test_without_a_script_everything_is_there(browser: Browser, page: Path) -> None:
    browser.open(page, script=False)
    hidden = "[...document.querySelectorAll('.panel')].filter(e => e.hidden).length"
    assert browser.evaluate(hidden) == 0
    assert browser.evaluate("document.querySelectorAll('#code .ln').length") > 30
    browser.command("Emulation.setScriptExecutionDisabled", value=False)


@pytest.mark.parametrize("width", [320, 400, 700])
def test_a_phone_shows_one_column_and_scrolls_down_only(
    browser: Browser, page: Path, width: int
) -> None:
    browser.open(page, width)
    assert browser.evaluate("document.documentElement.scrollWidth") <= width
    left, right = browser.evaluate(
        "[...document.querySelectorAll('.pane')].map(e => e.getBoundingClientRect()).map(r => [r.left, r.top])"
    )
    assert left[0] == right[0]
    assert left[1] < right[1]


def test_two_columns_on_a_screen(browser: Browser, page: Path) -> None:
    browser.open(page, 1300)
    left, right = browser.evaluate(
        "[...document.querySelectorAll('.pane')].map(e => e.getBoundingClientRect()).map(r => [r.left, r.top])"
    )
    assert left[0] < right[0]
    assert left[1] == right[1]


def test_light_and_dark(browser: Browser, page: Path) -> None:
    grounds = []
    for dark in (False, True):
        browser.open(page, dark=dark)
        grounds.append(browser.evaluate("getComputedStyle(document.body).backgroundColor"))
        assert browser.evaluate(
            "getComputedStyle(document.querySelector('.picture svg')).backgroundColor"
        )
    assert grounds == ["rgb(255, 255, 255)", "rgb(20, 22, 27)"]


def test_hostile_words_run_nowhere(browser: Browser, tmp_path: Path) -> None:
    module = hostile.module(tmp_path)
    path = tmp_path / "page.html"
    tl.report(module.loss, path, args=hostile.arguments(module))
    picture = tmp_path / "picture.svg"
    tl.graph(module.loss, *hostile.arguments(module)).save(picture)
    small = tmp_path / "small.html"
    small.write_text(
        "<!DOCTYPE html><meta charset=utf-8>" + tl.grad(module.loss)._repr_html_(), encoding="utf-8"
    )
    for shown in (path, picture, small):
        browser.open(shown)
        assert browser.evaluate("typeof window.bad") == "undefined"
        assert (
            browser.evaluate(
                "document.querySelectorAll('img, [onerror], [onload], [onclick]').length"
            )
            == 0
        )
        assert faults(browser) == []


def test_the_policy_stops_what_slips_in(browser: Browser, page: Path, tmp_path: Path) -> None:
    """Were anything not escaped, it would not run."""
    broken = tmp_path / "broken.html"
    evil = "<img src=x onerror=window.bad=1><script>window.bad=1</script><main>"
    broken.write_text(page.read_text(encoding="utf-8").replace("<main>", evil, 1), encoding="utf-8")
    browser.open(broken)
    time.sleep(0.2)
    assert browser.evaluate("document.querySelectorAll('img').length") == 1
    assert browser.evaluate("typeof window.bad") == "undefined"
    assert browser.evaluate("document.querySelectorAll('[role=tab]').length") == 4, (
        "the page's own script runs"
    )


def long_function(count: int) -> str:
    kinds = (
        "np.sin(y{a}) * w",
        "y{a} * x + {k}.0",
        "np.tanh(y{a} - y{b})",
        "y{a} / (1.0 + y{a} * y{a})",
    )
    body = [
        f"    y{k} = {kinds[k % 4].format(a=k - 1, b=max(0, k - 7), k=k)}" for k in range(1, count)
    ]
    return "\n".join(
        [
            "import numpy as np",
            "",
            "def long(x, w):",
            "    y0 = x",
            *body,
            f"    return np.sum(y{count - 1})",
            "",
        ]
    )


def test_five_hundred_lines(browser: Browser, tmp_path: Path) -> None:
    import importlib.util

    file = tmp_path / "long_function.py"
    file.write_text(long_function(500))
    spec = importlib.util.spec_from_file_location("long_function", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    path = tmp_path / "page.html"
    tl.report(module.long, path, args=(np.array([0.5, 1.0]), np.array([1.0, 0.3])))
    assert path.stat().st_size < 3_000_000
    begin = time.monotonic()
    browser.open(path)
    assert time.monotonic() - begin < 10
    assert browser.evaluate("document.querySelectorAll('*').length") < 60_000
    spent = browser.evaluate(
        "(() => { const lines = [...document.querySelectorAll('.primal .ln')], start = performance.now();"
        " for (const line of lines) line.dispatchEvent(new MouseEvent('mouseover', {bubbles: true}));"
        " return (performance.now() - start) / lines.length; })()"
    )
    assert spent < 20, "milliseconds until counterparts light up"


def test_a_notebook_lights_counterparts_without_a_script(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "notebook.html"
    html = tl.grad(programs.branches)._repr_html_()
    path.write_text(f"<!DOCTYPE html><meta charset=utf-8><body>{html}", encoding="utf-8")
    browser.open(path)
    browser.evaluate(
        "[...document.querySelectorAll('span')].find(e => e.textContent.trim() === 'y = z * x').id = 'here'"
    )
    browser.point("#here")
    lit = (
        "[...document.querySelectorAll('.tangentlite span')]"
        ".filter(e => getComputedStyle(e).backgroundColor !== 'rgba(0, 0, 0, 0)').map(e => e.textContent.trim())"
    )
    expected = ["y = z * x", "y = z * x", "# Grad of: y = z * x", "bz = by * x", "bx = bx + by * z"]
    assert browser.evaluate(lit) == expected
    browser.point("body")
    browser.command("Input.dispatchMouseEvent", type="mouseMoved", x=1, y=890)
    browser.evaluate("document.getElementById('here').focus()")
    assert browser.evaluate(lit) == expected
