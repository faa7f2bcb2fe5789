"""accuracy.py PE_GEN: how far the usual code is off, d 512, base 10000, sin and cos interleaved.

For positions 0 ... 2^k - 1: the largest error, beside pe-gen's float64 table, and the share of values
that are not the nearest float32, beside its float32 table. Up to 2^18 positions are all looked at; of
more, in each of 64 equal parts 4096 in a row, at random, but in the last part the last.
"""

import importlib.util
import os
import random
import subprocess
import sys
import tempfile

D, BASE = 512, 10000
ENDS = [2**10, 2**16, 2**20, 2**24]
ROWS, PARTS = 4096, 64


def torch_quotient(positions):
    """position / 10000^(2i / d) in float32."""
    import torch

    position = torch.from_numpy(positions).float().unsqueeze(1)
    return sin_cos(torch, position / BASE ** (torch.arange(0, D, 2).float() / D))


def torch_exponential(positions):
    """position * exp(-log(10000) 2i / d) in float32."""
    import torch

    position = torch.from_numpy(positions).float().unsqueeze(1)
    minus_log = -torch.log(torch.tensor(float(BASE)))
    return sin_cos(torch, position * torch.exp(torch.arange(0, D, 2).float() * (minus_log / D)))


def numpy_quotient(positions):
    """position / 10000^(2i / d) in float64; the values are cast to float32."""
    import numpy

    return sin_cos(numpy, positions[:, None] / BASE ** (numpy.arange(0, D, 2) / D))


def sin_cos(library, angles):
    import numpy

    table = numpy.empty((len(angles), D), numpy.float32)
    table[:, 0::2] = library.sin(angles)
    table[:, 1::2] = library.cos(angles)
    return table


METHODS = [  # title, package, table of an array of positions
    ("PyTorch float32, `pos / 10000**(2i/d)`", "torch", torch_quotient),
    ("PyTorch float32, `exp(-log)`", "torch", torch_exponential),
    ("NumPy float64, then cast", "numpy", numpy_quotient),
]


def chunks(end):
    """First position and number of positions of each chunk that is looked at."""
    if end <= ROWS * PARTS:
        return [(start, min(ROWS, end - start)) for start in range(0, end, ROWS)]
    part = end // PARTS
    rest = part - ROWS
    offsets = [random.Random(end + i).randrange(rest) for i in range(PARTS - 1)] + [rest]
    return [(i * part + offset, ROWS) for i, offset in enumerate(offsets)]


def exact(program, dtype, start, length):
    import numpy

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "table.npy")
        subprocess.run(
            [program, "sinusoid", "--d", str(D), "--base", str(BASE), "--start", str(start),
             "--len", str(length), "--dtype", dtype, "--npy", path], check=True)
        return numpy.load(path)


def measure(program, methods, end):
    """For each method: largest error, share of misrounded values."""
    import numpy

    largest, wrong, values = [0.0] * len(methods), [0] * len(methods), 0
    for start, length in chunks(end):
        real = exact(program, "float64", start, length)
        nearest = exact(program, "float32", start, length)
        values += nearest.size
        for i, (_, _, table_of) in enumerate(methods):
            table = table_of(numpy.arange(start, start + length))
            largest[i] = max(largest[i], float(numpy.abs(table - real).max()))
            wrong[i] += int(numpy.count_nonzero(table != nearest))
    return [(error, count / values) for error, count in zip(largest, wrong)]


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: tests/bench/accuracy.py PATH/TO/pe-gen")
    program = sys.argv[1]
    missing = [p for p in ("numpy", "torch") if importlib.util.find_spec(p) is None]
    if "numpy" in missing:
        sys.exit(f"{sys.executable} has no numpy, which reads pe-gen's tables")
    methods = [method for method in METHODS if method[1] not in missing]

    columns = [measure(program, methods, end) for end in ENDS]
    print("| float32 table from | " + " | ".join(f"below 2^{e.bit_length() - 1}" for e in ENDS) + " |")
    print("|---|" + "--:|" * len(ENDS))
    for (title, _, _), *cells in zip(methods, *columns):
        print(f"| {title} | " + " | ".join(f"{e:#.2g} / {100 * s:.3g} %" for e, s in cells) + " |")
    print()
    for package in ("numpy", "torch"):
        left_out = [title for title, needs, _ in METHODS if needs == package and package in missing]
        for title in left_out:
            print(f"left out: {title} ({sys.executable} without {package})")
        if not left_out:
            print(package, __import__(package).__version__)


if __name__ == "__main__":
    main()
