"""Names that ask for trouble: builtins shadowed, types that change, branches, names of generated text, `del`, letters of all kinds."""

from __future__ import annotations

import linecache
import math
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tests.programs.strict import case, cases, check, label

X = np.array([0.4, 1.3, 0.7])


@case(X)
def shadow_in_loop(x):
    for len in range(3):
        range_ = len
        x = x * (len + 1.0)
    max = x[0]
    min = x[1]
    print = max * min
    return print * range_


@case(X)
def shadow_list(x):
    list = [v * v for v in x]
    tuple = (list[0], list[1])
    dict = {"a": tuple[0]}
    return dict["a"] * tuple[1]


@case(X)
def shadow_isinstance(x):
    isinstance = x[0]
    vars = x[1]
    setattr = x[2]
    class_ = isinstance * vars * setattr
    a = x * 1.0
    a += x
    return class_ * np.sum(a)


@case(X)
def shadow_float_type(x):
    float = 2.0
    int = 3
    type = x * float
    return np.sum(type) * x[int - 1]


@case(0.7)
def none_first(x):
    best = None
    for i in range(4):
        v = x * (i - 1.5) ** 2
        if best is None or v < best:
            best = v
    return best * x


@case(X)
def int_then_array(x):
    acc = 0
    for v in x:
        acc = acc + v * x
    return np.sum(acc * acc)


@case(0.7)
def branch_types(x):
    if x > 0.5:
        y = x
    else:
        y = 2
    return y * x


@case(0.7)
def branch_none(x):
    y = None
    if x > 0.5:
        y = x * x
    return x if y is None else y * x


@case(0.7)
def unbound_branch_unused(x):
    if x > 10.0:
        extra = x * 5.0
    y = x * x
    if x > 10.0:
        y = y * extra
    return y


@case(0.7)
def generated_like(x):
    t1 = x
    t2 = t1 * x
    bt1 = t2 * t1
    dt1 = bt1 + t2
    saved = dt1
    y = saved * bt1
    by = y * 2.0
    y_1 = by
    x_1 = y_1 * x
    bx_1 = x_1
    by_1 = bx_1
    done = True
    trips = 0
    taken = False
    while not taken:
        trips += 1
        by_1 = by_1 * x
        taken = trips > 2
    return by_1


def t3(x):
    return x * x


def bx(x):
    return x * 3.0


def rt(x):
    return np.sin(x)


def f_forward(x):
    return x * 2.0


def f_backward(x):
    return x * 5.0


def f(x):
    return x * x * x


@case(0.7)
def globals_like_generated(x):
    return t3(x) * bx(x) * rt(x) + f(x) * f_forward(x) * f_backward(x)


@case(0.7)
def unicode_(x):
    α, β = x, x * x
    名 = α * β
    ﬁ = 名 * 2.0  # ligature, normalised to fi by Python
    return fi * x


@case(0.7)
def del_and_rebind(x):
    y = x * x
    del y
    y = x * 3.0
    z = [y, x]
    del z[0]
    w = z[0] * y
    del z, y
    return w


@case(0.7)
def del_in_branch(x):
    y = x * x
    if x > 0.5:
        z = y * x
        del y
    else:
        z = y
    return z


@case(0.7)
def del_in_loop(x):
    s = x
    for i in range(3):
        t = s * x
        s = t + i
        del t
    return s


@case(X)
def comp_var_shadow(x):
    v = x[0] * 2.0
    w = [v * 2.0 for v in x]
    return v * w[1] + sum(v for v in w)


@case(0.7)
def nested_shadow(x):
    def x_(x):
        return x * x

    def g(y):
        x = y * 2.0
        return x_(x) * y

    return g(x) * x


@case(0.7)
def name_like_function(x):
    name_like_function = x * x
    return name_like_function * x


@case(0.7)
def except_name(x):
    e = x * 2.0
    try:
        y = math.sqrt(-1.0) * x
    except ValueError as err:
        y = x * x
    return y * e


@case(0.7)
def walrus_in_comp(x):
    ys = [(q := x * k) * q for k in range(3)]
    return sum(ys) * q


