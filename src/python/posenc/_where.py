"""Says where the program pe-gen is."""

import os
import pathlib


def program() -> str:
    """Returns the path of pe-gen: PEGEN_PROGRAM, or the one installed with this module, or the first on PATH.

    A wheel puts the program into the `bin` of the folder that the module is somewhere below:
    VENV/bin for VENV/lib/python3.11/site-packages/posenc, likewise below ~/.local and /usr/local,
    and FOLDER/bin for `pip install --target FOLDER`.
    """
    named = os.environ.get("PEGEN_PROGRAM")
    if named:
        return named
    site = pathlib.Path(__file__).absolute().parents[1]
    for folder in (site.parents[2] if len(site.parents) > 2 else site, site):
        path = folder / "bin" / "pe-gen"
        if os.access(path, os.X_OK):
            return str(path)
    import shutil  # takes 2 ms
    found = shutil.which("pe-gen")
    if found is None:
        raise FileNotFoundError("pe-gen is neither installed with posenc nor on PATH; "
                                "PEGEN_PROGRAM may name it")
    return found
