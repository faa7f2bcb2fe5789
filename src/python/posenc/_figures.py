"""Figures as notebooks, terminals and files take them."""

from __future__ import annotations

import os
import struct
import sys
from typing import IO, Any, Optional, Union

from . import _program
from ._words import Command, Path

FIGURES = ("png", "svg", "pdf")  #: the formats of figures


class Figure:
    """A figure: a notebook shows it, bytes(figure) is the file."""

    format: str  #: "png", "svg" or "pdf"

    def __init__(self, content: bytes, format: str, command: Optional[Command] = None) -> None:
        self.format = format
        self._content = content
        self._command = command

    def __reduce__(self) -> tuple[Any, ...]:
        return Figure, (self._content, self.format)

    def __bytes__(self) -> bytes:
        return self._content

    def __repr__(self) -> str:
        if self.format != "png":
            return f"<posenc.Figure: {self.format}, {len(self._content)} bytes>"
        return "<posenc.Figure: png, {} x {} pixels>".format(*self._pixels())

    def _pixels(self) -> tuple[int, int]:
        width, height = struct.unpack(">II", self._content[16:24])
        return width, height

    def save(self, path: Union[Path, IO[bytes]]) -> None:
        """Writes the bytes to a path, or to an open binary file."""
        if not isinstance(path, (str, bytes, os.PathLike)):
            path.write(self._content)
            return
        extension = os.path.splitext(os.fsdecode(path))[1][1:].lower()
        if extension in FIGURES and extension != self.format:
            raise ValueError(f"{os.fsdecode(path)}: the figure is {self.format}; ask for "
                             f"format={extension!r} when you make it")
        hidden = f"{os.fsdecode(path)}.{os.getpid()}"
        try:
            with open(hidden, "xb") as file:
                file.write(self._content)
            os.replace(hidden, os.fsdecode(path))
        except OSError:
            if os.path.exists(hidden):
                os.unlink(hidden)
            raise

    def show(self) -> None:
        """Shows the figure: in a notebook as its output, elsewhere in the terminal."""
        if self._command is None:
            raise ValueError("a copied figure is shown by notebooks only; make it anew")
        if "IPython" in sys.modules:
            from IPython import get_ipython  # type: ignore[import]
            from IPython.display import display  # type: ignore[import]
            if get_ipython() is not None:
                display(self)
                return
        sys.stdout.flush()
        _program.show(self._command.extended("--show"), self._command)

    def _repr_png_(self) -> Optional[tuple[bytes, dict[str, Any]]]:
        """Returns the file, and its size on a page of 96 pixels to the inch."""
        if self.format != "png":
            return None
        width, height = self._pixels()
        return self._content, {"width": width, "height": height}

    def _repr_svg_(self) -> Optional[str]:
        return self._content.decode() if self.format == "svg" else None

    def _repr_pdf_(self) -> Optional[bytes]:
        return self._content if self.format == "pdf" else None