@case(X)
def starred_name(x):
    *x, last = x
    return x[0] * last * x[1]


@case(0.7)
def keyword_soft(x):
    match = x * x
    case = match * x
    _ = case
    type = 2.0
    match case:
        case case2 if case2 > 0.1:
            return case2 * match
        case _:
            return match
    return _


@case(0.7)
def numpy_submodule_names(x):
    linalg = x * x
    random = linalg * 2.0
    fft = random + x
    return np.linalg.norm(np.array([linalg, fft])) * random


@case(0.7)
def loopvar_after(x):
    for i in range(3):
        pass
    for j in []:
        i = 100
    return x**i * x


@case(0.7)
def augmented_types(x):
    y = 1
    y += x
    y **= 2
    y -= 1
    y /= x
    y //= 1
    return y * x


@case(X)
def swap(x):
    a, b, c = x
    a, b = b, a
    a, b, c = c * a, a, b
    return a * b + c * c


@case(X)
def private(x):
    __x = x
    __x__ = __x * 2.0
    _ = __x__
    __ = _ * __x
    return np.sum(__)


@case(0.7)
def np_rebound(x):
    import_ = np.sin(x)
    np_ = np
    return np_.cos(import_) * x


@case(True, 0.7)
def flag_named_by(by, seed):
    return seed * seed if by else seed


@case(0.7)
def adjoint_names(adjoint):
    tangent = adjoint * adjoint
    return tangent * adjoint


@case(0.7, 0.3)
def adjoint_param(x, adjoint):
    return x * x * adjoint


@pytest.mark.parametrize(("function", "args", "options"), cases(__name__), ids=label)
def test_program(function: Any, args: Any, options: Any) -> None:
    check(function, *args, **options)


EVERYTHING = """
def p(x{parameter}):
    {binding}
    s = x[0]
    for v in x:
        s = s * v + v
        if s > 5.0:
            break
    k = 0
    while k < 2:
        s = s * x[1] if s > 1.0 else s + x[2]
        k = k + 1
    a = x.copy()
    a[0] = s * x[1]
    a += x
    items = [s, s * x[0]]
    table = {{"k": s}}
    table["j"] = items[1]
    return (np.sum(a * a) + items.pop() * table["j"]) * {name}
"""
BUILTINS = "len isinstance type float zip enumerate tuple list dict vars sum max slice".split()


def everything(name: str, binding: str, parameter: str) -> Any:
    text = EVERYTHING.format(name=name, binding=binding, parameter=parameter)
    file = f"<a program with {name}{parameter}>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    space: dict[str, Any] = {"np": np}
    exec(compile(text, file, "exec"), space)
    return space["p"]


@pytest.mark.parametrize("name", BUILTINS)
def test_names_of_builtins(name: str) -> None:
    expected = 2.0 * tl.grad(everything("1.0", "pass", ""))(X)
    np.testing.assert_allclose(tl.grad(everything(name, f"{name} = 2.0", ""))(X), expected)
    np.testing.assert_allclose(tl.grad(everything(name, "pass", f", {name}=2.0"))(X), expected)


@pytest.mark.parametrize("name", ["range", "reversed"])
def test_what_loops_walk_over_is_not_rebound(name: str) -> None:
    for binding, parameter in ((f"{name} = 2.0", ""), ("pass", f", {name}=2.0")):
        with pytest.raises(tl.UnsupportedSyntaxError, match=f"`{name}` is rebound here") as caught:
            tl.grad(everything(name, binding, parameter))
        assert caught.value.place
        assert "another name" in caught.value.hint


def test_parameters_called_as_seeds_are() -> None:
    def f(x, adjoint, tangent):
        return x * x * adjoint * tangent

    assert tl.grad(f)(0.5, 2.0, 3.0) == tl.grad(f)(0.5, adjoint=2.0, tangent=3.0) == 6.0
    assert tl.jvp(f)(0.5, 2.0, 3.0, dx=1.0) == (1.5, 6.0)
    assert tl.grad(f)(0.5, 2.0, 3.0, by=2.0) == 12.0
