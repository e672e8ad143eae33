"""Which numbers of a kernel are surely of double precision, where no argument is of another one.

In: the tree of a kernel, what is known of its names.
Out: a test of expressions.
Next: rowwise.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from tangentlite.native.facts.known import is_helper

OTHERS = {"complex", "complex64", "complex128", "complex256", "csingle", "cdouble", "clongdouble"}
OTHERS |= {"float16", "float32", "half", "single", "longdouble", "dtype"}


def doubles(
    tree: ast.FunctionDef, names: Any, meaning: Callable[[ast.expr], Any], double: bool
) -> Callable[[ast.expr], bool]:
    """Nothing is sure where types are named, or other functions called that may name some.

    >>> names = type("Names", (), {"rank": lambda self, n: 0, "floating": lambda self, n: True})()
    >>> def sure(text):
    ...     tree = ast.parse(f"def f(x):\\n return {text}").body[0]
    ...     return doubles(tree, names, lambda node: None, True)(ast.parse("x"))
    >>> sure("x * 2"), sure("np.float32(x)"), sure("x + 1j"), sure("x.astype(np.single)")
    (True, False, False, False)
    """
    nodes = list(ast.walk(tree)) if double else []
    sure = double and not any(_is_other(n, meaning) for n in nodes)
    return lambda part: sure and names.rank(part) == 0 and names.floating(part)


def _is_other(node: ast.AST, meaning: Callable[[ast.expr], Any]) -> bool:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name in OTHERS
        case ast.Constant(value=value):
            return isinstance(value, complex)
        case ast.keyword(arg="dtype", value=ast.Constant()):
            return True
        case ast.Call(func=func):
            return is_helper(meaning(func))
    return False
