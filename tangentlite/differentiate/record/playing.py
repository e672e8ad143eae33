"""The forward sweep as text: the primal, with or without what keeps its values.

In: a sweep, and a plan of what is kept.
Out: statements.
Next: rerunning.
"""

from __future__ import annotations

import gast

from tangentlite import syntax
from tangentlite.analysis.calling.repeating import observes
from tangentlite.analysis.kinds import Num
from tangentlite.analysis.versions import Scope, Version
from tangentlite.differentiate.adjoints import Body
from tangentlite.differentiate.blocks.again import APART, SHARED, Again, Repeated, hot, innermost
from tangentlite.differentiate.blocks.guards import cut_back
from tangentlite.differentiate.record.exposed import live
from tangentlite.differentiate.reverse import Sweep
from tangentlite.errors import UnsupportedSyntaxError
from tangentlite.lines import credit
from tangentlite.lowering.flow.guards import attempted
from tangentlite.values import field, mutable


@mutable
class Plan:
    """Names of versions, and the statements that each sweep gains."""

    names: dict[str, str] = field(default_factory=dict)
    inserted: dict[tuple[Scope, int], Body] = field(default_factory=dict)
    recorded: dict[Scope, list[Version]] = field(default_factory=dict)
    remade: dict[Scope, list[Version]] = field(default_factory=dict)
    multiples: dict[str, Version] = field(default_factory=dict)
    tape: dict[Scope, str] = field(default_factory=dict)
    uncertain: set[str] = field(default_factory=set)
    needed: dict[str, Version] = field(default_factory=dict)
    outlines: set[str] = field(default_factory=set)  # what is read for its shape only
    told: set[str] = field(default_factory=set)

    def insert(self, scope: Scope, position: int, statement: gast.stmt) -> None:
        """Add a forward statement after the one at ``position``."""
        self.inserted.setdefault((scope, position), []).append(statement)

    def keep(self, version: Version, alias: str) -> None:
        """Give a version another name, as soon as it is made."""
        self.insert(
            version.scope, version.position, syntax.assign(alias, syntax.name(version.name))
        )
        if not version.certain:
            self.uncertain.add(version.name)


