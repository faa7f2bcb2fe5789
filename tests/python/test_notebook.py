"""Runs docs/notes/notes.ipynb by Jupyter's nbclient, or without it the cells alone. PEGEN_PROGRAM is pe-gen."""

import json
import pathlib
import sys

try:
    import numpy
except ImportError:
    sys.exit(77)  # as skipped

page = pathlib.Path(__file__).parents[2] / "docs/notes/notes.ipynb"
try:
    import nbclient
    import nbformat
except ImportError:
    shared = {}
    for cell in json.loads(page.read_text())["cells"]:
        if cell["cell_type"] == "code":
            exec("".join(cell["source"]), shared)
    sys.exit()

notebook = nbformat.read(page, 4)
nbformat.validate(notebook)
nbclient.NotebookClient(notebook, kernel_name="python3").execute()
outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
assert not [output for output in outputs if output.output_type in ("error", "stream")], outputs
pictures = [output.data for output in outputs if "image/png" in output.get("data", {})]
reports = [output.data for output in outputs if "<pre>" in output.get("data", {}).get("text/html", "")]
assert len(pictures) == 3 and len(reports) == 6, (len(pictures), len(reports))
