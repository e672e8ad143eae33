"""The site: it builds without a warning, and its pages load nothing from elsewhere."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.docs.pages import DOCS, sources
from tests.reports.browser import Browser

NEEDED = ("sphinx", "furo", "myst_parser", "sphinx_copybutton", "latex2mathml")
LOADING = {
    *(("script", "src"), ("img", "src"), ("iframe", "src"), ("source", "src"), ("video", "src")),
    *(("audio", "src"), ("embed", "src"), ("object", "data"), ("image", "href"), ("use", "href")),
    *(("img", "srcset"), ("source", "srcset"), ("input", "src"), ("form", "action")),
}
ICONS = {"stylesheet", "icon", "preload", "prefetch", "preconnect", "dns-prefetch", "modulepreload"}


class Requests(HTMLParser):
    """The addresses that a browser asks for by itself when it shows a page."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.tags: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        given = dict(attrs)
        self.found += [v for (key, v) in attrs if v and (tag, key) in LOADING]
        if tag == "link" and ICONS & set((given.get("rel") or "").split()):
            self.found.append(given.get("href") or "")
        self.found += addresses(given.get("style") or "")


def addresses(sheet: str) -> list[str]:
    """What a style sheet loads."""
    return re.findall(r"url\(\s*['\"]?([^'\")]+)", sheet) + re.findall(
        r"@import\s+['\"]([^'\"]+)", sheet
    )


def elsewhere(found: list[str]) -> list[str]:
    return [a for a in found if re.match(r"(?!data:)[a-z]+:|//", a)]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        pytest.skip(f"the extra `docs` is not installed: no {', '.join(missing)}")
    out = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html"]
    done = subprocess.run([*command, str(DOCS), str(out)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return out


def test_what_a_page_loads_is_noticed() -> None:
    page = Requests()
    page.feed('<script src="https://a/x.js"></script><link rel="stylesheet" href="//b/x.css">')
    page.feed('<p style="background: url(http://c/x.png)"><a href="https://d/"><img src="x.png">')
    assert elsewhere(page.found) == ["https://a/x.js", "//b/x.css", "http://c/x.png"]
    assert elsewhere(addresses("@import 'https://e/f.css'; a { b: url(data:x) }")) == [
        "https://e/f.css"
    ]


@pytest.mark.slow
def test_every_page_is_built(site: Path) -> None:
    for page in sources():
        assert (site / page.relative_to(DOCS).with_suffix(".html")).exists()


@pytest.mark.slow
def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    for html in site.rglob("*.html"):
        page = Requests()
        page.feed(html.read_text(encoding="utf-8"))
        assert elsewhere(page.found) == [], html.name
    for sheet in site.rglob("*.css"):
        assert elsewhere(addresses(sheet.read_text(encoding="utf-8"))) == [], sheet.name


@pytest.mark.slow
def test_formulas_are_mathml(site: Path) -> None:
    page = Requests()
    html = (site / "explanation.html").read_text(encoding="utf-8")
    page.feed(html)
    assert "math" in page.tags
    assert "MathJax" not in html


@pytest.mark.slow
@pytest.mark.parametrize("dark", [False, True])
def test_a_browser_shows_it_without_asking_anybody(site: Path, dark: bool) -> None:
    """Scripts included: pictures, formulas and the search work from the folder."""
    browser = Browser()
    try:
        for page in sorted(site.rglob("*.html")):
            address = str(page.relative_to(site))
            browser.open(page, width=480, dark=dark)
            asked = [e for e in browser.events if e.get("method") == "Network.requestWillBeSent"]
            urls = [e["params"]["request"]["url"] for e in asked]
            assert urls, address
            assert [u for u in urls if not u.startswith(("file:", "data:"))] == []
            wide = browser.evaluate("document.documentElement.scrollWidth - innerWidth")
            assert wide <= 0, f"{address} is wider than a phone"
        browser.open(site / "explanation.html")
        shown = "[...document.querySelectorAll('article img')].every(i => i.naturalWidth > 0)"
        assert browser.evaluate(shown)
        assert browser.evaluate("document.querySelector('math').getBoundingClientRect().height") > 5
    finally:
        browser.close()
