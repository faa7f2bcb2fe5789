"""What the library and the program both do: tables and files of a command."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, Protocol

from ._words import Command

if TYPE_CHECKING:
    from numpy.typing import NDArray  # takes 7 ms


@dataclass(frozen=True)
class Plan:
    """A table before its values are computed."""

    shape: tuple[int, ...]
    dtype: str
    axes: tuple[str, ...]
    notes: tuple[str, ...]
    #: Returns rows first ... first + count - 1, (count, columns): a row is all along the last axis.
    #: Of a table of one axis each element is a row, and the shape is (count,).
    read: Callable[[int, int], NDArray[Any]]

    @property
    def rows(self) -> int:
        return math.prod(self.shape[:-1] or self.shape)


class Maker(Protocol):
    def version(self) -> str: ...
    def plan(self, command: Command) -> Plan: ...
    def table(self, command: Command) -> tuple[NDArray[Any], tuple[str, ...]]: ...
    def file(self, format: str, command: Command) -> bytes: ...
    def save(self, path: str, command: Command) -> None: ...
