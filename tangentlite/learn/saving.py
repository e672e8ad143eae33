"""The state of a training in an npz file.

In: parameters, an optimizer, a history.
Out: a file; the same again from it.
Next: training.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np

from tangentlite.learn.nests import has_attributes, is_parameter, named, parts, replaced


def saved(
    path: str | Path, parameters: Any, optimizer: Any, history: Any, stopping: Any = None
) -> None:
    """Write the state; a file that is there is replaced as a whole."""
    state: dict[str, Any] = {f"parameter/{n}": v for n, v in named(parameters).items()}
    state |= {f"kept/{n}": told(v) for n, (_, _, v) in kept(parameters).items()}
    for what, slot in optimizer.memory.items():
        state |= {f"memory/{what}/{name}": value for name, value in slot.items()}
    state |= {
        "optimizer": type(optimizer).__name__,
        "count": optimizer.count,
        "losses": history.losses,
        "validation": history.validation,
    }
    for epoch, known in enumerate(history.parameters):
        state |= {f"history/{epoch}/{name}": value for name, value in known.items()}
    if stopping is not None:
        state |= {"best": stopping.best, "waited": stopping.waited}
    target = Path(path)
    unfinished = target.with_name(target.name + ".part")
    with open(unfinished, "wb") as file:
        np.savez(file, **state)
    os.replace(unfinished, target)


def restored(
    path: str | Path, parameters: Any, optimizer: Any, history: Any, stopping: Any = None
) -> Any:
    """Give the parameters of a file, and put the rest where it was; without a file all stays as it is."""
    if not Path(path).exists():
        return parameters
    known = _read(path)
    _compare(path, known, named(parameters), optimizer)
    values = {n: _like(v, known[f"parameter/{n}"]) for n, v in named(parameters).items()}
    parameters = replaced(parameters, values)
    for name, (owner, key, old) in kept(parameters).items():
        setattr(owner, key, _like(old, known[f"kept/{name}"]))
    for name in (n for n in known if n.startswith("memory/")):
        _, what, slot = name.split("/", 2)
        optimizer.memory.setdefault(what, {})[slot] = _plain(known[name])
    optimizer.count = int(known["count"])
    history.losses = known["losses"].tolist()
    history.validation = known["validation"].tolist()
    history.parameters = [
        {n.split("/", 2)[2]: v for n, v in known.items() if n.startswith(f"history/{epoch}/")}
        for epoch in range(len(history.losses) if history.keep_parameters else 0)
    ]
    if stopping is not None and "best" in known:
        stopping.best, stopping.waited = float(known["best"]), int(known["waited"])
    return parameters


def _read(path: str | Path) -> dict[str, Any]:
    try:
        with np.load(path) as state:
            return {name: state[name] for name in state.files}
    except (ValueError, OSError, AttributeError) as error:
        raise ValueError(f"{path} has no state of a training: {error}") from error


def _compare(path: str | Path, known: dict[str, Any], here: dict[str, Any], optimizer: Any) -> None:
    """Refuse the state of other parameters, or of another optimizer."""
    there = {name[10:]: value for name, value in known.items() if name.startswith("parameter/")}
    for name in [*here, *there]:
        shapes = [np.shape(names[name]) if name in names else None for names in (there, here)]
        if shapes[0] != shapes[1]:
            found, wanted = (f"the shape {s}" if s is not None else "no place" for s in shapes)
            raise ValueError(
                f"{path} is of another model: there {name!r} has {found}, here it has {wanted}"
            )
    used, given = str(known.get("optimizer", "")), type(optimizer).__name__
    if used and used != given:
        raise ValueError(f"{path} is of a training by {used}, and not by {given}")


def kept(nest: Any) -> dict[str, tuple[Any, str, Any]]:
    """What objects keep besides their parameters, by name: floats, arrays of them, counts, generators."""
    found: dict[str, tuple[Any, str, Any]] = {}
    waiting, seen = [("", nest)], set()
    while waiting:
        path, one = waiting.pop(0)
        if id(one) in seen:
            continue
        seen.add(id(one))
        chosen = {key for key, _ in parts(one)} if has_attributes(one) else set()
        for key, part in parts(one, every=True):
            name = f"{path}.{key}"
            if has_attributes(one) and _number(part) and not (key in chosen and is_parameter(part)):
                found[name] = one, key, part
            waiting.append((name, part))
    return found


def _number(value: Any) -> bool:
    whole = isinstance(value, int) and not isinstance(value, bool)
    return is_parameter(value) or whole or isinstance(value, np.random.Generator)


def told(value: Any) -> Any:
    """What stands for a value in the file: of a generator of random numbers its state."""
    if isinstance(value, np.random.Generator):
        return json.dumps(value.bit_generator.state, default=lambda array: array.tolist())
    return value


def _like(old: Any, new: Any) -> Any:
    """A saved value, of the type that it had."""
    if isinstance(old, np.random.Generator):
        old.bit_generator.state = json.loads(str(new))
        return old
    return new if isinstance(old, np.ndarray) else type(old)(new[()])


def _plain(value: Any) -> Any:
    return value if value.ndim else float(value)
