"""What names stand for in a block of a picture.

In: the level of a block, and the block around it.
Out: ``Block``: reading a name gives the end of an edge; ports appear where an edge enters or leaves a box.
Next: building.
"""

from __future__ import annotations

from collections.abc import Callable

from tangentlite.pictures.model import End, Level, Node

Value = End | Callable[[], End]  # what a name stands for, or how to find that out
Free = Callable[[str, Level], Node | None]  # a node for what the function finds outside


class Block:
    """One level in the making: ``names`` tells what each name stands for, or how to find that out."""

    def __init__(self, free: Free, level: Level, outer: Block | None, box: Node | None) -> None:
        self.free, self.level, self.outer, self.box = free, level, outer, box
        self.names: dict[str, Value] = {}
        self.ports: dict[str, Node] = {}

    def read(self, name: str) -> End | None:
        """Where the value of a name comes from; None for functions and modules."""
        found = self.names.get(name)
        if found is not None and not isinstance(found, End):
            found = self.names[name] = found()
        if found is None and self.outer is not None:
            outside = self.outer.read(name)
            if outside is not None:
                found = self._entered(name, outside)
        elif found is None and (node := self.free(name, self.level)) is not None:
            found = self.names[name] = End(node)
        return found

    def _entered(self, name: str, outside: End) -> End:
        """A port for what is read from outside."""
        assert self.outer is not None
        assert self.box is not None
        port = self.level.node("port", name, derived=self.box.derived)
        self.level.ins.append(port)
        self.ports[name] = port
        self.outer.level.link(outside, End(self.box, port))
        found = self.names[name] = End(port)
        return found

    def left(self, name: str) -> End:
        """A port for what is read of the block later."""
        assert self.box is not None
        last = self.read(name)
        port = self.level.node("port", name, derived=self.box.derived)
        self.level.outs.append(port)
        if last is not None:
            self.level.link(last, End(port))
        return End(self.box, port)

    def binds(self, name: str) -> bool:
        """Whether a name stands for something else at the end than at the beginning."""
        found, port = self.names.get(name), self.ports.get(name)
        return found is not None and not (isinstance(found, End) and found.node is port)

    def changed(self) -> set[str]:
        """What was read from outside, and stands for something else now."""
        return {name for name in self.ports if self.binds(name)}


def later(inside: Block, name: str) -> Value:
    """What a name stands for behind a box."""

    def leave() -> End:
        return inside.left(name)

    return leave
