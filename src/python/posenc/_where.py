"""Says where the program pe-gen is."""

import os
import pathlib
import shutil


def program() -> str:
    """Returns the path of pe-gen: that of PEGEN_PROGRAM, or the one installed with this module, or the first on PATH.

    A wheel's program goes to the bin of what the module goes to: VENV/bin beside
    VENV/lib/python3.11/site-packages/posenc, likewise below ~/.local and /usr/local, and with
    `pip install --target FOLDER` to FOLDER/bin beside FOLDER/posenc. So it is the nearest one above.
    """
    named = os.environ.get("PEGEN_PROGRAM")
    if named:
        return named
    for folder in list(pathlib.Path(__file__).absolute().parents)[:5]:
        path = folder / "bin" / "pe-gen"
        if os.access(path, os.X_OK):
            return str(path)
    found = shutil.which("pe-gen")
    if found is None:
        raise FileNotFoundError("pe-gen is neither installed with posenc nor on PATH; PEGEN_PROGRAM may name it")
    return found
