# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Steps in separately compiled functions, so that only runs that use them wait for the compilation."""

from ..indices import EXACT
from .elliptic import elliptic_step
from .implicit import implicit_step


def call_step(method, user, t, h, x, u, p, w, y, within, of, table):
    """Take a step; compiled code replaces this by a call of the address in CODE, see `implicit_layout`."""
    if method == EXACT:
        return elliptic_step(t, h, x, p, y, table)
    return implicit_step(t, h, x, u, p, user, w, y, within, of, table)
