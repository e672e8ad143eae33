"""Generator functions whose loops are left, that run for ever, or that are followed step by step."""

from __future__ import annotations

import collections
import itertools
import math
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tangentlite.errors import UnsupportedSyntaxError
from tests.programs.strict import case, cases, check, label

X = np.array([0.7, 1.3, 0.4])


def newton(a):
    y = a
    yield y
    while True:
        y = 0.5 * (y + a / y)
        yield y


@case(0.7)
def newton_for(x):
    old = 0.0
    for y in newton(x):
        if abs(y - old) < 1e-3:
            break
        old = y
    return y * x


def nest(x, n):
    for i in range(n):
        for j in range(i):
            yield i * x + j * x * x


@case(0.7)
def nested_break(x):
    t = 0.0
    for v in nest(x, 5):
        t += v * v
        if t > 20:
            break
    return t


@case(0.7)
def nested_else(x):
    t = 0.0
    for v in nest(x, 3):
        t += v * v
        if t > 2000:
            break
    else:
        t = t * x
    return t


@case(0.7)
def break_else(x):
    t = 0.0
    for v in nest(x, 5):
        t += v * v
        if t > 5:
            break
    else:
        t = t * x
    return t


@case(0.7)
def cont(x):
    t = 0.0
    for v in newton(x):
        if v < 0.1:
            continue
        t += v
        if t > 3:
            return t * v
    return t


@case(0.7)
def enum(x):
    t = 0.0
    for k, v in enumerate(newton(x), 1):
        t += v * k
        if k == 3:
            break
    return t


@case(0.7)
def outer_loop(x):
    t = 0.0
    for m in range(3):
        for v in nest(x * m, 4):
            t += v
            if t > 3 + m:
                break
    return t


@case(0.7)
def in_place(x):
    def orbit(z, v):
        z = z.copy()
        while True:
            z += 0.1 * v
            v = v - 0.1 * z
            yield z

    t = 0.0
    for k, z in enumerate(orbit(np.array([x, 1.0]), np.array([1.0, x]))):
        t += z[0] * z[1]
        if k == 3:
            break
    return t


@case(0.7)
def body_stores(x):
    a = np.array([x, 2.0, 3.0])

    def walk():
        for i in range(3):
            yield a[i] * x

    for v in walk():
        a[1] = a[1] * v
        if v > 1e6:
            break
    return a[1] * a[0]


@case(0.7)
def rebind(x):
    def gen(y):
        for i in range(4):
            yield y * i

    t = 0.0
    y = x
    for v in gen(y):
        y = y * 2
        t += v * y
        if t > 100:
            break
    return t


@case(0.7)
def captured_changes(x):
    s = x

    def gen():
        while True:
            yield s * s

    t = 0.0
    for v in gen():
        t += v
        s = s * 1.5
        if t > 6:
            break
    return t * s


@case(0.7)
def tree(x):
    def walk(node):
        if node is None:
            return
        l, v, r = node
        yield from walk(l)
        yield v
        yield from walk(r)

    T = ((None, x, None), x * x, (None, 3.0, None))
    t = 0.0
    for v in walk(T):
        t += v * x
        if v > 2:
            break
    return t


@case(0.7)
def yf(x):
    def both(n):
        yield x
        yield from (x**k for k in range(n))
        yield 2 * x

    t = 1.0
    for v in both(3):
        if v > 100:
            break
        t = t * v + v
    return t


@case(0.7)
def gret(x):
    def upto(lim):
        y = x
        while True:
            if y > lim:
                return
            yield y
            y = y * 2

    t = 0.0
    for v in upto(4.0):
        t += v * v
        if t > 1e5:
            break
    else:
        t = t * 2
    return t


@case(0.7)
def postraise(x):
    def it(n):
        y = x
        for i in range(n):
            y = math.cos(y)
            yield y
        raise RuntimeError("no")

    old = 0.0
    for y in it(100):
        if abs(y - old) < 1e-4:
            break
        old = y
    return y * y * x


@case(0.7)
def trybody(x):
    t = 0.0
    for v in newton(x):
        try:
            if v < 0.8:
                raise ValueError
            t += v
            break
        except ValueError:
            t += 1.0 * x
        finally:
            t += 0.1 * x
    return t


def cnt():
    n = 0
    while True:
        yield n
        n += 1


