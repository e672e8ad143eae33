"""``tangentlite bench FILE.py:function``: what a derivative costs, beside the function itself.

In: the function's name, example arguments.
Out: the median time of a call of the function, of its gradient, of its tangent.
Next: nothing.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from tangentlite.cli import examples, target

EXAMPLES = """\
examples:
  tangentlite bench model.py:loss --args "(np.ones(1000), 2.0)"
  tangentlite bench model.py:loss --at points --wrt w --json
"""
ENOUGH = 2e-3  # seconds of one measurement
Call = Callable[..., Any]


def add(commands: Any) -> None:
    """Add the command to the parser's."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "bench",
        help="time a function and its derivatives",
        description="Time a function, its gradient (reverse mode) and its tangent (forward mode), turn by turn; "
        "medians are told. Compiling is told apart.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    target.describe(parser)
    examples.describe(parser)
    parser.add_argument("--rounds", type=int, default=20, help="measurements of each (20)")
    parser.add_argument("--json", action="store_true", help="seconds, as JSON")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Time at each example."""
    from tangentlite.check.subject import Subject

    function, module = target.found(options.target)
    every = []
    wrt = None if options.wrt is None else target.wrt(options.wrt)
    for example in examples.given(options, function, module):
        subject = Subject(function, example.args, example.kwargs, wrt)
        every.append(_measured(subject, max(1, options.rounds)))
        if not options.json:
            _show(every[-1])
    if options.json:
        print(json.dumps(every[0] if len(every) == 1 else every, indent=2))
    return 0


def _measured(subject: Any, rounds: int) -> dict[str, Any]:
    """Median seconds of a call of each, after a first call that compiles."""
    from tangentlite.check.subject import quiet
    from tangentlite.progress import Progress

    result = subject.untouched()
    with quiet(), Progress(f"timing {subject.name}") as progress:
        first, calls = {}, {}
        for name, make in _kinds(subject, result).items():
            progress(f"{name}, first call")
            began = time.perf_counter()
            calls[name] = make()
            _timed(subject, calls[name], 1)
            first[name] = time.perf_counter() - began
        count = {n: _count(_timed(subject, call, 1)) for n, call in calls.items()}
        times: dict[str, list[float]] = {name: [] for name in calls}
        for k in range(rounds):
            progress(f"round {k + 1} of {rounds}")
            for name, call in calls.items():
                times[name].append(_timed(subject, call, count[name]) / count[name])
    medians = {name: statistics.median(found) for name, found in times.items()}
    return {"function": subject.name, "seconds": medians, "first": first}


def _count(once: float) -> int:
    """How many calls make a measurement."""
    return min(1000, max(1, int(ENOUGH / max(once, 1e-9))))


def _timed(subject: Any, call: Call, count: int) -> float:
    """Seconds of some calls, each with arguments of its own: a function may write into them."""
    given = [subject.fresh(subject.at)[1:] for _ in range(count)]
    began = time.perf_counter()
    for args, kwargs in given:
        call(*args, **kwargs)
    return time.perf_counter() - began


def _kinds(subject: Any, result: Any) -> dict[str, Callable[[], Call]]:
    """What is timed, each made by a call that compiles it."""
    import tangentlite as tl
    from tangentlite.check.nests import Space

    function, wrt, space = subject.function, subject.wrt, Space(result)
    seed = space.adjoint(np.ones(space.size))
    tangent = tuple(subject.space.tangent(np.ones(subject.space.size)).values())

    def gradient() -> Call:
        if isinstance(result, float):
            return tl.grad(function, wrt=wrt)  # type: ignore[no-any-return]
        pull = tl.vjp(function, wrt=wrt)
        return lambda *args, **kwargs: pull(*args, **kwargs)[1](seed)

    def pushed() -> Call:
        push = tl.jvp(function, wrt=wrt)
        return lambda *args, **kwargs: push(*args, **kwargs, tangent=tangent)

    return {"function": lambda: function, "gradient": gradient, "tangent": pushed}


def _show(measured: dict[str, Any]) -> None:
    seconds, first = measured["seconds"], measured["first"]
    print(f"{measured['function']}: median time of a call")
    for name, told in seconds.items():
        times = f"{told / seconds['function']:7.2f} times" if name != "function" else ""
        compiled = f"   compiled in {_short(first[name])}" if name != "function" else ""
        print(f"  {name:10} {_short(told):>10} {times}{compiled}")


def _short(seconds: float) -> str:
    """
    >>> _short(1.5e-6), _short(2.25)
    ('1.50 µs', '2.25 s')
    """
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.2f} {unit}"
    return f"{seconds / 1e-9:.0f} ns"
