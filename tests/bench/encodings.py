"""encodings.py PE_GEN LIBPEGEN [ENCODING...]: a table of each encoding beside NumPy, PyTorch and memset.

All fill the same memory, which is there before, in this process and on all processors. Ours does it through
libpegen, from the words of the command line to the last value. NumPy is written as an expert does, in several
ways where it is not plain which is the quickest; PyTorch as models have it. A way whose table differs from ours
by more than float32 explains ends the program. All run by turns; the shortest times count, since what disturbs the
machine only adds to them.
"""

import ctypes
import json
import os
import subprocess
import sys
import tempfile
import time

import numpy
from numpy import arange, float32

try:
    import torch

    # Its own number, of cores, would be OpenMP's and so ours.
    torch.set_num_threads(os.cpu_count())
except ImportError:
    torch = None

import numpy_tables as by_numpy
from numpy_tables import in_blocks, powers, steps

LEAST_TURNS, MOST_TURNS, ENOUGH_SECONDS = 5, 51, 1.5


class Library:
    """libpegen, as pegen.h declares it."""

    def __init__(self, path):
        self._functions = ctypes.CDLL(path)
        self._functions.pegen_message.restype = ctypes.c_char_p
        self._functions.pegen_dtype.restype = ctypes.c_char_p
        self._functions.pegen_rank.restype = ctypes.c_size_t
        self._functions.pegen_shape.restype = ctypes.POINTER(ctypes.c_int64)
        self._functions.pegen_rows.restype = ctypes.c_int64

    def table(self, words):
        handle = self._opened(words)
        shape = self._functions.pegen_shape(handle)[:self._functions.pegen_rank(handle)]
        table = numpy.empty(shape, self._functions.pegen_dtype(handle).decode())
        self._functions.pegen_close(handle)
        self.fill(words, table)
        return table

    def fill(self, words, table):
        handle = self._opened(words)
        self._check(self._functions.pegen_read_rows(
            handle, ctypes.c_int64(0), ctypes.c_int64(self._functions.pegen_rows(handle)),
            ctypes.c_void_p(table.ctypes.data), ctypes.c_size_t(table.nbytes)))
        self._functions.pegen_close(handle)

    def _opened(self, words):
        handle = ctypes.c_void_p()
        array = (ctypes.c_char_p * len(words))(*[word.encode() for word in words])
        self._check(self._functions.pegen_open(array, ctypes.c_size_t(len(words)), ctypes.byref(handle)))
        return handle

    def _check(self, status):
        if status:
            sys.exit(self._functions.pegen_message().decode())


def torch_waves(length, frequencies, interleaved=True):
    """float32 throughout."""
    def fill(table):
        table = torch.from_numpy(table)
        angles = torch.arange(length, dtype=torch.float32)[:, None] * torch.from_numpy(frequencies).float()
        half = len(frequencies)
        (table[:, 0::2] if interleaved else table[:, :half]).copy_(angles.sin())
        (table[:, 1::2] if interleaved else table[:, half:]).copy_(angles.cos())

    return fill


def torch_alibi(slopes):
    def fill(table):
        keys = torch.arange(table.shape[-1], dtype=torch.float32)
        torch.mul(torch.from_numpy(slopes).float()[:, None, None], keys - keys[:, None],
                  out=torch.from_numpy(table))

    return fill


def torch_normals(table):
    torch.manual_seed(0)
    torch.from_numpy(table).normal_()


def saved_arrays(folder):
    """Arrays for the encodings that read some, and their paths."""
    generator = numpy.random.default_rng(0)
    arrays = {
        "points": generator.random((65536, 3)), "variances": generator.random((65536, 3)) * 1e-4,
        "matrix": generator.standard_normal((3, 256)),
        "mixed": generator.standard_normal((2, 12, 32)).astype(float32),
        "w1": generator.standard_normal((32, 1)).astype(float32),
        "b1": generator.standard_normal(32).astype(float32),
        "w2": generator.standard_normal((8, 32)).astype(float32),
        "b2": generator.standard_normal(8).astype(float32),
    }
    paths = {name: os.path.join(folder, f"{name}.npy") for name in arrays}
    for name, array in arrays.items():
        numpy.save(paths[name], array)
    return arrays, paths


