"""``match`` becomes ``if``: what a pattern asks is a test, what it captures is bound.

In: the user's statements.
Out: the same statements without ``match``.
Next: exits.
"""

from __future__ import annotations

import collections.abc
import itertools
from collections.abc import Iterator
from typing import Any

import gast

from tangentlite import syntax
from tangentlite.errors import UnsupportedSyntaxError
from tangentlite.lowering.context import Context, read, remade
from tangentlite.values import field, mutable

Body = list[gast.stmt]
WHOLE = (bool, bytearray, bytes, dict, float, frozenset, int, list, set, str, tuple)
ABC = collections.abc
ELSEWHERE = "Test for it with `if` and `isinstance`."


def as_branches(body: Body, context: Context) -> Body:
    """Each ``match`` becomes a chain of tests.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered('''
    ... match x:
    ...     case "double" | "twice":
    ...         y = y * 2
    ...     case None:
    ...         pass
    ...     case k if k > 3:
    ...         y = y * k
    ...     case _:
    ...         y = 0.0
    ... return y''', "x", "y"))
    if x == 'double' or x == 'twice':
        t1 = y * 2
        y = t1
    elif x is None:
        pass
    else:
        k = x
        if k > 3:
            t2 = y * k
            y = t2
        else:
            y = 0.0
    return y
    """

    def step(statement: gast.stmt) -> Body:
        if isinstance(statement, gast.Match):
            context.source = statement
            return _match(statement, context)
        return [statement]

    if gast.Match not in context.contents(body).kinds:
        return body
    return _rewritten(body, step, context)


def _rewritten(body: Body, step: Any, context: Context) -> Body:
    """Like ``syntax.rewrite``, into the cases too; what is made anew stands for what it was."""
    result: Body = []
    for statement in body:
        blocks = [n for n in syntax.BLOCKS if getattr(statement, n, None)]
        changes: dict[str, Any] = {
            n: _rewritten(getattr(statement, n), step, context) for n in blocks
        }
        for name in ("cases", "handlers"):
            if getattr(statement, name, None):
                inner = [
                    remade(part, body=_rewritten(part.body, step, context))
                    for part in getattr(statement, name)
                ]
                changes[name] = inner
        if changes:
            new = remade(statement, **changes)
            context.made[new] = context.made.get(statement, statement)
            statement = new
        result += step(statement)
    return result


@mutable
class Pattern:
    """What a pattern asks, in order, and what it captures."""

    tests: list[gast.expr] = field(default_factory=list)
    captures: list[tuple[str, gast.expr]] = field(default_factory=list)


def _match(statement: gast.Match, context: Context) -> Body:
    subject, cases = statement.subject, statement.cases
    captured = {n for case in cases for n in _names(case.pattern)}
    context.locals |= captured
    for name in captured:
        context.names.reserve(name)
    before: Body = []
    if isinstance(subject, gast.Tuple):
        subject, before = _parts(subject, context)
    elif not isinstance(subject, gast.Name) or subject.id in captured:
        name = context.temporary()
        before = context.quote("t = e", subject, t=name, e=subject)
        subject = read(name, subject)
    found = [
        [_Reader(context).read(p, subject) for p in _alternatives(case.pattern)] for case in cases
    ]
    rest: Body = []
    for case, patterns in zip(reversed(cases), reversed(found), strict=True):
        lower = _case if len(patterns) == 1 else _cases
        rest = lower(case, patterns, rest, context)
    return [*before, *rest]


def _alternatives(pattern: Any) -> list[Any]:
    """A pattern without alternatives that capture something: the first of those that match counts."""
    if not any(isinstance(n, gast.MatchOr) and any(_names(n)) for n in syntax.walk(pattern)):
        return [pattern]
    match pattern:
        case gast.MatchOr(patterns=patterns):
            return [p for inner in patterns for p in _alternatives(inner)]
        case gast.MatchAs(pattern=inner):
            return [remade(pattern, pattern=p) for p in _alternatives(inner)]
    found = [pattern]
    for name in ("patterns", "kwd_patterns"):
        inner = getattr(pattern, name, [])
        rows = list(itertools.product(*map(_alternatives, inner)))
        found = [remade(p, **{name: list(row)}) for p in found for row in rows] if inner else found
    return found


