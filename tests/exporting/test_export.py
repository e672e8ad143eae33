"""Exported files: alone, the same numbers, the same bytes, and nothing that linters find."""

from __future__ import annotations

import collections
import copy
import dataclasses
import hashlib
import io
import os
import pickle
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tangentlite.exporting import source
from tests.exporting import functions, models
from tests.exporting.functions import PROGRAMS

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
FAR = """
import hashlib, sys
from tests.exporting.functions import PROGRAMS
from tangentlite.exporting import source
for name in sys.argv[1:]:
    made, _, example = PROGRAMS[name]
    print(hashlib.sha1(source(made, name + ".py", example=example).encode()).hexdigest())
"""


def function_of(made: Any, example: Any) -> Any:
    """The generated function that the file holds."""
    if hasattr(made, "owner"):
        return (
            made.plain.function
            if example is None
            else function_of(made.plain, (made.owner, *example))
        )
    return made.function if example is None else made.pair_of(made._kinds(example, {}))[0]


def arguments(name: str) -> tuple[tuple[Any, ...], dict[str, Any]]:
    made, args, _ = PROGRAMS[name]
    seeds = {
        "tangent": {"dx": X},
        "tangent_value": {"dx": 1.0},
        "second_of_closures": {"by_1": X},
    }.get(name, {})
    return copy.deepcopy(args), seeds


X = functions.X


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All files, and what their functions give in a process that has NumPy only."""
    folder = tmp_path_factory.mktemp("exported")
    jobs = {}
    for name, (made, _, example) in PROGRAMS.items():
        text = tl.export(made, folder / f"{name}.py", example=example)
        assert (folder / f"{name}.py").read_text(encoding="utf-8") == text
        jobs[name] = function_of(made, example).__name__, pickle.dumps(arguments(name))
    (folder / "arguments.pkl").write_bytes(pickle.dumps(jobs))
    alone(folder)
    return folder


def alone(folder: Path) -> None:
    """Run the files where there is NumPy, the user's module of classes, and nothing else."""
    user, installed = folder / "user" / "tests" / "exporting", folder / "installed"
    user.mkdir(parents=True)
    shutil.copy(HERE / "models.py", user)
    installed.mkdir()
    site = Path(np.__file__).parent.parent
    for package in (p for p in site.iterdir() if p.name in ("numpy", "numpy.libs")):
        (installed / package.name).symlink_to(package)
    command = [sys.executable, "-I", "-S", HERE / "run.py", folder, folder / "user", installed]
    done = subprocess.run(command, capture_output=True, text=True)
    assert not done.returncode, done.stderr


def same(a: Any, b: Any) -> bool:
    """Bit for bit, whatever module the classes are from."""
    if type(a).__name__ != type(b).__name__:
        return False
    if isinstance(a, np.ndarray | np.generic):
        return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()
    if isinstance(a, list | tuple):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return list(a) == list(b) and all(same(a[k], b[k]) for k in a)
    if hasattr(a, "__dict__"):
        return same(vars(a), vars(b))
    return repr(a) == repr(b)


def test_there_are_enough() -> None:
    assert len(PROGRAMS) >= 45


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_same_numbers_without_tangentlite(folder: Path, name: str, monkeypatch: Any) -> None:
    made, _, example = PROGRAMS[name]
    args, seeds = arguments(name)
    expected = function_of(made, example)(*args, **seeds)
    monkeypatch.syspath_prepend(str(folder))
    found = pickle.loads((folder / "results.pkl").read_bytes())[name]
    assert isinstance(found, bytes), found
    assert same(pickle.loads(found), expected)


def test_the_same_bytes_in_other_processes(folder: Path) -> None:
    names = ["regression", "objects", "collisions", "constants", "same_names", "defaults"]
    names += ["second_loop", "functions_in_tuples", "rules"]
    expected = [hashlib.sha1((folder / f"{n}.py").read_bytes()).hexdigest() for n in names]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    for seed, order in (("1", names), ("2", names[::-1])):
        command = [sys.executable, "-c", FAR, *order]
        env["PYTHONHASHSEED"] = seed
        done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=env)
        assert done.stdout.split() == (expected if order is names else expected[::-1]), done.stderr


