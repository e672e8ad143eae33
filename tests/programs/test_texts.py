"""Numbers that pass through text: no derivative goes with them, so that reading them again is refused; texts that are only shown are fine."""

from __future__ import annotations

import ast
import decimal
import io
import logging
import os
import pathlib
import re
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tests.programs.strict import case, cases, check, label

X = np.array([0.4, 1.3, 0.7, 2.1])
REFUSED: list[tuple[Any, Any]] = []


def refused(*args):
    def add(function):
        REFUSED.append((function, args))
        return function

    return add


class Named:
    def __init__(self, v):
        self.v = v

    def __str__(self):
        return f"P {self.v}"

    def __format__(self, spec):
        return format(self.v, spec)


class Log:
    def __init__(self):
        self.lines = []

    def say(self, v):
        self.lines.append(f"{v!r}")

    def total(self):
        return sum(float(line) for line in self.lines)


def report(v, tag):
    print(f"{tag}: {v}")
    return v * 2


def parse(text):
    return [float(t) for t in text.split(",")]


@refused(X)
def through_literal(x):
    return ast.literal_eval(repr(x.tolist()))[0] * x[1]


@refused(0.7)
def through_decimal(x):
    return float(decimal.Decimal(str(x))) * x


@refused(0.7)
def through_re(x):
    return float(re.match(r"(.*)", f"{x}").group(1)) * x


@refused(X)
def through_sorted(x):
    t = sorted(str(v) for v in x)
    return float(t[0]) * x[1]


@refused(X)
def through_userstr(x):
    p = Named(x[0])
    return float(str(p).split()[1]) * x[1]


@refused(X)
def through_userformat(x):
    return float(f"{Named(x[0]):.15f}") * x[1]


@refused(X)
def through_branch(x):
    y = str(x[0]) if x[0] > 0 else x[0]
    return float(y) * x[1]


@refused(X)
def through_closure(x):
    t = f"{x[0]:.15f}"

    def g():
        return float(t)

    return g() * x[1]


@refused(X)
def through_dictkeys(x):
    d = {}
    for v in x:
        d[repr(float(v))] = 1.0
    return sum(float(k) for k in d) * x[0]


@refused(X)
def through_set(x):
    d = {str(v) for v in x}
    return sum(float(k) for k in d) * x[0]


@refused(X)
def through_log(x):
    l = Log()
    for v in x:
        l.say(float(v))
    return l.total() * x[0]


@refused(X)
def through_exc(x):
    try:
        raise ValueError(f"{x[0]:.15f}")
    except ValueError as e:
        return float(str(e)) * x[1]


@refused(X)
def through_exc2(x):
    try:
        raise ValueError(x[0])
    except ValueError as e:
        return float(str(e)) * x[1]


@refused(X)
def through_map(x):
    return sum(map(float, map(str, x))) * x[0]


@refused(X)
def through_gen(x):
    def g():
        for v in x:
            yield str(v)

    return sum(float(t) for t in g()) * x[0]


@refused(X)
def through_asarray(x):
    return np.asarray([str(v) for v in x]).astype(float) @ x


@refused(X)
def through_arrstr(x):
    return np.fromstring(np.array2string(x, precision=17)[1:-1], sep=" ") @ x


@refused(X)
def through_replace(x):
    return float(str(x[0]).replace("0", "0")) * x[1]


@refused(X)
def through_slice(x):
    return float(str(x[0])[:8]) * x[1]


@refused(X)
def through_plus(x):
    return float("1" + str(x[0])) * x[1]


@refused(X)
def through_unpack(x):
    a, b = f"{x[0]!r} {x[1]!r}".replace("np.float64(", "").replace(")", "").split()
    return float(a) * x[1]


@refused(X)
def through_repeat(x):
    return float(str(x[0]) * 1) * x[1]


@refused(X)
def through_default(x):
    d = {"k": str(x[0])}
    return float(d.get("k", "0")) * x[1]


@refused(X)
def through_bytes(x):
    return float(str(x[0]).encode().decode()) * x[1]


@refused(0.7)
def through_str(x):
    return float(str(x)) * x


@refused(0.7)
def through_f(x):
    return float(f"{x:.12f}") * x


@refused(X)
def through_from(x):
    return np.sum(np.fromstring(" ".join(map(str, x.tolist())), sep=" ") * x)


@refused(X)
def through_split(x):
    return np.sum(np.array(" ".join(str(v) for v in x).split(), float) * x)


@refused(0.7)
def through_repr(x):
    return float(repr(x)) * x


@refused(0.7)
def through_pct(x):
    return float("%r" % x) * x


@refused(0.7)
def through_format(x):
    return float("{:.12f}".format(x)) * x


