"""Environments meet page by page, and only where they differ."""

from __future__ import annotations

from tangentlite.analysis.environment import PAGE, Environment
from tangentlite.analysis.kinds import Kind, Nothing, Num


def many(count: int) -> Environment:
    return Environment().binding({f"x{k}": Num() for k in range(count)})


def test_what_meets_itself_is_not_joined() -> None:
    state = many(3 * PAGE)

    def never(name: str, one: Kind, other: Kind) -> Kind:
        raise AssertionError(name)

    assert state.merge(state, never) is state


def test_only_unlike_pages_are_joined_each_name_with_its_own() -> None:
    state, asked = many(3 * PAGE), []

    def joined(name: str, one: Kind, other: Kind) -> Kind:
        asked.append(name)
        return one if one == other else Nothing()

    changed = state.bind(f"x{PAGE + 1}", Nothing())
    met = state.merge(changed, joined)
    assert asked == [f"x{k}" for k in range(PAGE, 2 * PAGE)]
    assert [n for n, kind in met.items() if kind == Nothing()] == [f"x{PAGE + 1}"]


def test_a_name_that_one_lacks_keeps_its_kind() -> None:
    state = many(PAGE)
    longer = state.bind("late", Nothing())
    for one, other in ((state, longer), (longer, state)):
        met = one.merge(other, lambda name, a, b: a)
        assert met["late"] == Nothing() and met["x0"] == Num()
