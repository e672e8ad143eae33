"""The object that tl.grad returns: it looks, travels and behaves as a function does."""

from __future__ import annotations

import bdb
import gc
import inspect
import linecache
import os
import pickle
import pydoc
import subprocess
import sys
import threading
import traceback
import types
import weakref
from pathlib import Path
from typing import Any

import cloudpickle
import numpy as np
import pytest

import tangentlite as tl

X = np.array([0.5, -1.0, 2.0])


def scale(x):
    return np.sin(x) * x


def f(x, w=2.0):
    y = scale(x)
    return np.sum(y * w)


def square(x):
    return x * x


def effects(x):
    print("before")
    y = x * x
    for i in range(2):
        print(f"trip {i}")
        y = y * x
    print("after")
    return y


LOG: list[str] = []


def note(text):
    LOG.append(text)


def notes(x):
    note("seen")
    return x * x


def fails(x):
    y = x * x
    if y > 2.0:
        raise ZeroDivisionError("mine")
    return y


def asserts(x):
    assert x > 0.0, f"not positive: {x}"
    return x * x


class TestLooks:
    def test_signature(self) -> None:
        assert str(inspect.signature(tl.grad(square))) == "(x, *, by=1.0)"
        assert str(inspect.signature(tl.grad(f))) == "(x, w=2.0, *, by_1=1.0)", (
            "f has a y of its own"
        )
        assert str(inspect.signature(tl.jvp(f))) == "(x, w=2.0, *, dx)"
        assert list(inspect.signature(tl.jvp(f, wrt=("x", "w"))).parameters) == [
            "x",
            "w",
            "dx",
            "dw",
        ]

    def test_names(self) -> None:
        df = tl.grad(f)
        assert df.__name__ == df.__qualname__ == "df_dx"
        assert df.__module__ == __name__
        assert tl.jvp(f).__name__ == "f_tangent"
        assert repr(df) == "<derivative df_dx of f>"

    def test_help(self) -> None:
        shown = pydoc.plain(pydoc.render_doc(tl.grad(f)))
        assert "df_dx" in shown
        assert "Gradient of `f` with respect to `x`." in shown

    def test_what_it_came_from(self) -> None:
        df = tl.grad(f, wrt="w")
        assert df.primal is f
        assert df.request.wrt == ("w",)
        assert isinstance(df.function, types.FunctionType)
        assert df.__wrapped__ is df.function
        assert inspect.unwrap(df) is df.function

    def test_the_text_can_be_found(self) -> None:
        df = tl.grad(f)
        file = df.function.__code__.co_filename
        assert file.startswith("<generated")
        assert inspect.getsource(df.function).strip() in df.source
        assert inspect.getsource(df) == inspect.getsource(df.function)
        assert "def df_dx(" in "".join(linecache.getlines(file))

    def test_the_source_shows_the_pairs_of_helpers(self) -> None:
        source = tl.grad(f).source
        for name in ("df_dx", "scale_forward", "scale_backward"):
            assert f"def {name}(" in source

    def test_lines_are_short(self) -> None:
        assert max(map(len, tl.grad(f).source.splitlines())) <= 88


