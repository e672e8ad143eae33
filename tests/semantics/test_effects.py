"""Effects of the primal happen exactly once: random numbers, output, counters; observers are only looked over."""

from __future__ import annotations

import io
import logging
import random
import sys
import warnings
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tests.programs.strict import case, cases, check, label, normal

LOG = logging.getLogger(__name__)
LOG.setLevel(logging.CRITICAL)
GENERATOR = np.random.default_rng(5)
TICKS = [0]


@tl.inactive
def tick():
    TICKS[0] += 1
    return TICKS[0]


@case(normal(4))
def numbers_of_a_generator(x):
    rng = np.random.default_rng(3)
    s = np.sum(x * rng.normal(size=4)) ** 2
    for i in range(3):
        s += x[i] ** 2 * rng.normal()
    kept = rng.random(4) > 0.5
    order = rng.permutation(4)
    return s * x[rng.integers(0, 4)] + np.sum(np.where(kept, x, 0.0) ** 2 * x[order])


@case(normal(4))
def an_optional_generator(x, rng=None):
    rng = rng if rng is not None else np.random.default_rng(0)
    return np.sum(x * rng.normal(size=4)) * x[0]


@case(normal(4))
def the_global_state(x):
    np.random.seed(3)
    noise = np.random.normal(0.0, 1.0, size=x.shape) + np.random.uniform(size=4)
    random.seed(3)
    return np.sum(x * noise) ** 2 + x[0] * random.random() + x[1] * random.Random(2).gauss(0.0, 1.0)


@case(normal(4))
def observers(x):
    y = np.sum(x * x)
    print(f"{y:.3f}", x, file=sys.stderr, end="")
    sys.stdout.write(str(y))
    LOG.info("%s %s", x, np.mean(x))
    if LOG.isEnabledFor(logging.DEBUG):
        LOG.debug(f"{x}")
    return y * x[0]


@case(normal(4))
def text_in_memory(x):
    out = io.StringIO()
    for k in range(3):
        out.write(f"{k};")
        out.write(str(x[k]))
    return np.sum(x * x) * out.getvalue().count(";")


@pytest.mark.parametrize(("function", "args", "options"), cases(__name__), ids=label)
def test_program(function: Any, args: Any, options: Any, capsys: Any) -> None:
    check(function, *args, **options)


def scaled_by_chance(x):
    return np.sum(GENERATOR.normal(size=3) * x) + GENERATOR.random() * x[0] ** 2


def a_generator_as_argument(x, rng):
    return np.sum(x * rng.normal(size=4)) * x[0]


def counted(x):
    s = 0.0
    for v in x:
        s += v * v * tick()
    return s


def shouted(x):
    y = np.sum(x * x)
    print("y", y)
    for v in x:
        print("v", v)
    return y


WAYS = {
    "reverse": lambda f, x: tl.grad(f)(x),
    "unoptimized": lambda f, x: tl.grad(f, optimized=False)(x),
    "split": lambda f, x: tl.vjp(f)(x)[1](1.0),
    "forward": lambda f, x: tl.jvp(f)(x, tangent=np.ones(3)),
    "second": lambda f, x: tl.jvp(tl.grad(f))(x, tangent=np.ones(3)),
}


@pytest.mark.parametrize("way", WAYS)
def test_random_numbers_are_drawn_once(way: str) -> None:
    x = np.array([0.3, -1.2, 0.8])
    GENERATOR.bit_generator.state = np.random.default_rng(5).bit_generator.state
    scaled_by_chance(x)
    expected = GENERATOR.bit_generator.state
    GENERATOR.bit_generator.state = np.random.default_rng(5).bit_generator.state
    WAYS[way](scaled_by_chance, x)
    assert GENERATOR.bit_generator.state == expected


def test_a_generator_that_is_given() -> None:
    x = np.array([0.3, -1.2, 0.8, 0.1])
    noise = np.random.default_rng(1).normal(size=4)
    expected = noise * x[0] + np.array([np.sum(x * noise), 0.0, 0.0, 0.0])
    found = tl.grad(a_generator_as_argument)(x, np.random.default_rng(1))
    np.testing.assert_allclose(found, expected)
    along = tl.jvp(a_generator_as_argument)(x, np.random.default_rng(1), tangent=x)[1]
    np.testing.assert_allclose(along, expected @ x)


@pytest.mark.parametrize("way", WAYS)
def test_counters_count_once(way: str) -> None:
    TICKS[0] = 0
    WAYS[way](counted, np.array([0.3, -1.2, 0.8]))
    assert TICKS[0] == 3


@pytest.mark.parametrize("way", WAYS)
def test_output_is_printed_once(way: str, capsys: Any) -> None:
    x = np.array([0.3, -1.2, 0.8])
    shouted(x)
    expected = capsys.readouterr().out
    WAYS[way](shouted, x)
    assert capsys.readouterr().out == expected


