"""Names, effects, sources."""

from __future__ import annotations

import numpy as np

from tests.language.rows import Section

SECTION = Section("Names")
EFFECTS = Section("Effects, exceptions, threads")
SOURCES = Section("Sources")
X = np.array([0.4, 1.3, 0.7])


@SECTION.works("names of builtins and modules for your own values", X)
def shadows(x):
    sum, len, np = 0.0, 2.0, 3.0
    for v in x:
        sum = sum + v * v
    return sum * len * np


@SECTION.refused("`range` and `reversed` for your own values, beside loops", X)
def shadows_range(x):
    reversed = x[0]
    for v in x:
        reversed = reversed * v
    return reversed


@SECTION.works("a name for values of several types, one after the other", X)
def changes_type(x):
    v = 2
    v = v * x[0]
    v = [v, x[1]]
    v = v[0] * v[1]
    v = x * v
    return np.sum(v)


@SECTION.works("names bound in one branch only", 0.7, True)
def one_branch(x, flag):
    if flag:
        y = x * x
    z = x
    if flag:
        z = y * x
    return z


@SECTION.works("names that generated text likes: `bx`, `dx`, `tape`, `rt`, `ZERO`, `t1`", X)
def generated(x):
    bx, dx, tape, rt, ZERO, t1, by, saved, _t = x[0], x[1], x[2], 2.0, 1.0, x[0], x[1], 0.5, x
    for trips in range(2):
        bx = bx * dx + tape * t1
        tape = tape * bx * by
    return bx * tape * rt * ZERO * saved + np.sum(_t)


@SECTION.works("names that are not ASCII", 0.7)
def not_ascii(x):
    σ, größe = x * x, 2.0 * x
    Δx = σ * größe
    return Δx * σ


@SECTION.works("names without value: read after `del` or before they are bound, and caught", X)
def unbound(x):
    y = x[0]
    del y
    s = x[1]
    try:
        s = s * y
    except NameError:
        s = s * x[2]
    for v in x:
        try:
            total = total + v * v
        except UnboundLocalError:
            total = v
    return s * total


@SECTION.works("`del x`, and the name bound anew", 0.7)
def deletes(x):
    y = x * x
    z = y * 2.0
    del y
    y = z * x
    return y * z


@SECTION.works("`_` and `__private` names", X)
def underscores(x):
    __a, _, *_ = x
    return __a * __a


EFFECTS.shown(
    "random numbers are drawn once",
    "tests.semantics.test_effects::test_random_numbers_are_drawn_once",
)
EFFECTS.shown(
    "files and output are written once", "tests.semantics.test_effects::test_text_is_written_once"
)
EFFECTS.shown(
    "counters in helpers, objects, classes and properties count once",
    "tests.semantics.test_effects::test_everything_is_counted_once",
)
EFFECTS.shown(
    "after an exception in either sweep the next call is right",
    "tests.semantics.test_next_call::test_after_the_backward_sweep_failed",
)
EFFECTS.shown(
    "threads may compile, call and pull back at once",
    "tests.semantics.test_threads::test_the_same_first_call",
)
EFFECTS.shown(
    "helpers, globals and attributes that change between calls are noticed",
    "tests.semantics.test_rebinding::test_first_derivatives",
)
SOURCES.shown("functions of modules and packages", "tests.frontend.test_sources::test_a_module")
SOURCES.shown("functions in archives", "tests.frontend.test_sources::test_a_package_in_an_archive")
SOURCES.shown("scripts", "tests.frontend.test_sources::test_a_script_that_goes_elsewhere")
SOURCES.shown("notebooks and IPython", "tests.frontend.test_sources::test_cells")
SOURCES.shown(
    "code that registers its text in `linecache`",
    "tests.frontend.test_sources::test_code_that_registers_its_text",
)
SOURCES.shown(
    "several lambdas on one line", "tests.frontend.test_sources::test_lambdas_on_one_line"
)
SOURCES.shown(
    "the prompt of Python 3.13; earlier ones, stdin and `python -c` keep no text: `SourceUnavailableError`",
    "tests.frontend.test_sources::test_where_no_text_is_kept",
)
SOURCES.shown(
    "files edited after they were loaded: `SourceUnavailableError`",
    "tests.frontend.test_sources::test_text_with_asserts_that_was_edited",
)
