"""Lists and dicts with shadows: what is stored in them, and what changes them.

In: a statement that changes a shadowed list or dict.
Out: forward, the same done to it and to its shadow; backward, what puts both back.
Next: contributions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

import gast

from tangentlite import syntax
from tangentlite.analysis.kinds import Dict, Inert, Num, Object, is_open
from tangentlite.analysis.lists.containers import APART
from tangentlite.analysis.operations import Accumulate, Mutate, Opaque, Store
from tangentlite.analysis.versions import Scope, Version
from tangentlite.differentiate.adjoints import Adjoints, Body
from tangentlite.differentiate.shadows import changes
from tangentlite.differentiate.shapes import ANY

Halves = tuple[Body, Body]


class Structures:
    """Writes one change of a shadowed list or dict: ``xs`` and ``bxs`` are named so in the quoted texts."""

    def __init__(self, adjoints: Adjoints, scope: Scope, position: int) -> None:
        self.adjoints, self.session = adjoints, adjoints.session
        self.scope, self.position = scope, position
        self.forward: Body = []
        self.given: Body = []

    # What the texts name --------------------------------------------------------------------

    def kept(self, wish: str) -> tuple[gast.Name, gast.Name]:
        """A name that the forward sweep binds, and how backward code reads it."""
        version = self.session.facts.versions.new(
            self.session.names.fresh(wish), self.scope, self.position
        )
        return syntax.name(version.name), self.adjoints.shapes.read(version, None)

    def now(self, text: str, xs: str, **holes: gast.expr) -> None:
        """Forward statements."""
        self.forward += syntax.quote(text, xs=syntax.name(xs), bxs=self.shadow_now(xs), **holes)

    def back(self, text: str, xs: str, **holes: gast.expr) -> Body:
        """Backward statements."""
        now, shadow = self.adjoints.operand(syntax.name(xs)), self.adjoints.shadow_of(xs)
        return syntax.quote(text, xs=now, bxs=shadow, **holes)

    def shadow_now(self, name: str) -> gast.expr:
        """The shadow of a name, as forward code reads it."""
        return syntax.name(self.adjoints.shadow_of(name).id.partition("@")[0])

    def held(self, value: gast.expr) -> gast.expr:
        """The shadow of what the container will hold: one of its own if the value has none."""
        match value:
            case gast.Name(id=name) if name in self.adjoints.shadowed:
                return self.shadow_now(name)
            case gast.Name(id=name) if name in self.adjoints.before:
                shadow, back = self.kept("b" + name)
                fresh = self.session.runtime("shadow(x)", x=value)
                self.forward.append(syntax.assign(shadow, fresh))
                drained = self.session.runtime("drained(bx)", bx=back)
                self.given += self.adjoints.give(name, drained, ANY)
                return shadow
        return self.session.runtime("shadow(x)", x=value)

    # Stores ---------------------------------------------------------------------------------

    def store(self, operation: Store) -> Halves:
        """``xs[i] = v``."""
        xs, index, value = operation.container, operation.index, operation.value
        kind, held = self.adjoints.kind(xs), self.held(value)
        both = {"i": index, "v": value, "bv": held}
        if self._many(index):
            plain = isinstance(self.adjoints.kind_of(value), changes.LISTS)
            text = "xs[i] = v\nbxs[i] = bv" if plain else "xs[i] = list(v)\nbxs[i] = list(bv)"
            undone = self._copied(xs)
            self.now(text, xs, **both, list=syntax.name(self.session.alias("list", list)))
            return self.forward, [*undone, *self.given]
        old, old_back = self.kept(f"{xs}_old")
        shadow, shadow_back = self.kept(f"b{xs}_old")
        back = {"i": self.adjoints.operand(index), "old": old_back, "bold": shadow_back}
        if not isinstance(kind, Dict) or _has(kind, index):
            self.now("old = xs[i]\nbold = bxs[i]", xs, i=index, old=old, bold=shadow)
            undone = self.back("xs[i] = old\nbxs[i] = bold", xs, **back)
        elif _lacks(kind, index):
            undone = self.back("del xs[i]\ndel bxs[i]", xs, i=back["i"])
        else:
            new, new_back = self.kept("new")
            text = "new = i not in xs\nold = None if new else xs[i]\nbold = None if new else bxs[i]"
            self.now(text, xs, i=index, old=old, bold=shadow, new=new)
            text = (
                "if new:\n    del xs[i]\n    del bxs[i]\nelse:\n    xs[i] = old\n    bxs[i] = bold"
            )
            undone = self.back(text, xs, **back, new=new_back)
        self.now("xs[i] = v\nbxs[i] = bv", xs, **both)
        return self.forward, [*undone, *self.given]

    def _many(self, index: gast.expr) -> bool:
        """Whether an index is a slice."""
        if isinstance(index, gast.Name):
            kind = self.adjoints.kind(index.id)
            return isinstance(kind, Inert) and kind.type == "slice"
        return isinstance(index, gast.Slice)

    def _copied(self, xs: str) -> Body:
        """Keep copies of a list or dict and of its shadow; the statements that put both back."""
        old, old_back = self.kept(f"{xs}_old")
        shadow, shadow_back = self.kept(f"b{xs}_old")
        self.now("old = xs.copy()\nbold = bxs.copy()", xs, old=old, bold=shadow)
        text = "xs[:] = old\nbxs[:] = bold"
        if isinstance(self.adjoints.kind(xs), Dict):
            text = "xs.clear()\nbxs.clear()\nxs.update(old)\nbxs.update(bold)"
        return self.back(text, xs, old=old_back, bold=shadow_back)

    # Sums -----------------------------------------------------------------------------------

    def sum(self, operation: Accumulate) -> Halves:
        """``xs[i] += v``."""
        xs, value, index = operation.buffer, operation.value, operation.index
        item = self.adjoints.item(xs, index)
        plus = "+" if operation.sign > 0 else "-"
        gained = self.session.names.numbered("t")
        self.adjoints.shapes.known[gained] = ANY
        i, t = self.adjoints.operand(index), syntax.name(gained)
        if isinstance(item, Num) and item.array:
            old, old_back = self.kept(f"{xs}_old")
            self.now(f"old = xs[i].copy()\nxs[i] {plus}= v", xs, i=index, v=value, old=old)
            text = "xs[i][...] = old\nt = bxs[i].copy()"
            body = self.back(text, xs, i=i, old=old_back, t=t)
        elif operation.anything:
            self._refuse_sum(xs)
        else:
            body = self._sum_of_numbers(xs, index, value, plus, t)
        if isinstance(value, gast.Name):
            body += self.adjoints.give(value.id, t, ANY, operation.sign)
        return self.forward, body

    def _refuse_sum(self, xs: str) -> NoReturn:
        reason = f"cannot tell whether an element of `{xs}` is an array or a number"
        assert self.adjoints.statement is not None
        self.session.refuse(self.adjoints.statement, Opaque((xs,), reason, APART))

    def _sum_of_numbers(
        self, xs: str, index: gast.expr, value: gast.expr, plus: str, t: gast.Name
    ) -> Body:
        old, old_back = self.kept(f"{xs}_old")
        shadow, shadow_back = self.kept(f"b{xs}_old")
        rt = syntax.name(self.session.rt)
        text = f"old = xs[i]\nbold = bxs[i]\nxs[i] = old {plus} v\nbxs[i] = rt.shadow(old)"
        self.now(text, xs, i=index, v=value, old=old, bold=shadow, rt=rt)
        text = "t = rt.drained(bxs[i])\nxs[i] = old\nbxs[i] = bold\nrt.add_at(bold, ..., t)"
        back = {"old": old_back, "bold": shadow_back, "rt": rt, "t": t}
        return self.back(text, xs, i=self.adjoints.operand(index), **back)

    # Methods --------------------------------------------------------------------------------

    def mutate(self, operation: Mutate, result: Version | None) -> Halves:
        """``y = xs.method(…)``."""
        xs, method = operation.container, operation.method
        plain = not operation.args and not isinstance(self.adjoints.kind(xs), Dict)
        if method == "pop" and plain:
            y, y_back, by, by_back, ended = self.result(result)
            self.now("y = xs.pop()\nby = bxs.pop()", xs, y=y, by=by)
            undone = self.back("xs.append(y)\nbxs.append(by)", xs, y=y_back(), by=by_back())
            return self.forward, [*ended, *undone]
        undone = self.back("xs.pop()\nbxs.pop()", xs) if method == "append" else self._copied(xs)
        holes, ended = self._holes(operation), list[gast.stmt]()
        if method in changes.RESULTS:
            holes["y"], _, holes["by"], _, ended = self.result(result)
        text = changes.both(operation, self.adjoints.kind_of)
        if text is None:
            text = f"y, by = rt.mutate(xs, bxs, {method!r}, args, shadows, named)"
            holes = self._asked(operation, holes)
        self.now(text, xs, **holes)
        if result is not None and method not in changes.RESULTS:
            self.forward.append(syntax.assign(result.name, syntax.constant(None)))
        return self.forward, [*ended, *undone, *self.given]

    def _holes(self, operation: Mutate) -> dict[str, gast.expr]:
        """The arguments, and the shadows of what ``xs`` will hold."""
        i = syntax.name(self.session.names.numbered("t"))
        return {**changes.holes(operation, self.held), "i": i}

    def _asked(self, operation: Mutate, holes: dict[str, gast.expr]) -> dict[str, gast.expr]:
        """What the runtime needs to look at the arguments itself."""
        shadows: list[gast.expr] = [holes[f"bv{k}"] for k in range(len(operation.args))]
        unused = {"y": self.session.names.numbered("t"), "by": self.session.names.numbered("t")}
        return {
            **{key: syntax.name(name) for key, name in unused.items()},
            **holes,
            "rt": syntax.name(self.session.rt),
            "args": gast.Tuple(list(operation.args), gast.Load()),
            "shadows": gast.Tuple(shadows, gast.Load()),
            "named": self.named(operation),
        }

    def named(self, operation: Mutate) -> gast.expr:
        """Keyword arguments with their shadows."""
        keys: list[gast.expr] = [syntax.constant(k) for k in operation.named]
        args = gast.Dict(keys, list(operation.named.values()))
        shadows = gast.Dict(list(keys), [self.held(v) for v in operation.named.values()])
        return gast.Tuple([args, shadows], gast.Load())

    def result(
        self, version: Version | None
    ) -> tuple[gast.Name, Callable[[], gast.Name], gast.Name, Callable[[], gast.Name], Body]:
        """The result and its shadow, each with how backward code reads it; what its adjoint gives backward."""
        name = version.name if version is not None else self.session.names.fresh("item")
        if version is None:
            version = self.session.facts.versions.new(name, self.scope, self.position)
        y, read = syntax.name(name), self.adjoints.shapes.read
        made = version
        if name in self.adjoints.shadowed:
            by = syntax.name(self.adjoints.shadow(version).id.partition("@")[0])
            return y, lambda: read(made, None), by, lambda: self.adjoints.shadow(made), []
        kept = self.session.facts.versions.new(
            self.session.names.fresh("b" + name), self.scope, self.position
        )
        ended: Body = []
        if name in self.adjoints.bound:
            self.adjoints.bound.pop(name)
            given = syntax.name(self.adjoints.adjoint(name))
            kind = self.session.facts.kind_after(made.statement, name) if made.statement else None
            ended = self.adjoints.pour(read(kept, None), given, kind)
        return y, lambda: read(made, None), syntax.name(kept.name), lambda: read(kept, None), ended


def _lacks(kind: Dict, index: gast.expr) -> bool:
    """Whether a dict does not have a key for certain."""
    known = bool(kind.keys) and not is_open(kind.keys) and not kind.optional
    loose = isinstance(kind, Object) and kind.loose
    return known and isinstance(index, gast.Constant) and index.value not in kind.keys and not loose


def _has(kind: Dict, index: gast.expr) -> bool:
    """Whether a dict has a key for certain."""
    loose = isinstance(kind, Object) and kind.loose
    return isinstance(index, gast.Constant) and index.value in kind.keys and not loose
