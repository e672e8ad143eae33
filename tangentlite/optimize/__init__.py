"""Optimize: the generated statements as a person would have written them.

In: ``ir.Derived``: right but long statements, one per step of calculus.
Out: ``ir.Derived`` with the same functions in fewer, shorter statements: the same values, the same
    effects in the same order, nothing evaluated more often than before.
Next: emit.

The passes know no calculus. ``contract`` leaves the order of products to the runtime, ``unread`` spares
writes. ``propagate`` replaces copies, ``simplify`` applies the laws, ``prune`` drops what nobody needs,
``early`` spares copies, ``inherit`` arrays of zeros, ``refold`` puts single-use temporaries back into
expressions; at the end, ``leave`` breaks out of loops at once, ``held`` says attributes as the user does,
``known`` reads temporaries, ``once`` makes one quotient of two, ``emptied`` stores for emptying and adding,
``restored`` leaves what would be put back, ``gather`` adds once to each place, ``disjoint`` stores what comes
first, ``filled`` spares zeros, ``accumulate`` adds in place, ``twice`` computes once, ``operands`` spares copies,
``signs`` negations, ``again`` products, ``late`` more copies, ``spread_sums`` arrays of equal numbers, ``finished``
returns what needs no finishing, ``framed`` makes shapes only, ``cubes`` products of powers, ``methods`` asks arrays
for their sums, ``tries`` joins the pieces of a ``try``, and ``unpacked`` says what is taken apart. For NumPy,
``logistic`` and ``cancelled`` guard once, ``added`` adds to parts of attributes, ``batches`` adds products many at a
time, ``trips`` does loops at once, ``visits`` stores where a loop comes once, ``slots`` names adjoints of parts,
``displays`` says lists of them, ``views`` takes parts of arrays before loops, ``lasts`` leaves out what only a later
trip would need, and ``flips`` turns vectors round by slices.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import gast

from tangentlite import syntax
from tangentlite.analysis.kinds import Num, is_complex
from tangentlite.ir import Derived, Function, Record
from tangentlite.optimize.early import early
from tangentlite.optimize.facts.axes import Axes
from tangentlite.optimize.facts.measure import Measure
from tangentlite.optimize.facts.purity import Effects
from tangentlite.optimize.facts.record import by_name, record as studied
from tangentlite.optimize.facts.scope import Scope, is_numbered, words
from tangentlite.optimize.inherit import inherit
from tangentlite.optimize.loops.batches import batches
from tangentlite.optimize.loops.flips import flips
from tangentlite.optimize.loops.lasts import lasts
from tangentlite.optimize.loops.trips import record_of, trips, unpacked_record
from tangentlite.optimize.loops.views import views
from tangentlite.optimize.loops.visits import visits
from tangentlite.optimize.numbers import Find, InFloats as InFloats, Numbers
from tangentlite.optimize.products.again import again
from tangentlite.optimize.products.cancelled import cancelled
from tangentlite.optimize.products.cubes import cubes
from tangentlite.optimize.products.known import known
from tangentlite.optimize.products.late import late
from tangentlite.optimize.products.logistic import logistic
from tangentlite.optimize.products.once import once
from tangentlite.optimize.products.operands import operands
from tangentlite.optimize.products.twice import twice
from tangentlite.optimize.propagate import copies, propagate
from tangentlite.optimize.prune import prune
from tangentlite.optimize.refold import refold
from tangentlite.optimize.replace import unchanged
from tangentlite.optimize.simplify import simplify
from tangentlite.optimize.spelling.counting import counted
from tangentlite.optimize.spelling.finished import finished
from tangentlite.optimize.spelling.framed import framed
from tangentlite.optimize.spelling.holders import held
from tangentlite.optimize.spelling.leave import leave
from tangentlite.optimize.spelling.methods import methods
from tangentlite.optimize.spelling.tries import tries
from tangentlite.optimize.spelling.unpacked import unpacked
from tangentlite.optimize.sums.accumulate import accumulate
from tangentlite.optimize.sums.added import added
from tangentlite.optimize.sums.begins import begins
from tangentlite.optimize.sums.contract import contract, products
from tangentlite.optimize.sums.disjoint import disjoint
from tangentlite.optimize.sums.displays import displays
from tangentlite.optimize.sums.emptied import emptied
from tangentlite.optimize.sums.filled import filled
from tangentlite.optimize.sums.gather import gather
from tangentlite.optimize.sums.restored import restored
from tangentlite.optimize.sums.signs import signs
from tangentlite.optimize.sums.slots import slots
from tangentlite.optimize.sums.spread_sums import spread_sums
from tangentlite.optimize.unread import unread
from tangentlite.values import replace

Pass = Callable[[list[gast.stmt], Scope], list[gast.stmt]]
PASSES: tuple[Pass, ...] = (propagate, simplify, prune, early, inherit, refold)
FEEDS: dict[Pass, frozenset[Pass]] = {  # what may have more to do after a pass has done something
    propagate: frozenset((simplify, prune, early, inherit, refold)),
    simplify: frozenset((propagate, prune, early, inherit, refold)),
    prune: frozenset((propagate, simplify, early, inherit, refold)),
    early: frozenset((propagate, simplify, prune, early, refold)),
    inherit: frozenset((propagate, simplify, prune, early, refold)),
    refold: frozenset((simplify,)),
}
ROUNDS = 4
UNUSUAL = frozenset((gast.Break, gast.Continue, gast.Try, gast.With, gast.FunctionDef))


def improve(
    derived: Derived,
    is_pure: Callable[[Any], bool] | None = None,
    effects: Effects = lambda callee: None,
) -> Derived:
    """``derived`` with better statements.

    ``is_pure`` tells whether a callee has no effects; ``effects`` which parameters a user's function writes, if it
    does nothing else that can be seen.
    """
    user = _user_names(derived.primal)
    pure, integers = is_pure or _registered, _integers(derived)
    arrays = _arrays(derived)
    scopes = [Scope(f, user, pure, effects, integers, arrays) for f in derived.functions]
    bodies = [contract(f.body, s) for f, s in zip(derived.functions, scopes)]
    bodies = [improve_whole(unread(b, s), s) for b, s in zip(bodies, scopes)]
    plain = not derived.primal.generated  # otherwise names may hold ZERO
    bodies = list(map(unpacked, bodies)) if plain else bodies
    real, numbers = _real(derived), _numbers(derived)
    bodies = [_shortened(b, s, real, numbers) for b, s in zip(bodies, scopes)]
    if plain and all(isinstance(k, Num) for k in derived.request.kinds or ()):
        bodies = list(map(framed, bodies, scopes))
    request = derived.request
    known = frozenset(name for name, rank in _ranks(derived).items() if rank)
    if plain and request.motion == "joint" and request.output == "gradient" and not request.has_aux:
        powers = zip(bodies, scopes)
        bodies = [cubes(b, s, known & s.params) if gast.Pow in s.kinds else b for b, s in powers]
    if plain:
        bodies = [methods(b, s, known & s.params) for b, s in zip(bodies, scopes)]
    bodies = list(map(by_name, bodies)) if request.bare else bodies
    better = tuple(f.with_body(b) for f, b in zip(derived.functions, bodies))
    return replace(derived, functions=better)


def _shortened(
    body: list[gast.stmt], scope: Scope, real: frozenset[str], numbers: frozenset[str]
) -> list[gast.stmt]:
    """What is done twice is done once, what is added to zeros stored, and the rest added in place."""
    body = once(known(body, scope), scope)
    body = again(restored(emptied(body, scope), scope), scope, named=True)
    body = disjoint(gather(body, scope), scope)
    body = accumulate(filled(body, scope), scope, real)
    body = again(signs(operands(twice(body, scope), scope), scope), scope)
    body = late(body, scope)
    return finished(spread_sums(products(body, scope), scope), scope, numbers)


def improve_whole(body: list[gast.stmt], scope: Scope) -> list[gast.stmt]:
    """The passes for all statements of a function."""
    return tries(counted(held(improve_block(body, scope), scope.params)), scope)


def at_once(derived: Derived) -> Derived:
    """``derived`` with loops done at once, where their trips do not need each other, or with less to do in a trip."""
    request = derived.request
    if not request.optimized:
        return derived
    derived = added(cancelled(logistic(_with_slots(derived))))
    return _folded(begins(_in_trips(derived)) if request.mode == "reverse" else derived)


def _with_slots(derived: Derived) -> Derived:
    """``derived`` with names for the parts of adjoints that are added to, and lists of them, where that is simple."""
    if any(not UNUSUAL.isdisjoint(f.contents.kinds) for f in derived.functions):
        return derived
    made, parts = slots(displays(derived))
    if made is derived:
        return derived
    real, bodies = _real(derived), list[list[gast.stmt]]()
    for function, scope in _scopes(made):
        body = function.body
        for step in (propagate, simplify, prune, refold):
            body = step(body, scope)
        bodies.append(accumulate(body, scope, real | parts if real else real))
    functions = (f.with_body(body) for f, body in zip(made.functions, bodies))
    return replace(made, functions=tuple(functions))


def in_floats(derived: Derived, find: Find) -> InFloats | None:
    """A finished derivative in floats and lists of Python, where it is worth it; ``find``: the texts of helpers."""

    def is_pure(callee: Any) -> bool:
        return _registered(callee) or find(callee) is not None

    return Numbers(find, lambda made: [scope for _, scope in _scopes(made, is_pure)]).of(derived)


def _folded(derived: Derived) -> Derived:
    """``derived`` with slices where they are read, now that no pass looks for their names."""
    if not any(gast.Slice in f.contents.kinds for f in derived.functions):
        return derived
    measure = Measure(exact=True)
    made = [f.with_body(refold(f.body, scope, measure)) for f, scope in _scopes(derived)]
    return replace(derived, functions=tuple(made))


def _scopes(
    derived: Derived, is_pure: Callable[[Any], bool] | None = None
) -> Iterator[tuple[Function, Scope]]:
    """The functions of a derivative that is improved, each with what is known of it."""
    user, integers, arrays = _user_names(derived.primal), _integers(derived), _arrays(derived)
    for function in derived.functions:
        pure = is_pure or _registered
        yield function, Scope(function, user, pure, integers=integers, arrays=arrays)


def _in_trips(derived: Derived) -> Derived:
    """``derived`` with less to do in loops."""
    loops = {gast.For, gast.While, gast.ListComp, gast.GeneratorExp}
    if loops.isdisjoint(derived.primal.contents.kinds):
        return derived
    ranks, made, saved = _ranks(derived), list[Function](), list[int | None]()
    for function, scope in _scopes(derived):
        body = function.body
        if made:
            names, body = unpacked_record(body)
            ranks = {n: r for n, r in zip(names, saved) if r is not None}
        axes = Axes(body, ranks, scope.purity, scope.integers)
        saved = [axes.of(part) for part in record_of(body)]
        body = flips(trips(batches(function.body, scope), scope, axes), scope, axes)
        body = visits(body, scope)
        made.append(function.with_body(lasts(views(body, scope, axes), scope)))
    return replace(derived, functions=tuple(made))


def is_quiet(function: Function, effects: Effects) -> bool:
    """Whether a function does nothing that can be seen but to write into arrays."""
    scope = Scope(function, frozenset(), _registered, effects)
    nodes = (n for s in function.body for n in syntax.walk(s))
    changes = any(isinstance(n, gast.Attribute) and isinstance(n.ctx, gast.Store) for n in nodes)
    return not changes and not scope.facts.block(function.body).seen


def improve_block(body: list[gast.stmt], scope: Scope) -> list[gast.stmt]:
    """Apply the passes in turn, as long as one may have something to do."""
    waiting = set(PASSES)
    for step in PASSES * ROUNDS:
        if step in waiting:
            waiting.discard(step)
            before, body = body, step(body, scope)
            if not unchanged(before, body):
                reshaped = step is simplify and _reads_alike(before, body, scope)
                waiting |= {refold} if reshaped else FEEDS[step]
    return leave(body, scope)


def _reads_alike(before: list[gast.stmt], after: list[gast.stmt], scope: Scope) -> bool:
    """Whether every statement still does to its names what it did, and none has become a copy."""
    return len(before) == len(after) and all(
        old is new or _does_alike(old, new, scope) for old, new in zip(before, after)
    )


def _does_alike(old: gast.stmt, new: gast.stmt, scope: Scope) -> bool:
    inside = syntax.blocks(old)
    if not inside:
        was, now = scope.facts(old), scope.facts(new)
        return copies(old) == copies(new) and was._replace(once=now.once) == now
    same = all(getattr(old, f, None) is getattr(new, f, None) for f in ("test", "iter"))
    return same and all(_reads_alike(a, b, scope) for a, b in zip(inside, syntax.blocks(new)))


def _real(derived: Derived) -> frozenset[str]:
    """The adjoints of arguments that are real, and stay what they are; a seed that is given may be complex."""
    primal, request = derived.primal, derived.request
    if is_complex(*(request.kinds or ())) or (request.seed == "given" and request.kinds is None):
        return frozenset()
    return frozenset(f"b{p.name}" for p in primal.params if p.name not in primal.bound)


def _numbers(derived: Derived) -> frozenset[str]:
    """The parameters that are numbers or arrays, if they pass for it."""
    params, kinds = derived.primal.params, derived.request.kinds
    return frozenset(
        p.name for p, k in zip(params, kinds or [Num()] * len(params)) if isinstance(k, Num)
    )


def _integers(derived: Derived) -> frozenset[str]:
    """The parameters that are Python's integers from beginning to end."""
    primal, kinds = derived.primal, derived.request.kinds or ()
    integers = [isinstance(k, Num) and k.python and k.exact == "int" for k in kinds]
    return frozenset(p.name for p, is_one in zip(primal.params, integers) if is_one) - primal.bound


def _arrays(derived: Derived) -> frozenset[str]:
    """The parameters that are numbers or plain arrays."""
    named = zip(derived.primal.params, derived.request.kinds or ())
    return frozenset(p.name for p, k in named if isinstance(k, Num) and not k.persistent)


def _ranks(derived: Derived) -> dict[str, int]:
    """How many axes the parameters have that are numbers or arrays."""
    named = zip(derived.primal.params, derived.request.kinds or ())
    known = {p.name: k for p, k in named if isinstance(k, Num) and not (k.persistent or k.optional)}
    found = {name: 0 if k.scalar else k.ndim for name, k in known.items()}
    return {name: rank for name, rank in found.items() if rank is not None}


def _user_names(primal: Function) -> frozenset[str]:
    named = primal.read | primal.bound
    kept = {name for name in named if not is_numbered(name)}
    return words(primal.origin.lines) | kept | {p.name for p in primal.params}


def record(forward: Function, backward: Function) -> Record | None:
    """What the finished functions of a pair hand to each other."""
    return studied(forward, backward, _registered)


def _registered(callee: Any) -> bool:
    from tangentlite import rules

    return bool(rules.is_pure(callee))
