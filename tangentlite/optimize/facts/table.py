"""Facts: what one statement reads, binds and writes. Worked out once per statement object.

In: statements, ``Purity``, the stacks of the function.
Out: ``Facts`` of a statement, compound or not.
Next: scope.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple, TypeVar

import gast

from tangentlite import syntax
from tangentlite.optimize.facts.purity import IMPURE, Purity
from tangentlite.rules.reads import reads

Said = TypeVar("Said")

OUTSIDE = "<outside>"
LENT = "<lent>"  # the arrays of the caller into which adjoints are added: none of its values
NOTHING: frozenset[str] = frozenset()
NESTED = (gast.Lambda, gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)


class Facts(NamedTuple):
    """``reads``: names read before the statement binds them; ``once``: those read exactly once,
    before any effect of the statement; ``binds``: names it may bind; ``kills``: names it does
    bind; ``writes``: names whose value it may change in place; ``effect``: it must stay where it is
    among others; ``seen``: it has an effect that can be seen from outside, besides what it writes.
    """

    reads: frozenset[str] = NOTHING
    once: frozenset[str] = NOTHING
    binds: frozenset[str] = NOTHING
    kills: frozenset[str] = NOTHING
    writes: frozenset[str] = NOTHING
    effect: bool = False
    seen: bool = False


EMPTY = Facts()


class _Expressions(NamedTuple):
    """As in ``Facts``; ``causes`` counts effects: one is the call of the value itself, more lie deeper."""

    reads: frozenset[str]
    once: frozenset[str]
    causes: int
    writes: frozenset[str]
    seen: bool


def root(target: gast.expr) -> str:
    """The name whose value a store into ``target`` changes."""
    while isinstance(target, (gast.Subscript, gast.Attribute, gast.Starred)):
        target = target.value
    return target.id if isinstance(target, gast.Name) else OUTSIDE


def leaves(target: gast.expr) -> Iterator[gast.expr]:
    """The names, subscripts and attributes that an assignment to ``target`` stores into."""
    if isinstance(target, (gast.Tuple, gast.List)):
        for element in target.elts:
            yield from leaves(element)
    elif isinstance(target, gast.Starred):
        yield from leaves(target.value)
    else:
        yield target


def stack_call(call: gast.Call, stacks: frozenset[str]) -> str | None:
    """The stack that ``call`` pushes on or pops from, if it does."""
    func: Any = call.func
    if func.__class__ is not gast.Attribute or func.attr not in ("append", "pop"):
        return None
    stack = func.value
    return stack.id if stack.__class__ is gast.Name and stack.id in stacks else None


CONTENT = "[...]"
LENGTH = "[len]"
READ = CONTENT, LENGTH


def content(tree: ast.AST) -> frozenset[str]:
    """Marks of the names whose content a tree reads, not only their shape.

    >>> sorted(content(syntax.expression("x * np.zeros(y.shape)")))
    ['np[...]', 'x[...]']
    """
    found = {name + CONTENT for name in reads([tree])[0]}
    return frozenset(found | {name + LENGTH for name in _measured(tree)})


def _measured(tree: ast.AST) -> Iterator[str]:
    """The names whose length a tree asks for, or of which it makes a nest with the same keys."""
    for node in syntax.nodes([tree]):
        match node:
            case gast.Call(
                func=gast.Name(id="len") | gast.Attribute(attr="zeros" | "shadow" | "still"),
                args=[gast.Name(id=name), *_],
            ):
                yield name


class Kept(dict[ast.AST, Said]):
    """What a function says of trees, worked out once for each; they are told apart by identity."""

    def __init__(self, study: Callable[[ast.AST], Said]) -> None:
        super().__init__()
        self._study = study

    def __missing__(self, tree: ast.AST) -> Said:
        said = self[tree] = self._study(tree)
        return said

    __call__ = dict.__getitem__


class Table(dict[ast.AST, Facts]):
    """The facts of all statements, each worked out once. It holds no method of its own: that would keep it alive."""

    def __init__(self, purity: Purity, stacks: frozenset[str]) -> None:
        super().__init__()
        self._purity, self._stacks = purity, stacks

    def __missing__(self, statement: ast.AST) -> Facts:
        facts = self[statement] = self._studied(statement)
        return facts

    __call__ = dict.__getitem__

    def block(self, body: Iterable[ast.AST]) -> Facts:
        """The facts of statements in sequence (``once`` is left empty)."""
        reads, binds, kills, writes = set[str](), set[str](), set[str](), set[str]()
        effect = seen = False
        for statement in body:
            facts = self(statement)
            reads |= facts.reads - kills
            binds |= facts.binds
            kills |= facts.kills
            writes |= facts.writes
            effect |= facts.effect
            seen |= facts.seen
        binding = frozenset(binds), frozenset(kills)
        return Facts(frozenset(reads), NOTHING, *binding, frozenset(writes), effect, seen)

    def _studied(self, statement: ast.AST) -> Facts:
        match statement:
            case syntax.Comment() | syntax.Blank() | gast.Pass() | gast.Break():
                return EMPTY
            case gast.Assign(targets=[gast.Name(id=name)], value=value):
                return self._binding(name, value)
            case gast.Assign(targets=targets, value=value):
                return self._simple(targets, value)
            case gast.AugAssign(target=target, value=value):
                return self._augmented(target, value)
            case gast.Expr(value=value) | gast.Return(value=value):
                return self._simple([], value)
            case gast.If() | gast.While():
                return self._compound(statement, statement.test, [])
            case gast.For(orelse=[]):
                return self._compound(statement, statement.iter, [statement.target])
            case gast.Try() | gast.With():
                return self._guard(statement)
            case gast.Raise() | gast.Assert():
                found = self._expressions(syntax.children(statement), None)
                return Facts(found.reads, found.once, writes=found.writes, effect=True, seen=True)
            case gast.FunctionDef(name=name):
                bound = frozenset({name})
                return Facts(frozenset(syntax.loads(statement)), binds=bound, kills=bound)
        reads, binds = frozenset(syntax.loads(statement)), frozenset(syntax.stores(statement))
        if isinstance(statement, syntax.Inserted):
            reads |= binds  # `dx *= 2` reads it
        return Facts(reads, NOTHING, binds, NOTHING, reads | {OUTSIDE}, True, True)

    def _binding(self, name: str, value: gast.expr) -> Facts:
        found, bound = self._expressions([value], value), frozenset({name})
        once = NOTHING if found.causes > 1 else found.once
        return Facts(found.reads, once, bound, bound, found.writes, found.causes > 0, found.seen)

    def _simple(self, targets: list[gast.expr], value: gast.expr | None) -> Facts:
        places = [leaf for target in targets for leaf in leaves(target)]
        bound = frozenset(p.id for p in places if isinstance(p, gast.Name))
        stored = [p for p in places if not isinstance(p, gast.Name)]
        found = self._expressions([value, *stored], value)
        roots, once = frozenset(root(p) for p in stored), found.once
        if found.causes:  # an index in the target is evaluated after the value
            once = NOTHING if found.causes > 1 else once - syntax.loads(stored)
        effect = found.causes > 0
        return Facts(
            found.reads, once - roots, bound, bound, found.writes | roots, effect, found.seen
        )

    def _augmented(self, target: gast.expr, value: gast.expr) -> Facts:
        found = self._expressions([target, value], None)
        name, effect = root(target), found.causes > 0
        bound = frozenset({name}) if isinstance(target, gast.Name) else NOTHING
        once = NOTHING if effect else found.once - {name}
        reads, writes = found.reads | {name}, found.writes | {name}
        return Facts(reads, once, bound, bound, writes, effect, found.seen)

    def _compound(self, statement: ast.AST, head: gast.expr, targets: list[gast.expr]) -> Facts:
        found = self._expressions([head], None)
        effect, once = found.causes > 0, found.once
        bodies = [self.block(b) for b in syntax.blocks(statement)]
        bound = frozenset(name for target in targets for name in syntax.stores(target))
        inside = frozenset().union(*(b.reads for b in bodies)) - bound
        kills = bodies[0].kills & bodies[-1].kills if isinstance(statement, gast.If) else NOTHING
        if isinstance(statement, gast.While) or effect:
            once = NOTHING
        return Facts(
            found.reads | inside,
            once - inside,
            bound.union(*(b.binds for b in bodies)),
            kills,
            found.writes.union(*(b.writes for b in bodies)),
            effect or any(b.effect for b in bodies),
            found.seen or any(b.seen for b in bodies),
        )

    def _guard(self, statement: ast.AST) -> Facts:
        """``try`` and ``with``: nothing is moved into them, out of them or past them."""
        bodies = [self.block(b) for b in syntax.blocks(statement)]
        items = getattr(statement, "items", [])
        names = [h.name for h in getattr(statement, "handlers", []) if h.name is not None]
        types = [h.type for h in getattr(statement, "handlers", []) if h.type is not None]
        reads = frozenset(syntax.loads(items) | syntax.loads(types))
        return Facts(
            reads.union(*(b.reads for b in bodies)),
            binds=frozenset(syntax.stores([*items, *names])).union(*(b.binds for b in bodies)),
            writes=frozenset({OUTSIDE}).union(*(b.writes for b in bodies)),
            effect=True,
            seen=True,
        )

    def _expressions(self, trees: Iterable[ast.AST | None], value: ast.AST | None) -> _Expressions:
        """What evaluating trees does; ``value`` is the one of them that is evaluated last."""
        once, again, writes = set[str](), set[str](), set[str]()
        causes, seen = 0, False
        stack: list[Any] = [t for t in trees if t is not None]
        while stack:
            node = stack.pop()
            kind = node.__class__
            if kind is gast.Name:
                if node.ctx.__class__ is gast.Load:
                    (again if node.id in once else once).add(node.id)
                continue
            if kind is gast.Constant:
                continue
            if kind is gast.Call:
                method = self._stacks and stack_call(node, self._stacks)
                if method:
                    writes.add(method)
                elif not self._purity.pure_call(node):
                    causes += 1 if node is value else 2
                    written = self._purity.written(node)
                    seen |= written is None
                    writes |= syntax.loads(node) | {OUTSIDE} if written is None else written
            elif kind in NESTED:
                again |= syntax.loads(node)
            elif kind in IMPURE:
                causes, seen = causes + 2, True
            common = syntax.COMMON.get(kind)
            stack += (syntax.children if common is None else common)(node)
        reads = frozenset(once)
        return _Expressions(reads, reads - again - self._stacks, causes, frozenset(writes), seen)
