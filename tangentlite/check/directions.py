"""Along what to move the arguments, and with what to weigh the results.

In: a space and a point in it.
Out: ``Direction``s, whose steps fit the size of what they move; seeds.
Next: checking.
"""

from __future__ import annotations

import re

import numpy as np

from tangentlite.check.nests import Leaf, Space, Vector
from tangentlite.values import immutable

SINGLE = 12  # entries that are tried one by one
GROUPS = 12
RANDOM = 2


@immutable(eq=False)
class Direction:
    """A vector to move along, and what to call it; ``unit``: how long it is if it is called by a single entry."""

    label: str
    vector: Vector
    unit: float = 1.0


def name(space: Space, entry: int) -> str:
    """What an entry of a vector is called.

    >>> name(Space({"w": np.zeros((2, 2))}), 3), name(Space(1.0), 0)
    ('w[1, 1]', 'the result')
    """
    (leaf,) = (leaf for leaf in space.leaves if leaf.start <= entry < leaf.stop)
    index = (entry - leaf.start) // (2 if leaf.complex else 1)
    where = ", ".join(str(int(i)) for i in np.unravel_index(index, leaf.shape))
    shown = _called(leaf) or ("the result" if not where else "result")
    return f"{shown}[{where}]" if where else shown


def _called(leaf: Leaf) -> str:
    return re.sub(r"^\['(\w+)'\]", r"\1", leaf.path)


def sizes(space: Space, at: Vector) -> Vector:
    """How large a step is worth taking in each entry."""
    result = np.abs(at)
    for leaf in space.leaves:
        part = result[leaf.start : leaf.stop]
        if part.size:
            told = part[(part > 0.0) & np.isfinite(part)]
            part[part == 0.0] = np.exp(np.mean(np.log(told))) if told.size else 1.0
    return result


def chosen(space: Space, at: Vector, rng: np.random.Generator) -> list[Direction]:
    """Each entry by itself if they are few; else groups of entries, and all at random."""
    size = sizes(space, at)
    if space.size <= SINGLE:
        units = np.eye(space.size) * size
        found = [Direction(name(space, k), units[k], size[k]) for k in range(space.size)]
        return found if space.size == 1 else [*found, *_random(size, rng, 1)]
    leaves = space.leaves if len(space.leaves) <= GROUPS else _some(space.leaves, rng)
    found = []
    for leaf in leaves if len(space.leaves) > 1 else []:
        vector = np.zeros(space.size)
        count = leaf.stop - leaf.start
        vector[leaf.start : leaf.stop] = weights(count, rng) * size[leaf.start : leaf.stop]
        found.append(Direction(f"a random direction of {_called(leaf)}", vector))
    return found + _random(size, rng, RANDOM)


def _some(leaves: list[Leaf], rng: np.random.Generator) -> list[Leaf]:
    return [leaves[k] for k in sorted(rng.choice(len(leaves), GROUPS, replace=False))]


def _random(size: Vector, rng: np.random.Generator, count: int) -> list[Direction]:
    return [Direction("a random direction", weights(size.size, rng) * size) for _ in range(count)]


def balanced(space: Space, at: Vector, gradient: Vector, rng: np.random.Generator) -> Direction:
    """A direction in which no entry of the gradient hides behind others."""
    size = sizes(space, at)
    share = np.abs(gradient) * size
    share[~np.isfinite(share)] = 0.0
    told = share[share > 0.0]
    aim = np.exp(np.mean(np.log(told))) if told.size else 1.0
    shrink = np.minimum(1.0, aim / np.where(share > 0.0, share, aim))
    return Direction("a random direction", weights(space.size, rng) * size * shrink)


def weights(count: int, rng: np.random.Generator) -> Vector:
    """Random numbers of which none is small."""
    signs: Vector = rng.choice((-1.0, 1.0), count)
    return np.multiply(rng.uniform(0.5, 1.5, count), signs)


def seeds(space: Space, rng: np.random.Generator) -> list[tuple[str, Vector]]:
    """What results are weighed with: one by one if they are few, leaf by leaf, all at random."""
    if space.size == 1:
        return [(name(space, 0), np.ones(1))]
    if space.size <= 4:
        return [(name(space, k), unit) for k, unit in enumerate(np.eye(space.size))]
    found = []
    for leaf in space.leaves if 1 < len(space.leaves) <= 6 else []:
        seed = np.zeros(space.size)
        seed[leaf.start : leaf.stop] = weights(leaf.stop - leaf.start, rng)
        found.append((f"a random weighing of {_called(leaf)}", seed))
    return [*found, ("a random weighing of the result", weights(space.size, rng))]
