"""The paper's form of a rule: one mode at a time, result first.

In: a rule with one mode, and the rule that the primal had.
Out: a rule with both, under the names of the new one.
Next: checks.
"""

from __future__ import annotations

import ast
import copy

from tangentlite.rules.model import Source
from tangentlite.rules.rule import Rule
from tangentlite.values import replace


def merge(new: Rule, old: Rule | None) -> Rule:
    """``new``, completed by the mode that only ``old`` has."""
    if old is None or old.algebra in ("inactive", "linear"):
        return new
    if len(old.params) != len(new.params) or len(old.results) != len(new.results):
        return new
    names = {o.name: n.name for o, n in zip(old.params, new.params, strict=True)}
    names |= dict(zip(old.results, new.results, strict=True))
    if new.backward is None:
        return replace(new, backward=_renamed(old.backward, names, old), algebra=old.algebra)
    return replace(new, forward=_renamed(old.forward, names, old), algebra=old.algebra)


def _renamed(source: Source | None, names: dict[str, str], rule: Rule) -> Source | None:
    """``source`` with other names for its parameters; its own locals step aside."""
    if source is None:
        return None
    tree = copy.deepcopy(source.tree)
    theirs = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)} - set(names)
    mapping = dict(names)
    for local in sorted(theirs & set(names.values())):
        mapping[local] = f"{local}_"
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            node.id = mapping.get(node.id, node.id)
    params = tuple(replace(p, name=names[p.name]) for p in rule.params)
    results = tuple(names[r] for r in rule.results)
    conform = source.conform or rule.algebra == "elementwise"
    return replace(source, tree=tree, params=params, results=results, conform=conform)
