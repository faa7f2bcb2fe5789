"""encodings.py LIBPEGEN: a table of each encoding beside NumPy, PyTorch and memset.

All fill the same memory, which is there before, in this process and on all its processors; ours
through libpegen, from the words of the command line to the last value. NumPy is written as an expert
does: constants once, blocks of rows that stay in the cache, a thread for each processor, several ways
where it is not plain which is the quickest. PyTorch is written as models have it. All make the same
table: values that differ by more than rounding to float32 explains end the program. They run by turns;
the times are medians.
"""

from concurrent.futures import ThreadPoolExecutor
import ctypes
import importlib.util
import math
import os
import statistics
import sys
import tempfile
import time

import numpy
from numpy import arange, float32, float64, int32

LEAST_TURNS, MOST_TURNS, ENOUGH_SECONDS = 5, 51, 1.5
VALUES_IN_CACHE = 2**16

threads = ThreadPoolExecutor(os.cpu_count())


class Library:
    """libpegen, as pegen.h declares it."""

    def __init__(self, path):
        self._functions = ctypes.CDLL(path)
        self._functions.pegen_message.restype = ctypes.c_char_p
        self._functions.pegen_dtype.restype = ctypes.c_char_p
        self._functions.pegen_rank.restype = ctypes.c_size_t
        self._functions.pegen_shape.restype = ctypes.POINTER(ctypes.c_int64)
        self._functions.pegen_rows.restype = ctypes.c_int64

    def open(self, words):
        handle = ctypes.c_void_p()
        texts = [word.encode() for word in words]
        array = (ctypes.c_char_p * len(texts))(*texts)
        self._check(self._functions.pegen_open(array, ctypes.c_size_t(len(texts)), ctypes.byref(handle)))
        return handle

    def close(self, handle):
        self._functions.pegen_close(handle)

    def memory(self, words):
        """Returns memory for the table, which the process has already touched."""
        handle = self.open(words)
        rank = self._functions.pegen_rank(handle)
        shape = self._functions.pegen_shape(handle)[:rank]
        dtype = self._functions.pegen_dtype(handle).decode()
        self.close(handle)
        return numpy.ones(shape, dtype)

    def table(self, words):
        table = self.memory(words)
        self.fill(words, table)
        return table

    def fill(self, words, table):
        handle = self.open(words)
        self._check(self._functions.pegen_read_rows(
            handle, ctypes.c_int64(0), ctypes.c_int64(self._functions.pegen_rows(handle)),
            ctypes.c_void_p(table.ctypes.data), ctypes.c_size_t(table.nbytes)))
        self.close(handle)

    def _check(self, status):
        if status:
            sys.exit(self._functions.pegen_message().decode())


