"""Measure the gradients of the workloads against those by hand and those of peers.

``python -m tests.bench [workload ...]`` prints a table; ``--write`` writes the sections of docs/benchmarks.md whose workloads
were measured. ``general`` and ``in_place`` name a group. Peers that are not installed are named as such; ``--alone`` leaves
all of them out.
"""

from __future__ import annotations

import argparse
import importlib
import sys

from tests.bench import page, peers, reporting
from tests.bench.comparing import Row, compare
from tests.bench.workloads import IN_PLACE, NAMES

GROUPS = {"general": (page.GENERAL, NAMES), "in_place": (page.IN_PLACE, IN_PLACE)}


def main() -> None:
    parser = argparse.ArgumentParser(prog="tests.bench", description=__doc__)
    parser.add_argument("workloads", nargs="*", default=list(GROUPS))
    parser.add_argument("--alone", action="store_true", help="no peers")
    parser.add_argument("--write", action="store_true", help="write docs/benchmarks.md")
    options = parser.parse_args()
    for group, (title, members) in GROUPS.items():
        chosen = [n for n in members if group in options.workloads or n in options.workloads]
        results, goals = measured(chosen, peers.asked(group == "in_place", options.alone))
        if results and options.write:
            page.write(title, results, goals)
        elif results:
            print("\n" + reporting.table(results, goals))
            print("\n".join(page.rivals(results)))


def measured(
    chosen: list[str], names: list[str]
) -> tuple[dict[tuple[str, int], list[Row]], dict[tuple[str, int], float]]:
    """Rows and goals of workloads, printed as they come."""
    results: dict[tuple[str, int], list[Row]] = {}
    goals: dict[tuple[str, int], float] = {}
    for name in chosen:
        work = importlib.import_module(f"tests.bench.workloads.{name}")
        for size in work.SIZES:
            goals[name, size] = work.GOAL[size] if isinstance(work.GOAL, dict) else work.GOAL
            results[name, size] = compare(work, size, names)
            said = (f"{r.name} {r.why or format(r.ratio, '.2f')}" for r in results[name, size])
            print(f"{name} {size}: " + ", ".join(said), flush=True)
    return results, goals


if __name__ == "__main__":
    sys.exit(main())
