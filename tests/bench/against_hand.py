"""A gradient against the adjoint that one would write by hand, and against the function itself: seconds and ratios.

Run it from the root: ``python -m tests.bench.against_hand [name ...]``. The three take turns in one run; a ratio is the
median of the ratios of the turns.
"""

from __future__ import annotations

import copy
import importlib
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import tangentlite as tl

Array = np.ndarray
ROUNDS = 25
MODULES = ("stencils", "recurrences", "networks")


@dataclass(frozen=True)
class Case:
    """A loss, the gradients it is differentiated for, and the adjoint by hand, which takes the same arguments.

    ``calls``: how many are timed at once; more than one if arguments are not written.
    """

    loss: Callable[..., Any]
    by_hand: Callable[..., Any]
    arguments: tuple[Any, ...]
    small: tuple[Any, ...]
    wrt: tuple[int, ...] = (0,)
    calls: int = 1

    def gradient(self) -> Callable[..., Any]:
        """The gradient that the compiler writes."""
        return tl.grad(self.loss, wrt=self.wrt if len(self.wrt) > 1 else self.wrt[0])


CASES: dict[str, Case] = {}


def normal(*shape: int) -> Array:
    """Normally distributed numbers, always the same."""
    return np.random.default_rng(sum(shape)).normal(size=shape)


def case(
    by_hand: Callable[..., Any], *shapes: Any, wrt: tuple[int, ...] = (0,), calls: int = 1
) -> Any:
    """Add a case: a tuple of lengths stands for an array, a pair ``[large, small]`` for what depends on the size."""

    def built(what: Any, size: int) -> Any:
        what = what[size] if isinstance(what, list) else what
        return normal(*what) if isinstance(what, tuple) else what

    def add(loss: Callable[..., Any]) -> Callable[..., Any]:
        large, small = (tuple(built(s, size) for s in shapes) for size in (0, 1))
        CASES[loss.__name__] = Case(loss, by_hand, large, small, wrt, calls)
        return loss

    return add


def every_case() -> dict[str, Case]:
    """The cases of all modules, by name."""
    for module in MODULES:
        importlib.import_module(f"{__package__}.{module}")
    return importlib.import_module(f"{__package__}.against_hand").CASES  # type: ignore[no-any-return]


def seconds(function: Callable[..., Any], arguments: tuple[Any, ...], calls: int = 1) -> float:
    """Of the processor, for one call with arguments that it may write."""
    given = copy.deepcopy(arguments)
    begin = time.process_time()
    for _ in range(calls):
        function(*given)
    return (time.process_time() - begin) / calls


def measured(made: Case, rounds: int = ROUNDS) -> tuple[float, float, float]:
    """Seconds of the gradient; how many adjoints by hand, and how many functions, it costs."""
    gradient = made.gradient()
    turns = []
    for _ in range(rounds + 2):
        three = gradient, made.by_hand, made.loss
        turns.append([seconds(f, made.arguments, made.calls) for f in three])
    turns = turns[2:]
    own = statistics.median(turn[0] for turn in turns)
    hand, loss = (statistics.median(turn[0] / turn[k] for turn in turns) for k in (1, 2))
    return own, hand, loss


def main(names: list[str]) -> None:
    """Print the table of the cases that are named, of all if none is."""
    cases = every_case()
    print(f"{'':18}{'ms':>9}{'/ by hand':>12}{'/ function':>12}")
    for name in names or cases:
        own, hand, loss = measured(cases[name])
        print(f"{name:18}{1e3 * own:9.4f}{hand:12.2f}{loss:12.2f}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
