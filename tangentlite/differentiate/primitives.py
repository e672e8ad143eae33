"""What the rule of an operation gives to the adjoints of its arguments.

In: an operation with a rule, and the adjoint of its result.
Out: statements.
Next: contributions.
"""

from __future__ import annotations

from collections.abc import Mapping

import gast

from tangentlite import rules, syntax
from tangentlite.analysis.kinds import CONTAINERS, SCALAR, Kind, Num, Shape, is_complex
from tangentlite.analysis.operations import Primitive, target as target_of
from tangentlite.analysis.shapes.broadcasting import over, whole
from tangentlite.differentiate.adjoints import Adjoints, Body
from tangentlite.differentiate.alone import alone
from tangentlite.differentiate.finite import masked, saturating
from tangentlite.differentiate.finite.growing import counted
from tangentlite.differentiate.finite.unguarded import unguarded
from tangentlite.differentiate.pieces import without_new_axes
from tangentlite.differentiate.shapes import ANY, UNTOLD, shape_of_kind
from tangentlite.rules import Part, Rule, Term
from tangentlite.values import replace

# What takes ZERO for the value that it fits an adjoint to.
FITTING = ("unbroadcast", "broadcast", "spread")
# What gives every element the adjoint of its sum, which is one number where all those are equal.
SUMS = ("sum", "sum_as_it_is", "mean", "mean_as_it_is")


def exact(adjoints: Adjoints, name: str) -> Body:
    """Give the adjoint of what the current statement binds its exact shape."""
    assert adjoints.statement is not None
    kind = adjoints.session.facts.kind_after(adjoints.statement, name)
    if adjoints.bound[name] == shape_of_kind(kind) or isinstance(kind, CONTAINERS):
        return []
    version = adjoints.session.facts.versions.made[adjoints.statement]
    like = adjoints.shapes.carrier(version, kind) or adjoints.result()
    return adjoints.exact(name, like, kind)


def primitive(
    adjoints: Adjoints, operation: Primitive, bx: gast.Name, shape: Shape, active: frozenset[str]
) -> Body:
    """What the rule of an operation gives to its active arguments."""
    rule = adjoints.session.variant(operation)
    adjoints.session.check_kinds(adjoints.statement, operation, active)
    part, local = written(
        adjoints,
        rule,
        adjoints.session.part(adjoints.statement, rule.adjoint, active),
        operation.bound,
        _slots(rule, "b", bx),
    )
    local[bx.id] = shape
    for statement in part.shared:
        local[statement.targets[0].id] = adjoints.shapes.of(statement.value, local)
    body = list(part.shared)
    for term in part.terms:
        if term.elementwise:
            value = _guarded(adjoints, term, bx.id, active)
            term = term if value is term.value else replace(term, value=value)
        term = unguarded(adjoints, operation, term)
        body += _term(adjoints, operation, _cut_off(adjoints, operation, term, bx), bx, local)
    return body


def _guarded(adjoints: Adjoints, term: Term, bx: str, active: frozenset[str]) -> gast.expr:
    """What a term gives, zero where a zero meets what is infinite, and none where what is infinite is lost."""
    value = _product(adjoints, term, bx, active)
    if adjoints.statement in adjoints.session.growing:
        return counted(value, bx, adjoints.result(), adjoints.session.rt)
    return value


def _product(adjoints: Adjoints, term: Term, bx: str, active: frozenset[str]) -> gast.expr:
    session, statement = adjoints.session, adjoints.statement
    assert statement is not None
    if statement in session.vanishing:
        return saturating.cancelling(term.value, bx, session.rt)
    if statement in session.masked or term.target in session.limited.get(statement, ()):
        return masked.product(term.value, bx, session.rt)
    if statement in session.steep and len(active) == 1:
        return masked.resting(term.value, bx, session.rt)
    return term.value


