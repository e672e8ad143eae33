"""The passes together: unoptimized statements before, the statements of the gallery after."""

from __future__ import annotations

import sys

import pytest

from tangentlite import ir, syntax
from tangentlite.optimize import improve, improve_block
from tangentlite.optimize.facts.scope import Scope
from tangentlite.optimize.samples import USER, function, sample_is_pure, text_of

BRANCHES = (
    """\
# Forward
if x > 0:
    t1 = x * 2.0
    y = t1
else:
    t2 = 0.1 * x
    y = t2
# Backward
bx = rt.ZERO
# Grad of: if x > 0:
if x > 0:
    # Grad of: y = x * 2.0
    bt1 = by
    bx = bx + bt1 * 2.0
else:
    # Grad of: y = 0.1 * x
    bt2 = by
    bx = bx + 0.1 * bt2
return bx
""",
    """\
# Grad of: if x > 0:
if x > 0:
    # Grad of: y = x * 2.0
    bx = by * 2.0
else:
    # Grad of: y = 0.1 * x
    bx = 0.1 * by
return bx
""",
)
LOOP = (
    """\
# Forward
tape = []
y = x
for i in range(n):
    tape.append((y, x))
    t1 = np.sin(y)
    t2 = t1 * x
    y = t2
# Backward
by = rt.seed(by, y)
bx = rt.ZERO
for i in reversed(range(n)):
    (y, x_1) = tape.pop()
    # Grad of: y = np.sin(y) * x
    bt2 = by
    bt1 = rt.unbroadcast(bt2 * x, y)
    bx = bx + rt.unbroadcast(bt2 * np.sin(y), x)
    by = bt1 * np.cos(y)
bx = bx + by
return rt.like(bx, x)
""",
    """\
# Forward
tape = []
y = x
for i in range(n):
    tape.append(y)
    y = np.sin(y) * x
# Backward
by = rt.seed(by, y)
bx = rt.ZERO
for i in reversed(range(n)):
    y = tape.pop()
    # Grad of: y = np.sin(y) * x
    bx = bx + rt.unbroadcast(by * np.sin(y), x)
    by = rt.unbroadcast(by * x, y) * np.cos(y)
bx = bx + by
return rt.like(bx, x)
""",
)
CONSTANT_LOOP = (
    """\
# Forward
n_1 = 0
while x < 10000.0:
    t1 = x + 1
    x = t1
    n_1 = n_1 + 1
# Backward
bx = by
for i_1 in range(n_1):
    # Grad of: x = x + 1
    bt1 = bx
    bx = bt1
return bx
""",
    "return by\n",
)
STENCIL = (
    """\
for i in reversed(range(1, n)):
    # Grad of: B[1:-1] = (A[:-2] + A[1:-1] + A[2:]) / 3
    t1 = bB[1:-1] / 3
    bB[1:-1] = 0.0
    bt2 = t1
    bA[2:] += bt2
    bt3 = bt2
    bA[1:-1] += bt3
    bA[:-2] += bt3
""",
    """\
for i in reversed(range(1, n)):
    # Grad of: B[1:-1] = (A[:-2] + A[1:-1] + A[2:]) / 3
    t1 = bB[1:-1] / 3
    bB[1:-1] = 0.0
    bA[2:] += t1
    bA[1:-1] += t1
    bA[:-2] += t1
""",
)
PARAMS = ("x", "n", "by", "bA", "bB")


def improved(text: str) -> str:
    sample = function(text, PARAMS)
    scope = Scope(sample, USER - {"by", "bA", "bB"}, sample_is_pure)
    return text_of(improve_block(sample.body, scope)) + "\n"


@pytest.mark.parametrize(
    "before, after",
    [BRANCHES, LOOP, CONSTANT_LOOP, STENCIL],
    ids=["branches", "loop", "constant loop", "stencil"],
)
def test_gallery(before: str, after: str) -> None:
    assert improved(before) == after


