"""Lists: arrays that a loop reads and writes number by number are lists there.

In: the statements of a function in plain numbers, ``Sorts``, ``Scope``, ``Effects``.
Out: the same with ``y_list = y.tolist()`` before such a loop, and ``y[:] = y_list`` where the array is asked for again.
Next: emit.
"""

from __future__ import annotations

import gast

from tangentlite import syntax
from tangentlite.optimize.facts.scope import Scope
from tangentlite.optimize.numbers.places import Uses
from tangentlite.optimize.numbers.quiet import Effects
from tangentlite.optimize.numbers.sizes import Sizes
from tangentlite.optimize.numbers.sorts import Body, Sorts
from tangentlite.optimize.replace import exchanged, inside

OFTEN = 8  # to read a number of an array takes as long as to put so many into a list
LOOPS = (gast.For, gast.While)


def listed(body: Body, sorts: Sorts, scope: Scope, effects: Effects) -> Body:
    """Read and write lists in loops.

    >>> from tangentlite.optimize.samples import USER, function, sample_is_pure, text_of
    >>> text = '''
    ... n = len(x)
    ... y = np.zeros(n)
    ... y[0] = x[0]
    ... for i in range(1, n):
    ...     y[i] = y[i - 1] * c + x[i]
    ... z = np.sum(y * y)
    ... for i in range(n):
    ...     z = z + y[i] * x[i]
    ... '''
    >>> f = function(text)
    >>> scope = Scope(f, USER, sample_is_pure)
    >>> sorts = Sorts(f.body, {"x": 1, "c": "float"}, scope.purity)
    >>> print(text_of(listed(f.body, sorts, scope, Effects(f, scope, sorts, {}, False))))
    n = len(x)
    y = np.zeros(n)
    y[0] = x[0]
    x_list = x.tolist()
    y_list = y.tolist()
    for i in range(1, n):
        y_list[i] = y_list[i - 1] * c + x_list[i]
    y[:] = y_list
    z = np.sum(y * y)
    for i in range(n):
        z = z + y_list[i] * x_list[i]
    """
    return _Lists(body, sorts, scope, effects).block(body)


ENDS = (gast.Break, gast.Continue)


class _Lists:
    def __init__(self, body: Body, sorts: Sorts, scope: Scope, effects: Effects) -> None:
        self._body, self._sorts, self._scope, self._effects = body, sorts, scope, effects
        self._used = syntax.loads(body) | scope.user | scope.local
        self._names: dict[str, str] = {}
        self._lists: set[str] = set()
        self._ends: dict[str, gast.expr] = {}  # how far loops count, if arrays may be longer
        self._true: set[str] = set()  # arrays whose lists say what they hold, or more
        self._behind: set[str] = set()  # arrays of which only the list is up to date
        self._sizes = Sizes(sorts)

    def block(self, body: Body) -> Body:
        """The statements of a block: lists are made before the loops they are for, and are none after its end."""
        outer = self._true, self._behind
        self._true, self._behind = set(), set()
        made: Body = []
        for statement in body:
            made += self._statement(statement)
        last = [made.pop()] if made and isinstance(made[-1], ENDS) else []
        behind = sorted(self._behind) if not isinstance(body[-1], gast.Return | gast.Raise) else []
        made += [syntax.at(self._back(n), body[-1]) for n in behind]
        self._true, self._behind = outer
        return made + last

    def _statement(self, statement: gast.stmt) -> Body:
        """A statement, after what brings lists and arrays up to date for it."""
        bound, written = set(self._scope.facts(statement).binds), self._effects.writes(statement)
        uses = Uses(statement, self._sorts, written, bound)
        loop = isinstance(statement, LOOPS)
        fit = {name for name in uses.places - self._lists if self._fits(name, uses)}
        asked = {n for n in fit if n in self._true or (loop and self._pays(n, uses, statement))}
        behind = self._behind & self._touched(uses.names, asked)
        if uses.ends:
            behind |= {n for n in self._behind if self._effects.memory.is_given(n)}
        if not loop and uses.leaves:
            behind |= self._behind  # what follows may be left out
        made = [syntax.at(self._back(n), statement) for n in sorted(behind)]
        self._behind -= behind
        made += [syntax.at(self._ahead(n), statement) for n in sorted(asked - self._true)]
        self._true |= asked
        said = exchanged(statement, self._holes(uses, asked)) if asked else statement
        if loop and not (uses.places - self._lists) <= asked:
            said = inside(said, self.block)
        self._behind |= asked & uses.written
        self._true -= self._touched(uses.written | uses.bound, asked)
        return [*made, said]

    def _touched(self, names: set[str], asked: set[str]) -> set[str]:
        """The names that may share memory with some, and these, but for those of which lists are asked."""
        return set[str]().union(*(self._effects.sharing(n) - (asked & {n}) for n in names))

    def _fits(self, name: str, uses: Uses) -> bool:
        """Whether nothing but numbers of an array is asked for, and no other name stands for the same memory."""
        if name in uses.whole or name in uses.bound:
            return False
        if uses.ends and name in uses.written and self._effects.memory.is_given(name):
            return False
        others = (self._effects.sharing(name) - {name}) & uses.names
        return not others if name in uses.written else others.isdisjoint(uses.written)

    def _pays(self, name: str, uses: Uses, loop: gast.stmt) -> bool:
        """Whether a loop is known to be about as long as an array, or can tell when it begins."""
        self._ends.pop(name, None)
        if self._sizes.pays(name, loop):
            return True
        end = self._sizes.end(uses.indices(name), loop)
        self._ends |= {name: end} if end is not None else {}
        return end is not None

    def _ahead(self, name: str) -> gast.stmt:
        if name not in self._names:
            self._names[name] = made = self._fresh(f"{name}_list")
            self._lists.add(made)
            self._sorts.known[made] = self._sorts.known[name]  # numbers are taken from both alike
        text, holes, end = "x.tolist()", {"x": syntax.name(name)}, self._ends.get(name)
        if end is not None:
            text, holes = f"{text} if len(x) <= {OFTEN} * end else x", {**holes, "end": end}
        return syntax.assign(self._names[name], syntax.expression(text, **holes))

    def _fresh(self, wish: str) -> str:
        while wish in self._used:
            wish += "_"
        self._used.add(wish)
        return wish

    def _back(self, name: str) -> gast.stmt:
        (statement,) = syntax.quote(
            "x[:] = y", x=syntax.name(name), y=syntax.name(self._names[name])
        )
        return statement

    def _holes(self, uses: Uses, asked: set[str]) -> dict[int, gast.expr]:
        """The places of arrays, said as places of lists; what is stored is a float."""
        holes: dict[int, gast.expr] = {id(value): _float(value) for value in uses.stored(asked)}
        for name, place in reversed(uses.order):  # those inside of others first
            if name in asked:
                index = place.slice
                entries = index.elts if isinstance(index, gast.Tuple) else [index]
                made: gast.expr = syntax.name(self._names[name])
                for k, entry in enumerate(entries, 1):
                    context = place.ctx if k == len(entries) else gast.Load()
                    made = gast.Subscript(made, exchanged(entry, holes), context)
                holes[id(place)] = syntax.at(made, place)
        return holes


def _float(value: gast.expr) -> gast.expr:
    """What an array makes of a number that is stored in it."""
    if isinstance(value, gast.Constant):
        return syntax.constant(float(value.value))
    return syntax.expression("float(x)", x=value)
