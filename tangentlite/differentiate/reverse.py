"""The backward sweep: the statements of a function, last to first, each with what its adjoint gives.

In: a session.
Out: ``Sweep``: backward code over placeholders of versions, and what the forward sweep must add.
Next: recording.

Which adjoints are bound at a point is known beforehand: those of the active names. Between two
neighboring points the sets may differ; what appears is bound to ZERO, what disappears is forgotten.
"""

from __future__ import annotations

from functools import cached_property

import gast

from tangentlite import syntax
from tangentlite.analysis.kinds import Inert, Nothing, Num, Shape, Tuple, Value
from tangentlite.analysis.operations import Accumulate, Pop, Push, UserCall, target
from tangentlite.analysis.versions import Scope
from tangentlite.differentiate.adjoints import Body
from tangentlite.differentiate.blocks import attempts
from tangentlite.differentiate.blocks.again import begun, within
from tangentlite.differentiate.session import Session
from tangentlite.differentiate.statements import Statements
from tangentlite.errors import UnsupportedSyntaxError
from tangentlite.lines import credit

STEADY = ("str", "text", "shape", "slice", "range", "limits", "type", "path")  # nobody changes them


class Sweep(Statements):
    """Writes the backward sweep of one function."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.backward: dict[Scope, Body] = {}
        self.counters: dict[gast.stmt, str] = {}
        self.conditions: dict[gast.stmt, str] = {}
        self.told: dict[str, attempts.Home] = {}
        self.loose: list[attempts.Loose] = []
        self.reads: list[tuple[gast.stmt, Body]] = session.later
        self.heads: list[tuple[gast.stmt, gast.expr]] = []
        self.walked: list[tuple[gast.stmt, gast.For]] = []

    @cached_property
    def changing(self) -> set[str]:
        """Lists and buffers that change after they are made: what was read of them cannot be read again."""
        operations = self.facts.kinds.operations
        found = {s: o for s, o in operations.items() if isinstance(o, (Accumulate, Pop, Push))}
        names = {getattr(o, "stack", None) for o in found.values()}
        return {n for n in names | {target(s, o) for s, o in found.items()} if n}

    def function(self) -> Body:
        """The whole backward sweep, from the adjoint of the result to those of the inputs."""
        body = self.block(self.facts.versions.root)
        self.backward[self.facts.versions.root] = body
        return body

    def block(self, scope: Scope) -> Body:
        """The backward statements of a block; its first statement comes last."""
        body = self._shadows(scope)
        source: gast.stmt | None = None
        self.adjoints.ready.clear()
        for position in range(len(scope.block) - 1, -1, -1):
            statement = scope.block[position]
            group = self.statement(statement, scope, position)
            if self.adjoints.ready:
                self.adjoints.ready -= syntax.stores(statement)
            if self.facts.operation(statement) is not None:
                self.reads.append((statement, group))
                restored = self._restored(statement)
                called = isinstance(self.facts.operation(statement), UserCall)
                group = [*group, *restored] if called else [*restored, *group]
            lines = self.session.lines(statement)
            credit(group, lines)
            origin = self.session.normal.sources.get(statement)
            if group and not isinstance(statement, (gast.For, gast.While)):
                if origin is None or origin is not source:
                    body.append(syntax.comment(f"Grad of: {self._shown(origin or statement)}"))
                    credit(body[-1:], lines)
                source = origin
            elif group:
                source = None
            body += group
        self.adjoints.ready.clear()
        self.backward[scope] = body
        return body

    def operand(self, statement: gast.stmt, tree: gast.expr) -> gast.expr:
        """An expression of a statement, as backward code reads it."""
        self.adjoints.statement = statement
        return self.adjoints.operand(tree)

    def _shadows(self, scope: Scope) -> Body:
        """The shadows of the stacks that live in this block."""
        body: Body = []
        for name, last in self.facts.activity.homes.items():
            if (
                scope.block
                and scope.block[-1] is last
                and name in self.facts.activity.after(self.facts.graph.last[last])
            ):
                kind = self.facts.kind_after(last, name)
                version = self.facts.versions.block_end(scope)[name]
                body += self.adjoints.start(name, self.adjoints.shapes.read(version, kind), kind)
        return body

    def _shown(self, statement: gast.stmt) -> str:
        """The user's statement on one line: as it was written, if it was written on one."""
        match statement:
            case gast.If(test=test):
                return f"if {syntax.unparse(test)}:"
            case gast.For(target=left, iter=iterable):
                return f"for {syntax.unparse(left)} in {syntax.unparse(iterable)}:"
        return (
            self.session.function.origin.text(statement)
            or syntax.unparse(statement).partition("\n")[0]
        )

    def statement(self, statement: gast.stmt, scope: Scope, position: int) -> Body:
        """The backward statements of one statement."""
        match statement:
            case gast.If():
                return self._if(statement, scope, position)
            case gast.For() | gast.While():
                return self._loop(statement, scope, position)
        return self._simple(statement, scope, position)

    # Branches -------------------------------------------------------------------------------

    def _if(self, statement: gast.If, scope: Scope, position: int) -> Body:
        graph, active = self.facts.graph, self.facts.activity
        scopes = self.facts.versions.scopes[statement]
        scopes = scopes[:1] if syntax.raises(statement) else scopes
        test, join = graph.first[statement], graph.last[statement]
        wanted = active.before(test)
        body = self._settle(statement, after=True)
        entering = dict(self.adjoints.bound)
        branches, leaving = [], []
        for k, inner in enumerate(scopes):
            first = graph.first[inner.block[0]] if inner.block else join
            last = graph.last[inner.block[-1]] if inner.block else test
            alive = active.edge(last, join)
            self.adjoints.bound = {n: s for n, s in entering.items() if n in alive}
            branch = self.block(inner)
            start = active.edge(test, first)
            self._keep(start)
            branch += self._reset(wanted, self.facts.versions.starts[statement][k], statement)
            branches.append(branch)
            leaving.append(self.adjoints.bound)
        if len(branches) == 1:
            return [*body, gast.If(syntax.constant(True), *branches, [])]
        self._even(statement, branches, leaving)
        self.adjoints.bound = {
            n: leaving[0][n] | leaving[1][n] for n in leaving[0] if n in leaving[1]
        }
        if not any(branches):
            return body
        if self._is_told(statement) and attempts.alone(branches, self._told_around(statement)):
            loose = attempts.Loose(statement, scope, position, branches)
            self.loose.append(loose)
            return [*body, *loose.nodes]
        return [*body, self._branch(statement, scope, position, *branches)]

    def _even(
        self, statement: gast.If, branches: list[Body], leaving: list[dict[str, Shape]]
    ) -> None:
        """Where the branches leave an adjoint in different shapes, a scalar is spread out."""
        for k, bound in enumerate(leaving):
            self.adjoints.bound = bound
            starts = self.facts.versions.starts[statement][k]
            for name, shape in sorted(bound.items()):
                if shape != leaving[1 - k].get(name, shape):
                    branches[k] += self._spread(statement, name, starts)

    def _branch(
        self, statement: gast.If, scope: Scope, position: int, then: Body, orelse: Body
    ) -> gast.stmt:
        test = self._condition(statement, scope, position)
        self.heads.append((statement, test))
        if not then:
            return gast.If(gast.UnaryOp(gast.Not(), test), orelse, [])
        return gast.If(test, then, orelse)

    def _is_told(self, statement: gast.If) -> bool:
        """Whether nothing that the condition of an ``if`` reads would have to be restored for it."""
        names, aliases = syntax.loads(statement.test), self.facts.aliases
        return bool(self.told) and not any(map(aliases.is_written, names))

    def _told_around(self, statement: gast.If) -> set[str]:
        """The flags of pieces inside an ``if`` that are known around it."""
        scopes = self.facts.versions.scopes[statement]
        return {
            name
            for name, (home, _) in self.told.items()
            if not any(within(home, inner) for inner in scopes)
        }

    def tie(self, loose: attempts.Loose) -> None:
        """An ``if`` asks for its condition again."""
        self.loose.remove(loose)
        test = self._condition(loose.statement, loose.scope, loose.position)
        self.heads.append((loose.statement, test))
        loose.ask(test)

    def _condition(self, statement: gast.If, scope: Scope, position: int) -> gast.expr:
        """The test, evaluated again if it is cheap and its operands are at hand, else recorded."""
        reads = self.facts.versions.reads[statement]
        if isinstance(statement, syntax.Attempt):
            taken = self.conditions[statement] = self.session.names.fresh("completed")
            home = attempts.home(statement, scope, position)
            version = self.facts.versions.new(taken, *home)
            if home[0] is not scope:
                self.told[version.placeholder] = home
            return self.adjoints.shapes.read(version, None)
        at_hand = all(not v.scope.repeats or v.header for v in reads.values())
        lasting = all(self._lasts(statement, name) for name in reads)
        if lasting and (
            isinstance(statement.test, gast.Name) or (at_hand and _cheap(statement.test))
        ):
            holes = {n: self._read(statement, v) for n, v in reads.items()}
            return syntax.substitute(statement.test, holes)
        taken = self.session.names.fresh("taken")
        self.conditions[statement] = taken
        return self.adjoints.shapes.read(self.facts.versions.new(taken, scope, position), None)

    def _lasts(self, statement: gast.If, name: str) -> bool:
        """Whether a condition reads the same backward: what lists, dicts and sets hold may have changed since."""
        if self.facts.overwritten(statement, name):
            return False
        match self.facts.kind_before(statement, name):
            case Num() | Nothing() | Value() | Tuple():
                return True
            case Inert(type=kind):
                return kind in STEADY
        return name not in _looked_into(statement.test)

    # Loops ----------------------------------------------------------------------------------

    def _loop(self, statement: gast.For | gast.While, scope: Scope, position: int) -> Body:
        graph, active = self.facts.graph, self.facts.activity
        head = graph.first[statement]
        bind = graph.bindings.get(statement, head)
        (inner,) = self.facts.versions.scopes[statement]
        carried = active.before(head)
        body = self._settle(statement, after=True)
        body += self._reset(
            carried, self.facts.versions.made_after(statement), statement, after=True
        )
        steady = self._steady(statement, carried)
        body += self._exact_before(statement, steady)
        first = graph.first[inner.block[0]] if inner.block else head
        last = graph.last[inner.block[-1]] if inner.block else bind
        alive = active.edge(last, head)
        self.adjoints.bound = {
            n: self._trip_shape(statement, n, steady) for n in carried if n in alive
        }
        trip = self.block(inner)
        self._keep(active.edge(bind, first))
        trip += self._reset(carried, self.facts.versions.starts[statement][0], statement)
        trip += self._steadied(statement, steady)
        self.adjoints.bound = {
            n: self._outer_shape(statement, n, steady) for n in self._before(statement)
        }
        if not trip:
            return body
        trip[:0] = begun(self, statement, scope)
        return [*body, self._walked_back(statement, scope, position, trip)]

    def _walked_back(
        self, statement: gast.For | gast.While, scope: Scope, position: int, trip: Body
    ) -> gast.stmt:
        self._refuse_rebound(statement)
        endless = isinstance(statement, gast.While)
        counted = endless or bool(syntax.parted(statement.body)[1])
        count = self._count(statement, scope, position) if counted else syntax.constant(0)
        if endless:
            turn = syntax.store(syntax.name(self.session.names.fresh("turn")))
            return gast.For(turn, syntax.expression("range(n)", n=count), trip, [], None)
        holes = {
            n: self._read(statement, v) for n, v in self.facts.versions.reads[statement].items()
        }
        iterable = syntax.substitute(statement.iter, holes)
        self.heads.append((statement, iterable))
        back = _made_trips(iterable, count) if counted else _reversed(iterable)
        loop = gast.For(syntax.copy(statement.target), back, trip, [], None)
        self.walked.append((statement, loop))
        return loop

    def _refuse_rebound(self, statement: gast.stmt) -> None:
        """Loops are known by the names of the builtins that they walk over, in every text."""
        function = self.facts.normal.function
        for name in sorted(self.session.own & {"range", "reversed"}):
            reason = f"`{name}` is rebound here, and loops that run back need the builtin"
            hint = f"Give your own `{name}` another name."
            raise UnsupportedSyntaxError(reason, function.origin.place(statement), hint)

    def _count(self, statement: gast.stmt, scope: Scope, position: int) -> gast.expr:
        """How many trips the forward sweep makes."""
        trips = self.counters[statement] = self.session.names.fresh("trips")
        version = self.facts.versions.new(trips, scope, position)
        return self.adjoints.shapes.read(version, None)


