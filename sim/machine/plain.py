"""Whether what is to run compiled can."""

import os
import sys
from functools import cache

from .code_cache import say

__all__ = ["compiles"]


def compiles(wanted: bool) -> bool:
    """Return whether code runs compiled: where it is wanted and numba is allowed to work.

    NUMBA_DISABLE_JIT=1 makes numba leave functions as they are, to be debugged; everything then runs as plain Python,
    which is said once.

    wanted: what the caller asked for -> what to do.
    """
    if not wanted or not _disabled():
        return wanted
    _tell()
    return False


def _disabled() -> bool:
    config = sys.modules.get("numba.core.config")
    if config is not None:
        return bool(config.DISABLE_JIT)
    try:
        return int(os.environ.get("NUMBA_DISABLE_JIT") or 0) != 0
    except ValueError:  # numba warns, and compiles
        return False


@cache
def _tell() -> None:
    say("polhode: NUMBA_DISABLE_JIT is set, so everything runs as plain Python, slowly")
