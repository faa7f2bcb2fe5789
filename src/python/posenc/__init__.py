"""Position encodings of Transformers as NumPy arrays, by the name of the code base that uses them.

    >>> import posenc
    >>> table = posenc.table("whisper", d=384, len=1500)
    >>> table.shape, table.dtype
    ((1500, 384), dtype('float32'))
    >>> posenc.figure("whisper", d=384, len=1500, cmap="viridis")  # a picture, in a notebook
    <posenc.Figure: png, 1000 x 800 pixels>
    >>> posenc.identify(table).presets
    ('ddpm', 'diffusers-timestep', 'marian', 'tensor2tensor', 'whisper')

A table is asked for as on the command line of pe-gen. The first argument is the name of an encoding
or a preset, or a whole command: "fairseq --d 512 --len 1024". Options are keyword arguments:
denom_shift=2 is --denom-shift 2, True and False switch a flag, a list is joined by commas, None
leaves the option out. config=model.config is the configuration of a model. posenc.list() has the
names, and `python -m posenc NAME --help` has the options of one.

Arrays are those of NumPy, PyTorch, JAX and others, or nested lists of numbers. Where an array is
taken, a path names a file: "model.safetensors:wpe".

What pe-gen refuses raises ValueError with its message, a file that cannot be read or written
FileError. The values are those of `pe-gen --npy`, byte for byte.
"""

from __future__ import annotations

import typing

from ._apply import apply, attention, resize
from . import testing
from ._catalogue import Entry
from ._catalogue import list as list
from ._errors import FileError
from ._figures import Figure
from ._reports import (Check, Comparison, Description, Difference, Explanation, Identification,
                       Report, check, compare, describe, diff, explain, identify)
from ._tables import VERSION as __version__
from ._tables import Table, figure, file, plot, save, table, tables

__all__ = ["Check", "Comparison", "Description", "Difference", "Entry", "Explanation", "FileError",
           "Figure", "Identification", "Report", "Table", "apply", "attention", "check", "compare",
           "describe", "diff", "explain", "figure", "file", "identify", "plot", "resize", "save",
           "table", "tables", "testing"]  # not `list`, which `from posenc import *` would hide


def __dir__() -> typing.List[str]:
    return [*__all__, "list", "__version__", "__doc__"]
