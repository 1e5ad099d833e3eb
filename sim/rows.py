"""Some rows of a run."""

from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from .recorded import Table

if TYPE_CHECKING:
    from .run import Run

__all__ = ["rows_of"]


def rows_of(run: "Run", which: Any) -> "Run":
    """Return a run of some rows only, which still starts where the whole one does.

    Parameters
    ----------
    run : Run
        The run.
    which : slice or numpy.ndarray of int
        The rows, in order.

    Returns
    -------
    Run
        In memory; balances and nutation are against the start of the whole.
    """
    if run.recorded is not None:
        return replace(run, t=run.t[which], recorded=run.recorded.rows(which), **_tables(run, which))
    return replace(run, t=run.t[which], **_tables(run, which))


def _tables(run: "Run", which: Any) -> dict[str, Any]:
    """Some rows of every field that has a row for each time, by name of the field."""
    found: dict[str, Any] = {}
    for each in fields(run):
        value = getattr(run, each.name)
        if isinstance(value, np.ndarray | Table) and value.ndim == 2 and value.shape[0] == run.t.size:
            found[each.name] = value[which]
    return found