def _cases(case: Any, patterns: list[Pattern], rest: Body, context: Context) -> Body:
    """A case with several patterns that capture the same names."""
    flag = context.local("matched")
    guard = case.guard or syntax.at(syntax.constant(True), case.pattern)
    chain = context.quote("m = False", case.pattern, m=flag)
    for pattern in reversed(patterns):
        inner = [*_captured(pattern, context), *context.quote("m = g", guard, m=flag, g=guard)]
        test = _all(pattern.tests)
        chain = inner if test is None else _if(test, inner, chain, case, context)
    return [*chain, *_if(read(flag, guard), case.body, rest, case, context)]


def _captured(pattern: Pattern, context: Context) -> Body:
    return [s for name, e in pattern.captures for s in context.quote("v = e", e, v=name, e=e)]


def _parts(subject: gast.Tuple, context: Context) -> tuple[gast.Tuple, Body]:
    """``match a, b + 1:`` makes no tuple: its elements get names."""
    before, names = list[gast.stmt](), list[gast.expr]()
    for element in subject.elts:
        if isinstance(element, gast.Starred):
            raise _refused(element, "`*` in the subject of a match", context)
        name = context.temporary()
        before += context.quote("t = e", element, t=name, e=element)
        names.append(read(name, element))
    return remade(subject, elts=names), before


def _case(case: Any, patterns: list[Pattern], rest: Body, context: Context) -> Body:
    """One case, and what happens if it does not match."""
    (pattern,) = patterns
    bound = _captured(pattern, context)
    tests, guard = pattern.tests, case.guard
    if guard is not None and not bound:
        tests, guard = [*tests, guard], None
    test = _all(tests)
    if guard is None:
        body = [*bound, *case.body]
        return body if test is None else _if(test, body, rest, case, context)
    if test is None:
        return [*bound, *_if(guard, case.body, rest, case, context)]
    flag = context.local("matched")
    inner = [*bound, *context.quote("m = g", guard, m=flag, g=guard)]
    start = context.quote("m = False", guard, m=flag)
    tried = _if(test, inner, [], case, context)
    return [*start, *tried, *_if(read(flag, guard), case.body, rest, case, context)]


def _if(test: gast.expr, body: Body, rest: Body, case: Any, context: Context) -> Body:
    return context.quote(
        "if test:\n    body\nelse:\n    rest" if rest else "if test:\n    body",
        case.pattern,
        test=test,
        body=body,
        **({"rest": rest} if rest else {}),
    )


def _all(tests: list[gast.expr]) -> gast.expr | None:
    if len(tests) < 2:
        return tests[0] if tests else None
    return syntax.at(gast.BoolOp(gast.And(), tests), tests[0])


def _names(pattern: Any) -> Iterator[str]:
    """The names that a pattern binds."""
    for node in syntax.walk(pattern):
        if isinstance(node, (gast.MatchAs, gast.MatchStar)) and node.name:
            yield node.name
        elif isinstance(node, gast.MatchMapping) and node.rest:
            yield node.rest


def _refused(node: Any, what: str, context: Context) -> UnsupportedSyntaxError:
    place = context.function.origin.place(node)
    return UnsupportedSyntaxError(f"{what} is not supported yet", place, ELSEWHERE)