@refused(0.7)
def through_format2(x):
    return float(format(x, ".12f")) * x


@refused(0.7)
def through_helper(x):
    def text(v):
        return f"{v}"

    def num(t):
        return float(t)

    return num(text(x)) * x


@refused(X)
def through_list(x):
    rows = []
    for v in x:
        rows.append(f"{v}")
    return sum(float(r) for r in rows) * x[0]


@refused(X)
def through_dict(x):
    d = {"a": str(x[0])}
    return float(d["a"]) * x[1]


@refused(X)
def through_buf(x):
    b = io.StringIO()
    b.write(f"{x[0]}")
    return float(b.getvalue()) * x[1]


@refused(X)
def through_printbuf(x):
    b = io.StringIO()
    print(x[0], file=b)
    return float(b.getvalue()) * x[1]


@refused(X)
def through_obj(x):
    class T:
        def __init__(self, v):
            self.t = str(v)

        def num(self):
            return float(self.t)

    return T(x[0]).num() * x[1]


@refused(X)
def through_concat(x):
    s = ""
    for v in x:
        s += str(v) + ","
    return sum(float(p) for p in s.split(",") if p) * x[0]


@refused(X)
def through_complex(x):
    return complex(str(x[0])).real * x[1]


@case(X, 3)
def fine_inactive(x, n):
    h = 1.0 / n
    k = float(f"{h:.3f}")
    label = f"{x[0]:.3f}"
    print(label)
    return np.sum(x**2) * k


@case(X)
def fine_words(x):
    def name(v):
        return f"v{v:.0f}"

    table = {name(v): v for v in x}
    s = 0.0
    for k, v in table.items():
        if k.startswith("v"):
            s = s + v * v
    return s


@case(X)
def fine_helper(x):
    return report(x[0], f"tag {x[1]:.1f}") ** 2


@case(X)
def fine_parse(x):
    print(f"{x}")
    a, b = parse("1.5,2.5")
    return a * x[0] ** 2 + b * x[1]


@case(X)
def fine_file(x):
    f = io.StringIO("1.5\n2.5")
    print(f"{x}")
    return sum(float(l) for l in f) * x[0] ** 2


@case(X)
def fine_buffer(x):
    b = io.StringIO()
    print("1.5", file=b)
    return float(b.getvalue()) * x[0] ** 2


@case(X)
def fine_int(x):
    n = int(f"{2.0:.0f}")
    return x[n] ** 2


@case(X)
def fine_pct(x):
    print("%5.2f|%s" % (x[0], x), "%d" % 3, "%s" % x[1])
    return x[0] ** 2


@case(X)
def fine_print(x):
    print(f"{x}")
    logging.info("x %s", x)
    d = {f"{x[0]:.1f}": x[1]}
    return d["0.4"] * x[0]


@case(X)
def fine_key(x):
    seen = {}
    for v in x:
        seen[str(round(v))] = v * 2
    return sum(seen.values())


@case(X)
def fine_text(x):
    s = "1.5 2.5"
    return (
        sum(map(float, s.split())) * x[0]
        + np.sum(np.fromstring(s, sep=" ") * x[:2])
        + np.array(s.split(), float) @ x[:2]
    )


@case(X)
def fine_len(x):
    s = f"{x[0]:.1f}"
    if s.startswith("0"):
        return x[0] ** 2 * len(s)
    return x[1]


@case(X)
def fine_msg(x):
    try:
        raise ValueError(f"bad {x[0]:.1f}")
    except ValueError as e:
        msg = str(e)
    return x[1] * len(msg)


@refused(X)
def through_a_file(x):
    with io.StringIO() as f:
        np.savetxt(f, x)
        f.seek(0)
        return np.sum(np.loadtxt(f) * x)


@pytest.mark.parametrize(("f", "args"), REFUSED, ids=label)
@pytest.mark.parametrize("derivative", [tl.grad, tl.jvp])
def test_what_is_read_from_text_is_refused(f, args, derivative):
    given = {"tangent": args[0]} if derivative is tl.jvp else {}
    with pytest.raises(tl.UnsupportedSyntaxError, match="text carries no derivative"):
        derivative(f)(*args, **given)


def test_through_a_file_on_disk(tmp_path):
    path = str(tmp_path / "number.txt")

    def f(x):
        with open(path, "w") as file:
            file.write(repr(float(x)))
        with open(path) as file:
            return float(file.read()) * x

    with pytest.raises(tl.UnsupportedSyntaxError, match="text carries no derivative"):
        tl.grad(f)(0.7)


