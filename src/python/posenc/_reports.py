"""What pe-gen says of arrays, encodings and models, as objects.

A report shows itself as the program prints it. It is true if the answer is yes: found, the same but
for rounding, equal, holds. Its fields are those of --json, of which `json` has all.
"""

from __future__ import annotations

import os
import shlex
from dataclasses import dataclass, fields
from typing import Any, Optional, Sequence, Type, TypeVar, Union

from . import _program
from ._errors import warn
from ._words import Command, Option

Kind = TypeVar("Kind", bound="Report")


@dataclass(frozen=True, eq=False, repr=False)
class Report:
    text: str
    json: dict[str, Any]
    status: int  #: 0, or 1: not identified, different, does not hold

    def __repr__(self) -> str:
        return self.text.rstrip("\n")

    def __bool__(self) -> bool:
        return self.status == 0

    def _repr_html_(self) -> str:
        import html  # takes 2 ms
        return f"<pre>{html.escape(repr(self))}</pre>"


@dataclass(frozen=True, eq=False, repr=False)
class Identification(Report):
    """Which command makes an array, or what a kernel does."""

    verdict: str  #: "identified", "ambiguous" or "not identified"
    command: Optional[str]  #: "pe-gen sinusoid --len 16 --d 8": posenc.table takes it
    presets: tuple[str, ...]  #: code bases whose table it is, too
    notes: tuple[str, ...]
    arrays: tuple[dict[str, Any], ...]  #: of a file of several, the answer for each


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Report):
    """How two encodings, or an encoding and an array, differ."""

    same: bool
    largest: float  #: the largest difference
    sentences: tuple[str, ...]

    def __bool__(self) -> bool:
        return self.close

    @property
    def close(self) -> bool:
        """True if the tables are the same but for the rounding that is usual."""
        moved = self.json["rearrangement"]
        stays = moved and moved["shift"] == 0 and not moved["zeros"] and (
            moved["channels"] == [*range(self.json["b"]["shape"][-1])])
        return self.same or bool(stays) and self.json["a"]["shape"] == self.json["b"]["shape"]


@dataclass(frozen=True, eq=False, repr=False)
class Difference(Report):
    """How two arrays differ, number by number."""

    equal: bool  #: within the tolerance
    differing: Optional[int]  #: how many numbers differ; None if the shapes do
    largest: Optional[float]
    reason: Optional[str]


@dataclass(frozen=True, eq=False, repr=False)
class Check(Report):
    """Whether what is claimed of position encodings holds."""

    holds: bool
    failed: tuple[str, ...]  #: properties that are asked for and do not hold
    properties: tuple[dict[str, Any], ...]


@dataclass(frozen=True, eq=False, repr=False)
class Explanation(Report):
    """How one value of a table comes about."""

    formula: Optional[str]
    value: str  #: to 40 digits
    dtypes: tuple[dict[str, str], ...]  #: the value and its error in each dtype


@dataclass(frozen=True, eq=False, repr=False)
class Description(Report):
    """Formula, source and pitfalls of an encoding or preset, or a model's settings."""

    encoding: Optional[dict[str, Any]]
    preset: Optional[dict[str, Any]]
    formula: Optional[str]
    commands: tuple[str, ...]  #: of a model: the same without its configuration


def identify(array: Any = None, *, before: Any = None, after: Any = None, permuted: Any = None,
             of: Any = None, **options: Option) -> Identification:
    """Says which command makes an array, or what a kernel does to one.

        >>> import posenc
        >>> posenc.identify(posenc.table("whisper", d=64, len=50))
        verdict     identified
        command     pe-gen sinusoid --len 50 --d 64 --layout halves --denom-shift 2
        agreement   every value is the same
        also called ddpm, diffusers-timestep, marian, tensor2tensor, whisper

    identify("model.safetensors:wpe") reads a file, identify(before=q, after=my_rope(q)) says what a
    function did to queries (..., len, d), best of random numbers, and identify(permuted=wq,
    of=original) how the rows of a weight were reordered.
    """
    command = Command("identify")
    for name, value in [("before", before), ("after", after), ("permuted", permuted), ("of", of)]:
        if value is not None:
            command.append("--" + name, command.add(name, value))
    if array is not None:
        command.append(command.add("array", array))
    command.set(options)
    return _report(Identification, command)