@case(0.7)
def matchbody(x):
    t = 0.0
    for k in cnt():
        match k:
            case 0:
                t += x
            case 3:
                break
            case _:
                t += x * k
    return t


@case(0.7)
def lam(x):
    def g():
        f = lambda v: v * x
        y = x
        while True:
            y = f(y) + 1
            yield y

    for v in g():
        if v > 2:
            break
    return v


@case(0.7)
def zero_trip(x):
    def g(n):
        for i in range(n):
            yield x * i

    v = x
    for v in g(0):
        if v > 2:
            break
    return v * x


@case(0.7)
def inertgen(x):
    def primes():
        n = 2
        while True:
            if all(n % d for d in range(2, n)):
                yield n
            n += 1

    t = 0.0
    for q in primes():
        if q > 12:
            break
        t += x**q
    return t


@case(0.7)
def iter_gen2(x):
    k = 2 * x

    def g():
        for i in range(4):
            yield k * i

    it = g()
    a = next(it)
    b = next(it)
    return a + b * next(it)


def printing(x):
    y = x
    while True:
        y = y * 1.5
        if y < 0:
            print("neg")
        yield y


@case(0.7)
def effects(x):
    for y in printing(x):
        if y > 2:
            break
    return y * x


def walk2(node):
    if node:
        for v in walk2(node[0]):
            yield v
        yield node[1]
        for v in walk2(node[2]):
            yield v


@case(0.7)
def treesum2(x):
    T = ((None, x, None), x * x, (None, 3.0, None))
    t = 0.0
    for v in walk2(T):
        t = t * x + v
    return t


def cnt2():
    n = 0
    while True:
        yield n
        n += 1


@case(0.7)
def cont2(x):
    t = 0.0
    for v in cnt2():
        if v == 1:
            continue
        if v < 3:
            t += x
            if v == 2:
                continue
            else:
                t = t * x
            t += 1.0
        elif v < 5:
            t = t + x * v
        else:
            break
        t = t * 1.5
    return t


@case(0.7)
def nestrec(x):
    def w(n):
        if n > 0:
            yield x**n
            yield from w(n - 1)

    return sum(w(4))


def orbit(z, n):
    z = z.copy()
    for i in range(n):
        z += 0.1 * z
        yield z


@case(X)
def orb_for(x):
    t = 0.0
    for z in orbit(x, 3):
        t += z[0] * z[1]
    return t


@case(X)
def orb_comp(x):
    return sum([z[0] * z[1] for z in orbit(x, 3)])


@case(X)
def orb_sum(x):
    return np.sum(sum(orbit(x, 3))) * x[0]


@case(X)
def orb_list(x):
    l = list(orbit(x, 3))
    return l[0][0] * l[2][1]


@case(X)
def orb_zip_for(x):
    t = 0.0
    for k, z in zip([1.0, 2.0, 3.0], orbit(x, 3)):
        t += k * z[0] ** 2
    return t


def cntr(x, n):
    s = 0.0
    for i in range(n):
        s += x
        yield s


@case(0.7)
def numb(x):
    return sum(v * v for v in cntr(x, 4))


def app(x, n):
    r = []
    for i in range(n):
        r.append(x**i)
        yield r


@case(0.7)
def lists(x):
    t = 0.0
    for r in app(x, 4):
        t += sum(r) * len(r)
    return t


@case(0.7)
def nx(x):
    g = newton(x)
    a = next(g)
    b = next(g)
    c = next(g)
    return a * b * c


@case(0.7)
def nx_for(x):
    g = newton(x)
    a = next(g)
    for v in g:
        if abs(v - a) < 1e-3:
            break
        a = v
    return a * x


@case(0.7)
def two(x):
    g = newton(x)
    h = newton(2 * x)
    t = 0.0
    for k in range(4):
        t += next(g) * next(h)
    return t


def terms(x):
    for k in itertools.count(1):
        y = x**k
        yield y / k


@case(0.7)
def cnt_next(x):
    g = terms(x)
    t = 0.0
    while True:
        term = next(g)
        t += term
        if term < 1e-2:
            break
    return t


def fin(xs):
    for v in xs:
        w = v * v
        yield w
        w = w + 1


@case(X)
def fin_next(x):
    g = fin(x)
    a = next(g)
    b = next(g)
    return a * b


