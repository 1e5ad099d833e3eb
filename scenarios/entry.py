"""Entry point of the `polhode` command.

A start makes some hundred thousand objects that stay: to look through them for garbage again and again, and once more
at the end, is a fifth of it. And scipy has numpy read everything it offers, of which its test tools and its parser of
Fortran are half of the time and are never used here: they wait until somebody does.
"""

import gc
from typing import NoReturn

gc.set_threshold(100_000, 20, 20)

from .commands.cli import main as run_words  # noqa: E402 # what it imports is not looked through either
from .put_off import put_off  # noqa: E402

__all__ = ["main"]


def main() -> NoReturn:
    """Run the command line with the arguments of this process and exit with its code."""
    put_off("numpy.f2py", "numpy.testing")
    try:
        run_words()
    finally:
        gc.freeze()
