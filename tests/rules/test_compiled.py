"""Every rule through the whole compiler: both modes, and both modes of the gradient."""

from __future__ import annotations

import linecache
import math
from collections import Counter
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tangentlite import rules
from tests.rules.compiled import Program, confirm
from tests.rules.test_rules import ELEMENTWISE, points
from tests.runtime.test_templates import CALLS, named

V, U = np.array([0.3, -1.2, 0.8]), np.array([0.7, 0.4, -0.9])
M = np.array([[0.5, -0.3, 1.1, 0.2], [0.9, 0.7, -0.8, 1.3], [0.1, -1.4, 0.6, -0.2]])
SMALL = np.array([1.0, 1.05, 0.95])
WIDE, TALL = np.array([[1.0, 1.05, 0.95], [0.9, 0.97, 1.1]]), np.array([[1.0], [0.98]])
# Elsewhere, or in no derivative: rt functions appear in the second order of the rules they serve.
PYTHON: list[tuple[Any, ...]] = [
    (sum, ([0.3, V, U],), {}),
    (sum, ([0.3, 0.7], 0.5), {}),
    (sum, (M,), {}),
    (math.fsum, ([0.3, 0.7, 1.2],), {}),
    (math.fsum, (V,), {}),
    (max, (0.3, 0.7), {}),
    (max, (0, 1.5, 1), {}),
    (min, (0.3, 0.7, 0.2), {}),
    (max, ([0.3, 0.7, 0.2],), {}),
    (min, (V,), {}),
    (math.lgamma, (-2.3,), {}),
    (math.gamma, (-1.7,), {}),
    (np.sinc, (np.array([0.0, 1.0, -1.0, 1e-9]),), {}),
    (np.max, (V,), {"initial": 0.1}),
    (np.max, (M,), {"initial": 0.1, "axis": 1}),
    (np.prod, (M,), {"initial": 1.7, "axis": 1}),
    (np.fft.fft, (V,), {}),
    (np.fft.ifft, (M,), {"axis": 0}),
    (np.fft.fft2, (M,), {}),
    (np.fft.ifft2, (M,), {}),
]


def chosen() -> list[tuple[Any, ...]]:
    """At most four calls of each primal, those of the runtime left out."""
    seen: Counter[str] = Counter()
    found = []
    for call in CALLS:
        name = rules.spelled(call[0])
        if not name.startswith("tangentlite") and seen[name] < 4:
            seen[name] += 1
            found.append(call)
    return found


def real(program: Program) -> Program:
    """The same program with the real part of its result, if that is complex."""
    if program.call.startswith(("np.fft.", "cmath.")):
        program.call = f"np.real({program.call} * (1.0 + 0.5j))"
    return program


def in_turns(values: list[Any]) -> list[Any]:
    """Of each three one is tested always; the others are slow."""
    slow = pytest.mark.slow
    return [pytest.param(v, marks=slow) if k % 3 else v for k, v in enumerate(values)]


@pytest.mark.parametrize("call", in_turns([*chosen(), *PYTHON]), ids=named)
def test_library(call: tuple[Any, ...]) -> None:
    program = real(Program(*call))
    if program.values:
        confirm(program)


@pytest.mark.parametrize("one", in_turns(ELEMENTWISE), ids=lambda one: one[1])
def test_elementwise(one: tuple[rules.Rule, str]) -> None:
    """Python floats, arrays, arrays against columns."""
    rule, name = one
    if name.startswith("tangentlite"):
        return
    for sample in points(rule):
        confirm(real(Program(rule.callee, sample, {})))
        floats = [k for k, v in enumerate(sample) if isinstance(v, float)]
        if name.startswith(("math.", "cmath.")) or name in ("max", "min"):
            continue
        confirm(Program(rule.callee, [_times(v, SMALL) for v in sample], {}))
        if len(floats) > 1:
            wide = [_times(v, WIDE if k == floats[0] else TALL) for k, v in enumerate(sample)]
            confirm(Program(rule.callee, wide, {}), second=False)


