"""Programs judged by their derivatives, and programs with a fault made small."""

from __future__ import annotations

import argparse
import ast
import copy
import re
import signal
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import tangentlite as tl
from tests.programs.strict import alike, direction, leaves, rebuilt, structured
from tests.properties.programs import function

Arguments = tuple[Any, ...]
Fault = tuple[str, str]
ACTIVE = (0, 1, 2)
PATIENCE = 60
LABELS = "second order,arguments,single,value,optimized or not,alone,differences,forward,split"


class Broken(Exception):
    """The program itself fails."""


def along(f: Callable[..., Any], args: Arguments, v: Arguments, step: float) -> float:
    """The slope in a direction, by differences of fourth order."""
    slope = 0.0
    for h, weight in ((1, 8.0), (-1, -8.0), (2, -1.0), (-2, 1.0)):
        moved = [
            rebuilt(a, iter(np.add(leaves(a), np.multiply(h * step, leaves(d)))))
            for a, d in zip(args, v)
        ]
        slope += weight * float(f(*moved, *copy.deepcopy(args[len(v) :]))) / (12 * step)
    return slope


def smooth(f: Callable[..., Any], args: Arguments, v: Arguments) -> float | None:
    """The slope in a direction, or None beside a jump."""
    fine, coarse = along(f, args, v, 1e-4), along(f, args, v, 4e-4)
    return coarse if np.isclose(fine, coarse, rtol=1e-5, atol=1e-6) else None


def close(found: Any, expected: Any, where: str, rtol: float, least: float = 1.0) -> None:
    scale = max(least, float(np.max(np.abs(expected), initial=0.0)))
    np.testing.assert_allclose(found, expected, rtol=rtol, atol=rtol * scale, err_msg=where)


def numbers(gradients: Any, args: Arguments, where: str) -> list[float]:
    return [n for g, a in zip(gradients, args) for n in structured(g, a, where)]


def confirm(text: str, args: Arguments, second: bool = False) -> None:
    """Reverse, optimized and not, split, forward and differences agree; arguments stay."""
    f = function(text)
    try:
        value = f(*copy.deepcopy(args))
    except Exception as error:
        raise Broken(f"{type(error).__name__}: {error}") from error
    if "np.float32" in text:
        confirm(text.replace("np.float32", "np.float64"), args, second)
        return roughly(f, text, args)
    v = tuple(direction(a, 3 + k) for k, a in enumerate(args[: len(ACTIVE)]))
    found = []
    for optimized in (True, False):
        where = f"optimized={optimized}"
        again, gradient = kept(tl.value_and_grad(f, wrt=ACTIVE, optimized=optimized), args, where)
        close(again, value, f"value, {where}", 1e-12)
        found.append(numbers(gradient, args, where))
    close(*found, "optimized or not", 1e-9)
    alone(f, args, gradient, len(text) % len(ACTIVE))
    slope = float(np.dot(found[0], leaves(v)))
    expected = smooth(f, args, v)
    if expected is not None:
        close(slope, expected, "reverse and differences", 1e-5)
    terms = 1.0 + float(np.dot(np.abs(found[0]), np.abs(leaves(v))))
    tangent = kept(tl.jvp(f, wrt=ACTIVE), args, "jvp", tangent=v)[1]
    close(tangent, slope, "forward", 1e-8, terms)
    pullback = kept(tl.vjp(f, wrt=ACTIVE), args, "vjp")[1]
    for call in ("first", "second"):
        close(numbers(pullback(1.0), args, "split"), found[0], f"split, {call} call", 1e-9)
    if second:
        twice(f, args, v)
    return None


def alone(f: Callable[..., Any], args: Arguments, gradient: Any, k: int) -> None:
    """One argument alone has the gradient that it has among others."""
    own = structured(kept(tl.grad(f, wrt=k), args, "alone"), args[k], "alone")
    close(own, structured(gradient[k], args[k], "alone"), "one argument alone", 1e-9)


