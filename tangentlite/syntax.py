"""Trees: parsing, quoting, copying, substituting and comparing gast nodes.

In: text or gast trees.
Out: gast trees; ``Comment`` and ``Blank`` are statements of the tree that only the printer shows.
Next: ir.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any, TypeVar

import gast

from tangentlite import translation
from tangentlite.parsing import parsed
from tangentlite.trees import (
    BLOCKS as BLOCKS,
    COMMON as COMMON,
    LEAVES as LEAVES,
    Contents as Contents,
    binds as binds,
    blocks as blocks,
    bound as bound,
    children as children,
    contents as contents,
    dotted as dotted,
    is_atom as is_atom,
    key as key,
    loads as loads,
    mentions as mentions,
    names as names,
    nests as nests,
    nodes as nodes,
    parts as parts,
    same as same,
    statements as statements,
    stores as stores,
    times_loaded as times_loaded,
    times_stored as times_stored,
    walk as walk,
)

Node = TypeVar("Node", bound=ast.AST)
Hole = ast.AST | str

LOAD, STORE = gast.Load(), gast.Store()  # trees share them
PLACES = ("lineno", "col_offset", "end_lineno", "end_col_offset")


class Comment(ast.stmt):
    """A comment line above the statements that follow."""

    _fields = ("text",)


class Blank(ast.stmt):
    """An empty line."""

    _fields = ()


class Inserted(ast.stmt):
    """Statements of the user in the midst of generated ones, printed as they are.

    To every analysis they are one statement of which nobody knows what it does to what it reads.
    """

    _fields = ("lines",)
    lines: list[gast.stmt]


def inserted(lines: list[gast.stmt]) -> Inserted:
    """Statements as one."""
    node = Inserted()
    node.lines = lines
    return node


def breaks(nodes: Iterable[ast.AST]) -> bool:
    """Whether statements leave the loop around them.

    >>> breaks(parse("if x:\\n    break")), breaks(parse("while x:\\n    break"))
    (True, False)
    """
    for node in nodes:
        if isinstance(node, gast.Break):
            return True
        loop = isinstance(node, gast.For | gast.While)
        inside = node.orelse if loop else children(node)  # type: ignore[attr-defined]
        if not isinstance(node, gast.FunctionDef) and breaks(inside):
            return True
    return False


def viewed(node: Any) -> str | None:
    """The object whose attributes an expression gives as a dict.

    >>> viewed(expression("vars(x)")), viewed(expression("rt.vars_of(x)")), viewed(expression("f(x)"))
    ('x', 'x', None)
    """
    match node:
        case gast.Call(func=gast.Name(id="vars"), args=[gast.Name(id=name)]):
            return name  # type: ignore[no-any-return]
        case gast.Call(
            func=gast.Attribute(value=gast.Name(id=rt), attr="vars_of" | "bare_vars"),
            args=[gast.Name(id=name)],
        ) if rt.startswith("rt"):
            return name  # type: ignore[no-any-return]
    return None


def is_bare(view: Any) -> bool:
    """Whether to set an item of these attributes calls nothing, whatever the class says.

    >>> is_bare(expression("rt.bare_vars(x)")), is_bare(expression("vars(x)"))
    (True, False)
    """
    return getattr(view.func, "attr", "") == "bare_vars"


class Attempt(gast.If):  # type: ignore[misc]
    """``try: body; except errors: orelse``, whose body is done as a whole or leaves nothing behind.

    To every analysis it is an ``if`` of which nobody knows which way it goes.
    """

    _fields = ("test", "body", "orelse", "errors")


def raises(statement: ast.AST) -> bool:
    """Whether what follows an attempt is reached only if its body was done."""
    last = statement.orelse[-1:] if isinstance(statement, Attempt) else []
    return bool(last) and isinstance(last[0], gast.Raise)


def comment(text: str) -> Comment:
    """A comment statement."""
    node = Comment()
    node.text = text  # type: ignore[attr-defined]
    return node


def parse(text: str) -> list[gast.stmt]:
    """The statements of ``text``."""
    body: list[gast.stmt] = translation.from_ast(parsed(text)).body
    return body


def name(identifier: str) -> gast.Name:
    """The expression that reads ``identifier``."""
    return _name(identifier, LOAD)


def constant(value: object) -> gast.Constant:
    """The literal ``value``."""
    return gast.Constant(value, None)


def _name(identifier: str, context: gast.expr_context) -> gast.Name:
    """What ``gast.Name`` makes, made at once: there are many names."""
    node = gast.Name.__new__(gast.Name)
    node.__dict__ = {"id": identifier, "ctx": context, "annotation": None, "type_comment": None}
    return node


def assign(target: str | gast.expr, value: gast.expr) -> gast.Assign:
    """``target = value``."""
    node = gast.Assign.__new__(gast.Assign)
    left = _name(target, STORE) if isinstance(target, str) else store(target)
    node.__dict__ = {"targets": [left], "value": value, "type_comment": None}
    return node


def store(target: gast.expr) -> gast.expr:
    """``target`` as the left side of an assignment."""
    match target:
        case gast.Name(id=identifier):
            return _name(identifier, STORE)
        case gast.Tuple(elts=elements) | gast.List(elts=elements):
            return type(target)([store(e) for e in elements], gast.Store())
        case gast.Starred(value=value):
            return gast.Starred(store(value), gast.Store())
        case _:
            target = copy(target)
            target.ctx = gast.Store()
            return target


def copy(node: Node) -> Node:
    """A deep copy of a tree (much cheaper than copy.deepcopy)."""
    kind: Any = node.__class__
    new = kind.__new__(kind)
    fields = new.__dict__
    fields.update(node.__dict__)
    if kind in LEAVES:
        return new  # type: ignore[no-any-return]
    for field in parts(kind):
        value = fields.get(field)
        if value.__class__ is list:
            fields[field] = [copy(v) if isinstance(v, ast.AST) else v for v in value]
        elif isinstance(value, ast.AST):
            fields[field] = copy(value)
    return new  # type: ignore[no-any-return]


def is_true(node: gast.expr | None) -> bool:
    """Whether an expression is the word ``True``."""
    return isinstance(node, gast.Constant) and node.value is True


def substitute(node: Node, holes: Mapping[str, Hole]) -> Node:
    """A copy of ``node`` with every name in ``holes`` replaced by a tree or another name.

    >>> unparse(substitute(expression("b * cos(x)"), {"b": "by", "x": expression("a + 1")}))
    'by * cos(a + 1)'
    """
    kind: Any = node.__class__
    if kind is gast.Name and node.id in holes:  # type: ignore[attr-defined]
        return _filling(node, holes[node.id])  # type: ignore[attr-defined,no-any-return]
    new = kind.__new__(kind)
    fields = new.__dict__
    fields.update(node.__dict__)
    if kind in LEAVES:
        return new  # type: ignore[no-any-return]
    for field in parts(kind):
        value = fields.get(field)
        if value.__class__ is list:
            fields[field] = [substitute(v, holes) if isinstance(v, ast.AST) else v for v in value]
        elif isinstance(value, ast.AST):
            fields[field] = substitute(value, holes)
    return new  # type: ignore[no-any-return]


def _filling(node: Any, hole: Hole) -> Any:
    if isinstance(hole, str):
        new = gast.Name.__new__(gast.Name)
        new.__dict__.update(node.__dict__)
        new.id = hole
        return new
    filling = copy(hole)
    return filling if node.ctx.__class__ is gast.Load else store(filling)


@cache
def _template(text: str) -> tuple[gast.stmt, ...]:
    return tuple(parse(text))


def quote(text: str, **holes: Hole) -> list[gast.stmt]:
    """Statements from text, names in ``holes`` replaced.

    >>> print(unparse(quote("bx = bx + c * by", c=expression("2.0 * x"))[0]))
    bx = bx + 2.0 * x * by
    """
    return [substitute(statement, holes) for statement in _template(text)]


def expression(text: str, **holes: Hole) -> gast.expr:
    """One expression from text, names in ``holes`` replaced."""
    (statement,) = _template(text)
    tree: gast.expr = substitute(statement.value, holes)
    return tree


def at(node: Node, origin: ast.AST) -> Node:
    """``node``, placed where ``origin`` stands in the source."""
    places, given = node.__dict__, origin.__dict__
    try:
        places["lineno"], places["col_offset"] = given["lineno"], given["col_offset"]
        places["end_lineno"] = given["end_lineno"]
        places["end_col_offset"] = given["end_col_offset"]
    except KeyError:
        pass  # a tree that stands nowhere
    if "behind" in given:
        places.setdefault("behind", given["behind"])
    return node


def to_ast(node: ast.AST) -> ast.AST:
    """The standard library's form of a gast tree without comments."""
    return translation.ToStandard().tree(node)  # type: ignore[no-any-return]


