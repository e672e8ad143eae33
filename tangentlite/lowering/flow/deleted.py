"""Names that are read where they may have no value: after ``del``, or where a handler waits for a ``NameError``.

In: the statements of a function.
Out: the same statements; such a read raises the error itself, if a flag says that nothing is bound.
Next: named.
"""

from __future__ import annotations

from typing import Any

import gast

from tangentlite import scopes, syntax
from tangentlite.errors import UNBOUND, UnsupportedSyntaxError
from tangentlite.lowering.context import Context, remade

Body = list[Any]
State = (
    tuple[frozenset[str], frozenset[str]] | None
)  # may be unbound, are unbound; None: not reached
LEAVING = (gast.Return, gast.Raise, gast.Break, gast.Continue)
HEADS = ("test", "iter", "subject", "items")
AGAIN = "reading `{}`, which may have been deleted, in the test of a loop"
OTHERWISE = "binding `{}`, which is deleted elsewhere, like this"
PLAIN = "Bind it to None instead, and ask whether it is None."


def told(body: Body, context: Context) -> Body:
    """Reads of what may have no value, with the question.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("y = x\\ndel y\\ntry:\\n    x = x * y\\nexcept NameError:\\n    pass\\nreturn x", "x"))
    y = x
    try:
        raise UnboundLocalError("...local variable 'y' ...")
    except NameError:
        pass
    return x
    """
    if context.contents(body).kinds.isdisjoint((gast.Delete, gast.Try)):
        return body
    flow = Flow(context, body)
    if not flow.deleted and not flow.catching:
        return body
    flow.block(body, (flow.unbound, flow.unbound))
    return Rewrite(flow, context).whole(body) if flow.asked else body


def _joined(a: State, b: State) -> State:
    if a is None or b is None:
        return a or b
    return a[0] | b[0], a[1] & b[1]


def catches(statement: Any, context: Context) -> bool:
    """Whether a ``try`` names what Python raises for a name without value."""
    types = [h.type for h in statement.handlers if h.type is not None]
    flat = [t for one in types for t in (one.elts if isinstance(one, gast.Tuple) else [one])]
    return any(context.meaning(t) in (NameError, UnboundLocalError) for t in flat)


class Flow:
    """Which names may be unbound at every statement; ``asked``: what is read there."""

    def __init__(self, context: Context, body: Body) -> None:
        own = {p.name for p in context.function.params}
        nodes = [n for s in body for n in syntax.walk(s)]
        gone = [t for n in nodes if isinstance(n, gast.Delete) for t in n.targets]
        self.deleted = _gone(gone)
        self.catching = {n for n in nodes if isinstance(n, gast.Try) and catches(n, context)}
        self.local = scopes.bound(body) | own
        self.unbound = frozenset(self.local - own)
        self.asked: dict[Any, tuple[set[str], set[str]]] = {}
        self.left: list[tuple[list[State], list[State]]] = []
        self.seen: list[list[State]] = []
        self.caught = 0

    def block(self, body: Body, state: State) -> State:
        for statement in body:
            for states in self.seen:
                states.append(state)
            state = self.statement(statement, state) if state is not None else None
        return state

    def statement(self, node: Any, state: State) -> State:
        assert state is not None
        self.ask(node, state)
        match node:
            case gast.If(body=body, orelse=orelse):
                state = _bound(state, syntax.stores(node.test))
                return _joined(self.block(body, state), self.block(orelse, state))
            case gast.For() | gast.While():
                return self.loop(node, state)
            case gast.Try():
                return self.attempt(node, state)
            case gast.With(items=items, body=body):
                return self.block(body, _bound(state, syntax.stores(items)))
            case gast.Break() | gast.Continue() if self.left:
                self.left[-1][isinstance(node, gast.Continue)].append(state)
            case gast.Delete(targets=targets):
                gone = _gone(targets)
                return state[0] | gone, state[1] | gone
            case gast.Match(cases=cases):
                found: State = state
                for case in cases:
                    found = _joined(
                        found, self.block(case.body, _bound(state, syntax.stores(case)))
                    )
                return found
        return None if isinstance(node, LEAVING) else _bound(state, _binds(node))

    def ask(self, node: Any, state: State) -> None:
        """Note what a statement reads that may be unbound."""
        assert state is not None
        reads = {n for n in _read(node) if n in (self.local if self.caught else self.deleted)}
        self.asked.pop(node, None)
        if reads & state[0]:
            self.asked[node] = reads & state[0], reads & state[1]

    def loop(self, node: Any, state: State) -> State:
        head = state
        while True:
            self.left.append(([], []))
            target = syntax.stores(node.target if isinstance(node, gast.For) else node.test)
            end = self.block(node.body, _bound(head, target))
            broken, continued = self.left.pop()
            for other in continued:
                end = _joined(end, other)
            if _joined(head, end) == head:
                break
            head = _joined(head, end)
            if isinstance(node, gast.While):
                self.ask(node, head)
        forever = isinstance(node, gast.While) and getattr(node.test, "value", None) is True
        after = None if forever else self.block(node.orelse, head)
        for other in broken:
            after = _joined(after, other)
        return after

    def attempt(self, node: Any, state: State) -> State:
        self.seen.append([state])
        self.caught += node in self.catching
        end = self.block(node.body, state)
        self.caught -= node in self.catching
        end = self.block(node.orelse, end)
        raised: State = end
        for other in self.seen.pop():
            raised = _joined(raised, other)
        for handler in node.handlers:
            name = handler.name.id if handler.name is not None else ""
            caught = self.block(handler.body, _bound(raised, {name}))
            end = _joined(end, caught and (caught[0] | {name}, caught[1] | {name}))
        return self.block(node.finalbody, _joined(end, raised if node.finalbody else None))


