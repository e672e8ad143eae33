"""Rules: the derivative of every primitive, read from templates/ and from the user.

In: a callable.
Out: its ``Rule``; ``rule.bind`` gives parameters their trees, ``rule.adjoint`` and ``rule.tangent``
give a ``Part``, ``instantiate`` writes it with the names of a statement. In the trees of a part
``b[x]`` is one name, ``gast.Name("b[x]")``.
Next: frontend.
"""

from __future__ import annotations

from tangentlite.rules.checks import check
from tangentlite.rules.expand import expand
from tangentlite.rules.instantiate import instantiate
from tangentlite.rules.model import EMPTY, UNKNOWN, Parameter, Part, Term
from tangentlite.rules.purity import is_pure
from tangentlite.rules.registry import find, named, registry, restored, version
from tangentlite.rules.rule import Rule, spelled

__all__ = [
    "EMPTY",
    "UNKNOWN",
    "Parameter",
    "Part",
    "Rule",
    "Term",
    "check",
    "expand",
    "find",
    "instantiate",
    "is_pure",
    "named",
    "registry",
    "restored",
    "spelled",
    "version",
]
