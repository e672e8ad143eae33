"""Arrays of other libraries: each says how it becomes one of NumPy.

In: what the caller passed, or what a function finds around it.
Out: nothing, or a TypeError that says what to write.
Next: entry, directions.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tangentlite.runtime.memory.arrays import is_array

CONVERSIONS = {
    "torch": "{}.detach().cpu().numpy()",
    "jax": "np.asarray({})",
    "jaxlib": "np.asarray({})",
    "cupy": "cupy.asnumpy({})",
    "dask": "{}.compute()",
    "pandas": "{}.to_numpy()",
    "polars": "{}.to_numpy()",
    "tensorflow": "{}.numpy()",
    "scipy": "{}.toarray()",
    "sparse": "{}.todense()",
    "xarray": "{}.to_numpy()",
}


def converted(value: Any, name: str) -> str | None:
    """What makes a plain array of the array ``name`` of another library, None if it is no such array.

    >>> converted(np.rec.array([1.0]), "x"), converted(np.float64(1.0), "x"), converted([1.0], "x")
    ('np.asarray(x)', None, None)
    """
    kind = type(value)
    if is_array(value) or isinstance(value, np.generic) or callable(value):
        return None
    if isinstance(value, np.ma.MaskedArray):
        return f"{name}.filled(…)"
    conversion = CONVERSIONS.get(kind.__module__.partition(".")[0])
    if isinstance(value, np.ndarray) or (conversion is None and hasattr(kind, "__array__")):
        conversion = "np.asarray({})"
    elif conversion is not None and conversion.startswith("{}."):
        method = conversion[3:].partition("(")[0]
        conversion = conversion if hasattr(kind, method) else None
    return None if conversion is None else conversion.format(name)


def is_foreign(value: Any) -> bool:
    """Whether a value is an array of a library that is known to have arrays of its own."""
    known = type(value).__module__.partition(".")[0] in CONVERSIONS
    return known and converted(value, "x") is not None


def own(value: Any, name: str) -> None:
    """Check that what is called ``name`` is no array of another library.

    >>> own([1.0], "x")
    """
    conversion = converted(value, name)
    if conversion is not None:
        kind = type(value)
        masked = isinstance(value, np.ma.MaskedArray)
        called = "a masked array" if masked else f"{kind.__module__}.{kind.__qualname__}"
        raise TypeError(f"{called} is not differentiated; pass {conversion}")