def tasks(library, folder):
    """Our words, the ways of NumPy, PyTorch's way if there is one."""
    arrays, paths = saved_arrays(folder)

    def of_positions():
        d, length = 1024, 32768
        frequencies, positions = powers(10000, d // 2, d), steps(0, length)
        yield (f"sinusoid --d {d} --len {length}",
               [*by_numpy.waves(positions, frequencies), by_numpy.rotations(positions, frequencies),
                by_numpy.complex_rotations(positions, frequencies)],
               torch_waves(length, frequencies))
        yield (f"sinusoid --layout halves --d {d} --len {length}",
               [*by_numpy.waves(positions, frequencies, False),
                by_numpy.rotations(positions, frequencies, "sin cos", False)],
               torch_waves(length, frequencies, False))
        distances = steps(1 - length // 2, length // 2)
        yield (f"relative --len {length // 2} --d {d}",
               [*by_numpy.waves(distances, frequencies), by_numpy.complex_rotations(distances, frequencies)])
        yield (f"transformer-xl --len {length // 2} --mem-len {length // 2} --d {d}",
               [*by_numpy.waves(positions[::-1], frequencies, False),
                by_numpy.rotations(positions[::-1], frequencies, "sin cos", False)])
        many = 2**24
        yield f"index --len {many}", [in_blocks(by_numpy.index_by_arange), in_blocks(by_numpy.index_by_sum)]
        yield f"normalized --len {many}", [by_numpy.normalized(many)]
        yield f"periodic --alpha 10 --len {many}", by_numpy.periodic(10)
        yield ("binary --bits 24 --len 1048576",
               [in_blocks(by_numpy.binary_by_shift), in_blocks(by_numpy.binary_by_byte)])
        yield "learned --len 32768 --d 256 --rng numpy", [by_numpy.normals]
        yield "learned --len 32768 --d 256", [], torch_normals

    def of_points():
        side = 512
        image, frequencies = steps(0, side), powers(10000, 32, 64)
        yield (f"grid --height {side} --width {side} --d 128",
               [by_numpy.on_square(by_numpy.wave_rows(image, frequencies))])
        planes = by_numpy.wave_rows(image + 1, frequencies).T
        yield (f"detr --num-pos-feats 64 --height {side} --width {side}",
               [by_numpy.in_planes(planes, planes, rows_first=True)])
        words = "learned-grid --height 1024 --width 1024 --max-size 1024 --num-pos-feats 16"
        drawn = library.table(words.split())[0]
        yield words, [by_numpy.in_planes(drawn[16:, :, 0].copy(), drawn[:16, 0].copy(), rows_first=False)]
        octaves = 2.0 ** arange(32)
        yield (f"fourier --height {side} --width {side} --freqs pow2:32",
               [by_numpy.on_square(by_numpy.wave_rows(numpy.linspace(-1, 1, side), octaves))])
        points, variances, octaves = arrays["points"], arrays["variances"], octaves[:16]
        words = f"fourier --points {paths['points']} --freqs pow2:16 --order fka"
        yield words, by_numpy.of_points(points, lambda some: by_numpy.spread(some, octaves))
        yield (f"{words} --variances {paths['variances']}",
               by_numpy.of_points(
                   points, lambda some: by_numpy.spread(some, octaves),
                   lambda some: numpy.exp(by_numpy.spread(variances[some], -0.5 * octaves**2))))
        turns = 2 * numpy.pi * arrays["matrix"]
        yield (f"random-fourier --points {paths['points']} --weights {paths['matrix']}",
               by_numpy.of_points(points, lambda some: some @ turns))

    def of_pairs():
        tokens, far = 4096, arange(1 - 4096, 4096)
        numbers = {
            "shaw --max-distance 128": numpy.clip(far, -128, 128) + 128,
            "t5": by_numpy.t5_buckets(far),
            "deberta": by_numpy.deberta_buckets(far),
            "buckets --value clip(q-k+64,0,128) --buckets 129": numpy.clip(64 - far, 0, 128),
        }
        for words, of_distance in numbers.items():
            yield f"{words} --len {tokens}", [by_numpy.by_distance(of_distance[None], tokens)]
        yield (f"relpos --chains {tokens} --blocks residue",
               [by_numpy.by_distance(numpy.clip(-far, -32, 32)[None] + 32, tokens)])
        yield f"segments --lengths {tokens // 2},{tokens // 2}", [by_numpy.segments]
        yield "swin --height 64 --width 64", [by_numpy.swin(64)]
        offsets = steps(-1023, 1024) / 1023
        spaced = numpy.sign(offsets) * numpy.log2(1 + 8 * abs(offsets)) / 3
        yield "swin-v2 --height 1024 --width 1024", [by_numpy.on_square(spaced.astype(float32)[:, None])]
        heads, length = 8, 2048
        size, distances = f"--heads {heads} --len {length}", steps(1 - length, length)

        def falling(values):
            return by_numpy.by_distance(values.astype(float32), length)

        slopes = 2.0 ** (-8 * arange(1, heads + 1) / heads)
        yield (f"alibi {size}", [falling(slopes[:, None] * distances), by_numpy.alibi(slopes)],
               torch_alibi(slopes))
        logarithms = -numpy.log1p(0.5 * numpy.maximum(-distances, 0))
        yield f"kerple {size}", [falling(numpy.broadcast_to(logarithms, (heads, distances.size)))]
        sums = numpy.cos(distances[:, None] * powers(10000, 64, 128)).sum(axis=1)
        yield f"sandwich {size}", [falling(heads / (8 * (arange(heads) + 1))[:, None] * sums)]
        layers = ["w1", "b1", "w2", "b2"]
        yield (f"fire {size} " + " ".join(f"--{name} {paths[name]}" for name in layers),
               [by_numpy.fire(*[arrays[name] for name in layers])])
        yield "gpsa --heads 4 --height 48 --width 48", [by_numpy.gpsa(4, 48)]
        yield (f"formula --value exp(-abs(q-k)/8) --len {tokens}",
               [by_numpy.on_distances(by_numpy.decay),
                by_numpy.by_distance(numpy.exp(-abs(far) / 8).astype(float32)[None], tokens)])

    def of_rotations():
        length, frequencies = 2**18, powers(10000, 64, 128)
        positions = steps(0, length)
        yield (f"rope --d 128 --len {length} --layout half",
               [*by_numpy.cos_twice(lambda first, count: positions[first:first + count, None] * frequencies),
                by_numpy.rotations(positions, frequencies, "cos again", False)])
        side = 512
        along = numpy.cos(steps(0, side)[:, None] * powers(10000, 32, 64)).astype(float32)
        yield f"rope-grid --height {side} --width {side} --d 128", [by_numpy.on_square(along, repeats=2)]
        y, x = numpy.divmod(steps(0, 128 * 128), 128)
        of_heads = arrays["mixed"].astype(float)

        def mixed(way):
            def fill_table(table):
                for head, (of_y, of_x) in zip(table, of_heads.swapaxes(0, 1)):
                    by_numpy.cos_twice(lambda first, count: y[first:first + count, None] * of_y +
                                       x[first:first + count, None] * of_x)[way](head)

            return fill_table

        yield (f"rope-mixed --height 128 --width 128 --heads 12 --d 64 --freqs-file {paths['mixed']}",
               [mixed(0), mixed(1)])
        text, side = 65536, 256
        tokens = numpy.concatenate([numpy.tile(arange(text), (3, 1)),
                                    text + numpy.indices((1, side, side)).reshape(3, -1),
                                    numpy.tile(text + side + arange(text), (3, 1))], axis=1).T.astype(float)
        axes = numpy.repeat(arange(3), (16, 24, 24))
        slow = powers(1000000, 64, 128)
        yield (f"mrope --sequence text:{text},image:{side}x{side},text:{text} --base 1000000",
               by_numpy.cos_twice(lambda first, count: tokens[first:first + count][:, axes] * slow))
        d, length = 512, 16384
        rates = numpy.log((arange(d // 2) / (d // 2) + 0.4) / 1.4) / 8192

        def column(first, count):
            return steps(first, first + count)[:, None]

        yield (f"xpos --d {d} --len {length} --scale-base 8192 --layout half",
               by_numpy.cos_twice(lambda *rows: column(*rows) * powers(10000, d // 2, d),
                                  lambda *rows: numpy.exp((column(*rows) - length // 2) * rates)))

    for group in (of_positions, of_points, of_pairs, of_rotations):
        yield from group()


def measured(actions):
    """Returns the shortest time of each action, in turns."""
    times = {name: [] for name in actions}
    begin, turns = time.perf_counter(), 0
    while turns < LEAST_TURNS or (turns < MOST_TURNS and time.perf_counter() - begin < ENOUGH_SECONDS):
        for name, action in actions.items():
            start = time.perf_counter()
            action()
            times[name].append(time.perf_counter() - start)
        turns += 1
    return {name: min(of_action) for name, of_action in times.items()}


def row(library, words, ways, torch_way=None):
    table = library.table(words)
    right = table.copy()
    actions = {"ours": lambda: library.fill(words, table)}
    for number, way in enumerate(ways):
        actions[f"numpy {number}"] = lambda way=way: way(table)
        table[...] = 1
        way(table)
        if not numpy.allclose(table, right, rtol=1e-4, atol=1e-5):
            wrong = numpy.unravel_index(numpy.argmax(abs(table - right)), table.shape)
            sys.exit(f"{' '.join(words)}: way {number} has {table[wrong]} at {wrong}, ours {right[wrong]}")
    if torch_way and torch:
        actions["torch"] = lambda: torch_way(table)
    actions["memset"] = lambda: ctypes.memset(table.ctypes.data, 0, table.nbytes)
    times = measured(actions)
    ours = times.pop("ours")
    numpys = [seconds for name, seconds in times.items() if name.startswith("numpy")]
    theirs = [min(numpys, default=None), times.get("torch"), times["memset"]]
    cells = [" ".join(os.path.basename(word) if word.endswith(".npy") else word for word in words), f"{ours * 1e3:.1f} ms",
             f"{table.nbytes / ours / 1e9:.1f}"]
    for seconds in theirs:
        cells += [f"{seconds * 1e3:.1f} ms", f"{seconds / ours:.2f}"] if seconds else ["", ""]
    return f"| {' | '.join(cells)} |"


def main():
    program, library, *chosen = sys.argv[1:]
    library = Library(library)
    listed = subprocess.run([program, "list", "encodings", "--json"], check=True, capture_output=True)
    missing = {encoding["name"] for encoding in json.loads(listed.stdout)}
    print("| table | ours | GB/s | NumPy | ratio | PyTorch | ratio | memset | ratio |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|--:|", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for line, *ways in tasks(library, folder):
            words = line.split(" ")
            missing.discard(words[0])
            if not chosen or words[0] in chosen:
                print(row(library, words, *ways), flush=True)
    if missing:
        print(f"\nleft out: {', '.join(sorted(missing))}")


if __name__ == "__main__":
    main()
