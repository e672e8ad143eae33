"""Random programs on slices: Numba's gradient is NumPy's."""

from __future__ import annotations

import copy
import linecache
import random
from typing import Any

import numpy as np
import pytest

import tangentlite as tl

numba = pytest.importorskip(
    "numba", reason="Numba is not installed: pip install tangentlite[numba]"
)
SLICES = {  # of five elements, that many are left
    5: (":", "::-1", "..."),
    4: ("1:", ":-1", ":4", "-4:"),
    3: ("1:-1", "2:", ":-2", "::2", "1:4", "-3:", "::-2"),
}


def subscripted(rng: random.Random, count: int, rank: int) -> str:
    """An index of a line of five, or of a plane of four by five, that leaves ``count`` elements."""
    part = rng.choice(SLICES[count])
    if rank == 1 or part == "...":
        return (
            part if rank == 1 else rng.choice([f"{rng.randrange(4)}, :", f"-{rng.randrange(1, 5)}"])
        )
    return f"{rng.choice(['k', '0', '-1', '2', '(k + 1) % 4'])}, {part}"


def element(rng: random.Random, names: dict[str, int], count: int) -> str:
    name = rng.choice(list(names))
    index = subscripted(rng, count, names[name])
    if count < 5 and names[name] == 2 and "," not in index:
        index = f"1, {SLICES[count][0]}"
    return f"{name}[{index}]"


def expression(rng: random.Random, names: dict[str, int], count: int) -> str:
    one, two = (element(rng, names, count) for _ in range(2))
    forms = (
        f"0.5 * {one} - {two}",
        f"np.sin({one}) * s + {two}",
        f"{one} * {two}",
        f"-{one} / (2.0 + {two} * {two})",
        f"{one}",
        "0.25 * s",
        f"np.mean({one}) + {two} ** 2",
    )
    return rng.choice(forms)


def statements(rng: random.Random) -> list[str]:
    names, lines = {"x": 1, "y": 1, "p": 2}, []
    if rng.random() < 0.5:
        lines.append(f"z = {rng.choice(['x.copy()', 'np.zeros(5)', 'y * 1.0', 'x[::-1]', 'p[2]'])}")
        names["z"] = 1
    for _ in range(rng.randrange(2, 6)):
        count = rng.choice([3, 3, 4, 5])
        place = element(rng, names, count)
        op = rng.choice(["=", "+=", "+=", "-=", "*="])
        lines.append(f"{place} {op} {expression(rng, names, count)}")
    if rng.random() < 0.6:
        at = rng.randrange(len(lines) // 2, len(lines))
        first = 1 if "z" in names else 0
        at = max(at, first)
        head = rng.choice(
            ["for k in range(3):", "for k in range(2, -1, -1):", "for k in range(s > 9):"]
        )
        lines = [*lines[:at], head, *("    " + line for line in lines[at:])]
    return lines


def program(seed: int) -> Any:
    lines = ["k = 1", *statements(random.Random(seed))]
    text = "def program(x, y, p, s, w):\n" + "\n".join("    " + line for line in lines)
    text += "\n    return np.sum(x * w[0]) + np.sum(y * w[1]) + np.sum(p * w)\n"
    file = f"<random {seed}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    names: dict[str, Any] = {"np": np}
    exec(compile(text, file, "exec"), names)
    return names["program"], text


def judged(seed: int) -> str:
    """What became of a program: "right" or "refused"; AssertionError if the gradient is another."""
    function, text = program(seed)
    rng = np.random.default_rng(seed)
    args = (
        rng.normal(size=5),
        rng.normal(size=5),
        rng.normal(size=(4, 5)),
        0.7,
        rng.normal(size=(4, 5)),
    )
    wrt = (0, 1, 2, 3)
    expected = tl.grad(function, wrt=wrt)(*copy.deepcopy(args))
    try:
        found = tl.grad(function, wrt=wrt, compile="numba")(*copy.deepcopy(args))
    except tl.DerivativeError:
        return "refused"
    for mine, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(mine, other, rtol=1e-9, atol=1e-10, err_msg=text)
    return "right"


@pytest.mark.slow
def test_random_programs() -> None:
    told = [judged(seed) for seed in range(60)]
    assert told.count("right") > 30, told
