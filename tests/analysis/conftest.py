"""Facts of small functions, written down as text."""

from __future__ import annotations

import linecache
import textwrap
from collections.abc import Callable
from typing import Any

import gast
import numpy as np
import pytest

from tangentlite import analysis, frontend, ir, lowering, pipeline, syntax
from tangentlite.analysis.kinds import Dict, Kind, List, Num, Tuple
from tangentlite.rules import UNKNOWN

COUNT = iter(range(10**9))


def studied(
    text: str, wrt: tuple[str, ...] = ("x",), kinds: Any = None
) -> tuple[Any, analysis.Facts]:
    """The normal form and the facts of the last function in a text."""
    text = textwrap.dedent(text).lstrip("\n")
    file = f"<analysis test {next(COUNT)}>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    space: dict[str, Any] = {"np": np}
    exec(compile(text, file, "exec"), space)
    function = next(v for v in reversed(space.values()) if callable(v))
    normal = lowering.normalize(frontend.read(function))
    request = ir.Request(wrt=wrt, kinds=kinds)
    return normal, analysis.study(normal, request, pipeline.Linker().summary)


def described(kind: Kind) -> str:
    """A kind in a few characters: ``float()`` is a scalar float, ``[x]`` an array shaped like x."""
    match kind:
        case Num(shape=shape, exact=exact, literal=literal):
            if literal is not UNKNOWN:
                return repr(literal)
            shown = "?" if shape is None else " ".join(sorted(map(symbol, shape)))
            return f"{exact or 'num'}[{shown}]"
        case Tuple(items=items, type=name):
            inner = ", ".join(map(described, items))
            return f"({inner})" if name == "tuple" else f"[{inner}]"
        case List(item=item):
            return f"list of {described(item) if item else 'nothing'}"
        case Dict(keys=keys, items=items):
            return "{" + ", ".join(f"{k}: {described(i)}" for k, i in zip(keys, items)) + "}"
    return type(kind).__name__.lower()


def symbol(shape: Any) -> str:
    """The parameter that a shape is named for; a shape that was named on the way is `new`."""
    return shape if isinstance(shape, str) else "new"


@pytest.fixture
def study() -> Callable[..., tuple[Any, analysis.Facts]]:
    return studied


@pytest.fixture
def kinds() -> Callable[..., str]:
    """``name: kind`` for all names of the user at the end of a function."""

    def shown(text: str, **options: Any) -> str:
        normal, facts = studied(text, **options)
        end = facts.kinds.after[-1]
        temporary = {n for n in end if n[0] == "t" and n[1:].isdigit()}
        return "\n".join(f"{n}: {described(end[n])}" for n in end if n not in temporary)

    return shown


@pytest.fixture
def active() -> Callable[..., str]:
    """The names that are active after each statement of the normal form."""

    def shown(text: str, **options: Any) -> str:
        normal, facts = studied(text, **options)
        lines = []
        for point, statement in enumerate(facts.graph.statements):
            if isinstance(statement, gast.stmt) and facts.graph.first[statement] == point:
                head = syntax.unparse(statement).splitlines()[0]
                lines.append(
                    f"{head}  # {' '.join(sorted(facts.activity.after(point)))}".rstrip(" #")
                )
        return "\n".join(lines)

    return shown