@case(X)
def fin_default(x):
    def fin2(xs):
        for v in xs:
            w = v * v
            yield w

    g = fin2(x)
    t = 0.0
    for i in range(5):
        t += next(g, 2.0 * x[0])
    return t


@case(0.7)
def capt(x):
    k = x

    def gen():
        while True:
            yield k * x

    g = gen()
    a = next(g)
    k = k * 3
    b = next(g)
    return a * b


@case(0.7)
def direct(x):
    return next(newton(x)) * x


def powers(x):
    p = 1.0
    while True:
        yield p
        p *= 1 + x


@case(0.7)
def tk(x):
    return sum(itertools.takewhile(lambda v: v < 5, powers(x)))


@case(0.7)
def tk2(x):
    return [v for v in itertools.takewhile(lambda v: v < 5 * x, powers(x))][-1]


@case(0.7)
def zp(x):
    return sum(a * b for a, b in zip((1.0, 2.0, 3.0), powers(x)))


@case(0.7)
def zp2(x):
    t = 0.0
    for k, v in zip(range(4), powers(x)):
        t += k * v
    return t


@case(X)
def zp3(x):
    t = 0.0
    for k, v in zip(x, powers(x[0])):
        t += k * v
    return t


@case(0.7)
def isl(x):
    t = 0.0
    for v in itertools.islice(powers(x), 2, 5):
        t += v * v
    return t


@case(0.7)
def isl2(x):
    a, b, c = itertools.islice(powers(x), 3)
    return a * b * c


@case(0.7)
def mapg(x):
    return sum(map(lambda v: v * v, itertools.islice(powers(x), 3)))


@case(0.7)
def arr(x):
    return np.sum(np.array(list(itertools.islice(powers(x), 3))) ** 2)


def test_what_a_nested_generator_captures_is_read_when_it_goes_on() -> None:
    def f(x):
        scale = x

        def gen():
            for _ in range(4):
                yield scale

        t = 0.0
        for v in gen():
            t += v
            scale = scale * 2
        return t

    assert tl.grad(f)(0.7) == 15.0


@case(0.7)
def kept_in_a_comprehension(x):
    rows = [v for v in itertools.islice(powers(x), 3)]
    return rows[0] + rows[1] * rows[2]


def keeps_what_changes(x):
    rows = [z for z in orbit(x, 3)]
    return rows[0][0] * rows[2][1]


@case(0.7)
def rebinds_what_is_captured(x):
    k = 2 * x

    def g():
        for i in range(4):
            yield k * i

    it = g()
    a = next(it) + next(it)
    k = k * x
    return a * next(it)


def first_of_arrays(x):
    def running(v):
        while True:
            v += x
            yield v

    rows = [v for v in itertools.islice(running(x * 1.0), 3)]
    return np.sum(rows[0] * rows[1])


def parts(x):
    yield from [x[0], x[1] ** 2]
    yield from (v * 2.0 for v in x if v < 1.0)


@case(X)
def several_yield_from(x):
    return sum(v * (k + 1) for k, v in enumerate(parts(x))) + max(parts(x))


@case(X)
def yield_from_as_an_array(x):
    return np.array(list(parts(x)))[:3] @ x


@case(X)
def yield_from_one_by_one(x):
    values = parts(x)
    return next(values) * next(values) + sum(values)


def averager():
    total, n, mean = 0.0, 0, 0.0
    while True:
        v = yield mean
        total += v
        n += 1
        mean = total / n


@case(X)
def sends(x):
    a = averager()
    next(a)
    return sum(a.send(v * v) * (k + 1) for k, v in enumerate([x[0], x[1]])) + a.send(x[2])


@case(X)
def sends_in_a_loop(x):
    a, b = averager(), averager()
    next(a)
    next(b)
    s = 0.0
    for v in x:
        s = s * b.send(v) + a.send(v * v)
    return s


@case(X)
def what_is_sent_decides(x):
    def counter(k):
        while k < 10:
            step = yield k * x[0]
            k += 1 if step is None else step

    c = counter(1)
    a = next(c)
    b = c.send(3)
    return a + b * next(c) + next(c, x[1]) * next(c, x[2])


def of_part(xs):
    s = 0.0
    for v in xs:
        yield v
        s += v * v
    return s


def of_parts(x):
    a = yield from of_part(x[:2])
    b = yield from of_part(x[1:])
    yield a * b


