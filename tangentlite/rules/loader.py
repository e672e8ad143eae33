"""From declarations to rules: a rule's lines are read when they are first needed.

In: what the decorators of ``notation`` collected.
Out: ``Rule`` values.
Next: checks.
"""

from __future__ import annotations

import ast
import linecache
from collections import ChainMap
from collections.abc import Mapping
from functools import lru_cache
from inspect import Parameter as Kind
from types import CellType
from typing import Any

import gast

from tangentlite import trees
from tangentlite.errors import RuleError
from tangentlite.parsing import parsed
from tangentlite.rules.model import EMPTY, Parameter, Source
from tangentlite.rules.notation import Declaration
from tangentlite.rules.rule import Rule, spelled
from tangentlite.values import replace


def build(declaration: Declaration, pure: bool) -> Rule:
    """The rule that a declaration describes, its variants included."""
    if declaration.algebra == "inactive":
        return _inactive(declaration, pure)
    source = read(declaration)
    both = declaration.form == "both"
    return Rule(
        source.tree.name,
        declaration.primals,
        source.params,
        source.results,
        declaration.algebra,
        source.file,
        source.tree.lineno,
        ast.get_docstring(source.tree) or "",
        None,
        None if declaration.in_ is None else _named("in_", declaration.in_, source),
        declaration.domain,
        declaration.samples,
        pure if declaration.pure is None else declaration.pure,
        None,
        source if both or declaration.form == "adjoint" else None,
        source if both or declaration.form == "tangent" else None,
        tuple((v.guard, _variant(v, source, pure)) for v in declaration.variants if v.guard),
        _named("constant", declaration.constant, source),
        _named("literal", declaration.literal, source),
    )


def _variant(declaration: Declaration, base: Source, pure: bool) -> Rule:
    """A variant gives the lines of one mode or of both; the base gives the rest."""
    rule = build(declaration, pure)
    source = rule.backward
    if source is None or [p.name for p in source.params] != [p.name for p in base.params]:
        raise RuleError(f"rule `{rule.name}`: a variant has the parameters of its base rule")
    text = "".join(ast.unparse(line) + "\n" for line in source.tree.body)
    if declaration.algebra == "elementwise" or ("d[" in text and "b[" in text):
        return rule
    if "d[" in text:
        return replace(rule, backward=base)
    return replace(rule, forward=base)


def _inactive(declaration: Declaration, pure: bool) -> Rule:
    first = declaration.primals[0]
    file, line = declaration.place or ("", 0)
    return Rule(
        spelled(first),
        declaration.primals,
        (),
        (),
        "inactive",
        file,
        line,
        pure=pure if declaration.pure is None else declaration.pure,
    )


def _named(option: str, given: tuple[str, ...], source: Source) -> tuple[str, ...]:
    names = {p.name for p in source.params}
    for name in given:
        if name not in names:
            raise source.error(f"`{option}` names `{name}`, which is no parameter")
    return given


def read(declaration: Declaration) -> Source:
    """The source of a rule: its tree, its parameters, its results, its names."""
    function = declaration.function
    file, line = function.__code__.co_filename, function.__code__.co_firstlineno
    linecache.checkcache(file)
    lines = linecache.getlines(file)
    tree = _definition(lines, line, function.__name__)
    if tree is None:
        tree = _parsed(file, tuple(lines)).get((line, function.__name__))
    if tree is None:
        hint = "Put the rule into a file, or into a notebook cell."
        raise RuleError(f"rule `{function.__name__}`: its source cannot be found", None, hint)
    params = _parameters(tree, function.__defaults__ or (), function.__kwdefaults__ or {})
    source = Source(tree, file, tuple(lines), _scope(function), params, ())
    if declaration.form == "both":
        results = _results(source)
    elif not params:
        raise source.error("the first parameter is the result")
    else:
        results, params = (params[0].name,), params[1:]
    flipped, conform = declaration.form == "adjoint", declaration.form != "both"
    return Source(tree, file, source.text, source.scope, params, results, flipped, conform)


def _definition(lines: list[str], line: int, name: str) -> ast.FunctionDef | None:
    """The definition that begins in a line, at the margin, and ends above what stands there next; else None.

    >>> lines = ["@linear(f)\\n", "def f(x) -> y:\\n", "    b[x] += b[y]\\n", "\\n", "z = 1\\n"]
    >>> _definition(lines, 1, "f").body[0].lineno
    3
    """
    begun, end = False, line - 1
    for text in lines[line - 1 :]:
        if text[:1] not in " \t\r\n#":
            if begun:
                break
            begun = text.startswith("def ")
        end += 1
    try:
        (node,) = parsed("".join(lines[line - 1 : end])).body
    except (SyntaxError, ValueError):
        return None
    if not isinstance(node, ast.FunctionDef) or node.name != name:
        return None
    return ast.increment_lineno(node, line - 1)


@lru_cache(maxsize=64)
def _parsed(file: str, text: tuple[str, ...]) -> dict[tuple[int, str], ast.FunctionDef]:
    found: dict[tuple[int, str], ast.FunctionDef] = {}
    for node in trees.statements(parsed("".join(text)).body):
        if isinstance(node, ast.FunctionDef):
            first = min([node.lineno, *(n.lineno for n in node.decorator_list)])
            found[first, node.name] = node
    return found


def _scope(function: Any) -> Mapping[str, object]:
    names, closure = function.__code__.co_freevars, function.__closure__ or ()
    cells = {n: c.cell_contents for n, c in zip(names, closure, strict=True) if c != CellType()}
    return ChainMap(cells, function.__globals__) if cells else function.__globals__


def _parameters(
    tree: ast.FunctionDef, defaults: tuple[object, ...], keyword_defaults: Mapping[str, object]
) -> tuple[Parameter, ...]:
    a = tree.args
    found: list[Parameter] = []
    names: list[tuple[ast.arg, Any]] = [(n, Kind.POSITIONAL_ONLY) for n in a.posonlyargs]
    names += [(n, Kind.POSITIONAL_OR_KEYWORD) for n in a.args]
    first = len(names) - len(defaults)
    for k, (node, kind) in enumerate(names):
        if k < first:
            found.append(Parameter(node.arg, kind))
        else:
            shown = gast.ast_to_gast(a.defaults[k - first])
            found.append(Parameter(node.arg, kind, defaults[k - first], shown))
    if a.vararg:
        found.append(Parameter(a.vararg.arg, Kind.VAR_POSITIONAL))
    for node, given in zip(a.kwonlyargs, a.kw_defaults, strict=True):
        shown = gast.ast_to_gast(given) if given is not None else None
        default = keyword_defaults.get(node.arg, EMPTY)
        found.append(Parameter(node.arg, Kind.KEYWORD_ONLY, default, shown))
    return tuple(found)


def _results(source: Source) -> tuple[str, ...]:
    returns: ast.expr | None = source.tree.returns
    if isinstance(returns, ast.Constant) and isinstance(returns.value, str):
        returns = parsed(returns.value, mode="eval").body
    match returns:
        case ast.Name(id=name):
            return (name,)
        case ast.Tuple(elts=elements) if all(isinstance(e, ast.Name) for e in elements):
            return tuple(e.id for e in elements if isinstance(e, ast.Name))
    raise source.error("the result is written `-> z`, or `-> (w, q)`")
