"""Lists and tuples of numbers beside arrays, and in ufuncs: NumPy takes them for arrays, and spreads them."""

from __future__ import annotations

import numpy as np
import pytest

import tangentlite as tl
from tests.programs.strict import case, cases, check, label

X = np.array([0.4, 1.1, -0.7, 0.9])
W = np.arange(1.0, 5.0)
M = np.array([[1.0, 2.0], [3.0, 4.0]])


def table(x):
    return np.outer(x[:2], x[2:])


@case(X)
def a_column(x):
    return np.sum(table(x) * [[2.0], [x[3]]] * M)


@case(X)
def a_row(x):
    return np.sum([2.0, x[3]] * table(x) * M)


@case(X)
def in_place(x):
    a = table(x)
    b = a
    a *= [2.0, x[3]]
    a -= [[x[0]], [x[1]]]
    return np.sum(b * M)


@case(X)
def parts_in_place(x):
    a = x * 2.0
    a[1:] += [x[0]]
    a[0] = (a + (x[0],))[1]
    return np.sum(a * W)


@case(X)
def constants(x):
    a, b = x * [[1], [2]], x / [3.0, 4.0, 5.0, 6.0]
    return np.sum(a * a * b) + np.sum((1, 2, 3, 4) * x)


@case(X)
def ufuncs(x):
    return np.sum(np.add([x[0]], x) * W) + np.sum(np.multiply(x, [[x[3]], [x[1]]]))


@case(X)
def where_and_clip(x):
    a = np.where(x > 0, [x[1]], x) + np.clip(x, a_min=[x[2]], a_max=[x[1] * 0.9])
    return np.sum(a * W)


@case(X)
def filled_in_a_loop(x):
    xs = []
    for k in range(2):
        xs.append(x[k])
    return np.sum(np.outer(x, x[:2]) * xs * W[:, None])


@case(X)
def in_a_comprehension(x):
    return np.sum(x * [[v] for v in x] * W)


@case(X)
def methods_of_products(x):
    a = x.copy()
    a *= [1, 2, 3, 4]
    y = (np.exp(x) * [1, 2, 3, 4]).sum() + ((x + 1) * [1, 2, 3, 4] - [0.1, 0.2, 0.3, 0.4]).max()
    return y + a.sum() + (x * [1, 2, 3, 4]).reshape(2, 2).T[0, 1]


@case(X)
def methods_of_what_a_closure_gives(x):
    def g(t):
        return t * [1, 2, 3, 4]

    return g(x).sum() + sum(g(x) ** 2)


@case(X)
def arrays_of_functions_that_always_make_them(x):
    a = np.take_along_axis(x, np.argsort(x), 0) * [1, 2, 3, 4] + np.cumsum(x) * [1, 2, 3, 4]
    b = np.gradient(x) * [1, 2, 3, 4] + np.diff(x, append=0) * [1, 2, 3, 4]
    c = np.interp(x, [0, 1], [0, 2]) * [1, 2, 3, 4] + np.convolve(x, [1, 2], "same") * [4, 3, 2, 1]
    d = np.take(x, [0, 1, 1, 3]) * [1, 2, 3, 4] + np.repeat(x[:2], 2) * [1, 2, 3, 4]
    return np.sum(a * b * W) + (c * d).sum()


@case(X)
def repeated_as_before(x):
    n = 3
    xs, t = [x[0], x[1]] * n, n * (x[2],)
    return sum(xs) * sum(t)


@case(X)
def stored(x):
    a = np.zeros((2, 2))
    a[:] = [[x[0]], [x[1]]]
    a[0] = [x[2] * x[1]]
    a[:, 1] -= (x[3],)
    return np.sum(a * a * M)


@case(X)
def added_at_places(x):
    a = x.copy()
    a[[0, 2]] += [x[1]]
    a[1:3] *= [x[3]]
    np.add.at(a, [0, 1, 1], [x[0]])
    np.put(a, [2, 3], [x[1]])
    return np.sum(a * W)


def crossed(n):
    k = np.repeat(np.arange(n), 1)
    return k.reshape(-1, 1), k[::-1].reshape(1, -1)


@case(X)
def added_at_tuples_of_places(x):
    a, rows = np.zeros((2, 2)), np.zeros((2, 2, 2))
    i, j = crossed(2)
    np.add.at(a, (i.reshape(-1), j.reshape(-1)), x[0])
    np.subtract.at(a, (1, [0, 0]), [x[1], x[2]])
    np.add.at(rows, (slice(None), i, j), a * x[3])
    return np.sum(a * a * M) + np.sum(rows * rows * M)


