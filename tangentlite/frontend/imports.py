"""Modules that a function imports in its own body are among what it captures.

In: the tree of a function, and what its free names mean.
Out: the tree without the imports, and the names with what they bind.
Next: read.
"""

from __future__ import annotations

import importlib
from dataclasses import replace
from types import CellType
from typing import Any

import gast

from tangentlite import syntax
from tangentlite.ir import Namespace

IMPORTS = (gast.Import, gast.ImportFrom)


def resolved(tree: Any, namespace: Namespace) -> tuple[Any, Namespace]:
    """Imports that stand in the body itself; where one is not as plain as that, it stays.

    >>> tree = gast.parse("def f(x):\\n    import math as m\\n    return m.sin(x)").body[0]
    >>> tree, namespace = resolved(tree, Namespace({}))
    >>> len(tree.body), namespace.resolve("m.pi")
    (1, 3.141592653589793)
    """
    body: Any = getattr(tree, "body", [])
    if not isinstance(body, list) or not any(isinstance(s, IMPORTS) for s in body):
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
