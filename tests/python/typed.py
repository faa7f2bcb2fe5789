"""What mypy must know of the module's types: an ignored error that is none is an error, too."""

from typing import Any, Optional

import numpy
from numpy.typing import NDArray

import posenc
from posenc.testing import assert_is

array: NDArray[Any] = posenc.table("fairseq", d=512, len=1024, dtype=numpy.float32)
cos, sin = posenc.table("rope", d=8, table=["cos", "sin"])
array = cos
tables: dict[str, NDArray[Any]] = posenc.tables("rope", config={"model_type": "llama"})
verdict: str = posenc.identify(before=array, after=array).verdict
largest: Optional[float] = posenc.diff(array, "fairseq --d 512").largest
names: list[str] = [entry.name for entry in posenc.list("presets")]
extent: int = posenc.Table("index").shape[0]
png: bytes = bytes(posenc.figure("whisper", d=8, title="Whisper"))
assert_is(array, "fairseq")
posenc.table(3)  # type: ignore[call-overload]
posenc.explain("sinusoid")  # type: ignore[call-arg]
posenc.identify(array).verdikt  # type: ignore[attr-defined]
