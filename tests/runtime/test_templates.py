"""Every rule of the library: tangent against differences, the two modes against each other."""

from __future__ import annotations

import builtins
import copy
import operator
from typing import Any

import gast
import numpy as np
import pytest

from tangentlite import rules, runtime as rt, syntax
from tests.runtime.applied import Applied, drawn, flat, moved

MINE = (
    "reductions",
    "shaping",
    "making",
    "products",
    "selection",
    "indexing",
    "linalg",
    "runtime",
    "memory",
    "factors",
)
G = np.random.default_rng(1)
V, W = G.normal(size=3), G.normal(size=3)
M, N = G.normal(size=(3, 4)), G.normal(size=(4, 2))
S, R = G.normal(size=(2, 3, 4)), G.normal(size=(2, 4, 3))
A = G.normal(size=(3, 3)) + 3.0 * np.eye(3)
P = A @ A.T
STACK = np.stack([A, A.T + 1.0])
Z = np.array([[2.0, 0.0, 3.0], [0.0, 0.0, 5.0]])
MASK = np.array([True, False, True])
WIDE = np.array([[True, False, True, True]])
nd = np.ndarray

CALLS: list[tuple[Any, ...]] = [
    *[
        (f, (x,), {"axis": axis, "keepdims": keep})
        for f in (np.sum, np.mean, np.max, np.min, np.prod, np.var, np.std, np.ptp)
        for x in (M, S)
        for axis in (None, 0, -1, (0, 1))
        for keep in (False, True)
    ],
    *[
        (f, (M,), {"axis": 1, "where": WIDE, **extra})
        for f, extra in [
            (np.sum, {"initial": 2.0}),
            (np.sum, {}),
            (np.mean, {}),
            (np.var, {"ddof": 1}),
            (np.std, {}),
            (np.prod, {"initial": 3.0}),
            (np.max, {"initial": 0.3}),
            (np.min, {"initial": 0.3, "keepdims": True}),
        ]
    ],
    *[(f, (2.5,), {}) for f in (np.sum, np.mean, np.max, np.prod)],
    *[(f, ([1.0, 2.0, 0.5],), {}) for f in (np.sum, np.mean, np.max, np.prod, np.var)],
    *[(f, (M, 1), {}) for f in (nd.sum, nd.mean, nd.max, nd.min, nd.prod, nd.var, nd.std)],
    *[(f, (Z,), {"axis": axis}) for f in (np.prod, np.cumprod) for axis in (None, 0, 1)],
    *[(f, (M,), {"axis": axis}) for f in (np.cumsum, np.cumprod) for axis in (None, 0, -1)],
    (np.nansum, (M,), {"axis": 1}),
    (np.nanmean, (M,), {"axis": 0, "keepdims": True}),
    (np.nanmax, (M,), {"axis": 1}),
    (np.median, (V,), {}),
    (np.median, (M,), {"axis": 1, "keepdims": True}),
    (np.quantile, (V, 1), {}),
    (np.percentile, (M, 30), {"axis": 1}),
    (np.bincount, (np.array([0, 1, 1, 4]), M[0]), {}),
    (np.arange, (0.5, 4.2, 0.7), {}),
    (np.average, (M,), {"axis": 1}),
    (np.average, (M,), {"axis": 0, "weights": V**2 + 1.0}),
    (np.average, (M,), {"weights": M**2 + 1.0}),
    (np.average, (S,), {"axis": (2, 0), "weights": G.uniform(1, 2, (4, 2))}),
    (np.trace, (M,), {"offset": 1}),
    (np.trace, (S, 0, 1, 2), {}),
    (np.diff, (M,), {"n": 2, "axis": 0}),
    (np.diff, (V,), {}),
    (np.reshape, (M, (2, 6)), {}),
    (np.reshape, (M, (2, 6)), {"order": "F"}),
    (nd.reshape, (M, 2, 6), {}),
    (nd.reshape, (M, (2, 6)), {}),
    (nd.flatten, (M,), {}),
    (np.ravel, (M, "F"), {}),
    (rt.raveled, (M, M.T.copy().T, "K"), {}),
    (rt.unraveled, (M.ravel(), M.T.copy().T, "K"), {}),
    (np.transpose, (S,), {}),
    (np.transpose, (S, (2, 0, 1)), {}),
    (nd.transpose, (S,), {}),
    (nd.transpose, (S, 2, 0, 1), {}),
    (nd.transpose, (S, (2, 0, 1)), {}),
    (nd.T, (S,), {}),
    (nd.mT, (S,), {}),
    (np.swapaxes, (S, 0, 2), {}),
    (np.moveaxis, (S, (0, 1), (1, 2)), {}),
    (np.expand_dims, (M, (0, 2)), {}),
    (np.squeeze, (M[None],), {}),
    (np.ndarray.view, (M,), {}),
    (np.atleast_2d, (V,), {}),
    (np.broadcast_to, (V, (2, 3)), {}),
    (np.flip, (M,), {}),
    (np.flip, (M, 1), {}),
    *[(f, (M,), {}) for f in (np.fliplr, np.flipud, np.rot90, np.copy)],
    (np.rot90, (S, 3, (0, 2)), {}),
    (np.roll, (M, 2), {}),
    (np.roll, (M, (1, 2), (0, 1)), {}),
    (np.concatenate, ([V, W[:2]],), {}),
    (np.concatenate, ([M, M[:, :1]],), {"axis": -1}),
    (np.concatenate, ([M, V],), {"axis": None}),
    (np.concatenate, (S,), {"axis": 1}),
    (np.stack, ([V, W],), {"axis": 1}),
    (np.stack, ([1.0, 2.0],), {}),
    (np.hstack, ([V, W],), {}),
    (np.hstack, ([1.0, V],), {}),
    (np.hstack, ([M, M[:, :1]],), {}),
    (np.vstack, ([V, A],), {}),
    (np.dstack, ([V, W],), {}),
    (np.column_stack, ([V, A],), {}),
    (np.split, (V, 3), {}),
    (np.split, (M, [1, 3], 1), {}),
    (np.split, (M, [3, 1, -1], 1), {}),
    (np.array_split, (M, 3, 1), {}),
    (np.hsplit, (M, 2), {}),
    (np.hsplit, (V, 3), {}),
    (np.vsplit, (S, 2), {}),
    (np.dsplit, (S, 2), {}),
    (np.tile, (V, 2), {}),
    (np.tile, (M, (2, 1, 2)), {}),
    (np.tile, (S, (2,)), {}),
    (np.repeat, (M, 2), {}),
    (np.repeat, (M, [1, 0, 2]), {"axis": 0}),
    (np.repeat, (2.0, 3), {}),
    (np.pad, (M, 1), {}),
    (np.pad, (M, ((1, 0), (0, 2))), {"constant_values": 5.0}),
    (np.diag, (V,), {}),
    (np.diag, (M, 1), {}),
    (np.diag, (V,), {"k": -1}),
    (np.diagonal, (S,), {"offset": 1, "axis1": 1, "axis2": 2}),
    (np.diagonal, (M, -1), {}),
    (copy.copy, (M,), {}),
    (np.tril, (M,), {"k": -1}),
    (np.triu, (S,), {}),
    (np.tril, (V,), {}),
    (np.array, ([1.0, 2.0],), {}),
    (np.array, ([V, W],), {}),
    (np.array, ([[1.0, 2.0], [3.0, 4.0]],), {"dtype": float}),
    (np.asarray, (M,), {}),
    (nd.astype, (M, float), {}),
    *[(f, (M,), {}) for f in (nd.conj, nd.real, nd.imag, np.amax)],
    (float, (2.0,), {}),
    (float, (np.array(2.0),), {}),
    (nd.item, (np.array([2.0]),), {}),
    (np.full, ((2, 3), 2.0), {}),
    (np.full, ((2, 3), V), {}),
    (np.full_like, (M, 2.0), {}),
    (np.linspace, (1.0, 3.0), {"num": 5}),
    (np.linspace, (1.0, V), {"num": 4, "endpoint": False}),
    (np.where, (MASK, V, W), {}),
    (np.where, (MASK, V, 2.0), {}),
    (np.where, (True, 1.0, 2.0), {}),
    (np.sort, (M,), {}),
    (nd.clip, (M, -0.5, 0.5), {}),
    (nd.clip, (M, np.full((3, 1), -0.5)), {}),
    (np.sort, (M, 0), {}),
    (np.sort, (M, None), {}),
    (np.partition, (M, 2), {}),
    (np.take_along_axis, (M, np.array([[0, 0, 3], [1, 1, 1], [2, 0, 2]]), 1), {}),
    (np.take_along_axis, (M, np.array([[0, 1, 1, 2]]), 0), {}),
    (np.take, (M, [0, 0, 5]), {}),
    (np.take, (M, np.array([[0, 0], [2, 1]]), 1), {}),
    (nd.take, (V, 1), {}),
    *[
        (operator.getitem, (M, i), {})
        for i in (1, -1, (0, 1), slice(None, None, 2), ..., (..., 0), (None, 1), [0, 0, 2], M > 0)
    ],
    (operator.getitem, (M, (np.array([0, 0]), slice(1, 3))), {}),
    (operator.getitem, ([1.0, V, 2.0], 1), {}),
    (operator.getitem, ([1.0, 3.0, 2.0], slice(1, 3)), {}),
    *[
        (f, xy, {})
        for f in (np.matmul, operator.matmul, np.dot)
        for xy in [(M, N), (V, M), (M, N[:, 0]), (V, W)]
    ],
    *[(np.matmul, xy, {}) for xy in [(S, R), (S, N), (M, R), (S, N[:, 0]), (V, S), (S[:1], R)]],
    *[
        (np.dot, xy, {})
        for xy in [(S, R), (M, R), (S, N), (V, S), (S, N[:, 0]), (2.0, V), (M, 3.0)]
    ],
    *[(np.vdot, xy, {}) for xy in [(V, W), (M, M + 1.0), (2.0, 3.0)]],
    *[(np.inner, xy, {}) for xy in [(V, W), (S, M), (V, A), (M, S), (V, 2.0)]],
    *[(np.outer, xy, {}) for xy in [(V, W), (M, V), (2.0, V)]],
    *[(np.tensordot, (S, R, axes), {}) for axes in (0, ([2, 0], [1, 0]), ([1], [2]), (0, 0))],
    (np.tensordot, (S, M), {}),
    *[(np.kron, xy, {}) for xy in [(V, W), (M, N), (V, M), (S, N)]],
    (np.linalg.tensordot, (S, M), {}),
    (np.vecdot, (S, M), {}),
    (np.vecdot, (S, M), {"axis": -2}),
    *([(np.matvec, (S, M[:2]), {}), (np.vecmat, (V, M), {})] if hasattr(np, "matvec") else []),
    *[(np.cross, xy, {}) for xy in [(V, W), (A, V), (STACK, A)]],
    *[
        (np.einsum, spec_xs, {})
        for spec_xs in [
            ("ij,jk->ik", M, N),
            ("ij,jk", M, N),
            ("ii->i", A),
            ("ii", A),
            ("iij->j", STACK[:, :2]),
            ("ij->", M),
            ("ij->j", M),
            ("...ij,...jk->...ik", S, R),
            ("...ij,jk", S, N),
            ("i,i,i->i", V, W, V),
            ("ij,ij->ji", M, M[:, :1]),
            ("i,j", V, W),
        ]
    ],
    (np.linalg.solve, (A, V), {}),
    (np.linalg.solve, (A, M), {}),
    (np.linalg.solve, (STACK, np.stack([M, M])), {}),
    (np.linalg.solve, (STACK, M), {}),
    (np.linalg.solve, (STACK, V), {}),
    (np.linalg.inv, (A,), {}),
    (np.linalg.inv, (STACK,), {}),
    (np.linalg.det, (A,), {}),
    (np.linalg.det, (np.outer(V, W),), {}),
    (np.linalg.det, (STACK,), {}),
    (np.linalg.slogdet, (A,), {}),
    (np.linalg.slogdet, (STACK,), {}),
    (np.linalg.cholesky, (P,), {}),
    (np.linalg.cholesky, (np.stack([P, P + 1.0]),), {}),
    (np.linalg.norm, (M,), {}),
    (np.linalg.norm, (M,), {"axis": 1}),
    (np.linalg.norm, (V,), {"keepdims": True}),
    (rt.lengthened, (M, V[:1], M), {}),
    (rt.lengthened, (V, 2.0, W), {}),
    (rt.unbroadcast, (M, V[:, None]), {}),
    (rt.unbroadcast, (M, 1.0), {}),
    (rt.broadcast, (2.0, M), {}),
    (rt.broadcast, (V[:, None], M), {}),
    (np.frombuffer, (V,), {}),
    (rt.spread, (2.0, M), {}),
    (rt.weighted, (2.0, M, np.ones(M.shape[-1])), {}),
    (rt.reached, (V, 1.0), {}),
    (rt.repeated, ([V, 2.0], 3), {}),
    (rt.unrepeated, ([V, 2.0, V, 1.0], [V, 2.0], 2), {}),
    (rt.unreduce, (2.0, M), {}),
    (rt.unreduce, (V, M, 1), {}),
    (rt.unreduce, (V[:, None], M, 1, True), {}),
    (rt.unreduce, (V, M, 1), {"where": WIDE}),
    (rt.kept, (V, M, 1), {}),
    (rt.times, (V, W), {}),
    (rt.times, (2.0, 3.0), {}),
    (rt.times, (M, V[:, None]), {}),
    (rt.cancel, (V, W), {}),
    (rt.logistic, (V, W, W), {}),
    (rt.logistic, (M, 0.5, V[:, None]), {}),
    (rt.cancel, (2.0, 3.0), {}),
    (rt.through, (V, float), {}),
    (rt.add_at, (V, 1, 2.0), {}),
    (rt.add_at, (M, [0, 0], 2.0), {}),
    (rt.add_at, (M, slice(1, None), N.T[:, :4]), {}),
    (rt.add_at, (M, np.array([1, 1]), N.T), {}),
    (rt.add_at, ([1.0, V], 1, W), {}),
    (rt.add_at, (rt.ZERO, 1, 2.0, V), {}),
    (rt.add, (V, W), {}),
    (rt.add, ([1.0, V], [2.0, W]), {}),
    (rt.seed, (V, W), {}),
    (rt.tangent, (V, W), {}),
    (rt.like, (V, W), {}),
    (rt.complete, (V, W), {}),
    (rt.complete, (2.0, W), {"own": True}),
    (rt.replaced, (V, W), {"own": True}),
    (rt.replaced, (2.0, W), {}),
    (rt.owned, (V, W), {}),
    (rt.owned, ([1.0, V], [2.0, W]), {}),
    (rt.stored, (V, W), {}),
    *[
        (f, (*lists, -1, None, flag) if f is rt.in_order else (*lists, None, flag), {})
        for f, lists in [
            (rt.in_order, ([3.0, 1.0, 2.0],)),
            (rt.ordered_like, ([1.0, V, 0.5], [3.0, 1.0, 2.0])),
            (rt.unordered, ([1.0, V, 0.5], [3.0, 1.0, 2.0])),
        ]
        for flag in (False, True)
    ],
    (np.partition, (M, 1), {}),
    (np.partition, (M, (0, 2), 0), {}),
    (np.partition, (M, 3, None), {}),
    (rt.own, (M,), {}),
    (rt.own, (M[:, ::2], V, 2.0), {}),
    (rt.own, ([1.0, V],), {}),
    (rt.own, (2.5,), {}),
    (rt.private, (M,), {}),
    (rt.private, ([M, 2.0, [V, W]],), {}),
    (rt.buffer, (V, W), {}),
    (rt.summed, (V, W, V), {}),
    (rt.summed, (2.0, 3.0, 1.0), {}),
    (rt.summed, (V, 2.0, W), {}),
    (rt.buffer, (2.0, M), {}),
    (rt.buffer, (V[:, None], M), {}),
    *[
        (rt.won, (M, i), {})
        for i in (1, (0, 1), (slice(None), 2), ..., M > 0, [0, 2], [0, 2, 0], np.array([1, 1]))
    ],
    (rt.won, (M, (np.array([0, 1, 0]), np.array([3, 2, 3]))), {}),
    (rt.won, (M, (slice(None), [1, 1, 0])), {}),
    (rt.part, (M, ([0, 2, 0], [1, 1, 1])), {}),
    (rt.part, (2.0, ...), {}),
    (rt.drained, (V,), {}),
    (rt.collected, ([V, W],), {}),
    (rt.uncollected, ([W, V], [V.copy(), W.copy()]), {}),
    *[(rt.cycled, call, {}) for call in ((V, M), (M, V), (2.0, V), (V[:2], M), (M[:1, :1], V))],
    *[(rt.uncycled, call, {}) for call in ((M, V), (V, M), (M, V[:2]), (M, M[:1, :1]))],
    *[(np.resize, (M, shape), {}) for shape in ((2, 2), (5, 5), 3)],
    (rt.placed, (V, (slice(None), 0), M), {}),
    (rt.placed, (2.0, (0, 1), M), {}),
    (rt.placed, (2.0, slice(1, None), M), {}),
    (rt.placed, (M[:2], [0, 2], M), {}),
    (rt.placed, (M, [0, 2, 0], M), {}),
    *[(rt.view, (part, M, 2.0 * M), {}) for part in (M, M[1:, ::2], M.T, M[:, -1])],
    *[(rt.view, (part, M, M + 1.0), {}) for part in (M[::-1], M.reshape(2, 6), M[1:1])],
    (rt.view, (V, M, M + 1.0), {}),
    *[(rt.unview, (part + 1.0, part, M, M), {}) for part in (M, M[1:, ::2], M.T, M[:, -1])],
    (rt.unview, (W, V, M, M), {}),
    *[(rt.view, (part, M, M + 1.0, A, A + 1.0), {}) for part in (M, M.T, A[1:], V)],
    *[(rt.unview, (A[1:] + 1.0, A[1:], A, A, other), {}) for other in (M, A)],
    *[(rt.view, (v, M, M + 1.0, A, A + 1.0, V, V + 1.0), {}) for v in (M.T, A[1:], V[1:])],
    (rt.view, (W[1:], M, M + 1.0, A, A + 1.0, V, V + 1.0, W, W + 1.0), {}),
    *[(rt.unview, (V[1:] + 1.0, V[1:], V, V, M, *rest), {}) for rest in ((A,), (A, W), (V,))],
    *[(rt.followed, (W, part, M, M + 1.0), {}) for part in (M[0], W)],
    *[(rt.followed, (W, part, A, A + 1.0, M, M + 1.0), {}) for part in (A[0], M[0], W)],
    *[(rt.unfollowed, (W, part, M, A), {}) for part in (A[0], M[0], W)],
    *[(rt.followed, (W, part, A, A + 1.0, M, M + 1.0, V, V + 1.0), {}) for part in (M[0], V[1:])],
    *[(rt.unfollowed, (W, part, M, A, V), {}) for part in (A[0], V[:1], W)],
    (rt.apart, (V.copy(), W), {}),
    (rt.apart, (M[1:].copy(), [V, M]), {}),
    (rt.unshared, (M[1:].copy(), M[1:]), {}),
    (rt.unshared, ([V, W], [V, rt.ZERO]), {}),
    (rt.like, ([1.0, V], (2.0, W)), {}),
    (rt.distinct, ([V, W],), {}),
    (rt.sequence, ([V, 1.0],), {}),
    (rt.stack, ([V, 1.0],), {}),
    (rt.aligned, ([V, 1.0], [V, 2.0]), {}),
    (rt.unpack, ([V, 1.0], 2), {}),
    (rt.filled, ([V, 1.0], [W, 2.0]), {}),
    (rt.split_like, (G.normal(size=5), [V, V[:2]]), {}),
    (rt.unjoin, (G.normal(size=(4, 3)), [V, A], "v"), {}),
    (rt.unjoin, (G.normal(size=(3, 4)), [V, A], "c"), {}),
    (rt.rejoin, ([V, A], [V, A], "v"), {}),
    (rt.unstack, (M, [V, W, V, W], 1), {}),
    (rt.unsplit, ([V[:2], V[2:]], V, [2]), {}),
    (rt.unsplit, ([M[:, :3], M[:, 3:1], M[:, 1:]], M, [3, 1], 1), {}),
    (rt.transposed, (M,), {}),
    (np.require, (M,), {}),
    (np.ascontiguousarray, (M,), {}),
    (rt.untranspose, (S, (2, 0, 1)), {}),
    (rt.untile, (G.normal(size=6), V, 2), {}),
    (rt.unrepeat, (G.normal(size=6), V, 2), {}),
    (rt.unpad, (A, 1.0 * V[:1, None], 1), {}),
    (rt.undiff, (V, 2), {}),
    (rt.undiagonal, (V, M), {}),
    (rt.untrace, (2.0, M, 1), {}),
    (rt.undiag, (V, A), {}),
    (rt.undiag, (A, V), {}),
    *[(rt.weighed, (x, 1, V), {}) for x in (M, 2.0)],
    *[(rt.unweighed, (2.0, x, 1, V), {}) for x in (M, 2.0)],
    (rt.scatter, (V, M, (slice(None), 0)), {}),
    (rt.scatter, (V, M, ([0, 1, 1], [0, 2, 2])), {}),
    (rt.untake, (V, M, [0, 0, 5]), {}),
    (rt.untake, (A, M, [0, 0, 2], 1), {}),
    (rt.put_along, (A, M, np.array([[0, 0, 3], [1, 1, 1], [2, 0, 2]]), 1), {}),
    (rt.centered, (M, 1, WIDE), {}),
    (rt.merge, (S, (0, 2)), {}),
    (rt.merge, (M, None, WIDE), {}),
    (rt.unmerge, (G.normal(size=(3, 8)), S, (0, 2)), {}),
    (rt.lined, (M,), {}),
    (rt.shift, (M, 0, 1.0), {}),
    (rt.shift, (M, 1, 1.0, True), {}),
    (rt.recurrence, (M, M + 1.0, 1), {}),
    (rt.recurrence, (V, W, None, True), {}),
    (rt.weights, (V, M, 0), {}),
    (rt.unweights, (M, V, M, 0), {}),
    *[(rt.matmul_left, (x @ y + 1.0, x, y), {}) for x, y in [(M, N), (S, R), (S, N), (V, M)]],
    *[
        (rt.matmul_right, (x @ y + 1.0, x, y), {})
        for x, y in [(M, N), (S, R), (M, R), (S, N[:, 0])]
    ],
    *[
        (f, (np.dot(x, y), x, y), {})
        for f in (rt.dot_left, rt.dot_right)
        for x, y in [(M, N), (S, R)]
    ],
    *[(f, g, {}) for f in (rt.dot_both, rt.matmul_both) for g in ((2.0, V), (M @ M.T, M @ M.T))],
    *[(f, (np.inner(S, M), S, M), {}) for f in (rt.inner_left, rt.inner_right)],
    *[(f, (np.outer(V, M), V, M), {}) for f in (rt.outer_left, rt.outer_right)],
    *[(f, (np.kron(V, M), V, M), {}) for f in (rt.kron_left, rt.kron_right)],
    *[(f, (np.tensordot(S, M), S, M), {}) for f in (rt.tensordot_left, rt.tensordot_right)],
    (rt.einsum, ("ij,jk->ik", M, N), {}),
    *[(rt.einsum_adjoint, ("ij,jk->ik", M @ N, [M, N], k), {}) for k in (0, 1)],
    (rt.einsum_adjoint, ("i,i,i->", 2.0, [V, W, V + W], 1), {}),
    (rt.convolved, (V, W), {}),
    (rt.convolved, (M, A, 1), {}),
    (rt.convolved, (M, A), {}),
    (rt.correlated, (G.normal(size=5), V, W), {}),
    (rt.correlated, (G.normal(size=(3, 6)), A, M, (1,)), {}),
    (rt.times_bands, (A, V, 1, 1), {}),
    (rt.times_bands, (A, M, 2, 0), {}),
    (rt.to_bands, (V, W, 1, 1), {}),
    (rt.to_bands, (M, M + 1.0, 0, 2), {}),
    (rt.turned_bands, (A, 1, 1), {}),
    *[(f, (M,), {}) for f in (rt.mT, rt.mH)],
    (rt.columns, (V, V), {}),
    (rt.uncolumns, (V[:, None], V), {}),
    (rt.lower, (A,), {}),
    (rt.real_only, (M,), {}),
    (rt.cofactors, (A,), {}),
    (rt.cofactors, (np.outer(V, W),), {}),
    (rt.cofactors, (STACK,), {}),
    (rt.cofactors_along, (A, P), {}),
]