class TestCalls:
    def test_names_for_the_seed(self) -> None:
        df = tl.grad(square)
        assert df(3.0, by=2.0) == df(3.0, adjoint=2.0) == 12.0

    def test_the_seed_is_keyword_only(self) -> None:
        with pytest.raises(TypeError):
            tl.grad(square)(3.0, 1.0)

    def test_arguments_are_bound_as_in_the_primal(self) -> None:
        df = tl.grad(f)
        np.testing.assert_array_equal(df(x=X, w=3.0), df(X, 3.0))
        for args, kwargs in [((), {}), ((X, 1.0, 2.0), {}), ((X,), {"q": 1.0}), ((X,), {"x": X})]:
            with pytest.raises(TypeError):
                df(*args, **kwargs)

    def test_effects_happen_once(self, capsys: pytest.CaptureFixture[str]) -> None:
        for derivative in (tl.grad(effects), tl.value_and_grad(effects), tl.jvp(effects)):
            extra = {"tangent": 1.0} if derivative.request.mode == "forward" else {}
            derivative(2.0, **extra)
            assert capsys.readouterr().out.split("\n") == [
                "before",
                "trip 0",
                "trip 1",
                "after",
                "",
            ]

    def test_a_pullback_has_no_effects(self, capsys: pytest.CaptureFixture[str]) -> None:
        _, pullback = tl.vjp(effects)(2.0)
        assert capsys.readouterr().out
        assert pullback(1.0) == pullback(1.0) == 32.0
        assert not capsys.readouterr().out

    def test_helpers_without_numbers_are_called_as_they_are(self) -> None:
        LOG.clear()
        assert tl.grad(notes)(3.0) == 6.0
        assert LOG == ["seen"]

    def test_a_global_named_as_the_runtime(self) -> None:
        np.testing.assert_array_equal(tl.grad(uses_rt)(X, 0, adjoint=X), X)

    def test_a_seed_by_both_names(self) -> None:
        with pytest.raises(TypeError):
            tl.grad(square)(3.0, by=1.0, adjoint=2.0)

    def test_threads(self) -> None:
        df, found = tl.grad(f), {}

        def work(k: int) -> None:
            for _ in range(50):
                found.setdefault(k, []).append(df(X * k))

        threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for k, results in found.items():
            assert len(results) == 50
            for result in results:
                np.testing.assert_array_equal(result, df(X * k))

    def test_arguments_stay_as_they_are(self) -> None:
        x, seed = X.copy(), np.array([1.0, 2.0, 3.0])
        for function in (square, lambda x: x, lambda x: x + 1.0):
            gradient = tl.grad(function)(x, adjoint=seed)
            gradient += 100.0
        np.testing.assert_array_equal(x, X)
        np.testing.assert_array_equal(seed, [1.0, 2.0, 3.0])


rt = 2.0


def uses_rt(x, n):
    y = x
    for i in range(n):
        y = y * rt * x
    return y


class TestErrors:
    def test_the_users_exception_passes(self) -> None:
        df = tl.grad(fails)
        assert df(1.0) == 2.0
        with pytest.raises(ZeroDivisionError, match="mine") as caught:
            df(2.0)
        assert caught.value.__cause__ is None
        assert caught.value.__context__ is None

    def test_the_traceback_shows_the_generated_line(self) -> None:
        with pytest.raises(ZeroDivisionError) as caught:
            tl.grad(fails)(2.0)
        frames = traceback.extract_tb(caught.value.__traceback__)
        assert frames[-1].filename.startswith("<generated")
        assert frames[-1].line.startswith("raise ZeroDivisionError")

    def test_assertions(self) -> None:
        assert tl.grad(asserts)(2.0) == 4.0
        with pytest.raises(AssertionError, match=r"not positive: -1\.0"):
            tl.grad(asserts)(-1.0)

    def test_no_frame_of_the_compiler_in_between(self) -> None:
        with pytest.raises(ZeroDivisionError) as caught:
            tl.grad(fails)(2.0)
        package = str(Path(tl.__file__).parent)
        files = [frame.filename for frame in traceback.extract_tb(caught.value.__traceback__)]
        assert len([file for file in files if file.startswith(package)]) == 0


class TestDebugger:
    def test_stops_on_visible_lines(self) -> None:
        """What pdb does: every line at which it stops is a line of the text that it lists."""
        df = tl.grad(effects)
        df.source
        seen: list[tuple[str, int]] = []

        class Stepper(bdb.Bdb):
            def user_line(self, frame: types.FrameType) -> None:
                seen.append((frame.f_code.co_filename, frame.f_lineno))

        Stepper().runcall(df.function, 2.0)
        file = df.function.__code__.co_filename
        lines = [number for name, number in seen if name == file]
        assert len(lines) > 8
        for number in lines:
            text = linecache.getline(file, number).strip()
            assert text
            assert not text.startswith("#")


