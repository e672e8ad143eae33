"""The pages of the documentation, read as text.

In: README.md, CONTRIBUTING.md and docs/.
Out: their blocks, links and headings.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent.parent
DOCS = ROOT / "docs"
FENCE = re.compile(r"^(`{3,}|~{3,})(.*)$")


class Block(NamedTuple):
    """A fenced block: the page, the line of its fence, its language, its text."""

    page: Path
    line: int
    language: str
    text: str

    @property
    def place(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def sources() -> list[Path]:
    """The pages that become the site."""
    return sorted(p for p in DOCS.rglob("*.md") if "_build" not in p.parts)


def pages() -> list[Path]:
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sources()]


def blocks(page: Path) -> Iterator[Block]:
    fence, start, language, held = "", 0, "", []
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        found = FENCE.match(line)
        if fence and line.strip() == fence:
            yield Block(page, start, language, "\n".join(held) + "\n")
            fence = ""
        elif fence:
            held.append(line)
        elif found:
            fence, language, start, held = found[1], found[2].strip(), number, []
    assert not fence, f"{page}: the block of line {start} does not end"


def prose(page: Path) -> str:
    """The text without blocks and without code in the line."""
    text = page.read_text(encoding="utf-8")
    text = re.sub(r"(?ms)^(`{3,}|~{3,}).*?^\1$", "", text)
    return re.sub(r"`[^`\n]*`", lambda found: "`" + "x" * (len(found[0]) - 2) + "`", text)


def links(page: Path) -> list[str]:
    """Where links and pictures lead that stay in the repository."""
    found = re.findall(r"\]\(([^)\s]+)\)", prose(page))
    return [target for target in found if not re.match(r"[a-z]+:", target)]


def anchors(page: Path) -> set[str]:
    """The names that headings get, by the rule of GitHub, which MyST follows."""
    text = re.sub(r"(?ms)^(`{3,}|~{3,}).*?^\1$", "", page.read_text(encoding="utf-8"))
    seen: dict[str, int] = {}
    names = set()
    for heading in re.findall(r"(?m)^#{1,6} (.+)$", text):
        plain = re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")
        names.add(f"{plain}-{seen[plain]}" if plain in seen else plain)
        seen[plain] = seen.get(plain, 0) + 1
    return names


def toctrees(page: Path) -> Iterator[Path]:
    """The pages that a page's tables of contents name; patterns may match nothing."""
    for block in blocks(page):
        if block.language == "{toctree}":
            for entry in block.text.split("\n"):
                if entry and not entry.startswith(":"):
                    path = re.sub(r".*<(.+)>$", r"\1", entry)  # "title <path>"
                    yield from _named(page.parent, path)


def _named(folder: Path, entry: str) -> list[Path]:
    if "*" in entry:
        return sorted(folder.glob(f"{entry}.md"))
    return [folder / f"{entry}.md"]