def roughly(f: Callable[..., Any], text: str, args: Arguments) -> None:
    """In single precision the derivatives are those of double precision, nearly."""
    double = function(text.replace("np.float32", "np.float64"))
    fine = numbers(tl.grad(double, wrt=ACTIVE)(*copy.deepcopy(args)), args, "double")
    for optimized in (True, False):
        df = tl.grad(f, wrt=ACTIVE, optimized=optimized)
        close(numbers(kept(df, args, "rough"), args, "rough"), fine, "single precision", 5e-3)
    pullback = kept(tl.vjp(f, wrt=ACTIVE), args, "vjp")[1]
    close(numbers(pullback(1.0), args, "rough"), fine, "split, single precision", 5e-3)
    v = tuple(direction(a, 3 + k) for k, a in enumerate(args[: len(ACTIVE)]))
    terms = 1.0 + float(np.dot(np.abs(fine), np.abs(leaves(v))))
    tangent = kept(tl.jvp(f, wrt=ACTIVE), args, "jvp", tangent=v)[1]
    close(tangent, np.dot(fine, leaves(v)), "forward, single precision", 5e-3, terms)


def kept(call: Callable[..., Any], args: Arguments, where: str, **options: Any) -> Any:
    """The result of a call that must leave its arguments alone."""
    given = copy.deepcopy(args)
    result = call(*given, **copy.deepcopy(options))
    alike(given, args, f"arguments, {where}")
    return result


def twice(f: Callable[..., Any], args: Arguments, v: Arguments) -> None:
    """Reverse over reverse, forward over reverse, and differences."""
    df = tl.grad(f, wrt=ACTIVE)

    def slope(*args: Any) -> float:
        return float(np.dot(leaves(df(*args)), leaves(v)))

    reverse = numbers(kept(tl.vjp(df, wrt=ACTIVE), args, "vjp")[1](v), args, "second order")
    forward = kept(tl.jvp(df, wrt=ACTIVE), args, "jvp", tangent=v)[1]
    close(numbers(forward, args, "second order"), reverse, "second order, forward", 1e-7)
    expected = smooth(slope, args, v)
    if expected is not None:
        close(np.dot(reverse, leaves(v)), expected, "second order and differences", 1e-4)


def judge(text: str, args: Arguments, second: bool = False) -> Fault:
    """WRONG, REFUSED, INTERNAL, BROKEN (the program fails), SLOW or ok; and what happened."""
    signal.signal(signal.SIGALRM, impatient)
    signal.alarm(PATIENCE)
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            confirm(text, args, second)
    except (TimeoutError, RecursionError, Broken) as error:
        kinds = {TimeoutError: "SLOW", Broken: "BROKEN"}
        return kinds.get(type(error), "INTERNAL"), f"{type(error).__name__}: {str(error)[:200]}"
    except tl.DerivativeError as error:
        return "REFUSED", f"{type(error).__name__}: {error.message}"
    except AssertionError as error:
        return "WRONG", re.sub(r"\s+", " ", str(error))[:300]
    except Exception as error:
        return "INTERNAL", f"{type(error).__name__}: {str(error)[:200]}"
    finally:
        signal.alarm(0)
    return "ok", ""


def impatient(*_: Any) -> None:
    raise TimeoutError(f"no answer in {PATIENCE} seconds")


def essence(fault: Fault) -> tuple[str, str]:
    """What two programs with the same fault have in common."""
    kind, text = fault
    if kind == "WRONG":
        return kind, next((label for label in LABELS.split(",") if label in text), "type or shape")
    return kind, re.sub(r"`[^`]*`|'[^']*'|\d+", "_", text)


# Smaller programs


def edits(tree: ast.Module) -> Iterator[Callable[[], None]]:
    """Ways to make the tree smaller, each once; statements before expressions."""
    for node in ast.walk(tree):
        for field in ("body", "orelse"):
            block = getattr(node, field, None)
            if isinstance(block, list):
                for k, statement in enumerate(block):
                    yield from statement_edits(block, k, statement, field)
    for node in ast.walk(tree):
        for field, value in ast.iter_fields(node):
            for part in operands(value):
                yield lambda n=node, f=field, p=part: setattr(n, f, p)
            if isinstance(value, list) and not isinstance(node, ast.Module | ast.FunctionDef):
                for k, element in enumerate(value):
                    for part in operands(element):
                        yield lambda v=value, k=k, p=part: v.__setitem__(k, p)


