"""What the rules of single functions of the library are made of, by the part of the library.

In: the modules of those parts.
Out: their functions, which ``rt`` shows too, and the parameters of which they read only the shape.
Next: the runtime.
"""

from __future__ import annotations

from tangentlite.runtime.differences import (
    extended,
    gradient,
    midpoints,
    separated,
    slope,
    still_end,
    ungradient,
    uninterp,
    unmidpoints,
    unslope,
    unwidths,
    widths,
)
from tangentlite.runtime.gathering import (
    chosen,
    evenly,
    gather,
    groups,
    lengths,
    nowhere,
    numbered,
    remesh,
    unblock,
    unchosen,
    ungather,
    unmesh,
    unwindow,
    window,
)
from tangentlite.runtime.padding import padded, unpadded

OUTLINES: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("numbered", "nowhere", "ungather", "lengths"), ("x",)),
    **dict.fromkeys(("unchosen", "unmesh", "remesh", "unblock"), ("xs",)),
    "window": ("like",),
    **dict.fromkeys(("extended", "separated"), ("xs",)),
    **dict.fromkeys(("widths", "unmidpoints"), ("y",)),
    "unwidths": ("x", "y"),
    "ungradient": ("x",),
    "unwindow": ("v",),
}

__all__ = [
    "extended",
    "separated",
    "gradient",
    "ungradient",
    "midpoints",
    "unmidpoints",
    "widths",
    "unwidths",
    "still_end",
    "slope",
    "unslope",
    "uninterp",
    "OUTLINES",
    "chosen",
    "evenly",
    "gather",
    "groups",
    "lengths",
    "nowhere",
    "numbered",
    "padded",
    "remesh",
    "unblock",
    "unchosen",
    "ungather",
    "unmesh",
    "unpadded",
    "unwindow",
    "window",
]
