"""Entry point of the `polhode` command.

Starting the command creates about a hundred thousand permanent objects. Garbage collection over these objects, during
start-up and at exit, would take a fifth of the start-up time, so it is avoided. scipy makes numpy import all numpy
modules; numpy's test tools and Fortran parser take half of that import time. Polhode does not use them, so their import
is deferred. pydantic searches the metadata of all installed packages for plugins; the command uses none, so the search
is switched off.
"""

import gc
import os
from typing import NoReturn

gc.set_threshold(300_000, 20, 20)
os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")

from .put_off import put_off  # noqa: E402 # after set_threshold: imports collect no garbage

put_off("importlib.metadata")

from .commands.invoke import main as run_words  # noqa: E402 # after put_off: pydantic imports the metadata


def main() -> NoReturn:
    """Run the command line with the arguments of this process and exit with its code."""
    put_off("numpy.f2py", "numpy.testing")
    try:
        run_words()
    finally:
        gc.freeze()
