"""What generated code may call, as ``rt``.

In: numbers, arrays, nests of them, and ``ZERO``, the adjoint nothing has reached.
Out: the same. Each has a rule in templates/, so that generated code can be differentiated again.
Next: rules.
"""

from __future__ import annotations

import tangentlite.runtime.memory.freed  # noqa: F401
from tangentlite.runtime.axes.choices import (
    common_dtype,
    each,
    from_winner,
    length,
    place,
    quantile_shares,
    ranks,
    starts,
    to_winner,
    total,
)
from tangentlite.runtime.axes.scan import (
    centered,
    lined,
    merge,
    recurrence,
    shares,
    shift,
    unmerge,
    unweights,
    weights,
)
from tangentlite.runtime.containers.closures import calls, closure, passing
from tangentlite.runtime.containers.objects import made
from tangentlite.runtime.containers.sequences import (
    aligned,
    keyed,
    repeated,
    sequence,
    some,
    stack,
    unpack,
    unrepeated,
    width,
)
from tangentlite.runtime.containers.structures import (
    drained,
    in_order,
    joined,
    last_key,
    mutate,
    ordered_like,
    pour,
    unordered,
)
from tangentlite.runtime.corners import *  # noqa: F403
from tangentlite.runtime.corners import __all__ as corners
from tangentlite.runtime.edges.asked import SHAPE_ONLY
from tangentlite.runtime.edges.checks import (
    fits,
    in_step,
    left_alone,
    level,
    no_array,
    no_iterator,
    steady,
    takes,
)
from tangentlite.runtime.edges.directions import basis, tangent
from tangentlite.runtime.edges.entry import KindError, alike, is_alike, numbers, numeric, seed
from tangentlite.runtime.edges.finish import distinct, like
from tangentlite.runtime.exponents import *  # noqa: F403
from tangentlite.runtime.exponents import __all__ as exponents
from tangentlite.runtime.guards import begin_with, came, end_with, error_caught
from tangentlite.runtime.library import *  # noqa: F403
from tangentlite.runtime.library import __all__ as library
from tangentlite.runtime.linear.batches import add_outer, add_rows
from tangentlite.runtime.linear.einsum import *  # noqa: F403
from tangentlite.runtime.linear.einsum import __all__ as einsums
from tangentlite.runtime.linear.factors import *  # noqa: F403
from tangentlite.runtime.linear.factors import __all__ as factors
from tangentlite.runtime.linear.matrices import (
    cofactors,
    cofactors_along,
    columns,
    lower,
    mH,
    mT,
    real_only,
    swapped_rows,
    uncolumns,
)
from tangentlite.runtime.linear.products import *  # noqa: F403
from tangentlite.runtime.linear.products import __all__ as products
from tangentlite.runtime.memory.arrays import is_array, lengthened, no_storage
from tangentlite.runtime.memory.private import effects, note, own, private, publish, single
from tangentlite.runtime.memory.records import spent
from tangentlite.runtime.memory.shadow import add, add_at, part, zeros
from tangentlite.runtime.memory.stores import (
    buffer,
    content,
    contents,
    outline,
    placed,
    put_back,
    put_contents_back,
    room,
    settle,
    storage,
    summed,
    won,
)
from tangentlite.runtime.memory.tangents import followed, owned, still, stored, unfollowed
from tangentlite.runtime.memory.views import (
    apart,
    collected,
    shadow,
    uncollected,
    unshared,
    unview,
    view,
)
from tangentlite.runtime.plain.factors import *  # noqa: F403
from tangentlite.runtime.plain.factors import __all__ as plain_factors
from tangentlite.runtime.plain.parts import *  # noqa: F403
from tangentlite.runtime.plain.parts import __all__ as plain
from tangentlite.runtime.shapes.broadcast import (
    broadcast,
    count,
    kept,
    shape,
    spread,
    unbroadcast,
    unreduce,
)
from tangentlite.runtime.shapes.layout import (
    axes_order,
    dtype_like,
    filled,
    put_along,
    rejoin,
    scatter,
    split_like,
    transposed,
    undiag,
    undiagonal,
    undiff,
    unjoin,
    unpad,
    unrepeat,
    unsplit,
    unstack,
    untake,
    untile,
    untrace,
    untranspose,
)
from tangentlite.runtime.shapes.places import *  # noqa: F403
from tangentlite.runtime.shapes.places import __all__ as places
from tangentlite.runtime.singular import (
    complex_log,
    direction,
    dpower_dx,
    log_or_zero,
    power,
    quotient,
    wins,
)
from tangentlite.runtime.special.gamma import dsinc, polygamma
from tangentlite.runtime.times import cancel, cancelled, through, times
from tangentlite.runtime.zero import INERT, ZERO, ZeroGrad, reached

__all__ = [
    "basis",
    "calls",
    "came",
    "closure",
    "passing",
    "SHAPE_ONLY",
    "INERT",
    "ZERO",
    "alike",
    "apart",
    "unshared",
    "begin_with",
    "error_caught",
    "followed",
    "end_with",
    "unfollowed",
    "owned",
    "spent",
    "still",
    "stored",
    "buffer",
    "summed",
    "content",
    "contents",
    "numeric",
    "effects",
    "note",
    "own",
    "publish",
    "placed",
    "private",
    "put_back",
    "put_contents_back",
    "settle",
    "steady",
    "in_step",
    "no_array",
    "single",
    "no_iterator",
    "no_storage",
    "takes",
    "length",
    "left_alone",
    "level",
    "width",
    "keyed",
    "place",
    "common_dtype",
    "ranks",
    "some",
    "shadow",
    "room",
    "storage",
    "view",
    "won",
    "KindError",
    "ZeroGrad",
    "add",
    "add_at",
    "add_outer",
    "add_rows",
    "part",
    "axes_order",
    "broadcast",
    "cancel",
    "cancelled",
    "centered",
    "cofactors",
    "cofactors_along",
    "collected",
    "uncollected",
    "columns",
    "count",
    "direction",
    "distinct",
    "dpower_dx",
    "dtype_like",
    "drained",
    "dsinc",
    "each",
    "filled",
    "fits",
    "complex_log",
    "from_winner",
    "in_order",
    "joined",
    "last_key",
    "kept",
    "ordered_like",
    "unordered",
    "like",
    "is_alike",
    "is_array",
    "lengthened",
    "lined",
    "log_or_zero",
    "lower",
    "mH",
    "mT",
    "mutate",
    "pour",
    "unview",
    "made",
    "merge",
    "numbers",
    "outline",
    "polygamma",
    "power",
    "put_along",
    "quantile_shares",
    "quotient",
    "reached",
    "real_only",
    "swapped_rows",
    "recurrence",
    "rejoin",
    "repeated",
    "scatter",
    "seed",
    "sequence",
    "shape",
    "shares",
    "shift",
    "split_like",
    "spread",
    "aligned",
    "stack",
    "starts",
    "tangent",
    "through",
    "to_winner",
    "total",
    "times",
    "unbroadcast",
    "uncolumns",
    "undiag",
    "undiagonal",
    "undiff",
    "unjoin",
    "unmerge",
    "unpack",
    "unpad",
    "unreduce",
    "unrepeat",
    "unrepeated",
    "unsplit",
    "unstack",
    "untake",
    "untile",
    "untrace",
    "transposed",
    "untranspose",
    "unweights",
    "weights",
    "wins",
    "zeros",
]
__all__ += (
    corners + einsums + exponents + factors + library + places + plain + plain_factors + products
)