@case(X)
def values_of_yield_from(x):
    s = 0.0
    for v in of_parts(x):
        s = s * 0.5 + v
    return s * sum(of_parts(x))


@case(X)
def sends_to_a_generator_inside(x):
    def inner():
        a = yield 1.0
        b = yield a * x[0]
        return a + b

    def outer():
        r = yield from inner()
        z = yield r * x[1]
        yield z * r

    c = outer()
    next(c)
    return c.send(x[2]) * c.send(x[0]) + c.send(2.0)


@case(X)
def closes(x):
    log = []

    def g():
        try:
            while True:
                v = yield
                log.append(v * x[0])
        finally:
            log.append(x[1])

    c = g()
    next(c)
    c.send(x[2])
    c.send(x[1] * x[1])
    c.close()
    return log[0] * log[1] * log[2] + next(c, 2.0)


@case(X)
def rests_inside_of_try(x):
    def g(xs):
        i = 0
        while True:
            try:
                yield xs[i]
            except IndexError:
                return
            i += 1

    s = 0.0
    for v in g(list(x)):
        s = s * 0.5 + v * v
    return s


@case(X)
def rests_in_nested_loops(x):
    def g():
        for i in range(2):
            for j in range(i + 1):
                yield x[i] * x[j + 1]
            yield x[2]

    it = g()
    s = 0.0
    for _ in range(5):
        s = s * 0.5 + next(it)
    return s + next(it, 2.0)


@case(X)
def takes_what_is_left(x):
    def g():
        k = x[0]
        for _ in range(4):
            yield k
            k = k * x[1]

    it = g()
    a = next(it)
    b, *rest = list(it)
    return a * b * sum(rest) + len(list(it))


@case(X)
def unpacks(x):
    def g():
        yield x[0]
        yield x[1] * x[2]

    a, b = g()
    return a * b + max(*g()) + [*g()][1]


@case(X)
def moves_a_window(x):
    def windows(xs, n):
        q = collections.deque(maxlen=n)
        for v in xs:
            q.append(v)
            if len(q) == n:
                yield tuple(q)

    return sum(a * b for a, b in windows(x, 2))


@case(X)
def shares_a_list_with_its_generator(x):
    def g(items):
        while True:
            items[0] = items[0] * 2
            yield items

    items = [x[0], x[1]]
    it = g(items)
    a = next(it)
    a[1] = x[2]
    b = next(it)
    return a[0] * b[1] + items[0]


@case(np.array([0.4, 1.3, 0.7], np.float32))
def sends_narrow_numbers(x):
    a = averager()
    next(a)
    a.send(x[0])
    return a.send(x[1] * x[2])


@case(X)
def unpacked(x):
    a, b, c = (v * x[0] for v in x)
    a, *rest = (v * a for v in (b, c, a))
    x, y = (v * v for v in rest)
    return a * x + y * c


def test_sent_too_early() -> None:
    def early(x):
        a = averager()
        return a.send(x)

    with pytest.raises(TypeError, match="just-started"):
        tl.grad(early)(0.7)


def test_refused() -> None:
    with pytest.raises(tl.UnsupportedSyntaxError, match="yield"):
        tl.grad(keeps_what_changes)(X)
    with pytest.raises(tl.AliasError, match="has yielded"):
        tl.grad(first_of_arrays)(X)


@pytest.mark.parametrize(("function", "args", "options"), cases(__name__), ids=label)
def test_programs(function: Any, args: Any, options: Any) -> None:
    check(function, *args, **options)


def running(a):
    total = 0.0
    for i in range(3):
        total += a[i] * a[i]
        yield total
        a[0] = total


def doubled(a):
    for i in range(3):
        a[0] = a[0] * 2
        yield a[0] * i


def handed_on(a):
    yield from doubled(a)


def written_between(x):
    b, s = x.copy(), 0.0
    for v in running(b):
        s += v * b[0]
    return s


def written_under_another_name(x):
    b, s = x.copy(), 0.0
    c = b
    for v in running(b):
        s += v * c[0]
    return s


def written_by_the_one_that_is_handed_on(x):
    b, s = x.copy(), 0.0
    for v in handed_on(b):
        s += v * b[0]
    return s


@pytest.mark.parametrize(
    "function", [written_between, written_under_another_name, written_by_the_one_that_is_handed_on]
)
def test_what_a_generator_writes_is_read_between_its_elements(function):
    check(function, np.array([1.3, 0.4, 0.6]), second=False)