def tolerant(adjoints: Adjoints, operation: Primitive, rule: Rule, name: str) -> bool:
    """Whether the statement can do with an adjoint that is larger than its result, or a scalar for it."""
    if rule.algebra != "elementwise":
        return adjoints.bound[name] == SCALAR and _sums(adjoints, operation)
    assert adjoints.statement is not None
    want = shape_of_kind(adjoints.session.facts.kind_after(adjoints.statement, name))
    if not adjoints.bound[name] < want:
        return True
    if _weighs(adjoints, operation, adjoints.bound[name]):
        return True
    operands = [n for _, n in operation.flows if n in adjoints.before]
    return all(shape_of_kind(adjoints.kind(n)) == want for n in operands)


def _sums(adjoints: Adjoints, operation: Primitive) -> bool:
    """Whether the statement is a sum or a mean of all elements, along whatever axis."""
    bound = operation.bound
    if operation.rule.name not in SUMS or not bound.keys() <= {"x", "axis", "keepdims"}:
        return False
    x = bound["x"]
    return isinstance(x, gast.Name) and _is_plain(adjoints, x.id)


def _is_plain(adjoints: Adjoints, name: str) -> bool:
    """Whether the adjoint of a name is bound, not written into."""
    return name not in adjoints.buffers and name not in adjoints.shadowed


def _weighs(adjoints: Adjoints, operation: Primitive, shape: Shape) -> bool:
    """Whether the statement is a product whose elements all have one number for their adjoint."""
    return (
        operation.rule.name == "multiply"
        and shape == SCALAR
        and adjoints.statement not in adjoints.session.masked
        and adjoints.statement not in adjoints.session.limited
        and adjoints.statement not in adjoints.session.steep
        and all(isinstance(k, Num) and not is_complex(k) for k in operation.kinds.values())
    )


def _slots(rule: Rule, letter: str, tree: gast.expr) -> dict[str, gast.expr]:
    if len(rule.results) == 1:
        return {f"{letter}[{rule.results[0]}]": tree}
    return {
        f"{letter}[{r}]": gast.Subscript(tree, syntax.constant(k), gast.Load())
        for k, r in enumerate(rule.results)
    }


def written(
    adjoints: Adjoints,
    rule: Rule,
    part: Part,
    bound: Mapping[str, gast.expr],
    slots: Mapping[str, gast.expr],
) -> tuple[Part, dict[str, Shape]]:
    """A rule's part in the names of the current statement."""
    session = adjoints.session
    bindings = {
        p: session.as_array(rule, part, p, adjoints.operand(v), adjoints.kind_of(v))
        for p, v in bound.items()
    }
    if part.reads & set(rule.results) or part.shapes & set(rule.results):
        result: gast.expr = adjoints.result()
        if len(rule.results) == 1:
            bindings[rule.results[0]] = result
        else:
            for k, r in enumerate(rule.results):
                bindings[r] = gast.Subscript(result, syntax.constant(k), gast.Load())
    local_names = {n: session.names.fresh(n) for n in part.locals if n not in part.kept}
    assert adjoints.statement is not None
    for name in part.kept:
        version = adjoints.extra[adjoints.statement][name]
        local_names[name] = adjoints.shapes.read(version, None).id
    modules = {wish: session.alias(wish, value) for wish, value in part.globals.items()}
    return rules.instantiate(part, bindings, slots, local_names, modules), {}


def _term(
    adjoints: Adjoints,
    operation: Primitive,
    term: Term,
    bx: gast.Name,
    local: Mapping[str, Shape],
) -> Body:
    target = operation.bound[term.target]
    assert isinstance(target, gast.Name)
    kind = adjoints.kind(target.id)
    plain = _is_plain(adjoints, target.id)
    if term.index is not None:
        index = operation.bound["i"]
        back = without_new_axes(index) if plain and isinstance(kind, Num) else None
        if back is None:
            start = alone(adjoints, target.id, kind)
            return [*start, *adjoints.give_at(target.id, index, term.value, True, term.sign)]
        term = replace(term, value=gast.Subscript(term.value, back, gast.Load()), index=None)
    value, shape = term.value, shape_of_kind(kind)
    scalar = _spread(adjoints, value, local) if plain else None
    if scalar is not None and isinstance(kind, Num):
        value, shape = scalar, SCALAR
    elif plain and (kept := _kept(adjoints, value, target.id, kind, local)) is not None:
        value = kept
    elif term.elementwise:
        shape = adjoints.shapes.of(value, local)
        if shape != local[bx.id]:
            shape = _as_result(adjoints, operation, shape, local[bx.id])
        if shape not in (SCALAR, shape_of_kind(kind)) and _weighs(
            adjoints, operation, local[bx.id]
        ):
            value, shape = _weighted(adjoints, value, target), shape_of_kind(kind)
    elif is_complex(*operation.kinds.values()) and not is_complex(kind):
        shape = ANY  # the real part is due
    return adjoints.give(target.id, value, shape, term.sign)


