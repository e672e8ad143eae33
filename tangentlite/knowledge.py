"""What was found out about a function and its helpers: all its derivatives begin with it.

In: studies, as the linker of a derivative makes them.
Out: ``Known``.
Next: pipeline.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tangentlite import analysis, ir, lowering
from tangentlite.analysis import Decided
from tangentlite.analysis.calling.summaries import Summaries
from tangentlite.analysis.classes.members import Methods
from tangentlite.links import Kept
from tangentlite.values import field, mutable

Decisions = dict[Any, Decided]


@mutable
class Known:
    """What is known of ``function``: ``sources`` and ``normal`` forms, each made once, and its ``helpers``.

    ``methods``: what was found in classes; another one may be bound there.

    ``seen``: the facts of helpers; what these do to arrays outside is looked at for every derivative.
    ``links``: the functions of its helpers, by what is read of lists, dicts and objects outside.
    ``in_place``: something writes into arrays, so that their ranks are worth knowing.
    """

    function: Any = None
    helpers: list[Callable[..., Any]] = field(default_factory=list)
    methods: Methods = field(default_factory=dict)
    sources: dict[Callable[..., Any], ir.Function] = field(default_factory=dict)
    normal: dict[Any, lowering.Normal] = field(default_factory=dict)
    summaries: Summaries = field(default_factory=Summaries)
    seen: list[analysis.Facts] = field(default_factory=list)
    decided: Decisions = field(default_factory=dict)
    in_place: bool = False
    links: dict[frozenset[int], Kept] = field(default_factory=dict)
    _tentative: dict[Any, Decisions] = field(default_factory=dict)

    def see(self, key: Any, facts: analysis.Facts, decided: Decisions) -> None:
        """Take in a helper; what was decided holds once all summaries have settled."""
        self.seen.append(facts)
        self.in_place = self.in_place or facts.in_place
        self._tentative[key] = decided

    def settle(self) -> None:
        """What was decided with the last summary of a helper is decided."""
        if self._tentative and not self.summaries.open:
            for key, decided in self._tentative.items():
                if key in self.summaries.found:
                    self.decided |= decided
            self._tentative.clear()
