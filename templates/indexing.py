"""Reading an element, a slice, a mask, a gather: ``x[i]``.

In: an index, which carries no derivative.
Out: rules.
Next: products.
"""

from __future__ import annotations

import operator

from tangentlite.rules.notation import b, d, rule


@rule(operator.getitem, constant=("i",))
def getitem(x, i) -> y:
    d[y] = d[x][i]
    b[x][i] += b[y]