def _as_result(adjoints: Adjoints, operation: Primitive, shape: Shape, given: Shape) -> Shape:
    """The shape of a product with the adjoint of a result: operands are broadcast into it, and make it no larger."""
    statement = adjoints.statement
    assert statement is not None
    name = target_of(statement, operation)
    result = shape_of_kind(adjoints.session.facts.kind_after(statement, name) if name else None)
    exact = given == result and not result & UNTOLD
    return (
        result if exact and operation.rule.algebra == "elementwise" and result <= shape else shape
    )


def _weighted(adjoints: Adjoints, value: gast.expr, target: gast.Name) -> gast.expr:
    """``s * t`` in the shape of ``x``, where every element of ``x * t`` has the adjoint ``s``."""
    assert isinstance(value, gast.BinOp)
    assert adjoints.statement is not None
    version = adjoints.session.facts.versions.reads[adjoints.statement].get(target.id)
    x = adjoints.shapes.carrier(version, adjoints.kind(target.id)) or adjoints.operand(target)
    return adjoints.session.runtime("weighted(s, t, x)", s=value.left, t=value.right, x=x)


def _spread(adjoints: Adjoints, value: gast.expr, local: Mapping[str, Shape]) -> gast.expr | None:
    """The scalar that a full reduction hands to every element, if the value is that."""
    match value:
        case gast.Call(func=func, args=[scalar, _, *settings], keywords=[]):
            names = f"{adjoints.session.rt}.unreduce", f"{adjoints.session.rt}.spread"
            if syntax.dotted(func) in names and all(map(syntax.is_true, settings[2:])):
                if adjoints.shapes.of(scalar, local) == SCALAR:
                    return scalar
    return None


def _kept(
    adjoints: Adjoints,
    value: gast.expr,
    name: str,
    kind: Kind | None,
    local: Mapping[str, Shape],
) -> gast.expr | None:
    """What NumPy repeats along an axis that a reduction has kept, if it is added to an adjoint of full shape."""
    shape = shape_of_kind(kind)
    if adjoints.bound.get(name) != shape or not isinstance(kind, Num):
        return None
    match value:
        case gast.Call(func=func, args=[small, _, axis, *settings], keywords=[]):
            called = syntax.dotted(func) == f"{adjoints.session.rt}.unreduce"
            along = whole(axis)
            if called and along is not None and all(map(syntax.is_true, settings)):
                have = adjoints.shapes.of(small, local)
                return small if have == over(shape, along, True) else None
    return None


def _cut_off(adjoints: Adjoints, operation: Primitive, term: Term, bx: gast.Name) -> Term:
    """The adjoint of a ZERO goes nowhere: a rule is not asked to fit it to the shape of nothing."""
    if not adjoints.shapes.lazy or term.elementwise or term.index is not None:
        return term
    x = adjoints.operand(operation.bound[term.target])
    value, fitting = term.value, [f"{adjoints.session.rt}.{name}" for name in FITTING]
    if isinstance(value, gast.Call) and syntax.dotted(value.func) in fitting:
        value = value.args[0]
    read = syntax.loads(value)
    if not isinstance(x, gast.Name) or not {x.id, bx.id} <= read:
        return term
    seed = adjoints.session.runtime("reached(bx, x)", bx=bx, x=x)
    return replace(term, value=syntax.substitute(term.value, {bx.id: seed}))