@pytest.mark.parametrize("shape", [(), (1,)])
@pytest.mark.parametrize("name", ["np.multiply", "np.divide", "np.power", "np.hypot", "np.maximum"])
def test_small_arrays(name: str, shape: tuple[int, ...]) -> None:
    rule = next(r for r, n in ELEMENTWISE if n == name)
    x, y = np.full(shape, 1.3), np.full(shape, 0.7)
    confirm(Program(rule.callee, [x, y], {}))
    confirm(Program(rule.callee, [x, 0.6], {}))
    confirm(Program(rule.callee, [1.4, y], {}))


def _times(v: Any, scale: np.ndarray) -> Any:
    return v * scale if isinstance(v, float) else v


A = np.array
C = A([1 + 2j, 0.3 - 1j, -0.5j])
CM = A([[1 + 0.2j, 0.3, 1j], [0.1j, 2.0, 1 - 1j], [0.4, -1j, 3.0]])


def written(body: str, *before: str) -> Any:
    """``def f(x): return body``, after the lines ``before``."""
    lines = "".join(f"    {line}\n" for line in (*before, f"return {body}"))
    text = f"def f(x):\n{lines}"
    name = f"<written {body} {len(linecache.cache)}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    space = {"np": np, "math": math, "V": V, "C": C, "CM": CM}
    exec(compile(text, name, "exec"), space)
    return space["f"]


