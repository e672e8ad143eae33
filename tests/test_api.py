"""Every public function, with each of its options."""

from __future__ import annotations

import functools
import inspect
import operator
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tangentlite as tl

ARRAY = np.array([1.0, 2.0, 4.0])
COUNTERPARTS = {"grad": tl.grad, "value_and_grad": tl.value_and_grad}


def square(x):
    return x * x


def weighted(x, w=2.0, *, m=3.0):
    """Weighs x."""
    return np.sum(x * x * w * m)


def positional(a, b, /, c=1.0):
    return a * b * c


def with_aux(x):
    y = x * x
    return y, {"half": 0.5 * x, "text": "kept"}


def cubes(x, w):
    return np.sum(w * x**3)


def annotated(x: float, n: int = 2) -> float:
    y: float = x
    for _ in range(n):
        y = y * x
    return y


def worded(x):
    label = f"value {x:.1f}"
    print(label)
    return x * 3.0


class TestWrt:
    def test_default_is_the_first_parameter(self) -> None:
        np.testing.assert_array_equal(tl.grad(weighted)(ARRAY), 12.0 * ARRAY)

    @pytest.mark.parametrize("wrt", [1, "w", -1])
    def test_a_position_or_a_name(self, wrt: Any) -> None:
        assert tl.grad(weighted, wrt)(ARRAY, 2.0) == 63.0
        assert tl.grad(weighted, argnums=wrt)(ARRAY, 2.0) == 63.0

    def test_a_default_is_a_value_like_any_other(self) -> None:
        assert tl.grad(weighted, "w")(ARRAY) == 63.0
        assert tl.grad(weighted, "m")(ARRAY) == 42.0

    def test_keyword_only(self) -> None:
        assert tl.grad(weighted, "m")(ARRAY, m=5.0) == 42.0
        assert tl.grad(weighted, ("m", "w"))(ARRAY, m=5.0) == (42.0, 105.0)

    def test_positional_only(self) -> None:
        assert tl.grad(positional, ("b", 0))(2.0, 3.0, c=4.0) == (8.0, 12.0)
        with pytest.raises(TypeError):
            tl.grad(positional)(a=2.0, b=3.0)

    def test_a_tuple_gives_a_tuple(self) -> None:
        gradient = tl.grad(weighted, (0,))(ARRAY)
        assert type(gradient) is tuple
        assert len(gradient) == 1
        forth = tl.grad(weighted, ("x", 1))(ARRAY, 2.0)
        back = tl.grad(weighted, ("w", 0))(ARRAY, 2.0)
        np.testing.assert_array_equal(forth[0], back[1])
        assert forth[1] == back[0]

    def test_a_list_is_a_tuple(self) -> None:
        assert tl.grad(positional, ["a", "b"])(2.0, 3.0) == (3.0, 2.0)

    @pytest.mark.parametrize(
        ("wrt", "error", "words"),
        [
            ("q", ValueError, "no parameter 'q'; it has x, w, m"),
            (2, ValueError, "takes 2 positional"),
            (-3, ValueError, "takes 2 positional"),
            (1.5, TypeError, "positions and names"),
            (True, TypeError, "positions and names"),
            (None, TypeError, "positions and names"),
            ((), ValueError, "empty"),
            ((0, "x"), ValueError, "twice"),
        ],
    )
    def test_what_is_no_parameter(self, wrt: Any, error: type, words: str) -> None:
        with pytest.raises(error, match=words):
            tl.grad(weighted, wrt)

    def test_wrt_and_argnums(self) -> None:
        with pytest.raises(TypeError, match="same thing"):
            tl.grad(weighted, wrt=1, argnums=1)


