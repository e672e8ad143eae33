"""Reading HTML strictly: every element is closed, and what is in it can be asked for."""

from __future__ import annotations

from html.parser import HTMLParser

VOID = {"meta", "img", "br", "hr", "link", "input"}


class Page(HTMLParser):
    """``elements``: tag, attributes and text of each; ``faults``: what is not closed as it was opened."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[int] = []
        self.elements: list[tuple[str, dict[str, str], list[str]]] = []
        self.faults: list[str] = []
        self.feed(text)
        self.close()
        self.faults += [f"{self.elements[k][0]} is never closed" for k in self.open]

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, {k: v or "" for k, v in attrs}, []))
        if tag not in VOID:
            self.open.append(len(self.elements) - 1)

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, {k: v or "" for k, v in attrs}, []))

    def handle_endtag(self, tag):
        if not self.open or self.elements[self.open[-1]][0] != tag:
            self.faults.append(f"</{tag}> at {self.getpos()}")
        elif self.open:
            self.open.pop()

    def handle_data(self, data):
        for k in self.open:
            self.elements[k][2].append(data)

    def all(self, tag: str, **attributes: str) -> list[tuple[dict[str, str], str]]:
        """Attributes and text of the elements with this tag."""
        return [
            (given, "".join(text))
            for name, given, text in self.elements
            if name == tag and all(given.get(k.rstrip("_")) == v for k, v in attributes.items())
        ]
