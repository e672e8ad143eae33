"""Calls: of what has a rule, of methods, of the user's functions.

In: a call and the kinds before it.
Out: an operation and the kind of the result.
Next: classify.
"""

from __future__ import annotations

import os
from collections.abc import Hashable, Sequence
from typing import Any

import gast
import numpy as np

from tangentlite import rules, runtime, syntax
from tangentlite.analysis import likeness, results
from tangentlite.analysis.atoms import Environment
from tangentlite.analysis.calling import asking, callees
from tangentlite.analysis.calling.advice import AS_DEFINED, HANDED_OVER, SORT, TAKE_OUT
from tangentlite.analysis.calling.choices import is_loose
from tangentlite.analysis.calling.texts import PATH, of_dtype, paths, read, sources, text, written
from tangentlite.analysis.classes import yielded
from tangentlite.analysis.classes.construction import Construction, Found
from tangentlite.analysis.classes.members import answering, foreign
from tangentlite.analysis.classes.objects import Super, of_super
from tangentlite.analysis.joining import ENDLESS, element
from tangentlite.analysis.kinds import (
    CHANCE,
    DIFFERENT,
    MERGED,
    SCALAR,
    Dict,
    Inert,
    Kind,
    List,
    Nothing,
    Num,
    Object,
    Tuple,
    Unknown,
    Value,
    floating,
    forget,
)
from tangentlite.analysis.lists import containers, unordered
from tangentlite.analysis.operations import (
    Copy,
    NoFlow,
    Opaque,
    Operation,
    Pop,
    Primitive,
    UserCall,
)
from tangentlite.analysis.storage import origins
from tangentlite.analysis.storage.writes import DICT_METHODS, LIST_METHODS
from tangentlite.errors import DerivativeError, MissingRuleError, RuleError, UnsupportedSyntaxError
from tangentlite.persistent import PersistentArray
from tangentlite.values import replace

VERSIONS = frozenset({"version", "set", "insert", "delete", "append", "pop"})
LATE = "a function made here lives on, and a variable that it captures is bound again"
AT_ONCE = "Give it the value at once, as a default: `lambda v, k=k: …`."
# Methods of strings and files that give a number or a truth value.
COUNTING = frozenset("count find rfind index rindex tell startswith endswith isdigit".split())
COUNTING |= frozenset("isalpha isalnum isspace isupper islower isnumeric isidentifier".split())
SCALED = "Draw for fixed parameters, and scale what was drawn: `scale * rng.gamma(2.0, size=n)`."
TEXTS = ("re", "string", "textwrap", "fnmatch", "shlex")  # what they give are texts
MADE_HERE = (DIFFERENT, MERGED.why, ENDLESS)  # of objects that the function has made