def named(call: tuple[Any, ...]) -> str:
    shapes = [str(np.shape(a)) if isinstance(a, np.ndarray) else repr(a)[:12] for a in call[1]]
    return f"{rules.spelled(call[0])}-{'-'.join(shapes)}-{'-'.join(call[2])}"


def active(applied: Applied) -> dict[str, Any]:
    """The parameters that the rule differentiates and the call gives."""
    every = applied.rule.differentiable
    return {
        n: v for n, v in applied.values.items() if n in every and v is not None and v is not rt.ZERO
    }


@pytest.mark.parametrize("proved", [False, True])
@pytest.mark.parametrize("call", CALLS, ids=named)
def test_tangent_and_adjoint(call: tuple[Any, ...], proved: bool) -> None:
    primal, args, kwargs = call
    applied = Applied(primal, args, kwargs, proved)
    draw = np.random.default_rng(3)
    every = active(applied)
    tangents = {n: drawn(v, draw) for n, v in every.items()}
    for chosen in ([*every], *([n] for n in every)):
        given = {n: tangents[n] for n in chosen}
        compare(applied, given, draw)


def compare(applied: Applied, tangents: dict[str, Any], draw: np.random.Generator) -> None:
    """``J v`` against differences, then ``<b, J v>`` against ``<Jᵀ b, v>``."""
    up, down = (
        applied.primal(
            {n: moved(v, tangents[n], s) if n in tangents else v for n, v in applied.values.items()}
        )
        for s in (1e-6, -1e-6)
    )
    tangent = flat(applied.tangent(tangents), applied.result)
    np.testing.assert_allclose(tangent, (flat(up, up) - flat(down, down)) / 2e-6, 1e-5, 1e-6)
    result = applied.result
    seed = drawn(result, draw)
    adjoints = applied.adjoint(seed, tangents)
    forward = np.dot(flat(seed, result), tangent)
    backward = sum(
        np.dot(flat(a, applied.values[n]), flat(tangents[n], applied.values[n]))
        for n, a in adjoints.items()
    )
    np.testing.assert_allclose(backward, forward, rtol=1e-9, atol=1e-11)


