"""Where the `polhode` command starts, before numpy is loaded."""

import os
from typing import NoReturn

__all__ = ["main"]


def main() -> NoReturn:
    """Run the command line on the words of this process and leave with its exit code."""
    # The matrices of a loop are small: several threads gain nothing on them, and on a busy machine they wait for each
    # other (margins of an LQG loop on two cores: 0.10 s with one thread; with two 0.10 s when quiet, 0.21 s when busy).
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from .cli import main as command

    command()
