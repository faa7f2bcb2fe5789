"""identify.py PE_GEN: `identify` beside programs that know the answer.

They check a file against the command that made it: `pe-gen diff`, as a process too, and NumPy,
imported before, which computes the table and compares. All run by turns; the times are medians.
"""

import os
import subprocess
import sys
import tempfile

import numpy

from compare import medians
import numpy_tables

SIZES = [(4096, 512), (65536, 2048)]


def run(command):
    return lambda: subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def is_numpys(path, length, d):
    return numpy.allclose(numpy.load(path), numpy_tables.usual(d, length), rtol=0, atol=1e-6)


def compare(program):
    print("| identify, a sinusoid, float32 | ours | the other | ratio |")
    print("|---|--:|--:|--:|")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "table.npy")
        for length, d in SIZES:
            made = ["sinusoid", "--len", str(length), "--d", str(d)]
            subprocess.run([program, *made, "--npy", path], check=True)
            ours = run([program, "identify", "--json", path])
            others = [("`pe-gen diff` with its command", run([program, "diff", "--quiet", path, "--", *made])),
                      ("NumPy, computed and compared", lambda: is_numpys(path, length, d))]
            for title, theirs in others:
                a, b = medians(ours, theirs)
                print(f"| {length} x {d}; {title} | {a * 1e3:.1f} ms | {b * 1e3:.1f} ms "
                      f"| {b / a:.2f} |", flush=True)


if __name__ == "__main__":
    compare(sys.argv[1])