class Calls(Construction):
    """The part of the classifier for calls."""

    def call(self, node: gast.Call, state: Environment, point: int) -> Found:
        """A call, with what it may write into."""
        operation, kind = self._called(node, state, point)
        values = [*node.args, *(k.value for k in node.keywords)]
        if not self.function.generated:  # where it would have been refused before
            operation = read(operation, kind, [self.kind(v, state) for v in values])
        return self._handed(operation, node, state), kind

    def _called(self, node: gast.Call, state: Environment, point: int) -> Found:
        keywords = {k.arg: k.value for k in node.keywords}
        if None in keywords or callees.starred(node):
            spread = [*callees.starred(node), *(k.value for k in node.keywords if k.arg is None)]
            told = any(isinstance(self.kind(e, state), Num) for e in spread)
            opaque = self._opaque(node, *callees.STARRED)  # a tuple or dict may come instead
            return replace(opaque, of_kinds=told), Unknown(callees.SPREAD)
        callee = self.value(node.func, state)
        if callee is rules.UNKNOWN:
            return self._method(node, keywords, state, point)
        if callee is super:
            self.supers = True
            return NoFlow(), of_super(self.function, node, lambda e: self.kind(e, state))
        made = self.made(callee, node, keywords, state, point)
        if made is not None:
            return made
        kinds = [self.kind(a, state) for a in (*node.args, *keywords.values())]
        if callee is min and (least := likeness.counted(min, kinds)) is not None:  # of two lengths
            return NoFlow(), results.literal(least)
        special = callees.special(callee, node.args, kinds, keywords)
        if special is not None:
            kind = special[1] if callee not in (list, dict) else origins.anew(special[1], point)
            return unordered.from_inputs(special[0], self.inputs), kind
        if isinstance(callee, Hashable) and callee in HANDED_OVER:
            return self._handed_over(callee, node, state)
        if callee is runtime.in_order and isinstance(self.kind(node.args[0], state), Num):
            if keywords.keys() & {"key", "reverse"}:
                opaque = self._opaque(node, "`sort` of an array takes no `key` or `reverse`", SORT)
                return replace(opaque, of_kinds=True), Unknown()
            callee = np.sort
        if callee is np.where and len(node.args) == 1 and not keywords:
            callee = np.nonzero
        if rules.find(callee) is not None:
            return self.primitive(callee, node.args, keywords, node, state, point)
        return self._user_call(callee, node, keywords, state, point)

    def _handed_over(self, callee: Any, node: gast.Call, state: Environment) -> Found:
        """What a manager hands over, and an exception: they may hold what was computed with."""
        given = [self.kind(a, state) for a in node.args]
        if not any(map(floating, given)):
            return NoFlow(), given[0] if given and written(given[0]) else Inert()
        reason, hint = HANDED_OVER[callee]
        return self._opaque(node, reason, hint), Unknown(reason)

    def _method(
        self, node: gast.Call, keywords: dict[str, gast.expr], state: Environment, point: int
    ) -> Found:
        match node.func:
            case gast.Attribute(value=gast.Constant(value=str() | bytes())):
                return self._inert_method(node, Inert("str"), state, point)
        if not isinstance(node.func, gast.Attribute) or not isinstance(node.func.value, gast.Name):
            return self._unnamed(node, state)
        base, name = node.func.value, node.func.attr
        kind = self.kind(base, state)
        match kind:
            case Num() if name == "keys":  # of a dict, when the arguments are known
                return NoFlow(), Inert()
            case Num():
                owner = PersistentArray if kind.persistent and name in VERSIONS else np.ndarray
                descriptor = getattr(owner, name, None)
                if rules.find(descriptor) is None:
                    reason, hint = callees.method(name)
                    opaque = self._opaque(node, reason, hint, MissingRuleError)
                    other = descriptor is None or name in LIST_METHODS | DICT_METHODS | VERSIONS
                    return replace(opaque, of_kinds=other), Unknown()
                return self.primitive(descriptor, [base, *node.args], keywords, node, state, point)
            case List() | Tuple() if name == "pop" and not node.args:
                item = element(kind) or Num()
                return Pop(base.id), item
            case List() | Tuple() | Dict() if name == "copy":
                return Copy(base.id, fresh=True), origins.anew(kind, point)
            case List() | Tuple() if name in ("index", "count"):
                return NoFlow(), Num(SCALAR, "int", 0, True)
            case Dict() if name == "keys":
                found, view = unordered.walked(kind)
                view = replace(view, loose=True) if isinstance(view, List) else view  # no list
                return unordered.from_inputs(found, self.inputs), view
            case Inert() | Nothing() | Value():
                return self._inert_method(node, kind, state, point)
        return self._no_method(node, base.id, name, kind, state)

    def _inert_method(self, node: gast.Call, kind: Kind, state: Environment, point: int) -> Found:
        """A method of what no derivative flows through."""
        name = node.func.attr
        given = [self.kind(a, state) for a in (*node.args, *(k.value for k in node.keywords))]
        if kind == CHANCE:
            return self._drawn(node), Num(frozenset({point}))
        if (known := asking.answered(kind, name, given)) is not None:
            return NoFlow(), results.literal(known)
        if name in COUNTING:
            return NoFlow(), Num(SCALAR, "int", 0, True)
        if unordered.is_set(kind) and name in unordered.JOINING:
            return NoFlow(), unordered.changed(kind, given)
        return NoFlow(), text([kind, *given])

    def _drawn(self, node: gast.Call) -> Operation:
        """Random numbers, drawn once; what they are drawn for must not be differentiated."""
        opaque = self._opaque(node, f"no rule for `{syntax.unparse(node.func)}`", SCALED)
        names = tuple(n for n in opaque.names if n not in syntax.loads(node.func))
        return replace(opaque, names=names, error=MissingRuleError) if names else NoFlow()

    def _no_method(
        self, node: gast.Call, base: str, name: str, kind: Kind, state: Environment
    ) -> Found:
        """The refusal of a method; of which nothing is known, that may change what it is given."""
        if isinstance(kind, Unknown):
            opaque = self._opaque(node, containers.cannot_tell(base, kind), containers.APART)
            changes = self._changeable(opaque.names, state) if kind.why in MADE_HERE else ()
            return replace(opaque, of_kinds=True, changes=changes), kind
        opaque = self._opaque(node, *callees.method_of(base, name, kind))
        guessed = isinstance(kind, List) and kind.made is None and hasattr(np.ndarray, name)
        return replace(opaque, of_kinds=guessed or isinstance(kind, Super)), Unknown()

    def _unnamed(self, node: gast.Call, state: Environment) -> Found:
        kind = self.kind(node.func, state) if isinstance(node.func, gast.Name) else Unknown()
        why = f": {kind.why}" if isinstance(kind, Unknown) and kind.why else ""
        reason = f"cannot tell which function `{syntax.unparse(node.func)}` is{why}"
        hint = "Call a function by the name it has in its module, or choose one with `if`."
        known = isinstance(kind, Num) or kind in (MERGED, Inert("type"))
        opaque = self._opaque(node, reason, hint)
        changes = self._changeable(opaque.names, state)
        return replace(opaque, of_kinds=known, changes=changes), Unknown()

    def primitive(
        self,
        primal: Any,
        args: Sequence[gast.expr],
        keywords: dict[str, gast.expr],
        node: gast.expr | None,
        state: Environment,
        point: int,
    ) -> Found:
        rule = rules.find(primal)
        if rule is None:
            shown = f"no rule for `{rules.spelled(primal)}`"
            hint = callees.hint(primal, rules.spelled(primal))
            return self._opaque(node, shown, hint, MissingRuleError), Unknown()
        if rule.algebra == "inactive":
            known = [self.kind(a, state) for a in args]
            if (owner := answering(primal, known)) is not None:
                return self._of_object(primal, owner, node)
            dtype = self._dtype(primal, args, keywords, state)
            return NoFlow(), origins.unplaced(results.inactive(primal, known, point, dtype))
        try:
            bound = rule.bind(args, keywords)
        except RuleError as fault:
            told = fault.message, fault.hint
            reason, hint = callees.effect(primal, "") if callees.of_runtime(primal) else told
            opaque = Opaque(tuple(syntax.loads(list(args))), reason, hint, MissingRuleError)
            return replace(opaque, of_kinds=callees.of_runtime(primal)), Unknown()
        if of_dtype(self._meant(bound["dtype"], state) if "dtype" in bound else None):
            return NoFlow(), text([self.kind(v, state) for v in bound.values()])
        rule = rule.sized(bound)
        kinds = {parameter: self.kind(value, state) for parameter, value in bound.items()}
        owner = next((k.owner for k in kinds.values() if isinstance(k, Object)), None)
        if owner is not None and not callees.of_runtime(primal):
            return self._of_object(primal, owner, node)
        made = origins.unplaced(results.primitive(rule, primal, bound, kinds, point))
        if "dtype" in bound and isinstance(made, Num):
            made = likeness.whole(made, self._meant(bound["dtype"], state))
        return Primitive(rule, bound, kinds), made

    def _of_object(self, primal: Any, owner: type, node: gast.expr | None) -> Found:
        name = rules.spelled(primal)
        reason = f"`{name}` of `{owner.__name__}` objects is not differentiated yet"
        return self._opaque(node, reason, TAKE_OUT), Unknown(reason)

    def _dtype(
        self,
        primal: Any,
        args: Sequence[gast.expr],
        keywords: dict[str, gast.expr],
        state: Environment,
    ) -> Any:
        """The meaning of ``dtype=``; None if it is not given."""
        node = keywords.get("dtype")
        if node is None and primal in results.TYPED and len(args) > 1:
            node = args[1]
        return None if node is None else self._meant(node, state)

    def _meant(self, node: gast.expr, state: Environment) -> Any:
        """What an expression means, if that is known."""
        if isinstance(node, gast.Constant):
            return node.value
        kind = self.kind(node, state) if syntax.is_atom(node) else Unknown()
        return kind.value if isinstance(kind, Value) else self.value(node, state)

    def _user_call(
        self,
        callee: Any,
        node: gast.Call,
        keywords: dict[str, gast.expr],
        state: Environment,
        point: int,
    ) -> Found:
        bound = callees.bind(callee, node.args, keywords)
        given = [self.kind(a, state) for a in [*node.args, *keywords.values()]]
        if isinstance(bound, str):
            return self._unbound(callee, bound, node, given, point)
        kinds, places = origins.given(self._kinds(callee, bound, state))
        try:
            known = self.summary(callee, kinds)
        except DerivativeError as fault:
            if any(map(floating, given)):
                raise yielded.taken(fault, callee, self.rewrites.function, node) from None
            return NoFlow(), Unknown(
                f"it came from `{callee.__name__}`, which is not differentiated"
            )
        if not self.generated and any(map(is_loose, [known.kind, *(k for _, k in known.left)])):
            raise UnsupportedSyntaxError(LATE, self.rewrites.function.origin.place(node), AT_ONCE)
        filled = tuple(origins.handed_out(kind, places, point) for kind in known.fills)
        call = UserCall(callee, bound, kinds, places, filled, *known.effects)
        return call, self._returned(known.kind, call, state, point)

    def _unbound(
        self, callee: Any, reason: str, node: gast.Call, given: list[Kind], point: int
    ) -> Found:
        """A call of what is no function with a source, or not with these arguments."""
        if callee is runtime.mutate:  # of lists and dicts that hold what is active
            reason, hint = callees.effect(callee, "")
            return Opaque((), reason, hint, MissingRuleError, True, refused=True), Unknown()
        result = foreign(callee) or Num(frozenset({point}))
        plain = not any(map(floating, given)) and callable(callee)
        if plain or any(callee is f for f in paths()):
            made = [kind for source, kind in sources() if callee is source]
            made += [PATH] if isinstance(getattr(callee, "__self__", None), os.PathLike) else []
            made += [text(given)] if getattr(callee, "__module__", "") in TEXTS else []
            return NoFlow(), next(iter(made), result)
        names = tuple(sorted(n for n in syntax.loads(node) if n in self.locals))
        hint = callees.hint(callee, syntax.unparse(node.func))
        hint = AS_DEFINED if callees.WRONGLY in reason else hint
        other = callee is dict and not any(k.array for k in given if isinstance(k, Num))
        other = other or callees.of_runtime(callee)
        return Opaque(names, reason, hint, MissingRuleError, other), result

    def kinds(
        self, callee: Any, bound: dict[str, gast.expr], state: Environment
    ) -> tuple[Kind, ...]:
        """The kinds with which a function is called, as it sees them."""
        return origins.given(self._kinds(callee, bound, state))[0]

    def _kinds(
        self, callee: Any, bound: dict[str, gast.expr], state: Environment
    ) -> tuple[Kind, ...]:
        return asking.seen(callee, {p: self.kind(value, state) for p, value in bound.items()})

    def _returned(self, kind: Kind, call: UserCall, state: Environment, point: int) -> Kind:
        """The kind of a result whose shape may be told by those of arguments."""
        if not isinstance(kind, Num) or not kind.shape:
            return results.named(origins.handed_out(kind, call.places, point), point)
        shapes = []
        for parameter in kind.shape:
            given = call.bound.get(str(parameter))
            found = self.kind(given, state) if given is not None else Unknown()
            shapes.append(found.shape if isinstance(found, Num) else None)
        if None in shapes:
            return results.named(forget(kind), point)
        return replace(kind, shape=frozenset().union(*(s for s in shapes if s is not None)))
