"""``tangentlite check FILE.py:function``: the derivatives of a function against finite differences.

In: the function's name, example arguments.
Out: a report; 1 and the statement that is wrong if a derivative is.
Next: nothing.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from typing import Any

from tangentlite.cli import examples, target

EXAMPLES = """\
examples:
  tangentlite check model.py:loss --args "(np.ones(3), 2.0)"   at these arguments
  tangentlite check model.py:loss                              at `examples`, if the file has it
  tangentlite check model.py:loss --at points                  at what the file calls `points`
  tangentlite check model.py:loss --wrt w --order 1            first derivatives in one parameter
  tangentlite check model.py:loss --mode reverse --json        one mode; for a program to read
"""


def add(commands: Any) -> None:
    """Add the command to the parser's."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "check",
        help="compare the derivatives of a function with finite differences",
        description="Compare the derivatives of a function with finite differences, and forward with reverse mode. "
        "The exit code is 1 if they differ; then the first statement is named at which they do.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    target.describe(parser)
    examples.describe(parser)
    parser.add_argument(
        "--mode", action="append", choices=("reverse", "forward"), help="this mode only"
    )
    parser.add_argument("--order", type=int, choices=(1, 2), default=2, help="2: second order too")
    parser.add_argument("--rtol", type=float, help="relative difference that is allowed")
    parser.add_argument("--seed", type=int, default=0, help="of the random directions")
    parser.add_argument("--json", action="store_true", help="the report as JSON")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Check at each example."""
    from tangentlite.check import BOTH, check_grads
    from tangentlite.errors import GradientMismatchError

    function, module = target.found(options.target)
    every, wrong = [], 0
    for example in examples.given(options, function, module):
        try:
            report: Any = check_grads(
                function,
                example.args,
                options.mode or BOTH,
                options.order,
                kwargs=example.kwargs,
                wrt=None if options.wrt is None else target.wrt(options.wrt),
                rtol=options.rtol,
                seed=options.seed,
            )
            told = {}
        except GradientMismatchError as error:
            report, told, wrong = error.report, {"message": str(error)}, 1
        every.append({**report.as_dict(), **told})
        if not options.json:
            print(told.get("message", report), file=sys.stderr if told else sys.stdout)
    if options.json:
        print(json.dumps(_finite(every[0] if len(every) == 1 else every), indent=2))
    return wrong


def _finite(value: Any) -> Any:
    """A value that JSON can hold: what is no number is a string.

    >>> _finite({"a": [1.0, math.nan]})
    {'a': [1.0, 'nan']}
    """
    if isinstance(value, dict):
        return {key: _finite(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(part) for part in value]
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value
