"""A choice between elements: both sides are worked out if they are cheap, so that no element waits for its test.

In: the texts of a test and of two sides.
Out: the text of the choice.
Next: elements.
"""

from __future__ import annotations

import ast

from tangentlite.native.facts.known import EITHER

PLAIN: tuple[type, ...] = (ast.Name, ast.Constant, ast.Subscript, ast.Attribute, ast.Tuple)
PLAIN += (ast.BinOp, ast.UnaryOp, ast.Compare, ast.operator, ast.unaryop, ast.cmpop)
PLAIN += (ast.expr_context, ast.Call)
CHEAP = {EITHER, "np.divide", "np.abs", "np.sqrt", "np.sign", "np.maximum", "np.minimum"}
CHEAP |= {"np.uintp", "min", "max", "abs"}


def sided(test: str, one: str, other: str) -> str:
    """The text of one element or another.

    NumPy works out both sides as well, so that whatever is read here may be read.

    >>> sided("m[i]", "x[i] * 2.0", "0.0"), sided("m[i]", "np.exp(x[i])", "y[i]"), sided("m[i]", "v", "0.0")
    ('_either(m[i], x[i] * 2.0, 0.0)', '(np.exp(x[i]) if m[i] else y[i])', '(v if m[i] else 0.0)')
    """
    nodes = [n for side in (one, other) for n in ast.walk(ast.parse(side, mode="eval").body)]
    if any(isinstance(n, ast.Subscript) for n in nodes) and all(map(_is_cheap, nodes)):
        return f"{EITHER}({test}, {one}, {other})"
    return f"({one} if {test} else {other})"


def _is_cheap(node: ast.AST) -> bool:
    match node:
        case ast.BinOp(op=ast.Pow()):
            return isinstance(node.right, ast.Constant)
        case ast.Call(func=func):
            return ast.unparse(func) in CHEAP
    return isinstance(node, PLAIN)
