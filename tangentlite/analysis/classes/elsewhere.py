"""The attributes that are set anywhere in the files of a program, besides where objects are made.

In: the function that is differentiated, the classes and helpers that it uses.
Out: names of attributes; ``ANY`` if names may be computed, ``IN_PLACE`` if arrays, lists or dicts may be written.
Next: keeping.
"""

from __future__ import annotations

import ast
import functools
import inspect
import linecache
from collections.abc import Callable, Iterator
from contextlib import suppress
from contextvars import ContextVar
from types import CodeType, FunctionType, ModuleType
from typing import Any, TypeVar

from tangentlite.frontend import writing
from tangentlite.frontend.refusals import CHANGES
from tangentlite.frontend.writing import LOOKING, METHODS
from tangentlite.parsing import parsed

Derive = TypeVar("Derive", bound=Callable[..., Any])
START = ContextVar[Any]("START", default=None)
MAKING = ("__init__", "__post_init__", "__new__")
WRITING = frozenset(CHANGES) | METHODS | set("copyto putmask place put_along_axis at".split())
WRITING |= set("fill_diagonal heappush heappop heapify insort appendleft popleft rotate".split())
ANY, IN_PLACE = "*", "[]"


def started(derive: Derive) -> Derive:
    """A function whose first argument is what the user differentiates."""

    @functools.wraps(derive)
    def at_start(function: Any, *args: Any, **kwargs: Any) -> Any:
        token = START.set(inspect.unwrap(function))
        try:
            return derive(function, *args, **kwargs)
        finally:
            START.reset(token)

    return at_start  # type: ignore[return-value]


def stored(file: str, owner: type) -> frozenset[str]:
    """What is set in the files that differentiation can reach, in a helper's, and in those of a class."""
    methods = [f for base in owner.__mro__[:-1] for f in vars(base).values()]
    files = {file, *map(_file, methods), *map(_file, _reached(START.get()))}
    return frozenset().union(*map(_stored, files - {""}))


def of_class(owner: type) -> frozenset[str]:
    """What the program sets of a class itself, or of one that it inherits from: ``C.n = v``, ``cls.n += 1``."""
    found: set[str] = set()
    for function in _reached(START.get()):
        if not isinstance(function, FunctionType):
            continue
        line = function.__code__.co_firstlineno
        for path, attr in _owned(_file(function)).get(line, ()):
            meant = _meant(path, function)
            if meant is None or (isinstance(meant, type) and issubclass(owner, meant)):
                found.add(attr)
    return frozenset(found)


def _meant(path: str, function: FunctionType) -> Any:
    """What a dotted name means outside of a function; None of the class in a class method."""
    if path == "cls" or path.startswith("type(") or path.endswith(".__class__"):
        return None
    name, *attrs = path.split(".")
    code, cells = function.__code__, function.__closure__ or ()
    with suppress(ValueError):  # a cell that is not bound yet
        inner = dict(zip(code.co_freevars, (c.cell_contents for c in cells)))
        return functools.reduce(
            lambda found, attr: getattr(found, attr, ""),
            attrs,
            inner.get(name, function.__globals__.get(name, "")),
        )
    return ""


def is_same(owner: type) -> bool:
    """Whether a table may take an object for the same when its attributes are others, and the program sets some."""
    by_identity = getattr(owner, "__hash__", None) is object.__hash__
    return by_identity and bool(stored("", owner))


def _reached(function: Any) -> Iterator[Any]:
    """The functions and modules of the user that a function has names for, and those have."""
    seen, waiting = set[int](), [function]
    while waiting:
        value = waiting.pop()
        if isinstance(value, ModuleType):
            if value.__name__.partition(".")[0] not in LOOKING:
                yield value
            continue
        value = getattr(value, "func", getattr(value, "fget", getattr(value, "__func__", value)))
        if id(value) in seen or writing.root(value) in LOOKING | {"builtins"}:
            continue
        seen.add(id(value))
        if isinstance(value, FunctionType):
            yield value
            names = _names(value.__code__)
            waiting += [v for n, v in list(value.__globals__.items()) if n in names]
            waiting += _captured(value)
        elif isinstance(value, type):
            waiting += vars(value).values()


def _names(code: CodeType) -> set[str]:
    """The names that a function and those inside it read from outside."""
    inner = (c for c in code.co_consts if isinstance(c, CodeType))
    return {*code.co_names}.union(*map(_names, inner))


