"""A function that tells what each of its statements makes: for the check, and for its derivatives.

In: a function.
Out: ``Observed``: the points of its text, and functions that do something at each of them.
Next: locate.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from types import CellType, FunctionType
from typing import Any

from tangentlite import syntax
from tangentlite.compiling import function_of
from tangentlite.emit.module import load, register
from tangentlite.errors import Place
from tangentlite.frontend import source
from tangentlite.ir import Namespace
from tangentlite.values import immutable, replace
from tangentlite.without_blocks import publish

RESULT, COUNT, TOTAL = "result_of_check", "count_of_check", "total_of_check"
SCALES, WEIGHED, SEEN = "scales_of_check", "weighed_of_check", "seen_of_check"
CALLED = "called_of_check"
NESTED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
BLOCKS = ("body", "orelse", "finalbody")
SIMPLE = (ast.Name, ast.Constant, ast.UnaryOp, ast.BinOp, ast.Slice, ast.Tuple, ast.Attribute)
PLAIN = (*SIMPLE, ast.operator, ast.unaryop, ast.expr_context)

Act = Callable[[int, str], list[ast.stmt]]


@immutable(eq=False)
class Point:
    """What a statement has made: the text of an expression, read after it."""

    statement: ast.stmt
    text: str
    place: Place

    @property
    def shown(self) -> str:
        """The first line of the statement."""
        return ast.unparse(self.statement).split("\n")[0]

    @property
    def variable(self) -> str:
        """What the number is called."""
        return self.text.replace(RESULT, "the result")


class Observed:
    """The points of a function; ``function`` makes functions that act there."""

    def __init__(self, function: FunctionType) -> None:
        self.function = function
        self.text = source.find(function)
        self.tree = _definition(self.text, function)
        if any(isinstance(n, ast.Yield | ast.YieldFrom | ast.Await) for n in _own(self.tree)):
            raise ValueError("a generator")
        self.points: list[Point] = []
        self._collect(self.tree.body)

    def chosen(self, paths: dict[int, list[str]]) -> None:
        """Observe the numbers inside what was found at each point, and nothing else."""
        self.points = [
            replace(point, text=f"{point.text}{path}")
            for k, point in enumerate(self.points)
            for path in paths.get(k, [])
        ]

    # Where ----------------------------------------------------------------------------------

    def _collect(self, body: Sequence[ast.stmt]) -> None:
        for statement in body:
            for text in _made(statement):
                self.points.append(Point(statement, text, self.place(statement)))
            for block in _blocks(statement):
                self._collect(block)

    def place(self, node: Any) -> Place:
        """Where a node stands in the user's file."""
        line = self.text.lines[node.lineno - 1]
        return Place(self.text.file, self.text.line + node.lineno - 1, node.col_offset, line)

    # What is written --------------------------------------------------------------------------

    def seeing(self, seen: Callable[[int, Any], None], lazy: bool = False) -> FunctionType:
        """The function itself, which calls ``seen`` at each point; with what gives the value if ``lazy``."""
        prefix = "lambda: " if lazy else ""
        act: Act = lambda k, text: _parsed(f"{SEEN}({k}, {prefix}{text})")  # noqa: E731
        return self._compiled(self._written(act, False), {SEEN: seen})

    def weighing(self, weighed: Callable[..., Any]) -> FunctionType:
        """A function whose result is the weighed sum of what is seen at each point."""

        def act(k: int, text: str) -> list[ast.stmt]:
            more = f"{COUNT} = {COUNT} + 1\n"
            return _parsed(f"{more}{TOTAL} = {TOTAL} + {WEIGHED}({text}, {COUNT}, {SCALES})")

        tree = self._written(act, True)
        tree.body = [*_parsed(f"{COUNT} = -1\n{TOTAL} = 0.0"), *tree.body]
        tree.args.kwonlyargs.append(ast.arg(SCALES))
        tree.args.kw_defaults.append(None)
        text = ast.unparse(ast.fix_missing_locations(tree)) + "\n"
        space = Namespace(self.function.__globals__, self._cells({WEIGHED: weighed}))
        (made,) = load(text, register(text, tree.name), [tree.name], [space])
        return self._defaulted(made)

    def calling(self, called: Callable[..., Any], number: int) -> FunctionType:
        """The function itself, in which the calls of one statement go through ``called``."""
        own = self.points[number].statement
        act: Act = lambda k, text: _parsed(f"{CALLED}()") if k == number else []  # noqa: E731
        return self._compiled(self._written(act, False, own), {CALLED: called})

    def _written(self, act: Act, sums: bool, followed: ast.stmt | None = None) -> ast.FunctionDef:
        tree: ast.FunctionDef = _copy(self.tree)
        tree.body = _Writer(self, act, sums, followed).block(self.tree.body)
        return tree

    def _compiled(self, tree: ast.FunctionDef, names: dict[str, Any]) -> FunctionType:
        """The function on the lines of the user's file: those inside it can be read there."""
        ast.increment_lineno(ast.fix_missing_locations(tree), self.text.line - 1)
        scope = self.function.__globals__
        return self._defaulted(function_of(tree, self.text.file, self._cells(names), scope))

    def _cells(self, names: dict[str, Any]) -> dict[str, CellType]:
        own = zip(self.function.__code__.co_freevars, self.function.__closure__ or ())
        return {**dict(own), **{name: CellType(value) for name, value in names.items()}}

    def _defaulted(self, made: FunctionType) -> FunctionType:
        made.__defaults__ = self.function.__defaults__
        made.__kwdefaults__ = self.function.__kwdefaults__
        return made


