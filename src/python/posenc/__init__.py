"""Position encodings of Transformers as NumPy arrays, by the name of the code base that uses them.

    >>> import posenc
    >>> posenc.table("fairseq", d=512, len=1024).shape
    (1024, 512)
    >>> posenc.figure("whisper", d=128, len=400, cmap="viridis")     # a picture, in a notebook
    >>> posenc.save("rope.npz", "rope", d=128, len=4096, table=["cos", "sin"])

A table is asked for as on the command line of pe-gen. The first argument is the name of an encoding
or a preset, or a whole command: "fairseq --d 512 --len 1024". Options are keyword arguments:
denom_shift=2 is --denom-shift 2, True and False switch a flag, a list is joined by commas, None
leaves the option out. `pe-gen list` and `pe-gen fairseq --help` have the names.

What pe-gen refuses raises ValueError with its message, a file that cannot be read or written
FileError. The values are those of `--npy`, byte for byte.

This module needs NumPy and the shared library libpegen, by pegen.h. PEGEN_LIBRARY in the environment
says where that is, if it is neither where the system looks nor beside this installation.
"""

from __future__ import annotations

import ctypes
import enum
import operator
import os
import pathlib
import shlex
import warnings
import weakref
from ctypes import POINTER, byref, c_char_p, c_int, c_int64, c_size_t, c_void_p
from typing import Any, Optional, Sequence, Union

import numpy
from numpy.typing import NDArray

__all__ = ["FileError", "Figure", "Table", "figure", "file", "save", "table", "version"]

Path = Union[str, bytes, "os.PathLike[str]", "os.PathLike[bytes]"]
Option = Union[None, bool, int, float, Path, Sequence[Any], NDArray[Any], numpy.generic,
               "numpy.dtype[Any]", type]


class FileError(OSError, ValueError):
    """A file cannot be read or written."""


class Figure(bytes):
    """The bytes of a PNG, SVG or PDF file, which notebooks show."""

    def _repr_png_(self) -> Optional[bytes]:
        return bytes(self) if self.startswith(b"\x89PNG") else None

    def _repr_svg_(self) -> Optional[str]:
        return self.decode() if self.startswith(b"<?xml") else None

    def _repr_pdf_(self) -> Optional[bytes]:
        return bytes(self) if self.startswith(b"%PDF") else None


class Table:
    """A table whose values are computed when rows are asked for, so it may be of any size.

    A row is everything along the last axis; of a table of one axis, each element is a row.
    """

    shape: tuple[int, ...]
    dtype: numpy.dtype[Any]
    axes: tuple[str, ...]  #: a name for each extent: "position"
    notes: tuple[str, ...]  #: what one should know of how the table was found

    def __init__(self, command: str, *words: str, **options: Option) -> None:
        handle = c_void_p()
        self._words = _words(command, words, options)
        _check(_library.pegen_open(*_array_of(self._words), byref(handle)))
        self._handle = handle
        # At exit, other threads may still read.
        weakref.finalize(self, _library.pegen_close, handle).atexit = False
        rank = _library.pegen_rank(handle)
        self.shape = tuple(_library.pegen_shape(handle)[:rank])
        self.dtype = _dtype_named(_library.pegen_dtype(handle).decode())
        self.axes = tuple(_library.pegen_axis(handle, axis).decode() for axis in range(rank))
        self.notes = tuple(_library.pegen_notes(handle).decode().splitlines())

    def __repr__(self) -> str:
        extents = ", ".join(f"{axis} {extent}" for axis, extent in zip(self.axes, self.shape))
        return f"<posenc.Table: {extents}, {self.dtype}>"

    def __len__(self) -> int:
        return self.shape[0]

    def __reduce__(self) -> tuple[Any, ...]:
        return Table, (shlex.join(self._words),)

    def rows(self, first: int = 0, count: Optional[int] = None) -> NDArray[Any]:
        """Returns `count` rows from row `first` on, or all of them, as an array (count, columns).

        Of a table of one axis, returns an array (count,).
        """
        rows = _library.pegen_rows(self._handle)
        first = operator.index(first)
        count = rows - first if count is None else operator.index(count)
        if first < 0 or count < 0 or first + count > rows:
            raise ValueError(f"rows {first} to {first + count - 1}: the table has rows 0 to {rows - 1}")
        array = numpy.empty((count, *self.shape[1:][-1:]), self.dtype)
        _check(_library.pegen_read_rows(self._handle, first, count, array.ctypes.data,
                                        array.nbytes))
        return array

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> NDArray[Any]:
        if copy is False:
            raise ValueError("the values of a table are computed: there is nothing to share")
        array = self.rows().reshape(self.shape)
        return array if dtype is None else array.astype(dtype, copy=False)


def table(command: str, *words: str, **options: Option) -> NDArray[Any]:
    """Returns the table as an array: posenc.table("fairseq", d=512, len=1024).

    What pe-gen would note on standard error, such as a default it took for a model, is a warning.
    """
    planned = Table(command, *words, **options)
    for note in planned.notes:
        warnings.warn(note, stacklevel=2)
    return numpy.asarray(planned)


def file(format: str, command: str, *words: str, **options: Option) -> bytes:
    """Returns the bytes of the file that `pe-gen COMMAND --FORMAT FILE` writes.

    The format is npy, npz, safetensors, json, csv, text, png, svg or pdf.
    """
    content, size = c_void_p(), c_size_t()
    _check(_library.pegen_file(*_array_of(_words(command, words, options)), _text(format),
                               byref(content), byref(size)))
    try:
        return ctypes.string_at(content, size.value)
    finally:
        _library.pegen_free(content)