class TestGrad:
    @pytest.mark.parametrize("name", COUNTERPARTS)
    def test_unknown_options(self, name: str) -> None:
        with pytest.raises(TypeError, match="'sideways'"):
            COUNTERPARTS[name](square, sideways=True)

    @pytest.mark.parametrize("wrong", [3, "f", None.__class__(), [square]])
    def test_no_function(self, wrong: Any) -> None:
        if wrong is None:
            assert callable(tl.grad(wrong)), "without a function: a decorator"
        else:
            with pytest.raises(TypeError, match="a function is needed"):
                tl.grad(wrong)

    def test_value_and_grad(self) -> None:
        value, gradient = tl.value_and_grad(cubes, ("x", "w"))(ARRAY, 2.0)
        assert value == cubes(ARRAY, 2.0)
        np.testing.assert_array_equal(gradient[0], 6.0 * ARRAY**2)
        assert gradient[1] == 73.0
        assert tl.value_and_grad(square)(3.0) == (9.0, 6.0)

    def test_has_aux(self) -> None:
        assert tl.grad(with_aux, has_aux=True)(3.0) == (6.0, {"half": 1.5, "text": "kept"})
        expected = ((9.0, {"half": 1.5, "text": "kept"}), 6.0)
        assert tl.value_and_grad(with_aux, has_aux=True)(3.0) == expected

    def test_has_aux_needs_a_pair(self) -> None:
        with pytest.raises((TypeError, tl.DerivativeError)):
            tl.grad(square, has_aux=True)(3.0)

    def test_name(self) -> None:
        df = tl.grad(square, name="slope")
        assert df.__name__ == "slope"
        assert df.source.startswith("def slope(x, *, by=1.0):")
        assert tl.grad(square).__name__ == "df_dx".replace("f", "square", 1)

    def test_names_of_several(self) -> None:
        assert tl.grad(weighted, ("x", "w")).__name__ == "dweighted_dx_dw"

    def test_optimized(self) -> None:
        plain, better = (tl.grad(cubes, optimized=o) for o in (False, True))
        assert len(plain.source) > len(better.source)
        np.testing.assert_allclose(plain(ARRAY, 2.0), better(ARRAY, 2.0), rtol=1e-14)

    def test_verbose_prints_the_source(self, capsys: pytest.CaptureFixture[str]) -> None:
        df = tl.grad(square, verbose=1)
        assert capsys.readouterr().out.strip() == df.source.strip()
        tl.grad(square)
        assert capsys.readouterr().out == ""


class TestDecorator:
    def test_plain(self) -> None:
        @tl.grad
        def slope(x):
            return x * x * x

        assert slope(2.0) == 12.0

    def test_with_arguments(self) -> None:
        @tl.grad(wrt=("w", "b"))
        def slopes(w, x, b=1.0):
            return w * x + b

        assert slopes(2.0, 3.0) == (3.0, 1.0)

    def test_value_and_grad(self) -> None:
        @tl.value_and_grad(wrt="b")
        def both(a, b):
            return a * b

        assert both(2.0, 3.0) == (6.0, 2.0)


class TestPullback:
    def test_value_and_pullback(self) -> None:
        value, pullback = tl.vjp(square)(ARRAY)
        np.testing.assert_array_equal(value, ARRAY**2)
        np.testing.assert_array_equal(pullback(ARRAY), 2.0 * ARRAY**2)

    def test_several(self) -> None:
        _, pullback = tl.vjp(positional, wrt=(0, "c"))(2.0, 3.0)
        assert pullback(1.0) == (3.0, 6.0)

    def test_a_pullback_may_be_called_again(self) -> None:
        @functools.partial(tl.vjp, wrt=0)
        def states(x):
            ys = []
            for v in x:
                ys.append(v * v)
            total = 0.0
            while len(ys) > 0:
                total = total + ys.pop() * len(ys)
            return total

        _, pullback = states(ARRAY)
        first, second, third = pullback(1.0), pullback(-2.0), pullback(1.0)
        np.testing.assert_array_equal(first, third)
        np.testing.assert_array_equal(second, -2.0 * first)

    def test_pullbacks_do_not_disturb_each_other(self) -> None:
        pull = tl.vjp(cubes)
        first, second = pull(ARRAY, 1.0)[1], pull(2.0 * ARRAY, 1.0)[1]
        np.testing.assert_array_equal(second(1.0), 4.0 * first(1.0))

    @pytest.mark.parametrize("seed", [1.0, np.ones(2), np.ones((3, 1)), np.ones((1, 3))])
    def test_a_seed_of_another_shape(self, seed: Any) -> None:
        _, pullback = tl.vjp(square)(ARRAY)
        with pytest.raises(TypeError, match=r"shape \(3,\)"):
            pullback(seed)