def test_linters_find_nothing(folder: Path) -> None:
    files = sorted(folder.glob("*.py"))
    ruff = shutil.which(
        "ruff", path=os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    )
    if ruff is None:
        pytest.skip("ruff is not installed")
    for command in (["check"], ["format", "--diff"]):
        done = subprocess.run(
            [ruff, *command, "--isolated", *files], capture_output=True, text=True
        )
        assert not done.returncode, done.stdout[-3000:]


def test_type_checkers_find_nothing(folder: Path) -> None:
    pytest.importorskip("mypy")
    names = "regression constants objects factors fourier smooth surgery second recognized keywords"
    files = [folder / f"{n}.py" for n in names.split()]
    cache = folder / "cache"
    command = [sys.executable, "-m", "mypy", "--config-file=", f"--cache-dir={cache}", *files]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder / "user")
    assert not done.returncode, done.stdout[-3000:]


def test_no_place_and_no_time_is_in_a_file(folder: Path) -> None:
    for file in folder.glob("*.py"):
        text = file.read_text(encoding="utf-8")
        assert str(ROOT) not in text
        assert "0x7f" not in text


def test_the_text_is_that_of_the_derivative() -> None:
    text = source(tl.grad(functions.regression), "out.py")
    for line in tl.grad(functions.regression).source.splitlines():
        assert line.replace("rt_1.", "rt.").replace("'", '"') in text.replace("rt_1.", "rt.")


def test_where_it_goes(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    buffer = io.StringIO()
    text = tl.export(functions.cube, buffer)
    assert buffer.getvalue() == text == tl.export(functions.cube, "-")
    assert capsys.readouterr().out == text
    with open(tmp_path / "out.py", "w", encoding="utf-8") as file:
        tl.export(functions.cube, file)
    assert "out.py" in (tmp_path / "out.py").read_text(encoding="utf-8")


def test_options() -> None:
    assert "def slope(x, *, by=1.0):" in source(functions.cube, "-", name="slope")
    assert "return by * " not in source(functions.cube, "-", mode="forward")
    assert "(value, gradient)" in source(functions.cube, "-", value_and_grad=True)
    assert "def dscaled_dby(" in source(functions.scaled, "-", "by")
    with pytest.raises(TypeError, match="exported as it is"):
        tl.export(tl.grad(functions.cube), "-", wrt="x")
    with pytest.raises(ValueError, match="not a name"):
        tl.export(functions.cube, "-", name="a b")
    with pytest.raises(ValueError, match="sideways"):
        tl.export(functions.cube, "-", mode="sideways")  # type: ignore[arg-type]


HANDLE = open(__file__, encoding="utf-8")  # noqa: SIM115
RANDOM = np.random.default_rng(0)
LARGE = np.zeros((100, 100))
SPRING = models.Spring(2.0, 1.0)
DATES = np.array(["2020-01-01"], dtype="datetime64[D]")
COUNT = 0


def reads(x, what):
    return x * len(str(what))


def of_a_file(x):
    return reads(x, HANDLE)


def of_chance(x):
    return reads(x, RANDOM)


def of_a_large_array(x):
    return np.sum(LARGE * x)


def of_an_object(x):
    return reads(x, SPRING)


def of_dates(x):
    return reads(x, DATES)


def counts(n):
    global COUNT
    COUNT += n
    print(COUNT)


def of_a_counter(x):
    counts(3)
    return x * x


def of_persistent(x):
    return np.sum(tl.PersistentArray(x) * 2.0)


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (of_a_file, "HANDLE.*TextIOWrapper"),
        (of_chance, "RANDOM.*Generator"),
        (of_a_large_array, "10000 elements"),
        (of_an_object, "SPRING.*Spring"),
        (of_dates, "datetime64"),
        (of_a_counter, "COUNT"),
        (of_persistent, "PersistentArray"),
    ],
)
def test_what_a_file_cannot_hold_is_refused(function: Any, words: str) -> None:
    with pytest.raises(tl.DerivativeError, match=words) as caught:
        source(function, "out.py")
    assert type(caught.value).__name__ == "ExportError"
    assert caught.value.hint


