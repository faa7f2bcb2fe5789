"""The names that pe-gen knows."""

from __future__ import annotations

import builtins
from dataclasses import dataclass
from typing import Any, Optional

from . import _program
from ._words import Command


@dataclass(frozen=True, repr=False)
class Entry:
    """An encoding, a preset or another thing that has a name."""

    name: str
    summary: str
    json: "dict[str, Any]"  #: all that `pe-gen list --json` says of it

    def __repr__(self) -> str:
        return f"{self.name}: {self.summary}"


def list(kind: Optional[str] = None, *, search: Optional[str] = None) -> "builtins.list[Entry]":
    """Returns encodings and presets, or one kind: list("presets"), list(search="diffwave").

    The kinds are encodings, presets, mechanisms, models, formats, languages, colormaps and plots.
    """
    command = Command("list", [] if kind is None else [kind], {"search": search})
    found, _ = _program.run(command.extended("--json"), command, _program.json_of(command))
    if isinstance(found, dict):
        names = ["encodings", "presets", *(["models"] if search else [])]
        found = [entry for name in names for entry in found[name]]
    return [Entry(entry.get("name") or ", ".join(entry["names"]),
                  entry.get("summary") or entry["command"], entry) for entry in found]
