"""For other people's test suites: is this array, or this function, the encoding of that name?"""

from __future__ import annotations

import os
import shlex
from typing import Any

import numpy

from ._apply import apply
from ._reports import compare, describe, identify
from ._words import Command, Option, as_array, as_floats


def assert_is(actual: Any, name: str, *, x: Any = None, **options: Option) -> None:
    """Raises AssertionError unless `actual` is the encoding of this name, but for rounding.

        >>> import numpy
        >>> steps = numpy.arange(50)[:, None] / 10000 ** (numpy.arange(32) / 31)
        >>> assert_is(numpy.concatenate([numpy.sin(steps), numpy.cos(steps)], 1), "whisper")
        >>> def rotate(q):  # (64, d): channels m and m + d / 2
        ...     a, b = numpy.split(q, 2, axis=1)
        ...     angles = numpy.arange(64)[:, None] / 10000 ** (numpy.arange(32) / 32)
        ...     cos, sin = numpy.cos(angles), numpy.sin(angles)
        ...     return numpy.concatenate([a * cos - b * sin, b * cos + a * sin], 1)
        >>> assert_is(rotate, "rope")

    An array, or a file, is compared with the encoding's first table; sizes that the options leave
    open are the array's, and axes of 1 do not count. A function gets queries, standard normal
    float32 (64, d), or `x`, which may be a tensor. It must return what
    `posenc.apply(name, x, **options)` does, if the encoding rotates, else x plus the table. The
    rounding of the array's dtype is allowed, and that of float32 angles. The message says what the
    array or the function is instead.
    """
    if not callable(actual):
        _assert_array(actual, name, options)
        return
    if x is None:
        x = numpy.random.default_rng(0).standard_normal((64, int(options.get("d") or 64)))
        x = x.astype(numpy.float32)
    before = as_array("x", x).copy()
    after = as_array("the result", actual(x))
    others = {key: value for key, value in options.items() if key != "d"}
    found = describe(name).encoding
    if found is not None and found["name"] in ("rope", "rope-grid", "mrope"):
        wanted = apply(name, before, **others)
    else:
        command = Command(name, (), others)
        wanted = apply("add", before, table=shlex.join(command.words))
    if after.shape != wanted.shape or as_floats(after).dtype.kind != as_floats(wanted).dtype.kind:
        raise AssertionError(f"the function returns {after.dtype} {after.shape} for "
                             f"{before.dtype} {before.shape}: it is not {name}")
    bits = {"float64": 53, "float16": 11, "bfloat16": 8, "|V2": 8}
    precision = max(2.0 ** -bits.get(str(array.dtype), 24) for array in (before, after))
    rows = before.shape[-2] if before.ndim > 1 else 1
    size = float(abs(as_floats(before)).max(initial=1))
    allowed = size * (8 * precision + 4 * rows * 2.0 ** -23)
    difference = float(abs(as_floats(after) - as_floats(wanted).astype(float)).max(initial=0))
    if not difference <= allowed:
        raise AssertionError(f"the function is not {name}: values differ by up to {difference:.2g}"
                             f"\n{identify(before=before, after=after)!r}")


def _assert_array(actual: Any, name: str, options: "dict[str, Option]") -> None:
    found = compare(actual, name, **options)
    if found:
        return
    shapes = [tuple(found.json[side]["shape"]) for side in ("a", "b")]
    if 1 in shapes[0] and not isinstance(actual, (str, os.PathLike)):
        array = as_array("array", actual)
        squeezed = compare(array.reshape([extent for extent in array.shape if extent != 1]), name,
                           **options)
        if squeezed:
            return
    sizes = "" if shapes[0] == shapes[1] else f": its shape is {shapes[0]}, not {shapes[1]}"
    raise AssertionError(f"the array is not {name}{sizes}\n{found!r}")
