"""The text of a function, found by its code object.

In: a code object.
Out: ``Text``: the lines of the smallest stretch of the file that holds the function, and its tree.
Next: check, read.
"""

from __future__ import annotations

import inspect
import linecache
import tokenize
from collections.abc import Callable
from functools import lru_cache
from types import CodeType, FunctionType, ModuleType
from typing import Any, TypeAlias
from weakref import WeakKeyDictionary

import gast

from tangentlite import syntax, translation
from tangentlite.errors import SourceUnavailableError
from tangentlite.frontend import codes, lambdas
from tangentlite.parsing import parsed
from tangentlite.values import immutable

GENERATED = "<generated"
Definition: TypeAlias = Any  # gast.FunctionDef or gast.Lambda


NAMELESS = ("<string>", "<stdin>", "<console>")
SAVE = "Save it in a file, or use IPython or Python 3.13."
CELL = "Save it in a file, or define it in a notebook cell of its own, without magics around it."
FILE = "Put the source file beside the compiled one, or save the function in a file of your own."


@immutable(eq=False)
class Text:
    """``lines[0]`` is line ``line`` of ``file``; ``node`` counts its lines from 1 within ``lines``.

    ``name`` is what the function is called: for a lambda the name it is assigned to, or ``f``.
    """

    file: str
    line: int
    lines: tuple[str, ...]
    node: Definition
    name: str


Kept = tuple[CodeType, list[str], Text]
_kept: WeakKeyDictionary[FunctionType, Kept] = WeakKeyDictionary()


def find(function: FunctionType) -> Text:
    """The text and the tree of ``function``; looked for again when its code or its file changes."""
    code, lines = function.__code__, _file_lines(function)
    kept = _kept.get(function)
    if kept is None or kept[0] is not code or kept[1] is not lines:
        kept = _kept[function] = code, lines, _found(function, lines)
    return kept[2]


def _found(function: FunctionType, lines: list[str]) -> Text:
    code = function.__code__
    if code.co_name == "<lambda>":
        return _lambda(code, lines, function.__name__)
    first = code.co_firstlineno
    if not 1 <= first <= len(lines):
        raise _changed(code)
    block, node = _block(lines[first - 1 :], code)
    if node is None or not _matches(node, code) or not _agrees(node, block, function):
        raise _changed(code)
    return Text(code.co_filename, first, tuple(block), node, node.name)


def _block(lines: list[str], code: CodeType) -> tuple[list[str], gast.FunctionDef | None]:
    """The lines of the definition that begins with the first line, and its tree."""
    for cut in (_indented, inspect.getblock):
        try:
            block = cut(lines)
            node = _definition(block)
        except (SyntaxError, tokenize.TokenError):
            continue
        if node is not None:
            return block, node
    raise _changed(code)


def _indented(lines: list[str]) -> list[str]:
    """The lines up to the first one below a ``def`` that is indented no deeper than it.

    Text that stands further left inside brackets or strings makes this too short to parse.
    """
    margin = len(lines[0]) - len(lines[0].lstrip())
    defined, end = False, 0
    for number, line in enumerate(lines):
        words = line.lstrip()
        if not words or words[0] == "#":
            continue
        if len(line) - len(words) <= margin:
            if defined:
                break
            defined = words.startswith(("def ", "async "))
        end = number + 1
    return lines[:end]


def _file_lines(function: FunctionType) -> list[str]:
    code = function.__code__
    linecache.checkcache(code.co_filename)
    lines = linecache.getlines(code.co_filename, function.__globals__)
    if lines:
        return lines
    raise _unkept(function.__qualname__, code.co_filename)


def _unkept(shown: str, file: str) -> SourceUnavailableError:
    if file in NAMELESS:
        why, hint = "it was entered at a prompt, by `python -c`, from stdin, or by exec", SAVE
        reason = f"{why}, where no text is kept"
    elif file[:1] == "<":
        reason, hint = f"it was compiled as {file}, of which no text is kept", CELL
    else:
        reason, hint = f"{file} cannot be read", FILE
    return SourceUnavailableError(f"the text of `{shown}` is not to be found: {reason}", None, hint)


