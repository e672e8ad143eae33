"""Laws of arithmetic: equal values, less text.

In: nothing.
Out: ``LAWS``: rows (before, after, names that must be floating).
Next: simplify.

Letters stand for any expression. One that vanishes or doubles must be pure (simplify checks
that). ``x * 1.0`` is ``x`` only if ``x`` is floating: an integer would become a float. Nothing
here reassociates sums or products, save scaling by two, which is exact, and what both factors of a square get.
"""

from __future__ import annotations

Law = tuple[str, str, str]

LAWS: tuple[Law, ...] = (
    # one
    ("a * 1.0", "a", "a"),
    ("1.0 * a", "a", "a"),
    ("a / 1.0", "a", "a"),
    ("a * 1", "a", "a"),
    ("1 * a", "a", "a"),
    ("a ** 1", "a", "a"),
    ("a ** 1.0", "a", "a"),
    # signs
    ("-(-a)", "a", "a"),
    ("-(-a * b)", "a * b", "a"),
    ("-(-a / b)", "a / b", "a"),
    ("-(-a * b * c)", "a * b * c", "a"),
    ("-(-a * b / c)", "a * b / c", "a"),
    ("-(-a / b * c)", "a / b * c", "a"),
    ("a + -b", "a - b", ""),
    ("a - -b", "a + b", "b"),
    ("-a + b", "b - a", ""),
    ("a + -b * c", "a - b * c", "b"),
    ("a + b * -c", "a - b * c", "b"),
    ("a + -b / c", "a - b / c", "b"),
    ("a + -b / c * d", "a - b / c * d", "b"),
    ("a - -b * c", "a + b * c", "b"),
    ("a - b * -c", "a + b * c", "b"),
    ("a * -1.0", "-a", "a"),
    ("-1.0 * a", "-a", "a"),
    # doubles
    ("a + a", "2.0 * a", "a"),
    ("2.0 * (a * b)", "2.0 * a * b", "a"),
    ("a * 0.5 * 2.0", "a", "a"),
    ("rt.summed(rt.summed(a, b * c, d), b * c, d)", "rt.summed(a, 2.0 * (b * c), d)", "b"),
    ("rt.dot_left(a, b, b) + rt.dot_right(a, b, b)", "rt.dot_both(a, b)", ""),
    ("rt.matmul_left(a, b, b) + rt.matmul_right(a, b, b)", "rt.matmul_both(a, b)", ""),
    ("c + rt.dot_left(a, b, b) + rt.dot_right(a, b, b)", "c + rt.dot_both(a, b)", ""),
    ("c + rt.matmul_left(a, b, b) + rt.matmul_right(a, b, b)", "c + rt.matmul_both(a, b)", ""),
    # what is repeated is scaled before
    ("rt.unreduce(a, b, c) * 2.0", "rt.unreduce(a * 2.0, b, c)", "a"),
    # what is multiplied is repeated then
    ("rt.times(rt.unreduce(a, b, c), b)", "rt.times(rt.kept(a, b, c), b)", ""),
    ("rt.times(rt.unreduce(a, b, c, True), b)", "rt.times(a, b)", ""),
    ("rt.unreduce(a, b, c) * b", "rt.kept(a, b, c) * b", "a"),
    ("rt.unreduce(a, b, c, True) * b", "a * b", "a"),
    # what was reduced along the first axis is broadcast along it
    ("rt.kept(a, b, 0) * b", "a * b", "a"),
    ("rt.times(rt.kept(a, b, 0), b)", "rt.times(a, b)", ""),
    # a square has as many elements
    ("rt.count(a * a)", "rt.count(a)", ""),
    ("rt.count(a ** 2)", "rt.count(a)", ""),
    # the lazy zero
    ("rt.ZERO + a", "a", ""),
    ("rt.add(rt.zeros(a), (b, c))", "[b, c]", ""),
    ("rt.add(rt.zeros(a), (b, c, d))", "[b, c, d]", ""),
    ("rt.add(rt.zeros(a), (b, c, d, e))", "[b, c, d, e]", ""),
    ("a + rt.ZERO", "a", ""),
    ("a - rt.ZERO", "a", ""),
    ("rt.ZERO - a", "-a", ""),
    ("-rt.ZERO", "rt.ZERO", ""),
    ("rt.ZERO * a", "rt.ZERO", ""),
    ("a * rt.ZERO", "rt.ZERO", ""),
    ("rt.ZERO / a", "rt.ZERO", ""),
    ("rt.ZERO @ a", "rt.ZERO", ""),
    ("a @ rt.ZERO", "rt.ZERO", ""),
    ("rt.ZERO.T", "rt.ZERO", ""),
    ("rt.ZERO[a]", "rt.ZERO", ""),
    ("rt.times(rt.ZERO, a)", "rt.ZERO", ""),
    ("rt.unbroadcast(rt.ZERO, a)", "rt.ZERO", ""),
)
