"""Inserted code, spliced into the backward sweep where the adjoints that it names are complete.

In: an insertion, and the adjoints that are bound at that point.
Out: statements that give the adjoints the names of the user, the body, and statements that take them back.
Next: statements.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import gast

from tangentlite import syntax
from tangentlite.analysis.kinds import CONTAINERS, FLOAT, Kind, Num, Unknown
from tangentlite.analysis.lists import containers
from tangentlite.analysis.operations import Inserted, Pop, Push, UserCall, altered
from tangentlite.analysis.versions import Scope
from tangentlite.differentiate.adjoints import Adjoints, Body
from tangentlite.differentiate.publishing import effects, holds_objects, published
from tangentlite.differentiate.session import Session
from tangentlite.differentiate.shapes import shape_of_kind
from tangentlite.errors import AliasError, DerivativeError, UnsupportedSyntaxError
from tangentlite.frontend.inserted import Insertion

TANGENTS = "inserted code belongs to the backward sweep, and forward mode has none"
REVERSE = (
    "Use reverse mode (`tl.grad`, `tl.vjp`, `tl.jacrev`), or `tl.primal(f)`, which has no blocks."
)
NESTS = "`insert_grad_of` takes numbers and arrays, no lists, tuples, dicts or objects"
NAME_PARTS = "Name its parts: `with tl.insert_grad_of(xs[0], xs[1]) as (d0, d1):`."
NO_NUMBER = "`{}` holds no floating-point number, and has no adjoint"
WRITES = "inserted code writes into `{}`, an array of the function"
COPY_IT = "Write into a copy, or into the adjoint."
BOTH = "`{}` is changed by inserted code, and by the function itself, which works with a copy"
COPIED = "`{}` is changed by inserted code where the derivative works with a copy of it"
ELSEWHERE = "Keep it in a list, a dict or an object from outside of the function: a global or a captured one."
NOWHERE = "`break` in inserted code outside of a loop has nothing to leave"
DEEP = "`break` in inserted code leaves a loop inside of another one, which is not supported"
STORING = "`break` in inserted code leaves a loop that writes into arrays or lists, which is not supported"
CUT = "Cut the adjoint instead: `dh = dh * 0.0`."


def in_tangents(operation: Inserted) -> DerivativeError:
    """The refusal of forward mode."""
    return UnsupportedSyntaxError(TANGENTS, operation.insertion.place, REVERSE)


def spliced(
    adjoints: Adjoints,
    statement: gast.stmt,
    operation: Inserted,
    scope: Scope,
    before: Callable[[gast.stmt], frozenset[str]],
) -> Body:
    """The body between ``dx = bx`` and ``bx = dx``, as far as these are needed.

    ``before``: the names whose adjoints are bound behind the backward sweep of a loop.
    """
    return _Splice(adjoints, statement, operation, scope, before).body()


def watched(session: Session, group: Body) -> Body:
    """Statements whose effects on copies of the user's objects are to be seen in these."""
    if session.request.motion == "split" or not published(session):
        return group
    kept = effects(session)
    (seen,) = session.link(("seen",), ("seen",), tuple)
    before = syntax.assign(seen, session.runtime("watched(kept)", kept=kept))
    after = session.runtime("keep(kept, seen)", kept=kept, seen=seen)
    return [before, *group, gast.Expr(after)]


def check_copies(session: Session, kept: Iterable[str]) -> None:
    """Refuse inserted code that changes what a record copies: what it keeps, and what is in the records of helpers."""
    if not (found := set(kept)):
        return
    for statement, operation in session.facts.kinds.operations.items():
        names = altered(operation)
        names = names & found if isinstance(operation, Inserted) else names
        if names:
            place = session.function.origin.place(statement)
            raise AliasError(COPIED.format(min(names)), place, ELSEWHERE)


