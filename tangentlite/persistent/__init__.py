"""Arrays that keep their history: every version stays readable for as long as something holds it.

In: numbers and arrays.
Out: `PersistentArray`, which stands for an array in the user's program.
Next: runtime.
"""

from __future__ import annotations

from tangentlite.persistent.array import PersistentArray
from tangentlite.persistent.inspection import Node

__all__ = ["PersistentArray", "Node"]