class TestTravel:
    @pytest.mark.parametrize("library", [pickle, cloudpickle])
    @pytest.mark.parametrize("function", [square, f])
    def test_round_trip(self, library: Any, function: Any) -> None:
        df = tl.grad(function)
        other = library.loads(library.dumps(df))
        assert other.source.startswith(df.source.split("\n\n\n")[0].rstrip())
        assert other.__name__ == df.__name__
        np.testing.assert_array_equal(other(3.0), df(3.0))
        again = library.loads(library.dumps(other))
        np.testing.assert_array_equal(again(3.0), df(3.0))

    def test_arrays_after_the_journey(self) -> None:
        other = pickle.loads(pickle.dumps(tl.grad(f)))
        np.testing.assert_array_equal(other(X), tl.grad(f)(X))
        assert other(np.float32(2.0)).dtype == np.float32

    def test_what_arrived_can_be_differentiated(self) -> None:
        other = pickle.loads(pickle.dumps(tl.grad(square)))
        assert tl.grad(other)(3.0) == 2.0

    def test_another_process(self, tmp_path: Path) -> None:
        (tmp_path / "df.pickle").write_bytes(cloudpickle.dumps(tl.grad(lambda x: x * x * x)))
        script = "import pickle; print(pickle.load(open('df.pickle', 'rb'))(2.0))"
        root = str(Path(tl.__file__).parent.parent)
        env = {**os.environ, "PYTHONPATH": root}
        done = subprocess.run(
            [sys.executable, "-c", script],
            cwd=tmp_path,
            env=env,
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.strip() == "12.0"


HELPER = "def helper(x):\n    return {body}\n\n\ndef user(x):\n    return helper(x) * 2.0\n"


def load(name: str, body: str, space: dict[str, Any]) -> Any:
    text = HELPER.format(body=body)
    file = f"<{name} {body}>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    exec(compile(text, file, "exec"), space)
    return space["user"]


class TestStaleness:
    def test_a_helper_that_was_defined_anew(self) -> None:
        space: dict[str, Any] = {"np": np, "__name__": "stale"}
        user = load("stale", "x * x", space)
        df = tl.grad(user)
        assert df(3.0) == 12.0
        before = df.source
        load("stale", "x * x * x", space)
        assert df(3.0) == 54.0
        assert df.source != before

    def test_a_helper_whose_code_was_replaced(self) -> None:
        space: dict[str, Any] = {"np": np, "__name__": "stale"}
        df = tl.grad(load("code", "x * x", space))
        assert df(3.0) == 12.0
        other: dict[str, Any] = {"np": np, "__name__": "stale"}
        load("other", "x * x * x", other)
        space["helper"].__code__ = other["helper"].__code__
        assert df(3.0) == 54.0

    def test_tables_of_kinds_are_built_anew_too(self) -> None:
        space: dict[str, Any] = {"np": np, "__name__": "stale"}
        text = "def helper(x):\n    return {body}\n\n\ndef user(xs):\n    return helper(xs[0]) + xs[1]\n"
        for body, expected in (("x * x", [6.0, 1.0]), ("x * x * x", [27.0, 1.0])):
            file = f"<kinds {body}>"
            lines = text.format(body=body)
            linecache.cache[file] = (len(lines), None, lines.splitlines(True), file)
            exec(compile(lines, file, "exec"), space)
            df = space.setdefault("df", None) or tl.grad(space["user"])
            space["df"] = df
            assert df([3.0, 1.0]) == expected

    def test_without_helpers_there_is_nothing_to_guard(self) -> None:
        df = tl.grad(square)
        assert df.function is df.function


class TestLateNames:
    def test_a_global_that_is_bound_later(self) -> None:
        space: dict[str, Any] = {"__name__": "late", "tl": tl}
        text = "def user(x):\n    return later(x) * 2.0\n\n\ndf = tl.grad(user)\n\n\ndef later(x):\n    return x * x\n"
        linecache.cache["<late>"] = (len(text), None, text.splitlines(True), "<late>")
        exec(compile(text, "<late>", "exec"), space)
        assert space["df"](3.0) == 12.0

    def test_the_call_names_what_is_missing(self) -> None:
        space: dict[str, Any] = {"__name__": "never"}
        text = "def user(x):\n    return never_bound(x) * 2.0\n"
        linecache.cache["<never>"] = (len(text), None, text.splitlines(True), "<never>")
        exec(compile(text, "<never>", "exec"), space)
        df = tl.grad(space["user"])
        with pytest.raises((NameError, tl.DerivativeError), match="never_bound"):
            df(3.0)


def test_a_derivative_does_not_outlive_its_name() -> None:
    def local(x):
        return x * x

    df = tl.grad(local)
    assert df(2.0) == 4.0
    gone = weakref.ref(local)
    del df, local
    gc.collect()
    assert gone() is None


def test_nothing_is_written_into_the_users_module() -> None:
    before = set(globals())
    tl.grad(f)(X)
    tl.jvp(f)(X, tangent=X)
    assert set(globals()) == before


def test_a_sum_as_long_as_python_reads() -> None:
    text = f"def long(x):\n    return {' + '.join(['x'] * 1500)}\n"
    linecache.cache["<long>"] = (len(text), None, text.splitlines(True), "<long>")
    space: dict[str, Any] = {}
    exec(compile(text, "<long>", "exec"), space)
    assert tl.grad(space["long"])(1.0) == 1500.0


def test_the_same_text_whatever_the_hash_seed(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import numpy as np\nimport tangentlite as tl\n"
        "def helper(a, b):\n    return np.sin(a) * b\n"
        "def f(x, w, v, n):\n    y = z = u = x\n    for i in range(n):\n        y = helper(y, w) + z\n"
        "        z = z * v + u\n        u = np.tanh(u * y)\n    return np.sum(y * z * u)\n"
        "for opt in (True, False):\n"
        "    df = tl.grad(f, wrt=('x', 'w', 'v'), optimized=opt)\n    print(df.source)\n"
        "    print(tl.grad(tl.grad(f), optimized=opt).source)\n"
        "print(tl.jvp(f, wrt=('x', 'w')).source)\n"
        "def hunt(y, rates):\n    a, b = rates\n    path = [y.copy()]\n    for _ in range(4):\n"
        "        prey, predator = y\n        y[0] += a * prey * predator\n"
        "        y[1] += b * predator - prey\n        path.append(y.copy())\n"
        "    return np.array(path)\n"
        "print(tl.vjp(hunt).__split__.source, tl.grad(hunt, optimized=False).source)\n"
        "def leaves(x, n):\n    for i in range(n):\n        if x > 3.0:\n            break\n"
        "        if x < -3.0:\n            return x\n        x = x * 1.5\n    return x * x\n"
        "print(tl.grad(leaves, optimized=False).source)\n"
    )
    root = str(Path(tl.__file__).parent.parent)
    texts = {
        subprocess.run(
            [sys.executable, script],
            env={**os.environ, "PYTHONPATH": root, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(texts) == 1
    assert texts.pop().count("def ") > 5


def grows(xs):
    xs.append(xs[0] * xs[1])
    return xs[2] * xs[0]


def test_called_twice_where_only_lists_will_do() -> None:
    gradient = tl.grad(grows)
    assert gradient([2.0, 3.0]) == gradient([2.0, 3.0]) == [12.0, 4.0]
    with pytest.raises(tl.DerivativeError):
        gradient(np.ones(2))
