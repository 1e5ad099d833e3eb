# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Steps in separate entries of the library, called by address in compiled code."""

from ..indices import EXACT
from .elliptic import elliptic_step
from .implicit import implicit_step


def call_step(method, user, t, h, x, u, p, w, y, within, of, table):
    """Take a step; compiled code replaces this function by a call of the address in CODE."""
    if method == EXACT:
        return elliptic_step(t, h, x, p, y, table)
    return implicit_step(t, h, x, u, p, user, w, y, within, of, table)
