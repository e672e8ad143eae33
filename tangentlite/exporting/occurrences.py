"""Where a text reads what it does not bind: the names that an exported file must define.

In: the tree of a definition.
Out: its free names and where they stand; those that are looked up when the definition is run; what it binds.
Next: linking.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Any

from tangentlite.values import immutable

DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


@immutable(eq=False)
class Occurrence:
    """A free name; ``early``: looked up when the definition is run; ``said``: only in an annotation.

    ``around``: the f-string that it stands in, whose parts have no places of their own before Python 3.12.
    """

    node: ast.Name
    early: bool
    said: bool
    around: ast.JoinedStr | None


@immutable(eq=False)
class Where:
    """What surrounds a node: the names that are bound there, and what ``Occurrence`` tells."""

    hidden: frozenset[str] = frozenset()
    early: bool = True
    said: bool = False
    around: ast.JoinedStr | None = None

    def but(self, **changes: Any) -> Where:
        """The same surroundings with some changes."""
        known = (self.hidden, self.early, self.said, self.around)
        names = ("hidden", "early", "said", "around")
        return Where(**{**dict(zip(names, known)), **changes})


def free(tree: ast.AST) -> Iterator[Occurrence]:
    """The names that a definition takes from outside, wherever they stand in it.

    >>> tree = ast.parse("def f(x, n=N):\\n    return [g(y) for y in x] + [lambda z: z + y]")
    >>> [(o.node.id, o.early) for o in free(tree.body[0])]
    [('N', True), ('g', False), ('y', False)]
    """
    yield from _free([tree], Where())


def _free(nodes: Iterable[Any], where: Where) -> Iterator[Occurrence]:
    for node in nodes:
        if isinstance(node, ast.Name):
            if node.id not in where.hidden:
                yield Occurrence(node, where.early, where.said, where.around)
        elif isinstance(node, DEFINITIONS):
            yield from _function(node, where)
        elif isinstance(node, ast.Lambda):
            yield from _free(_defaults(node.args), where)
            inside = where.hidden | set(parameters(node.args)) | bound([node.body])
            yield from _free([node.body], where.but(hidden=inside, early=False))
        elif isinstance(node, ast.ClassDef):
            yield from _class(node, where)
        elif isinstance(node, COMPREHENSIONS):
            yield from _comprehension(node, where)
        elif isinstance(node, ast.JoinedStr) and where.around is None:
            yield from _free(ast.iter_child_nodes(node), where.but(around=node))
        elif isinstance(node, ast.AnnAssign):
            yield from _free([node.annotation], where.but(said=True))
            yield from _free([p for p in (node.target, node.value) if p is not None], where)
        elif isinstance(node, ast.AST):
            yield from _free(ast.iter_child_nodes(node), where)


def _function(node: Any, where: Where) -> Iterator[Occurrence]:
    yield from _free([*node.decorator_list, *_defaults(node.args)], where)
    said = [a.annotation for a in _arguments(node.args) if a.annotation is not None]
    yield from _free([*said, *filter(None, [node.returns])], where.but(said=True))
    outer = {name for s in node.body for name in declared(s)}
    inside = (where.hidden | set(parameters(node.args)) | bound(node.body)) - outer
    yield from _free(node.body, where.but(hidden=inside, early=False))


def _class(node: ast.ClassDef, where: Where) -> Iterator[Occurrence]:
    """Methods do not see the names of the class."""
    keywords = [k.value for k in node.keywords]
    yield from _free([*node.decorator_list, *node.bases, *keywords], where)
    own = where.hidden | bound(node.body)
    inner = where.but(hidden=where.hidden | {node.name})
    for statement in node.body:
        if isinstance(statement, DEFINITIONS):
            for found in _function(statement, inner):
                if not (found.early and found.node.id in own):
                    yield found
        else:
            yield from _free([statement], where.but(hidden=own))


def _comprehension(node: Any, where: Where) -> Iterator[Occurrence]:
    first, *_ = node.generators
    yield from _free([first.iter], where)
    inside = where.but(hidden=where.hidden | bound([g.target for g in node.generators]))
    parts = [p for p in ast.iter_child_nodes(node) if not isinstance(p, ast.comprehension)]
    for generator in node.generators:
        parts += [generator.target, *generator.ifs]
        parts += [] if generator is first else [generator.iter]
    yield from _free(parts, inside)


def declared(statement: ast.AST) -> set[str]:
    """The names in ``global`` and ``nonlocal`` statements of one function."""
    return {
        n for s in _own([statement]) if isinstance(s, ast.Global | ast.Nonlocal) for n in s.names
    }


def bound(nodes: Iterable[ast.AST]) -> set[str]:
    """The names that the statements of one function bind."""
    found: set[str] = set()
    for node in _own(nodes):
        match node:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                found.add(name)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                found.add(name)
            case ast.ClassDef(name=name):
                found.add(name)
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)):
                found.add(name)
            case ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name)):
                found.add(name)
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                found |= {(a.asname or a.name).partition(".")[0] for a in names}
    return found


def everywhere(tree: ast.AST) -> set[str]:
    """All names that a definition binds, in any of the functions inside it."""
    found = bound(ast.iter_child_nodes(tree))
    for node in ast.walk(tree):
        if isinstance(node, (*DEFINITIONS, ast.Lambda)):
            found |= {a.arg for a in _arguments(node.args)}
            found |= bound(node.body if isinstance(node.body, list) else [node.body])
        elif isinstance(node, ast.ClassDef):
            found |= bound(node.body)
        elif isinstance(node, ast.comprehension):
            found |= bound([node.target])
    return found


def _own(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """All nodes of one function: not those inside the functions and comprehensions in it, walruses of these aside."""
    for node in nodes:
        yield node
        if isinstance(node, DEFINITIONS):
            yield from _own([*node.decorator_list, *_defaults(node.args)])
        elif isinstance(node, ast.Lambda):
            yield from _own(_defaults(node.args))
        elif isinstance(node, ast.ClassDef):
            yield from _own([*node.decorator_list, *node.bases])
        elif isinstance(node, COMPREHENSIONS):
            walrus = [n.target for n in ast.walk(node) if isinstance(n, ast.NamedExpr)]
            yield from _own(walrus)
        else:
            yield from _own(ast.iter_child_nodes(node))


def parameters(args: ast.arguments) -> list[str]:
    """The names of all parameters."""
    return [a.arg for a in _arguments(args)]


def _arguments(args: ast.arguments) -> list[ast.arg]:
    found = [*args.posonlyargs, *args.args, args.vararg, *args.kwonlyargs, args.kwarg]
    return [a for a in found if a is not None]


def _defaults(args: ast.arguments) -> list[ast.expr]:
    return [d for d in [*args.defaults, *args.kw_defaults] if d is not None]
