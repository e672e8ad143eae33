"""The door of a derivative object: the text's function, callable in the ways the object promises.

In: a unit, and what takes arguments of other kinds.
Out: a function that runs the same statements on the same lines. It also knows the seed as ``adjoint=`` (the tangents
as ``tangent=``), and hands arguments that are no numbers to another variant instead of refusing them.
Next: assemble.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Container, Mapping, Sequence
from functools import cache
from inspect import Parameter
from itertools import takewhile
from types import CellType, FunctionType
from typing import Any

import gast

from tangentlite import runtime, syntax
from tangentlite.compiling import function_of
from tangentlite.conditions import compiles
from tangentlite.emit.heads import CELLS, head
from tangentlite.emit.module import Unit, defaults, functions_in
from tangentlite.ir import EMPTY, Function, Param, Request
from tangentlite.parsing import parsed
from tangentlite.values import field, immutable

OTHER, CHOSEN, EACH = "_other_kinds", "_chosen", "_each"
RENEWED, ABSENT = "_renewed", "_absent"
CHECKS = {"numbers": "numeric", "alike": "is_alike"}
Defaults = tuple[Any, ...] | None
Named = dict[str, Any] | None
absent = object()  # what stands for an argument that was not given
DEFAULT = 1.0  # this very object: any other seed was passed by the caller


@immutable
class Door:
    """How an object is called: ``word`` (``adjoint``, ``tangent``) stands for the parameters ``seeds``, a tuple of them
    if ``several``; ``scalar``: seeds that a text leaves unchecked, since its result is a scalar, are checked here.
    ``other`` takes what is no number. ``renewed`` takes calls when the text is ``outdated``: a test, and what it reads.
    ``types``: the only ones that the text is for, if it is for numbers of Python. One that ``asks`` looks whether
    arguments are numbers; it need not where nothing else is sent to it.
    """

    seeds: tuple[str, ...]
    word: str
    several: bool
    scalar: bool
    other: Callable[..., Any]
    outdated: tuple[str, dict[str, Any]] | None
    renewed: Callable[..., Any]
    types: Mapping[str, type] = field(default_factory=dict)
    asks: bool = True

    @classmethod
    def of(cls, unit: Unit, request: Request, own: Container[str], *calls: Any) -> Door:
        """What a unit is called with, besides its ``own`` parameters."""
        seeds = tuple(p.name for p in unit.parts[0].params if p.name not in own)
        reverse = request.mode == "reverse"
        word = "adjoint" if reverse else "tangent"
        several, scalar = not reverse and request.several, reverse and request.check_dims
        return cls(seeds, word, several, scalar, *calls)


@compiles
def entrance(unit: Unit, door: Door) -> FunctionType:
    """A twin of the unit's first function."""
    trees = functions_in(unit.source)
    twins: dict[str, CellType] = {part.name: CellType() for part in unit.parts}
    for part, doc in zip(unit.parts, unit.docs):
        tree, (positional, keyword) = trees[part.name], defaults(part.params)
        if door.seeds and door.word not in {p.name for p in part.params}:
            keyword = {**(keyword or {}), **_named(tree, part, door)}
        _guarded(tree, part, door.asks)
        if door.types and part is unit.parts[0]:
            _insert(tree, 0, _head(part, door))
        test, watched = door.outdated or ("", {})
        fixed: dict[str, Any] = {}
        if test and part is unit.parts[0]:
            again = f"if {test}:\n    return {RENEWED}({_all(tree.args)})\n"
            late, positional, keyword, fixed = _late(positional, keyword, part, door.seeds)
            _insert(tree, 0, again + late)
        own = {OTHER: CellType(door.other), CHOSEN: CellType(_chooser(part, door))}
        own[EACH] = CellType(_divider(part, door))
        own |= {RENEWED: CellType(_again(door.renewed))}
        own |= {name: CellType(value) for name, value in {**watched, **fixed, **CELLS}.items()}
        cells = {**twins, **part.namespace.cells, **own}
        twin = function_of(tree, unit.file, cells, part.namespace.globals)
        twin.__defaults__, twin.__kwdefaults__, twin.__doc__ = positional, keyword, doc
        twins[part.name].cell_contents = twin
    first: FunctionType = twins[unit.parts[0].name].cell_contents
    return first


def _chooser(part: Function, door: Door) -> Callable[[Any, Any], Any]:
    """What picks the seed that the caller gave, under whichever name."""

    @cache
    def scalar() -> bool:
        return door.scalar and unchecked(part)

    def chosen(named: Any, printed: Any) -> Any:
        if named is not DEFAULT and printed is not DEFAULT:
            twice = f"{part.name}() got {door.word}= and {door.seeds[0]}=, which are the same"
            raise TypeError(twice)
        seed = printed if named is DEFAULT else named
        return runtime.seed(seed, 0.0) if scalar() else seed

    return chosen


def _divider(part: Function, door: Door) -> Callable[[Any], Any]:
    """What takes a tuple of seeds apart."""

    def each(given: Any) -> Any:
        if isinstance(given, (tuple, list)) and len(given) == len(door.seeds):
            return given
        shown, count = ", ".join(door.seeds), len(door.seeds)
        raise TypeError(f"{part.name}(): {door.word}= must be a tuple of {count}, for {shown}")

    return each


def unchecked(part: Function) -> bool:
    """Whether a function has a scalar result whose seed its text does not check."""
    for node in (n for s in part.body for n in syntax.walk(s)):
        if isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute):
            owner = node.func.value
            if (
                node.func.attr == "seed"
                and isinstance(owner, gast.Name)
                and _is_runtime(part, owner.id)
            ):
                return False
    return True


