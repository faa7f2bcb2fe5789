"""attention.py PE_GEN: attention with relative positions beside NumPy and PyTorch.

Every run is a process of its own. Ours counts from start to end, reading its inputs from files and
writing z to /dev/null; theirs counts from the inputs in memory to z in memory. All run by turns;
times are medians, of einsum a single one; memory is the largest resident set.
"""

import importlib.util
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time

import numpy

TOKENS, HEADS, HEAD_DIM, CLIP, BUCKETS = 4096, 8, 64, 16, 32
WINDOW = math.isqrt(TOKENS)
D = HEADS * HEAD_DIM
TURNS = 3
# The further inputs of each mechanism, and our options.
MECHANISMS = {
    "shaw": (["table-k", "table-v"], []),
    "transformer-xl": (["w-kr", "u", "v"], []),
    "xlnet": (["w-kr", "u", "v"], []),
    "t5": (["bias-table"], []),
    "alibi": ([], []),
    "swin": (["bias-table"], ["--height", str(WINDOW), "--width", str(WINDOW)]),
    "rope": ([], []),
}
PEERS = [("numpy.einsum", "float64"), ("numpy", "float64"), ("numpy", "float32"),
         ("torch", "float64"), ("torch", "float32")]


def make_inputs():
    draw = numpy.random.default_rng(0).standard_normal
    inputs = {name: draw((D, D)) / D**0.5 for name in ("wq", "wk", "wv", "w-kr")}
    inputs["x"] = draw((TOKENS, D))
    for name in ("u", "v"):
        inputs[name] = draw((HEADS, HEAD_DIM))
    for name in ("table-k", "table-v"):
        inputs[name] = draw((2 * CLIP + 1, HEAD_DIM))
    inputs["t5-bias-table"] = draw((BUCKETS, HEADS))
    inputs["swin-bias-table"] = draw(((2 * WINDOW - 1) ** 2, HEADS))
    return inputs


def files_for(mechanism, folder):
    """The file of each input."""
    names = ["x", "wq", "wk", "wv"] + MECHANISMS[mechanism][0]
    prefix = {"bias-table": mechanism + "-"}
    return {n: os.path.join(folder, prefix.get(n, "") + n + ".npy") for n in names}


class NumPy:
    """What the formulas below need, by matrix products."""

    def load(self, path, dtype):
        return numpy.load(path).astype(dtype)

    def array(self, values, dtype):
        return values.astype(dtype)

    def index(self, values):
        return values

    def heads(self, a):
        return a.reshape(-1, HEADS, HEAD_DIM).transpose(1, 0, 2)

    def products(self, q, k):
        return q @ k.swapaxes(-1, -2)

    def mix(self, alpha, v):
        return alpha @ v

    def take(self, a, index):
        return numpy.take_along_axis(a, numpy.broadcast_to(index, (HEADS, *index.shape)), -1)

    def diagonal(self, a, offset):
        return numpy.diagonal(a, offset, 1, 2)

    def by_head(self, a):
        return numpy.moveaxis(a, -1, 0)

    def zeros(self, *shape, like):
        return numpy.zeros(shape, like.dtype)

    def softmax(self, scores):
        scores -= scores.max(-1, keepdims=True)
        numpy.exp(scores, out=scores)
        scores /= scores.sum(-1, keepdims=True)
        return scores

    def hide(self, scores, mask):
        scores[:, mask] = -numpy.inf
        return scores

    def concatenate(self, parts):
        return numpy.concatenate(parts, -1)


class Einsum(NumPy):
    """The products as einsum."""

    def products(self, q, k):
        return numpy.einsum("hid,hjd->hij" if k.ndim == 3 else "hid,jd->hij", q, k)

    def mix(self, alpha, v):
        return numpy.einsum("hij,hjd->hid" if v.ndim == 3 else "hij,jd->hid", alpha, v)


class Torch(NumPy):
    """The same on all of PyTorch's threads."""

    def __init__(self):
        import torch

        self.torch = torch
        torch.set_num_threads(os.cpu_count())

    def load(self, path, dtype):
        return self.torch.from_numpy(numpy.load(path).astype(dtype))

    def array(self, values, dtype):
        return self.torch.from_numpy(values.astype(dtype))

    def index(self, values):
        return self.torch.from_numpy(values)

    def heads(self, a):
        return a.reshape(-1, HEADS, HEAD_DIM).transpose(0, 1)

    def take(self, a, index):
        return a.gather(-1, index.expand(HEADS, -1, -1))

    def diagonal(self, a, offset):
        return a.diagonal(offset, 1, 2)

    def by_head(self, a):
        return a.movedim(-1, 0)

    def zeros(self, *shape, like):
        return self.torch.zeros(shape, dtype=like.dtype)

    def softmax(self, scores):
        return self.torch.softmax(scores, -1)

    def hide(self, scores, mask):
        return scores.masked_fill_(mask, -numpy.inf)

    def concatenate(self, parts):
        return self.torch.cat(parts, -1)


