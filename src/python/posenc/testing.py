"""For other people's test suites: is this array, or this function, the encoding of that name?"""

from __future__ import annotations

from typing import Any, Optional

import numpy

from ._apply import apply
from ._reports import compare, identify
from ._words import Option, as_array


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

    An array is compared with the encoding's first table; sizes that the options leave open are the
    array's. A function gets queries, standard normal float32 (64, d), or `x`, and must return what
    `posenc.apply(name, x, **options)` does. The rounding of the array's dtype is allowed, and that
    of float32 angles. The message says what the array or the function is instead.
    """
    if not callable(actual):
        found = compare(as_array("array", actual), name, **options)
        if not found.close:
            raise AssertionError(f"the array is not {name}\n{found!r}")
        return
    if x is None:
        x = numpy.random.default_rng(0).standard_normal((64, int(options.get("d") or 64)))
        x = x.astype(numpy.float32)
    before, after = as_array("x", x), as_array("the result", actual(x))
    wanted = apply(name, before, **{key: value for key, value in options.items() if key != "d"})
    if after.shape != wanted.shape:
        raise AssertionError(f"the function returns the shape {after.shape} for {before.shape}")
    precision = max(float(numpy.finfo(array.dtype).eps) for array in (before, after))
    rows = before.shape[-2] if before.ndim > 1 else 1
    allowed = float(abs(before).max()) * (4 * precision + 4 * rows * 2.0 ** -23)
    difference = float(abs(after.astype(float) - wanted.astype(float)).max())
    if not difference <= allowed:
        raise AssertionError(f"the function is not {name}: values differ by up to {difference:.2g}"
                             f"\n{identify(before=before, after=after)!r}")