class Player:
    """Writes the statements of a block as the forward sweep has them."""

    def __init__(self, sweep: Sweep, plan: Plan) -> None:
        self.sweep, self.plan, self.session = sweep, plan, sweep.session

    def block(self, scope: Scope, recorded: bool = True, shown: bool = True) -> Body:
        """The primal, with what keeps its values if it is ``recorded``, without what only shows unless ``shown``."""
        inserted = self.plan.inserted if recorded else {}
        body: Body = list(inserted.get((scope, -1), []))
        for position, statement in enumerate(scope.block):
            if isinstance(statement, gast.Return) or not (shown or self._counts(statement)):
                continue
            made = self._statement(statement, recorded, shown)
            credit(made, self.session.lines(statement))
            body += made
            body += inserted.get((scope, position), [])
        return body

    def _counts(self, statement: gast.stmt) -> bool:
        facts = self.sweep.facts
        return not observes(statement, facts, facts.normal.function)

    def _statement(self, statement: gast.stmt, recorded: bool, shown: bool) -> Body:
        sweep = self.sweep
        again = sweep.again.get(statement) if recorded else None
        if again is not None:
            return self._keeping(again, shown)
        scopes = sweep.facts.versions.scopes.get(statement, [])
        blocks = [self.block(s, recorded, shown) for s in scopes]
        match statement:
            case syntax.Attempt():
                flag = sweep.conditions.get(statement)
                guard = attempted(statement, blocks, flag)
                guard = guard[1:] if flag in self.plan.told else guard
                tapes = [*self.plan.tape.values(), *(r.states for r in sweep.again.values())]
                return cut_back(guard, tapes, self.session) if scopes[0].repeats else guard
            case gast.If(test=test):
                taken = sweep.conditions.get(statement) if recorded else None
                before = [syntax.at(self._noted(taken, test), statement)] if taken else []
                test = syntax.name(taken) if taken else test
                branch = gast.If(test, blocks[0] or [gast.Pass()], blocks[1])
                return [*before, syntax.at(branch, statement)]
            case gast.For() | gast.While():
                trips = sweep.counters.get(statement) if recorded else None
                return _loop(statement, blocks[0], trips)
        if not recorded:
            return sweep.plain.get(statement, [statement])
        return [*sweep.replaced.get(statement, [statement]), *sweep.beside.get(statement, [])]

    def _noted(self, taken: str, test: gast.expr) -> gast.stmt:
        """Whether a branch is taken: the truth of a list is noted, not the list, which may change."""
        if is_truth(test):
            return syntax.assign(taken, test)
        truth = self.session.alias("bool", bool)
        return syntax.assign(taken, syntax.expression("truth(t)", truth=truth, t=test))

    # Loops that run again -------------------------------------------------------------------

    def _keeping(self, again: Repeated, shown: bool) -> Body:
        """The forward sweep of such a loop: it keeps some of its states, and nothing else."""
        statement, start = again.statement, self._all(again.statement.iter)
        loop = _loop(
            statement, self.block(again.scope, False, shown), self.sweep.counters.get(statement)
        )
        loop[-1].body = [*self._kept(again, statement.target.id), *loop[-1].body]
        stops = syntax.assign(
            again.stops, self.session.runtime("stops(xs, k)", xs=start, k=again.slots)
        )
        return [stops, *loop]

    def _all(self, iterable: gast.expr) -> gast.expr:
        match iterable:
            case gast.Call(func=gast.Name(id="reversed"), args=[inner]):
                return syntax.expression("xs[::-1]", xs=inner)
        return iterable

    def _kept(self, again: Repeated, trip: str) -> Body:
        """The state before a trip is kept, if it is one of those."""
        names = [syntax.name(n) for n in (trip, *self._carried(again))]
        left = syntax.expression("stops[t]", stops=again.stops, t=trip)
        parts: list[gast.expr] = [names[0], left, *names[1:]]
        parts += self._copies(again)
        text = "if t in stops:\n    states.append(x)"
        value = gast.Tuple(parts, gast.Load())
        return syntax.quote(text, t=trip, stops=again.stops, states=again.states, x=value)

    def _carried(self, again: Repeated) -> list[str]:
        """The names that a trip reads and another one binds."""
        statement, scope = again.statement, again.scope
        read = live(self.block(scope)) | {
            v.name
            for v in self.plan.needed.values()
            if v.scope is scope and v.position == -1 and not v.header
        }
        names = sorted(read & scope.stores.keys() - {statement.target.id})
        start = self.sweep.facts.versions.starts[statement][0]
        self.plan.uncertain |= {n for n in names if n not in start or not start[n].certain}
        return names

    def _hot(self, again: Repeated) -> tuple[list[str], bool]:
        """The names whose memory is kept, and whether all are arrays."""
        facts = self.sweep.facts
        names = hot(self.sweep, again, {*self._carried(again), *again.outer})
        kinds = [facts.kind_before(again.statement, n) for n in names]
        return names, all(isinstance(k, Num) and k.array for k in kinds)

    def _copies(self, again: Repeated) -> list[gast.expr]:
        """What is kept of memory that is written."""
        names, arrays = self._hot(again)
        if arrays:
            return [syntax.expression("x.copy()", x=n) for n in names]
        whole = gast.Tuple([syntax.name(n) for n in names], gast.Load())
        return [self.session.runtime("contents(xs)", xs=whole)]

    def _back(self, again: Repeated) -> tuple[list[str], Body]:
        """Names for what was kept, and what puts it back."""
        (names, arrays), fresh = self._hot(again), self.session.names.fresh
        self.sweep.puts_back = self.sweep.puts_back or bool(names)
        if names and self.session.request.lent:
            place = self.sweep.facts.normal.function.origin.place(again.statement)
            raise UnsupportedSyntaxError(SHARED, place, APART)
        if not arrays:
            old = fresh("old")
            return [old], [gast.Expr(self.session.runtime("put_contents_back(old)", old=old))]
        olds = [fresh(f"{name}_old") for name in names]
        text = "x[...] = old"
        return olds, [s for n, o in zip(names, olds) for s in syntax.quote(text, x=n, old=o)]

    def once_more(self, mark: Again) -> Body:
        """From the last state that was kept to the trip that is walked back, and that trip with its record."""
        again = self.sweep.again[mark.key[0]]
        *outer, width = mark.value.elts
        holes: dict[str, syntax.Hole] = dict(zip(again.outer, outer))
        olds, back = self._back(again)
        names = [syntax.name(n) for n in (again.start, again.free, *self._carried(again), *olds)]
        taken = syntax.assign(gast.Tuple(list(names), gast.Load()), _popped(again.states))
        body = [
            taken,
            *back,
            *self._way(again, width),
            *self.opening(again),
            *syntax.parted(self.block(again.scope, True, False))[0],
        ]
        return [syntax.substitute(s, holes) for s in body]

    def opening(self, again: Repeated | None) -> Body:
        """The tapes of a trip that runs again, of a whole function if there is None; empty."""
        tapes = [t for s, t in self.plan.tape.items() if innermost(self.sweep, s) is again]
        loops = self.sweep.again.values()
        tapes += [r.states for r in loops if innermost(self.sweep, r.around) is again]
        return [syntax.assign(tape, gast.List([], gast.Load())) for tape in tapes]

    def _way(self, again: Repeated, width: gast.expr) -> Body:
        """The trips between a state that was kept and the one that is walked back."""
        trip, call = again.statement.target.id, self.session.runtime
        ends: list[gast.expr] = [syntax.name(again.start), syntax.name(trip)]
        if not (isinstance(width, gast.Constant) and width.value == 1):
            ends.append(width)
        trips = gast.Call(syntax.name(self.session.alias("range", range)), ends, [])
        plain = syntax.parted(self.block(again.scope, False, False))[0]
        body = self._kept(again, again.turn)
        body += [syntax.substitute(s, {trip: again.turn}) for s in plain]
        return [
            syntax.assign(again.stops, call("stops(xs, k)", xs=trips, k=again.free)),
            gast.For(syntax.store(syntax.name(again.turn)), trips, body, [], None),
        ]


def _popped(stack: str) -> gast.expr:
    return syntax.expression("xs.pop()", xs=stack)


def is_truth(test: gast.expr) -> bool:
    """Whether an expression gives True or False."""
    match test:
        case gast.Compare() | gast.UnaryOp(op=gast.Not()):
            return True
        case gast.BoolOp(values=values):
            return all(map(is_truth, values))
    return False


def _loop(statement: gast.For | gast.While, body: Body, trips: str | None) -> Body:
    """A loop, which counts its trips if ``trips`` names their number."""
    start, step = _counted(trips) if trips else ([], [])
    if isinstance(statement, gast.For):
        inside = [*step, *body] or [gast.Pass()]
        loop = gast.For(statement.target, statement.iter, inside, [], None)
    else:
        parts = (step, body) if syntax.parted(body)[1] else (body, step)
        loop = gast.While(statement.test, [*parts[0], *parts[1]] or [gast.Pass()], [])
    return [*start, syntax.at(loop, statement)]


def _counted(trips: str) -> tuple[Body, Body]:
    """Before a loop, and in each trip."""
    start, step = syntax.quote("n = 0\nn = n + 1", n=trips)
    return [start], [step]
