"""Derivatives that are exported, each with arguments: from the plainest to what collides with a file's own names."""

from __future__ import annotations

import functools
import itertools
import math
import operator
from typing import Any

import numpy as np
from numpy.linalg import norm

import tangentlite as tl
from tangentlite import d
from tests.exporting import models
from tests.exporting.models import BadStepError, Color, Layer, Spring, like, zeros

X = np.array([0.5, -1.25, 2.0])
A = np.array([[2.0, 0.3, 0.1], [0.2, 3.0, -0.4], [0.5, 0.1, 1.5]])
W = np.asfortranarray([[0.1, -0.2, 0.3], [0.4, 0.5, -0.6]])
TABLE = np.linspace(-3.0, 3.0, 300).reshape(30, 10)
MASK = np.array([True, False, True])
SINGLE = np.float32(0.1)
LIMITS = {"low": -math.inf, "high": float("inf"), "zero": -0.0, "none": None}
STEPS = [0.1, 0.2, [0.3, (1, 2)]]
EMPTY: list = []
ROOT = 1.0 + 2.0j
KIND = np.dtype("float32")
NAMES = ("a", "b'c", 'd"e')
PROGRAMS: dict[str, tuple[Any, tuple[Any, ...], Any]] = {}
rt = 3.0  # a name that the compiler likes
größe = 1.75


def program(make: Any, *args: Any, example: bool = False) -> Any:
    """Add the derivative that ``make`` gives of a function."""

    def add(function: Any) -> Any:
        PROGRAMS[function.__name__] = make(function), args, args if example else None
        return function

    return add


def gradients(*wrt: Any) -> Any:
    return lambda f: tl.grad(f, wrt if len(wrt) > 1 else wrt[0])


@program(tl.grad, 3.0)
def cube(x):
    return x**3


@program(tl.value_and_grad, X)
def logistic(x):
    return np.sum(np.log1p(np.exp(-x)))


@program(gradients("w", "b"), np.array([0.1, 0.2, 0.3]), 0.5, A)
def regression(w, b, x):
    r = np.tanh(x @ w + b) - 0.25
    return np.sum(r * r)


@program(tl.grad, 1.5, 4)
def powers(x, n):
    y = x
    for i in range(n):
        y = np.sin(y) * x + i
    return y


@program(tl.grad, 1.5, 100.0)
def grow(x, limit):
    trips = 0
    while x < limit:
        x = x * x + 1.0
        trips += 1
    return x / trips


@program(tl.grad, X, 3)
def smooth(x, steps):
    y = x.copy()
    inner = y[1:-1]
    for _ in range(steps):
        inner += 0.25 * (y[:-2] - 2.0 * inner + y[2:])
    return np.sum(y * y)


@program(tl.grad, np.array([1.0, 2.0, 3.0]))
def stores(x):
    x[0] = x[1] * 2.0
    return np.sum(x * x)


@program(tl.grad, np.array([1.0, 2.0, 3.0]))
def overwritten(x):
    x = x * 1.0
    x[0] = x[1] * x[2]
    x[1:] *= x[0]
    return np.sum(x**2)


@program(tl.grad, -0.7)
def branches(x):
    if x > 0:
        return x * 2.0
    elif x > -0.5:
        return 0.1 * x
    return x * math.exp(x)


@program(tl.grad, X)
def helpers(x):
    return np.sum(zeros(x) * like(x, 3)) * norm(x)


def scaled(x, by=W[0], *, offset=np.float32(0.5), shift=(1, 2.0)):
    return x * by + offset + shift[1]


@program(gradients("x"), X)
def defaults(x, weights=W[1], *, power=2, kind="sum", table=(1.0, [2.0])):
    y = scaled(x) * weights
    return np.sum(y**power) * table[1][0] if kind == "sum" else np.mean(y)


def clip(n):
    # a comment that goes away
    """Docstrings stay."""
    if n > 3:
        return 3
    return n


@program(tl.grad, 1.5, 7)
def inactive_helper(x, n):
    y = 1.0
    for _ in range(clip(n)):
        y *= x
    return y


def counted():
    rate = 0.25
    weights = np.array([1.0, -2.0, 0.5])

    def inner(x):
        return np.sum(weights * x * rate) ** 2

    return inner


