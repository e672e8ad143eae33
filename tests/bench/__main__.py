"""Measure the gradients of the workloads against those by hand and those of peers.

``python -m tests.bench [workload ...]`` prints a table; ``--write`` writes docs/benchmarks.md and its picture too.
Peers that are not installed are named as such; ``--alone`` leaves all of them out.
"""

from __future__ import annotations

import argparse
import importlib
import platform
import sys
from importlib import metadata
from pathlib import Path

from tests.bench import peers, reporting
from tests.bench.comparing import OWN, Row, compare
from tests.bench.workloads import NAMES

DOCS = Path(__file__).parents[2] / "docs"
PAGE = """# Benchmarks

Written by `make bench`. Every number is a ratio to the gradient that an expert writes by hand in NumPy, both measured in turns
in one run, on one core: medians of the time of the processor. *Goal* is what we want of our own. The workloads are in
`tests/bench/workloads`, one file each, with the plain function, the gradient by hand, and the form that a peer needs where its
import line is not all that changes. Gradients are compared before anything is timed.

{versions}

{table}

Geometric mean of our ratios: {mean:.2f}. {misses}

The first call, compiling included:

{first}

Seconds over the size:

![cost over size](benchmarks.svg)
"""


def main() -> None:
    parser = argparse.ArgumentParser(prog="tests.bench", description=__doc__)
    parser.add_argument("workloads", nargs="*", default=NAMES)
    parser.add_argument("--alone", action="store_true", help="no peers")
    parser.add_argument("--write", action="store_true", help="write docs/benchmarks.md")
    options = parser.parse_args()
    names = [] if options.alone else list(peers.PEERS)
    results: dict[tuple[str, int], list[Row]] = {}
    goals: dict[tuple[str, int], float] = {}
    for name in options.workloads:
        work = importlib.import_module(f"tests.bench.workloads.{name}")
        for size in work.SIZES:
            goals[name, size] = work.GOAL[size] if isinstance(work.GOAL, dict) else work.GOAL
            results[name, size] = compare(work, size, names)
            said = (f"{r.name} {r.why or format(r.ratio, '.2f')}" for r in results[name, size])
            print(f"{name} {size}: " + ", ".join(said), flush=True)
    if options.write:
        write(results, goals)
    else:
        print("\n" + reporting.table(results, goals))


def write(results: reporting.Results, goals: dict[tuple[str, int], float]) -> None:
    """The page and its picture."""
    (DOCS / "benchmarks.svg").write_text(reporting.picture(results) + "\n")
    page = PAGE.format(
        versions=versions(),
        table=reporting.table(results, goals),
        misses=reporting.misses(results, goals),
        mean=reporting.geometric_mean(results, OWN),
        first=reporting.first_calls(results),
    )
    (DOCS / "benchmarks.md").write_text(page)


def versions() -> str:
    """What was measured, in words."""
    found = [f"Python {platform.python_version()}"]
    for module in ("numpy", *dict.fromkeys(module for module, _ in peers.PEERS.values())):
        found.append(f"{module} {metadata.version(module)}" if peers.installed(module) else "")
    return ", ".join(filter(None, found)) + "."


if __name__ == "__main__":
    sys.exit(main())
