"""The keys that a loop walks over are read again backward, whatever became of the dict meanwhile."""

import numpy as np
import pytest

import tangentlite as tl


def squares(p, x):
    s = 0.0
    for k in p:
        s = s + np.sum(p[k] ** 2) * x
    return s * np.sum(p["a"])


def items(p, x):
    return np.sum(p["b"] * x) + sum(np.sum(v**2) for k, v in p.items()) * np.sum(p["a"])


def changed_behind(p, x):
    s = 0.0
    for k in p:
        s = s + np.sum(p[k] ** 2)
    p["a"] = p["a"] * 2.0
    return s * np.sum(p["a"]) * x


def changed_inside(p, x):
    for k in p:
        p[k] = p[k] * np.sum(p[k]) * x
    return np.sum(p["a"]) + np.sum(p["b"] ** 2)


def bound_again(p, x):
    s = 0.0
    for k in p:
        k = k.lower()
        s = s + np.sum(p[k] ** 2) * x
    return s


def nested(p, x):
    s = 0.0
    for k in p:
        for m in p:
            s = s + np.sum(p[k]) * np.sum(p[m] ** 2) * x
    return s


def by_branches(p, x):
    s = 0.0
    for k in p:
        if k != "b":
            s = s + np.sum(p[k] ** 3) * x
        else:
            s = s * np.sum(p[k])
    return s


def with_values_kept(p, x):
    s = x
    for k in sorted(p):
        s = np.sin(s) * np.sum(p[k])
    return s


ALL = (
    squares,
    items,
    changed_behind,
    changed_inside,
    bound_again,
    nested,
    by_branches,
    with_values_kept,
)


@pytest.mark.parametrize("f", ALL, ids=lambda f: f.__name__)
def test_gradients(f):
    def given():
        return {"a": np.array([0.5, 0.7]), "b": np.array([[0.3], [1.1]]), "c": 0.4}

    df, h = tl.grad(f, wrt=(0, 1)), 1e-6
    for _ in range(3):
        found, slope = df(given(), 0.8)
    assert [*found] == ["a", "b", "c"]
    ahead, behind = f(given(), 0.8 + h), f(given(), 0.8 - h)
    np.testing.assert_allclose(slope, (ahead - behind) / (2 * h), rtol=1e-6)
    for key, part in given().items():
        for place in np.ndindex(np.shape(part)):
            values = []
            for sign in (h, -h):
                p = given()
                if place:
                    p[key][place] += sign
                else:
                    p[key] += sign
                values.append(f(p, 0.8))
            wanted = (values[0] - values[1]) / (2 * h)
            got = found[key][place] if place else found[key]
            np.testing.assert_allclose(got, wanted, rtol=1e-5, atol=1e-8)


def test_no_loop_is_run_for_keys():
    def penalty(p):
        return sum(np.sum(v**2) for k, v in p.items())

    df = tl.grad(penalty)
    df({"a": np.ones(2), "b": np.ones(2)})
    text = df.source.split("\n\n")[0]
    assert text.count("for i in") == 1 and "tape" not in text
