"""Which callables have no effect but their result, so that an unused call may be removed.

In: a callable.
Out: ``is_pure``.
Next: expand.
"""

from __future__ import annotations

import builtins

from tangentlite import runtime
from tangentlite.rules.registry import find

BUILTINS = frozenset(
    getattr(builtins, name)
    for name in (
        "abs all any bin bool bytes callable chr complex dict divmod enumerate filter float "
        "format frozenset getattr hasattr hash hex id int isinstance issubclass len list map max "
        "min oct ord pow range repr reversed round set slice sorted str sum tuple type zip"
    ).split()
)

# These check what they are given, or write into it.
EFFECTS = frozenset(
    (runtime.add_at, runtime.numbers, runtime.seed, runtime.tangent)
    + (runtime.own, runtime.settle, runtime.put_back, runtime.pour)
    + (runtime.mutate,)
    + (runtime.fits, runtime.takes, runtime.disjoint, runtime.shuffled, runtime.steady)
    + (runtime.put_contents_back, runtime.in_step, runtime.no_array, runtime.single)
    + (runtime.level, runtime.keyed, runtime.some, runtime.within)
)


def is_pure(primal: object) -> bool:
    """Whether a call of ``primal`` may be removed if nobody reads its result.

    >>> is_pure(len), is_pure(print)
    (True, False)
    """
    try:
        if primal in BUILTINS or primal in EFFECTS:
            return primal in BUILTINS
    except TypeError:
        return False
    rule = find(primal)
    if rule is not None:
        return rule.pure
    name = getattr(primal, "__name__", "")
    return bool(name) and getattr(runtime, name, None) is primal
