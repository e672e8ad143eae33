"""The door of a derivative with loops: the helpers that these call, and tuples of states, are written out first.

In: a function, the units of its derivative for arguments of known kinds, what opens the door of these.
Out: ``fastest``; ``written``, ``emitted``: how functions are made whose text was changed.
Next: sliced.

A helper that is called in a loop costs a call in both sweeps, a record and adjoints of its own in each trip. Written
out, its values are names of the loop, in Python's floats where they are numbers.
"""

from __future__ import annotations

import functools
import zlib
from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Any

import gast

from tangentlite import emit, ir, pipeline, sharing, syntax
from tangentlite.analysis.kinds import Object
from tangentlite.conditions import compiles
from tangentlite.doors import floating
from tangentlite.emit import Late, Unit
from tangentlite.emit.module import defaults, load, remember
from tangentlite.errors import DerivativeError
from tangentlite.optimize.facts.nests import Nests
from tangentlite.runtime.checkpoints import slots_of

Called = Callable[..., Any]
Opened = Callable[[Unit, Any], FunctionType]
Write = Callable[[FunctionType, ir.Request], list[Unit]]
Read = Callable[[Any], ir.Function]
Places = frozenset[tuple[str, int]]
PASSES = 8


def fastest(units: Sequence[Unit], primal: Any, opened: Opened, write: Write) -> Called:
    """The door of the first of some units, of which the others are helpers."""
    looped = any(unit.repeats for unit in units)
    if looped and type(primal) is FunctionType and isinstance(units[0], Late):
        try:
            made = _made(primal, units[0].write().request, _called(units[1:]), write)
            if made is not None:
                there = functools.partial(in_floats, units, primal, opened)
                same = _seeds(made[0]) == _seeds(units)
                door = in_floats(*made, opened)
                return door if same else _without_seeds(door, there)
        except DerivativeError:
            pass
        except Exception:
            if floating.strict:
                raise  # whatever is wrong with a faster text, there is another one
    return in_floats(units, primal, opened)


def _seeds(units: Sequence[Unit]) -> list[str]:
    """What the parameters of the first text are called: a seed may be passed on by its name."""
    return [p.name for p in units[0].heads[0].params]


def _without_seeds(door: Called, there: Callable[[], Called]) -> Called:
    """A door to which calls go that give nothing by its name."""
    other = functools.cache(there)

    def called(*args: Any, **kwargs: Any) -> Any:
        return other()(*args, **kwargs) if kwargs else door(*args)

    called.__wrapped__ = door  # type: ignore[attr-defined]  # for debuggers
    return called


def in_floats(units: Sequence[Unit], primal: Any, opened: Opened) -> Called:
    """The door of the first of some units as they are."""
    return floating.fastest(units, functools.partial(opened, units[0], primal))


def _keeps(function: ir.Function) -> bool:
    """Whether a loop keeps as many states as the user says, who counts what a trip does."""
    space = function.namespace
    return any(space.lookup(n) is slots_of for n in function.contents.loads if space.binds(n))


@compiles
def _made(
    primal: FunctionType, request: ir.Request, called: Places, write: Write
) -> tuple[list[Unit], FunctionType] | None:
    """The derivative of the function with helpers written out, and that, if loops call any."""
    plain = request.mode == "reverse" and request.motion == "joint" and request.optimized
    if not plain or request.has_aux or request.together:
        return None
    read = pipeline.Linker(sharing.known(primal)).read
    function = read(primal)
    if function.generated or _keeps(function):
        return None
    from tangentlite import slices  # for functions with loops only

    found = function
    for _ in range(PASSES):
        before, owners = found, _owners(found, request, read, called)
        found = slices.inlined(found, read, owners, procedures=False)
        if found is before:
            break
    else:
        return None  # helpers that call each other
    found = slices.parted(found)
    if found is function or _keeps(found):
        return None
    made = emitted(found, "written out")
    return write(made, request), made


def _called(units: Sequence[Unit]) -> Places:
    """Where the helpers of a function were written."""
    origins = (unit.write().primal.origin for unit in units if isinstance(unit, Late))
    return frozenset((origin.file, origin.line) for origin in origins)


def _owners(
    function: ir.Function, request: ir.Request, read: Read, called: Places
) -> dict[str, type]:
    """The classes of what is an object whose attributes are known: arguments, and parts of them that are called."""
    kinds = {p.name: kind for p, kind in zip(function.params, request.kinds or ())}
    kinds = {name: kind for name, kind in kinds.items() if name not in function.bound}
    found = Nests(function.body, kinds, lambda func, callees: False).kinds if called else kinds
    owners = {n: k.owner for n, k in found.items() if isinstance(k, Object) and _is_plain(k)}
    return {
        n: o for n, o in owners.items() if n in kinds or _are_known(n, o, function, read, called)
    }


def _are_known(name: str, owner: type, function: ir.Function, read: Read, called: Places) -> bool:
    """Whether the methods of an object are those that were differentiated, whatever was done to what holds it."""
    from tangentlite.slices.called import method  # for functions with loops only

    meant = [c.func for c in function.contents.calls if name in syntax.loads(c.func)]
    names = [
        "__call__" if isinstance(func, gast.Name) else getattr(func, "attr", "") for func in meant
    ]
    methods = [method(owner, name) for name in names]
    origins = [read(m).origin for m in methods if m is not None]
    return len(origins) == len(names) and called.issuperset((o.file, o.line) for o in origins)


def _is_plain(kind: Object) -> bool:
    """Whether the methods of an object are those of its class."""
    from tangentlite.slices.called import has_plain_methods  # for functions with loops only

    plain = not (kind.optional or kind.loose or kind.fields)
    return plain and has_plain_methods(kind.owner, kind.keys)


def written(function: FunctionType, request: ir.Request) -> list[Unit]:
    """The derivative of a function that was made, and those of its helpers."""
    linker = pipeline.Linker(sharing.known(function))
    return [pipeline.derive(function, request, linker), *linker.units]


def emitted(function: ir.Function, what: str) -> FunctionType:
    """A function whose text was changed, as any other function that somebody has written."""
    source = emit.text(ir.Derived((function,), function, ir.Request()))
    file = f"<{what}: {function.name} {zlib.crc32(source.encode()):08x}>"
    remember(source, file)
    (made,) = load(source, file, [function.name], [function.namespace])
    made.__defaults__, made.__kwdefaults__ = defaults(function.params)
    return made
