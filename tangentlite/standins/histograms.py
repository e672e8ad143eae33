"""Histograms of weights: linear in these, and flat in where the elements lie.

In: elements, edges, weights.
Out: stand-ins.
Next: members.
"""

from __future__ import annotations

import numpy as np

from tangentlite.standins.table import stands_for


@stands_for(np.histogram)
def histogram(a, bins=10, range=None, density=None, weights=None):
    """The edges follow the smallest and the largest element where they are not given."""
    edges = edges_of(np.ravel(a), bins, range)
    places = places_of(np.ravel(a), edges)
    counts = counted(places, len(edges) - 1, weights)
    if density:
        counts = counts / np.diff(edges) / np.sum(counts)
    return counts, edges


@stands_for(np.histogram2d)
def histogram2d(x, y, bins=10, range=None, density=None, weights=None):
    """Bins of two axes: a number for both, or what there is for each."""
    several = np.ndim(bins) == 0
    across = edges_of(x, bins if several else bins[0], None if range is None else range[0])
    along = edges_of(y, bins if several else bins[1], None if range is None else range[1])
    rows, columns = len(across) - 1, len(along) - 1
    row, column = places_of(x, across), places_of(y, along)
    outside = np.logical_or(row < 0, column < 0)
    places = np.where(outside, -1, row * columns + column)
    counts = np.reshape(counted(places, rows * columns, weights), (rows, columns))
    if density:
        counts = counts / np.sum(counts) / np.outer(np.diff(across), np.diff(along))
    return counts, across, along


@stands_for(np.histogramdd)
def histogramdd(sample, bins=10, range=None, density=None, weights=None):
    """Bins of any number of axes."""
    if isinstance(sample, (list, tuple)):
        raise TypeError("np.histogramdd of several arrays: give one, `np.stack(sample, -1)`")
    rows = np.asarray(sample)
    edges = all_edges(rows, bins, range)
    shape = numbers_of_bins(edges)
    places, inside = all_places(rows, edges)
    counts = np.reshape(counted(np.where(inside, places, -1), np.prod(shape), weights), shape)
    if density:
        counts = counts / np.sum(counts) / volumes(edges)
    return counts, edges


def all_edges(rows, bins, limits):
    """The edges of each axis."""
    return [
        edges_of(
            rows[:, k],
            bins if np.ndim(bins) == 0 else bins[k],
            None if limits is None else limits[k],
        )
        for k in range(rows.shape[1])
    ]


def numbers_of_bins(edges):
    """How many bins each axis has."""
    return tuple([len(e) - 1 for e in edges])


def all_places(rows, edges):
    """The place of each element among all bins, and whether it is in one."""
    places = np.zeros(len(rows), int)
    inside = np.ones(len(rows), bool)
    for k in range(len(edges)):
        place = places_of(rows[:, k], edges[k])
        inside = np.logical_and(inside, place >= 0)
        places = places * (len(edges[k]) - 1) + place
    return places, inside


def volumes(edges):
    """How large each bin is."""
    found = np.ones(())
    for k in range(len(edges)):
        found = np.multiply(np.expand_dims(found, -1), np.diff(edges[k]))
    return found


def edges_of(values, bins, range):
    """The edges that are given, or so many between the smallest and the largest element."""
    if np.ndim(bins) > 0:
        return np.asarray(bins)
    low = np.min(values) if range is None else range[0]
    high = np.max(values) if range is None else range[1]
    return np.linspace(low, high, bins + 1)


def places_of(values, edges):
    """The bin that each value lies in, -1 for none; the last one has both of its edges."""
    places = np.searchsorted(edges, values, "right") - 1
    places = np.where(values == edges[-1], len(edges) - 2, places)
    return np.where(places < len(edges) - 1, places, -1)


def counted(places, count, weights):
    """How many elements, or which weights, there are at each place."""
    inside = places >= 0
    if weights is None:
        return np.bincount(places[inside], minlength=count)
    found = np.bincount(places[inside], np.ravel(weights)[inside], count)
    return np.asarray(found, np.asarray(weights).dtype)
