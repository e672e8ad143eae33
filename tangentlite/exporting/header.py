"""The head of an exported file: what it is the derivative of, and how it is written again.

In: a derivative, and how it was asked for.
Out: prose.
Next: layout.
"""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from types import FunctionType
from typing import Any

from tangentlite import ir
from tangentlite.derivative import Derivative
from tangentlite.methods import Bound

UNSPELLED = "..."  # an example of which only the values are known


def header(derivative: Derivative, main: FunctionType, file: str, example: str) -> str:
    """The docstring of the file.

    ``file``: what it is called; ``example``: the text of the arguments that it was written for.
    """
    function, request, name = innermost(derivative), derivative.request, main.__name__
    lines = [main.__doc__ or f"Derivative of `{name_of(function)}`.", ""]
    lines += [f"Function: {path_of(function)}", f"Derivative: {name}, {result(derivative)}"]
    lines += [f"Mode: {request.mode}", ""]
    lines += [
        "This file was written by tangentlite and needs NumPy only. Do not edit it: write it again"
    ]
    command = command_of(derivative, file, example)
    if command:
        lines += ["", f"    {command}", "", "or, in Python,"]
    else:
        lines[-1] += ", in Python,"
    lines += ["", *(f"    {line}" for line in python_of(derivative, file, example)), ""]
    lines += ["whenever the function, or a value that it reads from outside, has changed."]
    return "\n".join(lines).replace("\\", "\\\\").replace('"""', "'''") + "\n"


def result(derivative: Derivative) -> str:
    """What the function gives."""
    request = derivative.request
    wrt = ", ".join(request.wrt)
    shown = {"gradient": "the gradient", "value, gradient": "(value, gradient)"}
    what = shown.get(request.output, "(gradient, value)")
    if request.mode == "forward":
        what = what.replace("gradient", "tangent")
    if request.motion == "split":
        what = "(value, saved), from which the second function gives the gradient"
    return f"which gives {what} with respect to {wrt}"


def innermost(derivative: Any) -> Any:
    """The function of the user."""
    while isinstance(derivative, Derivative):
        derivative = derivative.primal
    return derivative


def name_of(function: Any) -> str:
    """What a function is called where it was written."""
    return str(getattr(function, "__qualname__", getattr(function, "__name__", "f")))


def path_of(function: Any) -> str:
    """Where a function stands, by names that are the same everywhere."""
    module = getattr(function, "__module__", None) or "__main__"
    return f"{name_of(function)} in {_file(function) or module}"


def _file(function: Any) -> str | None:
    """The file of a function, without the folders above its outermost package; None if it is not that of its module."""
    module = getattr(function, "__module__", None) or "__main__"
    file = getattr(sys.modules.get(module), "__file__", None)
    code = getattr(getattr(function, "__func__", function), "__code__", None)
    if code is None or not file or Path(code.co_filename).name != Path(file).name:
        return None
    if module == "__main__":
        return Path(file).name
    path = Path(file)
    depth = module.count(".") + (path.stem == "__init__")
    return "/".join(path.parts[-depth - 1 :])


def command_of(derivative: Derivative, file: str, example: str) -> str:
    """The command that writes the file again; nothing where there is none."""
    function, request = innermost(derivative), derivative.request
    path = _file(function)
    plain = ir.Request(
        mode=request.mode, wrt=request.wrt, several=len(request.wrt) > 1, name=request.name
    )
    value = "value, gradient" if request.mode == "reverse" else request.output
    valued = plain.__class__(**{**plain.__dict__, "output": value})
    simple = request in (plain, valued) and not isinstance(derivative.primal, Derivative)
    if (
        not path
        or not simple
        or example == UNSPELLED
        or not all(p.isidentifier() for p in name_of(function).split("."))
    ):
        return ""
    words = ["tangentlite", "export", f"{path}:{name_of(function)}"]
    words += [w for name in request.wrt for w in ("--wrt", name)]
    words += ["--mode", "forward"] if request.mode == "forward" else []
    words += ["--value-and-grad"] if request == valued and request != plain else []
    words += ["--name", request.name] if request.name else []
    words += ["--example", example] if example else []
    return shlex.join([*words, "--output", file])


def python_of(derivative: Derivative, file: str, example: str) -> list[str]:
    """The lines of Python that write the file again."""
    function = innermost(derivative)
    name = name_of(function)
    module = getattr(function, "__module__", "__main__")
    first = name.partition(".")[0]
    lines = ["import tangentlite as tl"]
    if module != "__main__" and all(p.isidentifier() for p in name.split(".")):
        lines.append(f"from {module} import {first}")
    else:
        name = "f" if "<" in name else name
        lines.append(f"# {name} is {name_of(function)}" if "<" in name_of(function) else "")
    extra = f", example=({example},)" if example else ""
    extra = (
        ", example=(...))  # arguments like those of its calls"
        if example == UNSPELLED
        else extra + ")"
    )
    lines.append(f"tl.export({spelled(derivative, name)}, {file!r}{extra}".replace("'", '"'))
    return [line for line in lines if line]


def spelled(derivative: Any, name: str) -> str:
    """The expression that makes a derivative.

    >>> from tangentlite.derivative import Derivative
    >>> spelled(len, "f")
    'f'
    """
    if not isinstance(derivative, Derivative):
        return name
    request, inner = derivative.request, spelled(derivative.primal, name)
    wrt = request.wrt if request.several else request.wrt[0]
    options = [inner, f"wrt={wrt!r}"]
    if (
        request.mode == "forward"
        or request.motion == "split"
        or request.output == "gradient, value"
    ):
        if request.mode == "forward" and request.output == "value, gradient":
            return f"tl.jvp({', '.join(options)})"
        options += [f"mode={request.mode!r}"] if request.mode != "reverse" else []
        options += [f"motion={request.motion!r}"] if request.motion != "joint" else []
        options += ["preserve_result=True"] if request.output == "gradient, value" else []
        return f"tl.autodiff({', '.join(options)})"
    options += ["has_aux=True"] if request.has_aux else []
    options += [f"name={request.name!r}"] if request.name else []
    options += ["optimized=False"] if not request.optimized else []
    maker = "grad" if request.output == "gradient" else "value_and_grad"
    return f"tl.{maker}({', '.join(options)})"


__all__ = ["Bound", "header"]
