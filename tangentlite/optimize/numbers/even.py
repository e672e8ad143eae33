"""Even: lists of numbers that are all alike are made at once, and what is added to zeros as a whole is a copy.

In: the statements of a function in plain numbers, which names are adjoints.
Out: the same with fewer walks along lists.
Next: emit.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from tangentlite import syntax

Body = list[gast.stmt]


def even(body: Body, is_adjoint: Callable[[str], bool]) -> Body:
    """The adjoint of ``sum(y)``, and that of ``y`` where it begins with it.

    >>> text = '''
    ... by = [0.0] * len(y)
    ... bt1 = [0.0] * len(t1)
    ... for i in reversed(range(len(t1))):
    ...     bt1[i] += bs
    ... by = [one + other for one, other in zip(by, bt1)]
    ... by[0] += 2.0
    ... '''
    >>> print("\\n".join(map(syntax.unparse, even(syntax.parse(text), {'bs'}.__contains__))))
    bt1 = [bs] * len(t1)
    by = bt1[:len(y)]
    by[0] += 2.0
    """
    made = list(body)
    for place in range(len(made) - 2, -1, -1):
        filled = _filled(made[place], made[place + 1], is_adjoint)
        if filled is not None:
            made[place : place + 2] = [filled]
    sums = [place for place, s in enumerate(made) if _summed(s)]
    for place in sums:
        begun = _begun(made[:place], made[place])
        if begun is not None:
            made[place] = _copy(made[place], made[begun])
            del made[begun]
            return even(made, is_adjoint)
    return made


def _zeros(statement: Any) -> tuple[str, str] | None:
    """The name of a list of zeros, and of the list that is as long."""
    match statement:
        case gast.Assign(
            targets=[gast.Name(id=name)],
            value=gast.BinOp(
                left=gast.List(elts=[gast.Constant(value=0.0)]),
                op=gast.Mult(),
                right=gast.Call(func=gast.Name(id="len"), args=[gast.Name(id=like)]),
            ),
        ) if name != like:
            return name, like
    return None


def _filled(begun: Any, loop: Any, is_adjoint: Callable[[str], bool]) -> gast.stmt | None:
    """A list to each number of which one and the same is added."""
    name, like = _zeros(begun) or ("", "")
    if not name or not isinstance(loop, gast.For):
        return None
    inner = [s for s in loop.body if not isinstance(s, syntax.Comment)]
    walked = syntax.unparse(loop.iter) == f"reversed(range(len({like})))"
    match inner:
        case [
            gast.AugAssign(
                target=gast.Subscript(value=gast.Name(id=target), slice=gast.Name(id=place)),
                op=gast.Add(),
                value=gast.Name(id=added),
            )
        ] if target == name and added not in (name, place) and is_adjoint(added):
            if walked and isinstance(loop.target, gast.Name) and loop.target.id == place:
                made = syntax.expression("[e] * len(x)", e=syntax.name(added), x=syntax.name(like))
                return syntax.at(syntax.assign(name, made), loop)
    return None


def _begun(before: Body, sum_: Any) -> int | None:
    """Where the zeros begin to which a list is added as a whole, and nothing else."""
    name = _summed(sum_)
    uses = [k for k, s in enumerate(before) if name and name in _names(s)]
    if not uses:
        return None
    found = _zeros(before[uses[-1]])
    between = before[uses[-1] + 1 :]
    if found is None or any(found[1] in _names(s) for s in between):
        return None
    return uses[-1]


def _summed(statement: Any) -> str | None:
    match statement:
        case gast.Assign(targets=[gast.Name(id=name)], value=gast.ListComp() as value):
            shown = f"[one + other for one, other in zip({name}, {_other(value)})]"
            return str(name) if syntax.unparse(value) == shown else None
    return None


def _other(value: Any) -> str:
    """The second list of a sum of two."""
    match value.generators[0].iter:
        case gast.Call(args=[_, gast.Name(id=name)]):
            return str(name)
    return ""


def _copy(sum_: Any, zeros: Any) -> gast.stmt:
    (name, like), other = _zeros(zeros) or ("", ""), _other(sum_.value)
    copy = syntax.expression("y[: len(x)]", y=syntax.name(other), x=syntax.name(like))
    return syntax.at(syntax.assign(name, copy), sum_)


def _names(statement: gast.stmt) -> set[str]:
    return {n.id for n in syntax.nodes([statement]) if isinstance(n, gast.Name)}
