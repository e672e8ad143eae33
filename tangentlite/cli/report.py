"""``tangentlite report FILE.py:function``: a page that explains a derivative.

In: the function's name, what to differentiate in, an example.
Out: one HTML file.
Next: nothing.
"""

from __future__ import annotations

import argparse
from typing import Any

from tangentlite.cli import examples, output, target

EXAMPLES = """\
examples:
  tangentlite report model.py:loss                            writes loss.html
  tangentlite report model.py:loss --wrt w -o page.html       in the parameter w
  tangentlite report model.py:loss --args "np.ones(3), 2.0"   with gradients, shapes and times of an example
  tangentlite report model.py:loss -o - > page.html           to standard output
"""


def add(commands: Any) -> None:
    """Add the command to the parser's."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "report",
        help="write a page that explains a derivative",
        description="Write one HTML page: source and derivative side by side, every stage of the compiler, what is "
        "recorded and why, the rules, the computation graph. It needs no network. The file is imported to find the "
        "function.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    target.describe(parser)
    examples.describe(parser)
    output.describe(parser, "html")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Write the page."""
    import tangentlite as tl

    function, module = target.found(options.target)
    example = examples.first(options, function, module)
    args, kwargs = (example.args, example.kwargs) if example is not None else (None, None)
    page = tl.report(function, wrt=target.wrt(options.wrt), args=args, kwargs=kwargs)
    output.write(page, options.output or output.default(options.target, "html"))
    return 0
