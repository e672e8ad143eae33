"""Writes the outputs of the sessions in pages anew: ``python -m tests.docs.outputs [docs/tour.md ...]``.

In: pages of the documentation; without any, all that pytest runs.
Out: the same pages; outputs that still fit are left as they are.
"""

from __future__ import annotations

import doctest
import re
import sys
import traceback
from pathlib import Path
from typing import Any

from tests.docs.pages import pages

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
TRACEBACK = "Traceback (most recent call last):\n"


class Recorder(doctest.DocTestRunner):
    """Runs a page; ``found`` has the outputs that are not those of the page, by example."""

    def __init__(self) -> None:
        super().__init__(optionflags=FLAGS)
        self.found: dict[doctest.Example, str] = {}

    def report_start(self, out: Any, test: Any, example: Any) -> None:
        """Nothing is printed."""

    def report_success(self, out: Any, test: Any, example: Any, got: str) -> None:
        """What fits stays."""

    def report_failure(self, out: Any, test: Any, example: Any, got: str) -> None:
        raised = got.startswith(TRACEBACK)
        self.found[example] = TRACEBACK + _last(got) if raised else got

    def report_unexpected_exception(self, out: Any, test: Any, example: Any, exc_info: Any) -> None:
        text = "".join(traceback.format_exception_only(*exc_info[:2]))
        self.found[example] = TRACEBACK + text


def _last(got: str) -> str:
    """The message of a traceback, from the line with the name of the exception."""
    frames = got.removeprefix(TRACEBACK)
    return re.sub(r"\A(?:[ \t].*\n)+", "", frames)


def portable(output: str) -> str:
    """Without what differs from machine to machine; an empty line would end the output."""
    output = re.sub(r'File "[^"]*"', 'File "..."', output)
    output = re.sub(r"<doctest [^>]*>", "...", output)
    output = re.sub(r"± \S+", "± ...", output)
    return re.sub(r"(?m)^[ \t]*$(?=\n)", "<BLANKLINE>", output.rstrip("\n")) + "\n" * bool(output)


def renewed(text: str, name: str) -> str:
    """The text of a page with the outputs that its sessions have now."""
    test = doctest.DocTestParser().get_doctest(text, {"__name__": "__main__"}, name, name, 0)
    runner = Recorder()
    runner.run(test, out=lambda line: None, clear_globs=False)
    lines = text.splitlines(keepends=True)
    for example in reversed(test.examples):
        if example in runner.found:
            start = example.lineno + example.source.count("\n")
            end = start + example.want.count("\n")
            fence = (
                ["\n", "```\n"] if example.want.endswith("```\n") else []
            )  # no line was left for it
            lines[start:end] = [portable(runner.found[example]), *fence]
    return "".join(lines)


def main() -> None:
    for page in [Path(name) for name in sys.argv[1:]] or pages():
        text = page.read_text(encoding="utf-8")
        new = renewed(text, str(page))
        if new != text:
            page.write_text(new, encoding="utf-8")
            print(f"{page}: written")


if __name__ == "__main__":
    main()