class _Splice:
    """One insertion at one point of a sweep; ``named`` says what names of the body stand for."""

    def __init__(
        self,
        adjoints: Adjoints,
        statement: gast.stmt,
        operation: Inserted,
        scope: Scope,
        before: Callable[[gast.stmt], frozenset[str]],
    ) -> None:
        self.adjoints, self.session, self.before = adjoints, adjoints.session, before
        self.statement, self.operation, self.scope = statement, operation, scope
        self.insertion: Insertion = operation.insertion
        self.named: dict[str, str] = {}
        self.opening: Body = []
        self.closing: Body = []

    def body(self) -> Body:
        """The statements."""
        arguments = self.statement.value.args
        count = len(self.insertion.targets)
        for target, name in zip(self.insertion.targets, self.operation.names):
            self._target(target, name)
        lines = self._given(arguments[count:])
        self._rename()
        lines += [syntax.substitute(s, self.named) for s in self.insertion.body]
        if self.insertion.breaks:
            lines = self._breaking(lines)
        opening, seen = self._seen() if self.insertion.stops else (self.opening, [])
        placed = syntax.at(syntax.inserted([*seen, *lines]), self.statement)
        return [*opening, placed, *self.closing]

    def _seen(self) -> tuple[Body, Body]:
        """What comes before the body, and what binds the adjoints' names in it, for those who look at them."""
        own = {self.named[t] for t in self.insertion.targets if t is not None}
        seen = [s for s in self.opening if syntax.stores(s) & own]
        return [s for s in self.opening if s not in seen], seen

    # Adjoints -------------------------------------------------------------------------------

    def _target(self, target: str | None, name: str) -> None:
        kind, used = self.adjoints.kind(name), self.insertion
        self._check(name, kind)
        shadowed = name in self.adjoints.shadowed
        if target is None:
            if not shadowed:
                self._value(name, self.adjoints.adjoint(name), kind, None)
            return
        apart = shadowed or used.stops or used.changes(target) or used.hands_out(target)
        held = self._own_name(target) if apart else self.adjoints.adjoint(name)
        self.named[target] = held
        written = target if used.rebinds(target) or used.changes(target) else None
        if shadowed:
            self._shadow(name, held, written)
        else:
            self._value(name, held, kind, written)

    def _shadow(self, name: str, held: str, written: str | None) -> None:
        """The adjoint of storage: others see it, so the body works on a copy, which is put back."""
        bx, x = self.adjoints.shadow_of(name), self.adjoints.operand(syntax.name(name))
        self._open(held, "complete(bx, x, own=True)", bx, x)
        if written:
            value = self.session.runtime("replaced(dx, x)", dx=syntax.name(held), x=x)
            self.closing += syntax.quote("bx[...] = e", bx=bx, e=value)

    def _value(self, name: str, held: str, kind: Kind | None, written: str | None) -> None:
        adjoints, bx = self.adjoints, self.adjoints.adjoint(name)
        x = adjoints.operand(syntax.name(name))
        there = name in adjoints.bound
        plain = kind == FLOAT and self.session.request.seed != "given" and not adjoints.shapes.lazy
        value: gast.expr = syntax.name(bx) if there else self.session.runtime("ZERO")
        if plain:
            value = value if there else syntax.constant(0.0)
            self.opening += [
                syntax.assign(n, value) for n in dict.fromkeys((bx, held)) if n != bx or not there
            ]
        elif held == bx or not written:
            self._open(bx, "complete(bx, x)", value, x)
            if held != bx:
                self._open(held, "complete(bx, x, own=True)", syntax.name(bx), x)
        else:
            self._open(held, "complete(bx, x, own=True)", value, x)
        if name not in adjoints.before:
            adjoints.bound.pop(name, None)
            return
        if written:
            own = adjoints.is_buffer(name, kind) or not self.insertion.is_fresh(written)
            self._take_back(bx, held, x, plain and self.insertion.is_number(written), own)
        adjoints.bound[name] = shape_of_kind(kind)
        adjoints.owned.discard(name)

    def _take_back(self, bx: str, held: str, x: gast.expr, number: bool, own: bool) -> None:
        """The adjoint as the body leaves it; ``own``: nobody else may hold it."""
        if number:
            self.closing += [syntax.assign(bx, syntax.name(held))] if held != bx else []
            return
        text = "replaced(dx, x, own=True)" if own else "replaced(dx, x)"
        value = self.session.runtime(text, dx=syntax.name(held), x=x)
        self.closing.append(syntax.assign(bx, value))

    def _open(self, target: str, text: str, bx: gast.expr, x: gast.expr) -> None:
        value = self.session.runtime(text, bx=bx, x=x)
        self.opening.append(syntax.assign(target, value))

    def _check(self, name: str, kind: Kind | None) -> None:
        if isinstance(kind, CONTAINERS):
            raise self._refusal(NESTS, NAME_PARTS)
        if isinstance(kind, Unknown):
            raise self._refusal(containers.cannot_tell(name, kind), containers.APART)
        if not isinstance(kind, Num) or kind.exact in ("int", "bool"):
            raise self._refusal(NO_NUMBER.format(name), "Name the value that it is computed from.")

    # Names ----------------------------------------------------------------------------------

    def _own_name(self, wish: str) -> str:
        """The name that the user gave it, unless the function has another use for it."""
        return self.session.names.fresh(wish) if wish in self.session.own else wish

    def _given(self, arguments: list[gast.expr]) -> Body:
        """What the body reads of the function; a value that has no name there is given one."""
        lines: Body = []
        for name, argument in zip(self.insertion.reads or (), arguments):
            if self.insertion.alters(name):
                self._altered(name, argument)
            value = self.adjoints.operand(argument)
            if isinstance(value, gast.Name):
                self.named[name] = value.id
            else:
                self.named[name] = self.session.names.fresh(name)
                lines.append(syntax.assign(self.named[name], value))
        return lines

    def _altered(self, name: str, argument: gast.expr) -> None:
        """What the body may change is the user's own, or will be made so."""
        kind = self.adjoints.kind_of(argument)
        if isinstance(kind, Num) and not kind.scalar:
            if self.insertion.changes(name):
                raise self._refusal(WRITES.format(name), COPY_IT)
        elif isinstance(kind, CONTAINERS) and isinstance(argument, gast.Name):
            written = self.session.facts.aliases.is_written(argument.id)
            if written and not holds_objects(kind):
                raise self._refusal(BOTH.format(name), ELSEWHERE)

    def _rename(self) -> None:
        """What the body binds is its own; what it takes from outside is what it means where it was written."""
        for name in sorted(self.insertion.bound):
            if (own := self._own_name(name)) != name:
                self.named[name] = own
        space, here = self.insertion.namespace, self.session.function.namespace
        for name in sorted(n for n in self.insertion.free if space.binds(n)):
            hidden = name in self.session.own
            if not hidden and here.binds(name) and here.lookup(name) is space.lookup(name):
                continue
            if (other := self.session.alias(name, space.lookup(name))) != name:
                self.named[name] = other

    # Leaving the loop -----------------------------------------------------------------------

    def _breaking(self, lines: Body) -> Body:
        """What has to be in order behind the loop is put in order before it is left."""
        last = [*self.closing, *self._cut()]
        return _broken(lines, last)

    def _cut(self) -> Body:
        """Earlier trips give nothing: the adjoints of what they bind are zero."""
        loop = self._loop()
        bound = syntax.stores(loop.body)
        found: Body = []
        wanted = self.before(loop)
        for name in sorted(wanted - self.adjoints.shadowed):
            kind, bx = self.adjoints.kind(name), self.adjoints.adjoint(name)
            if name in bound:
                if self.adjoints.is_buffer(name, kind):
                    raise self._refusal(STORING, CUT)
                zero = syntax.constant(0.0) if kind == FLOAT else self.session.runtime("ZERO")
                found.append(syntax.assign(bx, zero))
            elif name not in self.adjoints.bound:
                raise self._refusal(STORING, CUT)
            elif self.adjoints.bound[name] != shape_of_kind(kind):
                x = self.adjoints.operand(syntax.name(name))
                whole = self.session.runtime("complete(bx, x)", bx=syntax.name(bx), x=x)
                found.append(syntax.assign(bx, whole))
        return found

    def _loop(self) -> gast.For | gast.While:
        """The loop that a break leaves, if it can be left."""
        scope: Scope | None = self.scope
        while scope is not None and scope.kind != "loop":
            scope = scope.parent
        if scope is None or scope.parent is None:
            raise self._refusal(NOWHERE, "Leave it away.")
        if scope.parent.repeats:
            raise self._refusal(DEEP, CUT)
        loop = scope.parent.block[scope.position]
        for inner in syntax.statements(loop.body):
            operation = self.session.facts.operation(inner)
            lends = isinstance(operation, UserCall) and bool(operation.writes | operation.gathers)
            if lends or isinstance(operation, Push | Pop) or self.session.facts.writes(inner):
                raise self._refusal(STORING, CUT)
        return loop

    def _refusal(self, reason: str, hint: str) -> DerivativeError:
        place = self.session.function.origin.place(self.statement)
        return UnsupportedSyntaxError(reason, place or self.insertion.place, hint)


def _broken(body: Body, last: Body) -> Body:
    """The statements with others before each break that leaves the loop around them."""
    result: Body = []
    for statement in body:
        if isinstance(statement, gast.Break):
            result += [*map(syntax.copy, last), statement]
            continue
        loop = isinstance(statement, gast.For | gast.While)
        for field in syntax.BLOCKS[loop:]:
            if getattr(statement, field, None) and not isinstance(statement, gast.FunctionDef):
                setattr(statement, field, _broken(getattr(statement, field), last))
        for handler in getattr(statement, "handlers", []):
            handler.body = _broken(handler.body, last)
        result.append(statement)
    return result
