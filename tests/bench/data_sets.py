"""data_sets.py PE_GEN: sets of many small tables and of figures, and one large table.

They stand beside numpy.save and matplotlib. Ours is always a process from start to end, which
computes the tables. Theirs runs in this process and writes arrays that are in memory, unless a task
says otherwise. All run by turns; the times are medians. Each set of small tables is written to a
new folder, and nothing is removed before the last: creating files after that takes longer.
"""

import importlib.util
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

import numpy

import compare
import numpy_tables

LENGTHS, BASES, CHANNELS = range(16, 161), range(1000, 1069), 64
D, LEN = 1024, 524288
FIGURES, DRAWN = 1000, 20
TURNS = 5


def values(these):
    return {"from": these[0], "to": these[-1], "step": 1}


def tables(start):
    """A sweep over lengths and bases; every file changes with the first position."""
    return {"encoding": "sinusoid", "d": CHANNELS, "start": start, "npy": "{len}-{base}.npy",
            "sweep": {"len": values(LENGTHS), "base": values(BASES)}}


def heatmaps():
    return {"encoding": "sinusoid", "d": 128, "len": 400, "png": "{base}.png",
            "sweep": {"base": values(range(1000, 1000 + FIGURES))}}


def batch(program, job, *options):
    def action(folder):
        path = os.path.join(folder, "manifest.json")
        with open(path, "w") as file:
            json.dump({"jobs": [job]}, file)
        subprocess.run([program, "batch", path, "--quiet", *options], check=True)

    return action


def each_file(folder):
    for length in LENGTHS:
        for base in BASES:
            yield os.path.join(folder, f"{length}-{base}.npy"), length


def saves():
    arrays = {n: numpy.random.default_rng(n).random((n, CHANNELS), numpy.float32) for n in LENGTHS}

    def action(folder):
        for path, length in each_file(folder):
            numpy.save(path, arrays[length])

    def check(folder):
        for path, length in each_file(folder):
            assert numpy.array_equal(numpy.load(path), arrays[length])

    return action, check


def creations():
    """What the files alone cost: one open, write and close each."""
    contents = {n: b"0" * (128 + 4 * n * CHANNELS) for n in LENGTHS}

    def action(folder):
        for path, length in each_file(folder):
            file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666)
            os.write(file, contents[length])
            os.close(file)

    return action


def seconds(action, *arguments):
    os.sync()  # nothing of the turn before is still to be written
    begin = time.perf_counter()
    action(*arguments)
    return time.perf_counter() - begin


def print_ratio(task, ours, theirs):
    a, b = statistics.median(ours), statistics.median(theirs)
    print(f"| {task} | {a:.2f} s | {b:.2f} s | {b / a:.2f} |", flush=True)


def small_tables(program, root):
    save, check = saves()
    columns = {
        "new": batch(program, tables(0)), "numpy new": save,
        "new, --sync": batch(program, tables(0), "--sync"), "files": creations(),
    }
    again = {
        "new": {"replaced": batch(program, tables(1)),
                "replaced, --no-sync": batch(program, tables(0), "--no-sync"),
                "checked": batch(program, tables(0), "--check")},
        "numpy new": {"numpy replaced": save, "numpy checked": check},
    }
    times = {}
    for turn in range(TURNS):
        for name, action in columns.items():
            folder = os.path.join(root, f"{turn} {name}")
            os.mkdir(folder)
            times.setdefault(name, []).append(seconds(action, folder))
            for other, next_action in again.get(name, {}).items():
                times.setdefault(other, []).append(seconds(next_action, folder))
    what = f"{len(LENGTHS) * len(BASES)} tables of {LENGTHS[0]} to {LENGTHS[-1]} x {CHANNELS}"
    print_ratio(f"{what}, new; numpy.save", times["new"], times["numpy new"])
    print_ratio(f"{what}, new; open, write and close", times["new"], times["files"])
    print_ratio(f"{what}, new, with --sync; numpy.save", times["new, --sync"], times["numpy new"])
    print_ratio(f"{what}, replaced; numpy.save", times["replaced"], times["numpy replaced"])
    print_ratio(f"{what}, replaced, with --no-sync; numpy.save", times["replaced, --no-sync"],
                times["numpy replaced"])
    print_ratio(f"{what}, --check; numpy.load and compare", times["checked"],
                times["numpy checked"])


def figures(program, root):
    ours, theirs = [], []
    for turn in range(TURNS):
        folder = os.path.join(root, str(turn))
        os.mkdir(folder)
        ours.append(seconds(batch(program, heatmaps()), folder))
        drawn = seconds(lambda: [compare.draw(os.path.join(folder, f"{i}.png"))
                                 for i in range(DRAWN)])
        theirs.append(drawn * FIGURES / DRAWN)
    print_ratio(f"{FIGURES} heatmaps of 128 x 400 as PNG; matplotlib, from the time of {DRAWN}",
                ours, theirs)


def large_table(program, root):
    zeros = numpy.zeros((LEN, D), numpy.float32)
    zeros += 0  # in memory
    path = os.path.join(root, "large.npy")
    command = [program, "sinusoid", "--d", str(D), "--len", str(LEN), "--npy", path]
    actions = {
        "ours": lambda: subprocess.run(command, check=True),
        "zeros": lambda: numpy.save(path, zeros),
        "numpy": lambda: numpy.save(path, numpy_tables.by_blocks(D, LEN)),
        "--sync": lambda: subprocess.run(command + ["--sync"], check=True),
    }
    times = {name: [] for name in actions}
    order = list(actions)
    for _ in range(TURNS):
        for name in order:
            times[name].append(seconds(actions[name]))
            os.remove(path)
        order.append(order.pop(0))  # memory that another has just freed is quicker to get
    what = f"one new table of {zeros.nbytes >> 30} GiB"
    print_ratio(f"{what}; numpy.save of zeros", times["ours"], times["zeros"])
    print_ratio(f"{what}, with --sync; numpy.save of zeros", times["--sync"], times["zeros"])
    print_ratio(f"{what}; NumPy, float64 by blocks, and numpy.save", times["ours"], times["numpy"])


def main():
    program = os.path.abspath(sys.argv[1])
    print("| task | ours | theirs | ratio |")
    print("|---|--:|--:|--:|")
    with tempfile.TemporaryDirectory() as root:
        small_tables(program, root)
    if importlib.util.find_spec("matplotlib"):
        with tempfile.TemporaryDirectory() as root:
            figures(program, root)
    with tempfile.TemporaryDirectory() as root:
        large_table(program, root)


if __name__ == "__main__":
    main()
