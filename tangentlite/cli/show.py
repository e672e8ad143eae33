"""``tangentlite show FILE.py:function``: the derivative of a function, or the source of every stage.

In: the function's name and what to differentiate in.
Out: source text, in color on a terminal.
Next: nothing.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from typing import Any

from tangentlite.cli import colors, target

EXAMPLES = """\
examples:
  tangentlite show model.py:loss                      the gradient in the first parameter
  tangentlite show model.py:loss --wrt w --wrt b      in two parameters
  tangentlite show model.py:Layer.apply --wrt x       of a method
  tangentlite show model.py:loss --mode forward       tangents instead of adjoints
  tangentlite show model.py:loss --stages             the source after every stage
  tangentlite show model.py:loss --color always | less -R   a page at a time, in color
  tangentlite show model.py:loss --json               for a program to read
"""


def add(commands: Any) -> None:
    """Add the command to the parser's."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "show",
        help="print the derivative of a function",
        description="Print the derivative of a function. The file is imported to find it.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    target.describe(parser)
    parser.add_argument("--mode", choices=("reverse", "forward"), default="reverse")
    parser.add_argument("--stages", action="store_true", help="the source after every stage")
    parser.add_argument("--json", action="store_true", help="titles and sources, as JSON")
    colors.describe(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print what is asked for."""
    parts = _parts(target.load(options.target), options)
    if options.json:
        print(
            json.dumps({"target": options.target, "mode": options.mode, "sources": parts}, indent=2)
        )
        return 0
    color = colors.wanted(options.color, sys.stdout)
    for title, source in parts.items():
        _show(title, source, color)
    return 0


def _parts(function: Callable[..., Any], options: argparse.Namespace) -> dict[str, str]:
    """Titles and sources: one, or one per stage."""
    import tangentlite as tl

    wrt = target.wrt(options.wrt)
    if options.stages:
        return dict(tl.stages(function, wrt=wrt, mode=options.mode))
    if options.mode == "forward":
        return {"": tl.autodiff(function, wrt=wrt, mode="forward").source}
    return {"": tl.grad(function, wrt=wrt).source}


def _show(title: str, source: str, color: bool) -> None:
    from tangentlite.highlight import BOLD, highlight

    if title:
        print(highlight(f"# {title}\n", BOLD) if color else f"# {title}\n")
    print(highlight(source) if color else source, end="" if source.endswith("\n") else "\n")
    if title:
        print()
