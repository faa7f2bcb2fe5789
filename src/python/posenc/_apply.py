"""Positions applied to arrays, and attention."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional, Sequence, Union

from . import _program, _tables
from ._errors import warn
from ._words import Command, Option

if TYPE_CHECKING:
    from numpy.typing import NDArray  # takes 7 ms


def apply(operation: str, x: Any, *words: str, table: Optional[str] = None,
          **options: Option) -> NDArray[Any]:
    """Applies positions to an array, and returns the new one.

        >>> import numpy, posenc
        >>> queries = numpy.ones((2, 8, 16, 64), numpy.float32)    # (batch, heads, len, d)
        >>> rotated = posenc.apply("rope", queries, pairing="interleaved")
        >>> rotated.shape, rotated.dtype
        ((2, 8, 16, 64), dtype('float32'))

    apply("add", x, table="sinusoid --base 1000") adds a table. `pe-gen apply --help` has the
    operations, `pe-gen apply rope --help` the options of one.
    """
    command = Command(operation, words)
    command.words.insert(0, "apply")
    command.append("--x", command.add("x", x))
    command.set(options)
    command.refuse_outputs()
    if table is not None:
        command.append("--", *Command(table).words)
    array, output = _program.run(command.extended("--npy=-"), command, _program.array_of)
    if command.words[1] != "resize":  # says what it does, which is what was asked for
        warn(output.notes)
    return array


def resize(x: Any, to: Union[int, str, Sequence[int]], *words: str,
           **options: Option) -> NDArray[Any]:
    """Brings a table of positions to another size, as a code base does it.

        >>> import posenc
        >>> learned = posenc.table("learned", d=16, len=1024, seed=1)
        >>> posenc.resize(learned, 2048, as_="open-clip-text").shape
        (2048, 16)

    For images `to` is rows and columns, such as (24, 24).
    """
    return apply("resize", x, *words, to=to, **options)


def attention(mechanism: str, *words: str, **options: Option) -> Any:
    """Computes attention with relative positions.

        >>> import posenc
        >>> posenc.attention("t5", tokens=6, d=16, heads=2, table="alpha").shape
        (2, 6, 6)

    table="score" names the table, a list of names gives a tuple of arrays. Inputs that are not
    given, such as x and wq, are drawn at random; a warning says which.
    """
    return _tables.table("attention " + mechanism, *words, **options)
