"""Where the values that the backward sweep reads are kept: by name, or on a tape.

In: a sweep with placeholders.
Out: forward code that keeps them, backward code that reads them.
Next: motion.

A version made outside loops is kept by its name, or by another one if the name is bound again. A version made in a
loop is recorded there: one tuple per trip, pushed as soon as all its parts are at hand, popped first thing in the
mirrored trip. What a cheap operation can make again from what is at hand is not recorded.
"""

from __future__ import annotations

from collections.abc import Iterable

import gast

from tangentlite import syntax
from tangentlite.analysis.versions import Scope, Version
from tangentlite.differentiate.adjoints import Body
from tangentlite.differentiate.blocks.again import BOUND, RENAME, Again, rebound, within
from tangentlite.differentiate.blocks.guards import flat
from tangentlite.differentiate.record import unbound
from tangentlite.differentiate.record.playing import Plan, Player
from tangentlite.differentiate.record.sorting import planned, said_again
from tangentlite.differentiate.restore.restoring import restore
from tangentlite.differentiate.reverse import Sweep
from tangentlite.errors import UnsupportedSyntaxError
from tangentlite.lines import Lines, credit

Last = dict[tuple[Scope, str], Version]


def record(sweep: Sweep, extra_reads: Body) -> tuple[Body, Body]:
    """The forward and the backward body; ``extra_reads`` is backward code outside the sweep (rewritten in place)."""
    restore(sweep, extra_reads)
    _forget(sweep)
    plan = planned(sweep, extra_reads)
    needed = plan.needed
    _put_down(sweep, plan)
    trips = {r.scope for r in sweep.again.values()}
    for scope in trips & plan.remade.keys():  # all that such a trip makes is made again
        plan.recorded.setdefault(scope, []).extend(plan.remade.pop(scope))
    for version in needed.values():
        if version.header:
            plan.names[version.placeholder] = version.name
        elif not version.scope.repeats:
            _keep_by_name(sweep, plan, version, rebound(sweep, version))
    _part_loops(sweep, plan)
    last, clobbered = _last(needed.values()), _clobbered(sweep, plan, needed)
    for scope in {**plan.recorded, **plan.remade}:
        _name_scope(sweep, plan, scope, last, clobbered)
    for scope, versions in plan.recorded.items():
        (_hold if scope in trips else _push)(sweep, plan, scope, versions)
    for scope, versions in plan.remade.items():
        _remake(sweep, plan, scope, versions)
    for scope, tape in plan.tape.items():
        _pop(sweep, plan, sweep.backward[scope], tape, plan.recorded[scope])
    holes: dict[str, syntax.Hole] = dict(plan.names)
    root = sweep.facts.versions.root
    backward = [_filled(s, holes) for s in flat(sweep.backward[root])]
    extra_reads[:] = [_filled(s, holes) for s in extra_reads]
    player = Player(sweep, plan)
    backward = syntax.rewrite(
        backward, lambda s: player.once_more(s) if isinstance(s, Again) else [s]
    )
    body = _guarded(sweep, plan, player.block(root)) if plan.uncertain else player.block(root)
    forward = player.opening(None)
    forward += [syntax.assign(name, syntax.constant(None)) for name in sorted(plan.uncertain)]
    return [*forward, *unbound.opening(sweep.session), *body], backward


def _guarded(sweep: Sweep, plan: Plan, body: Body) -> Body:
    """The forward sweep, with Python's error where it reads what has no value yet, and none where it is only kept."""
    added = {id(s) for block in plan.inserted.values() for s in block}
    added |= {id(s) for s in syntax.statements(body) if _keeps_state(sweep, s)}
    return unbound.guarded(sweep.session, body, plan.uncertain, added)