def positions():
    return numpy.arange(TOKENS)


def shaw(lib, given, q, k, v):
    offsets = positions() - positions()[:, None]
    rows = lib.index(numpy.clip(offsets, -CLIP, CLIP) + CLIP)
    scores = lib.products(q, k)
    scores += lib.take(lib.products(q, given["table-k"]), rows)
    scores /= HEAD_DIM**0.5
    alpha = lib.softmax(scores)
    # The weights of the keys that share a row: those at each offset, and all beyond the last ones.
    sums = lib.zeros(HEADS, TOKENS, 2 * CLIP + 1, like=q)
    for offset in range(1 - CLIP, CLIP):
        first, last = max(0, -offset), min(TOKENS, TOKENS - offset)
        sums[:, first:last, offset + CLIP] = lib.diagonal(alpha, offset)
    for i in range(TOKENS):
        sums[:, i, 0] = alpha[:, i, : max(i - CLIP + 1, 0)].sum(-1)
        sums[:, i, -1] = alpha[:, i, i + CLIP :].sum(-1)
    return lib.mix(alpha, v) + lib.mix(sums, given["table-v"])


def xl_scores(lib, given, q, k, distances):
    """The four terms in two products; the second by distance, shifted."""
    frequencies = 10000.0 ** (-numpy.arange(0, D, 2) / D)
    angles = distances[:, None] * frequencies
    r = lib.array(numpy.concatenate([numpy.sin(angles), numpy.cos(angles)], -1), q_dtype(q))
    keys = lib.heads(r @ given["w-kr"].T)
    scores = lib.products(q + given["u"][:, None], k)
    by_distance = lib.products(q + given["v"][:, None], keys)
    rows = len(distances)
    padded = lib.concatenate([lib.zeros(HEADS, TOKENS, 1, like=q), by_distance])
    shifted = padded.reshape(HEADS, rows + 1, TOKENS)[:, 1:].reshape(HEADS, TOKENS, rows)
    scores += shifted[..., :TOKENS]
    scores /= HEAD_DIM**0.5
    return scores


def transformer_xl(lib, given, q, k, v):
    scores = xl_scores(lib, given, q, k, positions()[::-1])
    mask = lib.index(positions() > positions()[:, None])
    return lib.mix(lib.softmax(lib.hide(scores, mask)), v)


def xlnet(lib, given, q, k, v):
    distances = numpy.arange(TOKENS - 1, -TOKENS, -1)
    return lib.mix(lib.softmax(xl_scores(lib, given, q, k, distances)), v)


