"""The gradients of a workload in turns: seconds of the processor, and ratios to the gradient by hand.

In: the module of a workload, a size, the names of peers.
Out: ``Row``s: what each needs, or why it needs nothing.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from tests.bench import peers

TURN = 0.004  # seconds that a turn lasts, if one call takes less
ROUNDS, PATIENCE = 21, 4.0  # seconds for all turns of one contestant
BY_HAND, OWN, PRIMAL = "by hand", "tangentlite", "the function"


@dataclass
class Row:
    """``first``: seconds of the first call, compiling included; ``why``: it has no time, for this reason."""

    name: str
    seconds: float = float("nan")
    ratio: float = float("nan")
    first: float = float("nan")
    why: str = ""


@dataclass
class Contestant:
    row: Row
    call: Callable[..., Any]
    args: tuple[Any, ...] = ()
    calls: int = 1
    rounds: int = ROUNDS


def compare(work: Any, size: int, names: Iterable[str]) -> list[Row]:
    """A row for the gradient by hand, one for ours, one for the function, and one for each peer."""
    expected = arrays(work.by_hand(*work.arguments(size)))
    makers = {BY_HAND: peers.by_hand, OWN: peers.compiled}
    makers |= {name: peers.PEERS[name][1] for name in names}
    entered = [
        _entered(name, make, work, work.arguments(size), expected) for name, make in makers.items()
    ]
    running = [c for c in entered if not c.row.why]
    running.append(_timed(Contestant(Row(PRIMAL), unharmed(work.loss), work.arguments(size))))
    _turns(running)
    return [c.row for c in entered] + [running[-1].row]


def unharmed(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function with copies of its arrays, which it may write, as derivatives make them."""

    def with_copies(*args: Any) -> Any:
        return function(*(a.copy() if isinstance(a, np.ndarray) else a for a in args))

    return with_copies


def arrays(result: Any) -> list[Any]:
    """The gradients, whatever array each peer makes."""
    parts = result if isinstance(result, (tuple, list)) else (result,)
    return [np.asarray(p, float) for p in parts]


def _entered(name: str, make: Any, work: Any, args: Any, expected: list[Any]) -> Contestant:
    row = Row(name)
    module = peers.PEERS[name][0] if name in peers.PEERS else "numpy"
    if not peers.installed(module):
        row.why = "not installed"
        return Contestant(row, print)
    try:
        begin = time.perf_counter()
        call = make(work)
        found = arrays(call(*args))
        row.first = time.perf_counter() - begin
    except peers.LeftOut:
        row.why = "left out"
        return Contestant(row, print)
    except Exception as fault:  # a peer may refuse in any way
        row.why = f"refused ({type(fault).__name__})"
        return Contestant(row, print)
    same = len(found) == len(expected) and all(
        a.shape == b.shape and np.allclose(a, b, rtol=1e-6, atol=1e-8)
        for a, b in zip(found, expected)
    )
    if not same:
        row.why = "wrong"
        return Contestant(row, print)
    return _timed(Contestant(row, call, args))


def _timed(contestant: Contestant) -> Contestant:
    once = min(_seconds(contestant.call, contestant.args, 1) for _ in range(2))
    contestant.calls = max(1, int(TURN / max(once, 1e-8)))
    turn = once * contestant.calls
    contestant.rounds = max(2, min(ROUNDS, int(PATIENCE / max(turn, 1e-8))))
    return contestant


def _seconds(call: Callable[..., Any], args: Any, calls: int) -> float:
    begin = time.process_time()
    for _ in range(calls):
        call(*args)
    return (time.process_time() - begin) / calls


def _turns(running: list[Contestant]) -> None:
    """Every round begins with the gradient by hand, to which the others of the round are compared."""
    times: dict[str, list[float]] = {c.row.name: [] for c in running}
    ratios: dict[str, list[float]] = {c.row.name: [] for c in running}
    for turn in range(ROUNDS):
        yardstick = 0.0
        for contestant in running:
            if turn >= contestant.rounds and contestant.row.name != BY_HAND:
                continue
            spent = _seconds(contestant.call, contestant.args, contestant.calls)
            yardstick = spent if contestant.row.name == BY_HAND else yardstick
            times[contestant.row.name].append(spent)
            ratios[contestant.row.name].append(spent / yardstick)
    for contestant in running:
        contestant.row.seconds = statistics.median(times[contestant.row.name])
        contestant.row.ratio = statistics.median(ratios[contestant.row.name])
