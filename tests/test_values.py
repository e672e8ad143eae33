"""Classes whose instances are their fields."""

from __future__ import annotations

import pytest

from tangentlite.values import field, immutable, mutable, replace


@immutable
class Plain:
    a: int
    b: tuple[int, ...] = ()
    c: list[int] = field(default_factory=list, compare=False, repr=False)


@immutable
class Wider(Plain):
    d: str = "d"


@immutable(eq=False)
class Single:
    a: int


@mutable
class Box:
    a: int
    late: int = field(init=False)

    def __post_init__(self) -> None:
        self.late = self.a + 1


def test_fields_are_set_by_position_by_name_and_by_default() -> None:
    item = Plain(1, c=[2])
    assert (item.a, item.b, item.c) == (1, (), [2])
    assert Plain(1).c is not Plain(1).c
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'a'"):
        Plain()  # type: ignore[call-arg]


def test_values_are_equal_by_the_fields_that_are_compared() -> None:
    assert Plain(1, c=[1]) == Plain(1, c=[2]) != Plain(2)
    assert hash(Plain(1, c=[1])) == hash(Plain(1))
    assert Plain(1) != Wider(1)
    assert len({Single(1), Single(1)}) == 2


def test_fields_of_a_base_come_first() -> None:
    assert repr(Wider(1, (2,), [], "e")) == "Wider(a=1, b=(2,), d='e')"
    match Wider(1, (2,)):
        case Wider(a, b, _, d):
            assert (a, b, d) == (1, (2,), "d")


def test_replacing_makes_another_one() -> None:
    first = Plain(1, (2,))
    other = replace(first, a=3)
    assert (first.a, other.a, other.b) == (1, 3, (2,))
    assert replace(Box(1), a=5).late == 6
