"""Calls of Python as words of pe-gen's command line, and arrays as files in memory."""

from __future__ import annotations

import enum
import fcntl
import json
import operator
import os
import re
import shlex
import sys
from typing import IO, TYPE_CHECKING, Any, Callable, Iterable, Mapping, Optional, Sequence, Union

import numpy

if TYPE_CHECKING:
    from numpy.typing import NDArray  # takes 7 ms

Path = Union[str, bytes, "os.PathLike[str]", "os.PathLike[bytes]"]
#: A flag, a number, a text, a path, a list, an array of any library, or None. As --config also a
#: dict, or the configuration object of a model.
Option = Any

#: The formats of files, as `pe-gen list formats` has them.
FORMATS = ("npy", "npz", "safetensors", "json", "csv", "text", "png", "svg", "pdf", "html")
#: Options with which a command makes no table, and those with which it writes or shows one.
_ASKING = {"dry-run", "version", "V", "help", "h"}
_WRITING = {*FORMATS, "o", "output", "emit", "show"}
#: Options that are HEIGHTxWIDTH, or WIDTHxHEIGHT.
_SIZES = {"--figsize", "--from", "--show-cell", "--show-size", "--to"}


class Command:
    """Words of the command line, and the files in memory that they name while this object lives."""

    def __init__(self, command: str, words: Iterable[str] = (),
                 options: Mapping[str, Option] = {}) -> None:
        if not isinstance(command, str):
            raise TypeError(f"the name is a text, not {type(command).__name__}")
        self.files: dict[IO[bytes], str] = {}  #: what each file is called in messages
        self.input: Optional[IO[bytes]] = None  #: what "-" among the words is
        try:
            self.words = shlex.split(command)
        except ValueError as error:
            raise ValueError(f"the command {command!r}: {error}") from None
        if self.words[:1] == ["pe-gen"]:  # as reports have it
            del self.words[0]
        self.append(*words)
        self.set(options)

    def __del__(self) -> None:
        for file in getattr(self, "files", {}):
            file.close()

    def append(self, *words: str) -> None:
        """Appends words as one types them."""
        for word in words:
            if not isinstance(word, str):
                raise TypeError(f"{word!r}: a word is a text; options are keyword arguments, "
                                "such as d=128")
            self.words.append(word)

    def set(self, options: Mapping[str, Option]) -> None:
        """Appends options. True and False switch a flag, None leaves an option out."""
        for name, value in options.items():
            option = "--" + name.rstrip("_").replace("_", "-")
            if value is None:
                continue
            text = self._value(option, value)
            # A word of Linux ends at 128 KiB, which only positions reach.
            if option == "--positions" and len(text) > 1 << 16:
                option, text = "--positions-file", self.add("positions", value)
            self.words.append(option + "=" + text)

    def add(self, name: str, value: Any) -> str:
        """Returns the word for a file, if `value` is a path, or for an array, which becomes one."""
        if isinstance(value, (str, bytes, os.PathLike)):
            path = os.fsdecode(value)
            return "./" + path if path.startswith("-") else path  # else it is an option
        array = as_array(name, value)
        if array.dtype.kind == "V" and array.dtype.names is None:
            array = array.view(f"V{array.dtype.itemsize}")  # ml_dtypes' bfloat16 is V2 in files
        return self.memory_file(name, lambda file: numpy.save(file, array, allow_pickle=False))

    def memory_file(self, name: str, write: Callable[[IO[bytes]], Any]) -> str:
        """Returns the path of a new file in memory, which write(file) fills."""
        file = new_file(name)
        self.files[file] = name
        try:
            write(file)
            file.flush()
        except OSError as error:
            raise MemoryError(f"{name}: {error.strerror}") from None
        return f"/dev/fd/{file.fileno()}"

    def extended(self, *options: str) -> list[str]:
        """Returns the words with options of the command itself, which "--" ends."""
        end = self.words.index("--") if "--" in self.words else len(self.words)
        return [*self.words[:end], *options, *self.words[end:]]

    def readable(self, text: str) -> str:
        """Returns a message with the names of arrays in the place of the paths of memory files."""
        for file, name in self.files.items():
            text = re.sub(rf"/dev/fd/{file.fileno()}(?!\d)", name.replace("\\", r"\\"), text)
        return text

    def refuse_outputs(self, may_write: bool = False) -> None:
        """Raises ValueError for words that ask for something else than what the call returns."""
        refused = _ASKING if may_write else _ASKING | _WRITING
        for word in self.words:
            name = word.lstrip("-").partition("=")[0].replace("_", "-")
            short = word[1:].lstrip("q")[:1] if word[:2] != "--" else ""  # -oFILE, -qo FILE
            if word.startswith("-") and (name in refused or short in refused):
                raise ValueError(f"{word}: a table writes and shows nothing; use posenc.file, "
                                 "posenc.save or Figure.show")

    def _value(self, option: str, value: Option) -> str:
        if option == "--dtype":
            return _dtype(option, value)
        if isinstance(value, (str, bytes, os.PathLike)):
            return os.fsdecode(value)
        if option == "--config":
            return self.memory_file("config", lambda file: file.write(_configuration(value)))
        takes_arrays = self.words[:1] in (["apply"], ["attention"])
        if is_array(value) and (option.endswith("-file") or
                                takes_arrays and as_array(option, value).ndim > 1):
            return self.add(option.lstrip("-"), value)
        return _text_of(option, value)


