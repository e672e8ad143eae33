"""Where the values that the backward sweep reads are kept: by name, or on a tape.

In: a sweep with placeholders.
Out: forward code that keeps them, backward code that reads them.
Next: motion.

A version made outside loops is kept by its name, or by another one if the name is bound again. A version made in a
loop is recorded there: one tuple per trip, pushed as soon as all its parts are at hand, popped first thing in the
mirrored trip. What a cheap operation can make again from what is at hand is not recorded.
"""

from __future__ import annotations

import gast
import numpy as np

from tangentlite import syntax
from tangentlite.analysis.kinds import Num
from tangentlite.analysis.operations import Accumulate, Copy, Pop, Primitive, Push, Slot, target
from tangentlite.analysis.versions import Scope, Version
from tangentlite.differentiate import unbound
from tangentlite.differentiate.adjoints import Body
from tangentlite.differentiate.again import Again, rebound, within
from tangentlite.differentiate.alike import told_by_others
from tangentlite.differentiate.guards import flat
from tangentlite.differentiate.playing import Plan, Player
from tangentlite.differentiate.restoring import restore
from tangentlite.differentiate.reverse import Sweep
from tangentlite.lines import Lines, credit
from tangentlite.runtime.objects import is_object


def record(sweep: Sweep, extra_reads: Body) -> tuple[Body, Body]:
    """The forward and the backward body; ``extra_reads`` is backward code outside the sweep (rewritten in place)."""
    restore(sweep, extra_reads)
    _forget(sweep)
    plan = _sorted(sweep, extra_reads)
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
    same_name: dict[str, list[Version]] = {}
    for version in needed.values():
        if version.scope.repeats:
            same_name.setdefault(version.name, []).append(version)
    clobbered = _clobbered(sweep, plan, needed)
    for scope in {**plan.recorded, **plan.remade}:
        _name_scope(sweep, plan, scope, same_name, clobbered)
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
    body = player.block(root)
    forward = player.opening(None)
    forward += [syntax.assign(name, syntax.constant(None)) for name in sorted(plan.uncertain)]
    return [*forward, *unbound.opening(sweep.session), *body], backward


def _sorted(sweep: Sweep, extra: Body) -> Plan:
    """What is recorded, and what made again; an ``if`` whose blocks keep something asks for its condition."""
    while True:
        plan = Plan(needed=_needed(sweep, extra))
        _sort(sweep, plan, plan.needed)
        keeping = {**plan.recorded, **plan.remade}
        scopes = sweep.facts.versions.scopes
        asking = [i for i in sweep.loose if any(s in keeping for s in scopes[i.statement])]
        if not asking:
            return plan
        for loose in list(sweep.loose):
            inner = scopes[loose.statement]
            if loose in asking or any(within(a.scope, s) for a in asking for s in inner):
                sweep.tie(loose)


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


def _needed(sweep: Sweep, extra: Body) -> dict[str, Version]:
    """The versions that backward code reads, oldest first."""
    told_by_others(sweep, extra)
    table = sweep.adjoints.shapes.table
    loads = syntax.loads([*sweep.backward[sweep.facts.versions.root], *extra])
    found = [table[name] for name in loads if name in table]
    return {v.placeholder: v for v in sorted(found, key=lambda v: v.number)}


def _sort(sweep: Sweep, plan: Plan, needed: dict[str, Version]) -> None:
    """Versions made in loops: made again where that is cheap, otherwise recorded."""
    looped = [v for v in needed.values() if v.scope.repeats and not v.header]
    wanted = {v.placeholder for v in looped}
    remade: dict[str, Version] = {}
    for version in looped:
        known = version.placeholder in remade
        steps = None if known else _steps(sweep, plan, version, wanted, remade)
        for step in steps or []:
            remade[step.placeholder] = step
            plan.remade.setdefault(step.scope, []).append(step)
            for operand in (step, *_leaves(sweep, plan, step)):
                sweep.adjoints.shapes.table[operand.placeholder] = operand
                needed.setdefault(operand.placeholder, operand)
        if steps is None and version.placeholder not in remade:
            plan.recorded.setdefault(version.scope, []).append(version)


def _steps(
    sweep: Sweep, plan: Plan, version: Version, wanted: set[str], remade: dict[str, Version]
) -> list[Version] | None:
    """What to make again, in order, to have the version again; None if something must be recorded for it."""
    operands = _operands(sweep, version)
    if operands is None:
        return None
    steps: list[Version] = []
    for operand in operands:
        if _at_hand(operand, wanted, remade) or operand in steps:
            continue
        if _is_multiple(sweep, operand, wanted, remade):
            plan.multiples[operand.placeholder] = operand
            continue
        light = _is_index(sweep, operand)
        below = _steps(sweep, plan, operand, wanted, remade) if light else None
        if below is None:
            return None
        steps += [s for s in below if s not in steps]
    return [*steps, version]


def _is_index(sweep: Sweep, version: Version) -> bool:
    """Whether a version is an integer, as indices are: arithmetic of integers costs nothing."""
    if version.statement is None:
        return False
    kind = sweep.facts.kind_after(version.statement, version.name)
    return isinstance(kind, Num) and kind.exact == "int" and kind.scalar


def _is_multiple(
    sweep: Sweep, version: Version, wanted: set[str], remade: dict[str, Version]
) -> bool:
    """Whether a version is something at hand times a number that is written down, which is said where it is read."""
    match version.statement:
        case gast.Assign(value=gast.BinOp(left=left, op=gast.Mult(), right=right)):
            operands = _operands(sweep, version) or []
            plain = isinstance(left, gast.Constant) or isinstance(right, gast.Constant)
            return plain and len(operands) == 1 and _at_hand(operands[0], wanted, remade)
    return False


