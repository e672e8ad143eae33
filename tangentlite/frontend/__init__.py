"""The first stage: a function object becomes a tree that the compiler can handle.

In: a plain Python function (a ``def`` or a ``lambda``) whose source text can be found.
Out: ``ir.Function``: the tree without decorators and docstring, a lambda as a function that
returns, the parameters with the objects that are their defaults, the namespace with the
function's own cells.
Everything that lowering cannot lower is refused here, with file, line, caret and the next step.
Next: lowering.
"""

from __future__ import annotations

from tangentlite.frontend.read import lacks, read

__all__ = ["lacks", "read"]