class Tally:
    made = 0
    asked = 0

    def __init__(self, w):
        Tally.made += 1
        self.w, self.uses = w, 0

    @classmethod
    def new(cls, w):
        cls.made += 10
        return cls(w)

    @property
    def factor(self):
        self.uses += 1
        return 2.0

    def __call__(self, x):
        self.uses += 100
        return self.w * x * x


TALLY, TABLE, LINES, NUMBERS = Tally(1.5), {"n": 0}, [], iter(range(10**9))


def helper(v):
    helper.calls += 1
    TABLE["n"] += 1
    return v * v


helper.calls = 0


def counts_in_helpers(x):
    return helper(x[0]) + np.sum(helper(x))


def counts_in_a_class(x):
    return Tally(x).w[0] * Tally.new(x[1]).w * x[2]


def counts_in_a_property(x):
    return np.sum(x * x) * TALLY.factor


def counts_when_called(x):
    return np.sum(TALLY(x)) * TALLY(2.0)


def counts_while_it_generates(x):
    def squares():
        for v in x:
            TABLE["n"] += 1
            yield v * v

    return sum(squares())


def counts_on_every_way(x):
    s = 0.0
    for k in range(3):
        try:
            TABLE["n"] += 1
            LINES.append(len(x))
            if x[k] < 0.0:
                raise ValueError
            s += x[k] ** 2
        except ValueError:
            TABLE["n"] += 10
            s += x[k] ** 3
        finally:
            TABLE["n"] += 100
    return s


def counts_what_is_not_used(x):
    unused = helper(x)
    return np.sum(x * x)


def takes_the_next(x):
    return np.sum(x * x) * (next(NUMBERS) % 2 + 1)


def seen() -> tuple[Any, ...]:
    return Tally.made, TALLY.uses, helper.calls, TABLE["n"], len(LINES), next(NUMBERS)


def since(before: tuple[Any, ...]) -> list[int]:
    return [now - then for now, then in zip(seen(), before)]


COUNTING = [
    counts_in_helpers,
    counts_in_a_class,
    counts_in_a_property,
    counts_when_called,
    counts_while_it_generates,
    counts_on_every_way,
    counts_what_is_not_used,
    takes_the_next,
]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("f", COUNTING, ids=lambda f: f.__name__)
def test_everything_is_counted_once(f: Any, way: str) -> None:
    x = np.array([0.3, -1.2, 0.8])
    before = seen()
    f(x)
    expected, before = since(before), seen()
    WAYS[way](f, x)
    assert since(before) == expected


def test_text_is_written_once(tmp_path: Any) -> None:
    def noted(x, file):
        with open(file, "a") as out:
            out.write(f"{len(x)} {float(np.sum(x)):.2f};")
        with open(file) as out:
            return np.sum(x * x) * len(out.read())

    x = np.array([0.3, -1.2, 0.8])
    for k, derivative in enumerate((tl.grad(noted), tl.vjp(noted), tl.grad(tl.grad(noted)))):
        file = tmp_path / str(k)
        derivative(x, file, **({"adjoint": x} if k == 2 else {}))
        assert file.read_text() == "3 -0.10;"


class Counted:
    n = 0


def sets_an_alias(x):
    kind = Counted
    kind.n += 1
    return x * x


def sets_by_the_type(x):
    type(TALLY).made += 1
    return x * x


@pytest.mark.parametrize("f", [sets_an_alias, sets_by_the_type])
def test_attributes_of_classes_are_set_by_name(f: Any, refused: Any) -> None:
    refused(
        f, "+= 1", "by the name of the class" if f is sets_an_alias else "the name of the class"
    )


def keeps_in_a_class(x):
    Counted.n = x
    return x * x


def test_what_is_active_is_not_kept_in_a_class() -> None:
    with pytest.raises(tl.DerivativeError, match="Counted.n = x"):
        tl.grad(keeps_in_a_class)


def warned(x):
    warnings.warn("look", stacklevel=2)
    return x * x


def test_warnings_are_given_once() -> None:
    with pytest.warns(UserWarning, match="look") as caught:
        assert tl.grad(warned)(3.0) == 6.0
    assert len(caught) == 1


class Box:
    def add(self, v):
        self.last = v


BOX = Box()


def kept_elsewhere(x):
    BOX.add(x)
    return np.sum(x * x)


def drawn_around(x):
    rng = np.random.default_rng(3)
    return rng.gamma(x[0])


@pytest.mark.parametrize(
    ("function", "hint"),
    [(kept_elsewhere, "Pass it as an argument"), (drawn_around, "scale * rng.gamma")],
)
def test_what_might_write_is_refused(function: Any, hint: str) -> None:
    for derivative in (tl.grad, tl.jvp, tl.vjp):
        with pytest.raises(tl.DerivativeError) as caught:
            derivative(function)(np.ones(3), *([] if derivative is not tl.jvp else [np.ones(3)]))
        assert hint in caught.value.hint
