"""The likelihood of a mixture of Gaussians with full covariances: points, dimensions, components."""

from __future__ import annotations

import numpy as np

SIZES = (100, 1_000)
WRT = (0, 1, 2)
GOAL = 2.0
DIMENSIONS, COMPONENTS = 10, 25


def arguments(size):  # type: ignore[no-untyped-def]
    normal = np.random.default_rng(size).normal
    roots = 0.2 * normal(size=(COMPONENTS, DIMENSIONS, DIMENSIONS)) + np.eye(DIMENSIONS)
    means = normal(size=(COMPONENTS, DIMENSIONS))
    return normal(size=COMPONENTS), means, roots, normal(size=(size, DIMENSIONS))


def loss(alphas, means, roots, x):  # type: ignore[no-untyped-def]
    away = x[:, None, :] - means[None, :, :]
    turned = np.einsum("kij,nkj->nki", roots, away)
    inside = alphas - 0.5 * np.sum(turned**2, axis=2)
    top = np.max(inside, axis=1, keepdims=True)
    return np.sum(top[:, 0] + np.log(np.sum(np.exp(inside - top), axis=1)))


def by_hand(alphas, means, roots, x):  # type: ignore[no-untyped-def]
    away = (x[:, None, :] - means).transpose(1, 0, 2)
    turned = away @ roots.transpose(0, 2, 1)
    inside = alphas[:, None] - 0.5 * np.sum(turned * turned, axis=2)
    e = np.exp(inside - inside.max(axis=0))
    binside = e / e.sum(axis=0)
    bturned = -binside[:, :, None] * turned
    baway = bturned @ roots
    return binside.sum(axis=1), -baway.sum(axis=1), bturned.transpose(0, 2, 1) @ away


def torch_form(torch):  # type: ignore[no-untyped-def]
    def same(alphas, means, roots, x):  # type: ignore[no-untyped-def]
        away = x[:, None, :] - means[None, :, :]
        turned = torch.einsum("kij,nkj->nki", roots, away)
        inside = alphas - 0.5 * torch.sum(turned**2, 2)
        return torch.sum(torch.logsumexp(inside, 1))

    return same
