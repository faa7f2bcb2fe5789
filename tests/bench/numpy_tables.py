"""Tables as NumPy makes them: as most code has them, and as an expert writes them."""

from concurrent.futures import ThreadPoolExecutor
import os

import numpy

ANGLES_IN_CACHE = 2**17


def usual(d, length):
    """All angles at once, computed as float64, stored as float32."""
    angles = numpy.arange(length)[:, None] / 10000 ** (numpy.arange(0, d, 2) / d)
    table = numpy.empty((length, d), numpy.float32)
    table[:, 0::2] = numpy.sin(angles)
    table[:, 1::2] = numpy.cos(angles)
    return table


def by_blocks(d, length, dtype=numpy.float64):
    """The frequencies once, then blocks of rows that stay in the cache, on all processors. Computed
    as `dtype`, stored as float32."""
    frequencies = (10000.0 ** -(numpy.arange(0, d, 2) / d)).astype(dtype)
    table = numpy.empty((length, d), numpy.float32)
    rows = max(1, ANGLES_IN_CACHE // (d // 2))

    def fill(first):
        block = table[first:first + rows]
        positions = numpy.arange(first, first + len(block), dtype=dtype)
        angles = positions[:, None] * frequencies
        block[:, 0::2] = numpy.sin(angles)
        block[:, 1::2] = numpy.cos(angles)

    with ThreadPoolExecutor(os.cpu_count()) as threads:
        list(threads.map(fill, range(0, length, rows)))
    return table


def in_halves(points, rows_of_angles, columns, weights_of=None):
    """Sines of the angles of each point, then cosines, by blocks on all processors. Angles and
    weights are float64, the table float32."""
    table = numpy.empty((len(points), 2 * columns), numpy.float32)
    rows = max(1, ANGLES_IN_CACHE // columns)

    def fill(first):
        block = table[first:first + rows]
        angles = rows_of_angles(points[first:first + rows])
        weights = 1 if weights_of is None else weights_of(first, rows)
        block[:, :columns] = numpy.sin(angles) * weights
        block[:, columns:] = numpy.cos(angles) * weights

    with ThreadPoolExecutor(os.cpu_count()) as threads:
        list(threads.map(fill, range(0, len(points), rows)))
    return table


def random_fourier(points, matrix):
    """sin and cos of 2 pi x W: numpy.matmul makes the angles."""
    turns = 2 * numpy.pi * matrix
    return in_halves(points, lambda some: some @ turns, matrix.shape[1])


def integrated(points, variances, frequencies):
    """mip-NeRF's: all sines, then all cosines, each times exp(-w^2 v / 2)."""
    squares = -0.5 * frequencies**2
    columns = points.shape[1] * len(frequencies)

    def spread(some, factors):
        return (some[:, None, :] * factors[:, None]).reshape(len(some), columns)

    return in_halves(
        points, lambda some: spread(some, frequencies), columns,
        lambda first, rows: numpy.exp(spread(variances[first:first + rows], squares)))
