"""``tangentlite rules``: what has a rule, what is inactive, and what is missing.

In: nothing, or ``--missing``.
Out: a line for each public callable of NumPy, math, cmath and, where it is there, scipy.special.
Next: nothing.
"""

from __future__ import annotations

import argparse
import json
from typing import Any

EXAMPLES = """\
examples:
  tangentlite rules                       everything that is known
  tangentlite rules --missing             what cannot be differentiated, and what to write instead
  tangentlite rules --json | jq length    for a program to read
"""


def add(commands: Any) -> None:
    """Add the command to the parser's."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "rules",
        help="list what has a rule",
        description="List the public callables of NumPy, math, cmath and scipy.special (where it is there): "
        "each has a rule, or is inactive (its derivative is zero), or is missing.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--missing", action="store_true", help="only what has no rule, and why")
    parser.add_argument("--json", action="store_true", help="a list of entries, as JSON")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """One line for each callable, and how many there are."""
    from tangentlite.rules import coverage

    entries = coverage.survey()
    if options.json:
        chosen = [e for e in entries if e.state == "missing" or not options.missing]
        print(json.dumps([_entry(e) for e in chosen], indent=2))
        return 0
    for entry in entries:
        name = f"{entry.module}.{entry.name}"
        if entry.state == "missing":
            print(f"{name:40} missing   {entry.reason}: write {entry.instead}")
        elif not options.missing:
            print(f"{name:40} {entry.state:9} {entry.place}")
    print()
    for module, found in coverage.counts(entries).items():
        told = ", ".join(f"{found[state]} {state}" for state in ("rule", "inactive", "missing"))
        print(f"{module:40} {told}")
    return 0


def _entry(entry: Any) -> dict[str, str]:
    return {name: getattr(entry, name) for name in entry.__match_args__}