def by_group(x):
    pairs = zip([0, 0, 1], x)
    sums = [sum(v for _, v in group) for _, group in itertools.groupby(pairs, key=operator.itemgetter(0))]
    return sums[0] * sums[1]


PROGRAMS["groups"] = tl.grad(by_group), (X,), None
PROGRAMS["closure"] = tl.grad(counted()), (X,), None
PROGRAMS["lambda_"] = tl.grad(lambda x: x * math.sin(x) * SINGLE), (0.75,), None
PROGRAMS["partial"] = tl.grad(functools.partial(like, n=3)), (0.5,), None
PROGRAMS["second"] = tl.grad(tl.grad(cube)), (2.0,), None
PROGRAMS["third"] = tl.grad(tl.grad(tl.grad(lambda x: x**5))), (2.0,), None
PROGRAMS["second_loop"] = tl.grad(tl.grad(powers)), (0.5, 3), None
PROGRAMS["tangent"] = tl.autodiff(logistic, mode="forward"), (X,), None
PROGRAMS["tangent_value"] = tl.jvp(cube), (2.0,), None
PROGRAMS["both"] = tl.autodiff(logistic, preserve_result=True), (X,), None
PROGRAMS["method"] = tl.grad(Spring(2.0, 3.0).energy, wrt="self"), (Spring(2.0, 3.0),), ()
PROGRAMS["bound"] = tl.grad(Layer(X).apply), (Layer(X), X), None
PROGRAMS["unoptimized"] = tl.grad(cube, optimized=False), (2.0,), None


@program(gradients("layer"), Layer(X, 0.25), 1.5, example=True)
def objects(layer, x):
    return layer.apply(x) * layer.b


@program(gradients("params"), {"w": X, "b": 0.5}, X, example=True)
def dictionaries(params, x):
    return np.sum(params["w"] * x) ** 2 + params["b"]


@program(gradients("rows"), [1.0, (2.0, 3.0)], example=True)
def lists(rows):
    return rows[0] * rows[1][0] * rows[1][1]


@program(tl.grad, 1.5)
def made_inside(x):
    springs = [Spring(2.0, x), Spring(x, 0.5)]
    return sum(s.energy() for s in springs)


@program(gradients("x"), 1.5, Color.RED)
def recognized(x, color):
    return x * x if color is Color.RED else x


@program(tl.grad, models.Point(1.0, 2.0), example=True)
def named_tuples(p):
    return p.x * p.y**2


@program(tl.grad, 2.0)
def attempts(x):
    try:
        if x > 1.0:
            raise BadStepError("too large")
        y = x
    except BadStepError:
        y = x * x
    finally:
        z = 1.0
    return y * z


@program(tl.grad, 2.0, 5)
def recursion(x, n):
    return x if n == 0 else x * recursion(x, n - 1) + n


@program(gradients("a", "y"), A, X)
def linear_algebra(a, y):
    s = np.linalg.solve(a, y)
    return np.sum(s * s) + np.linalg.slogdet(a)[1] + np.trace(np.linalg.inv(a) @ a.T)


@program(tl.grad, A @ A.T)
def factors(a):
    return np.sum(np.linalg.cholesky(a)) + np.sum(np.linalg.eigvalsh(a) ** 2)


@program(tl.grad, np.arange(1.0, 9.0))
def fourier(x):
    return np.sum(np.abs(np.fft.rfft(x)) ** 2) + np.real(np.fft.fft(x)[1])


@program(tl.grad, np.array([3.0, 1.0, 2.0]))
def orders(x):
    return np.max(x) * np.sort(x)[0] + np.cumsum(x)[1] + np.where(x > 1.5, x, 0.0) @ x


@program(tl.grad, A)
def sums(x):
    return np.einsum("ij,jk->", x, x) + np.prod(x[0]) + np.mean(x, axis=0) @ np.var(x, axis=1)


@program(tl.grad, 2.0)
def surgery(x):
    y = x * x
    with tl.insert_grad_of(y) as dy:
        dy = np.clip(dy, -1.0, 1.0)
    return y * tl.stop_gradient(y) * x


def clipped(x):
    y = x * 2.0
    with tl.insert_grad_of(y) as dy:
        dy = dy * 0.0
    return y


@program(gradients("x"), 2.0, 3.0)
def inactive_surgery(x, n):
    return x * clipped(n)


def swish(x):
    return x / (1.0 + np.exp(-x))


