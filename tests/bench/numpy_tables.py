"""The sinusoidal table as NumPy makes it: as most code has it, and as an expert writes it."""

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