class TestTangent:
    def test_value_and_tangent(self) -> None:
        value, tangent = tl.jvp(square)(ARRAY, tangent=np.ones(3))
        np.testing.assert_array_equal(value, ARRAY**2)
        np.testing.assert_array_equal(tangent, 2.0 * ARRAY)

    def test_several(self) -> None:
        _, tangent = tl.jvp(positional, wrt=("a", "b"))(2.0, 3.0, tangent=(1.0, 10.0))
        assert tangent == 23.0

    def test_the_printed_name(self) -> None:
        assert tl.jvp(square)(3.0, dx=2.0) == (9.0, 12.0)

    def test_a_tangent_is_needed(self) -> None:
        with pytest.raises(TypeError, match="tangent="):
            tl.jvp(square)(3.0)

    @pytest.mark.parametrize("tangent", [np.ones(2), 1.0, np.ones((3, 1))])
    def test_a_tangent_of_another_shape(self, tangent: Any) -> None:
        with pytest.raises(TypeError, match="shape"):
            tl.jvp(square)(ARRAY, tangent=tangent)

    @pytest.mark.parametrize("tangent", [1.0, np.ones(2), (1.0,), (1.0, 2.0, 3.0)])
    def test_a_tuple_for_a_tuple(self, tangent: Any) -> None:
        with pytest.raises(TypeError, match="must be a tuple of 2, for da, db"):
            tl.jvp(positional, wrt=("a", "b"))(2.0, 3.0, tangent=tangent)


class TestMatrices:
    @pytest.mark.parametrize("jacobian", [tl.jacrev, tl.jacfwd, tl.jacobian])
    def test_shape_is_result_by_argument(self, jacobian: Any) -> None:
        def product(a, x):
            return a @ x

        a, x = np.arange(6.0).reshape(2, 3), ARRAY
        np.testing.assert_array_equal(jacobian(product, "x")(a, x), a)
        by_a = jacobian(product)(a, x)
        assert by_a.shape == (2, 2, 3)
        np.testing.assert_array_equal(by_a, np.multiply.outer(np.eye(2), x))

    @pytest.mark.parametrize("jacobian", [tl.jacrev, tl.jacfwd])
    def test_several(self, jacobian: Any) -> None:
        both = jacobian(cubes, (0, "w"))(ARRAY, 2.0)
        assert type(both) is tuple
        assert [np.shape(j) for j in both] == [(3,), ()]
        assert jacobian(cubes, (0,))(ARRAY, 2.0)[0].shape == (3,)

    @pytest.mark.parametrize("jacobian", [tl.jacrev, tl.jacfwd])
    def test_the_empty_array(self, jacobian: Any) -> None:
        assert jacobian(square)(np.zeros(0)).shape == (0, 0)

    def test_containers_have_no_matrix(self) -> None:
        def first(xs):
            return xs[0] * xs[0]

        def pair(x):
            return [x, x * x]

        with pytest.raises(TypeError, match="argument 'xs' is a list"):
            tl.jacfwd(first)([1.0, 2.0])

        def parts(p):
            return {"y": p["x"] * p["x"]}

        with pytest.raises(TypeError, match="result is a list"):
            tl.jacrev(pair)(1.0)
        with pytest.raises(TypeError, match="result is a list"):
            tl.jacfwd(pair)(1.0)
        with pytest.raises(TypeError, match="result is a dict"):
            tl.jacfwd(lambda x: parts({"x": x}))(ARRAY)
        with pytest.raises(TypeError, match="argument 'p' is a dict"):
            tl.jacrev(lambda p: parts(p)["y"])({"x": ARRAY})

    def test_hessian(self) -> None:
        np.testing.assert_allclose(tl.hessian(cubes)(ARRAY, 2.0), np.diag(12.0 * ARRAY))
        assert tl.hessian(square)(3.0) == 2.0

    def test_hessian_of_several(self) -> None:
        (xx, xw), (wx, ww) = tl.hessian(cubes, ("x", "w"))(ARRAY, 2.0)
        np.testing.assert_allclose(xx, np.diag(12.0 * ARRAY))
        np.testing.assert_allclose(xw, 3.0 * ARRAY**2)
        np.testing.assert_allclose(wx, xw)
        assert ww == 0.0

    def test_hessian_times_a_vector(self) -> None:
        v = np.array([1.0, -1.0, 0.5])
        np.testing.assert_allclose(tl.hvp(cubes)(ARRAY, v, 2.0), 12.0 * ARRAY * v)
        by_x, by_w = tl.hvp(cubes, wrt=("x", "w"))(ARRAY, (v, 1.0), 2.0)
        np.testing.assert_allclose(by_x, 12.0 * ARRAY * v + 3.0 * ARRAY**2)
        np.testing.assert_allclose(by_w, np.sum(3.0 * ARRAY**2 * v))


