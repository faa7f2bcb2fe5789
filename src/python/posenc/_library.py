"""The shared library libpegen, by pegen.h: tables and files without a process of their own."""

from __future__ import annotations

import ctypes
import os
import pathlib
import weakref
from ctypes import POINTER, byref, c_char_p, c_int, c_int64, c_size_t, c_void_p
from typing import TYPE_CHECKING, Any, Optional

import numpy

from ._errors import failure
from ._plan import Plan
from ._words import Command, encoded, numpy_dtype

if TYPE_CHECKING:
    from numpy.typing import NDArray  # takes 7 ms


def load() -> Optional[Library]:
    """Returns libpegen: that of PEGEN_LIBRARY, of this module's installation, or the system's.

    Returns None if there is none, or PEGEN_LIBRARY is empty. Raises ImportError if PEGEN_LIBRARY
    names another file.
    """
    name = "libpegen.so.0"
    named = os.environ.get("PEGEN_LIBRARY")
    if named == "":
        return None
    if named is not None:
        try:
            return Library(ctypes.CDLL(named))
        except (OSError, AttributeError) as error:
            raise ImportError(f"PEGEN_LIBRARY {named}: {error}") from None
    # PREFIX/lib/python3.11/dist-packages/posenc/_library.py
    beside = [path for folder in list(pathlib.Path(__file__).resolve().parents)[3:4]
              if folder.name == "lib"
              for path in [folder / name, *folder.glob(f"*-linux-*/{name}")] if path.is_file()]
    for place in [*map(str, beside), name]:
        try:
            return Library(ctypes.CDLL(place))
        except (OSError, AttributeError):
            continue
    return None


class Library:
    """The functions of a libpegen."""

    def __init__(self, library: ctypes.CDLL) -> None:
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
        self._library = library

    def version(self) -> str:
        text: bytes = self._library.pegen_version()
        return text.decode()

    def plan(self, command: Command) -> Plan:
        library, handle = self._library, c_void_p()
        self._check(library.pegen_open(*_array_of(command.words), byref(handle)), command)
        rank = library.pegen_rank(handle)
        shape = tuple(library.pegen_shape(handle)[:rank])
        dtype = library.pegen_dtype(handle).decode()

        def read(first: int, count: int) -> NDArray[Any]:
            array = numpy.empty((count, *shape[1:][-1:]), numpy_dtype(dtype))
            self._check(library.pegen_read_rows(handle, first, count, array.ctypes.data,
                                                array.nbytes), command)
            return array

        # At exit, other threads may still read.
        weakref.finalize(read, library.pegen_close, handle).atexit = False
        return Plan(shape, dtype,
                    tuple(library.pegen_axis(handle, axis).decode() for axis in range(rank)),
                    tuple(command.readable(library.pegen_notes(handle).decode()).splitlines()),
                    read)

    def table(self, command: Command) -> tuple[NDArray[Any], tuple[str, ...]]:
        plan = self.plan(command)
        return plan.read(0, plan.rows).reshape(plan.shape), plan.notes

    def file(self, format: str, command: Command) -> bytes:
        content, size = c_void_p(), c_size_t()
        self._check(self._library.pegen_file(*_array_of(command.words), format.encode(),
                                             byref(content), byref(size)), command)
        try:
            return ctypes.string_at(content, size.value)
        finally:
            self._library.pegen_free(content)

    def save(self, path: str, command: Command) -> None:
        self._check(self._library.pegen_save(*_array_of(command.words), *encoded([path])), command)

    def _check(self, status: int, command: Command) -> None:
        if status:
            message = self._library.pegen_message().decode(errors="replace")
            raise failure(status, command.readable(message))


def _array_of(words: list[str]) -> tuple[Any, int]:
    return (c_char_p * len(words))(*encoded(words)), len(words)
