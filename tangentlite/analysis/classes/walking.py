"""What functions walk over: objects that have ``__iter__`` or ``__getitem__``.

In: a statement with the kinds before it.
Out: the statements that say the same with lists.
Next: objects.
"""

from __future__ import annotations

from typing import Any

import gast
import numpy as np

from tangentlite import syntax
from tangentlite.analysis.classes import enums, members
from tangentlite.analysis.kinds import Value
from tangentlite.analysis.storage.copying import Copying
from tangentlite.lowering.iteration import listing
from tangentlite.standins import iterators

LISTING = ("list", "tuple")
CHOOSING = ("max", "min", "sorted", "any", "all")


class Walking(Copying):
    """The part of an expansion for walks."""

    def means(self, func: gast.expr, value: Any) -> bool:
        """Whether a name means an object."""
        kind = self.kind_of(func) if isinstance(func, gast.Name) else None
        return isinstance(kind, Value) and kind.value is value

    def walked(self, func: gast.expr, args: list[gast.expr]) -> list[Any] | None:
        """``list(x)`` and other walks over what ``__iter__`` or ``__getitem__`` give."""
        if args and self.walks(func) and (several := enums.enumeration(self.kind_of(args[0]))):
            return [*self.members(several, args[0]), gast.Call(func, [self.all_of()], [])]
        owner = self.owner(args[0]) if args else None
        if owner is None or not (self.walks(func) or self.takes(func, owner, args)):
            return None
        if members.method(owner, "__reversed__") is not None and self.turned():
            return None  # it walks otherwise than `__iter__` backwards
        found, item = members.method(owner, "__iter__"), members.method(owner, "__getitem__")
        made: Any = None
        path = "items"
        if found is not None and found[2] == "object":
            made, path = listing.apart(found[0]), found[1]
        elif found is None and item is not None:
            made = iterators.items
        if made is None:
            return None
        name = self.expander.temporary(self.statement, "t", self.local)
        items = gast.Call(
            self.expander.callee(made, path.replace(".", "_"), self.local), [args[0]], []
        )
        return [syntax.assign(name, items), gast.Call(func, [syntax.name(name), *args[1:]], [])]

    def turned(self) -> bool:
        """Whether `reversed` is said in what the user wrote."""
        source = self.expander.source(self.statement)
        names = (getattr(node, "id", "") for node in syntax.walk(source)) if source else ()
        return "reversed" in names

    def all_of(self) -> gast.expr:
        """The name of the tuple of all members of an ``Enum``."""
        return syntax.name(self.expander.temporary(self.statement, "t", self.local))

    def members(self, owner: Any, meant: gast.expr) -> list[Any]:
        """``t = (Color.RED, Color.BLUE)``."""
        lines: list[Any] = []
        for number, member in enumerate(owner):
            name = self.expander.temporary(self.statement, "t", self.local, number + 1)
            lines.append(syntax.assign(name, gast.Attribute(meant, member.name, gast.Load())))
        names: list[Any] = [syntax.name(line.targets[0].id) for line in lines]
        return [*lines, syntax.assign(self.all_of().id, gast.Tuple(names, gast.Load()))]

    def walks(self, func: gast.expr) -> bool:
        match func:
            case gast.Name(id=name):
                return name in LISTING and name not in self.local
            case gast.Attribute(attr=attr):
                return attr in ("sequence", "some", "unpack")
        return False

    def takes(self, func: gast.expr, owner: type, args: list[gast.expr]) -> bool:
        """Whether a function walks over a sequence that it is given: ``max(x)``, ``np.mean(x)``."""
        match func:
            case gast.Name(id=name):
                return name in CHOOSING and name not in self.local and len(args) == 1
            case gast.Attribute(value=gast.Name() as base):
                sized = all(members.method(owner, n) for n in ("__len__", "__getitem__"))
                return sized and self.means(base, np) and not hasattr(owner, "__array__")
        return False
