#!/usr/bin/env python3
"""Asks identify about broken ports: which cause it names, at which length, as a table and as a kernel.

    tests/trials/ports.py build/release/pe-gen [length ...]

Each cause is a mistake that recurs in issue trackers, made here by NumPy alone. An answer is right if
it has the words that name the cause; wrong if it claims something else; otherwise it is missed.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

LENGTHS = [16, 300, 1025, 4096, 20000, 100000]
D = 64


def rounded(x, dtype):
    if dtype == "float16":
        return np.asarray(x, np.float16).astype(np.float64)
    bits = np.asarray(x, np.float32).view(np.uint32).astype(np.uint64)
    bits = (bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000
    return bits.astype(np.uint32).view(np.float32).astype(np.float64)


def frequencies(base=10000.0, d=D, shift=0):
    return base ** (-2.0 * np.arange(d // 2) / (d - shift))


def sinusoid(positions, w=None):
    angles = np.outer(positions, frequencies() if w is None else w)
    return np.stack([np.sin(angles), np.cos(angles)], -1).reshape(len(positions), -1)


def rotary(positions, w):
    """Returns RoPE's cosines and sines, (positions, d)."""
    angles = np.concatenate([np.outer(positions, w)] * 2, 1)
    return np.cos(angles), np.sin(angles)


def t5_buckets(distances):
    """Returns the buckets of T5's decoder for query - key, 32 up to a distance of 128."""
    far = 16 + (np.log(np.maximum(distances, 1) / 16) / np.log(8) * 16).astype(int)
    return np.where(distances < 16, np.maximum(distances, 0), np.minimum(far, 31))