KINKS: list[tuple[str, Any, Any, Any]] = [
    ("(np.sqrt(x) - 1.0)**2", 1.0, 0.0, 0.5),
    ("np.sum(np.where(x > 0, np.log(x), 0.0))", A([0.0, 2.0, -1.0]), [0, 0.5, 0], [0, -0.25, 0]),
    (
        "np.sum(np.where(x > 0, np.sqrt(x), 0.0))",
        A([0.0, 4.0, -1.0]),
        [0, 0.25, 0],
        [0, -1 / 32, 0],
    ),
    ("np.sum(np.where(x > 0, 1.0 / x, 0.0))", A([0.0, 4.0, -1.0]), [0, -1 / 16, 0], [0, 1 / 32, 0]),
    ("np.where(x < 100.0, np.exp(x), x)", 1000.0, 1.0, 0.0),
    ("np.where(np.abs(x) < 1.0, np.arcsin(x), x)", 1.0, 1.0, 0.0),
    ("x ** 0", 0.0, 0.0, 0.0),
    ("x ** 2", -3.0, -6.0, 2.0),
    ("x ** 3", -2.0, 12.0, -12.0),
    ("x ** np.int64(3)", -2.0, 12.0, -12.0),
    ("x ** -2.0", -2.0, 0.25, 0.375),
    ("np.sum(x ** np.array([0.0, 1.0, 2.0]))", A([0.0, -1.0, 2.0]), [0, 1, 4], [0, 0, 2]),
    ("0.0 ** x", 0.0, 0.0, 0.0),
    ("np.prod(x)", A([0.0, 2.0, 3.0]), [6, 0, 0], [5, 3, 2]),
    ("np.prod(x)", A([0.0, 0.0, 3.0]), [0, 0, 0], [3, 3, 0]),
    ("np.cumprod(x)[2]", A([0.0, 0.0, 3.0]), [0, 0, 0], [3, 3, 0]),
    ("np.max(x)", A([2.0, 2.0, 1.0]), [0.5, 0.5, 0], [0, 0, 0]),
    ("max(x, 0.0)", 0.0, 0.5, 0.0),
    ("max([x, 2.0 * x, 1.0])", 0.5, 1.0, 0.0),
    ("np.maximum(x, x)", 1.0, 1.0, 0.0),
    ("abs(x)", 0.0, 0.0, 0.0),
    ("np.logaddexp(x, x)", 1.0, 1.0, 0.0),
    ("np.logaddexp(x, -np.inf)", 1.0, 1.0, 0.0),
    ("1.0 / (1.0 + np.exp(-x))", -800.0, 0.0, 0.0),
    ("1.0 / (1.0 + np.exp(-x))", 800.0, 0.0, 0.0),
    ("1.0 / np.cosh(x)", 800.0, 0.0, 0.0),
    ("np.log1p(np.exp(x))", -800.0, 0.0, 0.0),
    ("np.clip(x, 0.0, 1.0)", 2.0, 0.0, 0.0),
    ("np.log(np.clip(x, 0.0, 1.0))", -2.0, 0.0, 0.0),
    ("np.sqrt(np.maximum(x, 0.0))", -1.0, 0.0, 0.0),
    ("np.fmax(x, np.nan)", 2.0, 1.0, 0.0),
    ("np.sinc(x)", 0.0, 0.0, -(np.pi**2) / 3),
    ("np.linalg.det(x)", A([[1.0, 2.0], [2.0, 4.0]]), [[4, -2], [-2, 1]], [[1, -1], [-1, 1]]),
]


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize(("body", "x", "first", "second"), KINKS)
def test_singular_points(body: str, x: Any, first: Any, second: Any) -> None:
    """The gradient, and the Hessian times ones, in closed form."""
    f, ones = written(body), np.ones_like(x) if np.ndim(x) else 1.0
    for optimized in (True, False):
        found = tl.grad(f, optimized=optimized)(x)
        np.testing.assert_allclose(found, first, rtol=1e-9, atol=1e-12)
    tangent = tl.jvp(f)(x, tangent=ones)[1]
    np.testing.assert_allclose(tangent, np.sum(first), rtol=1e-9, atol=1e-12)
    df = tl.grad(f)
    np.testing.assert_allclose(tl.vjp(df)(x)[1](ones), second, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(tl.jvp(df)(x, tangent=ones)[1], second, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize(
    ("body", "parameter"),
    [
        ("np.quantile(np.ones(2), x)", "q"),
        ("np.ldexp(1.0, x)", "i"),
    ],
)
def test_a_parameter_without_derivative_is_refused(body: str, parameter: str) -> None:
    with pytest.raises(tl.MissingRuleError, match=f"no derivative in `{parameter}`"):
        tl.grad(written(body))


@pytest.mark.parametrize("body", ["np.asmatrix(x)[0, 0]", "np.bmat([[x]])[0, 0]"])
def test_what_has_a_derivative_is_not_inactive(body: str) -> None:
    with pytest.raises(tl.MissingRuleError, match="no rule"):
        tl.grad(written(body))


def test_where_a_condition_and_a_shape_have_none_is_intended() -> None:
    assert tl.grad(written("np.where(x, 2.0 * x, 0.0)"))(3.0) == 2.0
    np.testing.assert_array_equal(
        tl.grad(written("np.sum(np.full_like(x, 2.0) * x)"))(V), [2.0] * 3
    )


ACROSS = """CM @ t|t @ CM|t @ C|np.dot(CM, t)|np.outer(t, C)|np.inner(t, C)|np.kron(t, C)
np.tensordot(t, C, 0)|np.einsum('ij,j->i', CM, t)|np.linalg.solve(CM, t)|np.concatenate([t, C])
np.stack([t, C])|np.fft.fft(t)|np.vdot(t, C)|np.vdot(C, t)|np.cross(t, C)|np.array([t * 1.0, C])
np.array([t[0], 1j, t[2]])|t * C|C / (t + 2.0)|t.astype(complex) * 1j|np.where(t > 0, t, C)
np.average(C, weights=t**2)|sum([t[0], 1j * t[1]])|np.exp(1j * t)|np.linspace(t[0], 1j, 4)"""


@pytest.mark.parametrize("body", ACROSS.replace("\n", "|").split("|"))
def test_the_adjoint_of_a_real_value_is_real(body: str) -> None:
    """A real part of x meets complex numbers: what comes back has no imaginary part to leak."""
    f = written("np.abs(np.sum(u * u + 2.0 * u)) ** 2", "t = np.real(x)", f"u = {body}")
    x = A([0.3 + 0.4j, -1.2 + 0.7j, 0.6 - 0.9j])
    step = 1e-6
    expected = [(f(x + step * e) - f(x - step * e)) / (2 * step) for e in np.eye(3)]
    for optimized in (True, False):
        found = tl.grad(f, optimized=optimized)(x)
        np.testing.assert_allclose(found, A(expected, complex), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("n", [2, 2.0, np.float32(2)])
@pytest.mark.parametrize(
    "body", ["x ** 0.5", "x ** -1", "x ** n", "np.maximum(x, 0.0)", "np.clip(x, 0.0, n)", "n / x"]
)
def test_a_single_precision_number_stays_one(body: str, n: Any) -> None:
    f, x = written(body, f"n = {n!r}"), np.float32(1.5)
    assert type(tl.jvp(f)(x, tangent=np.float32(1))[1]) is np.float32
    assert type(tl.grad(f)(x)) is np.float32
