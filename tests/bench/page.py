"""docs/benchmarks.md: a section for each group of workloads, written anew when that group was measured.

In: rows of a group.
Out: the page, and its picture.
"""

from __future__ import annotations

import platform
import re
from importlib import metadata
from pathlib import Path

from tests.bench import peers, reporting
from tests.bench.comparing import BY_HAND, OWN

DOCS = Path(__file__).parents[2] / "docs"
RIVALS = ("JAX jit", "DaCe AD")
HEAD = """# Benchmarks

Written by `make bench`. Every number is a ratio to the gradient that an expert writes by hand in NumPy, both measured in turns
in one run, on one core: medians of the time of the processor. *Goal* is what we want of our own. The workloads are in
`tests/bench/workloads`, one file each, with the plain function, the gradient by hand, and the form that a peer needs where its
import line is not all that changes. Gradients are compared before anything is timed.
"""
SECTION = """{versions}

{table}

{closing}

The first call, compiling included:

{first}
"""
PICTURE = "\nSeconds over the size:\n\n![cost over size](benchmarks.svg)\n"
GENERAL, IN_PLACE = "Functions of many sorts", "Kernels that write in place"
ORDER = (GENERAL, IN_PLACE)
ABOUT = {
    GENERAL: "",
    IN_PLACE: """Ten kernels in the text in which benchmarks of compilers have them, at small sizes: procedures that write into their arguments,
each with a loss that weighs what was written. JAX has a functional form with `fori_loop` and `.at[].set`; *Numba by hand* is an
adjoint of fused loops; DaCe AD (`pip install dace==2.0.0b1`; it needs a C++ compiler) reads the text as it is, with types. Tools of
traces refuse the text of a kernel that writes, or are wrong.

""",
}


def write(title: str, results: reporting.Results, goals: dict[tuple[str, int], float]) -> None:
    """The section of a group, the others as they are."""
    path = DOCS / "benchmarks.md"
    parts = sections(path.read_text() if path.exists() else "")
    parts[title] = ABOUT[title] + section(title, results, goals)
    if title == GENERAL:
        (DOCS / "benchmarks.svg").write_text(reporting.picture(results) + "\n")
        parts[title] += PICTURE
    shown = [f"## {name}\n\n{parts[name].strip()}\n" for name in ORDER if name in parts]
    path.write_text("\n".join([HEAD, *shown]))


def section(title: str, results: reporting.Results, goals: dict[tuple[str, int], float]) -> str:
    """The tables of a group, and what they mean."""
    closing = f"Geometric mean of our ratios: {reporting.geometric_mean(results, OWN):.2f}. "
    closing += reporting.misses(results, goals)
    if title == IN_PLACE:
        closing += "\n\n" + "\n".join(rivals(results))
    return SECTION.format(
        versions=versions(),
        table=reporting.table(results, goals),
        closing=closing,
        first=reporting.first_calls(results),
    )


def rivals(results: reporting.Results) -> list[str]:
    """A line for each compiler that is a rival."""
    fast = (BY_HAND, OWN, peers.OWN_ON_NUMBA, "Numba by hand")
    found = ((rival, reporting.against(results, fast, rival)) for rival in RIVALS)
    return [
        f"* times as fast as {rival}, geometric means (over how many kernels): {said}."
        for rival, said in found
        if said
    ]


def sections(text: str) -> dict[str, str]:
    """What stands below each title of a page."""
    _, *parts = re.split(r"^## (.*)$", text, flags=re.MULTILINE)
    return {title: body.strip() for title, body in zip(parts[::2], parts[1::2])}


def versions() -> str:
    """What was measured, in words."""
    found = [f"Python {platform.python_version()}"]
    for module in ("numpy", *dict.fromkeys(module for module, _ in peers.PEERS.values())):
        found.append(f"{module} {metadata.version(module)}" if peers.installed(module) else "")
    return ", ".join(filter(None, found)) + "."