def new_file(name: str) -> IO[bytes]:
    """Returns an empty file without a name: in memory, if the system has such."""
    if hasattr(os, "memfd_create"):
        made = os.memfd_create(name)
        # Not 0, 1 or 2, which a program that closed them leaves free, and a child has for its own.
        descriptor = fcntl.fcntl(made, fcntl.F_DUPFD_CLOEXEC, 3)
        os.close(made)
        return open(descriptor, "w+b")
    import tempfile  # takes 4 ms
    return tempfile.TemporaryFile()


def encoded(words: Iterable[str]) -> list[bytes]:
    """Returns words as the program and the library take them."""
    for word in words:
        if "\0" in word:
            raise ValueError(f"{word!r}: has a null character")
    try:
        return [word.encode("utf-8", "surrogateescape") for word in words]
    except UnicodeEncodeError as error:
        raise ValueError(f"{error.object!r}: has a character that no text has") from None


def is_array(value: Any) -> bool:
    """True for what NumPy, PyTorch, JAX and others call an array, and for buffers."""
    return hasattr(value, "__array__") or hasattr(value, "__dlpack__") or isinstance(
        value, (memoryview, bytearray)) or type(value).__module__ == "array"


def as_array(name: str, value: Any) -> NDArray[Any]:
    """Returns an array of any library, or nested lists of numbers, as NumPy's.

    bfloat16 becomes the type of the package ml_dtypes, or V2, as in numpy.load.
    """
    if isinstance(value, (str, bytes)):
        raise TypeError(f"{name}: is a text, not an array")
    try:
        if hasattr(value, "detach") and hasattr(value, "cpu"):  # PyTorch's
            value = value.detach().cpu()
            if str(value.dtype) == "torch.bfloat16":
                bits = value.contiguous().view(sys.modules["torch"].int16).numpy()
                return bits.view(numpy_dtype("bfloat16"))  # type: ignore[no-any-return]
        has_array = hasattr(value, "__array__") or not hasattr(value, "__dlpack__")
        array = numpy.asarray(value) if has_array else numpy.from_dlpack(value)
    except MemoryError:
        raise
    except Exception as error:  # another library's code raises what it likes
        raise TypeError(f"{name}: {error}") from None
    if array.dtype.kind in "OUSMm" or array.dtype.hasobject:
        raise TypeError(f"{name}: {type(value).__name__} of {array.dtype} is no array of numbers")
    if numpy.ma.is_masked(value):  # type: ignore[no-untyped-call]
        raise TypeError(f"{name}: has masked values; fill them")
    return array


def as_floats(array: NDArray[Any]) -> NDArray[Any]:
    """Returns bfloat16, which is V2 without the package ml_dtypes, as float32; others as they are."""
    if array.dtype.kind != "V":
        return array
    bits = array.reshape(-1).view(numpy.uint16).astype(numpy.uint32)
    return (bits << 16).view(numpy.float32).reshape(array.shape)


def numpy_dtype(name: str) -> numpy.dtype[Any]:
    """Returns the type that pe-gen calls so."""
    if name != "bfloat16":
        return numpy.dtype(name)
    try:
        import ml_dtypes  # type: ignore[import]
    except ImportError:
        return numpy.dtype("V2")
    return numpy.dtype(ml_dtypes.bfloat16)


def _configuration(value: Any) -> bytes:
    """Returns the configuration of a model, a dict or an object, as JSON."""
    settings = value.to_dict() if hasattr(value, "to_dict") else value
    if not isinstance(settings, Mapping):
        settings = getattr(settings, "__dict__", None)
    if settings is None:
        raise TypeError(f"config: {type(value).__name__} is neither a path nor a dict, and has no "
                        "to_dict()")
    # What JSON does not have, such as the dtype of a library, is no matter of positions.
    return json.dumps(dict(settings), default=str).encode()


def _dtype(option: str, value: Option) -> str:
    if isinstance(value, str):
        try:
            named = numpy.dtype(value)
        except TypeError:  # bfloat16, or a mistake
            return value
        return value if named.kind not in "fiu" else _name_of(option, named)
    if type(value).__module__ == "torch":
        return str(value).partition(".")[2]
    try:
        return _name_of(option, numpy.dtype(value))
    except TypeError:
        raise TypeError(f"{option}: {value!r} is no type of numbers") from None


def _name_of(option: str, dtype: numpy.dtype[Any]) -> str:
    if dtype.isnative:
        return dtype.name
    raise ValueError(f"{option}: {dtype.str} has another byte order than tables; ask for "
                     f"{dtype.name} and convert it")


def _text_of(option: str, value: Option) -> str:
    if isinstance(value, enum.Enum):
        value = value.value
    if is_array(value):
        value = as_floats(as_array(option, value)).tolist()
    if isinstance(value, bool):
        return "true" if value else "false"
    # By the number's own text, whatever a class derived from it makes of it.
    if isinstance(value, int):
        return int.__repr__(value)
    if isinstance(value, float):
        return float.__repr__(value)
    if hasattr(value, "__index__"):
        return str(operator.index(value))
    if isinstance(value, (str, bytes, os.PathLike)):
        return os.fsdecode(value)
    if not isinstance(value, Sequence):
        raise TypeError(f"{option}: {type(value).__name__} is neither a number, a text nor a list")
    for item in value:
        if isinstance(item, (Sequence, numpy.ndarray)) and not isinstance(item, (str, bytes)):
            raise TypeError(f"{option}: a list in a list")
    return ("x" if option in _SIZES else ",").join(_text_of(option, item) for item in value)
