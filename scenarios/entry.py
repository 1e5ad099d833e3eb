"""Entry point of the `polhode` command.

A start creates some hundred thousand permanent objects; repeated garbage collection over them, and once more at the
end, takes a fifth of it. scipy makes numpy import all its modules. Its test tools and its parser of Fortran take
half of that time and are never used here, so their import is deferred until they are used.
"""

import gc
from typing import NoReturn

gc.set_threshold(100_000, 20, 20)

from .commands.invoke import main as run_words  # noqa: E402 # what it imports is not looked through either
from .put_off import put_off  # noqa: E402


def main() -> NoReturn:
    """Run the command line with the arguments of this process and exit with its code."""
    put_off("numpy.f2py", "numpy.testing")
    try:
        run_words()
    finally:
        gc.freeze()