def made_inside(x):
    @dataclasses.dataclass
    class Point:
        a: float

    return sum(p.a * p.a for p in [Point(x * k) for k in range(3)])


def named_inside(x):
    Pair = collections.namedtuple("Pair", "a b")
    pair = Pair(x, x * x)
    return pair.a * pair.b


@pytest.mark.parametrize("function", [made_inside, named_inside])
def test_classes_made_inside_are_to_be_put_outside(function: Any) -> None:
    with pytest.raises(
        tl.DerivativeError, match="the text of the class .* not to be found"
    ) as caught:
        tl.export(tl.grad(function), "out.py")
    assert "outside of functions" in caught.value.hint


def test_other_callables_are_no_derivatives() -> None:
    for made in (tl.hessian(functions.cube), tl.vjp(functions.cube), tl.hvp(functions.logistic)):
        with pytest.raises(tl.DerivativeError, match="Export the derivative"):
            tl.export(made, "-")


def test_arguments_that_are_no_numbers_need_an_example() -> None:
    with pytest.raises(tl.DerivativeError, match="example="):
        source(functions.objects, "out.py", "layer")


def test_errors_can_be_read_without_tangentlite(folder: Path, monkeypatch: Any) -> None:
    monkeypatch.syspath_prepend(str(folder))
    import cube  # type: ignore[import-not-found]
    import stores  # type: ignore[import-not-found]

    with pytest.raises(TypeError, match="expected a number or an array, got list"):
        cube.dcube_dx([1.0])
    with pytest.raises(TypeError, match="a gradient needs a scalar result"):
        cube.dcube_dx(np.ones(2))
    folded = np.lib.stride_tricks.as_strided(np.ones(1), (3,), (0,))
    with pytest.raises(stores.AliasError, match=r"(?s)share memory.*Pass a copy: df\(x.copy"):
        stores.dstores_dx(folded)
    assert issubclass(stores.AliasError, stores.DerivativeError)


class Tanh(models.Layer):
    def apply(self, x):
        return x


@pytest.mark.parametrize(
    ("name", "others"),
    [
        ("applied", (0.5, np.cos)),
        ("objects", (Tanh(X, 0.5), 1.5)),
        ("objects", (models.Layer([1.0], 0.5), 1.5)),
        ("objects", (models.Layer(X, 0.5), [1.5])),
        ("bound", (Tanh(X, 0.5), X)),
        ("lists", ([1.0, (2.0,)],)),
        ("dictionaries", ({"w": X, "c": 0.5}, X)),
        ("named_tuples", ((1.0, 2.0),)),
    ],
)
def test_other_kinds_than_those_of_the_example_are_refused(
    folder: Path, name: str, others: tuple[Any, ...], monkeypatch: Any
) -> None:
    monkeypatch.syspath_prepend(str(folder))
    module = __import__(name)
    with pytest.raises(TypeError, match="was not written for such arguments"):
        getattr(module, module.__all__[0])(*others)


def test_the_head_says_what_it_is() -> None:
    head = source(functions.regression, "reg.py", ("w", "b")).split('"""')[1]
    assert "Gradient of `regression` with respect to `w` and `b`." in head
    assert (
        "tangentlite export tests/exporting/functions.py:regression --wrt w --wrt b --output reg.py"
        in head
    )
    assert "from tests.exporting.functions import regression" in head
    assert 'tl.export(tl.grad(regression, wrt=("w", "b")), "reg.py")' in head
    assert 'tl.grad(tl.grad(cube, wrt="x"), wrt="x")' in source(PROGRAMS["second"][0], "-")
