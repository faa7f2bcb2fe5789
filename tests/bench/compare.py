"""compare.py PE_GEN: whole tasks beside NumPy, PyTorch, pandas and matplotlib.

Ours is always a process from start to end. Theirs runs in this process, where everything is
imported already, unless a task says otherwise. Both run by turns; the times are medians.
"""

import importlib.util
import os
import statistics
import subprocess
import sys
import tempfile
import time

import numpy

import numpy_tables

D, LEN = 1024, 131072
CSV_LEN = 16384
LEAST_TURNS, MOST_TURNS, ENOUGH_SECONDS = 5, 101, 2


ROPE_HEADS, ROPE_LEN, HEAD_DIM = 32, 4096, 128


def queries():
    shape = (ROPE_HEADS, ROPE_LEN, HEAD_DIM)
    return numpy.random.default_rng(0).standard_normal(shape, numpy.float32)


def angles():
    return numpy.arange(ROPE_LEN)[:, None] / 10000 ** (numpy.arange(0, HEAD_DIM, 2) / HEAD_DIM)


def numpy_rotation(x):
    """Halves, float32 throughout but for the angles."""
    cos, sin = (f(angles()).astype(numpy.float32) for f in (numpy.cos, numpy.sin))
    a, b = numpy.split(x, 2, axis=-1)
    return numpy.concatenate([a * cos - b * sin, a * sin + b * cos], axis=-1)


def torch_rotation(x):
    """As transformers does it."""
    import torch

    x = torch.from_numpy(x)
    both = torch.from_numpy(numpy.concatenate([angles()] * 2, axis=-1)).float()
    a, b = x.chunk(2, dim=-1)
    return x * both.cos() + torch.cat((-b, a), dim=-1) * both.sin()


def save(path):
    """On disk when it returns, as ours is."""
    with open(path, "wb") as file:
        numpy.save(file, numpy_tables.by_blocks(D, LEN))
        file.flush()
        os.fsync(file.fileno())


def pandas_csv(path):
    table = numpy_tables.by_blocks(128, CSV_LEN)

    def action():
        import pandas

        pandas.DataFrame(table).to_csv(path)

    return action


def draw(path):
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(10, 8))
    image = axes.imshow(numpy_tables.usual(128, 400), cmap="coolwarm", aspect="auto")
    figure.colorbar(image, ax=axes, label="Value")
    axes.set_xlabel("Channel")
    axes.set_ylabel("Position")
    axes.set_title("Sinusoidal Positional Encoding")
    figure.savefig(path, format="png")
    pyplot.close(figure)


def tasks(program, folder):
    """Title, package needed, ours, theirs."""
    table = [program, "sinusoid", "--d", str(D), "--len", str(LEN)]
    csv_table = [program, "sinusoid", "--d", "128", "--len", str(CSV_LEN)]
    csv_size = f"float32, d 128, {CSV_LEN} rows; ours to /dev/null"
    small = [program, "sinusoid", "--d", "10", "--len", "4", "--npy", "/dev/null"]
    figure = [program, "sinusoid", "--d", "128", "--len", "400"]
    table_file, figure_file = os.path.join(folder, "t.npy"), os.path.join(folder, "f.png")
    size = f"float32, d {D}, {LEN} rows"
    x, x_file = queries(), os.path.join(folder, "x.npy")
    numpy.save(x_file, x)
    rotation = [program, "apply", "rope", "--x", x_file, "--npy", "/dev/null"]
    rotated = f"rotation of {x.shape} float32; ours from a file to /dev/null"
    return [
        (f"table, {size}; ours to /dev/null, NumPy's in memory, as most code has it", "numpy",
         run(table + ["--npy", "/dev/null"]), lambda: numpy_tables.usual(D, LEN)),
        (f"table, {size}; ours to /dev/null, NumPy's float64 by blocks", "numpy",
         run(table + ["--npy", "/dev/null"]), lambda: numpy_tables.by_blocks(D, LEN)),
        (f"table, {size}; ours to /dev/null, NumPy's float32 by blocks", "numpy",
         run(table + ["--npy", "/dev/null"]),
         lambda: numpy_tables.by_blocks(D, LEN, numpy.float32)),
        (f"table to an NPY file on disk, {size}; numpy.save and fsync", "numpy",
         run(table + ["--npy", table_file, "--sync"]), lambda: save(table_file)),
        (f"{rotated}, NumPy's in memory", "numpy", run(rotation), lambda: numpy_rotation(x)),
        (f"{rotated}, PyTorch's in memory", "torch", run(rotation), lambda: torch_rotation(x)),
        (f"CSV, {csv_size}; pandas, table in memory", "pandas",
         run(csv_table + ["--csv", "/dev/null"]), pandas_csv("/dev/null")),
        ("process that prints its version; /bin/true", "numpy",
         run([program, "--version"]), run(["/bin/true"])),
        ("process that writes a table of 4 x 10 to /dev/null; /bin/true", "numpy",
         run(small), run(["/bin/true"])),
        ("process that writes a table of 4 x 10 to /dev/null; python3 that imports NumPy", "numpy",
         run(small), run([sys.executable, "-c", "import numpy"])),
        ("figure to PNG, d 128, len 400; matplotlib, imported before", "matplotlib",
         run(figure + ["--png", figure_file]), lambda: draw(figure_file)),
        ("figure to PNG, d 128, len 400; matplotlib, the whole process", "matplotlib",
         run(figure + ["--png", figure_file]),
         run([sys.executable, __file__, "--draw", figure_file])),
        ("the same, neither waiting for a disk", "matplotlib",
         run(figure + ["--png", "/dev/null"]),
         run([sys.executable, __file__, "--draw", "/dev/null"])),
    ]


def run(command):
    return lambda: subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def seconds(action):
    begin = time.perf_counter()
    action()
    return time.perf_counter() - begin


def medians(ours, theirs):
    """By turns: what disturbs the machine disturbs both."""
    turns, begin = [], time.perf_counter()
    while len(turns) < LEAST_TURNS or (
        len(turns) < MOST_TURNS and time.perf_counter() - begin < ENOUGH_SECONDS
    ):
        turns.append((seconds(ours), seconds(theirs)))
    return [statistics.median(times) for times in zip(*turns)]


def simd():
    """The vector instructions that NumPy uses here; without AVX512_SKX its sin of float64 has none."""
    from numpy.core._multiarray_umath import __cpu_features__ as features

    return ", ".join(name for name in ("AVX2", "AVX512_SKX") if features.get(name)) or "none"


def compare(program):
    left_out = []
    print(f"NumPy {numpy.__version__}, its vector instructions: {simd()}", end="\n\n")
    print("| task | ours | theirs | ratio |")
    print("|---|--:|--:|--:|")
    with tempfile.TemporaryDirectory() as folder:
        for title, package, ours, theirs in tasks(program, folder):
            if importlib.util.find_spec(package) is None:
                left_out.append(f"left out: {title} ({sys.executable} without {package})")
                continue
            a, b = medians(ours, theirs)
            print(f"| {title} | {a * 1e3:.1f} ms | {b * 1e3:.1f} ms | {b / a:.2f} |", flush=True)
    if left_out:
        print("", *left_out, sep="\n")


def main():
    if sys.argv[1] == "--draw":
        draw(sys.argv[2])
    else:
        compare(sys.argv[1])


if __name__ == "__main__":
    main()
