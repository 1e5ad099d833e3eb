"""Where the `polhode` command starts, before numpy is loaded."""

import os
from typing import NoReturn

__all__ = ["main"]


def main() -> NoReturn:
    """Run the command line on the words of this process and leave with its exit code."""
    # The matrices of a loop are small: handing them to several threads costs more than it saves, most of all on a
    # busy machine (margins of an LQG loop: 0.21 s with two threads, 0.09 s with one).
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from .cli import main as command

    command()