def mine() -> list[rules.Rule]:
    return [r for r in rules.registry() if any(f"templates/{n}.py" in r.place for n in MINE)]


# Linear over the reals only, which the pairing here does not know: tests/mutation and tests/templates have them.
REAL_LINEAR = {"composed", "complex_of_parts", "complex_number"}


def test_no_rule_without_a_test() -> None:
    tested = {id(p) for c in CALLS for p in rules.find(c[0]).primals}
    missing = [r.name for r in mine() if r.params and not any(id(p) in tested for p in r.primals)]
    assert set(missing) == REAL_LINEAR


PLAIN = "tangentlite.runtime.plain"
THIRD_ORDER_ONLY = {"rt.einsum_tangent", "rt.einsum_with", "rt.einsum_adjoints"}


@pytest.mark.parametrize("rule", mine(), ids=lambda r: r.name)
def test_what_a_rule_calls_has_a_rule(rule: rules.Rule) -> None:
    rule = rule.sized({f"{p.name}[{k}]": 0 for p in rule.params if p.variadic for k in (0, 1)})
    every = rule.differentiable
    for part in (rule.adjoint(every), rule.tangent(every)) if every else ():
        for tree in [s.value for s in (*rule.replaces, *part.shared)] + [
            t.value for t in part.terms
        ]:
            for call in (n for n in gast.walk(tree) if isinstance(n, gast.Call)):
                path = syntax.dotted(call.func)
                scope: Any = {"np": np, "rt": rt, **vars(builtins)}
                first, *rest = path.split(".")
                callee = scope[first]
                for attribute in rest:
                    callee = getattr(callee, attribute)
                known = rules.find(callee) is not None or path in THIRD_ORDER_ONLY | {
                    *vars(builtins)
                }
                known = known or callee.__module__.startswith(PLAIN)
                assert known or path == "np.multiply.outer", path


