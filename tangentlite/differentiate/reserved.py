"""Names that inserted code uses are not given to anything else.

In: what the names of a function mean.
Out: the names, reserved.
Next: session.
"""

from __future__ import annotations

from tangentlite.frontend.inserted import Insertion
from tangentlite.ir import Namespace
from tangentlite.naming import Names


def reserve(names: Names, namespace: Namespace) -> None:
    """Reserve what the bodies bind, and what they take from outside."""
    for name in namespace.cells:
        found = namespace.lookup(name) if namespace.binds(name) else None
        if isinstance(found, Insertion):
            for used in (found.bound | found.mentioned | {t for t in found.targets if t}) - set(
                found.reads or ()
            ):
                names.reserve(used)
