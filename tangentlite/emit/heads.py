"""The first line of a door that is for numbers of Python only: calls with anything else go elsewhere.

In: which parameters have which type, who takes the other calls, and what it takes.
Out: a statement.
Next: entrance.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

NAMES = {float: "_float", int: "_int"}
TYPE = "_type"
CELLS = {TYPE: type, **{name: kind for kind, name in NAMES.items()}}


def head(types: Mapping[str, type], passed: str, other: str, seeds: Sequence[str]) -> str:
    """What sends away what has other types; seeds that nobody has given, two names of one default, are left out.

    >>> print(head({"x": float, "n": int}, "x, n", "_other", ["by", "adjoint"]))
    if _type(x) is not _float or _type(n) is not _int:
        return _other(x, n) if by is adjoint else _other(x, n, by=by, adjoint=adjoint)
    <BLANKLINE>
    """
    test = " or ".join(f"{TYPE}({name}) is not {NAMES[kind]}" for name, kind in types.items())
    call = f"{other}({passed})"
    if seeds:
        given = ", ".join([passed, *(f"{seed}={seed}" for seed in seeds)])
        call = f"{call} if {' is '.join(seeds)} else {other}({given})"
    return f"if {test}:\n    return {call}\n"
