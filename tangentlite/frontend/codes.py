"""Whether text and code agree: a file may have been edited since it was loaded.

In: text and a code object.
Out: yes or no.
Next: lambdas, source.
"""

from __future__ import annotations
import __future__

import ast
import dis
import textwrap
from collections.abc import Iterable
from functools import reduce
from operator import or_
from types import CodeType

FUTURE = reduce(or_, (getattr(__future__, n).compiler_flag for n in __future__.all_feature_names))
PARTS = ("co_names", "co_varnames", "co_freevars", "co_cellvars")
FORMS = {"LOAD_METHOD": "LOAD_ATTR", "CALL_METHOD": "CALL_FUNCTION"}
AROUND = "_around"  # a function that no user calls so
FILLING = ("PUSH_NULL", "NOP", "EXTENDED_ARG", "CACHE")
JUMPS = frozenset([*dis.hasjrel, *dis.hasjabs])


def compiles_to(text: str | ast.Module, code: CodeType, modules: Iterable[str] = ()) -> bool:
    """Whether compiling ``text`` gives, somewhere inside, the same instructions as ``code``.

    The lines must fall as in the file: instructions are joined within a line only. ``modules`` may be imported
    above the text: calls through names imported so have a form of their own.
    """
    found: list[CodeType] = []
    for head in dict.fromkeys(("".join(f"import {name}\n" for name in modules), "")):
        given = head + text if isinstance(text, str) else text
        try:
            made = compile(
                given, code.co_filename, "exec", code.co_flags & FUTURE, dont_inherit=True
            )
        except SyntaxError:
            return False
        found += _called(made, code.co_name)
        if any(c.co_code == code.co_code and same(c, code) for c in found):
            return True
    return any(same(c, code) for c in found)


def block(lines: list[str], code: CodeType, owner: str = "") -> str:
    """The lines of a definition as a module, the free variables of ``code`` bound around it.

    ``owner``: the class whose private names the lines say.
    """
    if owner:
        text = textwrap.dedent("".join(lines))
        lines = [f" class {owner}:\n", *textwrap.indent(text, "  ").splitlines(True)]
    text = "".join(lines)
    indent = text[: len(text) - len(text.lstrip(" \t"))]
    if not code.co_freevars:
        return f"if 1:\n{text}" if indent else text
    if not indent:  # it was given its variables when it was loaded
        text, indent = textwrap.indent(text, " "), " "
    head = f"def {AROUND}({', '.join(code.co_freevars)}):\n"
    if code.co_name not in code.co_freevars:
        head += f"{indent}global {code.co_name}\n"
    return head + text


def _called(outer: CodeType, name: str) -> list[CodeType]:
    inner = [c for c in outer.co_consts if isinstance(c, CodeType)]
    found = [c for c in inner if c.co_name == name]
    return found or [c for code in inner for c in _called(code, name)]


def rewritten(code: CodeType) -> bool:
    """Whether pytest has put its own statements in place of the asserts."""
    inner = (c for c in code.co_consts if isinstance(c, CodeType))
    return any(n[:3] == "@py" for n in code.co_varnames + code.co_names) or any(
        map(rewritten, inner)
    )


def same(a: CodeType, b: CodeType) -> bool:
    """Whether two code objects do the same, places aside."""
    if any(getattr(a, part) != getattr(b, part) for part in PARTS):
        return False
    if len(a.co_consts) != len(b.co_consts) or not all(map(_equal, a.co_consts, b.co_consts)):
        return False
    return a.co_code == b.co_code or _steps(a) == _steps(b)


def _steps(code: CodeType) -> list[tuple[str, object]]:
    """The instructions; a call through an imported module has another form than through a name."""
    return [
        (FORMS.get(step.opname, step.opname), None if step.opcode in JUMPS else _value(step))
        for step in dis.get_instructions(code)
        if step.opname not in FILLING
    ]


def _value(step: dis.Instruction) -> object:
    return None if isinstance(step.argval, CodeType) else repr(step.argval)


def _equal(x: object, y: object) -> bool:
    """Whether two constants are one (qualified names of nested functions aside)."""
    if isinstance(x, CodeType) and isinstance(y, CodeType):
        return same(x, y)
    if isinstance(x, str) and isinstance(y, str) and "<locals>" in x:
        return "<locals>" in y
    return type(x) is type(y) and (repr(x) == repr(y) or (isinstance(x, frozenset) and x == y))