class TestAutodiff:
    def test_modes(self) -> None:
        assert tl.autodiff(square)(3.0) == 6.0
        assert tl.autodiff(square, mode="forward")(3.0) == 6.0
        assert tl.autodiff(square, mode="forward")(3.0, dx=2.0) == 12.0

    def test_split_motion(self) -> None:
        forward, backward = tl.autodiff(cubes, ("x", "w"), motion="split")
        value, saved = forward(ARRAY, 2.0)
        assert value == cubes(ARRAY, 2.0)
        by_x, by_w = backward(saved, 10.0)
        np.testing.assert_array_equal(by_x, 60.0 * ARRAY**2)
        assert by_w == 730.0

    def test_preserve_result(self) -> None:
        assert tl.autodiff(square, preserve_result=True)(3.0) == (6.0, 9.0)
        assert tl.autodiff(square, mode="forward", preserve_result=True)(3.0) == (6.0, 9.0)

    @pytest.mark.parametrize("mode", ["reverse", "forward"])
    def test_input_derivative_required(self, mode: Any) -> None:
        df = tl.autodiff(square, mode=mode, input_derivative="required")
        word = "adjoint" if mode == "reverse" else "tangent"
        with pytest.raises(TypeError, match=word):
            df(3.0)
        assert df(3.0, **{word: 2.0}) == 12.0

    def test_check_dims(self) -> None:
        with pytest.raises(TypeError, match="shape"):
            tl.autodiff(square)(ARRAY, by=np.ones(2))
        checked, unchecked = (tl.autodiff(square, check_dims=c).source for c in (True, False))
        assert "rt.seed" in checked
        assert "rt.seed" not in unchecked

    def test_verbose(self, capsys: pytest.CaptureFixture[str]) -> None:
        df = tl.autodiff(square, mode="forward", verbose=1)
        assert capsys.readouterr().out.strip() == df.source.strip()

    @pytest.mark.parametrize(
        "wrong", [{"mode": "sideways"}, {"motion": "twice"}, {"input_derivative": "two"}]
    )
    def test_wrong_words(self, wrong: Any) -> None:
        with pytest.raises((TypeError, ValueError), match=next(iter(wrong.values()))):
            tl.autodiff(square, **wrong)


