"""From trees to functions: text that people read, and the objects that run it.

In: an ``ir.Derived`` whose functions are valid Python, with ``Comment`` and ``Blank`` statements.
Out: a ``Unit``: the source, the functions compiled from it, and the file name under which
tracebacks, pdb, profilers and ``inspect.getsource`` find the text.
Next: pipeline.

What the text names beyond the user's globals is bound by cells; nothing is written into a
module. Equal input gives equal text, byte for byte. ``sources`` puts several texts into one;
``describe`` and ``rebuild`` carry functions to another process.
"""

from __future__ import annotations

from tangentlite.emit.assemble import sources
from tangentlite.emit.entrance import Door, entrance
from tangentlite.emit.module import Late, Title, Unit, module, text
from tangentlite.emit.travel import describe, rebuild

__all__ = [
    "Door",
    "Late",
    "Title",
    "Unit",
    "describe",
    "entrance",
    "module",
    "rebuild",
    "sources",
    "text",
]
