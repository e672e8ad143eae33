"""``tangentlite completion bash``: what a shell needs to complete the command line.

In: the name of a shell; the parser, of which commands, options and choices are read.
Out: a script on standard output.
Next: shells.
"""

from __future__ import annotations

import argparse
import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tangentlite.cli import shells
from tangentlite.cli.shells import Command, Option

EXAMPLES = """\
examples:
  source <(tangentlite completion bash)                               in ~/.bashrc
  tangentlite completion zsh > "${fpath[1]}/_tangentlite"             once
  tangentlite completion fish > ~/.config/fish/completions/tangentlite.fish
"""


def add(commands: Any) -> None:
    """Add the command to the parser's."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "completion",
        help="print a script that completes commands in a shell",
        description="Print a script with which a shell completes commands, options, files and the functions in them.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("shell", choices=tuple(shells.SCRIPTS), nargs="?", help="which shell")
    parser.add_argument("--names", metavar="FILE", help=argparse.SUPPRESS)
    parser.set_defaults(run=run, commands=commands, parser=parser)


def run(options: argparse.Namespace) -> int:
    """Print the script, or the names of the functions in a file."""
    if options.names is not None:
        for name in functions(Path(options.names)):
            print(name)
        return 0
    if options.shell is None:
        options.parser.error("the following arguments are required: shell")
    print(shells.SCRIPTS[options.shell](list(described(options.commands))), end="")
    return 0


def described(commands: Any) -> Iterator[Command]:
    """The commands of a parser, as completion needs them."""
    helps = {action.dest: action.help or "" for action in commands._choices_actions}
    for name, parser in commands.choices.items():
        shown = [a for a in parser._actions if a.help != argparse.SUPPRESS]
        options = [_option(a) for a in shown if a.option_strings]
        places = [_place(a) for a in shown if not a.option_strings]
        yield Command(name, helps.get(name, ""), tuple(options), tuple(places))


def _option(action: argparse.Action) -> Option:
    takes = action.nargs != 0
    return Option(
        tuple(action.option_strings),
        _told(action),
        takes,
        tuple(map(str, action.choices or ())),
        "file" if takes and action.metavar in ("FILE", "PATH") else "",
    )


def _place(action: argparse.Action) -> Option:
    target = str(action.metavar).startswith("FILE.py")
    return Option(
        (), _told(action), True, tuple(map(str, action.choices or ())), "target" if target else ""
    )


def _told(action: argparse.Action) -> str:
    return (action.help or "").replace("%%", "%").split("\n")[0]


def functions(path: Path) -> list[str]:
    """The functions and methods that a file defines; it is read, not run."""
    try:
        tree = ast.parse(path.read_text())
    except (OSError, SyntaxError, ValueError):
        return []
    found = []
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            found.append(node.name)
        if isinstance(node, ast.ClassDef):
            found += [f"{node.name}.{n.name}" for n in node.body if isinstance(n, ast.FunctionDef)]
    return [name for name in found if not name.split(".")[-1].startswith("_")]
