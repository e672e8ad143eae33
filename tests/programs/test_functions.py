"""Functions inside functions, and functions as values: closures, factories, callbacks, lists of functions."""

from __future__ import annotations

import functools
import heapq
import types

import numpy as np
import pytest

import tangentlite as tl
from tests.programs.strict import case, cases, check, label


def rk4(f, y, t, h):
    k1 = f(t, y)
    k2 = f(t + h / 2, y + h / 2 * k1)
    k3 = f(t + h / 2, y + h / 2 * k2)
    k4 = f(t + h, y + h * k3)
    return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


def decay(t, y):
    return -y * np.cos(t)


@case(0.7)
def known_callee(x):
    return rk4(decay, x, 0.1, 0.2)


@case(0.7)
def closing(x):
    k = np.sin(x)

    def rhs(t, y):
        return -k * y + t

    y = x
    for i in range(3):
        y = rk4(rhs, y, 0.1 * i, 0.1)
    return y


@case(0.7)
def late(x):
    k = 2 * x

    def g(a):
        return a * k

    y = g(x)
    k = x * x
    return y + g(x)


@case(0.7, second=False)
def late_value(x):
    k = 2 * x

    def g(a):
        return a * k

    fs = [g]
    k = x * x
    return fs[0](x)


@case(0.7)
def counter(x):
    n = 0.0

    def bump(a):
        nonlocal n
        n += a * x

    bump(x)
    bump(2.0)
    return n


@case(np.array([0.4, 1.3, 0.75, 2.2]))
def tuples_for_defaults(x):
    def g(v, w=(1.0, 2.0), *, k=()):
        return v * w[0] + w[1] * sum(k)

    first = lambda v, w=(3.0,): v * w[0]  # noqa: E731
    return g(x[0]) + g(x[1], (x[0], x[2])) * g(x[2], k=(x[0], 1.0)) + first(x[3])


@case(np.array([0.4, 1.3, 0.75, 2.2]))
def largest_and_smallest(x):
    points = [(x[0], 1), (x[1], 2), (x[2], 3)]
    found = heapq.nsmallest(2, points, key=lambda p: -p[0])
    return sum(a * k for a, k in found) * sum(heapq.nlargest(2, x)) + heapq.nsmallest(1, x)[0]


def make(k):
    def g(a):
        return a * k

    return g


@case(0.7)
def factory(x):
    return make(x)(x) + make(x * x)(3.0)


@case(0.7)
def factory2(x):
    f = make(x)
    g = make(2.0)
    return f(g(x))


@case(0.7, 3, second=False)
def loop_late(x, n):
    fs = []
    for i in range(n):
        fs.append(lambda a: a * x * i)
    s = 0.0
    for f in fs:
        s = s + f(2.0)
    return s


@case(0.7, 3)
def loop_default(x, n):
    fs = []
    for i in range(n):
        fs.append(lambda a, i=i: a * x * i)
    s = 0.0
    for f in fs:
        s = s + f(2.0)
    return s


@case(0.7)
def mutual(x):
    def even(y, n):
        return y if n == 0 else odd(y * x, n - 1)

    def odd(y, n):
        return np.sin(y) if n == 0 else even(y + x, n - 1)

    return even(x, 3)


@case(0.7)
def shadow(x):
    k = x * 2

    def g(a):
        return a * k

    def h(k):
        return g(k) + k

    return h(x * 3)


@case(0.7)
def deep(x):
    a = np.sin(x)

    def outer(y):
        b = y * a

        def inner(z):
            return z * b + a

        return inner(y) + inner(x)

    return outer(x)


@case(0.7)
def immediately(x):
    return (lambda s: s * x)(x * x)


@case(0.7)
def branchdef(x):
    if x > 0:

        def g(a):
            return a * x
    else:

        def g(a):
            return a + x

    return g(x)


@case(0.7)
def defaults(x):
    def g(a, b=2.0, *, c=3.0):
        return a * b + c * x

    return g(x) + g(x, c=x) + g(a=x, b=x)


@case(0.7)
def dyndefault(x):
    k = x * x

    def g(a, b=k):
        return a * b

    k = 1.0
    return g(x) + g(x, 2.0) + g(x, b=3.0)


@case(0.7)
def accumulate(x):
    total = 0.0

    def add(v):
        nonlocal total
        total = total + v * x
        return total

    for i in range(3):
        add(x * i)
    return total * total


def make_counter(x):
    n = x

    def step(a):
        nonlocal n
        n = n + a * x
        return n

    return step


@case(0.7, second=False)
def counters(x):
    c = make_counter(x)
    d = make_counter(2.0)
    c(1.0)
    d(x)
    return c(x) * d(1.0)


def apply(f, *a):
    return f(*a)


