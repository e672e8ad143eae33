"""A golden file: a function and a REQUEST above the marker, the expected source below it.

``REQUEST`` has the keys
    call    "grad" (default), "value_and_grad" or "autodiff": the entry of the public interface
            (``"motion": "split"`` of autodiff shows the forward and the backward function)
    of      the function's name, "f" unless given
    points  tuples of arguments at which the numbers are compared
    shapes  True: floats given for wrt are tried as float32, 0-d, (1,) and (3,) as well
and all others are passed to the entry: wrt, mode, motion, optimized …
"""

from __future__ import annotations

import inspect
import linecache
import sys
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import tangentlite as tl

MARKER = "# ---- expected ----\n"
OWN = ("call", "of", "points", "shapes")


class Split:
    """Forward and backward, called one after the other."""

    def __init__(self, forward: Any, backward: Any) -> None:
        self.forward, self.backward = forward, backward
        self.source = "".join(linecache.getlines(forward.__code__.co_filename))

    def __call__(self, *args: Any) -> Any:
        return self.backward(self.forward(*args)[1], 1.0)


@dataclass(frozen=True, slots=True)
class Case:
    path: Path
    head: str
    expected: str
    function: Any
    request: dict[str, Any]

    @property
    def call(self) -> str:
        return self.request.get("call", "grad")

    @property
    def wrt(self) -> tuple[str, ...]:
        """The names of the parameters that the derivative is taken in."""
        given = self.request.get("wrt", 0)
        given = given if isinstance(given, tuple) else (given,)
        return tuple(self.names[w] if isinstance(w, int) else w for w in given)

    @property
    def names(self) -> list[str]:
        """The names of the function's parameters, without the seed of a function that is a derivative."""
        params = inspect.signature(self.function).parameters.values()
        return [p.name for p in params if p.kind is not p.KEYWORD_ONLY]

    @property
    def forward(self) -> bool:
        return self.request.get("mode") == "forward"

    def derive(self) -> Any:
        options = {k: v for k, v in self.request.items() if k not in OWN}
        derived = getattr(tl, self.call)(self.function, **options)
        return Split(*derived) if isinstance(derived, tuple) else derived

    def write(self, source: str) -> None:
        self.path.write_text(self.head + MARKER + source)


def read(path: Path) -> Case:
    """The case in a file; what stands below the marker is text and is not run."""
    head, _, expected = path.read_text().partition(MARKER)
    name = f"golden_{path.stem}"
    module = sys.modules[name] = ModuleType(name)
    module.__file__ = str(path)
    exec(compile(head, str(path), "exec", dont_inherit=True), module.__dict__)
    request = module.REQUEST
    return Case(path, head, expected, getattr(module, request.get("of", "f")), request)