def _captured(function: FunctionType) -> Iterator[Any]:
    for cell in function.__closure__ or ():
        with suppress(ValueError):  # it is not bound yet
            yield cell.cell_contents


def _file(value: Any) -> str:
    if isinstance(value, ModuleType):
        return getattr(value, "__file__", None) or ""
    function = getattr(value, "__func__", value)
    return function.__code__.co_filename if isinstance(function, FunctionType) else ""


@functools.lru_cache(256)
def _owned(file: str) -> dict[int, set[tuple[str, str]]]:
    """The attributes that functions of a file set, with the text of their owners, by the line where one begins."""
    found: dict[int, set[tuple[str, str]]] = {}
    for function in ast.walk(_tree(file)):
        if not isinstance(function, ast.FunctionDef):
            continue
        line = min([function.lineno, *(d.lineno for d in function.decorator_list)])
        pairs = found.setdefault(line, set())
        for node in ast.walk(function):
            match node:
                case ast.Attribute(value=owner, attr=attr, ctx=ast.Store()):
                    pairs.add((ast.unparse(owner), attr))
                case ast.Call(ast.Name("setattr"), [owner, ast.Constant(str() as attr), _]):
                    pairs.add((ast.unparse(owner), attr))
    return found


@functools.lru_cache(256)
def _stored(file: str) -> frozenset[str]:
    tree = _tree(file)
    return frozenset(_set_in(tree, "", _numbers(tree)))


def _tree(file: str) -> Any:
    try:
        return parsed("".join(linecache.getlines(file)))
    except SyntaxError:
        return ast.Module([], [])


def _numbers(tree: ast.AST) -> set[str]:
    """The names that are bound to numbers that are written down, and to nothing else: ``s = 0.0``, ``s += v``."""
    nodes = list(ast.walk(tree))
    pairs = [p for n in nodes if isinstance(n, ast.Assign) for p in _pairs(n)]
    known = [t for t, v in pairs if isinstance(v, ast.Constant)]
    known += [n.target for n in nodes if isinstance(n, ast.AugAssign)]
    numbers = {t.id for t in known if isinstance(t, ast.Name)}
    others = {*nodes}.difference(known)
    bound = {n.id for n in others if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return numbers - bound - {n.arg for n in others if isinstance(n, ast.arg)}


def _pairs(node: ast.Assign) -> Iterator[tuple[ast.expr, ast.expr]]:
    """The targets of an assignment with their values: ``xs, s = [], 0.0``."""
    for target in node.targets:
        match target, node.value:
            case ast.Tuple(elts=names), ast.Tuple(elts=values) if len(names) == len(values):
                yield from zip(names, values)
            case _:
                yield target, node.value


def _set_in(tree: ast.AST, own: str, numbers: set[str]) -> Iterator[str]:
    """What is set in a tree; where an object is made, the attributes of ``own`` do not count."""
    for node in ast.iter_child_nodes(tree):
        match node:
            case ast.FunctionDef(name=name, args=ast.arguments(args=[first, *_])) if name in MAKING:
                yield from _set_in(node, first.arg, numbers)
                continue
            case ast.Attribute(attr="__dict__"):
                yield ANY
            case ast.Attribute(value=value, attr=attr, ctx=ast.Store() | ast.Del()):
                if not own or getattr(value, "id", None) != own:
                    yield attr
            case ast.Subscript(ctx=ast.Store() | ast.Del()) | ast.keyword(arg="out"):
                yield IN_PLACE
            case ast.AugAssign(target=ast.Name(id=name)) if name in numbers:
                pass
            case ast.AugAssign():
                yield IN_PLACE
            case ast.Call():
                yield from _by_call(node, own)
        yield from _set_in(node, own, numbers)


def _by_call(node: ast.Call, own: str) -> Iterator[str]:
    """What a call sets."""
    called = getattr(node.func, "attr", getattr(node.func, "id", ""))
    first = getattr(node.args[0], "id", "") if node.args else ""
    if called in WRITING:
        yield IN_PLACE
    if called == "vars":
        yield ANY
    if own and first == own:  # it is made
        return
    if called.strip("_") in ("setattr", "delattr"):
        keys = [a.value for a in node.args if isinstance(a, ast.Constant)]
        yield next((k for k in keys if isinstance(k, str)), ANY)
    if called in MAKING and not isinstance(getattr(node.func, "value", None), ast.Call):
        yield ANY  # `x.__init__(v)`