def test_integers_have_float_adjoints() -> None:
    x = np.array([1, 2, 3])
    for f in (np.sum, np.mean, np.max, np.prod, np.cumsum, np.cumprod, np.var):
        applied = Applied(f, (x,), {})
        adjoint = applied.adjoint(drawn(applied.result, G), {"x": x})["x"]
        assert adjoint.dtype == np.float64


@pytest.mark.parametrize("f", [np.sum, np.mean, np.max, np.prod, np.cumprod, np.var, np.std])
def test_single_precision_stays(f: Any) -> None:
    x = M.astype(np.float32)
    applied = Applied(f, (x,), {"axis": 1})
    adjoint = applied.adjoint(np.ones_like(applied.result), {"x": x})["x"]
    assert adjoint.dtype == np.float32


@pytest.mark.parametrize(
    ("f", "x", "expected"),
    [
        (np.max, [1.0, 3.0, 3.0], [0.0, 0.5, 0.5]),
        (np.min, [1.0, 1.0, 3.0], [0.5, 0.5, 0.0]),
        (np.std, [2.0, 2.0], [0.0, 0.0]),
        (np.linalg.norm, [0.0, 0.0], [0.0, 0.0]),
        (np.prod, [0.0, 2.0, 3.0], [6.0, 0.0, 0.0]),
        (np.prod, [0.0, 0.0, 3.0], [0.0, 0.0, 0.0]),
    ],
)
def test_kinks(f: Any, x: list[float], expected: list[float]) -> None:
    found = Applied(f, (np.array(x),), {}).adjoint(1.0, {"x": x})["x"]
    np.testing.assert_array_equal(found, expected)


def test_an_initial_that_wins_takes_the_derivative() -> None:
    x = np.array([1.0, 2.0])
    found = Applied(np.max, (x,), {"initial": 10.0}).adjoint(1.0, {"x": x})["x"]
    np.testing.assert_array_equal(found, [0.0, 0.0])


def test_a_conversion_to_integers_ends_the_derivative() -> None:
    assert Applied(nd.astype, (V, int), {}).adjoint(V, {"x": V})["x"] is rt.ZERO
