"""Elements at which an innermost loop stays are numbers there, which need not be written into memory at every trip.

In: the statements of a kernel, what is known of its names.
Out: statements.
Next: workshop.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any

from tangentlite.native.facts.known import ADDED, AT, EITHER, ROLLED
from tangentlite.native.facts.names import rebuild, stores
from tangentlite.native.library.exponentials import OWN

Meaning = Callable[[ast.expr], Any]
PLAIN: tuple[type, ...] = (ast.Name, ast.Constant, ast.BinOp, ast.UnaryOp, ast.Tuple)
PLAIN += (ast.operator, ast.unaryop, ast.expr_context)
BUILTIN = {"max", "min", "abs", "int", "float", "len", ADDED, AT, EITHER, ROLLED, *OWN}
Element = tuple[str, str]


class Registers:
    """``names`` tells which arrays hold floats, and which may share memory; ``fresh`` gives names."""

    def __init__(self, names: Any, meaning: Meaning, fresh: Callable[[str], str]) -> None:
        self._names, self._meaning, self._fresh = names, meaning, fresh

    def block(self, body: list[ast.stmt]) -> list[ast.stmt]:
        """The statements, with numbers for what innermost loops meet at every trip.

        >>> loop = ast.parse("for k in range(n):\\n    s[i, 0] += a[i, k]").body
        >>> names = type("Names", (), {"floats": {"s", "a"}, "meet": lambda self, a, b: a == b})()
        >>> made = Registers(names, lambda node: None, lambda wish: "_e1").block(loop)
        >>> print("\\n".join(map(ast.unparse, made)))
        if 0 < n:
            _e1 = s[i, 0]
            for k in range(n):
                _e1 += a[i, k]
            s[i, 0] = _e1
        """
        done: list[ast.stmt] = []
        for statement in body:
            rebuild(statement, self.block)
            done += [statement] if not isinstance(statement, ast.For) else self._loop(statement)
        return done

    def _loop(self, loop: ast.For) -> list[ast.stmt]:
        test = _test(loop)
        plain = all(isinstance(s, (ast.Assign, ast.AugAssign)) for s in loop.body)
        if test is None or not plain or not self.is_known(loop.body):
            return [loop]
        found: dict[Element, bool] = {}
        for node in _elements(loop):
            key = ast.unparse(node.value), ast.unparse(node.slice)
            found[key] = found.get(key, False) or isinstance(node.ctx, ast.Store)
        chosen = {e: self._fresh("e") for e in found if self._stays(e, found, loop)}
        if not chosen:
            return [loop]
        _Put(chosen).visit(loop)
        first = [f"{name} = {a}[{at}]" for (a, at), name in chosen.items()]
        last = [f"{a}[{at}] = {name}" for (a, at), name in chosen.items() if found[a, at]]
        lines = [*ast.parse("\n".join(first)).body, loop, *ast.parse("\n".join(last)).body]
        if test.removeprefix("0 < ").isdigit() and test != "0 < 0":
            return lines
        made: Any = ast.parse(f"if {test}:\n    pass").body[0]
        made.body = lines
        return [made]

    def is_known(self, body: list[ast.stmt]) -> bool:
        """Whether statements do nothing but read and write single elements, and work with numbers."""
        for node in (n for s in body for n in ast.walk(s)):
            match node:
                case ast.Subscript(value=ast.Name(), slice=index):
                    if any(
                        isinstance(n, (ast.Slice, ast.Constant)) and _is_more(n)
                        for n in ast.walk(index)
                    ):
                        return False
                case ast.Subscript(value=ast.Attribute(attr="shape")):
                    pass
                case ast.Subscript() | ast.NamedExpr() | ast.Lambda():
                    return False
                case ast.Call(func=ast.Name(id=name)) if name in BUILTIN:
                    pass
                case ast.Call(func=func) if self._meaning(func) is None:
                    return False
        return True

    def _stays(self, element: Element, found: dict[Element, bool], loop: ast.For) -> bool:
        """Whether an element is the same at every trip, and nothing else in the loop is it."""
        array, index = element
        place = ast.parse(index, mode="eval").body
        bound = set(stores([loop]))
        walked = {n.id for n in ast.walk(place) if isinstance(n, ast.Name)}
        if array not in self._names.floats or array in bound or not walked.isdisjoint(bound):
            return False
        if not all(isinstance(n, PLAIN) or _is_counted(n) for n in ast.walk(place)):
            return False
        written = {name for (name, _), stored in found.items() if stored}
        others = {name for name, _ in found} if found[element] else written
        if not written or any(self._names.meet(array, n) for n in others - {array}):
            return False
        return array not in written or [e for e in found if e[0] == array] == [element]


def _is_more(node: ast.AST) -> bool:
    """Whether a part of an index is no place."""
    return isinstance(node, ast.Slice) or type(getattr(node, "value", 0)) is not int


def _is_counted(node: ast.AST) -> bool:
    """Whether a node belongs to ``np.uintp(i)``."""
    func = node.func if isinstance(node, ast.Call) else node
    return isinstance(func, ast.Attribute) and func.attr == "uintp"


def _elements(loop: ast.For) -> Iterator[ast.Subscript]:
    for node in (n for s in loop.body for n in ast.walk(s)):
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
            yield node


def _test(loop: ast.For) -> str | None:
    """Whether there is a trip at all; None for a loop over anything but a range."""
    match loop.iter:
        case ast.Call(func=ast.Name(id="range"), args=[high], keywords=[]):
            return f"0 < {ast.unparse(high)}"
        case ast.Call(func=ast.Name(id="range"), args=[low, high], keywords=[]):
            return f"{ast.unparse(low)} < {ast.unparse(high)}"
        case ast.Call(func=ast.Name(id="range"), args=[high, low, step], keywords=[]):
            down = ast.unparse(step) == "-1"
            return f"{ast.unparse(low)} < {ast.unparse(high)}" if down else None
    return None


class _Put(ast.NodeTransformer):
    def __init__(self, chosen: dict[Element, str]) -> None:
        self._chosen = chosen

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        """``s[i, 0]`` is a number."""
        name = self._chosen.get((ast.unparse(node.value), ast.unparse(node.slice)))
        if name is not None:
            return ast.Name(name, node.ctx)
        self.generic_visit(node)
        return node