def one_beside_another(x):
    b = x.copy()
    return sum([v * w for v, w in zip(doubled(b), doubled(b))])


def summed_with_what_was_written(x):
    b = x.copy()
    return sum(v * b[0] for v in doubled(b))


@pytest.mark.parametrize("function", [one_beside_another, summed_with_what_was_written])
def test_what_would_be_written_too_early_is_refused(function):
    with pytest.raises(UnsupportedSyntaxError):
        tl.grad(function)(np.array([1.3, 0.4, 0.6]))


def asks_in_a_condition(x):
    def given(n):
        t = x
        while True:
            t = t * x
            if (yield t) is None:
                t = t * 2
            if t > n:
                return

    return sum_of(given(3.0), x)


def sum_of(values, x):
    s = 0.0
    for v in values:
        s += v * x
        if s > 100.0:
            break
    return s


def asks_in_an_if(x):
    def given(n):
        t = x
        while True:
            t = t * x
            if (yield t) is None:
                pass
            if t > n:
                return

    s = 0.0
    for v in given(3.0):
        s += v * x
    return s


def asks_in_a_while(x):
    def given():
        while (yield x) is not None:
            pass

    s = 0.0
    for v in given():
        s += v * x
    return s


def asks_in_a_for(x):
    def given():
        for k in (yield x) or (1, 2):
            yield k * x
            if k > 3:
                return

    s = 0.0
    for v in given():
        s += v * x
    return s


def yields_what_is_sent(x):
    def given():
        while True:
            yield (yield x)

    s = 0.0
    for v in given():
        s += (v or x) * x
        if s > 5.0:
            break
    return s


@pytest.mark.parametrize(
    "function",
    [asks_in_a_condition, asks_in_an_if, asks_in_a_while, asks_in_a_for, yields_what_is_sent],
)
def test_a_generator_that_decides_by_what_is_sent_is_refused_or_right(function):
    try:
        found = tl.grad(function)(1.3)
    except UnsupportedSyntaxError:
        return
    assert found == pytest.approx((function(1.3 + 1e-6) - function(1.3 - 1e-6)) / 2e-6, rel=1e-6)


def yielded_by_a_lambda(x):
    given = lambda: (yield x)  # noqa: E731
    s = 0.0
    for v in given():
        s += v * x
    return s


def test_a_lambda_that_yields():
    assert tl.grad(yielded_by_a_lambda)(1.3) == pytest.approx(2.6)


def pairs_of_nested_loops(x):
    y, s = x * 1.0, 0.0

    def given():
        for k in range(3):
            for j in range(k):
                y[j] *= 2
                yield j, y[j]
            else:
                y[2] += 1

    for j, v in given():
        s += v * y[2]
    return s + y.sum() + v * j


def last_of_nested_loops(x):
    y, s, v = x * 1.0, 0.0, x[0]

    def given(n):
        for k in range(n):
            for j in range(k):
                y[j] *= 2
                yield y[j]
            else:
                y[2] += 1

    for v in given(1):
        s += v
    it = given(3)
    a = next(it)
    for v in it:
        s += v * a
    return s + v * a + next(it, x[2]) + y.sum()


@pytest.mark.parametrize("function", [pairs_of_nested_loops, last_of_nested_loops])
def test_what_the_last_trip_bound_stays(function):
    check(function, np.array([1.3, 0.4, 0.6]), second=False)


def writes_while_it_yields(a, x):
    for _ in range(2):
        a[0] = a[0] * 2
        yield a[0] * x


def taken_beside_counters(x):
    a = [x, x]
    pairs = [u for u, _ in zip(writes_while_it_yields(a, x), range(2))]
    return pairs[0] * a[0]


def taken_by_a_comprehension(x):
    a = [x, x]
    return sum(u * a[0] for u in writes_while_it_yields(a, x))


@pytest.mark.parametrize("function", [taken_beside_counters, taken_by_a_comprehension])
def test_a_generator_that_writes_is_refused_where_it_is_taken(function: Any) -> None:
    with pytest.raises(UnsupportedSyntaxError, match="writes_while_it_yields") as caught:
        tl.grad(function)
    assert caught.value.place.line > function.__code__.co_firstlineno
    assert "in a loop" in caught.value.hint
