"""The functions of our own that texts of kernels call, by their names there.

In: nothing.
Out: ``OURS``.
Next: workshop.
"""

from __future__ import annotations

from typing import Any

from tangentlite.native.facts.known import (
    ADD_AT,
    ADDED,
    AT,
    CHOSEN,
    EITHER,
    LIKE,
    PUT,
    ROLLED,
    SQUEEZED,
    TURN,
    UNSHARED,
    WITH_SUM,
)
from tangentlite.native.library import diagonals, products, solving, truths
from tangentlite.native.library.adding import added
from tangentlite.native.library.along import squeezed
from tangentlite.native.library.choosing import at, chosen, put, rolled, turn
from tangentlite.native.library.exponentials import OWN
from tangentlite.native.library.lowered import either, unshared
from tangentlite.native.library.nested import with_sum
from tangentlite.native.library.overloads import zeros_of
from tangentlite.native.library.reductions import OVER
from tangentlite.native.library.sums import accumulate

OURS: dict[str, Any] = {
    **OVER,
    **OWN,
    **diagonals.OWN,
    **products.OWN,
    **solving.OWN,
    **truths.OWN,
    ADD_AT: accumulate,
    ADDED: added,
    EITHER: either,
    UNSHARED: unshared,
    AT: at,
    ROLLED: rolled,
    TURN: turn,
    SQUEEZED: squeezed,
    CHOSEN: chosen,
    PUT: put,
    LIKE: zeros_of,
    WITH_SUM: with_sum,
}
