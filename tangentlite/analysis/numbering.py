"""Numbering: a walk over a normal form that gives each binding of a name its version.

In: the parameters and the body of a normal form.
Out: ``Versions``.
Next: classify, differentiate.
"""

from __future__ import annotations

from operator import attrgetter

import gast

from tangentlite import syntax
from tangentlite.analysis.versions import Names, Scope, Version, Versions

_NUMBER = attrgetter("number")


def study(parameters: list[str], body: list[gast.stmt]) -> Versions:
    """Number the versions of a function's names."""
    versions = Versions()
    versions.root = Scope("function", body)
    versions.at_start = {p: versions.bind(versions.new(p, versions.root, -1)) for p in parameters}
    versions.at_end = dict(versions.at_start)
    _block(versions, versions.root, versions.at_end)
    return versions


def _block(versions: Versions, scope: Scope, current: dict[str, Version]) -> None:
    """Number what a block makes; ``current`` is what names hold where it has come to."""
    for position, statement in enumerate(scope.block):
        stored = sorted(syntax.bound(statement))
        for name in stored:
            scope.stores.setdefault(name, []).append(position)
        simple = False
        match statement:
            case gast.If(test=test):
                versions.reads[statement] = _reads(test, current)
                _branches(versions, statement, scope, position, current)
            case gast.For(iter=iterable):
                versions.reads[statement] = _reads(iterable, current)
                _loop(versions, statement, scope, position, current)
            case gast.While():
                versions.reads[statement] = {}
                _loop(versions, statement, scope, position, current)
            case _:
                versions.reads[statement], simple = _reads(statement, current), True
        for name in stored:
            certain = simple or _certain(versions, statement, name, current)
            made = versions.bind(versions.new(name, scope, position, statement, certain=certain))
            current[name] = versions.made[statement] = made
        if not simple:
            versions.after[statement] = Names(versions.bound, scope, position + 1)
    versions.closing[id(scope)] = Names(versions.bound, scope, len(scope.block))


def _inner(versions: Versions, outer: Scope, scope: Scope, current: dict[str, Version]) -> None:
    """Number what a block in another one makes; ``current`` is left as it was before the other block's statement."""
    before = Names(versions.bound, outer, scope.position)
    _block(versions, scope, current)
    for name in versions.bound[scope]:
        held = before.get(name)
        if held is None:
            del current[name]
        else:
            current[name] = held


def _certain(
    versions: Versions, statement: gast.stmt, name: str, current: dict[str, Version]
) -> bool:
    """Whether a name is bound after a statement, whatever path was taken."""
    match statement:
        case gast.If():
            blocks = zip((statement.body, statement.orelse), versions.ends[statement])
            ends = [end for block, end in blocks if not _raises(block)]
            return all(name in end and end[name].certain for end in ends)
        case gast.While(test=gast.Constant(value=value)) if value:
            (end,) = versions.ends[statement]
            return name in end and end[name].certain
        case gast.For() | gast.While():
            return name in current and current[name].certain
    return True


def _raises(block: list[gast.stmt]) -> bool:
    """Whether nothing that follows a block is reached from it."""
    match block[-1:]:
        case [gast.Raise()]:
            return True
        case [gast.If(body=body, orelse=orelse) as last] if not isinstance(last, syntax.Attempt):
            return _raises(body) and _raises(orelse)
    return False


def _reads(node: gast.AST, current: dict[str, Version]) -> dict[str, Version]:
    found = [current[name] for name in syntax.loads(node) if name in current]
    if found[1:]:
        found.sort(key=_NUMBER)
    return {version.name: version for version in found}


def _branches(
    versions: Versions, statement: gast.If, scope: Scope, position: int, current: dict[str, Version]
) -> None:
    start = Names(versions.bound, scope, position)
    versions.scopes[statement], versions.ends[statement] = [], []
    versions.starts[statement] = [start, start]
    for block in (statement.body, statement.orelse):
        inner = Scope("branch", block, scope, position)
        _inner(versions, scope, inner, current)
        versions.scopes[statement].append(inner)
        versions.ends[statement].append(versions.block_end(inner))


def _loop(
    versions: Versions,
    statement: gast.For | gast.While,
    scope: Scope,
    position: int,
    current: dict[str, Version],
) -> None:
    inner, stored = Scope("loop", statement.body, scope, position), syntax.stores(statement.body)
    for name in sorted(stored & current.keys()):
        current[name] = versions.bind(versions.new(name, inner, -1, certain=current[name].certain))
    if isinstance(statement, gast.For):
        name = statement.target.id
        current[name] = versions.bind(versions.new(name, inner, -1, header=True))
    later = frozenset(stored - current.keys())
    versions.starts[statement] = [Names(versions.bound, inner, 0, later)]
    for name in sorted(later):
        current[name] = versions.bind(versions.new(name, inner, -1, certain=False))
    _inner(versions, scope, inner, current)
    versions.scopes[statement], versions.ends[statement] = [inner], [versions.block_end(inner)]
