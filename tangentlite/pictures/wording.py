"""How operations are called in a picture.

In: the right side of a statement in normal form.
Out: a short label, and the operands that stand as nodes of their own.
Next: building.
"""

from __future__ import annotations

import gast

from tangentlite import syntax

BINARY: dict[type, str] = {
    gast.Add: "+", gast.Sub: "−", gast.Mult: "×", gast.Div: "÷", gast.Pow: "power", gast.MatMult: "@",
    gast.FloorDiv: "//", gast.Mod: "%", gast.BitAnd: "&", gast.BitOr: "|", gast.BitXor: "^",
    gast.LShift: "<<", gast.RShift: ">>",
}  # fmt: skip
UNARY: dict[type, str] = {gast.USub: "−", gast.UAdd: "+", gast.Not: "not", gast.Invert: "~"}
LONGEST = 26


def short(text: str, longest: int = LONGEST) -> str:
    """A text that is cut where it is too long.

    >>> short("t1 = np.concatenate((a, b))", 12)
    't1 = np.con…'
    """
    return text if len(text) <= longest else text[: longest - 1] + "…"


def labeled(value: gast.expr) -> tuple[str, list[gast.expr]]:
    """The label of an operation and its operands.

    >>> label, operands = labeled(syntax.expression("total(t1, axis=0)"))
    >>> label, [syntax.unparse(e) for e in operands]
    ('total axis=0', ['t1'])
    >>> labeled(syntax.expression("x[1:]"))[0], labeled(syntax.expression("a * b"))[0]
    ('[1:]', '×')
    """
    match value:
        case gast.BinOp(left=left, op=op, right=right):
            return BINARY[type(op)], [left, right]
        case gast.UnaryOp(op=op, operand=operand):
            return UNARY[type(op)], [operand]
        case gast.Call(func=func, args=args, keywords=keywords):
            return _call(func, args, keywords)
        case gast.Subscript(value=owner, slice=index):
            return short(f"[{syntax.unparse(index).strip('()')}]"), [owner]
        case gast.Attribute(value=owner, attr=attr):
            return f".{attr}", [owner]
        case gast.Tuple(elts=parts) | gast.List(elts=parts):
            return ("tuple" if isinstance(value, gast.Tuple) else "list"), parts
        case gast.Dict(values=parts):
            return "dict", parts
    names = [syntax.name(n) for n in sorted(syntax.loads(value))]
    return short(syntax.unparse(value)), names


def _call(
    func: gast.expr, args: list[gast.expr], keywords: list[gast.keyword]
) -> tuple[str, list[gast.expr]]:
    name = (syntax.dotted(func) or "call").split(".")[-1]
    owner = [func.value] if isinstance(func, gast.Attribute) else []
    given = [k.value for k in keywords if isinstance(k.value, gast.Name)]
    operands = [*owner, *(a for a in args if not _said(a)), *given]
    said = [syntax.unparse(a) for a in args if _said(a)]
    said += [f"{k.arg}={syntax.unparse(k.value)}" for k in keywords if _said(k.value)]
    return short(" ".join([name, *said])), operands


def _said(argument: gast.expr) -> bool:
    """Whether an argument is part of the label."""
    return isinstance(argument, gast.Constant)
