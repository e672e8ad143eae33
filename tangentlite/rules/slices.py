"""Slices of a rule: what one mode needs for one set of active parameters.

In: the lines of a rule, the active parameters, the results that have an adjoint.
Out: a ``Part``.
Next: rule.
"""

from __future__ import annotations

import builtins
import math
from collections.abc import Iterable, Mapping, Sequence, Set

import gast

from tangentlite import runtime, syntax
from tangentlite.rules.calculus import NotLinearError, depends, total, transpose, vanish
from tangentlite.rules.model import Line, Part, Source, Term, is_slot, slot
from tangentlite.rules.reads import reads
from tangentlite.rules.scalars import scalar
from tangentlite.values import immutable


@immutable(eq=False)
class Slicer:
    """The lines of one rule in one mode, and how their trees are finished."""

    source: Source
    lines: tuple[Line, ...]
    elementwise: bool
    scalar: bool = False

    @property
    def replaced(self) -> tuple[Line, ...]:
        """The lines that compute the result instead of the primal call."""
        last = max((k for k, line in enumerate(self.lines) if line.role == "result"), default=-1)
        return tuple(line for line in self.lines[: last + 1] if line.role in ("local", "result"))

    def adjoint(self, active: Set[str], seeds: Set[str]) -> Part:
        """The contributions to the active parameters, if only ``seeds`` have an adjoint."""
        dead = {slot("b", r) for r in self.source.results if r not in seeds}
        shared, dead, live = self._locals("b", dead)
        terms: list[Term] = []
        own = {line.targets[0] for line in self.lines if line.role == "adjoint"}
        for line in self.lines:
            if line.role == "adjoint" and line.targets[0] in active:
                value = self._vanish(line, dead, live)
                if value is not None:
                    name = line.targets[0]
                    terms.append(Term(name, value, line.sign, line.index, self.elementwise))
            elif line.role == "tangent" and line.targets[0] in seeds and self.elementwise:
                terms.extend(self._transposed(line, active - own))
        return self._part(shared, terms)

    def tangent(self, active: Set[str], dead: Set[str] = frozenset()) -> Part:
        """The tangents of the results."""
        names = {p for line in self.lines for p in _slots(line.value, "d")}
        shared, dead, live = self._locals("d", {n for n in names if n[2:-1] not in active} | dead)
        sums: dict[str, list[tuple[int, gast.expr]]] = {}
        for line in self.lines:
            if line.role == "tangent":
                value = self._vanish(line, dead, live)
                if value is not None:
                    sums.setdefault(line.targets[0], []).append((line.sign, value))
        terms = [Term(r, total(s), elementwise=self.elementwise) for r, s in sums.items()]
        return self._part(shared, terms)

    def _transposed(self, line: Line, active: Set[str]) -> Iterable[Term]:
        (result,) = line.targets
        value = self._inlined(line.value)
        dead = {n for n in _slots(value, "d") if n[2:-1] not in active}
        try:
            left = vanish(value, dead)
            if left is None or not depends(left):
                return
            for name, sign, adjoint in transpose(left, syntax.name(slot("b", result))):
                yield Term(name, adjoint, sign * line.sign, None, True)
        except NotLinearError as problem:
            hint = "Write it with + - * / rt.times np.where, or give the adjoint's own lines."
            raise self.source.error(str(problem), line.node, hint) from None

    def _inlined(self, tree: gast.expr) -> gast.expr:
        """Locals that depend on tangents belong to the differential: put them in."""
        for line in reversed(self.lines):
            if line.role == "local" and len(line.targets) == 1 and self._linear(line):
                tree = syntax.substitute(tree, {line.targets[0]: line.value})
        return tree

    def _linear(self, line: Line) -> bool:
        linear: set[str] = set()
        for other in self.lines:
            if other.role == "local" and depends(other.value, linear):
                linear.update(other.targets)
        return bool(linear & set(line.targets))

    def _vanish(self, line: Line, dead: Set[str], live: Set[str]) -> gast.expr | None:
        try:
            return vanish(line.value, dead, live)
        except NotLinearError as problem:
            raise self.source.error(str(problem), line.node) from None

    def _locals(self, letter: str, dead: Set[str]) -> tuple[list[Line], set[str], set[str]]:
        """The locals that may be read in a mode, those that are zero, those that have slots."""
        found: list[Line] = []
        zero, live = set(dead), set[str]()
        kept = self.replaced
        for line in self.lines:
            if line.role != "local" or line in kept:
                continue
            if depends(line.value, live | zero):
                value = self._vanish(line, zero, live)
                if value is None:
                    zero.update(line.targets)
                    continue
                live.update(line.targets)
                line = Line("local", line.targets, value, line.node)
            found.append(line)
        return found, zero, live

    def _part(self, shared: Sequence[Line], terms: Sequence[Term]) -> Part:
        needed = {n for t in terms for n in _reads(t)}
        kept_lines: list[Line] = []
        for line in reversed(shared):
            if needed & set(line.targets):
                kept_lines.insert(0, line)
                needed |= syntax.loads(line.value)
        names = tuple(dict.fromkeys(n for line in kept_lines for n in line.targets))
        finish = scalar if self.scalar else _same
        statements = tuple(statement(line.targets, finish(line.value)) for line in kept_lines)
        finished = tuple(
            Term(t.target, finish(t.value), t.sign, t.index, t.elementwise) for t in terms
        )
        trees = [s.value for s in statements] + [e for t in finished for e in _trees(t)]
        return self._described(statements, finished, names, trees)

    def _described(
        self,
        shared: tuple[gast.stmt, ...],
        terms: tuple[Term, ...],
        names: tuple[str, ...],
        trees: Sequence[gast.expr],
    ) -> Part:
        values, shapes = reads(trees)
        replaced = tuple(dict.fromkeys(n for line in self.replaced for n in line.targets))
        kept = tuple(n for n in replaced if n in values | shapes and n not in self.source.results)
        bare = {n.split("[")[0] for n in values | shapes if not is_slot(n)}
        own = {p.name for p in self.source.params} | set(self.source.results)
        variables = own | set(kept)
        loose = bare - own - set(names) - set(kept)
        shown = [p.shown for p in self.source.params if p.shown is not None and p.name in bare]
        loose |= syntax.loads(shown)
        return Part(
            shared,
            terms,
            frozenset(n for n in values if n.split("[")[0] in variables),
            frozenset(n for n in shapes if n.split("[")[0] in variables),
            frozenset(),
            resolve(self.source, loose),
            names,
            kept,
            frozenset(n for n in values | shapes if is_slot(n)),
            {p.name: p.shown for p in self.source.params if p.shown is not None},
        )


