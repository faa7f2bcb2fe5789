"""Calls of Python as words of pe-gen's command line, and arrays as files in memory."""

from __future__ import annotations

import enum
import json
import operator
import os
import shlex
import sys
from typing import TYPE_CHECKING, Any, Iterable, Mapping, Optional, Sequence, Union

import numpy

if TYPE_CHECKING:
    from numpy.typing import NDArray  # takes 7 ms

Path = Union[str, bytes, "os.PathLike[str]", "os.PathLike[bytes]"]
#: A flag, a number, a text, a path, a list, an array of any library, or None. As --config also a
#: dict, or the configuration object of a model.
Option = Any


class Command:
    """Words of the command line, and the files in memory that they name while this object lives."""

    def __init__(self, command: str, words: Iterable[str] = (),
                 options: Mapping[str, Option] = {}) -> None:
        if not isinstance(command, str):
            raise TypeError(f"the name is a text, not {type(command).__name__}")
        self.files: dict[int, str] = {}  #: what each open file is called in messages
        try:
            self.words = shlex.split(command)
        except ValueError as error:
            raise ValueError(f"the command {command!r}: {error}") from None
        for word in words:
            if not isinstance(word, str):
                raise TypeError(f"{word!r}: a word is a text; options are keyword arguments, "
                                "such as d=128")
            self.words.append(word)
        self.set(options)
        for word in self.words:
            if "\0" in word:
                raise ValueError(f"{word!r}: has a null character")

    def __del__(self) -> None:
        for descriptor in getattr(self, "files", {}):
            os.close(descriptor)

    def set(self, options: Mapping[str, Option]) -> None:
        """Appends options. True and False switch a flag, None leaves an option out."""
        for name, value in options.items():
            option = "--" + name.rstrip("_").replace("_", "-")
            if value is not None:
                self.words.append(option + "=" + self._value(option, value))

    def add(self, name: str, value: Any) -> str:
        """Returns the word for a file, if `value` is a path, or for an array, which becomes one."""
        if isinstance(value, (str, bytes, os.PathLike)):
            return os.fsdecode(value)
        return self.memory_file(name, lambda file: _write_npy(file, name, as_array(name, value)))

    def memory_file(self, name: str, write: Any) -> str:
        """Returns the path of a new file in memory, which write(file) fills."""
        descriptor = new_file(name)
        self.files[descriptor] = name
        with open(descriptor, "wb", closefd=False) as file:
            write(file)
        return f"/dev/fd/{descriptor}"

    def extended(self, *options: str) -> list[str]:
        """Returns the words with options of the command itself, which "--" ends."""
        end = self.words.index("--") if "--" in self.words else len(self.words)
        return [*self.words[:end], *options, *self.words[end:]]

    def readable(self, text: str) -> str:
        """Returns a message with the names of arrays in the place of the paths of memory files."""
        for descriptor in sorted(self.files, reverse=True):  # /dev/fd/12 before /dev/fd/1
            text = text.replace(f"/dev/fd/{descriptor}", self.files[descriptor])
        return text

    def _value(self, option: str, value: Option) -> str:
        if option == "--dtype":
            return _dtype(option, value)
        if option == "--config" and not isinstance(value, (str, bytes, os.PathLike)):
            settings = value.to_dict() if hasattr(value, "to_dict") else value
            try:
                text = json.dumps(settings).encode()
            except (TypeError, ValueError) as error:
                raise TypeError(f"config: {error}") from None
            return self.memory_file("config", lambda file: file.write(text))
        if isinstance(value, (str, bytes, os.PathLike)):
            return os.fsdecode(value)
        takes_arrays = self.words[0] in ("apply", "attention")
        if is_array(value) and (option.endswith("-file") or
                                takes_arrays and as_array(option, value).ndim > 1):
            return self.add(option.lstrip("-"), value)
        return _text_of(option, value)


def new_file(name: str) -> int:
    """Returns the descriptor of an empty file without a name: in memory, if the system has such."""
    if hasattr(os, "memfd_create"):
        return os.memfd_create(name)
    import tempfile  # takes 4 ms
    descriptor, path = tempfile.mkstemp()
    os.unlink(path)
    return descriptor


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
    if hasattr(value, "detach"):  # PyTorch's, which may ask for gradients, or be on a graphics card
        value = value.detach().cpu()
        if str(value.dtype) == "torch.bfloat16":
            bits = value.contiguous().view(sys.modules["torch"].int16).numpy()
            return bits.view(numpy_dtype("bfloat16"))  # type: ignore[no-any-return]
    try:
        has_array = hasattr(value, "__array__") or not hasattr(value, "__dlpack__")
        array = numpy.asarray(value) if has_array else numpy.from_dlpack(value)
    except (TypeError, ValueError, RuntimeError, BufferError) as error:
        raise TypeError(f"{name}: {error}") from None
    if array.dtype.kind in "OUSMm":
        raise TypeError(f"{name}: {type(value).__name__} of {array.dtype} is no array of numbers")
    return array


def numpy_dtype(name: str) -> numpy.dtype[Any]:
    """Returns the type that pe-gen calls so."""
    if name != "bfloat16":
        return numpy.dtype(name)
    try:
        import ml_dtypes  # type: ignore[import]
    except ImportError:
        return numpy.dtype("V2")
    return numpy.dtype(ml_dtypes.bfloat16)


def _write_npy(file: Any, name: str, array: NDArray[Any]) -> None:
    if array.dtype.kind == "V" and array.dtype.names is None:
        array = array.view(f"V{array.dtype.itemsize}")  # ml_dtypes' bfloat16 has no name in files
    numpy.save(file, array, allow_pickle=False)


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
        value = as_array(option, value).tolist()
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
    return ",".join(_text_of(option, item) for item in value)