class _Writer:
    """Copies statements, with what is done at each point below them."""

    def __init__(self, observed: Observed, act: Act, sums: bool, followed: ast.stmt | None) -> None:
        self.act, self.sums, self.followed = act, sums, followed
        self.points: dict[int, list[tuple[int, str]]] = {}
        for k, point in enumerate(observed.points):
            self.points.setdefault(id(point.statement), []).append((k, point.text))

    def block(self, body: Sequence[ast.stmt]) -> list[ast.stmt]:
        """The statements of a block."""
        return [new for statement in body for new in self._statement(statement)]

    def _statement(self, statement: ast.stmt) -> list[ast.stmt]:
        acts = [new for k, t in self.points.get(id(statement), []) for new in self.act(k, t)]
        node: Any = _copy(statement)
        nested: Any = isinstance(statement, NESTED)
        if statement is self.followed:
            _follow(node)
        if nested:
            return [node]
        if isinstance(node, ast.Return):
            value = ast.Assign([ast.Name(RESULT, ast.Store())], node.value or ast.Constant(None))
            last = ast.Return(ast.Name(TOTAL if self.sums else RESULT, ast.Load()))
            return [value, *acts, last]
        if _is_inserted(node):
            return [node]
        for name in BLOCKS:
            if isinstance(getattr(node, name, None), list):
                setattr(node, name, self.block(getattr(statement, name)))
        for name in ("handlers", "cases"):
            for new, old in zip(getattr(node, name, []), getattr(statement, name, [])):
                new.body = self.block(old.body)
        if isinstance(node, ast.For | ast.AsyncFor | ast.With):
            node.body = [*acts, *node.body]
            return [node]
        return [node, *acts]


def _parsed(text: str) -> list[ast.stmt]:
    return ast.parse(text).body


def _copy(node: Any) -> Any:
    """A copy of a tree, quick enough for long functions."""
    if isinstance(node, ast.AST):
        new = type(node)(**{name: _copy(value) for name, value in ast.iter_fields(node)})
        return ast.copy_location(new, node)
    return [_copy(part) for part in node] if isinstance(node, list) else node


def _definition(text: source.Text, function: FunctionType) -> ast.FunctionDef:
    """The function as a definition without decorators and annotations."""
    node: Any = syntax.to_ast(syntax.copy(text.node))
    if isinstance(node, ast.Lambda):
        value = ast.copy_location(ast.Return(node.body), node.body)
        node = ast.FunctionDef(text.name, node.args, [value], [], **_extra())
    elif not isinstance(node, ast.FunctionDef):
        raise ValueError("an async function")
    node.decorator_list, node.returns = [], None
    for arg in ast.walk(node.args):
        if isinstance(arg, ast.arg):
            arg.annotation = None
    node.args.defaults = [_dots(d) for d in node.args.defaults]
    node.args.kw_defaults = [d and _dots(d) for d in node.args.kw_defaults]
    owner = [*function.__qualname__.split("."), ""][-3] if "." in function.__qualname__ else ""
    for inner in ast.walk(node):
        if isinstance(inner, ast.Attribute | ast.Name):
            publish(inner, owner)
    return node  # type: ignore[no-any-return]


