"""Tables and files by the words that make them."""

from __future__ import annotations

import copy
import functools
import json
import math
import operator
import os
from typing import IO, TYPE_CHECKING, Any, Iterator, Mapping, Optional, Sequence, Union, overload

import numpy

from . import _library, _program
from ._errors import warn
from ._figures import FIGURES, Figure
from ._plan import Maker
from ._words import FORMATS, Command, Option, Path, numpy_dtype

if TYPE_CHECKING:
    from numpy.typing import NDArray  # takes 7 ms

VERSION = "0.1.0"


@functools.lru_cache(maxsize=None)
def _own_library() -> Optional[Maker]:
    library = _library.load()
    return library if library and library.version() == VERSION else None


def _maker(command: Command) -> Maker:
    """Returns what makes a table: libpegen, if it is of this version, else the program."""
    # Only the program reads standard input, and what stands behind "--", as of `concat`.
    needs_program = command.input is not None or "--" in command.words
    return (None if needs_program else _own_library()) or _program


class Table:
    """A table whose values are computed when somebody asks for them, so it may be of any size.

        >>> import posenc
        >>> table = posenc.Table("sinusoid", d=128, len=10**9)
        >>> table
        <posenc.Table: position 1000000000, channel 128, float32>
        >>> table[-2:].shape
        (2, 128)

    An array that is lazy: table[2:5], table[-1], len(table), iteration over the first axis, and
    numpy.asarray(table), which computes all of it.
    """

    shape: tuple[int, ...]
    dtype: numpy.dtype[Any]
    axes: tuple[str, ...]  #: a name for each extent: "position"
    notes: tuple[str, ...]  #: what one should know of how the table was found

    def __init__(self, command: str, *words: str, **options: Option) -> None:
        for name, value in options.items():  # the caller may change them before the next copy
            if isinstance(value, (dict, list, numpy.ndarray)):
                options[name] = copy.deepcopy(value)
        self._call = command, words, options
        self._command = Command(command, words, options)
        self._plan = _maker(self._command).plan(self._command)
        self.shape = self._plan.shape
        self.dtype = numpy_dtype(self._plan.dtype)
        self.axes = self._plan.axes
        self.notes = self._plan.notes

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return math.prod(self.shape)

    @property
    def nbytes(self) -> int:
        return self.size * self.dtype.itemsize

    def __repr__(self) -> str:
        extents = ", ".join(f"{axis} {extent}" for axis, extent in zip(self.axes, self.shape))
        return f"<posenc.Table: {extents}, {self.dtype}>"

    def __len__(self) -> int:
        return self.shape[0]

    def __reduce__(self) -> tuple[Any, ...]:
        return _table_again, self._call

    def rows(self, first: int = 0, count: Optional[int] = None) -> NDArray[Any]:
        """Returns `count` rows from row `first` on, or all of them, as an array (count, columns).

        A row is everything along the last axis. Of a table of one axis, each element is a row, and
        the array has the shape (count,).
        """
        rows = self._plan.rows
        first = operator.index(first)
        count = rows - first if count is None else operator.index(count)
        if first < 0 or count < 0 or first + count > rows:
            raise ValueError(f"rows {first} to {first + count - 1}: "
                             f"the table has rows 0 to {rows - 1}")
        if count == 0:
            return numpy.empty((0, *self.shape[1:][-1:]), self.dtype)
        return self._plan.read(first, count)

    def __getitem__(self, key: Any) -> Any:
        """Returns what an array of the values would; only rows that are needed are computed."""
        first, *others = (key if isinstance(key, tuple) else (key,)) or (...,)
        if isinstance(first, slice):
            chosen = range(*first.indices(len(self)))
            if abs(chosen.step) > 16 and chosen:
                return numpy.stack([self[number] for number in chosen])[(slice(None), *others)]
            low, last = sorted((chosen[0], chosen[-1])) if chosen else (0, -1)
            index: Any = slice(None, None, chosen.step)
        elif isinstance(first, (int, numpy.integer)) and not isinstance(first, bool):
            number = operator.index(first)
            if not -len(self) <= number < len(self):
                raise IndexError(f"index {number}: the first axis has {len(self)}")
            low = last = number % len(self)
            index = 0
        else:
            rows = numpy.asarray(None if first is ... else first)
            if rows.dtype.kind in "iu" and 0 < rows.size < len(self) / 16 and rows.ndim == 1:
                some = numpy.stack([self[number] for number in rows.tolist()])
                return some[(slice(None), *others)]
            return numpy.asarray(self)[key]
        each, count = self._plan.rows // len(self), last + 1 - low
        part = self.rows(low * each, count * each).reshape(count, *self.shape[1:])
        return part[(index, *others)]

    def __iter__(self) -> Iterator[Any]:
        block = max(1, (1 << 20) * len(self) // self.nbytes)
        for first in range(0, len(self), block):
            yield from self[first:first + block]

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> NDArray[Any]:
        if copy is False:
            raise ValueError("the values of a table are computed: there is nothing to share")
        array = self.rows().reshape(self.shape)
        return array if dtype is None else array.astype(dtype, copy=False)

    def __dlpack__(self, **options: Any) -> Any:
        return numpy.asarray(self).__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[Any, int]:
        return 1, 0  # the memory of the processor

    def figure(self, format: str = "png", **options: Option) -> Figure:
        """Returns a figure of the table: table.figure(cmap="viridis", title="mine")."""
        command, words, own = self._call
        return figure(command, *words, format=format, **{**own, **options})


def _table_again(command: str, words: Sequence[str], options: Mapping[str, Option]) -> Table:
    return Table(command, *words, **options)


@overload
def table(command: str, *words: str, table: Union[list[str], tuple[str, ...]],
          **options: Option) -> tuple[NDArray[Any], ...]: ...
@overload
def table(command: str, *words: str, table: Optional[str] = None,
          **options: Option) -> NDArray[Any]: ...
def table(command: str, *words: str, table: Any = None, **options: Option) -> Any:
    """Returns a table as an array.

        >>> import posenc
        >>> posenc.table("sinusoid", d=4, len=2)
        array([[0.        , 1.        , 0.        , 1.        ],
               [0.84147096, 0.5403023 , 0.00999983, 0.99995   ]], dtype=float32)

    With a list, table=["cos", "sin"], returns the tables of these names as a tuple. What pe-gen
    would note on standard error, such as a default it took for a model, is a warning.
    """
    if table is not None and not isinstance(table, str):
        if not all(isinstance(name, str) for name in table):
            raise TypeError(f"--table: {table!r} is no list of names")
        names = [name.replace("_", "-") for name in table]
        made = tables(command, *words, table=names, **options)
        return tuple(made[name] for name in names)
    asked = Command(command, words, {**options, "table": table})
    array, notes = _maker(asked).table(asked)
    warn(notes)
    return array


def tables(command: str, *words: str, **options: Option) -> dict[str, NDArray[Any]]:
    """Returns all tables of an encoding by their names, or some: table=["cos", "sin"].

        >>> import posenc
        >>> {name: array.shape for name, array in posenc.tables("xpos", d=8, len=3).items()}
        {'cos-q': (3, 8), 'sin-q': (3, 8), 'cos-k': (3, 8), 'sin-k': (3, 8), 'scale': (3, 4)}
    """
    asked = Command(command, words, options)
    asked.refuse_outputs()
    read, output = _program.run(asked.extended("--safetensors=-"), asked, _program.all_of)
    warn(output.notes)
    content = memoryview(bytearray(read))
    begin = 8 + int.from_bytes(content[:8], "little")
    members = json.loads(bytes(content[8:begin]))
    members.pop("__metadata__", None)
    made = {}
    for name, member in members.items():
        first, end = member["data_offsets"]
        values = numpy.frombuffer(content[begin + first:begin + end],
                                  numpy_dtype(_SAFETENSORS[member["dtype"]]))
        made[name] = values.reshape(member["shape"])
    return made


_SAFETENSORS = {"F64": "float64", "F32": "float32", "F16": "float16", "BF16": "bfloat16",
                "I64": "int64", "I32": "int32"}


def file(format: str, command: str, *words: str, **options: Option) -> bytes:
    """Returns the bytes of the file that `pe-gen COMMAND --FORMAT FILE` writes.

    The format is npy, npz, safetensors, json, csv, text, png, svg, pdf or html.
    """
    if format not in FORMATS:
        raise ValueError(f"the format {format!r}: must be one of {', '.join(FORMATS)}")
    asked = Command(command, words, options)
    return _maker(asked).file(format, asked)


def figure(command: str, *words: str, format: str = "png", **options: Option) -> Figure:
    """Returns a figure of the table: posenc.figure("whisper", d=128, len=400, title="Whisper").

    The format is png, svg or pdf. posenc.plot draws an array of yours.
    """
    if not isinstance(command, str):
        raise TypeError("figure: needs a name; posenc.plot draws an array")
    return _drawn(format, Command(command, words, options))


def plot(array: Any, *words: str, format: str = "png", **options: Option) -> Figure:
    """Returns a figure of an array, or of a file such as "model.safetensors:pos_embed".

        >>> import numpy, posenc
        >>> posenc.plot(numpy.eye(16), axes=["query", "key"])
        <posenc.Figure: png, 1000 x 800 pixels>

    The options are those of `pe-gen plot`; plot="similarity" and the like are kinds of figures.
    """
    command = Command("plot")
    path = command.add("array", array)
    if command.files:  # by standard input, so that the figure does not record the path
        command.input = next(iter(command.files))
        path, options = "-", {"title": "", **options}  # an array has no name
    command.append(path, *words)
    command.set(options)
    return _drawn(format, command)


def _drawn(format: str, command: Command) -> Figure:
    if format not in FIGURES:
        raise ValueError(f"the format {format!r}: a figure is png, svg or pdf")
    return Figure(_maker(command).file(format, command), format, command)


def save(path: Union[Path, IO[bytes]], command: str, *words: str, format: Optional[str] = None,
         **options: Option) -> None:
    """Writes a file, whose format its extension says: whole, or not at all.

    An open binary file is written to, in `format` or that of its name.
    """
    if isinstance(path, (str, bytes, os.PathLike)):
        if format is not None:
            raise TypeError("format: is for open files; the extension of a path says it")
        asked = Command(command, words, options)
        asked.refuse_outputs(may_write=True)
        _maker(asked).save(os.fsdecode(path), asked)
        return
    name = format or os.path.splitext(str(getattr(path, "name", "")))[1][1:]
    if not name:
        raise ValueError('format: must say what to write to an open file, such as format="npy"')
    path.write(file(name, command, *words, **options))
