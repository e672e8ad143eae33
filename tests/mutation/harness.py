"""Every program of the collection in every mode, against finite differences.

``python -m tests.mutation.harness [words]`` prints a line per program whose name holds one of the words: ok, WRONG,
REFUSED (an error of the compiler) or INTERNAL (any other error); further lines for modes that fail otherwise.
"""

from __future__ import annotations

import copy
import sys
import warnings
from collections import Counter
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

import tangentlite as tl
from tests.mutation.registry import Case
from tests.programs.strict import Check, alike, differences, direction, leaves

THEMES = """stores augmented functions views aliases procedures results lists dicts dtypes
loops_and_branches conversions second_order_traps shared_adjoints overwritten mixtures
complex_arrays late_names repeated other_names overlaps shifted calls_that_write sums_in_containers written_results
folded elements laziness deep_copies handed_in in_turn output_arguments""".split()
CASES: list[Case] = [
    case
    for theme in THEMES
    for value in vars(import_module(f"tests.mutation.{theme}")).values()
    for case in getattr(value, "cases", [])
]


class Mutation(Check):
    """What strict programs must fulfil, in parts."""

    def __init__(self, case: Case) -> None:
        super().__init__(case.function, case.args)
        if case.rough:
            self.rtol, self.atol = 3e-3, 3e-3

    def slopes(self, k: int, step: float = 2e-4) -> Any:
        return differences(self.f, self.args, k, leaves(self.seed), step)

    def in_reverse(self) -> None:
        for k in self.active:
            self.reverse(k, differences(self.f, self.args, k, [1.0]))

    def in_forward(self) -> None:
        for k in self.active:
            args = self.fresh()
            tl.jvp(self.f, wrt=k)(*args, tangent=direction(self.args[k], 5))
            alike(args, self.args, f"arguments, forward, argument {k}")
            self.forward(k, self.slopes(k))

    def in_split(self) -> None:
        for k in self.active:
            args = self.fresh()
            tl.vjp(self.f, wrt=k)(*args)[1](copy.deepcopy(self.seed))
            alike(args, self.args, f"arguments, split, argument {k}")
            self.split(k, self.slopes(k))

    def in_one_sweep(self) -> None:
        self.several()

    def in_second_order(self) -> None:
        for k in self.active:
            self.twice(k)


MODES: dict[str, Callable[[Mutation], None]] = {
    "reverse": Mutation.in_reverse,
    "forward": Mutation.in_forward,
    "split": Mutation.in_split,
    "several": Mutation.in_one_sweep,
    "second": Mutation.in_second_order,
}


def modes(case: Case) -> list[str]:
    """What is to be asked of a program."""
    if case.raises:
        return ["reverse", "forward", "split"]
    several = len([a for a in case.args if leaves(a)]) > 1
    return [mode for mode in MODES if several or mode != "several"]


def sane(case: Case) -> None:
    """The program runs, is smooth where it is asked, and depends on its arguments."""
    if case.raises:
        return raises(case, lambda: case.function(*copy.deepcopy(case.args)))
    check = Mutation(case)
    assert check.scalar and np.isfinite(check.value), f"{check.value!r} is no finite number"
    assert check.active, "nothing to differentiate"
    rtol, atol = (2e-2, 2e-2) if case.rough else (1e-7, 1e-8)
    found = []
    for k in check.active:
        fine, coarse = check.slopes(k), check.slopes(k, 5e-4)
        np.testing.assert_allclose(fine, coarse, rtol=rtol, atol=atol)
        found.append(fine)
    assert any(map(np.any, found)) != case.flat, f"the derivative is {found}"
    return None


def raises(case: Case, call: Callable[[], Any]) -> None:
    """The call raises what the case says."""
    try:
        call()
    except Exception as error:
        names = [kind.__name__ for kind in type(error).__mro__]
        if case.raises not in names:
            raise
        return
    raise AssertionError(f"no {case.raises}")


def raised(case: Case, mode: str) -> None:
    """The derivative raises what the program raises."""
    seed = direction(case.args[0], 5)
    calls: dict[str, list[Callable[[], Any]]] = {
        "reverse": [
            lambda: tl.grad(case.function)(*copy.deepcopy(case.args)),
            lambda: tl.grad(case.function, optimized=False)(*copy.deepcopy(case.args)),
        ],
        "forward": [lambda: tl.jvp(case.function)(*copy.deepcopy(case.args), tangent=seed)],
        "split": [lambda: tl.vjp(case.function)(*copy.deepcopy(case.args))],
    }
    for call in calls[mode]:
        raises(case, call)


def confirm(case: Case, mode: str) -> None:
    """All that one mode must fulfil for one program."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        if case.raises:
            raised(case, mode)
        else:
            MODES[mode](Mutation(case))


def verdict(call: Callable[[], Any]) -> tuple[str, str]:
    """How a call ended, and its complaint."""
    try:
        call()
    except tl.DerivativeError as error:
        return "REFUSED", f"{type(error).__name__}: {error.message}"
    except AssertionError as error:
        lines = [line for line in str(error).splitlines() if line.strip()]
        return "WRONG", " ".join(" ".join(lines[:9]).split())[:240]
    except Exception as error:
        return "INTERNAL", f"{type(error).__name__}: {str(error)[:200]}"
    return "ok", ""


def main(words: list[str]) -> int:
    """Print a line per program; the number of wrong and internal ones is the exit status."""
    counts: Counter[str] = Counter()
    for case in CASES:
        if words and not any(word in case.name for word in words):
            continue
        faults = []
        for mode in modes(case):
            kind, text = verdict(lambda: confirm(case, mode))
            counts[kind] += 1
            if kind != "ok":
                faults.append(f"{kind} {mode}: {text}")
        print(f"{case.name}: {'; '.join(faults[:1]) or 'ok'}", flush=True)
        for fault in faults[1:]:
            if fault.split(": ", 1)[1] != faults[0].split(": ", 1)[1]:
                print(f"    {fault}", flush=True)
    print(dict(counts))
    return min(counts["WRONG"] + counts["INTERNAL"], 99)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