@tl.adjoint(swish)
def swish_adjoint(y, x):
    d[x] = d[y] * (0.5 + 0.25 * np.tanh(x))


@program(tl.grad, X)
def rules(x):
    return np.sum(swish(x) * x)


@program(tl.grad, X)
def constants(x):
    y = np.clip(x, LIMITS["low"], LIMITS["high"]) + LIMITS["zero"]
    y = y + STEPS[2][1][0] + len(EMPTY) + len(NAMES[1]) + len(NAMES[2])
    y = np.where(MASK, y, SINGLE) * KIND.itemsize + np.real(ROOT)
    return np.sum(W @ y) + np.sum(TABLE * x[0]) + größe


@program(tl.grad, 0.5)
def collisions(rt_1):
    by, zeros_ = rt_1 * rt, 2.0
    return zeros(by) * zeros_ + models.zeros(rt_1) + models.like(rt_1)


def twins():
    def first():
        SCALE = 2.0

        def helper(x):
            return x * SCALE

        return helper

    def second():
        SCALE = np.array([1.0, 2.0])

        def helper(x):
            return np.sum(x * SCALE)

        return helper

    f, g = first(), second()

    def same_names(x):
        unbroadcast = f(x)
        return g(unbroadcast) * unbroadcast

    return same_names


PROGRAMS["same_names"] = tl.grad(twins()), (1.5,), None


@functools.lru_cache
def binomial(n, k):
    return 1 if k in (0, n) else binomial(n - 1, k - 1) + binomial(n - 1, k)


def twice(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return 2 * function(*args, **kwargs)

    return wrapper


@twice
def degree(n: int) -> int:
    total: int = n
    return total


@program(tl.grad, 0.5, 4)
def decorated_helpers(x, n):
    y = 0.0
    for k in range(degree(n)):
        y += binomial(degree(n), k) * x**k
    return y


@program(tl.grad, 0.5)
def functions_in_tuples(x, fs=(np.sin, math.cos, like)):
    return fs[0](x) * fs[1](x) + fs[2](x)


class Account:
    def __init__(self, balance):
        self.balance = balance

    def deposit(self, amount):
        self.balance = self.balance + amount

    def grow(self, rate):
        self.balance = self.balance * rate


@program(tl.grad, 0.7)
def methods_by_name(x):
    account = Account(x)
    actions = {"deposit": account.deposit, "grow": account.grow}
    for name, value in [("deposit", 2.0), ("grow", x), ("deposit", x)]:
        actions[name](value)
    return account.balance


@program(tl.grad, 0.7)
def variants_of_one_helper(x):
    def g(first, *rest, k=2.0):
        return first * k if not rest else first * k + g(*rest, k=k)

    return g(x, 2.0, x * x, k=x)


def trajectory(slope, start, report):
    states = [(0.0, start)]
    for k in range(2):
        states.append((k + 1.0, states[-1][1] + slope(states[-1][1])))
        report(*states[-1])
    return states


def reported_states(x):
    seen = []
    states = trajectory(lambda y: y * x[2], x[:2] * 1.0, lambda t, y: seen.append(y[0]))
    return np.sum(states[-1][1]) * max(seen)


PROGRAMS["second_of_closures"] = tl.grad(tl.grad(reported_states)), (X,), None


@program(gradients("x"), 0.5, np.sin, example=True)
def applied(x, f):
    return f(x) * x


@program(tl.grad, X)
def comprehensions(x):
    return sum([v * k for k, v in enumerate(x)]) + sum({i: x[i] ** 2 for i in range(3)}.values())


@program(tl.grad, X)
def strings(x):
    if x.ndim != 1:
        raise ValueError(f"{x.ndim} dimensions, not {len(NAMES)}")
    return np.sum(x * x, axis=None, dtype="float64")


@program(tl.grad, 0.7)
def matched(x):
    match NAMES:
        case (first, *_) if len(first) == 1:
            y = x * x
        case _:
            y = x
    return y


@program(tl.grad, X)
def printed(x, verbose=False):
    if verbose:
        print("loss", x)
    return np.sqrt(np.sum(x * x))


@program(tl.grad, X, 2.0, 3.0, example=True)
def keywords(x, *args, scale=1.0, **options):
    total = np.sum(x) * scale * options.get("factor", 1.0)
    kept = {}
    for k in options:
        kept[k] = total * options[k]
    return total * sum(args)
