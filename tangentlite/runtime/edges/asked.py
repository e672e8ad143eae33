"""What the functions of the runtime ask of their arguments.

In: nothing.
Out: ``SHAPE_ONLY``.
Next: rules.
"""

from __future__ import annotations

from tangentlite.runtime.library import OUTLINES

# Parameters of which a runtime function reads only shape and dtype.
SHAPE_ONLY: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("unbroadcast", "broadcast", "spread", "weighted"), ("like",)),
    **dict.fromkeys(("unreduce", "count", "kept", "shape", "zeros", "like", "unmerge"), ("x",)),
    **dict.fromkeys(("undiag", "undiagonal", "untrace", "unpad", "unrepeat", "untile"), ("x",)),
    **dict.fromkeys(("untake", "put_along", "scatter", "weights", "dtype_like"), ("x",)),
    **dict.fromkeys(("matmul_left", "dot_left", "inner_left", "outer_left"), ("x",)),
    **dict.fromkeys(("kron_left", "tensordot_left"), ("x",)),
    **dict.fromkeys(("matmul_right", "dot_right", "inner_right", "outer_right"), ("y",)),
    **dict.fromkeys(("kron_right", "tensordot_right", "columns", "uncolumns"), ("y",)),
    **dict.fromkeys(("aligned", "filled", "rejoin", "split_like", "unjoin", "unstack"), ("xs",)),
    "each": ("xs",),
    "unsplit": ("x",),
    "unweights": ("w", "x"),
    "unrepeated": ("xs",),
    "add_at": ("like", "of"),
    **dict.fromkeys(
        (
            "along",
            "main_diagonal",
            "flat_index",
            "put_index",
            "mask_of",
            "rounds",
            "shape_at",
            "shuffled",
        ),
        ("a",),
    ),
    **dict.fromkeys(("cycled", "takes"), ("part",)),
    "uncycled": ("v",),
    **dict.fromkeys(("buffer", "summed"), ("x",)),
    "lengthened": ("like",),
    **dict.fromkeys(("outline", "room", "shadow", "storage"), ("x",)),
    "placed": ("ba",),
    **dict.fromkeys(("still", "owned"), ("y",)),
    "stored": ("a", "v"),
    "seed": ("y",),
    "tangent": ("x",),
    **OUTLINES,
}
