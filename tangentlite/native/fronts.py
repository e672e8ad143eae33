"""The short way into a kernel: one function for arguments of the very types that a call had; the rest goes around.

In: the door of a kernel, the arguments of a call that went through it.
Out: a function that tests types, makes the arrays for the results, and calls machine code.
Next: native.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from types import CellType, FunctionType
from typing import Any

import numpy as np

from tangentlite import runtime
from tangentlite.compiling import function_of
from tangentlite.emit.module import register
from tangentlite.errors import OverlapError
from tangentlite.guards import Watch
from tangentlite.native.calls import Call, Waiting
from tangentlite.native.copied import copied
from tangentlite.native.finishing import Finish, Named, renamed
from tangentlite.native.kernel import Meaning, meaning_in
from tangentlite.parsing import parsed

OWN: dict[str, Any] = {
    "_type": type,
    "_len": len,
    "_float": float,
    "_int": int,
    "_array": np.ndarray,
    "_zeros": np.zeros,
    "_empty": np.empty,
}
DTYPES = {c: f"_dtype_{ord(c)}" for c in np.typecodes["AllInteger"] + "?efd"}
OWN |= {name: np.dtype(char) for char, name in DTYPES.items()}
TEXT = """
def {name}({params}, /, *_rest, **_named):
    if {tests}:
        _given = {given}
        try:
            pass
        except _Overlap:
            return _around(*_given)
        except Exception as fault:
            _explain(fault)
            raise
    return _around(*[v for v in ({params}, *_rest) if v is not _absent], **_named)
