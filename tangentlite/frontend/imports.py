"""Modules that a function imports in its own body are among what it captures.

In: the tree of a function, and what its free names mean.
Out: the tree without the imports, and the names with what they bind.
Next: read.
"""

from __future__ import annotations

import importlib
from types import CellType
from typing import Any

import gast

from tangentlite import syntax
from tangentlite.ir import Function, Namespace
from tangentlite.naming import Names
from tangentlite.scopes import inside
from tangentlite.values import replace

IMPORTS = (gast.Import, gast.ImportFrom)


def resolved(function: Function) -> Function:
    """Imports that stand in the body itself; where one is not as plain as that, it stays.

    >>> from tangentlite.ir import Origin
    >>> tree = gast.parse("def f(x):\\n    import math as m\\n    return m.sin(x)").body[0]
    >>> function = resolved(Function(tree, "f", (), Namespace({}), Origin("f.py", 1, ())))
    >>> len(function.body), function.namespace.resolve("m.pi")
    (1, 3.141592653589793)
    """
    if function.contents.kinds.isdisjoint(IMPORTS):
        return function
    tree, namespace = _resolved(function.tree, function.namespace)
    return replace(function, tree=tree, namespace=namespace)


def _resolved(tree: Any, namespace: Namespace) -> tuple[Any, Namespace]:
    body: Any = tree.body
    if any(isinstance(n, IMPORTS) for s in body if not isinstance(s, IMPORTS) for n in inside([s])):
        tree, namespace = _nested(tree, namespace)
        body = tree.body
    if not any(isinstance(s, IMPORTS) for s in body):
        return tree, namespace
    rest = [s for s in body if not isinstance(s, IMPORTS)]
    cells: dict[str, CellType] = {}
    for statement in body:
        if isinstance(statement, IMPORTS):
            found = _bound(statement, namespace.globals)
            if found is None or found.keys() & syntax.stores(rest):
                return tree, namespace
            cells |= {name: CellType(value) for name, value in found.items()}
    new = tree.__class__.__new__(tree.__class__)
    new.__dict__.update(tree.__dict__)
    new.body = rest
    return new, replace(namespace, cells={**namespace.cells, **cells}) if rest else namespace


def _nested(tree: Any, namespace: Namespace) -> tuple[Any, Namespace]:
    """Imports in blocks bind a name to what they import now; of ``try: import m`` what happens now is left.

    >>> text = "def f(x):\\n    try:\\n        import no_such\\n    except ImportError:\\n        x = 1\\n    return x"
    >>> print(syntax.unparse(_nested(gast.parse(text).body[0], Namespace({}))[0]))
    def f(x):
        x = 1
        return x
    """
    taken = {n.id for s in tree.body for n in syntax.walk(s) if isinstance(n, gast.Name)}
    imports = [n for s in tree.body for n in syntax.walk(s) if isinstance(n, IMPORTS)]
    taken |= {(a.asname or a.name).partition(".")[0] for n in imports for a in n.names}
    names, cells = Names(taken | set(namespace.cells)), dict[str, CellType]()

    def step(statement: Any) -> list[Any]:
        if isinstance(statement, gast.Try) and all(isinstance(s, IMPORTS) for s in statement.body):
            return _tried(statement, namespace.globals)
        return [statement]

    def bind(statement: Any) -> list[Any]:
        found = _bound(statement, namespace.globals) if isinstance(statement, IMPORTS) else None
        if found is None:
            return [statement]
        made = []
        for name, value in found.items():
            held = names.fresh(name)
            cells[held] = CellType(value)
            made.append(syntax.assign(name, syntax.name(held)))
        for node in (n for s in made for n in syntax.walk(s)):
            syntax.at(node, statement)
        return made

    body = syntax.rewrite(list(map(syntax.copy, tree.body)), step)
    own = [s for s in body if isinstance(s, IMPORTS)]
    body = [new for s in body for new in ([s] if s in own else syntax.rewrite([s], bind))]
    new = tree.__class__.__new__(tree.__class__)
    new.__dict__.update(tree.__dict__)
    new.body = body
    return new, replace(namespace, cells={**namespace.cells, **cells})


def _tried(statement: gast.Try, space: dict[str, Any]) -> list[Any]:
    """What is left of a ``try`` that only imports."""
    if all(_bound(s, space) is not None for s in statement.body):
        return [*statement.body, *statement.orelse, *statement.finalbody]
    for handler in statement.handlers:
        kinds = getattr(handler.type, "elts", [handler.type])
        names = {getattr(kind, "id", None) for kind in kinds}
        if names & {"ImportError", "ModuleNotFoundError", "Exception"} or handler.type is None:
            return [statement] if handler.name else [*handler.body, *statement.finalbody]
    return [statement]


def _bound(statement: Any, space: dict[str, Any]) -> dict[str, Any] | None:
    """The names that an import binds, and what they mean; None if there is no such module."""
    found: dict[str, Any] = {}
    try:
        for alias in statement.names:
            if isinstance(statement, gast.Import):
                module = importlib.import_module(alias.name)
                first = alias.name.partition(".")[0]
                found[alias.asname or first] = (
                    module if alias.asname else importlib.import_module(first)
                )
                continue
            path = "." * (statement.level or 0) + (statement.module or "")
            module = importlib.import_module(path, space.get("__package__"))
            found[alias.asname or alias.name] = getattr(module, alias.name)
    except (ImportError, AttributeError):
        return None
    return found
