"""The command line: one module for each command, which adds its options and does its work.

In: the arguments of the process.
Out: text on standard output; 0, 1 (refused, not found or failed) or 2 (wrong usage).
Next: nothing.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from tangentlite.cli import rules, show
from tangentlite.cli.target import NotFoundError
from tangentlite.errors import DerivativeError

COMMANDS = (show, rules)  # in the order of --help
EXAMPLES = """\
examples:
  tangentlite show model.py:loss                      the gradient in the first parameter
  tangentlite show model.py:loss --stages             the source after every stage
  tangentlite rules --missing                         what cannot be differentiated, and why
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; the answer is the exit code."""
    options = _parser().parse_args(argv)
    try:
        answer: int = options.run(options)
    except (NotFoundError, DerivativeError, TypeError, ValueError) as error:
        # the latter two: a --wrt that the function does not have
        print(f"tangentlite: {error}", file=sys.stderr)
        return 1
    return answer


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="tangentlite",
        description="Derivatives of plain Python and NumPy, as plain Python and NumPy.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for command in COMMANDS:
        command.add(commands)
    return parser
