"""Tables as NumPy makes them: as most code has them, and as an expert writes them.

An expert's function fills a table that is in memory already. Constants are computed once, then blocks of
rows that stay in the cache, by a thread for each processor.
"""

from concurrent.futures import ThreadPoolExecutor
import math
import os

import numpy
from numpy import arange, broadcast_to, float32, float64, int32

VALUES_IN_CACHE = 2**16

threads = ThreadPoolExecutor(os.cpu_count())


def usual(d, length):
    """All angles at once, computed as float64, stored as float32."""
    angles = arange(length)[:, None] / 10000 ** (arange(0, d, 2) / d)
    table = numpy.empty((length, d), float32)
    table[:, 0::2] = numpy.sin(angles)
    table[:, 1::2] = numpy.cos(angles)
    return table


def by_blocks(d, length, dtype=float64):
    """The sinusoidal table. Computed as `dtype`, stored as float32; as float32 it is wrong in the second
    decimal at position 10^6."""
    table = numpy.empty((length, d), float32)
    frequencies = powers(10000, d // 2, d).astype(dtype)
    waves(arange(length, dtype=dtype), frequencies)[0](table)
    return table


def in_blocks(fill):
    """Returns a function that fills a table by fill(block, number of its first row)."""
    def fill_table(table):
        rows = max(1, VALUES_IN_CACHE // max(1, table[0].size))
        list(threads.map(lambda first: fill(table[first:first + rows], first), range(0, len(table), rows)))

    return fill_table


def powers(base, count, width):
    """base^(-2k / width), one for each pair of channels."""
    return float(base) ** -(2 * arange(count) / width)


def steps(first, last):
    return arange(first, last, dtype=float64)


# Waves. Sines and cosines of float64 angles; or of float32 angles that have been reduced to a turn as
# float64, which are about as exact as float32 and quicker where NumPy has no vector instructions for the
# sines of float64.


def as_float64(angles, sines, cosines):
    numpy.sin(angles, out=sines, casting="same_kind")
    numpy.cos(angles, out=cosines, casting="same_kind")


def reduced(angles, sines, cosines):
    turns = angles * (1 / (2 * numpy.pi))
    turns -= numpy.rint(turns)
    turns *= 2 * numpy.pi
    small = turns.astype(float32)
    numpy.sin(small, out=sines)
    numpy.cos(small, out=cosines)


def in_both_ways(fill):
    """Returns two functions that fill a table by fill(way, block, number of its first row)."""
    return [in_blocks(lambda block, first, way=way: fill(way, block, first)) for way in (as_float64, reduced)]


def halves_of(block):
    half = block.shape[-1] // 2
    return block[..., :half], block[..., half:]


def waves(positions, frequencies, interleaved=True):
    def fill(way, block, first):
        angles = positions[first:first + len(block), None] * frequencies
        way(angles, *((block[:, 0::2], block[:, 1::2]) if interleaved else halves_of(block)))

    return in_both_ways(fill)


def rotations(positions, frequencies, functions="sin cos", interleaved=True):
    """Waves of a progression by the addition theorem: products of a base for 64 rows and of a step. They are
    off by 2 units in the last place of float32."""
    angles = arange(64)[:, None] * (positions[1] - positions[0]) * frequencies
    step_sin, step_cos = numpy.sin(angles).astype(float32), numpy.cos(angles).astype(float32)

    def fill(first, block):
        angle = positions[first] * frequencies
        sin, cos = numpy.sin(angle).astype(float32), numpy.cos(angle).astype(float32)
        some_sin, some_cos = step_sin[:len(block)], step_cos[:len(block)]
        places = (block[:, 0::2], block[:, 1::2]) if interleaved else halves_of(block)
        for function, place in zip(functions.split(), places):
            if function == "sin":
                numpy.add(sin * some_cos, cos * some_sin, out=place)
            elif function == "cos":
                numpy.subtract(cos * some_cos, sin * some_sin, out=place)
            else:
                place[...] = places[0]

    return lambda table: list(threads.map(lambda first: fill(first, table[first:first + 64]),
                                          range(0, len(table), 64)))


def complex_rotations(positions, frequencies):
    """The same for sin cos sin cos ...: one product of complex numbers for each pair."""
    steps_of_64 = 1j * numpy.exp(-1j * arange(64)[:, None] * (positions[1] - positions[0]) * frequencies)
    steps_of_64 = steps_of_64.astype(numpy.complex64)

    def fill(first, block):
        base = numpy.exp(-1j * positions[first] * frequencies).astype(numpy.complex64)
        numpy.multiply(base, steps_of_64[:len(block)], out=block)

    def fill_table(table):
        pairs = table.view(numpy.complex64)
        list(threads.map(lambda first: fill(first, pairs[first:first + 64]), range(0, len(pairs), 64)))

    return fill_table


def wave_rows(positions, frequencies):
    """A small table of waves."""
    table = numpy.empty((len(positions), 2 * len(frequencies)), float32)
    waves(positions, frequencies)[0](table)
    return table


def periodic(alpha):
    ramp = steps(0, VALUES_IN_CACHE)
    return in_both_ways(lambda way, block, first:
                        way((ramp[:len(block)] + first) / alpha, block[:, 0], block[:, 1]))


def of_points(points, angles_of, weights_of=None):
    """All sines, then all cosines, of angles_of(points); with weights, times weights_of(which points)."""
    def fill(way, block, first):
        some = slice(first, first + len(block))
        way(angles_of(points[some]), *halves_of(block))
        if weights_of:
            weights = weights_of(some).astype(float32)
            for half in halves_of(block):
                half *= weights

    return in_both_ways(fill)


def spread(points, factors):
    """Each coordinate times each factor, the axis fastest."""
    return (points[:, None, :] * factors[:, None]).reshape(len(points), -1)


def cos_twice(angles_of, scales_of=None):
    """cos of angles_of(first row, count), twice, as RoPE that rotates halves has it."""
    def fill(way, block, first):
        left, right = halves_of(block)
        way(angles_of(first, len(block)), numpy.empty_like(left), left)
        if scales_of:
            left *= scales_of(first, len(block)).astype(float32)
        right[...] = left

    return in_both_ways(fill)


# Tables that repeat smaller ones.


def copied(parts):
    """Returns a function that fills a table: for each (a part of the table, a view of its shape) that
    parts(table) has. Views repeat numbers without copying them."""
    def copy(task):
        task[0][...] = task[1]

    def fill_table(table):
        tasks = []
        for part, view in parts(table):
            rows = max(1, VALUES_IN_CACHE // max(1, part[0].size))
            tasks += [(part[first:first + rows], view[first:first + rows])
                      for first in range(0, len(part), rows)]
        list(threads.map(copy, tasks))

    return fill_table


def by_distance(values, queries):
    """table[h, q, k] = values[h, k - q + queries - 1]: a row is the one before, moved by one column."""
    values = numpy.ascontiguousarray(values)
    keys = values.shape[1] - queries + 1
    step = values.strides[1]
    view = numpy.lib.stride_tricks.as_strided(
        values[:, queries - 1:], (len(values), queries, keys), (values.strides[0], -step, step))
    return copied(lambda table: zip(table.reshape(view.shape), view))


def on_square(along, repeats=1):
    """table[y, x] = along[y], then along[x], this `repeats` times."""
    side, columns = along.shape

    def parts(table):
        cells = table.reshape(side, side, repeats, 2, columns)
        shape = (side, side, repeats, columns)
        yield cells[:, :, :, 0], broadcast_to(along[:, None, None], shape)
        yield cells[:, :, :, 1], broadcast_to(along[None, :, None], shape)

    return copied(parts)


def in_planes(rows, columns, rows_first):
    """Planes of a square image: in some each row holds one number, in others each column."""
    planes, side = rows.shape
    shape = (planes, side, side)
    views = [broadcast_to(rows[:, :, None], shape), broadcast_to(columns[:, None, :], shape)]
    return copied(lambda table: zip((table[0, :planes], table[0, planes:]),
                                    views if rows_first else views[::-1]))


def segments(table):
    half = len(table) // 2
    table[:half, :half] = table[half:, half:] = 1
    table[:half, half:] = table[half:, :half] = 0


# Numbers.


def index_by_arange(block, first):
    numpy.copyto(block[:, 0], arange(first, first + len(block)), casting="same_kind")


def index_by_sum(block, first, ramp=arange(VALUES_IN_CACHE, dtype=float32)):
    """Whole numbers below 2^24."""
    numpy.add(ramp[:len(block)], float32(first), out=block[:, 0])


def normalized(length):
    ramp = steps(0, VALUES_IN_CACHE)
    return in_blocks(lambda block, first: numpy.divide(ramp[:len(block)] + first, length - 1, out=block[:, 0],
                                                       casting="same_kind"))


def binary_by_shift(block, first):
    numbers = arange(first, first + len(block), dtype=int32)
    numpy.copyto(block, (numbers[:, None] >> arange(block.shape[1], dtype=int32)) & 1, casting="unsafe")


def binary_by_byte(block, first, rows=((arange(256)[:, None] >> arange(8)) & 1).astype(float32)):
    """The bits of each byte are a row of a table."""
    numbers = arange(first, first + len(block), dtype=int32)
    for bit in range(0, block.shape[1], 8):
        block[:, bit:bit + 8] = rows[(numbers >> bit) & 255]


def normals(table):
    table[...] = numpy.random.default_rng(0).standard_normal(table.shape)


# Pairs of a query and a key.


def t5_buckets(distances):
    """Of distances k - q, as T5's own code has it."""
    n, m, largest = 16, 8, 128
    r = abs(distances)
    far = m + (numpy.log(numpy.maximum(r, 1) / m) / math.log(largest / m) * (n - m)).astype(numpy.int64)
    return numpy.where(r < m, r, numpy.minimum(far, n - 1)) + numpy.where(distances > 0, n, 0)


def deberta_buckets(distances):
    """Of distances k - q; the bucket is that of q - k."""
    r, m, largest = -distances, 128, 512
    far = m + numpy.ceil(numpy.log(numpy.maximum(abs(r), 1) / m) / math.log((largest - 1) / m) * (m - 1))
    return numpy.where(abs(r) <= m, r, numpy.sign(r) * far).astype(numpy.int64)


def swin(side):
    """The part of the rows' offset plus the part of the columns'."""
    along = arange(side)
    offset = along[:, None] - along + side - 1

    def fill_table(table):
        cells = table.reshape(side, side, side, side)
        list(threads.map(lambda y: numpy.add((2 * side - 1) * offset[y, None, :, None], offset[:, None, :],
                                             out=cells[y]), range(side)))

    return fill_table


def gpsa(heads, side):
    """Likewise, for each head."""
    along, root = arange(side, dtype=float32), math.isqrt(heads)
    offset = along - along[:, None]

    def fill_table(table):
        cells = table.reshape(heads, side, side, side, side)

        def fill(task):
            h, y = task
            a, b = float32(h // root - (root - 1) / 2), float32(h % root - (root - 1) / 2)
            of_x, of_y = 2 * a * offset - offset**2, 2 * b * offset[y] - offset[y]**2
            numpy.add(of_x[:, None, :], of_y[None, :, None], out=cells[h, y])

        list(threads.map(fill, [(h, y) for h in range(heads) for y in range(side)]))

    return fill_table


def on_distances(fill):
    """Returns a function that fills each head's block of queries with k - q and calls fill(block, head)."""
    def fill_table(table):
        heads = table.reshape(-1, *table.shape[-2:])
        keys = arange(table.shape[-1], dtype=float32)

        def fill_block(task):
            head, first = task
            block = heads[head, first:first + 16]
            numpy.subtract(keys, arange(first, first + len(block), dtype=float32)[:, None], out=block)
            fill(block, head)

        list(threads.map(fill_block, [(h, q) for h in range(len(heads)) for q in range(0, heads.shape[1], 16)]))

    return fill_table


def alibi(slopes):
    slopes = slopes.astype(float32)
    return on_distances(lambda block, head: numpy.multiply(block, slopes[head], out=block))


def decay(block, _):
    """exp(-abs(q - k) / 8), value by value."""
    numpy.abs(block, out=block)
    block *= float32(-1 / 8)
    numpy.exp(block, out=block)


def fire(w1, b1, w2, b2):
    """The network on blocks of queries, as matrix products."""
    def fill_table(table):
        length = table.shape[-1]

        def fill(first):
            queries = arange(first, first + 16)
            distance = numpy.maximum(queries[:, None] - arange(length), 0)
            scale = numpy.log(0.1 * numpy.maximum(queries, 512) + 1) + 1e-6
            x = (numpy.log(0.1 * distance + 1) / scale[:, None]).astype(float32)
            hidden = numpy.maximum(w1 * x.ravel() + b1[:, None], 0)
            table[:, first:first + 16] = (w2 @ hidden + b2[:, None]).reshape(-1, 16, length)

        list(threads.map(fill, range(0, length, 16)))

    return fill_table