def by_blocks(table, fill):
    """Calls fill(block, first) for blocks of rows of `table` that stay in the cache."""
    rows = max(1, VALUES_IN_CACHE // max(1, table[0].size))
    list(threads.map(lambda first: fill(table[first:first + rows], first), range(0, len(table), rows)))


def powers(base, count, width):
    """base^(-2k / width), one for each pair of channels."""
    return float(base) ** -(2 * arange(count) / width)


# Each way to fill sines and cosines: of float64 angles, and of float32 angles that are reduced to a
# turn as float64, which is about as exact as float32 and quicker where NumPy has no float64 sines
# made of vector instructions.


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


ways_of_waves = [as_float64, reduced]


def waves(positions, frequencies, interleaved=True):
    """table[row] = sin, cos of positions[row] * frequencies, in each of the ways."""
    def with_way(way):
        def fill_table(table):
            half = len(frequencies)

            def fill(block, first):
                angles = positions[first:first + len(block), None] * frequencies
                sines = block[:, 0::2] if interleaved else block[:, :half]
                cosines = block[:, 1::2] if interleaved else block[:, half:]
                way(angles, sines, cosines)

            by_blocks(table.reshape(-1, table.shape[-1]), fill)

        return fill_table

    return [with_way(way) for way in ways_of_waves]


def rotations(positions, frequencies, functions="sin cos", interleaved=True):
    """Waves of a progression by the addition theorem: products of a base for 64 rows and of a step.
    As float32, they are off by 2 units in the last place."""
    angles = arange(64)[:, None] * (positions[1] - positions[0]) * frequencies
    step_sin, step_cos = numpy.sin(angles).astype(float32), numpy.cos(angles).astype(float32)
    half = len(frequencies)

    def fill_table(table):
        rows = table.reshape(-1, table.shape[-1])

        def fill(first):
            block = rows[first:first + 64]
            places = [block[:, i::2] if interleaved else block[:, i * half:][:, :half] for i in range(2)]
            angle = positions[first] * frequencies
            base_sin, base_cos = numpy.sin(angle).astype(float32), numpy.cos(angle).astype(float32)
            some_sin, some_cos = step_sin[:len(block)], step_cos[:len(block)]
            for function, place in zip(functions.split(), places):
                if function == "sin":
                    numpy.add(base_sin * some_cos, base_cos * some_sin, out=place)
                elif function == "cos":
                    numpy.subtract(base_cos * some_cos, base_sin * some_sin, out=place)
                else:
                    place[...] = places[0]

        list(threads.map(fill, range(0, len(rows), 64)))

    return fill_table


def complex_rotations(positions, frequencies):
    """The same for neighbours: one product of complex numbers for each pair."""
    steps = 1j * numpy.exp(-1j * arange(64)[:, None] * (positions[1] - positions[0]) * frequencies)
    steps = steps.astype(numpy.complex64)

    def fill_table(table):
        pairs = table.view(numpy.complex64).reshape(-1, len(frequencies))

        def fill(first):
            block = pairs[first:first + 64]
            base = numpy.exp(-1j * positions[first] * frequencies).astype(numpy.complex64)
            numpy.multiply(base, steps[:len(block)], out=block)

        list(threads.map(fill, range(0, len(pairs), 64)))

    return fill_table


def torch_waves(length, frequencies, interleaved=True):
    """As models have it, float32 throughout."""
    def fill(table):
        import torch

        table = torch.from_numpy(table)
        angles = torch.arange(length, dtype=torch.float32)[:, None] * torch.from_numpy(frequencies).float()
        half = len(frequencies)
        (table[:, 0::2] if interleaved else table[:, :half]).copy_(angles.sin())
        (table[:, 1::2] if interleaved else table[:, half:]).copy_(angles.cos())

    return fill


def copied(parts):
    """table[...] = the view of each part, by threads: views repeat numbers without copying them. `parts`
    returns (a part of the table, a view of its shape)."""
    def fill_table(table):
        def copy(part):
            part[0][...] = part[1]

        tasks = [(a[first:first + step], b[first:first + step])
                 for a, b in parts(table)
                 for step in [max(1, VALUES_IN_CACHE // max(1, a[0].size))]
                 for first in range(0, len(a), step)]
        list(threads.map(copy, tasks))

    return fill_table


def by_distance(values, queries):
    """table[h, q, k] = values[h, k - q + queries - 1]: a row is the next one, moved by one column."""
    values = numpy.ascontiguousarray(values)
    keys = values.shape[1] - queries + 1
    step = values.strides[1]
    view = numpy.lib.stride_tricks.as_strided(
        values[:, queries - 1:], (len(values), queries, keys), (values.strides[0], -step, step))
    return copied(lambda table: zip(table.reshape(view.shape), view))


def on_grid(*axes, join=True):
    """table[y, x] = axes[0][y] and axes[1][x], side by side: small tables along each axis, repeated."""
    def parts(table):
        extents = [len(axis) for axis in axes]
        cells = table.reshape(*extents, -1)
        begin = 0
        for rank, axis in enumerate(axes):
            shape = [1] * len(axes) + [axis.shape[1]]
            shape[rank] = extents[rank]
            end = begin + axis.shape[1]
            yield cells[..., begin:end], numpy.broadcast_to(axis.reshape(shape), (*extents, end - begin))
            begin = end

    return copied(parts)


def wave_rows(positions, frequencies, interleaved=True):
    """A small table of waves, as float32."""
    table = numpy.empty((len(positions), 2 * len(frequencies)), float32)
    waves(positions, frequencies, interleaved)[0](table)
    return table


LEN, D = 32768, 1024
SIDE = 512
QUERIES, HEADS = 2048, 8


def steps(first, last):
    return arange(first, last, dtype=float64)


def index(table):
    by_blocks(table, lambda block, first: numpy.copyto(
        block[:, 0], arange(first, first + len(block)), casting="same_kind"))


def index_quickly(table):
    """Whole numbers below 2^24 as the first block plus its first number."""
    ramp = arange(VALUES_IN_CACHE, dtype=float32)

    def fill(block, first):
        numpy.add(ramp[:len(block)], float32(first), out=block[:, 0])

    by_blocks(table, fill)


def normalized(table):
    ramp, last = arange(VALUES_IN_CACHE, dtype=float64), len(table) - 1

    def fill(block, first):
        numpy.divide(ramp[:len(block)] + first, last, out=block[:, 0], casting="same_kind")

    by_blocks(table, fill)


def binary(table):
    bits = arange(table.shape[1], dtype=int32)

    def fill(block, first):
        numbers = arange(first, first + len(block), dtype=int32)
        numpy.copyto(block, (numbers[:, None] >> bits) & 1, casting="unsafe")

    by_blocks(table, fill)


def binary_by_bytes(table):
    """The bits of each byte from a table of 256 rows."""
    rows_of_byte = ((arange(256)[:, None] >> arange(8)) & 1).astype(float32)

    def fill(block, first):
        numbers = arange(first, first + len(block), dtype=int32)
        for bit in range(0, block.shape[1], 8):
            block[:, bit:bit + 8] = rows_of_byte[(numbers >> bit) & 255]

    by_blocks(table, fill)


def periodic(way):
    def fill_table(table):
        ramp = arange(VALUES_IN_CACHE, dtype=float64)

        def fill(block, first):
            way((ramp[:len(block)] + first) / 10, block[:, 0], block[:, 1])

        by_blocks(table, fill)

    return fill_table


def in_halves(points, rows_of_angles, columns, weights_of=None):
    """Sines of the angles of each point, then cosines; with weights, times these."""
    def with_way(way):
        def fill_table(table):
            def fill(block, first):
                some = slice(first, first + len(block))
                way(rows_of_angles(points[some]), block[:, :columns], block[:, columns:])
                if weights_of:
                    weights = weights_of(some).astype(float32)
                    block[:, :columns] *= weights
                    block[:, columns:] *= weights

            by_blocks(table, fill)

        return fill_table

    return [with_way(way) for way in ways_of_waves]


def spread(some, factors):
    """(points, axes) times each factor, the axis fastest."""
    return (some[:, None, :] * factors[:, None]).reshape(len(some), -1)


def offsets_of_window(side, factor):
    """factor * (dy + side - 1) or (dx + side - 1) for each pair of rows or columns."""
    along = arange(side)
    return factor * (along[:, None] - along + side - 1)


def swin(side):
    def fill_table(table):
        rows, columns = offsets_of_window(side, 2 * side - 1), offsets_of_window(side, 1)
        cells = table.reshape(side, side, side, side)
        list(threads.map(lambda y: numpy.add(rows[y, None, :, None], columns[:, None, :], out=cells[y]),
                         range(side)))

    return fill_table


def gpsa(heads, side):
    """One sum for each value: a part of the row offset and a part of the column offset."""
    def fill_table(table):
        root = math.isqrt(heads)
        cells = table.reshape(heads, side, side, side, side)
        along = arange(side, dtype=float32)
        offset = along - along[:, None]

        def fill(task):
            h, y = task
            a, b = h // root - (root - 1) / 2, h % root - (root - 1) / 2
            of_x, of_y = 2 * a * offset - offset**2, 2 * b * offset[y] - offset[y]**2
            numpy.add(of_x[:, None, :].astype(float32), of_y[None, :, None].astype(float32), out=cells[h, y])

        list(threads.map(fill, [(h, y) for h in range(heads) for y in range(side)]))

    return fill_table


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


def t5_buckets(distances):
    """Of distances k - q, as T5's own code has it."""
    n, m, largest = 16, 8, 128
    r = numpy.abs(distances)
    far = m + (numpy.log(numpy.maximum(r, 1) / m) / math.log(largest / m) * (n - m)).astype(numpy.int64)
    return numpy.where(r < m, r, numpy.minimum(far, n - 1)) + numpy.where(distances > 0, n, 0)


def deberta_buckets(distances):
    """Of distances k - q; the bucket is that of q - k."""
    r, m, largest = -distances, 128, 512
    far = m + numpy.ceil(numpy.log(numpy.maximum(numpy.abs(r), 1) / m) / math.log((largest - 1) / m) * (m - 1))
    return numpy.where(numpy.abs(r) <= m, r, numpy.sign(r) * far).astype(numpy.int64)


def fourier_rows(side):
    """Of one axis, from -1 to 1: sin, cos of each octave."""
    coordinates = numpy.linspace(-1, 1, side)
    return wave_rows(coordinates, 2.0 ** arange(32))


def detr(table):
    """Planes of an image: each row, or each column, of a plane holds one number."""
    along = wave_rows(steps(1, SIDE + 1), powers(10000, 32, 64)).T
    half = len(along)

    def parts(table):
        planes = table[0]
        yield planes[:half], numpy.broadcast_to(along[:, :, None], (half, SIDE, SIDE))
        yield planes[half:], numpy.broadcast_to(along[:, None, :], (half, SIDE, SIDE))

    copied(parts)(table)


def drawn(table):
    table[...] = numpy.random.default_rng(0).standard_normal(table.shape)


def torch_drawn(table):
    import torch

    torch.manual_seed(0)
    torch.from_numpy(table).normal_()


def segments(table):
    half = len(table) // 2
    table[:half, :half] = table[half:, half:] = 1
    table[:half, half:] = table[half:, :half] = 0


def swin_v2_rows(side):
    offsets = steps(1 - side, side) / (side - 1)
    return (numpy.sign(offsets) * numpy.log2(1 + 8 * abs(offsets)) / 3).astype(float32)[:, None]


def alibi(slopes):
    """One product for each value."""
    def fill_table(table):
        heads, queries, keys = table.shape
        along = arange(keys, dtype=float32)

        def fill(task):
            head, first = task
            block = table[head, first:first + 16]
            numpy.subtract(along, arange(first, first + len(block), dtype=float32)[:, None], out=block)
            block *= float32(slopes[head])

        list(threads.map(fill, [(h, q) for h in range(heads) for q in range(0, queries, 16)]))

    return fill_table


def torch_alibi(slopes):
    def fill(table):
        import torch

        keys = torch.arange(table.shape[-1], dtype=torch.float32)
        torch.mul(torch.from_numpy(slopes).float()[:, None, None], keys - keys[:, None],
                  out=torch.from_numpy(table))

    return fill


def sandwich(distances):
    sums = numpy.cos(distances[:, None] * powers(10000, 64, 128)).sum(axis=1)
    return (HEADS / (8 * (arange(HEADS) + 1))[:, None] * sums).astype(float32)


def decay(table):
    """Of any formula of q and k: each value by itself."""
    keys = arange(table.shape[1], dtype=float32)

    def fill(block, first):
        numpy.subtract(keys, arange(first, first + len(block), dtype=float32)[:, None], out=block)
        numpy.abs(block, out=block)
        block *= float32(-1 / 8)
        numpy.exp(block, out=block)

    by_blocks(table, fill)


def rope(positions, frequencies, way):
    """cos of all frequencies, twice."""
    half = len(frequencies)

    def fill_table(table):
        def fill(block, first):
            angles = positions[first:first + len(block), None] * frequencies
            way(angles, numpy.empty_like(block[:, half:]), block[:, :half])
            block[:, half:] = block[:, :half]

        by_blocks(table, fill)

    return fill_table


def rope_grid(table):
    """cos of the row's frequencies and the column's, twice."""
    along = numpy.cos(steps(0, SIDE)[:, None] * powers(10000, 32, 64)).astype(float32)

    def parts(table):
        halves = table.reshape(SIDE, SIDE, 2, 2, -1)
        yield halves[:, :, :, 0], numpy.broadcast_to(along[:, None, None], (SIDE, SIDE, 2, 32))
        yield halves[:, :, :, 1], numpy.broadcast_to(along[None, :, None], (SIDE, SIDE, 2, 32))

    copied(parts)(table)


def rope_mixed(frequencies, way):
    """cos of the sum of both axes' angles for each head, twice."""
    def fill_table(table):
        y, x = numpy.divmod(steps(0, table.shape[1]), 128)

        def fill(head):
            along_y, along_x = frequencies[:, head].astype(float64)

            def fill_block(block, first):
                some = slice(first, first + len(block))
                angles = y[some, None] * along_y + x[some, None] * along_x
                half = angles.shape[1]
                way(angles, numpy.empty_like(block[:, half:]), block[:, :half])
                block[:, half:] = block[:, :half]

            by_blocks(table[head], fill_block)

        for head in range(len(table)):
            fill(head)

    return fill_table


def xpos(way, d, centre):
    """cos times the scale of each pair, twice."""
    half = d // 2
    frequencies, rates = powers(10000, half, d), numpy.log((arange(half) / half + 0.4) / 1.4) / 8192

    def fill_table(table):
        def fill(block, first):
            positions = steps(first, first + len(block))[:, None]
            way(positions * frequencies, numpy.empty_like(block[:, half:]), block[:, :half])
            block[:, :half] *= numpy.exp((positions - centre) * rates).astype(float32)
            block[:, half:] = block[:, :half]

        by_blocks(table, fill)

    return fill_table


def mrope(way, side, text):
    """cos of the pairs of frames, rows and columns, twice: text, an image, text."""
    grid = numpy.indices((1, side, side)).reshape(3, -1)
    positions = numpy.concatenate([numpy.tile(arange(text), (3, 1)), text + grid,
                                   numpy.tile(text + side + arange(text), (3, 1))], axis=1).T.astype(float64)
    axis_of_pair, frequencies = numpy.repeat(arange(3), (16, 24, 24)), powers(1000000, 64, 128)

    def fill_table(table):
        def fill(block, first):
            angles = positions[first:first + len(block)][:, axis_of_pair] * frequencies
            way(angles, numpy.empty_like(block[:, 64:]), block[:, :64])
            block[:, 64:] = block[:, :64]

        by_blocks(table, fill)

    return fill_table


def learned_grid(table):
    """The small tables, which are drawn already, repeated."""
    half = table.shape[1] // 2
    columns, rows = table[0, :half, 0, :].copy(), table[0, half:, :, 0].copy()
    side = table.shape[2]
    return copied(lambda all: [
        (all[0, :half], numpy.broadcast_to(columns[:, None, :], (half, side, side))),
        (all[0, half:], numpy.broadcast_to(rows[:, :, None], (half, side, side)))])


def files_of_arrays(folder):
    """Arrays for the encodings that read some, and their paths."""
    generator = numpy.random.default_rng(0)
    arrays = {
        "points": generator.random((65536, 3)),
        "variances": generator.random((65536, 3)) * 1e-4,
        "matrix": generator.standard_normal((3, 256)),
        "mixed": generator.standard_normal((2, 12, 32)).astype(float32),
        "w1": generator.standard_normal((32, 1)).astype(float32), "b1": generator.standard_normal(32).astype(float32),
        "w2": generator.standard_normal((HEADS, 32)).astype(float32),
        "b2": generator.standard_normal(HEADS).astype(float32),
    }
    paths = {name: os.path.join(folder, f"{name}.npy") for name in arrays}
    for name, array in arrays.items():
        numpy.save(paths[name], array)
    return arrays, paths


def tasks(library, folder):
    """Our words, the ways of NumPy, PyTorch's way or None."""
    arrays, paths = files_of_arrays(folder)
    points, variances = arrays["points"], arrays["variances"]
    octaves = 2.0 ** arange(16)
    frequencies, head = powers(10000, D // 2, D), powers(10000, 64, 128)
    sequence, image = steps(0, LEN), steps(0, SIDE)
    distances = steps(1 - QUERIES, QUERIES)
    past = numpy.maximum(-distances, 0)
    slopes = 2.0 ** (-8 * arange(1, HEADS + 1) / HEADS)
    tokens, far = 4096, arange(1 - 4096, 4096)
    yield (f"sinusoid --d {D} --len {LEN}",
           [*waves(sequence, frequencies), rotations(sequence, frequencies),
            complex_rotations(sequence, frequencies)],
           torch_waves(LEN, frequencies))
    yield (f"sinusoid --layout halves --d {D} --len {LEN}",
           [*waves(sequence, frequencies, False), rotations(sequence, frequencies, "sin cos", False)],
           torch_waves(LEN, frequencies, False))
    yield f"index --len {2**24}", [index, index_quickly], None
    yield f"normalized --len {2**24}", [normalized], None
    yield f"periodic --alpha 10 --len {2**24}", [periodic(way) for way in ways_of_waves], None
    yield f"binary --bits 24 --len {2**20}", [binary, binary_by_bytes], None
    yield (f"grid --height {SIDE} --width {SIDE} --d 128",
           [on_grid(*[wave_rows(image, powers(10000, 32, 64))] * 2)], None)
    yield f"detr --num-pos-feats 64 --height {SIDE} --width {SIDE}", [detr], None
    yield (f"fourier --height {SIDE} --width {SIDE} --freqs pow2:32", [on_grid(*[fourier_rows(SIDE)] * 2)], None)
    yield (f"fourier --points {paths['points']} --freqs pow2:16 --order fka",
           in_halves(points, lambda some: spread(some, octaves), 48), None)
    yield (f"fourier --points {paths['points']} --freqs pow2:16 --order fka --variances {paths['variances']}",
           in_halves(points, lambda some: spread(some, octaves), 48,
                     lambda some: numpy.exp(spread(variances[some], -0.5 * octaves**2))), None)
    turns = 2 * numpy.pi * arrays["matrix"]
    yield (f"random-fourier --points {paths['points']} --weights {paths['matrix']}",
           in_halves(points, lambda some: some @ turns, 256), None)
    yield f"learned --len {LEN} --d 256", [], torch_drawn
    yield f"learned --len {LEN} --d 256 --rng numpy", [drawn], None
    grid = f"learned-grid --height 1024 --width 1024 --max-size 1024 --num-pos-feats 16"
    yield grid, [learned_grid(library.table(grid.split()))], None
    relative = steps(1 - LEN // 2, LEN // 2)
    yield (f"relative --len {LEN // 2} --d {D}",
           [*waves(relative, frequencies), complex_rotations(relative, frequencies)], None)
    yield (f"transformer-xl --len {LEN // 2} --mem-len {LEN // 2} --d {D}",
           [*waves(sequence[::-1], frequencies, False),
            rotations(sequence[::-1], frequencies, "sin cos", False)], None)
    yield (f"shaw --len {tokens} --max-distance 128",
           [by_distance(numpy.clip(far, -128, 128)[None] + 128, tokens)], None)
    yield f"t5 --len {tokens}", [by_distance(t5_buckets(far)[None], tokens)], None
    yield f"deberta --len {tokens}", [by_distance(deberta_buckets(far)[None], tokens)], None
    yield (f"relpos --chains {tokens} --blocks residue",
           [by_distance(numpy.clip(-far, -32, 32)[None] + 32, tokens)], None)
    yield f"segments --lengths {tokens // 2},{tokens // 2}", [segments], None
    yield "swin --height 64 --width 64", [swin(64)], None
    yield "swin-v2 --height 1024 --width 1024", [on_grid(*[swin_v2_rows(1024)] * 2)], None
    yield (f"alibi --heads {HEADS} --len {QUERIES}",
           [by_distance((slopes[:, None] * distances).astype(float32), QUERIES), alibi(slopes)],
           torch_alibi(slopes))
    logarithms = numpy.broadcast_to(-numpy.log1p(0.5 * past), (HEADS, past.size)).astype(float32)
    yield f"kerple --heads {HEADS} --len {QUERIES}", [by_distance(logarithms, QUERIES)], None
    yield f"sandwich --heads {HEADS} --len {QUERIES}", [by_distance(sandwich(distances), QUERIES)], None
    layers = ["w1", "b1", "w2", "b2"]
    yield (f"fire --heads {HEADS} --len {QUERIES} " + " ".join(f"--{name} {paths[name]}" for name in layers),
           [fire(*[arrays[name] for name in layers])], None)
    yield "gpsa --heads 4 --height 48 --width 48", [gpsa(4, 48)], None
    yield (f"buckets --value clip(q-k+64,0,128) --buckets 129 --len {tokens}",
           [by_distance(numpy.clip(64 - far, 0, 128)[None], tokens)], None)
    yield (f"formula --value exp(-abs(q-k)/8) --len {tokens}",
           [decay, by_distance(numpy.exp(-abs(far) / 8).astype(float32)[None], tokens)], None)
    yield (f"rope --d 128 --len {2**18} --layout half",
           [*[rope(steps(0, 2**18), head, way) for way in ways_of_waves],
            rotations(steps(0, 2**18), head, "cos again", False)], None)
    yield f"rope-grid --height {SIDE} --width {SIDE} --d 128", [rope_grid], None
    yield (f"rope-mixed --height 128 --width 128 --heads 12 --d 64 --freqs-file {paths['mixed']}",
           [rope_mixed(arrays["mixed"], way) for way in ways_of_waves], None)
    yield (f"mrope --sequence text:65536,image:256x256,text:65536 --base 1000000",
           [mrope(way, 256, 65536) for way in ways_of_waves], None)
    yield f"xpos --d 512 --len 16384 --scale-base 8192 --layout half", [xpos(way, 512, 8192) for way in ways_of_waves], None


def main():
    library = Library(sys.argv[1])
    chosen = sys.argv[2:]
    has_torch = importlib.util.find_spec("torch") is not None
    print("| table | ours | GB/s | NumPy | ratio | PyTorch | ratio | memset | ratio |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|--:|")
    with tempfile.TemporaryDirectory() as folder:
        for line, ways, torch_way in tasks(library, folder):
            if not chosen or line.split()[0] in chosen:
                print(row(library, folder, line, ways, torch_way if has_torch else None), flush=True)


def row(library, folder, line, ways, torch_way):
    words = line.split(" ")
    table = library.table(words)
    right = table.copy()
    actions = {"ours": lambda: library.fill(words, table)}
    for number, way in enumerate(ways):
        actions[f"numpy {number}"] = lambda way=way: way(table)
    if torch_way:
        actions["torch"] = lambda: torch_way(table)
    actions["memset"] = lambda: ctypes.memset(table.ctypes.data, 0, table.nbytes)
    for name, action in actions.items():
        table[...] = 1
        action()
        if name.startswith("numpy") and not numpy.allclose(table, right, rtol=1e-4, atol=1e-5):
            wrong = numpy.unravel_index(numpy.argmax(abs(table - right)), table.shape)
            sys.exit(f"{line}: at {wrong} {name} has {table[wrong]}, ours {right[wrong]}")
    times = measured(actions)
    ours = times["ours"]
    theirs = [seconds for name, seconds in times.items() if name.startswith("numpy")]
    cells = [line.replace(folder + "/", ""), f"{ours * 1e3:.1f} ms", f"{table.nbytes / ours / 1e9:.1f}"]
    for seconds in (min(theirs, default=None), times.get("torch"), times["memset"]):
        cells += [f"{seconds * 1e3:.1f} ms", f"{seconds / ours:.2f}"] if seconds else ["", ""]
    return f"| {' | '.join(cells)} |"


def measured(actions):
    """By turns: what disturbs the machine disturbs all."""
    times = {name: [] for name in actions}
    begin = time.perf_counter()
    turns = 0
    while turns < LEAST_TURNS or (turns < MOST_TURNS and time.perf_counter() - begin < ENOUGH_SECONDS):
        for name, action in actions.items():
            start = time.perf_counter()
            action()
            times[name].append(time.perf_counter() - start)
        turns += 1
    return {name: statistics.median(all_of) for name, all_of in times.items()}


if __name__ == "__main__":
    main()
