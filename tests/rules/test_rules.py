"""Every rule: tangent against differences, the two modes against each other, shapes, dtypes."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import pytest

from tangentlite import rules, runtime as rt
from tangentlite.lowering.arrays.roots import VALUED

ELEMENTWISE = [
    (rules.find(primal), rules.spelled(primal))
    for rule in rules.registry()
    if rule.algebra == "elementwise"
    for primal in rule.primals
    if primal not in (np.ndarray.clip, rt.moved, *VALUED)  # the value is an argument of its own
]
NUMPY = [(r, n) for r, n in ELEMENTWISE if n.startswith("np.") and r.name != "log_of_base"]


def points(rule: rules.Rule) -> list[tuple[Any, ...]]:
    """Sample arguments: those the rule declares, else numbers from its domain."""
    if rule.samples:
        return list(rule.samples)
    low, high = rule.domain or (-1.0, 1.0)
    count = sum(p.default is rules.EMPTY for p in rule.params)
    draw = np.random.default_rng(7).uniform(low, high, count)
    return [tuple(float(v) for v in draw)]


def directions(case: Any, seed: int = 3) -> dict[str, Any]:
    draw = np.random.default_rng(seed)
    return {n: draw.normal(size=np.shape(case.values[n])) for n in sorted(case.active)}


def difference(case: Any, tangents: dict[str, Any], step: float = 1e-6) -> list[np.ndarray]:
    def moved(sign: float) -> tuple[Any, ...]:
        return case.primal(
            {
                n: v + sign * step * tangents[n] if n in tangents else v
                for n, v in case.values.items()
            }
        )

    return [
        (np.asarray(up) - np.asarray(down)) / (2 * step)
        for up, down in zip(moved(1.0), moved(-1.0), strict=True)
    ]


def agree(case: Any) -> None:
    """Tangent = difference, and <b, J v> = <Jᵀ b, v>."""
    tangents = directions(case)
    found = case.tangent(tangents)
    for tangent, expected in zip(found, difference(case, tangents), strict=True):
        assert np.shape(tangent) == np.shape(expected)
        np.testing.assert_allclose(tangent, expected, rtol=2e-5, atol=1e-7)
    draw = np.random.default_rng(5)
    seeds = [draw.normal(size=np.shape(t)) for t in found]
    adjoints = case.adjoint(seeds)
    for name, adjoint in adjoints.items():
        assert np.shape(adjoint) == np.shape(case.values[name])
    forward = sum(np.sum(s * t) for s, t in zip(seeds, found, strict=True))
    backward = sum(np.sum(adjoints[n] * tangents[n]) for n in adjoints)
    if not any(
        map(np.iscomplexobj, case.values.values())
    ):  # of a complex result the real part counts
        backward, forward = np.real(backward), np.real(forward)
    np.testing.assert_allclose(backward, forward, rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize("rule", rules.registry(), ids=lambda r: f"{r.name}:{r.line}")
def test_the_loader_accepts_every_template(rule: rules.Rule) -> None:
    rules.check(rule)


def test_no_primal_has_two_rules() -> None:
    owners: dict[object, str] = {}
    for rule in rules.registry():
        for primal in rule.primals:
            assert primal not in owners, f"{rules.spelled(primal)} is in {rule.place} too"
            owners[primal] = rule.place


@pytest.mark.parametrize(("rule", "name"), ELEMENTWISE, ids=[n for _, n in ELEMENTWISE])
def test_python_numbers(case: Any, rule: rules.Rule, name: str) -> None:
    for sample in points(rule):
        agree(case(rule, sample))


@pytest.mark.parametrize(("rule", "name"), NUMPY, ids=[n for _, n in NUMPY])
def test_arrays(case: Any, rule: rules.Rule, name: str) -> None:
    for sample in points(rule):
        if all(isinstance(v, float) for v in sample):
            agree(case(rule, [v * np.array([1.0, 1.05, 0.95]) for v in sample]))


@pytest.mark.parametrize(("rule", "name"), NUMPY, ids=[n for _, n in NUMPY])
@pytest.mark.parametrize("wide", [0, 1])
def test_broadcasting(case: Any, rule: rules.Rule, name: str, wide: int) -> None:
    sample = points(rule)[0]
    if len(sample) < 2 or not all(isinstance(v, float) for v in sample):
        assert len(sample) < 2 or rule.name == "ldexp"
        return
    scale = np.array([[1.0, 1.05, 0.95], [0.98, 1.02, 1.01]])
    narrow = sample[1 - wide] * np.array([[1.01], [0.99]])
    args = list(sample)
    args[wide], args[1 - wide] = sample[wide] * scale, narrow
    agree(case(rule, args))
    args[1 - wide] = sample[1 - wide]
    agree(case(rule, args))


@pytest.mark.parametrize(("rule", "name"), NUMPY, ids=[n for _, n in NUMPY])
def test_float32_stays_float32(case: Any, rule: rules.Rule, name: str) -> None:
    sample = points(rule)[0]
    if name in ("np.float_power", "np.ldexp"):
        return
    single = case(rule, [np.float32(v) * np.ones(3, np.float32) for v in sample])
    exact = case(rule, [float(np.float32(v)) * np.ones(3) for v in sample])
    seeds = [np.ones(3, np.float32) for _ in rule.results]
    expected = exact.adjoint([np.ones(3) for _ in rule.results])
    for parameter, adjoint in single.adjoint(seeds).items():
        if name != "np.imag" and name != "np.angle":
            assert adjoint.dtype == np.float32
        np.testing.assert_allclose(adjoint, expected[parameter], rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize(
    ("primal", "args", "expected"),
    [
        (np.abs, (0.0,), {"x": 0.0}),
        (np.maximum, (1.0, 1.0), {"x": 0.5, "y": 0.5}),
        (np.minimum, (1.0, 1.0), {"x": 0.5, "y": 0.5}),
        (np.maximum, (2.0, 1.0), {"x": 1.0, "y": 0.0}),
        (np.hypot, (0.0, 0.0), {"x": 0.0, "y": 0.0}),
        (np.arctan2, (0.0, 0.0), {"y": 0.0, "x": 0.0}),
        (np.power, (0.0, 0.0), {"x": 0.0, "y": 0.0}),
        (np.power, (0.0, 1.0), {"x": 1.0, "y": 0.0}),
        (np.power, (0.0, 2.0), {"x": 0.0, "y": 0.0}),
        (np.power, (3, 2), {"x": 6.0, "y": 9.0 * np.log(3.0)}),
        (np.sqrt, (0.0,), {"x": np.inf}),
        (np.clip, (1.0, 0.0, 1.0), {"a": 0.5, "a_min": 0.0, "a_max": 0.5}),
        (np.clip, (5.0, 2.0, 1.0), {"a": 0.0, "a_min": 0.0, "a_max": 1.0}),
        (np.heaviside, (0.0, 0.5), {"x": 0.0, "h": 1.0}),
    ],
)
def test_kinks(case: Any, primal: Any, args: tuple[Any, ...], expected: dict[str, float]) -> None:
    found = case(rules.find(primal), args).adjoint([1.0])
    assert found == pytest.approx(expected)


@pytest.mark.parametrize("primal", [np.sqrt, np.log, np.cbrt, np.reciprocal])
def test_nothing_flows_through_a_singular_point_nobody_uses(case: Any, primal: Any) -> None:
    with np.errstate(all="ignore"):
        found = case(rules.find(primal), [np.array([0.0, 1.0])]).adjoint([np.array([0.0, 0.0])])
    np.testing.assert_array_equal(found["x"], [0.0, 0.0])


@pytest.mark.parametrize("z", [0.6 + 0.8j, -1.2 + 0.3j])
def test_complex_convention(case: Any, z: complex) -> None:
    """The pairing is Σ b·d without conjugation; a real result gives u with d[y] = real(u d[x])."""
    absolute = case(rules.find(np.abs), [z])
    assert absolute.adjoint([1.0])["x"] == pytest.approx(np.conj(z) / abs(z))
    assert case(rules.find(np.imag), [z]).adjoint([1.0])["x"] == -1j
    assert case(rules.find(np.real), [z]).adjoint([1.0])["x"] == 1.0
    angle = case(rules.find(np.angle), [z])
    step = 1e-6 * (0.3 - 0.4j)
    moved = (np.angle(z + step) - np.angle(z - step)) / 2
    assert np.real(angle.adjoint([1.0])["z"] * step) == pytest.approx(moved, rel=1e-6)


M = np.array([[1.3, -0.4, 0.7], [0.2, 2.1, -0.5]])
S = np.array([[2.1, -0.4, 0.7], [0.2, 1.7, -0.5], [0.3, 0.6, 2.4]])
V = np.array([0.3, -1.2, 0.8])
LIBRARY: list[tuple[Any, tuple[Any, ...]]] = [
    *[(f, (M,)) for f in (np.sum, np.mean, np.max, np.min, np.prod, np.var, np.std)],
    *[(f, (M, 0)) for f in (np.sum, np.mean, np.max, np.min, np.prod, np.var, np.std)],
    *[(f, (M, -1)) for f in (np.cumsum, np.cumprod, np.expand_dims, np.flip)],
    (np.sort, (M, -1, None)),
    *[(f, (M,)) for f in (np.ravel, np.transpose, np.trace, np.copy, np.tril, np.triu, np.diag)],
    *[(f, (M, V)) for f in (np.matmul, np.dot)],
    *[(f, (V, V)) for f in (np.matmul, np.dot, np.inner, np.outer, np.vdot, np.cross)],
    *[(f, (S, M.T)) for f in (np.matmul, np.dot, np.linalg.solve)],
    *[(f, (S,)) for f in (np.linalg.inv, np.linalg.det, np.linalg.norm)],
    (np.reshape, (M, (3, 2))),
    (np.where, (M > 0, M, V)),
    (np.einsum, ("ij,j->i", M, V)),
    (np.roll, (V, 1)),
    (np.tile, (V, 2)),
    (np.repeat, (V, 2)),
    (np.kron, (M, V)),
    (operator.getitem, (M, (slice(None), 1))),
    (operator.getitem, (V, [0, 0, 2])),
]


@pytest.mark.parametrize(("primal", "args"), LIBRARY)
def test_library(case: Any, primal: Any, args: tuple[Any, ...]) -> None:
    rule = rules.find(primal)
    assert rule is not None
    whole = case(rule, args)
    floats = [n for n in whole.active if np.result_type(np.asarray(whole.values[n])).kind == "f"]
    agree(case(rule, args, floats))


def test_the_sign_of_a_complex_number_is_refused(case: Any) -> None:
    with pytest.raises(TypeError, match="complex"):
        case(rules.find(np.sign), [1.0 + 2.0j]).adjoint([1.0])