CASES = {
    "a saved version is kept while the name is bound again": (
        "x_1 = x\nx = np.sin(x)\nbx = by * np.cos(x_1) * x\nreturn bx",
        "x_1 = x\nx = np.sin(x)\nbx = by * np.cos(x_1) * x\nreturn bx",
    ),
    "a read before a store stays before it": (
        "t1 = bA[0] * 2.0\nbA[0] = 0.0\nbx = t1\nreturn bx",
        "t1 = bA[0] * 2.0\nbA[0] = 0.0\nbx = t1\nreturn bx",
    ),
    "an operand is bound in between": (
        "t1 = x * 2.0\nx = np.sin(x)\nbx = by * t1 * x\nreturn bx",
        "t1 = x * 2.0\nx = np.sin(x)\nbx = by * t1 * x\nreturn bx",
    ),
    "a copy that is bound again is no copy": (
        "bx = by\nif n > 0:\n    bx = bx * x\nbx = bx + by\nreturn bx",
        "bx = by\nif n > 0:\n    bx = by * x\nbx = bx + by\nreturn bx",
    ),
    "parameters may overlap": (
        "t1 = bA[0] * 2.0\nbB[0] = 0.0\nbx = t1 + by\nreturn bx",
        "t1 = bA[0] * 2.0\nbB[0] = 0.0\nbx = t1 + by\nreturn bx",
    ),
    "unknown calls, raise and assert stay": (
        "t1 = unknown(x)\nassert n > 0\nif n > 3:\n    raise ValueError(n)\nreturn by",
        "t1 = unknown(x)\nassert n > 0\nif n > 3:\n    raise ValueError(n)\nreturn by",
    ),
    "nothing moves past an effect": (
        "y = x * 2.0\nt1 = by / y\nprint(n)\nbx = t1 * y\nreturn bx",
        "y = x * 2.0\nt1 = by / y\nprint(n)\nbx = t1 * y\nreturn bx",
    ),
    "not even what cannot be written to": (
        "y = x * 2.0\nt1 = 1.0 / y\nprint(n)\nbx = t1 * y\nreturn bx",
        "y = x * 2.0\nt1 = 1.0 / y\nprint(n)\nbx = t1 * y\nreturn bx",
    ),
    "nothing moves into a loop": (
        "t1 = np.sin(x)\nfor i in range(n):\n    y = t1 * y\nreturn y",
        "t1 = np.sin(x)\nfor i in range(n):\n    y = t1 * y\nreturn y",
    ),
    "nothing moves into the test of a while": (
        "t1 = np.sum(x)\nwhile y < t1:\n    y = y * 2.0\nreturn y",
        "t1 = np.sum(x)\nwhile y < t1:\n    y = y * 2.0\nreturn y",
    ),
    "an integer is not a float": ("bx = n * 1.0\nreturn bx", "bx = n * 1.0\nreturn bx"),
    "a copy stays a copy": ("bx = by * 1.0\nreturn bx", "bx = by * 1.0\nreturn bx"),
    "an empty branch turns the test round": (
        "if n > 0:\n    y = x\nelse:\n    bx = by\nreturn bx",
        "if not n > 0:\n    bx = by\nreturn bx",
    ),
    "a pop is needed if another one of its stack is": (
        "tape = []\ntape.append(x)\ntape.append(n)\nt1 = tape.pop()\nt2 = tape.pop()\nreturn t2 * by",
        "tape = []\ntape.append(x)\ntape.append(n)\nt1 = tape.pop()\nt2 = tape.pop()\nreturn t2 * by",
    ),
    "an adjoint of another group keeps its line": (
        "# Grad of: z = y\nbu = by * x\n# Grad of: y = x\nbx = bu * 2.0\nreturn bx",
        "# Grad of: z = y\nbu = by * x\n# Grad of: y = x\nbx = bu * 2.0\nreturn bx",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_cases(case: str) -> None:
    before, after = CASES[case]
    assert improved(before) == after + "\n"


def test_improve_maps_over_functions_and_keeps_the_rest() -> None:
    primal = function("return x", ("x",))
    backward = function("bx = by\nreturn bx", ("by",))
    derived = ir.Derived((backward, backward), primal, ir.Request(wrt=("x",)))
    better = improve(derived, sample_is_pure)
    assert [text_of(f.body) for f in better.functions] == ["return by"] * 2
    assert text_of(backward.body) == "bx = by\nreturn bx"
    assert better.primal is primal


def test_a_callee_that_says_so_is_pure() -> None:
    def helper() -> None: ...

    helper.__tangentlite_pure__ = True  # type: ignore[attr-defined]
    sample = function("t1 = helper(x)\nreturn by", names={"helper": helper})
    body = improve_block(sample.body, Scope(sample, USER, sample_is_pure))
    assert [syntax.unparse(statement) for statement in body] == ["return by"]


def test_work_grows_with_the_size_of_the_function() -> None:
    def calls(size: int) -> int:
        steps = [f"t{k + 1} = np.sin(t{k}) * x\ny_{k} = t{k + 1}" for k in range(size)]
        back = [f"bx = bx + by * np.cos(y_{k})" for k in reversed(range(size))]
        lines = ["t0 = x", *steps, "bx = rt.ZERO", *back, "return bx"]
        sample = function("\n".join(lines))
        count = 0

        def profile(*_: object) -> None:
            nonlocal count
            count += 1

        before = sys.getprofile()
        sys.setprofile(profile)
        try:
            improve_block(sample.body, Scope(sample, USER, sample_is_pure))
        finally:
            sys.setprofile(before)
        return count

    assert calls(400) < 2.3 * calls(200)