def figure(command: str, *words: str, format: str = "png", **options: Option) -> Figure:
    """Returns a figure of the table: posenc.figure("whisper", d=128, len=400, title="Whisper").

    The format is png, svg or pdf.
    """
    if format not in ("png", "svg", "pdf"):
        raise ValueError(f"the format {format!r}: a figure is png, svg or pdf")
    return Figure(file(format, command, *words, **options))


def save(path: Path, command: str, *words: str, **options: Option) -> None:
    """Writes a file, whose format its extension says: whole, or not at all."""
    _check(_library.pegen_save(*_array_of(_words(command, words, options)),
                               _text(os.fsdecode(path))))


def version() -> str:
    """Returns the version of the library."""
    text: bytes = _library.pegen_version()
    return text.decode()


def _load() -> ctypes.CDLL:
    name = "libpegen.so.0"
    places = [os.environ.get("PEGEN_LIBRARY", "")]
    if not places[0]:
        beside = [folder / name for folder in pathlib.Path(__file__).resolve().parents]
        beside += [path for folder in beside for path in folder.parent.glob(f"*-linux-*/{name}")]
        places = [str(path) for path in beside if path.is_file()] + [name]
    failure = None
    for place in places:
        try:
            library = ctypes.CDLL(place)
            _declare(library)
            return library
        except (OSError, AttributeError) as error:
            failure = error
    raise ImportError(f"{failure}; install libpegen, or set PEGEN_LIBRARY to its path")


def _declare(library: ctypes.CDLL) -> None:
    words = [POINTER(c_char_p), c_size_t]
    for name, result, arguments in [
        ("version", c_char_p, []),
        ("message", c_char_p, []),
        ("open", c_int, [*words, POINTER(c_void_p)]),
        ("close", None, [c_void_p]),
        ("dtype", c_char_p, [c_void_p]),
        ("rank", c_size_t, [c_void_p]),
        ("shape", POINTER(c_int64), [c_void_p]),
        ("axis", c_char_p, [c_void_p, c_size_t]),
        ("rows", c_int64, [c_void_p]),
        ("row_bytes", c_int64, [c_void_p]),
        ("notes", c_char_p, [c_void_p]),
        ("read_rows", c_int, [c_void_p, c_int64, c_int64, c_void_p, c_size_t]),
        ("file", c_int, [*words, c_char_p, POINTER(c_void_p), POINTER(c_size_t)]),
        ("free", None, [c_void_p]),
        ("save", c_int, [*words, c_char_p]),
    ]:
        function = getattr(library, f"pegen_{name}")
        function.restype = result
        function.argtypes = arguments


_library = _load()

_FAILURES: dict[int, type[Exception]] = {
    2: ValueError,
    3: ValueError,
    4: FileError,
    5: MemoryError,
    70: RuntimeError,
}


def _check(status: int) -> None:
    if status:
        raise _FAILURES[status](_library.pegen_message().decode(errors="replace"))


def _text(text: str) -> bytes:
    content = text.encode("utf-8", "surrogateescape")
    if b"\0" in content:
        raise ValueError(f"{text!r}: has a null character")
    return content


def _name_of(option: str, dtype: numpy.dtype[Any]) -> str:
    if dtype.isnative:
        return dtype.name
    raise ValueError(f"{option}: {dtype.str} has another byte order than tables; ask for "
                     f"{dtype.name} and convert it")


def _value(option: str, value: Option) -> str:
    if option == "--dtype" and isinstance(value, str):
        try:
            named = numpy.dtype(value)
        except TypeError:  # bfloat16, or a mistake
            return value
        return value if named.kind not in "fiu" else _name_of(option, named)
    if isinstance(value, (numpy.dtype, type)):
        return _name_of(option, numpy.dtype(value))
    if isinstance(value, enum.Enum):
        value = value.value
    if isinstance(value, (numpy.ndarray, numpy.generic)):
        value = value.tolist()
    if isinstance(value, bool):
        return "true" if value else "false"
    for number in (int, float):
        if isinstance(value, number):
            return number.__repr__(value)  # whatever a class of one's own makes of it
    if isinstance(value, (str, bytes, os.PathLike)):
        return os.fsdecode(value)
    if not isinstance(value, Sequence) or isinstance(value, bytearray):
        raise TypeError(f"{option}: {type(value).__name__} is neither a number, a text nor a list")
    for item in value:
        if isinstance(item, (Sequence, numpy.ndarray)) and not isinstance(item, (str, bytes)):
            raise TypeError(f"{option}: a list in a list")
    return ",".join(_value(option, item) for item in value)


def _words(command: str, words: Sequence[str], options: dict[str, Option]) -> list[str]:
    if not isinstance(command, str):
        raise TypeError(f"the name is a text, not {type(command).__name__}")
    for word in words:
        if not isinstance(word, str):
            raise TypeError(f"{word!r}: a word is a text; options are keyword arguments")
    try:
        result = [*shlex.split(command), *words]
    except ValueError as error:
        raise ValueError(f"the command {command!r}: {error}") from None
    for name, value in options.items():
        option = "--" + name.rstrip("_").replace("_", "-")
        if value is not None:
            result.append(option + "=" + _value(option, value))
    return result


def _array_of(words: list[str]) -> tuple[Any, int]:
    return (c_char_p * len(words))(*map(_text, words)), len(words)


def _dtype_named(name: str) -> numpy.dtype[Any]:
    if name != "bfloat16":
        return numpy.dtype(name)
    try:
        import ml_dtypes  # type: ignore[import]
    except ImportError:
        return numpy.dtype("V2")  # as numpy.load has it
    return numpy.dtype(ml_dtypes.bfloat16)
