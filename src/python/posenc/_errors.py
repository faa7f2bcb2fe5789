"""Statuses of the program and the library as exceptions, and notes as warnings."""

from __future__ import annotations

import errno
import os
import sys
import warnings
from typing import Iterable


class FileError(OSError, ValueError):
    """A file cannot be read or written; `errno` has the reason of the system, if there is one."""


_FAILURES: dict[int, type[Exception]] = {
    2: ValueError,
    3: ValueError,
    4: FileError,
    5: MemoryError,
}


def failure(status: int, message: str) -> Exception:
    """Returns the exception for a status other than 0."""
    error = _FAILURES.get(status, RuntimeError)(message)
    reasons = [code for code in errno.errorcode if os.strerror(code) in message]
    if isinstance(error, FileError) and reasons:
        error.errno = reasons[0]
    return error


def warn(notes: Iterable[str]) -> None:
    """Makes each note a warning of the line that called this package."""
    level, frame = 1, sys._getframe()
    while frame.f_back and frame.f_globals.get("__package__") == __package__:
        level, frame = level + 1, frame.f_back
    for note in notes:
        warnings.warn(note, stacklevel=level)
