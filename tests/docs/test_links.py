"""Every page is reached, and every link leads to something."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.pages import DOCS, ROOT, anchors, links, pages, sources, toctrees


def name(page: Path) -> str:
    return str(page.relative_to(ROOT))


def test_every_page_stands_in_the_table_of_contents() -> None:
    index = DOCS / "index.md"
    listed = list(toctrees(index))
    missing = [name(p) for p in listed if not p.exists()]
    assert not missing
    assert len(listed) == len(set(listed))
    assert {*listed, index} == set(sources())


@pytest.mark.parametrize("page", pages(), ids=name)
def test_links_lead_to_files_and_headings(page: Path) -> None:
    for link in links(page):
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), f"{name(page)}: {link}"
        assert ROOT in (target, *target.parents), f"{name(page)}: {link}"
        if anchor:
            assert anchor in anchors(target), f"{name(page)}: {link}"


def test_pages_of_the_site_link_to_the_site_only() -> None:
    """Pictures are copied into it, wherever they are."""
    outside = [
        f"{name(page)}: {link}"
        for page in sources()
        for link in links(page)
        if not link.startswith("#") and not link.endswith((".png", ".svg"))
        if DOCS not in (page.parent / link).resolve().parents
    ]
    assert not outside


def test_the_readme_leads_to_the_site() -> None:
    assert "docs/index.md" in [link.partition("#")[0] for link in links(ROOT / "README.md")]