def statement_edits(
    block: list[ast.stmt], k: int, statement: ast.stmt, field: str
) -> Iterator[Callable[[], None]]:
    if isinstance(statement, ast.Pass):
        return
    rest = [] if len(block) > 1 or field == "orelse" else [ast.Pass()]
    yield lambda: block.__setitem__(slice(k, k + 1), rest)
    for inner in ("body", "orelse"):
        inside = getattr(statement, inner, None)
        if inside and not isinstance(statement, ast.FunctionDef):
            yield lambda: block.__setitem__(slice(k, k + 1), inside)


def operands(node: Any) -> list[ast.expr]:
    """Expressions that may stand for the whole one."""
    match node:
        case ast.BinOp():
            return [node.left, node.right]
        case ast.Call():
            return node.args
        case ast.IfExp():
            return [node.body, node.orelse]
        case ast.UnaryOp():
            return [node.operand]
        case ast.Subscript(ctx=ast.Load()) | ast.Attribute(ctx=ast.Load()):
            return [node.value]
    return []


def reduced(text: str, same: Callable[[str], bool]) -> str:
    """A small program for which ``same`` still holds."""
    tree, k = ast.parse(text), 0
    while True:
        smaller = copy.deepcopy(tree)
        edit = next((e for n, e in enumerate(edits(smaller)) if n == k), None)
        if edit is None:
            return ast.unparse(tree)
        edit()
        if same(ast.unparse(ast.fix_missing_locations(smaller))):
            tree = ast.parse(ast.unparse(smaller))
        else:
            k += 1


# The command line


def command(
    words: list[str], written: Callable[..., str], arguments: Callable[[int], Arguments]
) -> int:
    """Judge, show or reduce programs by their seeds."""
    parser = argparse.ArgumentParser(prog="inplace")
    parser.add_argument("range", nargs="*", type=float, help="first and last seed, seconds")
    parser.add_argument("--show", type=int)
    parser.add_argument("--reduce", type=int)
    parser.add_argument("--second", action="store_true")
    parser.add_argument("--without", default="", help="kinds of statements, with commas")
    parser.add_argument("--refused", action="store_true", help="print refused programs, too")
    asked = parser.parse_args(words)
    without = frozenset(asked.without.split(","))
    if asked.show is not None:
        print(written(asked.show, without))
        return 0
    if asked.reduce is not None:
        return reduction(written(asked.reduce, without), arguments(asked.reduce), asked.second)
    first, last, *seconds = asked.range
    end = time.monotonic() + (seconds[0] if seconds else 1e9)
    counts: Counter[Fault] = Counter()
    for seed in range(int(first), int(last) + 1):
        if time.monotonic() > end:
            break
        text = written(seed, without)
        fault = judge(text, arguments(seed), asked.second)
        counts[essence(fault)] += 1
        if fault[0] not in ("ok", "REFUSED") or (asked.refused and fault[0] != "ok"):
            print(f"{seed} {fault[0]}: {fault[1]}\n{program_of(text)}\n", flush=True)
    for (kind, what), count in counts.most_common():
        print(f"{count:6} {kind} {what}")
    return int(any(kind not in ("ok", "REFUSED") for kind, _ in counts))


def program_of(text: str) -> str:
    """The text without its helpers."""
    return text[text.index("def program") :].rstrip()


def reduction(text: str, args: Arguments, second: bool) -> int:
    fault = judge(text, args, second)
    print(f"{fault[0]}: {fault[1]}", flush=True)
    if fault[0] == "ok":
        return 0
    wanted = essence(fault)
    small = reduced(text, lambda t: essence(judge(t, args, second)) == wanted)
    print(f"{small}\n\n# at {args}\n# {judge(small, args, second)}")
    return 1
