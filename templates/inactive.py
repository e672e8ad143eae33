"""Functions whose derivative is zero, known and intended.

In: the notation of ``templates/__init__``.
Out: declarations.
Next: tangentlite.rules.
"""

from __future__ import annotations

import bisect
import math
import operator

import numpy as np

from tangentlite import runtime as rt
from tangentlite.rules.notation import inactive

# Steps: constant between their jumps.
inactive(np.floor, np.ceil, np.trunc, np.rint, np.signbit, np.fix, np.spacing)
inactive(np.floor_divide, operator.floordiv, np.round, np.around, round)
inactive(math.floor, math.ceil, math.trunc, int, bool)
inactive(rt.wins, rt.quantile_shares, rt.either, rt.ranks, rt.place, rt.common_dtype)

inactive(*{getattr(np, name) for name in "int8 int16 int32 int64 intc intp long longlong".split()})
inactive(
    *{getattr(np, "u" + name) for name in "int8 int16 int32 int64 intc intp long longlong".split()}
)
inactive(np.bool_)

# Comparisons and predicates.
inactive(np.equal, np.not_equal, np.less, np.less_equal, np.greater, np.greater_equal)
inactive(operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge)
inactive(operator.is_, operator.is_not, operator.not_, operator.contains, operator.truth)
inactive(np.isfinite, np.isinf, np.isnan, np.isclose, np.allclose, np.array_equal, np.array_equiv)
inactive(np.isreal, np.iscomplex, np.isrealobj, np.iscomplexobj, np.isscalar, np.isin)
inactive(np.any, np.all, np.logical_and, np.logical_or, np.logical_not, np.logical_xor)
inactive(math.isfinite, math.isinf, math.isnan, math.isclose, isinstance, issubclass, callable)
inactive(np.may_share_memory, np.shares_memory, np.issubdtype, hasattr, any, all)

# Bits.
inactive(np.bitwise_and, np.bitwise_or, np.bitwise_xor, np.invert, np.left_shift, np.right_shift)
inactive(operator.and_, operator.or_, operator.xor, operator.invert)
inactive(operator.lshift, operator.rshift)
inactive(math.gcd, math.lcm, math.comb, math.perm, math.factorial, math.isqrt, np.gcd, np.lcm)

# Where something is.
inactive(rt.searched, rt.pinned, rt.area, rt.between, rt.beyond, rt.everywhere)
inactive(rt.swapped_rows)
inactive(np.argmax, np.argmin, np.nanargmax, np.nanargmin, np.argsort, np.argpartition, np.lexsort)
inactive(np.nonzero, np.flatnonzero, np.argwhere, np.count_nonzero, np.searchsorted, np.digitize)
inactive(bisect.bisect_left, bisect.bisect_right)
inactive(np.unravel_index, np.ravel_multi_index)

# Shapes and types.
inactive(len, np.shape, np.ndim, np.size, np.result_type, np.promote_types, np.can_cast)
inactive(np.broadcast_shapes, type, id, hash, repr, str, format)

# Arrays that depend on shapes only.
inactive(np.zeros, np.ones, np.empty, np.eye, np.identity, np.indices, np.tri)
inactive(np.zeros_like, np.ones_like, np.empty_like, np.diag_indices, np.tril_indices)
inactive(np.triu_indices, np.diag_indices_from, np.tril_indices_from, np.triu_indices_from)
inactive(np.hanning, np.hamming, np.blackman, np.bartlett, range)

# What tells, reads and writes: text, files, bits, dates, settings. The second group has effects, and happens once.
LOOKING = """array2string array_repr array_str base_repr binary_repr bitwise_count busday_count busday_offset
common_type datetime_as_string datetime_data einsum_path format_float_positional format_float_scientific
fromregex fromstring get_include get_printoptions getbufsize geterr geterrcall is_busday
isnat mintypecode packbits typename unpackbits dtype finfo iinfo busdaycalendar datetime64 timedelta64
in1d alltrue sometrue issubclass_ issubsctype issctype obj2sctype sctype2char maximum_sctype
find_common_type byte_bounds
bytes_ str_ void character object_ flatiter number generic integer signedinteger unsignedinteger inexact floating
complexfloating flexible record ufunc LinAlgError""".split()
ACTING = """fromfile genfromtxt info load loadtxt printoptions errstate save savetxt savez savez_compressed
set_printoptions setbufsize seterr seterrcall show_config show_runtime test memmap deprecate lookfor source who
safe_eval recfromcsv recfromtxt set_string_function disp""".split()
inactive(*(getattr(np, name) for name in LOOKING if hasattr(np, name)))
inactive(*(getattr(np, name) for name in ACTING if hasattr(np, name)), pure=False)
inactive(np.linalg.LinAlgError, np.linalg.test, np.fft.test, pure=False)