"""


def front(
    door: ast.FunctionDef,
    waiting: Waiting,
    args: tuple[Any, ...],
    around: Callable[..., Any],
    outdated: Watch | None,
) -> FunctionType | None:
    """The function; None if an argument is neither a number nor a plain array, or has an axis of length one.

    ``around`` takes all other calls, and those while the text is ``outdated``.
    """
    names = [a.arg for a in door.args.args][: len(args)]
    fixed = _fixed(door, len(args))
    tests = [_test(name, value) for name, value in zip(names, args)]
    if fixed is None or None in tests or not 0 < len(args) == len(names):
        return None
    values = {**dict(zip(names, args)), **fixed}
    call = _call(waiting, values)
    body = _body(door, call, values, meaning_in(waiting.space)) if call is not None else None
    if call is None or body is None:
        return None
    asked = _paired(list(map(str, tests)), names, args, dict(zip(waiting.params, call.alike)))
    asked += _short(call, waiting.params, names)
    asked += ["not _rest", "not _named", *([f"not ({outdated[0]})"] if outdated else [])]
    body = [*_bound(fixed), *copied(body, values, meaning_in(waiting.space))]
    text = _text(door.name, names, " and ".join(asked), body)
    own = {**OWN, "_absent": object(), "_around": around, **(outdated[1] if outdated else {})}
    own |= {"_explain": waiting.explain, "_Overlap": OverlapError, call.name: call.kernel}
    cells = {**call.space.cells, **{name: CellType(value) for name, value in own.items()}}
    (tree,) = parsed(text).body
    made = function_of(tree, register(text, door.name), cells, waiting.space.globals)
    made.__defaults__ = (own["_absent"],) * len(names)
    return made


def _text(name: str, names: list[str], tests: str, body: list[ast.stmt]) -> str:
    """Arguments are kept only where copies of them may turn out to overlap."""
    params = ", ".join(names)
    tree = parsed(TEXT.format(name=name, params=params, given=f"({params},)", tests=tests)).body[0]
    inside = tree.body[0]
    _kept, attempt = inside.body
    attempt.body = body
    calls = (n for s in body if isinstance(s, ast.Assign) for n in ast.walk(s))
    if not any(isinstance(c, ast.Call) and len(c.args) > 1 for c in calls):
        inside.body, attempt.handlers = [attempt], attempt.handlers[1:]
    return ast.unparse(ast.fix_missing_locations(tree))


def _bound(fixed: dict[str, Any]) -> Iterator[ast.stmt]:
    for name, value in fixed.items():
        yield ast.Assign([ast.Name(name, ast.Store())], ast.Constant(value))


def _fixed(door: ast.FunctionDef, count: int) -> dict[str, Any] | None:
    """The values of the parameters that are not given; None if one has none that is written down."""
    late = len(door.args.args) - len(door.args.defaults)
    pairs = [(a.arg, d) for a, d in zip(door.args.args[late:], door.args.defaults)]
    pairs = pairs[max(count - late, 0) :]
    named = zip(door.args.kwonlyargs, door.args.kw_defaults)
    pairs += [(a.arg, d or ast.Name(a.arg)) for a, d in named]
    several = door.args.vararg or door.args.kwarg or count < late
    if several or not all(isinstance(d, ast.Constant) for _, d in pairs):
        return None
    found = {name: d.value for name, d in pairs if isinstance(d, ast.Constant)}
    return found if all(type(v) in (int, float) for v in found.values()) else None


def _test(name: str, value: Any) -> str | None:
    """The text of the test whether an argument is of the type of a value."""
    if type(value) in (int, float):
        return f"_type({name}) is _{type(value).__name__}"
    if (
        type(value) is not np.ndarray
        or not value.ndim
        or OWN.get(DTYPES.get(value.dtype.char, ""), 0) is not value.dtype
    ):
        return None
    wide = {0: "", 1: f" and _len({name}) != 1"}.get(value.ndim, f" and 1 not in {name}.shape")
    same = f"{name}.ndim == {value.ndim} and {name}.dtype is {DTYPES[value.dtype.char]}"
    return f"_type({name}) is _array and {same}{wide}"


def _paired(
    tests: list[str], names: list[str], args: tuple[Any, ...], alike: dict[str, int]
) -> list[str]:
    """Of arrays that must have one shape, only the first is asked for axes of length one."""
    firsts = dict[int, str]()
    for k, (test, name, value) in enumerate(zip(tests, names, args)):
        first = firsts.setdefault(alike.get(name, -1 - k), name)
        if first != name:
            short = f"_len({name}) == _len({first})", f"{name}.shape == {first}.shape"
            known, _, _ = test.rpartition(" and ")
            tests[k] = f"{known} and {short[value.ndim > 1]}"
    return tests


def _short(call: Call, params: list[str], names: list[str]) -> Iterator[str]:
    """Short axes have the lengths that the kernel was made for; arrays that have one shape are asked once."""
    for k, (name, axes) in enumerate(zip(params, call.few)):
        if call.alike[k] == k or call.few[call.alike[k]] != axes:
            yield from (f"{name}.shape[{axis}] == {n}" for axis, n in axes if name in names)


def _call(waiting: Waiting, values: dict[str, Any]) -> Call | None:
    """What was compiled for such arguments, if no axis has length one; what is read from outside must be a number."""
    outside = {n: waiting.space.lookup(n) for n in waiting.params if n not in values}
    if not all(type(v) in (int, float) for v in outside.values()):
        return None
    if any(1 in np.shape(v) for v in values.values()):
        return None
    return waiting.known(tuple({**values, **outside}[n] for n in waiting.params))


def _body(
    door: ast.FunctionDef, call: Call, values: dict[str, Any], meaning: Meaning
) -> list[ast.stmt] | None:
    """The statements of the door, without checks of what is known; None if one is of another sort."""
    body, same = list[ast.stmt](), dict[str, str]()
    for statement in door.body:
        match statement:
            case ast.Expr(value=ast.Call(func=func)) if meaning(func) is runtime.numbers:
                continue
            case ast.Assign(value=ast.Call(func=func)) if meaning(func) is runtime.own:
                body.append(statement)
            case ast.Assign(targets=[target], value=ast.Call(func=ast.Name(id=call.name))):
                *lines, last = call.around
                body += [_Near(meaning).visit(copy.deepcopy(line)) for line in lines]
                assert isinstance(last, ast.Return)
                assert last.value is not None
                same |= renamed(target, last.value)
            case ast.Return(value=ast.expr() as value):
                value = Named(same).visit(copy.deepcopy(value))
                body.append(ast.Return(Finish(values, call, meaning).visit(value)))
            case _:
                return None
    return body


class _Near(ast.NodeTransformer):
    """What makes arrays is not looked up in NumPy at each call."""

    def __init__(self, meaning: Meaning) -> None:
        self._meaning = meaning

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        """``np.zeros``."""
        found = self._meaning(node)
        names = [name for name in ("_zeros", "_empty") if OWN[name] is found]
        return ast.Name(names[0], ast.Load()) if names else node