def resolve(source: Source, names: Iterable[str]) -> Mapping[str, object]:
    """The objects that free names of a rule mean, builtins left out."""
    found: dict[str, object] = {}
    for name in sorted(names):
        if name == "rt" and name not in source.scope:
            found[name] = runtime
        elif name == "math" and name not in source.scope:
            found[name] = math
        elif name in source.scope and not hasattr(builtins, name):
            found[name] = source.scope[name]
        elif not hasattr(builtins, name):
            raise source.error(f"the name `{name}` is not bound")
    return found


def _same(tree: gast.expr) -> gast.expr:
    return tree


def _slots(tree: gast.expr, letter: str) -> list[str]:
    return sorted(n for n in syntax.loads(tree) if is_slot(n, letter))


def _trees(term: Term) -> list[gast.expr]:
    return [term.value] if term.index is None else [term.value, term.index]


def _reads(term: Term) -> set[str]:
    return {n for tree in _trees(term) for n in syntax.loads(tree)}


def statement(targets: tuple[str, ...], value: gast.expr) -> gast.stmt:
    """``a = value``, or ``a, b = value``."""
    if len(targets) == 1:
        return syntax.assign(targets[0], value)
    names: list[gast.expr] = [syntax.name(n) for n in targets]
    return syntax.assign(gast.Tuple(names, gast.Load()), value)