def _changed(code: CodeType) -> SourceUnavailableError:
    if code.co_filename in NAMELESS:  # the name of every text without a file
        return _unkept(code.co_name, code.co_filename)
    where = f"{code.co_filename}, line {code.co_firstlineno}"
    reason = f"the text at {where} is not that of `{code.co_name}`: has the file been edited?"
    return SourceUnavailableError(
        reason, None, "Load the module again, so that text and code agree."
    )


def parse_lines(lines: list[str]) -> gast.Module:
    """The tree of some lines of a file, however far indented; places are those of ``lines``."""
    text = "".join(lines)
    if not text[:1].isspace():
        return _places(translation.from_ast(parsed(text)), lines, 0)
    return _places(translation.from_ast(parsed("if 1:\n" + text).body[0]), lines, -1)


def _places(tree: Any, lines: list[str], shift: int) -> Any:
    """Count lines from the first of ``lines``, and columns in characters instead of bytes."""
    wide = [not line.isascii() for line in lines]
    if not shift and not any(wide):
        return tree
    for node in syntax.walk(tree):
        if not hasattr(node, "lineno"):
            continue
        for row, column in (("lineno", "col_offset"), ("end_lineno", "end_col_offset")):
            line = getattr(node, row) + shift
            setattr(node, row, line)
            if 1 <= line <= len(lines) and wide[line - 1]:
                before = lines[line - 1].encode()[: getattr(node, column)]
                setattr(node, column, len(before.decode(errors="replace")))
    return tree


def _definition(block: list[str]) -> gast.FunctionDef | None:
    tree = parse_lines(block)
    if len(tree.body) == 1 and isinstance(tree.body[0], gast.FunctionDef | gast.AsyncFunctionDef):
        return tree.body[0]
    return None


def _matches(node: gast.FunctionDef, code: CodeType) -> bool:
    return node.name == code.co_name and lambdas.parameters(node.args) == _parameters(code)


def _agrees(node: Definition, block: list[str], function: FunctionType) -> bool:
    """Whether the text compiles to the code; pytest rewrites asserts, classes know their line: no telling."""
    code = function.__code__
    if code.co_filename.startswith(GENERATED) or codes.rewritten(code):
        return True
    if any("class" in line for line in block):
        if any(isinstance(n, gast.ClassDef) for n in syntax.walk(node)):
            return True
    named = (n for n in code.co_names if isinstance(function.__globals__.get(n), ModuleType))
    return codes.compiles_to(codes.block(block, code, owner(function)), code, named)


def owner(function: FunctionType) -> str:
    """The class in whose body a function with private names stands; nothing if there is none."""
    outer = ["", *function.__qualname__.split(".")][-2]
    private = any(n.startswith(f"_{outer.lstrip('_')}__") for n in function.__code__.co_names)
    return outer if outer.isidentifier() and private else ""


def _parameters(code: CodeType) -> tuple[str, ...]:
    count = code.co_argcount + code.co_kwonlyargcount
    count += bool(code.co_flags & inspect.CO_VARARGS) + bool(code.co_flags & inspect.CO_VARKEYWORDS)
    return code.co_varnames[:count]


@lru_cache(maxsize=32)
def _whole(text: str) -> gast.Module | None:
    try:
        return parse_lines(text.splitlines(keepends=True))
    except SyntaxError:
        return None


def _lambda(code: CodeType, lines: list[str], name: str) -> Text:
    tree = _whole("".join(lines))
    if tree is None:
        raise _changed(code)
    found = lambdas.on_line(tree, code.co_firstlineno)
    found = [c for c in found if lambdas.parameters(c.node.args) == _parameters(code)]
    if len(found) > 1:
        found = lambdas.choose(found, code)
    if not found:
        raise _changed(code)
    if not all(syntax.same(found[0].node, c.node) for c in found[1:]):
        reason = f"line {code.co_firstlineno} of {code.co_filename} holds several lambdas"
        hint = "They cannot be told apart: put each on its own line."
        raise SourceUnavailableError(reason, None, hint)
    if not lambdas.compiles_to(found[0].node, code):
        raise _changed(code)
    shown = found[0].name or "f"
    node = found[0].node
    return Text(code.co_filename, 1, tuple(lines), node, name if name.isidentifier() else shown)


def describe(value: Callable[..., Any]) -> str:
    """What to call an object in a message."""
    return getattr(value, "__qualname__", None) or getattr(value, "__name__", None) or repr(value)
