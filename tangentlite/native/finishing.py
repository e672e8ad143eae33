"""How a gradient is finished where it is known of what it was made.

In: what a front gives back, the arguments of a call, how the arrays for its results are made.
Out: the same without questions whose answers are known.
Next: fronts.
"""

from __future__ import annotations

import ast
from typing import Any

import numpy as np

from tangentlite import runtime
from tangentlite.native.calls import Call
from tangentlite.native.kernel import Meaning
from tangentlite.parsing import parsed

DOUBLE = np.dtype(float)


def renamed(target: ast.expr, value: ast.expr) -> dict[str, str]:
    """The names by which the call knows what the door has other names for."""
    parts = ((getattr(e, "elts", None) or [e]) for e in (target, value))
    pairs = list(zip(*parts))
    return {a.id: b.id for a, b in pairs if isinstance(a, ast.Name) and isinstance(b, ast.Name)}


class Named(ast.NodeTransformer):
    """Names of the door in those of the call."""

    def __init__(self, same: dict[str, str]) -> None:
        self._same = same

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """``bx_out`` for ``bx``."""
        return ast.Name(self._same.get(node.id, node.id), node.ctx)


class Finish(ast.NodeTransformer):
    """Gradients that are like their arguments by how they were made are given back as they are."""

    def __init__(self, values: dict[str, Any], call: Call, meaning: Meaning) -> None:
        self._values, self._made, self._meaning = values, call.made, meaning
        self._alike = dict(zip((a.arg for a in call.params.args), call.alike))

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """``rt.like(bx, x)``; arrays that the call makes are ``rt.distinct``."""
        match node:
            case ast.Call(func=func, args=[ast.Name(id=b), ast.Name(id=x)]) if (
                self._meaning(func) is runtime.like and x in self._values
            ):
                value = self._values[x]
                if type(value) is float:
                    text = f"{b} if _type({b}) is _float else {ast.unparse(node)}"
                    found: ast.expr = parsed(text, "eval").body
                    return found
                if b in self._made and self._is_like(self._made[b], x, value):
                    return node.args[0]
            case ast.Call(func=func, args=[ast.Tuple() as whole]) if (
                self._meaning(func) is runtime.distinct
            ):
                self.generic_visit(node)
                parts = [p.id for p in whole.elts if isinstance(p, ast.Name)]
                apart = len(set(parts)) == len(whole.elts) and self._made.keys() >= set(parts)
                return whole if apart else node
        self.generic_visit(node)
        return node

    def _is_like(self, made: ast.expr, x: str, value: Any) -> bool:
        """Whether an array is made as long as an argument, or as one of its shape; what is made holds doubles."""
        assert isinstance(made, ast.Call)
        group = self._alike.get(x, -1)
        kin = {x, *(name for name, other in self._alike.items() if other == group)}
        size = ast.unparse(made.args[0])
        return value.dtype is DOUBLE and any(size in _whole(name, value.ndim) for name in kin)


def _whole(name: str, rank: int) -> tuple[str, ...]:
    """The texts that make an array of the shape of another."""
    lengths = ", ".join(f"{name}.shape[{k}]" for k in range(rank))
    return f"{name}.shape", f"({lengths},)", f"({lengths})", name
