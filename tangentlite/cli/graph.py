"""``tangentlite graph FILE.py:function``: the computation graph of a function, or of its derivative.

In: the function's name, an example.
Out: one SVG file.
Next: nothing.
"""

from __future__ import annotations

import argparse
from typing import Any

from tangentlite.cli import examples, output, target

EXAMPLES = """\
examples:
  tangentlite graph model.py:loss                            writes loss.svg
  tangentlite graph model.py:loss --args "np.ones(3), 2.0"   with the values and gradients of a call
  tangentlite graph model.py:loss --wrt w                    the gradient's nodes beside those of the function
  tangentlite graph model.py:loss -o - > loss.svg            to standard output
"""


def add(commands: Any) -> None:
    """Add the command to the parser's."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "graph",
        help="draw the computation graph of a function",
        description="Draw the computation graph of a function as SVG; with --wrt, that of its gradient. The file is "
        "imported to find the function.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    target.describe(parser)
    examples.describe(parser)
    output.describe(parser, "svg")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Write the picture."""
    import tangentlite as tl

    function, module = target.found(options.target)
    example = examples.first(options, function, module) or examples.Example()
    if options.wrt:
        function = tl.grad(function, wrt=target.wrt(options.wrt))
    picture = tl.graph(function, *example.args, **example.kwargs).svg
    output.write(picture, options.output or output.default(options.target, "svg"))
    return 0
