"""The short forms of the runtime in exported files: the same as the full ones, and only where they are right."""

from __future__ import annotations

import ast
import inspect
import itertools
import pkgutil
from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tangentlite import runtime as rt
from tangentlite.exporting import folding, inlined, lean, plainness, source
from tangentlite.exporting.gathering import RT
from tangentlite.exporting.inlined import Inlined
from tangentlite.exporting.pieces import GENERATED, Piece
from tangentlite.runtime.memory import arrays
from tangentlite.runtime.zero import INERT, ZERO

FLOATS = [np.float16, np.float32, np.float64, np.longdouble]
FROZEN = np.arange(1.0, 4.0)
FROZEN.flags.writeable = False
CUBE = np.arange(1.0, 25.0).reshape(2, 3, 4)
REALS: list[Any] = [
    *(2.5, -0.0, 3, True, np.int64(4), np.int8(3), np.bool_(True), float("nan"), float("inf")),
    *(kind(1.5) for kind in FLOATS),
    *(np.array(2.5, kind) for kind in FLOATS),
    *(np.array([1.5, -0.0, 3.0], kind) for kind in FLOATS),
    *(
        np.array(3),
        np.array([1, 2, 3]),
        np.array([1, 2, 3], np.uint8),
        np.array([True, False, True]),
    ),
    *(np.array([]), np.zeros((0, 3)), np.zeros((3, 0)), np.array([[2.5]]), np.array([7.0])),
    *(CUBE, CUBE[0], CUBE[0].T, CUBE[:, ::2], CUBE[..., 0], np.asfortranarray(CUBE[1]), FROZEN),
    *(CUBE[:, :1], CUBE[:1], CUBE[:, :, :1], CUBE[:1, :, :1], CUBE[0, :, :1], CUBE.astype(">f8")),
]
COMPLEX: list[Any] = [
    *(1.0 + 2.0j, np.complex64(1 - 1j), np.array(2j), np.array([1j, 2.0, -1j])),
    *(CUBE * 1j, CUBE[:, :1] * (1 + 1j)),
]
ALL = [*REALS, *COMPLEX]
FOREIGN: list[Any] = [[1.0], (1.0,), {"a": 1.0}, "a", len, object(), 1j, np.complex128(1j)]
FOREIGN += [np.ones(2) * 1j, np.array(["a"]), np.array([None]), np.ma.masked_array([1.0])]
FOREIGN += [np.timedelta64(1, "D"), np.array([1], "m8[D]")]


def shape(x: Any) -> tuple[int, ...]:
    return np.shape(x)