def t5(lib, given, q, k, v):
    offsets = positions() - positions()[:, None]
    exact, distances = BUCKETS // 4, numpy.abs(offsets)
    far = numpy.log(numpy.maximum(distances, 1) / exact) / numpy.log(128 / exact) * exact
    buckets = numpy.where(distances < exact, distances,
                          numpy.minimum(exact + far.astype(int), 2 * exact - 1))
    buckets += (offsets > 0) * (BUCKETS // 2)
    scores = lib.products(q, k)
    scores += lib.by_head(given["bias-table"][lib.index(buckets)])
    return lib.mix(lib.softmax(scores), v)


def swin(lib, given, q, k, v):
    y, x = positions() // WINDOW, positions() % WINDOW
    rows = (y[:, None] - y + WINDOW - 1) * (2 * WINDOW - 1) + x[:, None] - x + WINDOW - 1
    scores = lib.products(q / HEAD_DIM**0.5, k)
    scores += lib.by_head(given["bias-table"][lib.index(rows)])
    return lib.mix(lib.softmax(scores), v)


def q_dtype(q):
    return str(q.dtype).removeprefix("torch.")


def rope(lib, given, q, k, v):
    angles = positions()[:, None] * 10000.0 ** (-numpy.arange(0, HEAD_DIM, 2) / HEAD_DIM)
    cos, sin = (lib.array(f(angles), q_dtype(q)) for f in (numpy.cos, numpy.sin))
    half = HEAD_DIM // 2

    def turned(x):
        a, b = x[..., :half], x[..., half:]
        return lib.concatenate([a * cos - b * sin, a * sin + b * cos])

    scores = lib.products(turned(q) / HEAD_DIM**0.5, turned(k))
    return lib.mix(lib.softmax(scores), v)


def alibi(lib, given, q, k, v):
    slopes = 2.0 ** (-8 * numpy.arange(1, HEADS + 1) / HEADS)
    offsets = (positions() - positions()[:, None]).astype(q_dtype(q))
    scores = lib.products(q / HEAD_DIM**0.5, k)
    for head in range(HEADS):
        scores[head] += lib.array(slopes[head] * offsets, q_dtype(q))
    return lib.mix(lib.softmax(scores), v)


FUNCTIONS = {"shaw": shaw, "transformer-xl": transformer_xl, "xlnet": xlnet, "t5": t5,
             "alibi": alibi, "swin": swin, "rope": rope}
LIBRARIES = {"numpy": NumPy, "numpy.einsum": Einsum, "torch": Torch}


def run_peer(mechanism, library, dtype, folder, result=""):
    lib = LIBRARIES[library]()
    given = {n: lib.load(path, dtype) for n, path in files_for(mechanism, folder).items()}
    begin = time.perf_counter()
    q, k, v = (lib.heads(given["x"] @ given[name].T) for name in ("wq", "wk", "wv"))
    z = FUNCTIONS[mechanism](lib, given, q, k, v)
    print(time.perf_counter() - begin)
    if result:
        numpy.save(result, numpy.asarray(z))


def our_command(program, mechanism, folder, output):
    command = [program, "attention", mechanism, "--heads", str(HEADS), "--table", "z", "--quiet"]
    command += MECHANISMS[mechanism][1]
    for name, path in files_for(mechanism, folder).items():
        command += ["--" + name, path]
    return command + ["--npy", output]


def measured(command):
    """Seconds of the whole process, what it prints, and its largest resident set in MiB."""
    begin = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    printed = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        raise RuntimeError(f"{command}: status {status}")
    return time.perf_counter() - begin, printed, usage.ru_maxrss / 1024


def medians(turns):
    return statistics.median(t for t, _ in turns), statistics.median(m for _, m in turns)


def largest_difference(program, mechanism, folder):
    ours, theirs = os.path.join(folder, "ours.npy"), os.path.join(folder, "theirs.npy")
    measured(our_command(program, mechanism, folder, ours))
    measured([sys.executable, __file__, "--peer", mechanism, "numpy", "float64", folder, theirs])
    return numpy.abs(numpy.load(ours) - numpy.load(theirs)).max()


def compare_mechanism(program, mechanism, peers, folder):
    ours, theirs = [], {peer: [] for peer in peers}
    for turn in range(TURNS):
        seconds, _, mebibytes = measured(our_command(program, mechanism, folder, "/dev/null"))
        ours.append((seconds, mebibytes))
        for peer in peers:
            if peer[0] == "numpy.einsum" and turn > 0:
                continue  # half a minute
            _, printed, mebibytes = measured(
                [sys.executable, __file__, "--peer", mechanism, *peer, folder])
            theirs[peer].append((float(printed), mebibytes))
    own, memory = medians(ours)
    cells = [mechanism, f"{own:.2f} s, {memory:.0f} MiB"]
    for peer in peers:
        seconds, mebibytes = medians(theirs[peer])
        cells.append(f"{seconds:.2f} s, {mebibytes:.0f} MiB, {seconds / own:.1f}")
    cells.append(f"{largest_difference(program, mechanism, folder):.1e}")
    print("| " + " | ".join(cells) + " |", flush=True)


def compare(program):
    peers = [peer for peer in PEERS if importlib.util.find_spec(peer[0].split(".")[0])]
    titles = [f"{library} {dtype}, ratio" for library, dtype in peers]
    print(f"attention, {TOKENS} tokens, {HEADS} heads of {HEAD_DIM} channels: z; ours in float64")
    print()
    print("| " + " | ".join(["mechanism", "ours", *titles, "largest difference to numpy"]) + " |")
    print("|---|" + "--:|" * (len(peers) + 2))
    with tempfile.TemporaryDirectory() as folder:
        for name, values in make_inputs().items():
            numpy.save(os.path.join(folder, name + ".npy"), values)
        for mechanism in MECHANISMS:
            compare_mechanism(program, mechanism, peers, folder)


def main():
    if sys.argv[1] == "--peer":
        run_peer(*sys.argv[2:])
    else:
        compare(sys.argv[1])


if __name__ == "__main__":
    main()
