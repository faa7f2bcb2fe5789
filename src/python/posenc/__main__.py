"""`python -m posenc` is pe-gen."""

import os
import sys

from ._where import program

if __name__ == "__main__":
    os.execv(program(), ["pe-gen", *sys.argv[1:]])