class _Reader:
    """Reads a pattern against an expression that may be evaluated again."""

    def __init__(self, context: Context) -> None:
        self.context, self.found = context, Pattern()

    def read(self, pattern: Any, subject: gast.expr) -> Pattern:
        """What ``pattern`` asks of ``subject``."""
        self.pattern(pattern, subject)
        return self.found

    def ask(self, text: str, place: Any, **holes: Any) -> None:
        """A test."""
        self.found.tests.append(self.value(text, place, **holes))

    def value(self, text: str, place: Any, **holes: Any) -> gast.expr:
        """An expression at a place."""
        value: gast.expr = self.context.quote(text, place, **holes)[0].value
        return value

    def pattern(self, pattern: Any, subject: gast.expr) -> None:
        match pattern:
            case gast.MatchValue(value=value):
                self.ask("s == v", pattern, s=subject, v=value)
            case gast.MatchSingleton(value=value):
                constant = syntax.at(syntax.constant(value), pattern)
                self.ask("s is v", pattern, s=subject, v=constant)
            case gast.MatchAs(pattern=inner, name=name):
                if inner is not None:
                    self.pattern(inner, subject)
                if name is not None:
                    self.found.captures.append((name, subject))
            case gast.MatchOr(patterns=patterns):
                self.either(pattern, patterns, subject)
            case gast.MatchSequence(patterns=patterns):
                self.sequence(pattern, patterns, subject)
            case gast.MatchMapping(keys=keys, patterns=patterns):
                self.mapping(pattern, keys, patterns, subject)
            case gast.MatchClass():
                self.instance(pattern, subject)

    def either(self, pattern: Any, patterns: list[Any], subject: gast.expr) -> None:
        """``p | q``: alternatives capture nothing."""
        tests = [_all(_Reader(self.context).read(p, subject).tests) for p in patterns]
        known = [t for t in tests if t is not None]
        if len(known) == len(tests):
            self.found.tests.append(syntax.at(gast.BoolOp(gast.Or(), known), pattern))

    def sequence(self, pattern: Any, patterns: list[Any], subject: gast.expr) -> None:
        """Elements, and a star between them."""
        stars = [k for k, p in enumerate(patterns) if isinstance(p, gast.MatchStar)]
        least = syntax.at(syntax.constant(len(patterns) - len(stars)), pattern)
        if isinstance(subject, gast.Tuple):
            if stars or len(patterns) != len(subject.elts):
                raise _refused(pattern, "a pattern of another length here", self.context)
            for inner, element in zip(patterns, subject.elts, strict=True):
                self.pattern(inner, element)
            return
        abc = self.context.module("abc", ABC)
        text = "isinstance(s, abc.Sequence)"
        self.ask(text, pattern, s=subject, abc=abc)
        self.ask("not isinstance(s, (str, bytes, bytearray))", pattern, s=subject)
        self.ask("len(s) >= n" if stars else "len(s) == n", pattern, s=subject, n=least)
        for k, inner in enumerate(patterns):
            place = k if not stars or k < stars[0] else k - len(patterns)
            if isinstance(inner, gast.MatchStar):
                if inner.name is not None:
                    end = place + 1 or None
                    text = f"list(s[{k}:{end or ''}])"
                    self.found.captures.append((inner.name, self.value(text, inner, s=subject)))
                continue
            self.pattern(inner, self.value(f"s[{place}]", inner, s=subject))

    def mapping(
        self, pattern: Any, keys: list[Any], patterns: list[Any], subject: gast.expr
    ) -> None:
        """What a dict holds under keys."""
        abc = self.context.module("abc", ABC)
        self.ask("isinstance(s, abc.Mapping)", pattern, s=subject, abc=abc)
        for key, inner in zip(keys, patterns, strict=True):
            self.ask("k in s", key, k=key, s=subject)
            self.pattern(inner, self.value("s[k]", inner, s=subject, k=key))
        if pattern.rest is not None:
            taken = syntax.at(gast.Tuple(list(keys), gast.Load()), pattern)
            names = {"k": self.context.local("key"), "v": self.context.local("item")}
            text = "{k: v for k, v in s.items() if k not in taken}"
            rest = self.value(text, pattern, s=subject, taken=taken, **names)
            self.found.captures.append((pattern.rest, rest))

    def instance(self, pattern: Any, subject: gast.expr) -> None:
        """A class, and what its attributes are."""
        self.ask("isinstance(s, c)", pattern, s=subject, c=pattern.cls)
        class_ = self.context.meaning(pattern.cls)
        names = getattr(class_, "__match_args__", ())
        parts = list(zip(pattern.kwd_attrs, pattern.kwd_patterns, strict=True))
        if class_ in WHOLE and len(pattern.patterns) == 1:
            self.pattern(pattern.patterns[0], subject)
        elif len(pattern.patterns) > len(names):
            raise _refused(pattern, "a pattern of attributes without names", self.context)
        else:
            parts = [*zip(names, pattern.patterns), *parts]
        for name, inner in parts:
            self.pattern(inner, self.value(f"s.{name}", inner, s=subject))
