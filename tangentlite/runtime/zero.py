"""ZERO, the adjoint that nothing has reached yet: it vanishes in sums and swallows products.

In: any number, array or adjoint beside it.
Out: the other operand of a sum, ``ZERO`` for a product, 0.0 where a value is asked for.
Next: broadcast.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tangentlite.errors import DerivativeError

ROUNDED = "numbers are stored in an argument that is an array of integers, which rounds them"
MADE = "numbers are stored in an array of integers that is made of an argument of integers, which rounds them"
PART = "numbers are stored in a part of an array of integers, which rounds them"
FLOATS = "Pass floats: x.astype(float)."

# Functions for which zero in the first argument gives zero.
LINEAR = frozenset(
    getattr(np, name)
    for name in """
    sum mean transpose reshape ravel broadcast_to squeeze expand_dims moveaxis swapaxes rollaxis
    flip fliplr flipud rot90 roll tril triu diag diagonal diagflat trace cumsum diff take
    take_along_axis copy repeat tile resize real imag conj nan_to_num atleast_1d atleast_2d
    atleast_3d zeros_like abs nansum asarray ascontiguousarray compress extract
    polyder polyint polyval delete pad
    """.split()
) | frozenset(
    getattr(np.fft, name)
    for name in """
    fft ifft rfft irfft hfft ihfft fft2 ifft2 rfft2 irfft2 fftn ifftn rfftn irfftn fftshift ifftshift
    """.split()
)
# Functions for which zero in any array argument gives zero.
PRODUCTS = frozenset(
    (np.dot, np.vdot, np.inner, np.outer, np.tensordot, np.einsum, np.kron, np.cross)
    + (np.convolve, np.correlate)
)
# Functions that give parts, each of them zero.
PARTS = frozenset((np.split, np.array_split, np.vsplit, np.hsplit, np.dsplit))
# Functions for which zero may stand for the number 0.0.
NUMERIC = frozenset(
    (
        *(np.where, np.copyto, np.shape, np.ndim, np.size, np.array_equal, np.allclose),
        *(np.isclose, np.full_like, np.clip, np.isrealobj, np.iscomplexobj, np.result_type),
    )
)
UFUNC_PRODUCTS = frozenset(
    getattr(np, name)
    for name in ("multiply", "matmul", "vecdot", "matvec", "vecmat")
    if hasattr(np, name)
)
UFUNC_ODD = frozenset((np.negative, np.positive, np.conjugate, np.absolute))
KEEPING_INERT = UFUNC_PRODUCTS | UFUNC_ODD | {np.add, np.subtract, np.true_divide}


class ZeroGrad:
    """The lazy zero: one instance, ``ZERO``, of no shape and every type."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "ZERO"

    def __reduce__(self) -> str:
        return "ZERO"

    def __copy__(self) -> ZeroGrad:
        return self

    def __deepcopy__(self, memo: object) -> ZeroGrad:
        return self

    def __bool__(self) -> bool:
        return False

    def __float__(self) -> float:
        return 0.0

    def __complex__(self) -> complex:
        return 0j

    def __hash__(self) -> int:
        return 0

    def __iter__(self) -> Iterator[Any]:
        raise TypeError("ZERO has no elements to iterate over")

    def __setitem__(self, i: Any, e: Any) -> None:
        raise DerivativeError(PART, None, FLOATS)  # what an index takes from INERT

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        return np.zeros((), dtype)

    def __add__(self, other: Any) -> Any:
        return other

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return -other

    def __rsub__(self, other: Any) -> Any:
        return other

    def _zero(self, *args: Any, **kwargs: Any) -> ZeroGrad:
        return self

    __mul__ = __rmul__ = __matmul__ = __rmatmul__ = __truediv__ = __floordiv__ = _zero
    __neg__ = __pos__ = __abs__ = __getitem__ = _zero
    sum = mean = reshape = transpose = ravel = flatten = swapaxes = squeeze = dot = _zero
    copy = astype = conj = conjugate = cumsum = trace = diagonal = take = repeat = _zero

    @property
    def T(self) -> ZeroGrad:
        """ZERO again."""
        return self

    mT = real = imag = flat = T

    def __rtruediv__(self, other: Any) -> Any:
        return other / 0.0

    def __pow__(self, power: Any) -> Any:
        return self if np.all(power) else 0.0**power

    def __rpow__(self, base: Any) -> Any:
        return base**0.0

    def __eq__(self, other: object) -> Any:
        return True if other is self else other == 0.0

    def __lt__(self, other: Any) -> Any:
        return other > 0.0

    def __gt__(self, other: Any) -> Any:
        return other < 0.0

    def __le__(self, other: Any) -> Any:
        return other >= 0.0

    def __ge__(self, other: Any) -> Any:
        return other <= 0.0

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        if method == "at" and ufunc in (np.add, np.subtract):
            return None
        if method != "__call__":
            return self._reduced(ufunc, method, inputs, kwargs)
        if kwargs:
            return ufunc(*_numbers(inputs), **kwargs)
        first, last = inputs[0], inputs[-1]
        if ufunc is np.add:
            return last if first is self else first
        if ufunc is np.subtract:
            return -last if first is self else first
        if ufunc in UFUNC_PRODUCTS or ufunc in UFUNC_ODD:
            return self
        if ufunc is np.true_divide and first is self:
            return self
        return ufunc(*_numbers(inputs))

    def _reduced(self, ufunc: Any, method: str, inputs: Any, kwargs: Any) -> Any:
        """``np.add.reduce(ZERO)`` and ``np.multiply.outer(ZERO, x)`` are zero again."""
        if ufunc is np.add and method in ("reduce", "accumulate"):
            return self
        if ufunc is np.multiply and method == "outer":
            return self
        return getattr(ufunc, method)(*_numbers(inputs), **kwargs)

    def __array_function__(
        self, func: Callable[..., Any], types: object, args: Any, kwargs: Any
    ) -> Any:
        if func in PRODUCTS or (func in LINEAR and args and args[0] is self):
            return self
        if func in PARTS and len(args) > 1:
            return [self] * (int(args[1]) if np.ndim(args[1]) == 0 else len(args[1]) + 1)
        if func is np.where and args[1] is self and args[2] is self:
            return self
        if func in (np.linalg.solve, np.interp) and args[0] is not self:
            return self
        if func in NUMERIC or (func in LINEAR and args and args[0] is not self):
            kwargs = {key: _number(value) for key, value in kwargs.items()}
            return func(*_numbers(args), **kwargs)
        name = getattr(func, "__name__", func)
        raise TypeError(f"np.{name} of ZERO: the shape of this zero is not known here")


