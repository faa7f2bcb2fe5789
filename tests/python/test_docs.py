"""Runs the examples of docs/python.md. PEGEN_PROGRAM is pe-gen."""

import doctest
import os
import pathlib
import sys
import tempfile

try:
    import numpy
except ImportError:
    sys.exit(77)  # as skipped

page = pathlib.Path(__file__).parents[2] / "docs/python.md"
# A fence ends the output of an example, as an empty line does for doctest.
text = "\n".join("" if line.startswith("```") else line for line in page.read_text().split("\n"))
with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    examples = doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0)
    failed, _ = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(examples)
    os.chdir("/")
sys.exit(failed != 0)