def _gone(targets: list[Any]) -> set[str]:
    """The names that ``del`` takes away."""
    nodes: list[Any] = [n for target in targets for n in syntax.walk(target)]
    return {n.id for n in nodes if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Del)}


def _bound(state: State, names: set[str]) -> State:
    return state and (state[0] - names, state[1] - names)


def _binds(node: Any) -> set[str]:
    """The names that a simple statement binds."""
    if isinstance(node, (gast.FunctionDef, gast.ClassDef)):
        return {node.name}
    return set(scopes.bound([node]))


def _read(node: Any) -> set[str]:
    """The names that a statement reads itself, not in its blocks; those of comprehensions are theirs."""
    if isinstance(node, scopes.FUNCTIONS):
        return set()
    blocks = bool(syntax.blocks(node)) or isinstance(node, gast.Match)
    parts = [getattr(node, n, None) for n in HEADS] if blocks else [node]
    flat = [p for part in parts for p in (part if isinstance(part, list) else [part]) if p]
    nodes = [n for p in flat for n in syntax.walk(p)]
    hidden = {
        v for n in nodes if isinstance(n, gast.comprehension) for v in syntax.stores(n.target)
    }
    names = {n.id for n in nodes if isinstance(n, gast.Name) and not isinstance(n.ctx, gast.Store)}
    if isinstance(node, gast.AugAssign):
        names |= syntax.stores(node.target)
    return names - hidden


class Rewrite:
    """Puts the questions before the reads, and keeps the flags."""

    def __init__(self, flow: Flow, context: Context) -> None:
        self.flow, self.context = flow, context
        doubtful = sorted({n for may, surely in flow.asked.values() for n in may - surely})
        self.flags = {n: context.local(f"{n}_bound") for n in doubtful}

    def whole(self, body: Body) -> Body:
        """The body, and the flags as they are at first."""
        first = []
        for name, flag in self.flags.items():
            param = name not in self.flow.unbound
            first += self._flag(flag, param, body[0])
            if not param:
                first += self.context.quote("v = None", body[0], v=name)
        return [*first, *self.block(body)]

    def block(self, body: Body) -> Body:
        return [new for statement in body for new in self.statement(statement)]

    def _flag(self, flag: str, value: bool, place: Any) -> Body:
        return self.context.quote("f = v", place, f=flag, v=syntax.constant(value))

    def _flagged(self, names: set[str], value: bool, place: Any) -> Body:
        return [
            s
            for n in sorted(names & set(self.flags))
            for s in self._flag(self.flags[n], value, place)
        ]

    def statement(self, node: Any) -> Body:
        may, surely = self.flow.asked.get(node, (set(), set()))
        if surely:
            return self._raised(min(surely), node)
        if may and isinstance(node, gast.While):
            raise self._refused(AGAIN.format(min(may)), node)
        asked = [s for n in sorted(may) for s in self._asked(n, node)]
        return [*asked, *self._followed(node)]

    def _asked(self, name: str, place: Any) -> Body:
        return self.context.quote(
            "if not f:\n    body", place, f=self.flags[name], body=self._raised(name, place)
        )

    def _raised(self, name: str, place: Any) -> Body:
        error = self.context.builtin("UnboundLocalError", place)
        text = syntax.constant(UNBOUND.format(name))
        return self.context.quote("raise e(t)", place, e=error, t=syntax.at(text, place))

    def _followed(self, node: Any) -> Body:
        """A statement and its blocks, with what it does to the flags."""
        if isinstance(node, gast.Delete):
            gone = _gone(node.targets)
            return [node, *self._flagged(gone, False, node)]
        if not syntax.blocks(node) and not isinstance(node, gast.Match):
            return [node, *self._flagged(_binds(node), True, node)]
        head = {gast.For: "target", gast.With: "items"}.get(type(node), "test")
        bound = syntax.stores(getattr(node, head, None) or []) & set(self.flags)
        if self.flags and ((bound and head == "test") or isinstance(node, gast.Match)):
            raise self._refused(OTHERWISE.format(min(bound or self.flags)), node)
        made = remade(node)
        for name in syntax.BLOCKS:
            if isinstance(getattr(node, name, None), list):
                made.__dict__[name] = self.block(getattr(node, name))
        if bound:
            made.body = [*self._flagged(bound, True, node), *made.body]
        if isinstance(node, gast.Try):
            made.handlers = [remade(h, body=self.block(h.body)) for h in node.handlers]
        self.context.made[made] = self.context.made.get(node, node)
        return [made]

    def _refused(self, what: str, node: Any) -> UnsupportedSyntaxError:
        place = self.context.function.origin.place(node)
        return UnsupportedSyntaxError(f"{what} is not supported yet", place, PLAIN)
