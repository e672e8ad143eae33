"""What generated code may call, as ``rt``.

In: numbers, arrays, nests of them, and ``ZERO``, the adjoint nothing has reached.
Out: the same. Every function begins with the line for the common case, and has a rule in
templates/runtime.py, so that generated code can be differentiated again.
Next: rules.
"""

from __future__ import annotations

from tangentlite.runtime.broadcast import (
    broadcast,
    count,
    kept,
    shape,
    spread,
    unbroadcast,
    unreduce,
)
from tangentlite.runtime.directions import tangent
from tangentlite.runtime.einsum import einsum_adjoint, einsum_adjoints, einsum_tangent, einsum_with
from tangentlite.runtime.entry import KindError, numbers, seed
from tangentlite.runtime.finish import distinct, like
from tangentlite.runtime.layout import (
    axes_order,
    dtype_like,
    filled,
    put_along,
    rejoin,
    scatter,
    split_like,
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
from tangentlite.runtime.matrices import cofactors, columns, lower, mT, real_only, uncolumns
from tangentlite.runtime.products import (
    dot_left,
    dot_right,
    inner_left,
    inner_right,
    kron_left,
    kron_right,
    matmul_left,
    matmul_right,
    outer_left,
    outer_right,
    tensordot_left,
    tensordot_right,
)
from tangentlite.runtime.scan import (
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
from tangentlite.runtime.sequences import sequence, stack, unpack
from tangentlite.runtime.shadow import add, add_at, zeros
from tangentlite.runtime.singular import (
    direction,
    dpower_dx,
    log_or_zero,
    power,
    quotient,
    wins,
)
from tangentlite.runtime.times import through, times
from tangentlite.runtime.zero import ZERO, ZeroGrad

# Parameters of which a runtime function reads only shape and dtype.
SHAPE_ONLY: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("unbroadcast", "broadcast", "spread"), ("like",)),
    **dict.fromkeys(("unreduce", "count", "kept", "shape", "zeros", "like", "unmerge"), ("x",)),
    **dict.fromkeys(("undiag", "undiagonal", "untrace", "unpad", "unrepeat", "untile"), ("x",)),
    **dict.fromkeys(("untake", "put_along", "scatter", "weights", "dtype_like"), ("x",)),
    **dict.fromkeys(("matmul_left", "dot_left", "inner_left", "outer_left"), ("x",)),
    **dict.fromkeys(("kron_left", "tensordot_left"), ("x",)),
    **dict.fromkeys(("matmul_right", "dot_right", "inner_right", "outer_right"), ("y",)),
    **dict.fromkeys(("kron_right", "tensordot_right", "columns", "uncolumns"), ("y",)),
    **dict.fromkeys(("filled", "rejoin", "split_like", "unjoin", "unstack"), ("xs",)),
    "unsplit": ("ys",),
    "unweights": ("w", "x"),
    "add_at": ("like",),
    "seed": ("y",),
    "tangent": ("x",),
}

__all__ = [
    "SHAPE_ONLY",
    "ZERO",
    "KindError",
    "ZeroGrad",
    "add",
    "add_at",
    "axes_order",
    "broadcast",
    "centered",
    "cofactors",
    "columns",
    "count",
    "direction",
    "distinct",
    "dot_left",
    "dot_right",
    "dpower_dx",
    "dtype_like",
    "einsum_adjoint",
    "einsum_adjoints",
    "einsum_tangent",
    "einsum_with",
    "filled",
    "inner_left",
    "inner_right",
    "kept",
    "kron_left",
    "kron_right",
    "like",
    "lined",
    "log_or_zero",
    "lower",
    "mT",
    "matmul_left",
    "matmul_right",
    "merge",
    "numbers",
    "outer_left",
    "outer_right",
    "power",
    "put_along",
    "quotient",
    "real_only",
    "recurrence",
    "rejoin",
    "scatter",
    "seed",
    "sequence",
    "shape",
    "shares",
    "shift",
    "split_like",
    "spread",
    "stack",
    "tangent",
    "tensordot_left",
    "tensordot_right",
    "through",
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
    "unsplit",
    "unstack",
    "untake",
    "untile",
    "untrace",
    "untranspose",
    "unweights",
    "weights",
    "wins",
    "zeros",
]
