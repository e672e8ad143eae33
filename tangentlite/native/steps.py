"""The steps that turn the text of a kernel into loops, in their order.

In: the text of a kernel, how what is known of its names is found.
Out: the text with loops in place of statements on arrays.
Next: workshop.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from tangentlite.native.bundles import bound_anew, no_chains, without_closures
from tangentlite.native.facts.doubles import doubles
from tangentlite.native.facts.names import begun_as, stores
from tangentlite.native.facts.ranks import Names
from tangentlite.native.facts.told import told
from tangentlite.native.facts.webs import parted
from tangentlite.native.kernel import Meaning
from tangentlite.native.lists import without_lists
from tangentlite.native.looping.ahead import ahead
from tangentlite.native.looping.interchange import Interchanger
from tangentlite.native.looping.loops import Looper
from tangentlite.native.looping.registers import Registers
from tangentlite.native.looping.reread import Reader
from tangentlite.native.looping.small import spread_out
from tangentlite.native.looping.stacking import stacked
from tangentlite.native.memory.flat import flat
from tangentlite.native.memory.growing import grown
from tangentlite.native.memory.held import held, released
from tangentlite.native.memory.inner import widened
from tangentlite.native.memory.opening import opened
from tangentlite.native.memory.rederived import rederived
from tangentlite.native.memory.returned import returned
from tangentlite.native.memory.reused import reused
from tangentlite.native.memory.rowwise import rowwise
from tangentlite.native.memory.straight import straight
from tangentlite.native.memory.traded import in_rows
from tangentlite.native.memory.unbound import marked
from tangentlite.native.memory.unread import without_unread
from tangentlite.native.memory.viewed import viewed


def prepared(
    tree: ast.FunctionDef,
    meaning: Meaning,
    known: Callable[[ast.FunctionDef], Names],
    loops: bool,
    double: bool,
) -> Names:
    """What is known of the names, once the text says all that loops are made of.

    ``loops``: they may be written; ``double``: no array is of float32.
    """
    no_chains(tree)
    parted(tree)
    without_closures(tree, meaning)
    opened(tree, meaning, known)
    flat(tree)
    without_lists(tree.body, meaning)
    names = known(tree)
    if bound_anew(tree, names.ranks, meaning):
        names = known(tree)
    if called_again(tree, names) | widened(tree, names) | viewed(tree, names, meaning):
        names = known(tree)
    marks = marked(tree, names) if double else frozenset[str]()
    if marks:
        names = known(tree)
    names = known(tree) if double and straight(tree, names, meaning) else names
    while told(tree, names, meaning):
        names = known(tree)
    names = known(tree) if returned(tree, names, meaning) else names
    if loops and rederived(tree, names, meaning):
        names = known(tree)
    if loops and stacked(tree, names, meaning) | ahead(tree, names, meaning):
        names = known(tree)
    if loops and grown(tree, names, meaning):
        names = known(tree)
    names.marks = marks
    if loops and (apart := held(tree, names)):
        names = known(tree)
        names.marks, names.held = marks, apart
    return names


def called_again(tree: ast.FunctionDef, names: Names) -> bool:
    """Arrays that are given, and whose names are bound again, have a second name by which their lengths are known.

    >>> tree = ast.parse("def f(p, q, n):\\n for i in range(n):\\n  p, q = q, p").body[0]
    >>> called_again(tree, type("Names", (), {"ranks": {"p": 1, "q": 1, "n": 0}}))
    True
    >>> print(ast.unparse(tree.body[:2]))
    p_given = p
    q_given = q
    """
    known = {param for _, param in begun_as(tree)}
    taken = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}
    again = set(stores(tree.body)) - {n for n in names.ranks if names.ranks[n] < 1} - known
    lines = [f"{a.arg}_given = {a.arg}" for a in tree.args.args if a.arg in again]
    made = ast.parse("\n".join(lines)).body
    if not made or not taken.isdisjoint(stores(made)):
        return False
    tree.body = [*made, *tree.body]
    return True


def looped(
    tree: ast.FunctionDef,
    names: Names,
    meaning: Meaning,
    double: bool,
    copies: frozenset[str],
    asked: frozenset[str] | None,
) -> None:
    """Statements on arrays become loops, in the order of memory.

    ``copies``: arguments that are the kernel's alone; ``asked``: what is given back, and asked for nothing but its
    shape; None in helpers.
    """
    looper = Looper(tree, names, meaning, double)
    tree.body = looper.whole(tree.body)
    spread_out(tree, looper.fresh, names.floating)
    registers = Registers(names, meaning, looper.fresh)
    changer = Interchanger(tree, names, registers.is_known, looper.fresh)
    tree.body = registers.block(changer.block(tree.body))
    tree.body = Reader(names, looper.fresh).block(tree.body)
    released(tree, names.held)
    without_unread(tree)
    rowwise(tree, names.ranks, looper.fresh, doubles(tree, names, meaning, double))
    reused(tree, looper.fresh)
    if double and looper.writes:
        in_rows(tree, names, looper.claims, meaning, copies, asked)
