"""Arguments that a kernel writes are copied: whether they overlap others is asked once, and of most at a glance.

In: the statements of a front, the arguments of a call that went through it.
Out: statements.
Next: fronts.
"""

from __future__ import annotations

import ast
from typing import Any

import numpy as np

from tangentlite import runtime
from tangentlite.native.kernel import Meaning
from tangentlite.parsing import parsed


def copied(body: list[ast.stmt], values: dict[str, Any], meaning: Meaning) -> list[ast.stmt]:
    """Two arrays that own their memory overlap only if they are the same; ``rt.own`` looks at all others.

    >>> body = parsed("x = rt.own(x, y)\\nbx = kernel(x, y)").body
    >>> meaning = {"rt.own": runtime.own}.get
    >>> values = {"x": np.ones(2), "y": np.ones(2)}
    >>> done = copied(body, values, lambda node: meaning(ast.unparse(node)))
    >>> print("\\n".join(map(ast.unparse, done)))
    _apart = x.flags.owndata and y.flags.owndata and (x is not y)
    x = x.copy() if _apart and x.flags.carray else rt.own(x, y)
    bx = kernel(x, y)
    """
    done, pairs = list[ast.stmt](), list[tuple[str, str]]()
    for statement in body:
        name, others = _owned(statement, values, meaning)
        if name is None:
            done.append(statement)
            continue
        assert isinstance(statement, ast.Assign)
        pairs += [(name, other) for other in others]
        alone = f"{'_apart and ' if others else ''}{name}.flags.carray"
        text = f"{name} = {name}.copy() if {alone} else {ast.unparse(statement.value)}"
        done += parsed(text).body
    tests = [f"{name}.flags.owndata" for name in dict.fromkeys(n for pair in pairs for n in pair)]
    tests += [f"{one} is not {other}" for one, other in pairs]
    return parsed(f"_apart = {' and '.join(tests)}").body + done if tests else done


def _owned(
    statement: ast.stmt, values: dict[str, Any], meaning: Meaning
) -> tuple[str | None, list[str]]:
    """The array that a statement copies, and the others that it must not overlap."""
    match statement:
        case ast.Assign(
            targets=[ast.Name(id=name)],
            value=ast.Call(func=func, args=[ast.Name(id=same), *others], keywords=[]),
        ) if name == same and meaning(func) is runtime.own:
            names = [a.id for a in others if isinstance(a, ast.Name)]
            arrays = [n for n in names if isinstance(values.get(n), np.ndarray)]
            if isinstance(values.get(name), np.ndarray) and len(names) == len(others):
                return name, arrays
    return None, []