def _looked_into(test: gast.expr) -> set[str]:
    """The names of which a condition asks more than which object it is: ``x is None``."""
    match test:
        case gast.Compare(ops=ops) if all(isinstance(op, gast.Is | gast.IsNot) for op in ops):
            return set()
        case gast.Name(id=name):
            return {name}
    return set().union(*map(_looked_into, syntax.children(test)))


def _cheap(test: gast.expr) -> bool:
    allowed = (
        gast.Name, gast.Constant, gast.Compare, gast.BoolOp, gast.UnaryOp, gast.BinOp,
        gast.boolop, gast.cmpop, gast.operator, gast.unaryop, gast.expr_context,
    )  # fmt: skip
    return all(isinstance(node, allowed) for node in syntax.walk(test))


def _reversed(iterable: gast.expr) -> gast.expr:
    match iterable:
        case gast.Call(func=gast.Name(id="reversed"), args=[inner]):
            return inner
    return syntax.expression("reversed(xs)", xs=iterable)


def _made_trips(iterable: gast.expr, count: gast.expr) -> gast.expr:
    """Back over the first ``count`` trips of a ``range``.

    >>> made = lambda text: syntax.unparse(_made_trips(syntax.expression(text), syntax.name("trips")))
    >>> made("range(n)"), made("reversed(range(2, n))")
    ('reversed(range(trips))', 'range(n - trips, n)')
    >>> made("range(a, b, 2)")
    'reversed(range(a, a + 2 * trips, 2))'
    """
    match iterable:
        case gast.Call(func=gast.Name(id="reversed"), args=[gast.Call(args=[*_, end])]):
            return syntax.expression("range(b - n, b)", b=end, n=count)
        case gast.Call(args=[_]):
            return syntax.expression("reversed(range(n))", n=count)
        case gast.Call(args=[start, _]):
            return syntax.expression("reversed(range(a, a + n))", a=start, n=count)
    start, _, step = iterable.args
    return syntax.expression("reversed(range(a, a + s * n, s))", a=start, s=step, n=count)
