"""The program pe-gen, run for each call: arrays go to it by files in memory, and come by a pipe."""

from __future__ import annotations

import errno
import fcntl
import json
import math
import os
import signal
import sys
from typing import IO, TYPE_CHECKING, Any, Callable, Optional, TypeVar

import numpy

from ._errors import failure
from ._plan import Plan
from ._where import program
from ._words import Command, encoded, new_file, numpy_dtype

if TYPE_CHECKING:
    from numpy.typing import NDArray  # takes 7 ms

Content = TypeVar("Content")


class Output:
    """What a run of the program has said beside its output."""

    def __init__(self, status: int, notes: tuple[str, ...]) -> None:
        self.status = status  #: 0, or 1 for "no"
        self.notes = notes


def run(words: list[str], command: Command,
        read: Callable[[IO[bytes]], Content]) -> tuple[Content, Output]:
    """Runs the program, and returns what `read` makes of its standard output.

    Raises what its status says. Ctrl-C ends it.
    """
    import subprocess  # takes 4 ms
    if signal.getsignal(signal.SIGCHLD) == signal.SIG_IGN:
        raise RuntimeError("SIGCHLD is ignored: whether pe-gen succeeds cannot be known")
    if command.input is not None:
        command.input.seek(0)
    with new_file("messages") as messages:
        try:
            process = subprocess.Popen([program(), *encoded(words)], stdout=subprocess.PIPE,
                                       stderr=messages, stdin=command.input or subprocess.DEVNULL,
                                       pass_fds=[file.fileno() for file in command.files])
        except OSError as error:
            if error.errno == errno.E2BIG:
                raise ValueError("an option is too long for a command line") from None
            raise
        assert process.stdout is not None
        content, broken = None, None
        try:
            fcntl.fcntl(process.stdout, getattr(fcntl, "F_SETPIPE_SZ", 1031), 1 << 20)
        except OSError:
            pass  # the pipe stays small, and is slower
        try:
            content = read(process.stdout)
        except (ValueError, LookupError) as error:
            broken = error  # the program has failed, or is none
        except BaseException:
            process.kill()
            raise
        finally:
            process.stdout.close()
            status = process.wait()
        messages.seek(0)
        said = command.readable(messages.read().decode(errors="replace"))
    lines = tuple(line.partition("pe-gen: ")[2] or line for line in said.splitlines())
    if status in (0, 1) and content is not None:
        return content, Output(status, lines)
    if broken and status in (0, 1):
        raise RuntimeError(f"{program()}: does not answer as pe-gen does: {broken}")
    if status < 0:
        raise RuntimeError(f"pe-gen: ended by signal {-status}")
    raise failure(status, lines[-1] if lines else f"pe-gen: status {status}")


def all_of(output: IO[bytes]) -> bytes:
    """Reads the output as bytes."""
    return output.read()


def array_of(output: IO[bytes]) -> NDArray[Any]:
    """Reads the output as an NPY file. Raises MemoryError before it reads what has no room."""
    numpy.lib.format.read_magic(output)  # type: ignore[no-untyped-call]
    shape, _, dtype = numpy.lib.format.read_array_header_1_0(output)  # type: ignore[no-untyped-call]
    array = numpy.empty(shape, numpy_dtype("bfloat16") if dtype.kind == "V" else dtype)
    unread: memoryview = array.reshape(-1).view(numpy.uint8).data
    while unread:
        count = output.readinto(unread)  # type: ignore[attr-defined]
        if not count:
            raise ValueError("the array is cut off")
        unread = unread[count:]
    return array


def json_of(command: Command) -> Callable[[IO[bytes]], Any]:
    """Returns what reads the output as JSON, with the arrays' names."""
    return lambda output: json.loads(command.readable(output.read().decode()))


def show(words: list[str], command: Command) -> None:
    """Runs the program with this process's standard output, if that is a terminal."""
    if sys.stdout.isatty():
        import subprocess  # takes 4 ms
        subprocess.run([program(), *encoded(words)], check=False, stdin=command.input,
                       pass_fds=[file.fileno() for file in command.files])
    else:
        print(run(words, command, all_of)[0].decode(), end="")


def version() -> str:
    """Returns the version of the program."""
    return run(["--version"], Command(""), all_of)[0].decode().split()[1]


#: Options of a command that its parts in `concat` cannot have.
uncut = ("--threads", "--noise", "--dropout", "--shuffle", "--crop", "--round", "--corruption")


def plan(command: Command) -> Plan:
    """Plans the table that the words ask for."""
    command.refuse_outputs()

    def facts(output: IO[bytes]) -> list[dict[str, str]]:
        lines = output.read().decode().splitlines()
        said = [line.split(maxsplit=1) for line in lines if not line.startswith(" ")]
        values = {name: [value for key, value in said if key == name] for name in ("shape", "dtype", "axes")}
        tables = [dict(zip(values, table)) for table in zip(*values.values())]
        if not tables:
            raise LookupError("no table")
        return tables

    tables, planned = run(command.extended("--dry-run"), command, facts)
    if len(tables) > 1:
        raise ValueError("--table: must be one; ask for each by itself, or use file() or save()")
    said = tables[0]
    shape = tuple(int(extent) for extent in said["shape"].strip("()").split(",") if extent.strip())
    rows_each = math.prod(shape[1:-1])
    # Whole numbers, flaws, and what is no encoding, cannot be parts of `concat`, which cuts tables.
    is_cut = (numpy_dtype(said["dtype"]).kind in "fV" and
              command.words[0] not in ("apply", "attention", "concat", "plot") and
              not any(word.startswith(uncut) for word in command.words))
    kept: Optional[NDArray[Any]] = None

    def read(first: int, count: int) -> NDArray[Any]:
        nonlocal kept
        if not is_cut:
            if kept is None:
                kept = run(command.extended("--npy=-"), command, array_of)[0]
            return kept.reshape(-1, *shape[1:][-1:])[first:first + count].copy()
        begin, end = first // rows_each, -(-(first + count) // rows_each)
        words = ["concat", f"--keep-rows={begin}:{end}", "--dtype=" + said["dtype"], "--npy=-",
                 "--", *command.words]
        part = run(words, command, array_of)[0].reshape(-1, *shape[1:][-1:])
        return part[first - begin * rows_each:][:count]

    return Plan(shape, said["dtype"], tuple(said["axes"].split(", ")), planned.notes, read)


def table(command: Command) -> tuple[NDArray[Any], tuple[str, ...]]:
    """Returns the one table that the words ask for, and notes."""
    command.refuse_outputs()
    array, output = run(command.extended("--npy=-"), command, array_of)
    return array, output.notes


def file(format: str, command: Command) -> bytes:
    """Returns the bytes of the file in this format."""
    command.refuse_outputs()
    if format != "npz":
        return run(command.extended(f"--{format}=-"), command, all_of)[0]
    import tempfile  # takes 4 ms
    with tempfile.TemporaryDirectory() as folder:  # its checksums are filled in at the end
        path = os.path.join(folder, "tables.npz")
        run(command.extended("--npz=" + path), command, all_of)
        with open(path, "rb") as written:
            return written.read()


def save(path: str, command: Command) -> None:
    """Writes a file in the format that its extension says."""
    run(command.extended("--output=" + path), command, all_of)
