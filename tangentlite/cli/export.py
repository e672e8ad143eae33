"""``tangentlite export FILE.py:function``: the derivative as a file of its own, or whether such a file is up to date.

In: the function's name, what to differentiate in, the file to write.
Out: a file that needs NumPy only.
Next: nothing.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from tangentlite.cli import examples, target

EXAMPLES = """\
examples:
  tangentlite export model.py:loss --wrt w -o loss_grad.py      the gradient in w
  tangentlite export model.py:loss --wrt w --value-and-grad -o loss_grad.py
  tangentlite export model.py:loss --mode forward               to the standard output
  tangentlite export model.py:Layer.apply --example 'Layer(np.ones(2)), np.ones(2)' -o apply_grad.py
  tangentlite export model.py:loss --wrt w -o loss_grad.py --check
                                                                1 if the file must be written again
"""


def add(commands: Any) -> None:
    """Add the command to the parser's."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "export",
        help="write a derivative into a file that needs NumPy only",
        description="Write the derivative of a function into a Python file that runs without tangentlite.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    target.describe(parser)
    parser.add_argument("--mode", choices=("reverse", "forward"), default="reverse")
    parser.add_argument("--value-and-grad", action="store_true", help="give (value, gradient)")
    parser.add_argument("--name", help="what the function in the file is called")
    parser.add_argument(
        "--example",
        metavar="ARGUMENTS",
        help="arguments like those of its calls, in Python, where they are not just numbers and arrays",
    )
    parser.add_argument("-o", "--output", metavar="FILE", default="-", help="- is standard output")
    parser.add_argument(
        "--check", action="store_true", help="write nothing; 1 if the file is not up to date"
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Write the file, or compare it."""
    if options.check and options.output == "-":
        print("tangentlite: --check needs the file: --output FILE", file=sys.stderr)
        return 2
    text = _text(options)
    if options.check:
        return _compared(Path(options.output), text)
    if options.output == "-":
        sys.stdout.write(text)
    else:
        Path(options.output).write_text(text, encoding="utf-8")
    return 0


def _text(options: argparse.Namespace) -> str:
    from tangentlite.exporting import source

    function, module = target.found(options.target)
    spelled = options.example
    example = None if spelled is None else examples.evaluated(spelled, module, "--example").args
    return source(
        function,
        "-" if options.output == "-" else Path(options.output).name,
        target.wrt(options.wrt),
        options.mode,
        options.value_and_grad,
        options.name,
        example,
        shown=spelled,
    )


def _compared(file: Path, text: str) -> int:
    if file.is_file() and file.read_text(encoding="utf-8") == text:
        return 0
    state = "is not up to date" if file.is_file() else "does not exist"
    command = " ".join(["tangentlite", *sys.argv[1:]]).replace(" --check", "")
    print(f"tangentlite: {file} {state}; write it again: {command}", file=sys.stderr)
    return 1