@pytest.mark.parametrize(("f", "args", "options"), cases(__name__), ids=label)
def test_texts(f, args, options):
    check(f, *args, **options)


def saved_and_loaded(path, x):
    np.savetxt(path, x)
    return np.sum(np.loadtxt(path) * x)


def through_a_file_of_numpy(path, x):
    np.save(path, x)
    y = np.load(f"{path}.npy")
    return np.sum(y)


def saved_aside(path, x):
    np.save(path, x)
    return np.sum(x * x)


def loaded(path, x):
    np.save(path, np.arange(4.0))
    return np.sum(np.load(f"{path}.npy") * x)


def written_by_a_path(path, x):
    pathlib.Path(path).write_text("1.5 2")
    place = pathlib.Path(os.path.join(path))
    values = [float(t) for t in place.read_text().split()]
    place.unlink()
    return values[0] * np.sum(x * x) * values[1]


def written_and_removed(path, x):
    name = os.path.join(os.path.dirname(path), "b.txt")
    with open(name, "w") as file:
        file.write("3.0")
    with open(name) as file:
        value = float(file.read())
    os.remove(name)
    return value * np.sum(x * x)


PLACE = pathlib.Path("a text")


def told_to_a_path(path, x):
    place = pathlib.Path(path)
    place.write_text(str(x[0]))
    return float(place.read_text()) * x[1]


def told_to_a_path_of_the_module(path, x):
    PLACE.write_text(str(x[0]))
    return float(PLACE.read_text()) * x[1]


def told_to_a_given_path(path, x):
    path.write_text(str(x[0]))
    return float(path.read_text()) * x[1]


def told_to_a_name(path, x):
    name = os.path.join(path)
    with open(name, "w") as file:
        file.write(str(x[0]))
    with open(name) as file:
        return float(file.read()) * x[1]


@pytest.mark.parametrize(
    "f", [told_to_a_path, told_to_a_path_of_the_module, told_to_a_given_path, told_to_a_name]
)
def test_what_is_told_to_a_path_is_not_read_again(f, tmp_path):
    with pytest.raises(tl.UnsupportedSyntaxError, match="text carries no derivative"):
        tl.grad(f, wrt="x")(tmp_path / "a", X)
    with pytest.raises(tl.UnsupportedSyntaxError, match="text carries no derivative"):
        tl.jvp(f, wrt="x")(tmp_path / "a", X, tangent=X)


@pytest.mark.parametrize("f", [written_by_a_path, written_and_removed])
def test_files_that_are_written_and_read_by_their_names(f, tmp_path):
    for given in (str(tmp_path / "a"), tmp_path / "a"):
        np.testing.assert_allclose(tl.grad(f, wrt="x")(given, X), 6.0 * X)


@pytest.mark.parametrize("f", [saved_and_loaded, through_a_file_of_numpy])
def test_numbers_that_pass_through_files_are_refused(f, tmp_path):
    with pytest.raises(tl.UnsupportedSyntaxError, match="a file carries no derivative"):
        tl.grad(f, wrt="x")(str(tmp_path / "a"), X)
    with pytest.raises(tl.UnsupportedSyntaxError, match="a file carries no derivative"):
        tl.jvp(f, wrt="x")(str(tmp_path / "a"), X, tangent=X)


def test_files_beside_a_derivative(tmp_path):
    path = str(tmp_path / "a")
    np.testing.assert_allclose(tl.grad(saved_aside, wrt="x")(path, X), 2 * X)
    np.testing.assert_allclose(tl.grad(loaded, wrt="x")(path, X), np.arange(4.0))


def by_operator(x):
    r = str(x[0])
    if x[0] > 0:
        r = x[0] * 2.0
    return r + x[1]


def by_helper(x):
    r = f"{x[0]}" and report(x[0], "r")
    return r + 1.0


def by_method(x):
    try:
        r = f"{x[0]}"
        r = x * 2.0
    except ValueError:
        pass
    return r.sum() + r[0]


def by_key(x):
    d = {}
    for k in "ab":
        d[k] = f"{x[0]}"
    d["a"] = report(x[0], "d")
    return d["a"] * 2.0


def by_list_of_parts(x):
    r = f"{x[0]}".split(".")
    if x[0] > 0:
        r = x
    return r[0] * 2.0


@pytest.mark.parametrize(
    "f", [by_operator, by_helper, by_method, by_key, by_list_of_parts], ids=label
)
def test_a_name_of_a_number_or_of_its_text_is_refused_and_never_flat(f):
    for derive in (lambda: tl.grad(f)(X), lambda: tl.jvp(f)(X, tangent=X)):
        with pytest.raises(tl.UnsupportedSyntaxError, match="text that was made from numbers"):
            derive()