def twice(f, x):
    return f(f(x))


@case(0.7)
def tw(x):
    return twice(lambda v: twice(lambda w: w * x, v), x)


def compose(f, g):
    def h(x):
        return f(g(x))

    return h


@case(0.7)
def comp(x):
    return compose(np.sin, lambda v: v * x)(x)


@case(0.7)
def comp3(x):
    h = compose(compose(np.sin, np.cos), make(x))
    return h(x) * h(2.0)


@case(np.array([0.4, 1.3]))
def arr(x):
    def write(v, i):
        out[i] = v * x[i]

    out = np.zeros(2)
    write(x[1], 0)
    write(3.0, 1)
    return np.sum(out * out)


@case(0.7)
def in_loop(x):
    y = x
    for i in range(3):
        t = y * i
        y = y + twice(lambda s: s * t * x, y)
    return y


@case(0.7)
def cond(x):
    f = np.sin if x > 0.5 else np.cos
    return f(x) * x


def sq(v):
    return v * v


def cu(v):
    return v * v * v


table = {"sq": sq, "cu": cu}


@case(0.7, "cu")
def by_name(x, name):
    return table[name](x) + table["sq"](x)


@case(0.7)
def all_of(x):
    s = 0.0
    for f in (sq, cu, np.sin):
        s = s + f(x)
    return s


@case(0.7)
def dictf(x):
    d = {"a": lambda v: v * x, "b": np.sin}
    return d["a"](x) + d["b"](x)


@case(0.7)
def condclosure(x):
    k = x * x
    f = (lambda v: v * k) if x > 0.5 else (lambda v: v + k)
    return f(x)


def make2(k):
    return make(k)


@case(0.7)
def inactive_factory(x):
    return make2(3.0)(x) + make(4)(x)


@case(0.7)
def maker_inside(x):
    def mk(k):
        def g(a):
            return a * k

        return g

    return mk(x)(x) * mk(2.0)(x)


@case(0.7)
def list_of_made(x):
    fs = [make(k * x) for k in range(3)]
    s = 0.0
    for f in fs:
        s = s + f(x)
    return s


@case(0.7, False)
def chosen_factory2(x, flag):
    f = make(x) if flag else np.sin
    return f(x) * f(2.0)


def collect(fs, x):
    fs.append(lambda a: a * x)


@case(0.7, second=False)
def stored_by_helper(x):
    fs = []
    collect(fs, x)
    collect(fs, 2.0)
    return fs[0](x) * fs[1](x)


@case(0.7)
def returned_pair(x):
    def both(k):
        def g(a):
            return a * k

        def h(a):
            return g(a) + k

        return g, h

    g, h = both(x)
    return g(h(x))


@case(np.array([0.3, 0.4]), [np.array([0.5, 0.6])])
def net(x, ws):
    def dense(w):
        return lambda v: w * v

    def relu(v):
        return np.maximum(v, 0.0)

    layers = [dense(ws[0]), relu, dense(x), np.tanh]
    for l in layers:
        x = l(x)
    return np.sum(x)


@case(0.7, 0)
@case(0.7, 1)
@case(0.7, 2)
@case(0.7, 5)
def leaves_a_loop_over_functions(x, n):
    for i, g in enumerate((np.square, np.cosh, np.sin)):
        if i == n:
            break
        x = g(x) * x
    else:
        x = x * 3.0
    return x


FOUR = np.array([0.4, 1.3, 0.7, 2.1])


def cube_maker():
    return lambda v: v**3


def sine_maker():
    def g(v):
        return np.sin(v)

    return g


def made_table():
    return {"a": lambda v: v**2, "b": np.sin, "c": sine_maker()}


def made_list():
    return [lambda v: v**2, np.sin, sine_maker(), cube_maker()]


def activation(name):
    if name == "relu":
        return lambda z: np.maximum(z, 0)
    if name == "leaky":

        def leaky(z):
            return np.where(z > 0, z, 0.1 * z)

        return leaky
    return np.tanh


@case(0.7)
def a_lambda_or_a_function(x):
    def pick(flag):
        return (lambda v: v**3) if flag else np.cos

    return pick(x > 0.5)(x) + pick(x > 1)(2 * x)


@case(0.7)
def one_of_two_that_helpers_make(x):
    f = cube_maker() if x > 0.5 else sine_maker()
    g = cube_maker() if x > 1.5 else sine_maker()
    return f(x) + g(2 * x)


@case(FOUR)
def from_a_table_that_a_helper_makes(x):
    t = made_table()
    s = 0.0
    for k in ("a", "b", "c", "a"):
        s = s + t[k](x[1])
    return s