class InertGrad(ZeroGrad):
    """The adjoint of an array of integers, and of None: what is written into it is forgotten, what is read is ZERO.

    What is computed from it, as from an array, is inert as well: so an argument of integers that is behind it can be
    told. Where a list might be instead of None, it is one without elements.
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return "INERT"

    def __reduce__(self) -> str:
        return "INERT"

    def __len__(self) -> int:
        return 0

    def __setitem__(self, i: Any, e: Any) -> None:
        pass

    def __getattr__(self, name: str) -> Any:
        # what is computed with these is no longer inert
        if name in ("dtype", "ndim", "shape", "size"):
            raise DerivativeError(MADE, None, FLOATS)
        raise AttributeError(name)

    def _forgotten(self, *args: Any) -> None:
        pass

    clear = update = _forgotten

    def __add__(self, other: Any) -> Any:
        return self

    __radd__ = __sub__ = __rsub__ = __add__

    def __getitem__(self, i: Any) -> ZeroGrad:
        parts = i if isinstance(i, tuple) else (i,)
        return self if any(isinstance(p, slice) or p in (None, ...) for p in parts) else ZERO

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        if not kwargs and (ufunc in KEEPING_INERT or method != "__call__"):
            return self
        if "out" in kwargs and kwargs["out"][0] is not self:  # ``bx += INERT``
            raise DerivativeError(MADE, None, FLOATS)
        inputs = tuple(ZERO if value is self else value for value in inputs)
        return getattr(ufunc, method)(*inputs, **kwargs)

    def __array_function__(
        self, func: Callable[..., Any], types: object, args: Any, kwargs: Any
    ) -> Any:
        if func in PRODUCTS or func in (*LINEAR, np.where):
            return self
        return func(*(ZERO if value is self else value for value in args), **kwargs)


ZERO = ZeroGrad()
INERT = InertGrad()


def reached(b: Any, x: Any) -> Any:
    """The adjoint ``b`` of what was made of ``x``: it goes nowhere, and needs no shape, if that is ZERO.

    >>> reached(1.0, 2.0), reached(1.0, ZERO)
    (1.0, ZERO)
    """
    return ZERO if x is ZERO else b


def _number(value: Any) -> Any:
    return 0.0 if value is ZERO else value


def _numbers(values: Any) -> tuple[Any, ...]:
    return tuple(0.0 if value is ZERO else value for value in values)