def grown(pairs: Iterable[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    """Those of which the first has the shape of a result to which the second is broadcast."""
    found = []
    for b, x in pairs:
        try:
            whole = np.broadcast_shapes(shape(b), shape(x))
        except ValueError:
            continue
        found += [(b, x)] if whole == shape(b) else []
    return found


PAIRS = list(itertools.product(ALL, ALL))
DOWN = grown(PAIRS)
SAME = [(a, b) for a, b in PAIRS if shape(a) == shape(b)]
SCALARS = [x for x in ALL if shape(x) == ()]
AXES = [None, 0, -1, 1, (0,), (0, -1), (), np.int64(0)]


def reductions() -> list[tuple[Any, ...]]:
    """Adjoints of sums, with what was summed, along axes."""
    found: list[tuple[Any, ...]] = []
    for x, axis, keep in itertools.product(ALL, AXES, (False, True)):
        try:
            total = np.sum(x, axis=axis, keepdims=keep)  # type: ignore[call-overload]
        except (ValueError, TypeError):
            continue
        found.append((total, x, axis, keep))
        found += [(b, x, axis, keep) for b in (2, 1.5, 1j) if shape(total) == ()]
    return found


INDICES: list[Any] = [0, -1, np.int64(1), slice(0, 2), slice(None, None, -1), ..., [0, 0, 1]]
INDICES += [np.array([True, False, True]), [True, False, True], (slice(None), np.newaxis)]
INDICES += [np.array([1, 1]), True, np.array(1), (np.array([0, 0]),)]


def additions() -> list[tuple[Any, ...]]:
    """Buffers, indices and what fits there."""
    found: list[tuple[Any, ...]] = [(bx, ..., e) for bx in (1.0, np.float32(2)) for e in SCALARS]
    for kind in (np.float32, np.float64, np.complex128):
        for shape, i in itertools.product(((3,), (3, 2)), INDICES):
            part = np.ones(shape, kind)[i]
            found += [(np.ones(shape, kind), i, e) for e in (2, 0.1, 1j, part * 0.3, part * 1j)]
    found += [(np.zeros(()), ..., e) for e in (2.0, np.array(1.5))]
    return found


def kept_cases() -> list[tuple[Any, ...]]:
    found = [c for c in reductions() if not isinstance(c[0], int | float | complex)]
    return [c for c in found if shape(c[1]) or c[2] is None]


FACTORS = [
    (np.ones(m), np.ones(n))
    for m, n in [
        ((3,), (3,)),
        ((2, 3), (3,)),
        ((3,), (3, 2)),
        ((2, 3), (3, 4)),
        ((5, 2, 3), (3, 4)),
    ]
    + [
        ((2, 3), (5, 3, 4)),
        ((3,), (5, 3, 2)),
        ((5, 2, 3), (3,)),
        ((1, 2, 3), (5, 3, 4)),
        ((0, 3), (3, 2)),
    ]
]
KINDS = list(itertools.product((np.float32, np.float64, np.complex128), repeat=3))


def products(product: Any) -> list[tuple[Any, ...]]:
    """The adjoint of a product, and both factors, of all types."""
    found = []
    for (x, y), (one, two, three) in itertools.product(FACTORS, KINDS):
        try:
            z = np.asarray(product(x, y))
        except ValueError:
            continue
        left, right = np.arange(1.0, x.size + 1), np.arange(2.0, y.size + 2)
        b = np.cos(np.arange(float(z.size))).reshape(z.shape).astype(one)[()]
        found.append((b, left.reshape(x.shape).astype(two), right.reshape(y.shape).astype(three)))
    return found


ARGUMENTS: dict[str, list[tuple[Any, ...]]] = {
    "is_array": [(x,) for x in ALL],
    "continuous": [(np.asarray(x).dtype,) for x in ALL],
    "shape": [(x,) for x in ALL],
    "numbers": [*((x,) for x in [*ALL, *FOREIGN, None]), (), (1.0, None, CUBE, [1.0])],
    "seed": [*PAIRS, *((b, y, True) for b, y in SAME)]
    + [([1, 2.0], np.ones(2)), ((1, 2), np.ones(2)), ([1.0], 2.0), ([], 1.0)],
    "tangent": [*PAIRS, ([1, 2, 3], FROZEN), ([1.0], FROZEN)],
    "unbroadcast": [*DOWN, *((x, None) for x in SCALARS)],
    "unbroadcast_product": [(b, np.ones_like(b), x) for b, x in DOWN if np.ndim(b) != 1],
    "like": [*DOWN, *((b, x) for b in SCALARS for x in ALL), (1.0, None)],
    "spread": [(b, x) for b in SCALARS for x in ALL],
    "dot": [(b, np.ones_like(b)) for b, _ in DOWN],
    "unreduce_product": [
        (np.ones((3, 4)), np.ones((3, 2, 1)), np.full((2, 4), 0.5), 1),
        (np.ones(4), np.ones((2, 1)), np.full((2, 4), 0.5), 0),
        (2.0, np.ones((2, 1)), np.full((2, 4), 0.5), (0, 1)),
        (
            np.ones((3, 4), np.float32),
            np.ones((3, 2, 1), np.float32),
            np.ones((2, 4), np.float32),
            1,
        ),
    ],
    "unreduce": reductions(),
    "kept": kept_cases(),
    "distinct": [((FROZEN, FROZEN, 1.0, 1.0, CUBE),), ((),), ((2.0, np.float32(1)),)],
    "zeros": [(x,) for x in ALL],
    "add_at": additions(),
    "matmul_left": products(np.matmul),
    "matmul_right": products(np.matmul),
}
BOTH = [(b, d) for b, d in PAIRS if shape(b) == shape(d) or () in (shape(b), shape(d))]
SPECIAL = np.array([0.0, np.inf, -np.inf, np.nan, 1.0])
BOTH += [
    (b, d) for b in (0.0, 1.0, SPECIAL, SPECIAL[::-1].copy(), np.zeros(5)) for d in (0.0, SPECIAL)
]
POSITIVE = [(b, d) for b, d in BOTH if np.isrealobj(b) and np.isrealobj(d)]
FOLDED: dict[str, list[tuple[Any, ...]]] = {
    **dict.fromkeys(("times", "cancel", "quotient", "ratio"), BOTH),
    **dict.fromkeys(("power", "dpower_dx", "wins"), POSITIVE),
    **{"log_or_zero": [(x,) for x in REALS], "direction": [(x,) for x in ALL]},
    "complex_log": [(x,) for x in ALL],
    **dict.fromkeys(("rise", "fall", "surplus_slope", "bell"), [(x,) for x in REALS]),
    **dict.fromkeys(("exp_share", "sure"), POSITIVE),
    "exp_shared": [(2.0, x, np.exp(x), np.sum(np.exp(x))) for x in REALS if np.ndim(x)]
    + [(np.ones(np.sum(CUBE, 1).shape), CUBE, np.exp(CUBE), np.sum(np.exp(CUBE), 1), 1)],
    "exp_shares": [(x, np.exp(x), np.sum(np.exp(x))) for x in REALS if np.ndim(x)]
    + [(CUBE, np.exp(CUBE), np.sum(np.exp(CUBE), 1), 1)],
    "count": [(x, axis, keep) for _, x, axis, keep in reductions()],
    "broadcast": [(d, x) for x, d in DOWN],
    "weighted": [
        (s, t, x) for s in (2.0, np.float32(0.5), 1j) for t, x in BOTH if shape(t) == shape(x)
    ],
    "dot_left": products(np.dot),
    "dot_right": products(np.dot),
    "dot_both": [(b, x) for b, x, y in products(np.dot) if shape(x) == shape(y)],
    "matmul_both": [(b, x) for b, x, y in products(np.matmul) if shape(x) == shape(y)],
    "real_only": [(x,) for x in ALL],
    "shares": [(x, np.max(x)) for x in REALS if np.size(x)] + [(CUBE, np.max(CUBE, 1), 1)],
    "summed": [(b, e, x) for b, x in SAME if shape(x) for e in (0.5, b) if np.isrealobj(b)],
    "outer_left": products(np.outer),
    "outer_right": products(np.outer),
    **dict.fromkeys(("mT", "mH"), [(CUBE,), (CUBE[0],), (CUBE * 1j,)]),
    **dict.fromkeys(("columns", "uncolumns"), [(CUBE, CUBE), (FROZEN, FROZEN), (CUBE[0], FROZEN)]),
}


def outcome(function: Any, args: tuple[Any, ...]) -> Any:
    """What a call gives, with what it made of its first argument, or how it ends."""
    first = args[0].copy() if args and type(args[0]) is np.ndarray else None
    args = args if first is None else (first, *args[1:])
    try:
        with np.errstate(all="ignore"):
            return function(*args), first
    except (TypeError, ValueError, IndexError) as fault:
        return fault, first


def told(value: Any) -> Any:
    """The type, the bits, and who owns them."""
    if isinstance(value, tuple):
        return [told(part) for part in value]
    if isinstance(value, np.ndarray | np.generic):
        numbers = np.asarray(value)
        clean = (
            numbers
            if numbers.dtype.kind not in "fc"
            else np.where(numbers == numbers, numbers, np.nan)
        )
        return (
            type(value),
            numbers.dtype,
            numbers.shape,
            clean.astype(numbers.dtype).tolist().__repr__(),
        )
    return type(value), repr(value)


def alike(short: Any, full: Any) -> bool:
    if isinstance(full, Exception):
        usual = "got" not in str(full) or str(short) == str(full)
        return isinstance(short, TypeError if isinstance(full, TypeError) else type(full)) and usual
    same = type(short) is type(full) is float and short == full  # noughts of either sign
    return same or bool(told(short) == told(full)) or last_digits(short, full)


def last_digits(short: Any, full: Any) -> bool:
    """Whether arrays differ only as sums do that are added in another order."""
    if not (type(short) is type(full) is np.ndarray and short.dtype == full.dtype == np.float64):
        return False
    return short.shape == full.shape and np.allclose(short, full, rtol=1e-15, equal_nan=True)


def short_form(name: str) -> Any:
    """A function of the runtime as files hold it, with what it calls."""
    found = Inlined(lean=True)
    found.add((lean.__name__, name)) if name in ARGUMENTS else found.named(name)
    scope: dict[str, Any] = {}
    for key, one in found.imports.items():
        names = {n for p in found.pieces.values() for n, k in p.means.items() if k == key}
        for bound in names:
            exec(one.text(bound), scope)
    for piece in sorted(found.pieces.values(), key=lambda piece: piece.order):
        exec(piece.text, scope)
    assert found.is_lean()
    return scope[name]


def test_every_short_form_is_compared() -> None:
    own = {
        n for n, f in vars(lean).items() if inspect.isfunction(f) and f.__module__ == lean.__name__
    }
    assert own == set(ARGUMENTS)
    assert own | set(FOLDED) >= plainness.GIVING
    assert not own & set(FOLDED)


@pytest.mark.parametrize("module", sorted(m.name for m in pkgutil.iter_modules(rt.__path__)))
def test_every_definition_of_the_runtime_can_be_folded(module: str) -> None:
    for statement in inlined.source(f"{rt.__name__}.{module}").defined.values():
        text = folding.folded(ast.unparse(statement))
        compile(text, module, "exec")
        asked = [n.comparators[0] for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Compare)]
        assert not any(isinstance(a, ast.Name) and a.id in ("ZERO", "INERT") for a in asked)


@pytest.mark.parametrize("name", [*ARGUMENTS, *FOLDED])
def test_the_short_form_gives_the_same(name: str) -> None:
    full, cases = getattr(rt, name, None) or getattr(arrays, name), {**ARGUMENTS, **FOLDED}[name]
    short = short_form(name)
    assert len(cases) > 2
    for args in cases:
        (expected, changed), (found, also) = outcome(full, args), outcome(short, args)
        assert expected is not ZERO and expected is not INERT, args
        assert alike(found, expected), (args, expected, found)
        assert alike(also, changed), args


@pytest.mark.parametrize("name", ["like", "seed", "spread", "zeros", "add_at"])
def test_results_are_memory_of_their_own(name: str) -> None:
    for args in ARGUMENTS[name]:
        found, first = outcome(getattr(lean, name), args)
        arrays_given = [a for a in args[1:] if isinstance(a, np.ndarray)]
        if isinstance(found, np.ndarray):
            assert found.flags.writeable, args
            assert not any(np.shares_memory(found, a) for a in arrays_given), args
            assert found is first or first is None or not np.shares_memory(found, first), args


def test_an_array_that_is_given_twice_is_copied() -> None:
    one, two, three = lean.distinct((FROZEN, FROZEN, CUBE))
    assert one is FROZEN
    assert three is CUBE
    assert not np.shares_memory(one, two)


def test_the_zero_of_files_vanishes_in_sums_and_is_zero_at_the_end() -> None:
    for x in ALL:
        for kind in (lean.ZERO + x, x + lean.ZERO):
            assert alike(kind, x)
        assert alike(lean.like(lean.ZERO, x), rt.like(ZERO, x))


RATE = 0.25
STEPS = np.linspace(0.0, 1.0, 5)
WEIGHTS = [1.0, 2.0]


def sine(x):
    return np.sin(x)


def loop(x, n):
    y = x
    for i in range(n):
        y = np.sin(y) * x * STEPS[i] + RATE
    return y


def network(w, b, x):
    return np.mean((np.tanh(x @ w + b) - RATE) ** 2)


def of_a_list(x, i):
    y = [x, x * x]
    return y[i] * x


def of_a_list_outside(x):
    return np.sum(np.multiply(WEIGHTS, x))


def of_stores(x):
    y = x * 1.0
    y[0] = 2.0
    return np.sum(y * x)


def of_nothing(x, n):
    y = 0.0
    for _ in range(n):
        y = y + x
    return y * y


def of_a_helper(x):
    return loop(x, 2) * x


@pytest.mark.parametrize(("function", "most"), [(sine, 120), (loop, 160), (network, 220)])
def test_files_are_short(function: Any, most: int) -> None:
    text = source(function, "-")
    assert len(text.splitlines()) < most
    for heavy in ("InertGrad", "Closure", "dataclasses", "inspect", "PersistentArray", "Any"):
        assert heavy not in text


def test_a_function_of_numpy_keeps_its_name() -> None:
    text = source(tl.grad(np.sin), "-")
    assert "    y = np.sin(x)\n" in text
    assert "    # Grad of: return np.sin(x)\n" in text
    assert "import sin as" not in text


@pytest.mark.parametrize("function", [of_a_list, of_stores, of_a_helper])
def test_what_may_be_more_than_numbers_has_the_whole_runtime(function: Any) -> None:
    assert "class InertGrad" in source(function, "-") or "class Closure" in source(function, "-")


@pytest.mark.parametrize(
    ("function", "calls"),
    [
        (sine, [(x,) for x in REALS]),
        (loop, [(x, n) for x in REALS for n in (0, 1, 4)]),
        (of_nothing, [(x, n) for x in SCALARS if np.isrealobj(x) for n in (0, 3)]),
        (of_a_list_outside, [(2.0,), (np.ones(2),), (np.ones((3, 2)),)]),
        (network, [(CUBE[0].T, 0.5, CUBE), (np.ones((4, 2), np.float32), np.ones(2), CUBE[0])]),
    ],
)
def test_files_give_what_derivatives_give(function: Any, calls: list[tuple[Any, ...]]) -> None:
    made = tl.grad(function)
    scope: dict[str, Any] = {"__name__": "file"}
    exec(source(made, "-"), scope)
    for args in calls:
        (expected, _), (found, _) = outcome(made, args), outcome(scope[scope["__all__"][0]], args)
        assert alike(found, expected), args


def judged(text: str) -> bool:
    """Whether a derivative is given numbers and arrays only."""
    means = {"rt": RT, "np": ("numpy", None), "math": ("math", None)}
    return plainness.is_plain(Piece(GENERATED, "f", text, means), RT, set(), {"x", "n"})


PLAIN = """
rt.numbers(x); return rt.like(by * np.cos(x), x)
rt.numbers(x); bx = rt.ZERO; bx = bx + by; return rt.like(bx, x)
rt.numbers(x); a, b = x, x; return rt.unbroadcast(b, a[0])
rt.numbers(x); tape = []; tape.append((x, n)); y, m = tape.pop(); return rt.zeros(y)
rt.numbers(x); bx = rt.ZERO; bx += x; return rt.like(bx, x)
rt.numbers(x); return rt.kept(x, x, (0, -1), True)
return n.append(x)
"""
OTHERS = """
return rt.like(by * np.cos(x), x)
rt.numbers(n); return rt.like(by, x)
n and rt.numbers(x); return rt.like(by, x)
rt.numbers(x); bx = rt.ZERO; bx = bx * by; return bx
rt.numbers(x); bx = rt.ZERO; bx *= by; return bx
rt.numbers(x); bx = rt.ZERO; bx = g(bx); return bx
rt.numbers(x); bx = rt.ZERO; bx = bx * by; return rt.like(bx, x)
rt.numbers(x); bx = rt.ZERO; return bx
rt.numbers(x); bx = rt.ZERO; tape.append(bx)
rt.numbers(x); bx = rt.ZERO; return np.sin(bx)
rt.numbers(x); y = [x]; return rt.zeros(y)
rt.numbers(x); y = (x, x); return rt.unbroadcast(by, y)
rt.numbers(x); x = n; return rt.zeros(x)
rt.numbers(x); a, b = n; return rt.zeros(a)
rt.numbers(x); a, *b = x, x; return rt.zeros(b)
rt.numbers(x); tape = []; tape.append((x, n)); y, m = tape.pop(); return rt.zeros(m)
rt.numbers(x); tape = [n]; tape.append(x); y = tape.pop(); return rt.zeros(y)
rt.numbers(x); tape = []; tape.append(x); g(tape); y = tape.pop(); return rt.zeros(y)
rt.numbers(x); return map(rt.zeros, x)
rt.numbers(x); return rt.zeros(**x)
rt.numbers(x); return rt.zeros(np.array(x, dtype=n))
rt.numbers(x); return rt.zeros(np.modf(x))
rt.numbers(x); return rt.zeros(math.frexp(x))
rt.numbers(x); return rt.zeros(g(x))
rt.numbers(x); return rt.zeros(x.tolist())
rt.numbers(x); return rt.zeros(x.shape)
rt.numbers(x); return rt.zeros(n[0])
rt.numbers(x); return rt.distinct(n)
rt.numbers(x); return rt.add_at(x, 0, x, like=x)
rt.numbers(x); return [rt.zeros(x) for x in n]
rt.numbers(x); g = lambda x: rt.zeros(x)
rt.numbers(x); y = rt.storage(x); return rt.like(y, x)
"""


@pytest.mark.parametrize("body", PLAIN.strip().split("\n"))
def test_numbers_and_arrays_are_seen(body: str) -> None:
    assert judged(f"def f(x, n, *, by=1.0):\n    {body}\n")


@pytest.mark.parametrize("body", OTHERS.strip().split("\n"))
def test_what_is_not_seen_is_no_number(body: str) -> None:
    assert not judged(f"def f(x, n, *, by=1.0):\n    {body}\n")
