"""One block of inserted code: what it binds, what it reads of the function, how it uses the adjoint.

In: the body of ``with tl.insert_grad_of(x) as dx:``.
Out: ``Insertion``.
Next: surgery.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set
from typing import Any

import gast
import numpy as np

from tangentlite import scopes, syntax
from tangentlite.errors import Place
from tangentlite.ir import Namespace

Refusal = Callable[[Any, str, str], Exception]
STOPS = frozenset("breakpoint set_trace embed interact locals".split())
LOOKED_AT = frozenset({"shape", "ndim", "size", "dtype"})
ANSWERS = frozenset("sum mean max min any all copy item tolist std var round dot clip prod".split())
ONLOOKERS: tuple[Any, ...] = (print, abs, float, int, bool, len, max, min, sum, round, str, repr)
ONLOOKERS += (
    isinstance,
    type,
    format,
    any,
    all,
    np.linalg.norm,
    np.clip,
    np.sum,
    np.mean,
    np.any,
    np.all,
)
ONLOOKERS += (np.max, np.min, np.where, np.dot, np.std, np.var, np.round, np.copy, np.array)
ONLOOKERS += (np.zeros_like, np.ones_like, np.isclose, np.allclose, np.array_equal, np.shape)
ONLOOKERS += (np.size, np.vdot, np.percentile, np.median, np.argmax, np.argmin, np.count_nonzero)
READERS = frozenset("get keys values items index count copy".split()) | ANSWERS

READ_FIRST = "`{}` of the function is read and bound anew in inserted code"
OUTER = "inserted code cannot bind global or nonlocal names"
OWN_NAME = (
    "Each run of the block sees the value that the function has there. Use another name, or keep "
    "what should last in a list, a dict or an object."
)
LEAVES = "Leave the block at its end: put what follows into a branch."
INNER = "Name both values in one block: `with tl.insert_grad_of(x, y) as (dx, dy):`."
OUTSIDE = "Keep what should last in a list, a dict or an object."
METHOD = "Name the class: `Base.method(self)`."


class Insertion:
    """Inserted code. ``targets`` stand for adjoints; ``reads`` are names of the function that the body reads.

    It can be called like the statement that stands for it, and does nothing: a primal has no adjoints.
    """

    def __init__(
        self,
        targets: tuple[str | None, ...],
        body: list[Any],
        namespace: Namespace,
        place: Place | None,
    ) -> None:
        self.targets, self.body = targets, body
        self.namespace, self.place = namespace, place
        self.bound = scopes.bound(body) - set(targets)
        self.mentioned = scopes.mentioned(body) - self.bound - set(targets)
        self.reads: tuple[str, ...] | None = None

    def __call__(self, *values: Any) -> None:
        """Nothing."""

    @property
    def breaks(self) -> bool:
        """Whether the body leaves the loop around it."""
        return syntax.breaks(self.body)

    @property
    def stops(self) -> bool:
        """Whether somebody looks at names while the body runs: in a debugger, or a shell."""
        calls = (n for s in self.body for n in syntax.walk(s) if isinstance(n, gast.Call))
        return any(getattr(c.func, "attr", getattr(c.func, "id", "")) in STOPS for c in calls)

    @property
    def free(self) -> set[str]:
        """The names that the body takes from outside of the function."""
        return self.mentioned - set(self.reads or ())

    def see(self, own: Set[str], refusal: Refusal) -> None:
        """Take in the variables of the function that the block stands in."""
        first = dict[str, bool]()
        for name, read in _met(self.body):
            first.setdefault(name, read)
        for name in sorted(self.bound & own):
            if first.get(name):
                raise refusal(self.body[0], READ_FIRST.format(name), OWN_NAME)
        self.reads = tuple(sorted(self.mentioned & own))

    def alters(self, name: str) -> bool:
        """Whether the body may change what the function holds under a name."""
        for node in (n for s in self.body for n in syntax.walk(s)):
            match node:
                case gast.Subscript() | gast.Attribute():
                    if not isinstance(node.ctx, gast.Load) and _root(node) == name:
                        return True
                case gast.Call(func=gast.Attribute(value=value, attr=attr)) if _root(value) == name:
                    if attr not in READERS:
                        return True
                case gast.Call(args=args, keywords=keywords) if not self._looks_on(node):
                    if any(_root(a) == name for a in [*args, *(k.value for k in keywords)]):
                        return True
                case gast.AugAssign(target=gast.Name(id=found)) if found == name:
                    return True
        return False

    # What is done with an adjoint -----------------------------------------------------------

    def rebinds(self, target: str) -> bool:
        """Whether the body gives the adjoint another value."""
        plain = (s for s in syntax.statements(self.body) if not isinstance(s, gast.AugAssign))
        return any(target in syntax.stores(p) for s in plain for p in _outside_blocks(s))

    def changes(self, target: str) -> bool:
        """Whether the body writes into the adjoint."""
        for node in (n for s in self.body for n in syntax.walk(s)):
            match node:
                case gast.AugAssign(target=gast.Name(id=name)) if name == target:
                    return True
                case (
                    gast.Subscript(ctx=gast.Store() | gast.Del()) | gast.Attribute(ctx=gast.Store())
                ) if _root(node) == target:
                    return True
        return False

    def hands_out(self, target: str) -> bool:
        """Whether something may keep or change the adjoint after the block."""
        return any(self._held(s, target, False) for s in self.body)

    def is_fresh(self, target: str) -> bool:
        """Whether nobody else holds what the body leaves as the adjoint."""
        for node in (n for s in self.body for n in syntax.walk(s)):
            match node:
                case gast.Assign(targets=[gast.Name(id=name)], value=value) if name == target:
                    if not self._is_new(value, target):
                        return False
                case gast.Name(id=name, ctx=gast.Store()) if name == target:
                    bound = [s for s in syntax.statements(self.body) if _binds(s, node)]
                    if not bound:
                        return False
        return not self.hands_out(target)

    def is_number(self, target: str) -> bool:
        """Whether the adjoint of a number is a number when the body ends: it is made of itself and literals."""
        for statement in syntax.statements(self.body):
            if target not in syntax.stores(_outside_blocks(statement)):
                continue
            match statement:
                case gast.Assign(targets=[gast.Name()], value=value) | gast.AugAssign(value=value):
                    if not _is_arithmetic(value, target):
                        return False
                case _:
                    return False
        return True

    def _is_new(self, value: Any, target: str) -> bool:
        match value:
            case gast.BinOp() | gast.UnaryOp() | gast.Constant() | gast.Compare():
                return True
            case gast.IfExp(body=body, orelse=other):
                return self._is_new(body, target) and self._is_new(other, target)
            case gast.Name(id=name):
                return bool(name == target)
        return isinstance(value, gast.Call) and self._looks_on(value)

    def _held(self, node: Any, target: str, kept: bool) -> bool:
        """Whether ``node`` hands the adjoint out; ``kept``: the value of ``node`` is."""
        match node:
            case gast.Name(id=name, ctx=gast.Load()):
                return kept and name == target
            case gast.BinOp() | gast.UnaryOp() | gast.Compare() | gast.JoinedStr():
                return self._any(syntax.children(node), target, False)
            case gast.FormattedValue() | gast.Expr() | gast.AugAssign(target=gast.Name()):
                return self._any(syntax.children(node), target, False)
            case gast.Subscript(value=value, slice=index):
                return self._held(value, target, kept) or self._held(index, target, False)
            case gast.Attribute(value=value, attr=attr):
                return self._held(value, target, kept and attr not in LOOKED_AT)
            case gast.Assign(targets=[gast.Name(id=name)], value=value) if name == target:
                return self._held(value, target, False)
            case gast.If(test=test) | gast.While(test=test) | gast.IfExp(test=test):
                rest = [c for c in syntax.children(node) if c is not test]
                return self._held(test, target, False) or self._any(rest, target, kept)
            case gast.Call(func=func, args=args, keywords=keywords):
                given = self._any([*args, *keywords], target, not self._looks_on(node))
                return given or self._callee(func, target)
        return self._any(
            syntax.children(node), target, not isinstance(node, gast.stmt) or _keeps(node)
        )

    def _any(self, nodes: Any, target: str, kept: bool) -> bool:
        return any(self._held(n, target, kept) for n in nodes)

    def _callee(self, func: Any, target: str) -> bool:
        match func:
            case gast.Attribute(value=value, attr=attr):
                return self._held(value, target, attr not in ANSWERS)
        return self._held(func, target, False)

    def _looks_on(self, call: Any) -> bool:
        """Whether a function neither keeps nor changes its arguments, and gives something new."""
        if any(k.arg == "out" for k in call.keywords):
            return False
        path = syntax.dotted(call.func)
        try:
            found = self.namespace.resolve(path) if path is not None else None
        except (KeyError, AttributeError):
            return False
        if isinstance(found, np.ufunc):
            return len(call.args) <= found.nin
        return any(found is f for f in ONLOOKERS)


def named(namespace: Namespace) -> set[str]:
    """The names that inserted code binds, and takes from outside."""
    found = set[str]()
    for name in namespace.cells:
        insertion = namespace.lookup(name) if namespace.binds(name) else None
        if isinstance(insertion, Insertion):
            found |= insertion.bound | insertion.free | {t for t in insertion.targets if t}
    return found


def refuse_body(
    body: list[Any],
    targets: tuple[str | None, ...],
    refusal: Refusal,
) -> None:
    """Refuse what has no meaning in inserted code."""
    for node, looped in _own(body):
        match node:
            case gast.Return() | gast.Yield() | gast.YieldFrom() | gast.Await():
                word = type(node).__name__.lower().removesuffix("from")
                raise refusal(node, f"`{word}` in inserted code has no meaning", LEAVES)
            case gast.Continue() if not looped:
                raise refusal(node, "`continue` in inserted code is not supported", LEAVES)
            case gast.Global() | gast.Nonlocal():
                raise refusal(node, OUTER, OUTSIDE)
            case gast.Name(id=name, ctx=gast.Del()) if name in targets:
                raise refusal(node, f"`del {name}` leaves no adjoint", "Write `… = 0.0` instead.")
            case gast.Name(id="super" | "__class__"):
                raise refusal(node, f"`{node.id}` in inserted code is not supported", METHOD)
            case gast.Call() if _is_inner(node):
                raise refusal(node, "inserted code inside inserted code is not supported", INNER)


def _is_inner(call: Any) -> bool:
    return isinstance(call.func, gast.Name) and call.func.id.startswith("insert_grad_of_")


def _own(nodes: list[Any], looped: bool = False) -> Iterator[tuple[Any, bool]]:
    """The nodes of a body, not those of functions in it, and whether they stand in a loop of its own."""
    for node in nodes:
        yield node, looped
        if isinstance(node, scopes.FUNCTIONS):
            yield from _own(scopes.outside_of(node), looped)
        elif isinstance(node, scopes.LOOPS):
            ends = set(map(id, node.orelse))
            children = syntax.children(node)
            yield from _own([c for c in children if id(c) not in ends], True)
            yield from _own(node.orelse, looped)
        elif not isinstance(node, gast.ClassDef):
            yield from _own(list(syntax.children(node)), looped)


def _met(body: list[Any]) -> Iterator[tuple[str, bool]]:
    """The names of a body in the order in which they are met, and whether they are read there."""
    for statement in body:
        match statement:
            case gast.AugAssign(target=gast.Name(id=name)):
                yield name, True
        parts = _outside_blocks(statement)
        yield from ((n, True) for n in sorted(syntax.loads(parts)))
        yield from ((n, False) for n in sorted(syntax.stores(parts)))
        for block in syntax.blocks(statement):
            yield from _met(block)


def _outside_blocks(statement: Any) -> list[Any]:
    inside = {id(s) for b in syntax.blocks(statement) for s in b}
    return [p for p in syntax.children(statement) if id(p) not in inside]


def _keeps(statement: Any) -> bool:
    """Whether a statement may keep the value of its expressions."""
    return not syntax.blocks(statement)


def _is_arithmetic(node: Any, target: str) -> bool:
    """Whether an expression is made of a name and numbers."""
    match node:
        case gast.Constant(value=value):
            return type(value) in (int, float)
        case gast.Name(id=name):
            return bool(name == target)
        case gast.UnaryOp(operand=operand):
            return _is_arithmetic(operand, target)
        case gast.BinOp(left=left, right=right):
            return _is_arithmetic(left, target) and _is_arithmetic(right, target)
        case gast.IfExp(body=body, orelse=other):
            return _is_arithmetic(body, target) and _is_arithmetic(other, target)
    return False


def _binds(statement: Any, name: Any) -> bool:
    """Whether a statement is ``name = …`` or ``name += …``."""
    match statement:
        case gast.Assign(targets=[target]) | gast.AugAssign(target=target):
            return target is name
    return False


def _root(node: Any) -> str | None:
    while isinstance(node, gast.Subscript | gast.Attribute):
        node = node.value
    return node.id if isinstance(node, gast.Name) else None
