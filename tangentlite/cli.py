"""The command line: show the derivative of a function in a file, and what has a rule.

In: ``tangentlite show FILE.py:function``, ``tangentlite rules``.
Out: text on standard output; 0, 1 (refused or not found) or 2 (wrong usage).
Next: nothing.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TextIO

from tangentlite.errors import DerivativeError

EXAMPLES = """\
examples:
  tangentlite show model.py:loss                      the gradient in the first parameter
  tangentlite show model.py:loss --wrt w --wrt b      in two parameters
  tangentlite show model.py:Layer.apply --wrt x       of a method
  tangentlite show model.py:loss --mode forward       tangents instead of adjoints
  tangentlite show model.py:loss --stages             the source after every stage
"""


class NotFoundError(Exception):
    """The file or the function that the command names does not exist."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; the answer is the exit code."""
    options = _parser().parse_args(argv)
    if options.command == "rules":
        _rules(options.missing)
        return 0
    try:
        function = _load(options.target)
    except NotFoundError as error:
        return _refuse(error)
    try:
        parts = _parts(function, options)
    except (DerivativeError, TypeError, ValueError) as error:  # the latter two: a wrong --wrt
        return _refuse(error)
    color = _wants_color(sys.stdout)
    for title, source in parts.items():
        _show(title, source, color)
    return 0


def _refuse(error: Exception) -> int:
    print(f"tangentlite: {error}", file=sys.stderr)
    return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="tangentlite",
        description="Derivatives of plain Python and NumPy, as plain Python and NumPy.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    show = commands.add_parser(
        "show",
        help="print the derivative of a function",
        description="Print the derivative of a function. The file is imported to find it.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    show.add_argument("target", metavar="FILE.py:function", help="the function to differentiate")
    show.add_argument("--wrt", action="append", metavar="NAME", help="parameter or its position")
    show.add_argument("--mode", choices=("reverse", "forward"), default="reverse")
    show.add_argument("--stages", action="store_true", help="the source after every stage")
    listed = commands.add_parser(
        "rules",
        help="list what has a rule",
        description="List the public callables of NumPy, math, cmath and scipy.special (where it is there): "
        "each has a rule, or is inactive (its derivative is zero), or is missing.",
    )
    listed.add_argument("--missing", action="store_true", help="only what has no rule, and why")
    return parser


def _rules(missing: bool) -> None:
    """One line for each callable, and how many there are."""
    from tangentlite.rules import coverage

    entries = coverage.survey()
    for entry in entries:
        name = f"{entry.module}.{entry.name}"
        if entry.state == "missing":
            print(f"{name:40} missing   {entry.reason}: write {entry.instead}")
        elif not missing:
            print(f"{name:40} {entry.state:9} {entry.place}")
    print()
    for module, found in coverage.counts(entries).items():
        told = ", ".join(f"{found[state]} {state}" for state in ("rule", "inactive", "missing"))
        print(f"{module:40} {told}")


def _load(target: str) -> Callable[..., Any]:
    """The function that ``FILE.py:function`` names."""
    file, colon, name = target.rpartition(":")
    if not colon or not name or not file:
        raise NotFoundError(f"{target!r} names no function: write FILE.py:function")
    found: Any = _import(Path(file))
    for part in name.split("."):
        if not hasattr(found, part):
            raise NotFoundError(f"{file} has no {name}. {_offer(found)}".rstrip())
        found = getattr(found, part)
    if not callable(found):
        raise NotFoundError(f"{name} in {file} is {type(found).__name__}, not a function")
    return found  # type: ignore[no-any-return]


def _import(path: Path) -> Any:
    """The file as a module; its neighbors can be imported, as when it is run."""
    if not path.is_file():
        raise NotFoundError(f"{path}: no such file")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise NotFoundError(f"{path} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules.setdefault(path.stem, module)
    sys.path.insert(0, str(path.resolve().parent))
    spec.loader.exec_module(module)
    return module


def _offer(scope: Any) -> str:
    own = getattr(scope, "__name__", None)
    names = [n for n, v in vars(scope).items() if getattr(v, "__module__", None) == own]
    functions = [n for n in names if callable(vars(scope)[n])]
    return "It has " + ", ".join(functions) + "." if functions else ""


def _parts(function: Callable[..., Any], options: argparse.Namespace) -> dict[str, str]:
    """Titles and sources: one, or one per stage."""
    import tangentlite as tl

    given = [int(w) if w.isdecimal() else w for w in options.wrt or ["0"]]
    wrt = given[0] if len(given) == 1 else tuple(given)
    if options.stages:
        return dict(tl.stages(function, wrt=wrt, mode=options.mode))
    if options.mode == "forward":
        return {"": tl.autodiff(function, wrt=wrt, mode="forward").source}
    return {"": tl.grad(function, wrt=wrt).source}


def _wants_color(stream: TextIO) -> bool:
    return stream.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"


def _show(title: str, source: str, color: bool) -> None:
    from tangentlite.highlight import BOLD, highlight

    if title:
        print(highlight(f"# {title}\n", BOLD) if color else f"# {title}\n")
    print(highlight(source) if color else source, end="" if source.endswith("\n") else "\n")
    if title:
        print()
