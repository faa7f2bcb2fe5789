"""The program pe-gen, run for each call. Arrays come from it and go to it by files in memory."""

from __future__ import annotations

import io
import json
import math
import mmap
import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING, Any, Optional

import numpy

from ._errors import failure
from ._plan import Plan
from ._where import program
from ._words import Command, new_file, numpy_dtype

if TYPE_CHECKING:
    from numpy.typing import NDArray  # takes 7 ms

#: The formats of files, as `pe-gen list formats` has them.
FORMATS = ("npy", "npz", "safetensors", "json", "csv", "text", "png", "svg", "pdf", "html")
#: Options with which a command writes or shows something else than what is asked for here.
OUTPUTS = frozenset(FORMATS) | {"o", "output", "emit", "show", "dry-run", "version", "V", "help",
                                "h"}


class Output:
    """What a run of the program has printed."""

    def __init__(self, descriptor: int, status: int, notes: tuple[str, ...]) -> None:
        self.status = status  #: 0, or 1 for "no"
        self.notes = notes
        self._descriptor = descriptor

    def __del__(self) -> None:
        os.close(self._descriptor)

    def content(self) -> memoryview:
        """Returns the bytes, which may be written to; not copied if they are many."""
        size = os.fstat(self._descriptor).st_size
        if size < 1 << 16:
            return memoryview(bytearray(os.pread(self._descriptor, size, 0)))
        return memoryview(mmap.mmap(self._descriptor, size))

    def json(self, command: Command) -> Any:
        return json.loads(command.readable(bytes(self.content()).decode()))


def run(words: list[str], command: Command) -> Output:
    """Runs the program. Raises what its status says; Ctrl-C ends it."""
    output = new_file("output")
    try:
        done = subprocess.run([program(), *words], stdin=subprocess.DEVNULL, stdout=output,
                              stderr=subprocess.PIPE, pass_fds=tuple(command.files))
    except BaseException:
        os.close(output)
        raise
    said = command.readable(done.stderr.decode(errors="replace"))
    lines = tuple(line.partition("pe-gen: ")[2] or line for line in said.splitlines())
    result = Output(output, done.returncode, lines)
    if done.returncode in (0, 1):
        return result
    if done.returncode < 0:
        raise RuntimeError(f"pe-gen: ended by {signal.Signals(-done.returncode).name}")
    raise failure(done.returncode, lines[-1] if lines else f"status {done.returncode}")


def show(words: list[str], command: Command) -> None:
    """Runs the program with this process's standard output, if that is a terminal."""
    if sys.stdout.isatty():
        subprocess.run([program(), *words], pass_fds=tuple(command.files), check=False)
    else:
        print(bytes(run(words, command).content()).decode(), end="")


def version() -> str:
    """Returns the version of the program."""
    return bytes(run(["--version"], Command("")).content()).decode().split()[-1]


def plan(command: Command) -> Plan:
    """Plans the table that the words ask for."""
    _refuse_outputs(command)
    planned = run(command.extended("--dry-run"), command)
    said = dict(line.split(maxsplit=1) for line in bytes(planned.content()).decode().splitlines()
                if line.startswith(("shape ", "dtype ", "axes ")))
    shape = tuple(int(extent) for extent in said["shape"].strip("()").split(",") if extent.strip())
    rows_each = math.prod(shape[1:-1])
    # Whole numbers, and what is no encoding, cannot be parts of `concat`, which cuts tables.
    is_cut = (numpy_dtype(said["dtype"]).kind in "fV" and
              command.words[0] not in ("attention", "concat", "plot") and
              not any(word.startswith("--threads") for word in command.words))
    kept: Optional[NDArray[Any]] = None

    def read(first: int, count: int) -> NDArray[Any]:
        nonlocal kept
        begin, end = 0, shape[0]
        if is_cut and 0 < count < shape[0] * rows_each:
            begin, end = first // rows_each, -(-(first + count) // rows_each)
            array = _array_of(["concat", f"--keep-rows={begin}:{end}", "--dtype=" + said["dtype"],
                               "--npy=-", "--", *command.words], command)
        else:
            array = kept if kept is not None else _array_of(command.extended("--npy=-"), command)
            kept = None if is_cut else array
        rows = array.reshape(-1, *shape[1:][-1:])
        return rows[first - begin * rows_each:][:count]

    return Plan(shape, said["dtype"], tuple(said["axes"].split(", ")), planned.notes, read)


def table(command: Command) -> tuple[NDArray[Any], tuple[str, ...]]:
    """Returns the one table that the words ask for, and notes."""
    _refuse_outputs(command)
    output = run(command.extended("--npy=-"), command)
    return array_in_npy(output.content()), output.notes


def file(format: str, command: Command) -> bytes:
    """Returns the bytes of the file in this format."""
    _refuse_outputs(command)
    if format != "npz":
        return bytes(run(command.extended(f"--{format}=-"), command).content())
    import tempfile  # takes 4 ms
    with tempfile.TemporaryDirectory() as folder:  # its checksums are filled in at the end
        path = os.path.join(folder, "tables.npz")
        run(command.extended("--npz=" + path), command)
        with open(path, "rb") as written:
            return written.read()


def save(path: str, command: Command) -> None:
    """Writes a file in the format that its extension says."""
    run(command.extended("--output=" + path), command)


def array_in_npy(content: memoryview) -> NDArray[Any]:
    """Returns the array of an NPY file, in the memory of the file."""
    head = io.BytesIO(content[:1 << 16])
    numpy.lib.format.read_magic(head)  # type: ignore[no-untyped-call]
    shape, _, dtype = numpy.lib.format.read_array_header_1_0(head)  # type: ignore[no-untyped-call]
    if dtype.kind == "V":
        dtype = numpy_dtype("bfloat16")
    return numpy.frombuffer(content, dtype, offset=head.tell()).reshape(shape)


def _array_of(words: list[str], command: Command) -> NDArray[Any]:
    return array_in_npy(run(words, command).content())


def _refuse_outputs(command: Command) -> None:
    for word in command.words:
        if word.startswith("-") and word.lstrip("-").partition("=")[0] in OUTPUTS:
            raise ValueError(f"{word}: writes or shows something; use posenc.file or posenc.save")