def _named(tree: ast.FunctionDef, part: Function, door: Door) -> dict[str, Any]:
    """``adjoint=`` stands for ``by``; what has no default must be given under one of the names."""
    given = {p.name: p for p in part.params}
    word, required = door.word, [s for s in door.seeds if given[s].default is EMPTY]
    first = tree.body[0]
    tree.args.kwonlyargs.append(ast.copy_location(ast.arg(word), first))
    tree.args.kw_defaults.append(ast.copy_location(ast.Constant(None), first))
    if required:
        taken = f"({', '.join(door.seeds)},) = {EACH}({word})"
        taken = taken if door.several else f"{door.seeds[0]} = {word}"
        text = f"if {word} is not None:\n    {taken}\n"
        for name in required:
            text += f"if {name} is None:\n    raise TypeError('{part.name}() needs {word}=')\n"
        _insert(tree, 0, text)
        return dict.fromkeys([word, *required])
    (seed,) = door.seeds
    away = _sends_away(first)
    if away is not None:
        passed = ast.keyword(word, ast.Name(word, ast.Load()))
        away.keywords.append(ast.fix_missing_locations(ast.copy_location(passed, away)))
    text = f"if {word} is not {seed}:\n    {seed} = {CHOSEN}({word}, {seed})\n"
    _insert(tree, int(away is not None), text)
    return {word: DEFAULT, seed: DEFAULT}


def _head(part: Function, door: Door) -> str:
    """Only what has the types of the door comes in."""
    own = [p for p in part.params if p.name not in door.seeds]
    seeds = [*door.seeds, door.word] if len(own) < len(part.params) else []
    return head(door.types, _passed(own), OTHER, seeds)


def _sends_away(statement: ast.stmt) -> ast.Call | None:
    """The call in the guard of the variant for floats, if a statement is that."""
    match statement:
        case ast.If(body=[ast.Return(ast.Call() as call)], orelse=[]):
            return call
    return None


def _guarded(tree: ast.FunctionDef, part: Function, asks: bool) -> None:
    """``rt.numbers(x)`` raises in the text; here other kinds go to their own variant."""
    for position, statement in enumerate(tree.body):
        match statement:
            case ast.Expr(ast.Call(ast.Attribute(ast.Name(rt), check), arguments)):
                if check in CHECKS and _is_runtime(part, rt):
                    shown = ", ".join(map(_spelled, arguments))
                    test = f"if not {rt}.{CHECKS[check]}({shown})"
                    call = f"{test}:\n    return {OTHER}({_passed(part.params)})\n"
                    del tree.body[position]
                    if asks or check != "numbers":
                        _insert(tree, position, call, statement)


def _spelled(argument: ast.expr) -> str:
    return argument.id if isinstance(argument, ast.Name) else ast.unparse(argument)


def _is_runtime(part: Function, name: str) -> bool:
    return part.namespace.binds(name) and part.namespace.lookup(name) is runtime


def _passed(params: Sequence[Param]) -> str:
    spelled = {
        Parameter.KEYWORD_ONLY: "{0}={0}",
        Parameter.VAR_POSITIONAL: "*{0}",
        Parameter.VAR_KEYWORD: "**{0}",
    }
    order = sorted(params, key=lambda p: p.kind is Parameter.VAR_KEYWORD)
    return ", ".join(spelled.get(p.kind, "{0}").format(p.name) for p in order)


def _late(
    positional: Defaults, keyword: Named, part: Function, seeds: Container[str]
) -> tuple[str, Defaults, Named, dict[str, Any]]:
    """Defaults that a text sets itself, after it has asked whether they are still those of the user's function."""
    own = {p.name: p.default for p in part.params if p.default is not EMPTY}
    own = {name: default for name, default in own.items() if name not in seeds}
    text = "".join(f"if {n} is {ABSENT}:\n    {n} = _{n}_as_usual\n" for n in own)
    fixed = {ABSENT: absent, **{f"_{name}_as_usual": value for name, value in own.items()}}
    given = {**(keyword or {}), **{n: absent for n in own if n in (keyword or {})}}
    return text, (absent,) * len(positional or ()) or None, given or None, fixed


def _again(renewed: Callable[..., Any]) -> Callable[..., Any]:
    """A call with what the caller gave, and nothing else: defaults may be others now."""

    def again(front: dict[str, Any], rest: tuple[Any, ...], named: dict[str, Any]) -> Any:
        given = list(takewhile(lambda value: value is not absent, front.values()))
        named = {**dict(list(front.items())[len(given) :]), **named}
        return renewed(*given, *rest, **{n: v for n, v in named.items() if v is not absent})

    return again


def _all(args: ast.arguments) -> str:
    """What a function was called with: positional parameters, the rest of them, those that are named."""
    front = ", ".join(f"{a.arg!r}: {a.arg}" for a in [*args.posonlyargs, *args.args])
    named = [f"{a.arg!r}: {a.arg}" for a in args.kwonlyargs]
    named += [f"**{args.kwarg.arg}"] if args.kwarg is not None else []
    rest = args.vararg.arg if args.vararg is not None else "()"
    return f"{{{front}}}, {rest}, {{{', '.join(named)}}}"


def _insert(tree: ast.FunctionDef, position: int, text: str, place: ast.stmt | None = None) -> None:
    """Statements that are not in the text stand on the line of one that is."""
    statements = parsed(text).body
    beside = place or tree.body[0]
    for node in syntax.nodes(statements):
        syntax.at(node, beside)
    tree.body[position:position] = statements