def _extra() -> dict[str, Any]:
    return {"type_params": []} if "type_params" in ast.FunctionDef._fields else {}


def _dots(default: ast.expr) -> ast.expr:
    """A default as text: the objects themselves are set later."""
    return default if isinstance(default, ast.Constant) else ast.Constant(...)


def _own(tree: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a function, without those of functions inside it."""
    for child in ast.iter_child_nodes(tree):
        yield child
        if not isinstance(child, NESTED):
            yield from _own(child)


def _blocks(statement: ast.stmt) -> Iterator[Sequence[ast.stmt]]:
    if isinstance(statement, NESTED) or _is_inserted(statement):
        return
    for name in BLOCKS:
        yield getattr(statement, name, [])
    for name in ("handlers", "cases"):
        for part in getattr(statement, name, []):
            yield part.body


def _is_inserted(statement: ast.stmt) -> bool:
    """Whether this is code for the backward sweep."""
    return isinstance(statement, ast.With) and "insert_grad_of" in ast.dump(statement.items[0])


def _made(statement: ast.stmt) -> list[str]:
    """The expressions that hold what a statement has made or changed."""
    match statement:
        case ast.Assign(targets=targets):
            found = [text for target in targets for text in _stored(target)]
        case ast.AugAssign(target=target) | ast.For(target=target):
            found = _stored(target)
        case ast.AnnAssign(target=target, value=ast.expr()):
            found = _stored(target)
        case ast.With(items=items):
            found = [t for i in items if i.optional_vars for t in _stored(i.optional_vars)]
        case ast.Expr(value=ast.Call() as call):
            found = _touched(call)
        case ast.Return():
            found = [RESULT]
        case _:
            found = []
    return list(dict.fromkeys(found))


def _stored(target: ast.expr) -> list[str]:
    match target:
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            return [text for part in parts for text in _stored(part)]
        case ast.Starred(value=value):
            return _stored(value)
        case ast.Subscript(value=owner, slice=index):
            if not all(isinstance(n, PLAIN) for n in ast.walk(index)):
                return _stored(owner)
            return [ast.unparse(target)] if _is_path(owner) else []
    return [ast.unparse(target)] if _is_path(target) else []


def _is_path(node: ast.expr) -> bool:
    """Whether reading an expression twice does nothing twice."""
    return all(isinstance(n, (*PLAIN, ast.Subscript)) for n in ast.walk(node))


def _touched(call: ast.Call) -> list[str]:
    """What a call that is a statement may have changed."""
    owner = [call.func.value] if isinstance(call.func, ast.Attribute) else []
    given = [*owner, *call.args, *(keyword.value for keyword in call.keywords)]
    return [t for g in given if isinstance(g, ast.Name | ast.Attribute) for t in _stored(g)]


class _Follow(ast.NodeTransformer):
    """Calls through the observer, numbered by where they stand."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        place = ast.Tuple([ast.Constant(node.lineno), ast.Constant(node.col_offset)], ast.Load())
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id in (
            "super",
            "locals",
            "globals",
            "vars",
        ):
            return node
        return ast.Call(ast.Name(CALLED, ast.Load()), [place, node.func, *node.args], node.keywords)


def _follow(node: ast.stmt) -> None:
    """Let the calls of a statement, not of the blocks in it, go through the observer."""
    for name, value in ast.iter_fields(node):
        if name in (*BLOCKS, "handlers", "cases") and isinstance(value, list):
            continue
        if isinstance(value, ast.AST):
            setattr(node, name, _Follow().visit(value))
        elif isinstance(value, list):
            setattr(
                node, name, [_Follow().visit(v) if isinstance(v, ast.AST) else v for v in value]
            )