@case(X)
def written_by_functions(x):
    a = np.zeros(4)
    np.copyto(a[1:], [x[1]])
    np.add(a, [x[2]], out=a)
    b = np.full((2, 4), [x[3]]) + np.broadcast_to([x[2]], (2, 4))
    return np.sum(a * W) + np.sum(b * b * W)


@case(X, second=False)
def arrays_spread_over_an_axis(x):
    a = np.zeros((2, 3, 4))
    a[:] = [x, x * x, x * x[0]]
    return np.sum(a * a * np.arange(24.0).reshape(2, 3, 4))


@case(X, second=False)
def arrays_that_are_spread(x):
    a = np.zeros((2, 3, 4))
    a[0] = [x[:1], x[1:2], x[2:3] * x[3]]
    a[1, 1:] = (x, x * 2.0)
    return np.sum(a * a * np.arange(24.0).reshape(2, 3, 4))


def test_a_list_and_a_number_are_no_array():
    def f(x):
        xs = [x[0], x[1]]
        return np.sum(xs - 3.0)

    with pytest.raises(tl.UnsupportedSyntaxError, match="between a list and a number"):
        tl.grad(f)(X)


def products_in_turn(x):
    for _ in range(2):
        x = np.dot(x, x)
    return np.sum(x)


def sums_in_turn(x):
    for spec in ("ij,jk", "ji,jk"):
        x = np.einsum(spec, x, x)
    return np.sum(x)


@pytest.mark.parametrize("f", [products_in_turn, sums_in_turn])
def test_a_list_that_becomes_an_array_is_no_array(confirm, f):
    confirm(f, M / 5.0)
    for derivative in (tl.grad(f), lambda x: tl.jvp(f)(x, tangent=x)):
        with pytest.raises(tl.UnsupportedSyntaxError, match="values of different kinds"):
            derivative(M.tolist())


@case(X)
def what_may_be_a_list_is_only_read(x):
    widths, total = (0.3, 0.7), 0.0
    for k in range(2):
        width = widths if k > 2 else widths[k]
        bell = np.exp(-np.divide(np.arange(4.0), width))
        total = total + np.sum(x * x * bell)
    return total


@case(M.tolist())
def numbered_axes_of_lists(x):
    first = [0, 1]
    return np.sum(np.einsum(x, [Ellipsis, 1], x, [1, 2], [Ellipsis, 2]) ** 2) + np.sum(
        np.einsum(x, first, [1.0, 2.0], first[1:])
    )


@case(M.tolist())
def products_of_lists(x):
    y = np.sum(np.dot(x, x) ** 2) + np.sum(np.outer(x, x) ** 2) + np.sum(np.inner(x, x) ** 2)
    return y + np.sum(np.einsum("ij,jk,kl", x, x, x) ** 2) * 0.01


@case(M.tolist())
def a_system_of_lists(x):
    return np.sum(np.linalg.solve(x, x[0]) ** 2)


@case(M.tolist())
def a_row_beside_all_of_them(x):
    a, b = np.broadcast_arrays(x[0], x)
    return np.sum(a**2 * b)


@case(M.tolist())
def a_product_of_several_lists(x):
    return np.sum(np.linalg.multi_dot([[[1.0, 2.0]], x, x, x[0]]) ** 2)


def squares_first(x):
    items = []
    items.append(x[1] ** 2)
    items.append(x[0])
    return items


@case(X)
def an_array_of_what_a_helper_collects(x):
    return np.array(squares_first(x)) @ x[:2]


@case(X)
def an_array_of_nested_lists_of_a_helper(x):
    rows = [squares_first(x), squares_first(x[2:])]
    return np.sum(np.array(rows) @ x[:2] * x[2:])


@pytest.mark.parametrize("function, args, options", cases(__name__), ids=label)
def test_program(function, args, options):
    check(function, *args, **options)


def sliced_and_asked(x):
    back = x[::-1]
    return back.index(x[0]) * x[1] + back.count(x[2]) * x[0] ** 2


def sliced_and_changed(x):
    back = x[::-1]
    back.insert(1, x[0])
    back.extend([x[1]])
    del back[0]
    return sum(k * v * v for k, v in enumerate(back))


@pytest.mark.parametrize("f", [sliced_and_asked, sliced_and_changed], ids=lambda f: f.__name__)
def test_what_is_sliced_may_be_a_list(f):
    """Methods that arrays lack are waited for: the derivative is written when it is called with a list."""
    x = [0.5, 1.2, -0.7]
    expected = [
        (f([*x[:k], x[k] + 1e-6, *x[k + 1 :]]) - f([*x[:k], x[k] - 1e-6, *x[k + 1 :]])) / 2e-6
        for k in range(3)
    ]
    assert tl.grad(f)(x) == pytest.approx(expected)
    with pytest.raises(tl.DerivativeError):
        tl.grad(f)(np.array(x))