def _leaves(sweep: Sweep, plan: Plan, version: Version) -> list[Version]:
    """What a version that is made again reads."""
    return [
        leaf
        for operand in _operands(sweep, version) or []
        for leaf in (
            _leaves(sweep, plan, operand) if operand.placeholder in plan.multiples else [operand]
        )
    ]


def _again(sweep: Sweep, plan: Plan, version: Version) -> gast.expr:
    """The expression that makes a version again."""
    assert isinstance(version.statement, gast.Assign)
    reads = sweep.facts.versions.reads[version.statement]
    holes: dict[str, syntax.Hole] = {
        n: _again(sweep, plan, v) if v.placeholder in plan.multiples else v.placeholder
        for n, v in reads.items()
    }
    return syntax.substitute(version.statement.value, holes)


def _at_hand(version: Version, wanted: set[str], remade: dict[str, Version]) -> bool:
    free = not version.scope.repeats or version.header
    known = version.placeholder in wanted and version.placeholder not in remade
    return free or known or (version.placeholder in remade and version.placeholder not in wanted)


def _operands(sweep: Sweep, version: Version) -> list[Version] | None:
    """What a cheap operation would make the version from again; None if it is not cheap."""
    statement = version.statement
    match statement:
        case gast.Assign(targets=[gast.Name(id=name)]) if name == version.name:
            operation = sweep.facts.operation(statement)
        case _:
            return None
    reads = sweep.facts.versions.reads[statement]
    if not _written(sweep).isdisjoint(reads):
        return None
    if any(sweep.facts.overwritten(statement, n) for n in reads):
        return None
    if sweep.facts.aliases.outside and _reads_outside(sweep, statement.value):
        return None
    match operation:
        case Copy() | Slot():
            return list(reads.values())
        case Primitive(rule=rule) if rule.algebra == "elementwise" or isinstance(
            statement.value, gast.Subscript
        ):
            return list(reads.values())
    return None


def _reads_outside(sweep: Sweep, value: gast.expr) -> bool:
    """Whether an expression reads a list, an array or an object from outside, which may have changed meanwhile."""
    function = sweep.facts.normal.function
    names = syntax.loads(value) - function.local
    space = function.namespace
    found = (space.lookup(n) for n in names if space.binds(n))
    return any(isinstance(v, list | dict | np.ndarray) or is_object(v) for v in found)


def _written(sweep: Sweep) -> set[str]:
    """Lists and buffers that change after they are made: what was read of them cannot be read again."""
    operations = sweep.facts.kinds.operations
    changing = {s for s, o in operations.items() if isinstance(o, (Accumulate, Pop, Push))}
    return {
        name
        for s in changing
        for name in [target(s, operations[s]), getattr(operations[s], "stack", None)]
        if name
    }


def _keep_by_name(sweep: Sweep, plan: Plan, version: Version, again: bool) -> None:
    if not (version.overwritten() or again):
        plan.names[version.placeholder] = version.name
        return
    alias = plan.names[version.placeholder] = sweep.session.names.fresh(version.name)
    plan.keep(version, alias)


def _clobbered(sweep: Sweep, plan: Plan, needed: dict[str, Version]) -> set[str]:
    """Names kept from the end of the forward sweep that are still read where a loop runs back, or after it."""
    if not any(v.scope.repeats for v in needed.values()):
        return set()
    body = [syntax.loads(s) for s in sweep.backward[sweep.facts.versions.root]]
    lasting = [
        v for v in needed.values() if not v.scope.repeats and plan.names[v.placeholder] == v.name
    ]
    kept = {v.name: v.placeholder for v in lasting}
    found = set()
    for version in needed.values():
        if version.scope.repeats and version.name in kept:
            reads = [i for i, names in enumerate(body) if kept[version.name] in names]
            popped = [i for i, names in enumerate(body) if version.placeholder in names]
            if reads and popped and max(reads) >= min(popped):
                found.add(version.name)
    return found


def _name_scope(
    sweep: Sweep, plan: Plan, scope: Scope, same_name: dict[str, list[Version]], clobbered: set[str]
) -> None:
    """The last version of a name that a trip reads backward keeps it; it is read before the others are."""
    for version in [*plan.recorded.get(scope, []), *plan.remade.get(scope, [])]:
        rivals = [v for v in same_name[version.name] if _within(v.scope, scope)]
        last = max(rivals, key=lambda v: (v.header, v.number))
        keeps = last is version and version.name not in clobbered
        keeps = keeps and not rebound(sweep, version)
        plan.names[version.placeholder] = (
            version.name if keeps else sweep.session.names.fresh(version.name)
        )


def _within(inner: Scope, outer: Scope) -> bool:
    scope: Scope | None = inner
    while scope is not None:
        if scope is outer:
            return True
        scope = scope.parent
    return False


def _push(sweep: Sweep, plan: Plan, scope: Scope, versions: list[Version]) -> None:
    """One tuple, as early as all parts are at hand; a part that is bound again before that is kept by another name."""
    ready = max(v.position for v in versions)
    if any(
        v.name in _written(sweep) and scope.next_store(v.name, v.position) is None for v in versions
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
        value = _again(sweep, plan, version)
        again.append(syntax.assign(plan.names[version.placeholder], value))
        credit(again, sweep.session.lines(version.statement))
    sweep.backward[scope][:0] = again