def compare(a: Any, b: Any, **options: Option) -> Comparison:
    """Says how two encodings differ, or an array and an encoding: compare(mine, "fairseq").

        >>> import posenc
        >>> print(posenc.compare("marian", "hf-marian", d=8, len=4).sentences[-1])
        Their settings differ in --denom-shift (2, 0), --odd (error, exact).

    A text is a name or a file, as on the command line.
    """
    command = Command("compare")
    command.append(command.add("a", a), command.add("b", b))
    command.set(options)
    return _report(Comparison, command)


def diff(a: Any, b: Any, **options: Option) -> Difference:
    """Compares two arrays, or an array and a table, number by number.

        >>> import posenc
        >>> posenc.diff([[0.0, 1.0]], "sinusoid --d 2 --len 1")
        A         a: (1, 2), float64
        B         sinusoid --d 2 --len 1: (1, 2), float64
        verdict   equal: all values are the same

    A text is a file, if there is one of that name, else a command. In the report, arrays and files
    come before commands.
    """
    command, tables = Command("diff"), []
    for name, side in [("a", a), ("b", b)]:
        if isinstance(side, str) and not os.path.exists(side.partition(":")[0]):
            tables += ["--", *Command(side).words]
        else:
            command.append(command.add(name, side))
    command.set(options)
    command.append(*tables)
    return _report(Difference, command)


def check(subject: Any, *words: str, **options: Option) -> Check:
    """Tests what is claimed of position encodings, or of an array.

        >>> import posenc
        >>> bool(posenc.check("sinusoid", d=64, len=200, require="unique,rotation"))
        True
    """
    command = Command("check")
    if isinstance(subject, str):
        command.append(*Command(subject).words)
    else:
        command.append(command.add("array", subject))
    command.append(*words)
    command.set(options)
    return _report(Check, command)


def explain(name: str, *words: str, at: Union[int, Sequence[int]],
            **options: Option) -> Explanation:
    """Says how the value at an index comes about, counted from 0 along each axis.

        >>> import posenc
        >>> posenc.explain("sinusoid", d=128, at=(7, 3)).value
        '0.9755832755440747836481698168084891592228'
    """
    return _report(Explanation, Command("explain " + name, words, {**options, "at": at}))


def describe(name: Optional[str] = None, *, config: Any = None) -> Description:
    """Describes an encoding, a preset, or a model's positions: describe(config=model.config)."""
    if name is not None and not isinstance(name, str):
        raise TypeError("describe: needs a name, or config=")
    return _report(Description, Command("describe " + (name or ""), (), {"config": config}))


def _report(kind: Type[Kind], command: Command) -> Kind:
    """Runs a command with --json and returns its report, with the members that the kind has."""
    json, output = _program.run(command.extended("--json"), command, _program.json_of(command))
    warn(output.notes)
    if isinstance(json.get("command"), list):
        json["command"] = shlex.join(json["command"])
    # A file of several arrays has no answer of its own, nor does a kernel have presets.
    usual = {"verdict": "not identified" if output.status else "identified", "presets": [],
             "notes": [], "arrays": [], "commands": []}
    values: dict[str, Any] = {
        field.name: _value(json.get(field.name, usual.get(field.name))) for field in fields(kind)}
    values.update(json=json, status=output.status)
    return kind(**values)


def _value(json: Any) -> Any:
    """Returns a value as Python has it: lists are tuples, infinities and NaN are floats."""
    if isinstance(json, list):
        return tuple(json)
    return float(json) if json in ("Infinity", "-Infinity", "NaN") else json
