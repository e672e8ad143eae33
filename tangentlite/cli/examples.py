"""Example arguments for a function of the user: an expression, or something that the file holds.

In: the words of the command line, the function.
Out: ``Example`` values, each the arguments of one call.
Next: check, bench, report, graph, export.
"""

from __future__ import annotations

import argparse
import inspect
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np

from tangentlite.cli.failures import UserError
from tangentlite.cli.target import NotFoundError
from tangentlite.values import field, immutable

Function = Callable[..., Any]
DEFAULT = "examples"


@immutable(eq=False)
class Example:
    """The arguments of one call."""

    args: tuple[Any, ...] = ()
    kwargs: dict[str, Any] = field(default_factory=dict)


def describe(parser: argparse.ArgumentParser) -> None:
    """Add the options that give arguments."""
    group = parser.add_mutually_exclusive_group()
    group.add_argument(
        "--args",
        metavar="ARGUMENTS",
        help='as in a call, with np and what the file defines: "np.ones(3), n=2"',
    )
    group.add_argument(
        "--at",
        metavar="NAME",
        help="a name in the file: a tuple of arguments, a dict of named ones, a list of either, a function that "
        f"returns one, or a dict of those by function (default: {DEFAULT}, if the file has it)",
    )


def given(options: argparse.Namespace, function: Function, module: ModuleType) -> list[Example]:
    """The examples that the options name."""
    if options.args is not None:
        return [_fitting(evaluated(options.args, module), function, "--args")]
    name = options.at or (DEFAULT if hasattr(module, DEFAULT) else None)
    if name is None:
        return [_of_defaults(function, module)]
    if not hasattr(module, name):
        raise NotFoundError(f"{module.__file__} has no {name}: --at names a variable or a function")
    found = getattr(module, name)
    if callable(found):
        found = _called(name, found)
    if isinstance(found, dict) and function.__name__ in found:
        found = found[function.__name__]
    return [_fitting(example, function, name) for example in examples(found)]


def first(options: argparse.Namespace, function: Function, module: ModuleType) -> Example | None:
    """The first example that the options or the file name; None if they name none."""
    if options.args is None and options.at is None and not hasattr(module, DEFAULT):
        return None
    return given(options, function, module)[0]


def examples(found: Any) -> list[Example]:
    """What a name in the file holds, as arguments.

    >>> [(e.args, e.kwargs) for e in examples([(1.0, 2), {"x": 3.0}])]
    [((1.0, 2), {}), ((), {'x': 3.0})]
    """
    several = isinstance(found, list) and found and all(isinstance(e, tuple | dict) for e in found)
    return [_example(e) for e in found] if several else [_example(found)]


def _example(found: Any) -> Example:
    if isinstance(found, dict) and all(isinstance(key, str) for key in found):
        return Example((), found)
    return Example(found if isinstance(found, tuple) else (found,))


def _fitting(example: Example, function: Function, name: str) -> Example:
    """The example, if the function can be called with it."""
    signature = inspect.signature(function)
    try:
        signature.bind(*example.args, **example.kwargs)
    except TypeError as error:
        what = f"what {name} gives is no call of {function.__name__}{signature}: {error}"
        raise NotFoundError(f"{what}.\n{_hint(function)}") from None
    return example


def _hint(function: Function) -> str:
    return (
        f"Give an expression: --args '(np.ones(3), 2.0)'\n"
        f"or define {DEFAULT} in the file: a tuple of arguments, a dict of named ones, a list of either, "
        f"a function that returns one, or a dict {{'{function.__name__}': …}}; --at NAME if it has another name."
    )


def evaluated(text: str, module: ModuleType, option: str = "--args") -> Example:
    """The arguments that a text spells, as in a call; a tuple alone is that of all arguments.

    >>> import math
    >>> evaluated("pi, n=2", math), evaluated("(2.0, 3)", math).args
    (Example(args=(3.141592653589793,), kwargs={'n': 2}), (2.0, 3))
    """
    names = {"np": np, **vars(module)}
    try:
        made = eval(compile(f"(lambda *a, **k: (a, k))({text})", f"<{option}>", "eval"), names)
    except Exception as error:
        raise UserError(f"{option} {text!r} cannot be evaluated:", error) from None
    args, kwargs = made
    whole = not kwargs and len(args) == 1 and isinstance(args[0], tuple)
    return Example(args[0] if whole else args, kwargs)


def _of_defaults(function: Function, module: ModuleType) -> Example:
    """No arguments, for a function that needs none."""
    signature = inspect.signature(function)
    try:
        signature.bind()
    except TypeError:
        told = f"{function.__name__}{signature} needs arguments."
        raise NotFoundError(f"{told}\n{_hint(function)}") from None
    return Example()


def _called(name: str, function: Function) -> Any:
    try:
        return function()
    except Exception as error:
        raise UserError(f"{name}() raises:", error) from None
