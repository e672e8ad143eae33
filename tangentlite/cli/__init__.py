"""The command line: one module for each command, which adds its options and does its work.

In: the arguments of the process.
Out: text on standard output; 0, 1 (refused, not found, wrong or failed) or 2 (wrong usage).
Next: nothing.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import platform
import sys
from collections.abc import Sequence
from importlib import metadata

from tangentlite.cli import (
    bench,
    check,
    completion,
    export,
    failures,
    graph,
    report,
    rules,
    show,
)
from tangentlite.cli.target import NotFoundError
from tangentlite.errors import DerivativeError

COMMANDS = (show, report, graph, check, bench, export, rules, completion)  # in --help's order
EXAMPLES = """\
examples:
  tangentlite show model.py:loss                      the gradient in the first parameter
  tangentlite show model.py:loss --stages             the source after every stage
  tangentlite check model.py:loss --args "(2.0, 3)"   compare it with finite differences
  tangentlite bench model.py:loss --args "(2.0, 3)"   what it costs
  tangentlite report model.py:loss -o loss.html       a page that explains the gradient
  tangentlite graph model.py:loss -o loss.svg         the computation graph
  tangentlite export model.py:loss -o loss_grad.py    a file that runs without tangentlite
  tangentlite rules --missing                         what cannot be differentiated, and why

`tangentlite COMMAND --help` tells more. Exit codes: 0, 1 (refused, wrong or not found), 2 (wrong usage).
"""
INTERRUPTED, CLOSED = 130, 141  # what shells make of the signals


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; the answer is the exit code."""
    try:
        try:
            return _run(argv)
        finally:
            sys.stdout.flush()
    except BrokenPipeError:  # whoever read the output has seen enough
        _discard()
        return CLOSED
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return INTERRUPTED


def _run(argv: Sequence[str] | None) -> int:
    options = _parser().parse_args(argv)
    try:
        answer: int = options.run(options)
    except BrokenPipeError:
        raise
    except (NotFoundError, failures.UserError, DerivativeError) as error:
        print(f"tangentlite: {error}", file=sys.stderr)
        return 1
    except Exception as error:
        if failures.is_own(error):
            print(f"tangentlite: your code raises:\n{failures.told(error)}", file=sys.stderr)
        elif isinstance(error, TypeError | ValueError):  # a --wrt that the function does not have
            print(f"tangentlite: {error}", file=sys.stderr)
        else:
            raise
        return 1
    return answer


def _discard() -> None:
    """Nothing more is written, also when the process ends."""
    with contextlib.suppress(OSError, ValueError):  # standard output is no file
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="tangentlite",
        description="Derivatives of plain Python and NumPy, as plain Python and NumPy.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=_version())
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for command in COMMANDS:
        command.add(commands)
    return parser


def _version() -> str:
    try:
        own = metadata.version("tangentlite")
    except metadata.PackageNotFoundError:
        own = "(not installed)"
    numpy = metadata.version("numpy")
    return f"tangentlite {own} (Python {platform.python_version()}, NumPy {numpy})"
