"""Which rule belongs to which primal: templates, imported at the first question, and user rules.

A rule is built, and the file that it stands in parsed, when somebody asks for it.

In: declarations.
Out: ``find``, ``registry``, ``version``.
Next: purity.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from functools import cache
from threading import RLock

from tangentlite.errors import RuleError
from tangentlite.rules import notation
from tangentlite.rules.checks import check
from tangentlite.rules.loader import build
from tangentlite.rules.notation import Declaration
from tangentlite.rules.paper import merge
from tangentlite.rules.rule import Rule, spelled
from tangentlite.values import replace

_table: dict[object, Rule | Declaration] = {}
_rules: list[Rule | Declaration] = []
_state = {"version": 0, "loading": False, "loaded": False, "scipy": False}
SCIPY = ("scipy.special", "scipy.linalg")  # have templates of their own, read if one is imported
_lock = RLock()


def find(primal: object) -> Rule | None:
    """The rule of a callable, by identity; None if there is none."""
    found = _entry(primal)
    return _settle(found, primal) if isinstance(found, Declaration) else found


@cache
def named(primals: tuple[object, ...]) -> frozenset[str]:
    """The names of the rules of some callables, whose lines are not read for that."""
    return frozenset(_name(entry) for p in primals if (entry := _entry(p)) is not None)


def _name(entry: Rule | Declaration) -> str:
    if isinstance(entry, Rule):
        return entry.name
    inactive = entry.algebra == "inactive"
    return spelled(entry.primals[0]) if inactive else entry.function.__name__


def _entry(primal: object) -> Rule | Declaration | None:
    if not _state["loaded"]:
        load()
    try:
        found = _table.get(primal)
    except TypeError:
        return None
    if found is None and not _state["scipy"] and any(name in sys.modules for name in SCIPY):
        load_scipy()
        found = _table.get(primal)
    return found


def load_scipy() -> None:
    """Import the templates of SciPy, once."""
    with _lock:
        if _state["scipy"]:
            return
        for declaration in _templates("scipy_"):
            _table.update({p: declaration for p in declaration.primals if p not in _table})
            _rules.append(declaration)
        _state["scipy"] = True


def registry() -> tuple[Rule, ...]:
    """All rules, in the order of their declaration; variants are inside their base rule."""
    load()
    with _lock:
        _rules[:] = [_built(r) if isinstance(r, Declaration) else r for r in _rules]
    return tuple(r for r in _rules if isinstance(r, Rule))


def version() -> int:
    """A number that grows whenever a rule is registered."""
    return _state["version"]


def load() -> None:
    """Import the template files, once."""
    with _lock:
        if _state["loaded"] or _state["loading"]:  # the lock lets in nobody but who is loading
            return
        _state["loading"] = True
        try:
            for declaration in _templates():
                _table.update(dict.fromkeys(declaration.primals, declaration))
                _rules.append(declaration)
            _state["loaded"] = True
        except BaseException:
            _table.clear()
            _rules.clear()
            raise
        finally:
            _state["loading"] = False


def _settle(declaration: Declaration, primal: object) -> Rule:
    """The rule of a template, from now on found at once."""
    with _lock:
        rule = replace(_built(declaration), callee=primal)
        if _table.get(primal) is declaration:
            _table[primal] = rule
        return rule


@cache
def _built(declaration: Declaration) -> Rule:
    return build(declaration, pure=True)


def _templates(prefix: str = "") -> list[Declaration]:
    package = importlib.import_module("tangentlite.templates")
    names = sorted(m.name for m in pkgutil.iter_modules(package.__path__))
    names = [n for n in names if n.startswith("scipy_") == bool(prefix)]
    for name in names:
        if name not in _collected:
            collected: list[Declaration] = []
            notation.listen(collected.append)
            try:
                importlib.import_module(f"tangentlite.templates.{name}")
            finally:
                notation.unlisten()
            _collected[name] = collected
    return [d for name in names for d in _collected[name] if d.base is None]


_collected: dict[str, list[Declaration]] = {}


def add(declaration: Declaration) -> None:
    """Register a user's rule: checked at once, and from now on the one that is found."""
    load()
    with _lock:
        if declaration.base is not None:
            _add_variant(declaration)
            return
        new = build(declaration, pure=False)
        if declaration.form != "both":
            new = merge(new, find(declaration.primals[0]))
        check(new)
        _enter(new)
        _state["version"] += 1


def _add_variant(declaration: Declaration) -> None:
    base = declaration.base
    if base is None:
        return
    whole = build(base, pure=False)
    check(whole)
    _enter(whole)
    _state["version"] += 1


def _enter(rule: Rule) -> None:
    for primal in rule.primals:
        if not isinstance(primal, Hashable):
            raise RuleError(f"rule `{rule.name}`: {primal!r} is not hashable")
        _table[primal] = replace(rule, callee=primal)
    _rules[:] = [r for r in _rules if not set(map(id, r.primals)) <= set(map(id, rule.primals))]
    _rules.append(rule)


@contextmanager
def restored() -> Iterator[None]:
    """Forget the rules registered inside the block (for tests and documentation)."""
    load()
    table, rules = dict(_table), list(_rules)
    try:
        yield
    finally:
        _table.clear()
        _table.update(table)
        _rules[:] = rules
        _state["version"] += 1


notation.listen(add)
