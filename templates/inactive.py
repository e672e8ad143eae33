"""Functions whose derivative is zero, known and intended.

In: the notation of ``templates/__init__``.
Out: declarations.
Next: tangentlite.rules.
"""

from __future__ import annotations

import math
import operator

import numpy as np

from tangentlite import runtime as rt
from tangentlite.rules.notation import inactive

# Steps: constant between their jumps.
inactive(np.floor, np.ceil, np.trunc, np.rint, np.signbit, np.fix, np.spacing)
inactive(np.floor_divide, operator.floordiv, np.round, np.around, round)
inactive(math.floor, math.ceil, math.trunc, int, bool)
inactive(rt.wins, rt.quantile_shares, rt.either, rt.ranks, rt.place)

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
inactive(np.argmax, np.argmin, np.nanargmax, np.nanargmin, np.argsort, np.argpartition, np.lexsort)
inactive(np.nonzero, np.flatnonzero, np.argwhere, np.count_nonzero, np.searchsorted, np.digitize)
inactive(np.unravel_index, np.ravel_multi_index)

# Shapes and types.
inactive(len, np.shape, np.ndim, np.size, np.result_type, np.promote_types, np.can_cast)
inactive(np.broadcast_shapes, type, id, hash, repr, str, format)

# Arrays that depend on shapes only.
inactive(np.zeros, np.ones, np.empty, np.eye, np.identity, np.indices, np.tri)
inactive(np.zeros_like, np.ones_like, np.empty_like, np.diag_indices, np.tril_indices)
inactive(np.triu_indices, np.diag_indices_from, np.tril_indices_from, np.triu_indices_from)
inactive(np.hanning, np.hamming, np.blackman, np.bartlett, range)
