"""Arrays are emptied when all that was taken out of them was used, and signs move to where numbers are added."""

from __future__ import annotations

import pytest

from tangentlite import runtime
from tangentlite.optimize.facts.scope import Scope
from tangentlite.optimize.products.late import late
from tangentlite.optimize.samples import USER, Pass, function, text_of
from tangentlite.optimize.sums.signs import signs

START = "bx = np.zeros(n)\nbz = np.zeros(n)\n"
TAKEN = "t1 = bx[1:].copy()\nbx[1:] = 0.0\n"
STAYS = {
    "the array is written before the last use": TAKEN + "bx[:-1] += t1\nbz[1:] += t1",
    "it is read": TAKEN + "bz[1:] += bx[1:]\nbz[1:] += t1",
    "a view of it is read": "bv = bx[2:]\n" + TAKEN + "bz[2:] += bv\nbz[1:] += t1",
    "what was taken is kept": TAKEN + "bt = t1\nbz[1:] += t1\nbx[1:] += bt",
    "what was taken is returned": TAKEN + "bz[1:] += t1\nreturn t1",
    "what was taken is put on a list": TAKEN + "tape.append(t1)",
    "what was taken is stored as a whole": TAKEN + "bz[0] = t1",
    "what was taken is written": TAKEN + "t1[0] = 2.0\nbz[1:] += t1",
    "a call may write": TAKEN + "print(x)\nbz[1:] += t1",
    "the index moves": "t1 = bx[i:].copy()\nbx[i:] = 0.0\ni = i + 1\nbz[1:] += t1",
    "a branch": TAKEN + "if n:\n    bz[1:] += t1",
    "another place is emptied": "t1 = bx[1:].copy()\nbx[:-1] = 0.0\nbz[1:] += t1",
    "a name in between": TAKEN + "bt = rt.unbroadcast(t1, y)\nbx[:-1] += bt",
    "what is stored is changed": "t1 = bx[1:].copy()\nbx[1:] = t1 * bz[1:]\nbz[1:] += t1",
    "what is stored has another name": "t1 = bx[1:].copy()\nbx[1:] = t1 * y\ny = z\nbz[1:] += t1",
    "what is stored is changed before": "t1 = bx[1:].copy()\nbx[:-1] = y\nbx[1:] = t1 * y",
}
MOVES = {
    "one use": (TAKEN + "bz[1:] += t1", "t1 = bx[1:]\nbz[1:] += t1\nbx[1:] = 0.0"),
    "two uses, and then the array": (
        TAKEN + "bz[1:] += t1\nbt = t1 * y\nbx[:-1] += bt",
        "t1 = bx[1:]\nbz[1:] += t1\nbt = t1 * y\nbx[1:] = 0.0\nbx[:-1] += bt",
    ),
    "a name in between": (
        TAKEN + "bt = rt.unbroadcast(t1, y)\nbz[1:] += bt",
        "t1 = bx[1:]\nbt = rt.unbroadcast(t1, y)\nbz[1:] += bt\nbx[1:] = 0.0",
    ),
    "a product": ("t1 = bx[1:].copy()\nbx[1:] = t1 * y", "bx[1:] *= y"),
    "a product with the array": (
        "t1 = bx[1:].copy()\nbx[1:] = t1 * bx[:-1]",
        "t1 = bx[1:]\nbx[1:] = t1 * bx[:-1]",
    ),
    "a product that is needed twice": (
        "t1 = bx[1:].copy()\nbx[1:] = t1 * y\nbz[1:] += t1",
        "t1 = bx[1:]\nbz[1:] += t1\nbx[1:] *= y",
    ),
    "a product the other way round": (
        "t1 = bx[1:].copy()\nbx[1:] = y * t1",
        "t1 = bx[1:]\nbx[1:] = y * t1",
    ),
    "a sum of what was taken": (
        "t1 = bx[...].copy()\nbt = rt.unbroadcast(t1, y)\nbx[...] = bt * y\nbz[1:] += bt",
        "t1 = bx[...]\nbt = rt.unbroadcast(t1, y)\nbz[1:] += bt\nbx[...] = bt * y",
    ),
}
SIGNED = {
    "summed down": (
        "bt = -bz * y\nbt = rt.unbroadcast(bt, y)\nbx[1:] += bt",
        "bt = bz * y\nbt = rt.unbroadcast(bt, y)\nbx[1:] -= bt",
    ),
    "subtracted": ("bt = -bz\nbx[1:] -= bt", "bx[1:] += bz"),
    "read twice": (
        "bt = -bz * y\nbx[1:] += bt\nbx[:-1] -= bt * 2.0",
        "bt = bz * y\nbx[1:] -= bt\nbx[:-1] += bt * 2.0",
    ),
    "under other names": (
        "bt = -bz[1:] * y\nbt3 = rt.unbroadcast(bt, n)\nbx[1:] += bt3\nbx[:-1] -= bt3\nbt4 = -bt\nbz[1:] += bt4",
        "bt = bz[1:] * y\nbt3 = rt.unbroadcast(bt, n)\nbx[1:] -= bt3\nbx[:-1] += bt3\nbt4 = bt\nbz[1:] += bt4",
    ),
    "into a number": ("bt = -bz * 0.5\nreturn bt", "bt = bz * -0.5\nreturn bt"),
}
UNSIGNED = {
    "read elsewhere": "bt = -bz * y\nbx[1:] += bt\nreturn bt",
    "written before": "bt = -bz[1:]\nbz[1:] = 0.0\nbx[1:] += bt",
    "summed after": "bt = -bz[1:]\nbz[2:] += y\nbx[1:] += bt",
    "changed itself": "bt = -bz * y\nbt3 = -bt\nbt3 *= 2.0\nbx[1:] += bt\nbx[1:] += bt3",
    "no adjoint": "bt = -y * bz\nbx[1:] += bt",
    "added to a value": "bt = -bz * y\ny[1:] += bt",
    "a place that it is": "bt = -bz * y\nbx[bt] += bt",
    "in a branch": "bt = -bz * y\nif n:\n    bx[1:] += bt",
}


def after(step: Pass, text: str) -> str:
    numbered = text.replace("bt", "bt2")
    sample = function(START + numbered, names={"rt": runtime})
    result = text_of(step(sample.body, Scope(sample, USER, lambda callee: callee is not print)))
    return result.removeprefix(START).replace("bt2", "bt").strip()


def plain(text: str) -> str:
    return text_of(function(text).body).strip()


@pytest.mark.parametrize("text", STAYS.values(), ids=STAYS)
def test_what_must_be_copied(text: str) -> None:
    assert after(late, text) == plain(text)


@pytest.mark.parametrize(("text", "expected"), MOVES.values(), ids=MOVES)
def test_what_need_not_be_copied(text: str, expected: str) -> None:
    assert after(late, text) == plain(expected)


@pytest.mark.parametrize("text", UNSIGNED.values(), ids=UNSIGNED)
def test_signs_that_stay(text: str) -> None:
    assert after(signs, text) == plain(text)


@pytest.mark.parametrize(("text", "expected"), SIGNED.values(), ids=SIGNED)
def test_signs_that_move(text: str, expected: str) -> None:
    assert after(signs, text) == plain(expected)
