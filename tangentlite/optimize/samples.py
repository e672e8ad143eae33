"""Samples: the scope in which the doctests and tests of passes run.

In: source text of statements.
Out: a ``Scope``, the statements after a pass, their text.
Next: tests.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

import gast
import numpy as np

from tangentlite import runtime, syntax
from tangentlite.ir import Function, Namespace, Origin, Param
from tangentlite.optimize.facts.scope import Scope

Pass = Callable[[list[gast.stmt], Scope], list[gast.stmt]]
PARAMS = ("x", "n", "by")
USER = frozenset("x y z w n i k A B c u v s np rt".split())


def sample_is_pure(callee: Any) -> bool:
    """NumPy without its random numbers stands in for the registry of rules."""
    home = getattr(callee, "__module__", None) or ""
    return isinstance(callee, np.ufunc) or home.startswith(("numpy", "rt"))


def _rt() -> ModuleType:
    """A module with the names of the runtime that samples mention."""
    module = ModuleType("rt")
    for name in ("unbroadcast", "unreduce", "times", "like", "seed", "take_out"):
        setattr(module, name, np.asarray)
    module.einsum = runtime.einsum  # type: ignore[attr-defined]
    return module


def parse(text: str) -> list[gast.stmt]:
    """Statements; lines that start with ``#`` become comments.

    >>> [syntax.unparse(statement) for statement in parse("# Backward\\nby = 1.0")]
    ['# Backward', 'by = 1.0']
    """
    lines = [
        line.replace("# ", "__comment__('").replace("'", '"', 1) + '")' if _remark(line) else line
        for line in text.splitlines()
    ]
    return syntax.rewrite(syntax.parse("\n".join(lines)), _comment)


def _remark(line: str) -> bool:
    return line.lstrip().startswith("# ")


def _comment(statement: gast.stmt) -> list[gast.stmt]:
    match statement:
        case gast.Expr(value=gast.Call(func=gast.Name(id="__comment__"), args=[text])):
            return [syntax.comment(text.value)]
    return [statement]


def function(
    text: str,
    params: Sequence[str] = PARAMS,
    names: dict[str, Any] | None = None,
) -> Function:
    """A function whose body is ``text``."""
    tree = syntax.quote("def f(): pass")[0]
    tree.body = parse(text)
    bound = {"np": np, "rt": _rt(), **(names or {})}
    return Function(tree, "f", tuple(map(Param, params)), Namespace(bound), Origin("sample", 1, ()))


def text_of(body: list[gast.stmt], indent: str = "") -> str:
    """The text of statements, comments included."""
    lines = []
    for statement in body:
        blocks = syntax.blocks(statement)
        if not blocks or isinstance(statement, gast.FunctionDef):
            lines.append(indent + syntax.unparse(statement))
            continue
        lines.append(indent + _head(statement))
        lines.append(text_of(blocks[0], indent + "    "))
        for handler in getattr(statement, "handlers", []):
            caught = f" {syntax.unparse(handler.type)}" if handler.type else ""
            lines += [f"{indent}except{caught}:", text_of(handler.body, indent + "    ")]
        if blocks[1]:
            lines += [indent + "else:", text_of(blocks[1], indent + "    ")]
    return "\n".join(lines)


def _head(statement: gast.stmt) -> str:
    empty = statement.__class__.__new__(statement.__class__)
    empty.__dict__.update(statement.__dict__)
    empty.body, empty.orelse = [gast.Pass()], []
    return syntax.unparse(empty).splitlines()[0]


def after(step: Pass, text: str, **context: Any) -> str:
    """The text that ``step`` makes of ``text``."""
    user = context.pop("user", USER)
    sample = function(text, **context)
    return text_of(step(sample.body, Scope(sample, user, sample_is_pure)))


def show(step: Pass, text: str, **context: Any) -> None:
    """Print ``after``: the form that doctests use."""
    print(after(step, text, **context))
