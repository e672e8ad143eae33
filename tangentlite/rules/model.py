"""What a rule is made of: its parameters, its lines, and the slices handed to the compiler.

In: nothing.
Out: ``Parameter``, ``Line``, ``Source``, ``Term``, ``Part``, all frozen.
Next: body.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from inspect import Parameter as Kind
from typing import Any, Literal

import gast

from tangentlite.errors import Place, RuleError
from tangentlite.values import field, immutable

EMPTY = Kind.empty
Role = Literal["local", "result", "tangent", "adjoint"]


class Unknown:
    """The value of a literal that is none: equal to nothing, comparable to nothing."""

    def __repr__(self) -> str:
        return "UNKNOWN"

    def __reduce__(self) -> str:
        return "UNKNOWN"


UNKNOWN = Unknown()


@immutable
class Parameter:
    """A parameter of a rule: ``kind`` is inspect's, ``shown`` the text of its default as a tree."""

    name: str
    kind: Any = Kind.POSITIONAL_OR_KEYWORD
    default: object = EMPTY
    shown: gast.expr | None = field(default=None, compare=False)

    @property
    def variadic(self) -> bool:
        """Whether this is ``*xs``."""
        return bool(self.kind is Kind.VAR_POSITIONAL)


@immutable(eq=False)
class Source:
    """A rule as it stands in its file.

    ``flipped`` marks the paper's adjoint form, ``conform`` asks for its terms to be summed or blown
    up to the shape of their target.
    """

    tree: ast.FunctionDef
    file: str
    text: tuple[str, ...]
    scope: Mapping[str, object]
    params: tuple[Parameter, ...]
    results: tuple[str, ...]
    flipped: bool = False
    conform: bool = False

    def place(self, node: ast.AST) -> Place | None:
        """Where ``node`` stands."""
        row = getattr(node, "lineno", None)
        if row is None or not 1 <= row <= len(self.text):
            return None
        return Place(self.file, row, getattr(node, "col_offset", 0), self.text[row - 1])

    def error(self, message: str, node: ast.AST | None = None, hint: str = "") -> RuleError:
        """A complaint about this rule."""
        place = self.place(node or self.tree) or self.place(self.tree)
        return RuleError(f"rule `{self.tree.name}`: {message}", place, hint)


@immutable(eq=False)
class Line:
    """One line of a rule, variadics unrolled and slots named: ``b[x] += sign * value``."""

    role: Role
    targets: tuple[str, ...]
    value: gast.expr
    node: ast.AST
    sign: int = 1
    index: gast.expr | None = None


@immutable
class Term:
    """``target`` receives ``sign * value``, at ``index`` if there is one.

    ``elementwise`` says that the value may have another shape: sum it to the target's (adjoints) or
    blow it up to the target's (tangents).
    """

    target: str
    value: gast.expr
    sign: int = 1
    index: gast.expr | None = None
    elementwise: bool = False


@immutable(eq=False)
class Part:
    """What one mode needs of a rule for one set of active parameters.

    ``kept`` names locals that ``Rule.replaces`` bound and this part reads: they are in ``reads``
    too, and ``instantiate`` finds their names in ``locals``.
    """

    shared: tuple[gast.stmt, ...] = ()
    terms: tuple[Term, ...] = ()
    reads: frozenset[str] = frozenset()
    shapes: frozenset[str] = frozenset()
    apply: frozenset[str] = frozenset()
    globals: Mapping[str, object] = field(default_factory=dict)
    locals: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    slots: frozenset[str] = frozenset()
    defaults: Mapping[str, gast.expr] = field(default_factory=dict)

    def computes_with(self, name: str) -> bool:
        """Whether a name is an operand of an operator."""
        trees = [*(s.value for s in self.shared), *(t.value for t in self.terms)]
        nodes = (n for tree in trees for n in ast.walk(tree) if isinstance(n, gast.BinOp))
        sides = (side for n in nodes for side in (n.left, n.right))
        return any(isinstance(side, gast.Name) and side.id == name for side in sides)


def slot(letter: str, name: str) -> str:
    """The name under which ``d[x]`` or ``b[x]`` stands in trees.

    >>> slot("d", "x")
    'd[x]'
    """
    return f"{letter}[{name}]"


def is_slot(name: str, letters: str = "db") -> bool:
    """Whether ``name`` is that of a slot."""
    return name[1:2] == "[" and name[0] in letters and name.endswith("]")


def slot_name(name: str) -> str:
    """The variable of a slot.

    >>> slot_name("b[xs[0]]")
    'xs[0]'
    """
    return name[2:-1]