def tables(n, rng):
    """Yields the name of a cause, the array, and the words that name the cause."""
    p = np.arange(float(n))
    right = sinusoid(p)
    yield "right", right, r"command     pe-gen sinusoid --len \d+ --d 64\n"
    if n > 256:
        for dtype in ("bfloat16", "float16"):
            if rounded(p, dtype).tolist() == p.tolist() or p[-1] > 65504 and dtype == "float16":
                continue
            yield (f"positions in {dtype}", sinusoid(rounded(p, dtype)),
                   f"positions are rounded to {dtype}|--arith {dtype}")
    w = frequencies()
    for dtype in ("bfloat16", "float16"):
        yield (f"frequencies in {dtype}", sinusoid(p, rounded(w, dtype)),
               f"the frequencies are rounded to {dtype}|--arith {dtype} --rounded frequencies")
    angles = rounded(np.float32(np.outer(p, w)), "bfloat16")
    yield ("angles in bfloat16", np.stack([np.sin(angles), np.cos(angles)], -1).reshape(n, -1),
           "angles.* are rounded to bfloat16|--arith bfloat16 --rounded angles")
    yield "clamped", sinusoid(np.minimum(p, n // 2)), rf"--positions 0:{n // 2},{n // 2}x|are {n // 2} in rows"
    yield "wrapped", sinusoid(p % (n // 4)), rf"--positions 0:{n // 4},|start again from 0|count from 0 in rows {n // 4} to"
    yield ("packed", sinusoid(np.concatenate([np.arange(n // 3), np.arange(n - n // 3)])),
           rf"--positions 0:{n // 3},0:{n - n // 3}|count from 0 in rows|0,1,2,3,4,0,1")
    pad = n // 8
    yield ("padding on the left", sinusoid(np.concatenate([np.ones(pad), np.arange(n - pad)])),
           rf"--positions 1x{pad},0:{n - pad}|1,1,0,1,2")
    short = right.copy()
    short[n - pad:] = 0
    yield "padding on the right", short, rf"rows {n - pad} (to|and) {n - 1}.*|len {n - pad}"
    yield "reversed", right[::-1], "--reverse|--step -1"
    yield "doubled", sinusoid(p // 2), rf"--positions 0:{n // 2}x2|0,0,1,1,2,2"
    yield "from 1", sinusoid(p + 1), "--start 1"
    yield "from 2", sinusoid(p + 2), "--start 2"
    yield "from 4096", sinusoid(p + 4096), "--start 4096"
    yield "interpolated by 8", sinusoid(p / 8), r"--step 0\.125|--freq-scale (1/8|0\.125)"
    yield "seconds", sinusoid(p / 25), r"--step 0\.04|--freq-scale 0\.04"
    yield "from 0 to 1", sinusoid(np.linspace(0, 1, n)), rf"--step 1/{n - 1}"
    yield "base 500000", sinusoid(p, frequencies(500000.0)), "--base 500000"
    yield "in halves", np.concatenate([right[:, ::2], right[:, 1::2]], 1), "--layout halves"
    yield "cosines first", right.reshape(n, -1, 2)[:, :, ::-1].reshape(n, -1), "--first cos"
    yield "d - 2", sinusoid(p, frequencies(shift=2)), "--denom-shift 2"
    yield "log10", sinusoid(p, frequencies(np.exp(4))), r"--base 'exp\(4\)'"
    yield "negated", -right, "--out-scale -1|multiplied by -1"
    yield "times sqrt(d)", 8 * right, r"--out-scale 'sqrt\(d\)'|--out-scale 8"
    yield "from 0 to 1 in value", (right + 1) / 2, "multiplied by 0.5, then 0.5 is added"
    yield "noise", right + rng.normal(0, 0.01, right.shape), r"noise of deviation 0\.(01|009\d|010\d) is added"
    kept = rng.random(right.shape) >= 0.1
    yield "dropout", right * kept / 0.9, "dropout of 0.1"
    yield "centred rows", right - right.mean(1, keepdims=True), "the mean of each row is subtracted"
    yield "more channels", np.pad(right, ((0, 0), (0, 16))), "16 more channels, of zeros"
    yield "transposed", right.T, "transposed"
    yield "in float16", rounded(right, "float16"), "values are those of float16"
    yield "one position", sinusoid(np.full(n, 7.0)), r"--start 7 --step 0|7,7,7|7x"
    yield "halves exchanged", np.roll(right, 32, 1), "--keep-channels 32:64,0:32"
    yield "every channel backwards", right[:, ::-1], "--keep-channels ::-1"
    yield "moved round", np.roll(right, 1, 0), rf"--positions {n - 1},0(:{n - 1}|,1,2,3)"
    cosines, sines = rotary(p, w)
    for name, both in (("stacked", np.stack([cosines, sines])),
                       ("side by side", np.concatenate([cosines, sines], 1)),
                       ("in the last axis", np.stack([cosines, sines], -1))):
        yield f"cos and sin {name}", both, "--table cos,sin"
    yield ("two bases stacked", np.stack([cosines, rotary(p, frequencies(500000.0))[0]]),
           "index 1 of the first axis is pe-gen rope .*--base 500000")
    yield "divided by all heads", rotary(p, frequencies(d=12 * D)[: D // 2])[0], "the width of 12 heads"
    if 256 < n < 2048:  # biases have n^2 values
        distances = np.arange(n)[:, None] - np.arange(n)
        hidden = np.where(distances < 0, -np.inf, 0)
        weights = rng.normal(size=(32, 4))
        yield ("T5's bias behind a mask", weights[t5_buckets(distances)].transpose(2, 0, 1) + hidden,
               "--causal .*--mask causal")
        slopes = 2.0 ** -np.arange(1, 9)
        yield ("ALiBi, heads last", -slopes * np.maximum(distances, 0)[:, :, None],
               "the last axis of the array is the first one of the table")


def turned(x, positions, w, pairing="half", wrong=""):
    d = x.shape[-1]
    angles = np.multiply.outer(positions, w)
    while angles.ndim < x.ndim:
        angles = angles[None]
    c, s = np.cos(angles), np.sin(angles)
    if wrong == "exchanged":
        c, s = s, c
    if wrong == "sign":
        s = -s
    if wrong == "no sines":
        s = 0 * s
    if wrong == "no cosines":
        c = 0 * c
    a = x[..., : d // 2] if pairing == "half" else x[..., ::2]
    b = x[..., d // 2 :] if pairing == "half" else x[..., 1::2]
    first = a * c + b * s if wrong == "minus" else a * c - b * s
    second = b * c + a * s
    if pairing == "half":
        return np.concatenate([first, second], -1)
    return np.stack([first, second], -1).reshape(x.shape)


def kernels(n, rng):
    """Yields the name of a cause, both arrays, and the words that name the cause."""
    heads = 2
    x = rng.normal(size=(1, heads, n, D)).astype(np.float32).astype(np.float64)
    p, w = np.arange(float(n)), frequencies()
    yield "right", x, turned(x, p, w), r"command     pe-gen apply rope --x \S+\n"
    yield "neighbours", x, turned(x, p, w, "interleaved"), "--pairing interleaved"
    yield "no minus", x, turned(x, p, w, wrong="minus"), "minus sign is missing"
    yield "wrong sign", x, turned(x, p, w, wrong="sign"), "--inverse|wrong sign"
    yield "exchanged", x, turned(x, p, w, wrong="exchanged"), "cos and sin are exchanged"
    yield "no sines", x, turned(x, p, w, wrong="no sines"), "part with the sines is missing"
    yield "no cosines", x, turned(x, p, w, wrong="no cosines"), "part with the cosines is missing"
    yield "from 1", x, turned(x, p + 1, w), "--start 1"
    if n > 256:
        yield ("positions in bfloat16", x, turned(x, rounded(p, "bfloat16"), w),
               "ositions are rounded to bfloat16")
    yield ("frequencies in bfloat16", x, turned(x, p, rounded(w, "bfloat16")),
           "frequencies are rounded to bfloat16")
    angles = rounded(np.float32(np.outer(p, w)), "bfloat16")
    c, s = np.cos(angles), np.sin(angles)
    a, b = x[..., :32], x[..., 32:]
    yield ("angles in bfloat16", x, np.concatenate([a * c - b * s, b * c + a * s], -1),
           "angles.*are rounded to bfloat16")
    yield ("clamped", x, turned(x, np.minimum(p, n // 2), w),
           rf"--positions 0:{n // 2},{n // 2}x|are {n // 2} in rows|{n // 2},{n // 2}")
    yield ("packed", x, turned(x, np.concatenate([np.arange(n // 3), np.arange(n - n // 3)]), w),
           r"--positions 0:\d+,0:|count from 0 in rows|0,1,2,3,4,0,1")
    part = x.copy()
    part[..., :32] = turned(x[..., :32], p, frequencies(d=32))
    yield "half of the channels", x, part, "--rotary-dim 32|32 of 64"
    yield "d - 2", x, turned(x, p, frequencies(shift=2)), "divided by 62|exponent"
    yield "base 500000", x, turned(x, p, frequencies(500000.0)), r"--base (500000|5e\+05)"
    yield "linear by 4", x, turned(x, p / 4, w), "linear|--step 0.25"
    yield "times 0.125", x, 0.125 * turned(x, p, w), "multiplied by 0.125"
    of_heads = turned(x.swapaxes(1, 2), np.arange(float(heads)), w).swapaxes(1, 2)
    yield "positions along heads", x, of_heads, "--position-axis 1|along axis 1"
    most = turned(x, p, w)
    most[..., n - n // 8 :, :] = x[..., n - n // 8 :, :]
    yield ("last rows as they were", x, most,
           rf"rows {n - n // 8}( to {n - 1})? of the positions|are 0 in rows {n - n // 8} to {n - 1}")
    one = turned(x, p, w)
    one[:, 1] = x[:, 1]
    yield "one head only", x, one, "at 1 of axis 1|in heads 1"
    added = rng.normal(size=(3, n, D)).astype(np.float32).astype(np.float64)
    yield "added", added, added + sinusoid(p), "adds a table"
    yield ("added along the batch", added[:, :64], added[:, :64] + sinusoid(np.arange(3.0))[:, None],
           "added along axis 0")
    sequence_first = added.swapaxes(0, 1)
    yield ("added, sequence first", sequence_first, sequence_first + sinusoid(p)[:, None],
           "added along axis 0")
    yield "subtracted", added, added - sinusoid(p), "--out-scale -1"
    masked = added + sinusoid(p)
    masked[1, n - n // 4 :] = 0
    yield "added, padding 0", added, masked, "the result is 0"
    yield "times sqrt(d), added", added, 8 * added + sinusoid(p), "multiplied by 8"


def ask(program, folder, arrays):
    names = []
    for i, array in enumerate(arrays):
        np.save(folder / f"{i}.npy", array.astype(np.float32))
        names.append(f"{i}.npy")
    if len(names) == 2:
        names = ["--before", names[0], "--after", names[1]]
    run = subprocess.run([program, "identify", *names], cwd=folder, capture_output=True, text=True,
                         timeout=600, check=False)
    return run.stdout + run.stderr


def outcome(answer, words):
    if re.search(words, answer):
        return "right"
    return "wrong" if re.search(r"verdict +identified", answer) else "missed"


def main():
    program = str(Path(sys.argv[1]).resolve())
    lengths = [int(word) for word in sys.argv[2:]] or LENGTHS
    counts = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for length in lengths:
            rng = np.random.default_rng(length)
            cases = [("table", *case) for case in tables(length, rng)]
            cases += [("kernel", *case) for case in kernels(length, rng)]
            for form, cause, *arrays, words in cases:
                answer = ask(program, folder, arrays)
                found = outcome(answer, words)
                counts.setdefault((form, cause), {})[length] = found
                if found != "right":
                    print(f"{found}: {form}, {cause}, {length}\n{answer}", flush=True)
    print(f"{'form':8}{'cause':26}" + "".join(f"{length:>8}" for length in lengths))
    for (form, cause), of_lengths in counts.items():
        print(f"{form:8}{cause:26}" + "".join(f"{of_lengths.get(n, '-'):>8}" for n in lengths))
    every = [found for of_lengths in counts.values() for found in of_lengths.values()]
    print({word: every.count(word) for word in ("right", "missed", "wrong")})


if __name__ == "__main__":
    main()
