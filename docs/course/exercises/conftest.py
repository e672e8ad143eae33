"""Loads what a test is about: ``05_node.py`` for ``test_05_node.py``, or its solution with ``--solutions``."""

import importlib.util
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
collect_ignore_glob = ["[0-9]*.py"]  # they have no tests in them


def pytest_addoption(parser):
    parser.addoption("--solutions", action="store_true", help="test docs/course/solutions instead")


@pytest.fixture(scope="module")
def work(request):
    """The module that the exercise is written in."""
    solutions = request.config.getoption("--solutions")
    folder = HERE.parent / "solutions" if solutions else HERE
    name = request.path.stem.removeprefix("test_")
    spec = importlib.util.spec_from_file_location(f"exercise_{name}", folder / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module