class TestFunctions:
    """What may be handed to tl.grad."""

    def test_lambda(self) -> None:
        assert tl.grad(lambda x: x * x + 1.0)(3.0) == 6.0

    def test_annotations_and_defaults(self) -> None:
        assert tl.grad(annotated)(2.0) == 12.0
        assert tl.grad(annotated)(2.0, 3) == 32.0
        assert tl.grad(annotated)(2.0, n=0) == 1.0

    def test_documented(self) -> None:
        assert tl.grad(weighted).__doc__
        assert '"""Weighs x."""' not in tl.grad(weighted).source

    def test_f_strings_are_effects_as_before(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert tl.grad(worded)(2.0) == 3.0
        assert capsys.readouterr().out == "value 2.0\n"

    def test_closures_over_values(self) -> None:
        scale = 3.0

        def scaled(x):
            return x * x * scale

        df = tl.grad(scaled)
        assert df(2.0) == 12.0
        scale = 5.0
        assert df(2.0) == 20.0, "the very same cell"

    def test_globals_are_read_at_call_time(self, monkeypatch: pytest.MonkeyPatch) -> None:
        df = tl.grad(reads_global)
        assert df(2.0) == FACTOR
        monkeypatch.setitem(globals(), "FACTOR", 11.0)
        assert df(2.0) == 11.0

    def test_derivatives(self) -> None:
        def fourth(x):
            return x**4.0

        df = fourth
        for expected in (32.0, 48.0, 48.0, 24.0):
            df = tl.grad(df)
            assert df(2.0) == pytest.approx(expected)


FACTOR = 7.0


def reads_global(x):
    return FACTOR * x


def test_stages() -> None:
    stages = tl.stages(cubes, wrt="w")
    assert list(stages) == ["source", "normal", "derived", "optimized"]
    assert "def cubes(x, w):" in stages["source"]
    assert stages["optimized"].strip() == tl.grad(cubes, "w").source.split("\n\n\n")[
        -1
    ].strip() or ("def dcubes_dw" in stages["optimized"])
    assert "dx" in tl.stages(square, mode="forward")["optimized"]


def test_public_names() -> None:
    assert sorted(set(tl.__all__)) == sorted(tl.__all__)
    assert all(hasattr(tl, name) for name in tl.__all__)
    assert {"grad", "value_and_grad", "vjp", "jvp", "hvp", "jacrev", "jacfwd", "jacobian"} <= set(
        tl.__all__
    )
    documented = [n for n in tl.__all__ if inspect.isroutine(getattr(tl, n))]
    assert all(inspect.getdoc(operator.attrgetter(n)(tl)) for n in documented)


def test_the_package_is_light_until_it_is_used() -> None:
    """What NumPy, the compiler and the rules take is spent at the first use."""
    text = "import sys, tangentlite; print(sorted(n for n in sys.modules if n.startswith(('numpy', 'tangentlite'))))"
    found = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "['tangentlite']"


def test_random_numbers_are_not_imported_for_who_draws_none(tmp_path: Path) -> None:
    """``numpy.random`` brings a tenth of all that a first use imports."""
    text = "import sys\nimport numpy as np\nimport tangentlite as tl\n\ndef f(x):\n    y = np.zeros(3)\n"
    text += "    for i in range(3):\n        y[i] = np.sin(x[i]) if x.sum() > 0.0 else x[i]\n    return np.sum(y)\n\n"
    text += "assert tl.grad(f)(np.ones(3)).size == 3\nprint('numpy.random' in sys.modules)\n"
    (tmp_path / "draws_none.py").write_text(text)
    path = str(tmp_path / "draws_none.py")
    found = subprocess.run([sys.executable, path], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "False"


def test_every_public_name_is_found() -> None:
    assert set(tl.__all__) <= set(dir(tl))
    assert all(getattr(tl, name) is not None for name in tl.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        tl.nothing


def test_the_value_of_vjp_may_be_written_before_the_pullback_is_called() -> None:
    x = np.array([0.5, -1.0])
    y, pullback = tl.vjp(lambda x: np.exp(x))(x)
    y -= 1.0
    np.testing.assert_allclose(pullback(np.ones(2)), np.exp(x))
    (a, b), pullback = tl.vjp(lambda x: [np.exp(x), x * 2.0])(x)
    a *= b
    np.testing.assert_allclose(pullback([np.ones(2), np.zeros(2)]), np.exp(x))
