"""Methods that have stand-ins: those of arrays, of counters, which are dicts, and of polynomials, which are closures.

In: the kind of the owner of a method, and its name.
Out: the stand-in.
Next: functions.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tangentlite.analysis.kinds import Dict, Kind, Num, Tuple, Value, is_complex
from tangentlite.runtime.containers.closures import Label
from tangentlite.standins import arrays, counting, polynomials
from tangentlite.standins.table import find


def method(kind: Kind, name: str) -> Any:
    """What is called instead of a method of an array, or of a `Counter`."""
    if isinstance(kind, Num) and not kind.persistent:
        given = kind.shape is None or any(isinstance(s, str) for s in kind.shape)
        if name in counting.METHODS and given:  # what an argument is, is known when it is there
            return None
        own = getattr(np.ndarray, name, None) if is_complex(kind) else None
        return find(own, is_complex=True) or arrays.method(name, kind.ndim)
    match kind:
        case Tuple(type="closure", items=[Value(value=Label(function=function)), _]):
            return polynomials.METHODS.get(function, {}).get(name)
    return counting.METHODS.get(name) if type(kind) is Dict else None
