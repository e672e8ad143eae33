"""What a command works on: the function that ``FILE.py:function`` names, and its variables.

In: the words of the command line.
Out: the function; ``wrt`` as the derivatives take it.
Next: the commands.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from tangentlite.cli.failures import UserError


class NotFoundError(Exception):
    """The file or the function that the command names does not exist."""


def describe(parser: argparse.ArgumentParser) -> None:
    """Add the options that name a function and its variables.

    >>> parser = argparse.ArgumentParser()
    >>> describe(parser)
    >>> options = parser.parse_args(["model.py:loss", "--wrt", "w", "--wrt", "1"])
    >>> options.target, wrt(options.wrt)
    ('model.py:loss', ('w', 1))
    """
    parser.add_argument("target", metavar="FILE.py:function", help="the function to differentiate")
    parser.add_argument("--wrt", action="append", metavar="NAME", help="parameter or its position")


def wrt(words: Sequence[str] | None) -> int | str | tuple[int | str, ...]:
    """The parameters that ``--wrt`` names: the first one if it is not given."""
    given = [int(w) if w.isdecimal() else w for w in words or ["0"]]
    return given[0] if len(given) == 1 else tuple(given)


def load(target: str) -> Callable[..., Any]:
    """The function that ``FILE.py:function`` names."""
    return found(target)[0]


def found(target: str) -> tuple[Callable[..., Any], ModuleType]:
    """The function that ``FILE.py:function`` names, and the module that it is in."""
    file, colon, name = target.rpartition(":")
    if not colon or not name or not file:
        raise NotFoundError(f"{target!r} names no function: write FILE.py:function")
    module = found = _import(Path(file))
    for part in name.split("."):
        if not hasattr(found, part):
            raise NotFoundError(f"{file} has no {name}. {_offer(found)}".rstrip())
        found = getattr(found, part)
    if not callable(found):
        raise NotFoundError(f"{name} in {file} is {type(found).__name__}, not a function")
    return found, module


def _import(path: Path) -> Any:
    """The file as a module; its neighbors can be imported, as when it is run."""
    if not path.is_file():
        raise NotFoundError(f"{path}: no such file")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise NotFoundError(f"{path} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules.setdefault(path.stem, module)
    sys.path.insert(0, str(path.resolve().parent))
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise UserError(f"{path} cannot be imported:", error) from None
    return module


def _offer(scope: Any) -> str:
    own = getattr(scope, "__name__", None)
    names = [n for n, v in vars(scope).items() if getattr(v, "__module__", None) == own]
    functions = [n for n in names if callable(vars(scope)[n])]
    return "It has " + ", ".join(functions) + "." if functions else ""