@case(FOUR)
def from_a_list_that_a_helper_makes(x):
    l = made_list()
    return sum(f(v) for f, v in zip(l, x)) + l[int(x[3])](x[2])


@case(FOUR)
def chosen_by_name_in_a_helper(x):
    h = x - 1.0
    for n in ("relu", "tanh", "leaky"):
        h = activation(n)(h) + x * 0.1
    return np.sum(h * np.arange(1.0, 5.0))


@pytest.mark.parametrize(("f", "args", "options"), cases(__name__), ids=label)
def test_functions(f, args, options):
    check(f, *args, **options)


def lives_on(x):
    f = np.sin
    for i in range(3):
        f = compose(lambda s: s * i * x, np.cos)
    return f(x)


def bound_again(x):
    k = x
    f = compose(lambda s: s * k, np.cos)
    k = 2.0
    return f(x)


def in_a_comprehension(x):
    return [lambda a: a * v for v in (x, 2.0)][0](x)


def endless(x):
    def nest(n):
        if n == 0:
            return lambda a: a * x
        inner = nest(n - 1)
        return lambda a: np.sin(inner(a))

    return nest(2)(x)


def endless_of_numpy(x):
    def nest(n):
        if n == 0:
            return np.cos
        inner = nest(n - 1)
        return lambda a: np.sin(inner(a))

    return nest(2)(x)


@pytest.mark.parametrize(
    ("f", "line"),
    [
        (lives_on, "compose"),
        (bound_again, "compose"),
        (in_a_comprehension, "lambda a"),
        (endless, "return nest(2)(x)"),
        (endless_of_numpy, "return nest(2)(x)"),
    ],
)
def test_refused(refused, f, line):
    refused(f, line, args=(0.7,))


def gives_a_function(x):
    return lambda a: a * x


def test_a_function_has_no_derivative():
    with pytest.raises(TypeError, match="a function, which has no derivative"):
        tl.grad(gives_a_function)(0.5)


class Plain:
    pass


def not_understood(n):
    made = Plain()
    made.n = n
    return made.n


def beside_what_is_not_understood(x):
    def g(a):
        return a * x

    return g(x) * len(g.__name__) if not_understood(3) > 1 else x


def test_what_is_not_understood_may_stand_where_nothing_flows():
    assert tl.grad(beside_what_is_not_understood)(0.5) == 1.0


def test_functions_as_arguments():
    def applied(f, x):
        return f(x) * x

    df = tl.grad(applied, wrt=1)
    assert df(np.sin, 0.5) == pytest.approx(np.cos(0.5) * 0.5 + np.sin(0.5))
    assert [df(make(k), 0.5) for k in (1.0, 2.0)] == [1.0, 2.0]


def kept(x):
    return x


def keeps_in_a_function(x):
    kept.last = x * 2.0
    return kept.last


def keeps_by_setattr(x):
    setattr(kept, "last", x * 2.0)  # noqa: B010
    return getattr(kept, "last")  # noqa: B009


def keeps_in_its_dict(x):
    vars(kept)["last"] = x * 2.0
    return kept.last


def keeps_in_itself(x):
    keeps_in_itself.last = x * 2.0
    return keeps_in_itself.last


def keeps_in_one_made_here(x):
    def inner(y):
        return y

    inner.last = x * 2.0
    return inner.last


def keeps_in_a_module(x):
    MODULE.last = x * 2.0
    return MODULE.last


MODULE = types.ModuleType("module")


def counts(x):
    kept.count += 1
    return x**2


@pytest.mark.parametrize(
    "f",
    [
        keeps_in_a_function,
        keeps_by_setattr,
        keeps_in_its_dict,
        keeps_in_itself,
        keeps_in_one_made_here,
        keeps_in_a_module,
    ],
)
def test_attributes_of_functions_and_modules_keep_no_active_value(f):
    for derived in (tl.grad, tl.jvp):
        with pytest.raises(tl.DerivativeError, match="cannot write into"):
            derived(f)


def test_attributes_of_functions_count():
    kept.count = 0
    assert tl.grad(counts)(3.0) == 6.0
    assert kept.count == 1


class Scaled:
    """A function that holds a number."""

    def __init__(self, a):
        self.a = a

    def __call__(self, x, y):
        return self.a * x * y


SCALED = Scaled(2.0)


def a_partial_of_an_object(x):
    f = functools.partial(Scaled(x), x)
    g = functools.partial(Scaled(3.0), y=x)
    return f(3.0) * g(2.0)


def a_partial_of_one_outside(x):
    return functools.partial(SCALED, x)(x)


@pytest.mark.parametrize("f", [a_partial_of_an_object, a_partial_of_one_outside])
def test_partials_of_objects_that_are_called(confirm, f):
    confirm(f, 1.3)