def unparse(node: ast.AST) -> str:
    """The text of a tree, on one line per statement: for comments, keys and messages."""
    if isinstance(node, Comment):
        return f"# {node.text}"  # type: ignore[attr-defined]
    tree = to_ast(node)
    if blocks(tree):
        tree = ast.fix_missing_locations(tree)
    elif isinstance(tree, ast.stmt) and not hasattr(tree, "lineno"):
        tree.lineno = 1
    return ast.unparse(tree)


def argument(index: gast.expr, make: Callable[[], gast.expr]) -> gast.expr:
    """An index as an argument: ``1:3`` is ``slice(1, 3)``; ``make`` names what makes slices."""
    match index:
        case gast.Slice(lower=lower, upper=upper, step=step):
            bounds = [b or constant(None) for b in (lower, upper, step)]
            return gast.Call(make(), bounds if step else bounds[:2], [])
        case gast.Tuple(elts=entries):
            return gast.Tuple([argument(entry, make) for entry in entries], LOAD)
    return index


def parted(body: list[gast.stmt]) -> tuple[list[gast.stmt], list[gast.stmt]]:
    """The body of a loop, and the ``if stop: break`` that ends it, if one does.

    >>> [len(part) for part in parted(quote("x = 1\\nif stop:\\n    break"))]
    [1, 1]
    """
    match body[-1] if body else None:
        case gast.If(test=gast.Name() | gast.Constant(), body=[gast.Break()], orelse=[]):
            return body[:-1], body[-1:]
    return body, []


def rewrite(body: list[gast.stmt], step: Callable[[gast.stmt], list[gast.stmt]]) -> list[gast.stmt]:
    """Replace every statement by what ``step`` makes of it, innermost blocks first."""
    result: list[gast.stmt] = []
    for statement in body:
        if not nests(statement.__class__):
            result.extend(step(statement))
            continue
        fields = {
            n: rewrite(getattr(statement, n), step)
            for n in BLOCKS
            if isinstance(getattr(statement, n, None), list)
        }
        if getattr(statement, "handlers", None):
            fields["handlers"] = [_handler(h, step) for h in statement.handlers]
        if fields:
            new = statement.__class__.__new__(statement.__class__)
            new.__dict__.update(statement.__dict__)
            new.__dict__.update(fields)
            statement = new
        result.extend(step(statement))
    return result


def _handler(handler: Any, step: Callable[[gast.stmt], list[gast.stmt]]) -> Any:
    new = handler.__class__.__new__(handler.__class__)
    new.__dict__.update(handler.__dict__)
    new.body = rewrite(handler.body, step)
    return new