def _keeps_state(sweep: Sweep, statement: gast.AST) -> bool:
    """Whether a statement keeps what a trip of a loop that runs again begins with, bound or not."""
    match statement:
        case gast.Expr(
            value=gast.Call(func=gast.Attribute(value=gast.Name(id=name), attr="append"))
        ):
            return any(name == again.states for again in sweep.again.values())
    return False


def _put_down(sweep: Sweep, plan: Plan) -> None:
    """The flags of pieces are put down where their `try` begins."""
    for placeholder, (scope, position) in sweep.told.items():
        version = sweep.adjoints.shapes.table[placeholder]
        plan.insert(scope, position - 1, syntax.assign(version.name, syntax.constant(False)))
        plan.told.add(version.name)


def _forget(sweep: Sweep) -> None:
    """Loops through which nothing flows back do not run again."""
    trees = [s for body in sweep.backward.values() for s in syntax.statements(body)]
    marked = {s.key[0] for s in trees if isinstance(s, Again)}
    sweep.again = {s: r for s, r in sweep.again.items() if s in marked}


def _filled(statement: gast.stmt, holes: dict[str, syntax.Hole]) -> gast.stmt:
    return syntax.substitute(statement, holes) if syntax.mentions(statement, holes) else statement


def _keep_by_name(sweep: Sweep, plan: Plan, version: Version, again: bool) -> None:
    if not (version.overwritten() or again):
        plan.names[version.placeholder] = version.name
        return
    alias = plan.names[version.placeholder] = sweep.session.names.fresh(version.name)
    plan.keep(version, alias)


def _part_loops(sweep: Sweep, plan: Plan) -> None:
    """A loop that runs back leaves alone what a trip around it reads by the name of its variable."""
    repeated: dict[str, list[Version]] = {}
    for version in plan.needed.values():
        if version.scope.repeats:
            repeated.setdefault(version.name, []).append(version)
    for statement, loop in sweep.walked if repeated else []:
        (inner,) = sweep.facts.versions.scopes[statement]
        same = repeated.get(loop.target.id, [])
        if any(v.scope is not inner and within(inner, v.scope) for v in same):
            if statement in sweep.again:
                place = sweep.facts.normal.function.origin.place(statement)
                raise UnsupportedSyntaxError(BOUND.format(loop.target.id), place, RENAME)
            apart = sweep.session.names.fresh(loop.target.id)
            loop.target = syntax.store(syntax.name(apart))
            plan.names.update({v.placeholder: apart for v in same if v.header and v.scope is inner})


def _clobbered(sweep: Sweep, plan: Plan, needed: dict[str, Version]) -> set[str]:
    """Names kept from the end of the forward sweep that are still read where a loop runs back, or after it."""
    if not any(v.scope.repeats for v in needed.values()):
        return set()
    body = [syntax.loads(s) for s in sweep.backward[sweep.facts.versions.root]]
    read_last = {name: i for i, names in enumerate(body) for name in names}
    read_first = {name: i for i, names in reversed([*enumerate(body)]) for name in names}
    kept = {
        v.name: read_last.get(v.placeholder, -1)
        for v in needed.values()
        if not v.scope.repeats and plan.names[v.placeholder] == v.name
    }
    return {
        v.name
        for v in needed.values()
        if v.scope.repeats and kept.get(v.name, -1) >= read_first.get(v.placeholder, len(body))
    }


def _last(needed: Iterable[Version]) -> Last:
    """The versions that are made last in a trip, those of loops inside it among them."""
    last: Last = {}
    for version in needed:
        scope: Scope | None = version.scope if version.scope.repeats else None
        while scope is not None:
            rival = last.setdefault((scope, version.name), version)
            if (rival.header, rival.number) < (version.header, version.number):
                last[scope, version.name] = version
            scope = scope.parent
    return last


