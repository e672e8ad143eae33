"""What has a rule: every public callable of a library, where its rule stands, and why it has none.

In: the registry, the stand-ins.
Out: ``Entry`` values; the page that tells them.
Next: cli.
"""

from __future__ import annotations

import cmath
import importlib
import inspect
import math
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Literal

import numpy as np

from tangentlite import standins
from tangentlite.rules.registry import find
from tangentlite.values import immutable

State = Literal["rule", "inactive", "missing"]
ROOT = Path(__file__).resolve().parent.parent
# Why something has no rule, and what says the same. Each name of NumPy is here, has a rule, or is inactive.
MISSING = (
    ("matrix asmatrix bmat recarray", "arrays of another class", "`np.array`, `np.block`"),
    ("frompyfunc ndarray", "arrays of objects, memory of other arrays", "a loop, `np.zeros`"),
    ("nditer nested_iters", "an iterator that may write", "`np.ndindex`"),
    (
        "ellip_harm ellip_harm_2 ellip_normal",
        "no other function gives their slope",
        "the equation of Lamé",
    ),
)
RARE = (
    "a function of another version of SciPy",
    "a rule of your own: `tl.elementwise`",
)
# What the compiler itself says otherwise.
LOWERED = (
    ("copyto put putmask fill_diagonal place put_along_axis", "lowering/arrays/inplace.py"),
    ("fromiter", "lowering/iteration/consumers.py"),
    ("ndenumerate ndindex broadcast", "lowering/iteration/loops.py"),
    ("piecewise fromfunction r_ c_", "lowering/spellings.py"),
    ("vectorize poly1d", "analysis/calling/functions.py"),
)


@immutable
class Entry:
    """A callable, the place of its rule, or the reason why there is none, and what to write instead."""

    module: str
    name: str
    state: State
    place: str = ""
    reason: str = ""
    instead: str = ""


def survey(modules: Iterable[ModuleType] | None = None) -> list[Entry]:
    """Every public callable of the modules.

    >>> next(str(e.state) for e in survey([np.fft]) if e.name == "ifft")
    'rule'
    """
    found: list[Entry] = []
    for module in libraries() if modules is None else modules:
        names = sorted(n for n in dir(module) if not n.startswith("_"))
        found += [_entry(module, n) for n in names if callable(getattr(module, n))]
    return found


def libraries() -> Iterator[ModuleType]:
    """NumPy, ``math``, ``cmath``, and SciPy's special functions where there are any."""
    yield from (np, np.linalg, np.fft, math, cmath)
    try:
        yield importlib.import_module("scipy.special")
    except ImportError:
        return


def _entry(module: ModuleType, name: str) -> Entry:
    value, shown = getattr(module, name), module.__name__
    rule = find(value)
    if rule is not None:
        state: State = "inactive" if rule.algebra == "inactive" else "rule"
        return Entry(shown, name, state, _shown(rule.file, rule.line))
    standin = standins.find(value)
    if standin is not None:
        file = inspect.getsourcefile(standin) or ""
        return Entry(shown, name, "rule", _shown(file, standin.__code__.co_firstlineno))
    for names, file in LOWERED:
        if module is np and name in names.split():
            return Entry(shown, name, "rule", f"tangentlite/{file}")
    for names, reason, instead in MISSING:
        if name in names.split():
            return Entry(shown, name, "missing", "", reason, instead)
    if shown == "scipy.special":
        return Entry(shown, name, "missing", "", *RARE)
    return Entry(shown, name, "missing")


def _shown(file: str, line: int) -> str:
    """A place as a person finds it.

    >>> _shown("/somewhere/templates/norms.py", 3), _shown(__file__, 4)
    ('templates/norms.py:3', 'tangentlite/rules/coverage.py:4')
    """
    path = Path(file)
    if path.parent.name == "templates":
        return f"templates/{path.name}:{line}"
    return f"{path.resolve().relative_to(ROOT.parent)}:{line}"


def counts(entries: Iterable[Entry]) -> dict[str, Counter[str]]:
    """How many callables of each module are in each state."""
    found: dict[str, Counter[str]] = {}
    for entry in entries:
        found.setdefault(entry.module, Counter())[entry.state] += 1
    return found


def page(entries: Iterable[Entry]) -> str:
    """The tables of docs/rules.md: what has no rule and why, and what has one, by the file that it stands in.

    >>> print(page([Entry("math", "sin", "rule", "templates/elementary.py:3")]))
    | file | functions |
    |---|---|
    | `templates/elementary.py` | `math.sin` |
    """
    missing: dict[tuple[str, str], list[str]] = {}
    files: dict[str, list[str]] = {}
    for entry in entries:
        name = f"`{entry.module.replace('numpy', 'np', 1)}.{entry.name}`"
        if entry.state == "missing":
            missing.setdefault((entry.reason, entry.instead), []).append(name)
        elif entry.state == "rule":
            files.setdefault(entry.place.partition(":")[0], []).append(name)
    rows = [f"| {', '.join(n)} | {why} | {other} |" for (why, other), n in missing.items()]
    lines = ["| without | why | write instead |", "|---|---|---|", *rows, ""] if rows else []
    lines += ["| file | functions |", "|---|---|"]
    lines += [f"| `{file}` | {', '.join(names)} |" for file, names in sorted(files.items())]
    return "\n".join(lines)
