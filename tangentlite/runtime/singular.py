"""Local derivatives at singular points and kinks: quotients, powers, ties, signs.

In: numbers or arrays; Python numbers stay Python numbers, float32 stays float32.
Out: the same, with IEEE's answers and without warnings.
Next: roots.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tangentlite.runtime.shapes.broadcast import FLOATS
from tangentlite.runtime.times import LARGE, finite
from tangentlite.runtime.zero import ZERO

DOUBLE = np.dtype(float)
NUMBERS = FLOATS | {int}
PYTHONS = frozenset({float, int})
NOTHING = np.zeros(())  # takes less time to compare with than Python's zero
FEW = 2_000  # elements that are counted before they are compared
# without asking other kinds of arrays
count = getattr(np.count_nonzero, "_implementation", np.count_nonzero)
QUIET: dict[str, Any] = {
    "divide": "ignore",
    "invalid": "ignore",
    "over": "ignore",
    "under": "ignore",
}


def quotient(b: Any, y: Any) -> Any:
    """``b / y``, except zero where ``b`` is and the ratio is NaN.

    >>> quotient(3.0, 2.0), quotient(0.0, 0.0), quotient(1.0, 0.0)
    (1.5, 0.0, inf)
    """
    kind = type(y)
    if kind is np.ndarray:
        if b is not ZERO and (
            (y.dtype is DOUBLE and y.size and y.item(y.argmin()) > 0.0) or _divides(y)
        ):
            return b / y
    elif kind is float or kind is int:
        if y and y == y:
            return b / y
    elif b is ZERO:
        return ZERO
    elif kind is np.float64 and 1.0 / LARGE < abs(y) < LARGE:
        return b / y
    if b is ZERO:
        return ZERO
    with np.errstate(**QUIET):
        ratio = np.true_divide(b, y)
    result = np.where((np.asarray(b) == 0) & np.isnan(ratio), 0.0, ratio)
    return as_given(result.astype(ratio.dtype), b, y)


def _divides(y: Any) -> bool:
    """Whether an array is finite and nowhere zero; its ends tell that where all of it has one sign.

    >>> [_divides(np.array(y)) for y in ([1.0, 2.0], [-1.0, 2.0], [0.0, 2.0], [1.0, np.inf], [np.nan, 1.0], [])]
    [True, True, False, False, False, True]
    """
    if y.dtype is not DOUBLE or not y.size:
        return bool(np.count_nonzero(y) == y.size) and finite(y)
    low, high = y.item(y.argmin()), y.item(y.argmax())
    if not (low > -math.inf and high < math.inf):
        return False
    return low > 0.0 or high < 0.0 or bool(np.count_nonzero(y) == y.size)


def power(x: Any, y: Any) -> Any:
    """``x ** y`` where nothing raises: integers are floats, ``0.0 ** -1.0`` is inf.

    >>> power(0.0, -1.0), power(2, -1)
    (inf, 0.5)
    """
    if type(x) in FLOATS and 1e-30 < x < 1e30 and type(y) in NUMBERS and -9.0 < y < 9.0:
        return x**y
    with np.errstate(**QUIET):
        return as_given(np.power(_floating(x), _floating(y)), x, y)


def dpower_dx(x: Any, y: Any) -> Any:
    """The derivative of ``x ** y`` in x: ``y * x ** (y - 1)``, zero where y is.

    >>> dpower_dx(3.0, 2), dpower_dx(0.0, 0.0), dpower_dx(0.0, 1.0)
    (6.0, 0.0, 1.0)
    """
    if type(x) in FLOATS and 1e-30 < x < 1e30 and type(y) in NUMBERS and -9.0 < y < 9.0:
        return y * x ** (y - 1)
    with np.errstate(**QUIET):
        slope = y * power(x, y - 1)
    if type(slope) in (float, complex):
        return slope if y else type(slope)(0.0)
    return as_given(np.where(np.asarray(y) == 0, 0.0, slope).astype(slope.dtype), x, y)


def log_or_zero(x: Any) -> Any:
    """``log(x)``, except zero at zero: the factor of ``x ** y`` in the derivative in y.

    >>> log_or_zero(1.0), log_or_zero(0.0)
    (0.0, 0.0)
    """
    if type(x) in FLOATS and x > 0.0:
        return type(x)(math.log(x))
    with np.errstate(**QUIET):
        return as_given(
            np.log(np.where(np.asarray(x) == 0, 1.0, x).astype(np.asarray(_floating(x)).dtype)), x
        )


def complex_log(x: Any) -> Any:
    """``log_or_zero`` of a complex number; of a real one as a complex number, hence of negative ones, too.

    >>> complex_log(1.0), complex_log(0.0), complex_log(np.float32(-1.0)).imag == np.float32(np.pi)
    (0j, 0j, np.True_)
    """
    return log_or_zero(x if np.iscomplexobj(x) else _floating(x) + 0j)


def is_double(x: Any) -> bool:
    """Whether ``x`` is a float or an array of those, beside which any other float stays double."""
    return type(x) is float or (type(x) is np.ndarray and x.ndim > 0 and x.dtype is DOUBLE)


def wins(x: Any, y: Any) -> Any:
    """One where x is greater than y, a half where they tie, else zero; one if there is no rival.

    Arrays without ties have truth values, which ``cancel`` selects by.

    >>> wins(2.0, 1.0), wins(1.0, 1.0), wins(0.0, 1.0), wins(3.0, None)
    (1.0, 0.5, 0.0, 1.0)
    """
    if type(x) is np.ndarray and type(y) in PYTHONS and not y and x.dtype is DOUBLE and x.ndim:
        return _over_zero(x)
    if x is None or y is None:
        return 1.0
    if type(x) in FLOATS and type(y) in FLOATS:
        return 0.5 * (bool(x > y) + bool(x >= y))
    if type(x) is int and is_double(y):
        x = float(x)
    elif type(y) is int and is_double(x):
        y = float(y)
    if is_double(x) and is_double(y) and (type(x) is np.ndarray or type(y) is np.ndarray):
        share, ties = np.greater(x, y), np.equal(x, y)
        return share + 0.5 * ties if np.count_nonzero(ties) else share
    half = np.result_type(_floating(x), _floating(y)).type(0.5)
    share, ties = np.greater(x, y).astype(type(half)), np.equal(x, y)
    return as_given(share + half * ties if np.any(ties) else share, x, y)


def _over_zero(x: Any) -> Any:
    """``wins(x, 0.0)`` of an array: where it is small, counting takes less time than comparing."""
    share = np.greater(x, NOTHING)
    if x.size < FEW and count(x) == x.size:
        return share
    ties = np.equal(x, NOTHING)
    return share + 0.5 * ties if np.count_nonzero(ties) else share


def direction(x: Any) -> Any:
    """The derivative of ``abs(x)``: the sign, zero at zero; ``conj(x) / abs(x)`` if x is complex.

    >>> direction(-2.5), direction(0.0)
    (-1.0, 0.0)
    """
    if type(x) in FLOATS:
        return float(bool(x > 0.0) - bool(x < 0.0)) if x == x else x
    return as_given(np.conjugate(np.sign(_floating(x))), x)


def turned(v: Any, x: Any) -> Any:
    """How ``direction(x)`` moves when ``x`` moves by ``v``: linear in v, and its own adjoint; zero at zero.

    >>> turned(1.0, 2.0), turned(1j, 2.0 + 0.0j)
    (0.0, np.complex128(-0.5j))
    """
    if v is ZERO or not np.iscomplexobj(x):
        return 0.0 * v
    unit = direction(x)
    return quotient((x != 0) * (np.conjugate(v) - unit * np.real(unit * v)), np.abs(x))


def _floating(x: Any) -> Any:
    """``x`` of a float or complex type; a Python number stays one, as it decides no dtype."""
    if type(x) in (float, int, bool, complex):
        return x if type(x) is complex else float(x)
    x = np.asarray(x)
    return x.astype(float) if x.dtype.kind in "iub" else x


def as_given(result: Any, *operands: Any) -> Any:
    """A Python number if all operands are, a NumPy scalar if none is an array."""
    if any(isinstance(o, np.ndarray) for o in operands):
        return result
    if all(type(o) in (float, int, bool, complex) for o in operands):
        return result.item()
    return result[()]