def _name_scope(sweep: Sweep, plan: Plan, scope: Scope, last: Last, clobbered: set[str]) -> None:
    """The last version of a name that a trip reads backward keeps it; it is read before the others are."""
    for version in [*plan.recorded.get(scope, []), *plan.remade.get(scope, [])]:
        keeps = last[scope, version.name] is version and version.name not in clobbered
        keeps = keeps and not rebound(sweep, version)
        keeps = keeps and not _is_variable(version.name, scope.parent, last)
        plan.names[version.placeholder] = (
            version.name if keeps else sweep.session.names.fresh(version.name)
        )


def _is_variable(name: str, scope: Scope | None, last: Last) -> bool:
    """Whether a loop around walks back with a variable of that name, which is read after what is inside."""
    while scope is not None:
        found = last.get((scope, name))
        if found is not None and found.header and found.scope is scope:
            return True
        scope = scope.parent
    return False


def _push(sweep: Sweep, plan: Plan, scope: Scope, versions: list[Version]) -> None:
    """One tuple, as early as all parts are at hand; a part that is bound again before that is kept by another name."""
    ready = max(v.position for v in versions)
    if any(
        v.name in sweep.changing and scope.next_store(v.name, v.position) is None for v in versions
    ):
        ready = len(scope.block) - 1  # a list that grows is recorded when it is complete
    if scope.parent and isinstance(scope.parent.block[scope.position], syntax.Attempt):
        ready = len(scope.block) - 1  # when nothing can fail any more
    if scope.kind == "loop":
        ready = min(ready, len(syntax.parted(scope.block)[0]) - 1)
    parts: list[gast.expr] = []
    for version in versions:
        again = scope.next_store(version.name, version.position)
        if again is not None and again <= ready:
            alias = plan.names[version.placeholder]
            if alias == version.name:
                alias = sweep.session.names.fresh(version.name)
            plan.keep(version, alias)
            parts.append(syntax.name(alias))
        else:
            parts.append(syntax.name(version.name))
        if not version.certain:
            plan.uncertain.add(version.name)
    tape = plan.tape[scope] = sweep.session.names.fresh("tape")
    value = parts[0] if len(parts) == 1 else gast.Tuple(parts, gast.Load())
    push = gast.Expr(syntax.expression("tape.append(x)", tape=tape, x=value))
    credit([push], _lines(sweep, versions))
    plan.insert(scope, ready, push)


def _hold(sweep: Sweep, plan: Plan, scope: Scope, versions: list[Version]) -> None:
    """What a trip that runs again makes is at hand when it is walked back."""
    last = len(syntax.parted(scope.block)[0]) - 1
    for version in versions:
        name = plan.names[version.placeholder]
        if scope.next_store(version.name, version.position) is not None:
            name = name if name != version.name else sweep.session.names.fresh(version.name)
            plan.names[version.placeholder] = name
            plan.keep(version, name)
        elif name != version.name:
            plan.insert(scope, last, syntax.assign(name, syntax.name(version.name)))


def _lines(sweep: Sweep, versions: list[Version]) -> Lines:
    """The lines that bind versions."""
    makers = [v.maker for v in versions]
    return frozenset().union(*(sweep.session.lines(m) for m in makers if m is not None))


def _pop(sweep: Sweep, plan: Plan, body: Body, tape: str, versions: list[Version]) -> None:
    names: list[gast.expr] = [syntax.name(plan.names[v.placeholder]) for v in versions]
    target = names[0] if len(names) == 1 else gast.Tuple(names, gast.Load())
    pop = syntax.assign(target, syntax.expression("tape.pop()", tape=tape))
    credit([pop], _lines(sweep, versions))
    body.insert(0, pop)


def _remake(sweep: Sweep, plan: Plan, scope: Scope, versions: list[Version]) -> None:
    """Statements of the forward sweep, once more at the head of the mirrored trip."""
    again: Body = []
    for version in versions:
        value = said_again(sweep, plan, version)
        again.append(syntax.assign(plan.names[version.placeholder], value))
        credit(again, sweep.session.lines(version.statement))
    sweep.backward[scope][:0] = again
