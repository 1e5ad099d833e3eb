"""A quick figure of a run."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .run import Run

__all__ = ["plot"]


def plot(run: "Run", names: Sequence[str]) -> Any:
    """Return a figure with one panel for each quantity.

    Parameters
    ----------
    run : Run
        The run.
    names : sequence of str
        Quantities; attitude error (if there is one), rate and command if empty.

    Returns
    -------
    matplotlib.figure.Figure
        Not attached to any window.
    """
    from matplotlib.figure import Figure

    from .run import QUANTITIES

    chosen = list(names) or [name for name in ("attitude_error", "rate", "command") if name in run.names]
    values = {name: run.values(name) for name in chosen}
    figure = Figure(figsize=(7.5, 2.2 * len(chosen) + 0.6), layout="constrained")
    panels = figure.subplots(len(chosen), 1, sharex=True, squeeze=False)[:, 0]
    for panel, name in zip(panels, chosen, strict=True):
        quantity = QUANTITIES[name]
        steps = name == "command" and run.law is not None
        labels = quantity.components or (None,)
        table = values[name].reshape(run.t.size, len(labels))
        for label, column in zip(labels, table.T, strict=True):
            panel.plot(run.t, column, label=label, linewidth=1.2, drawstyle="steps-post" if steps else "default")
        panel.set_ylabel(f"{name.replace('_', ' ')} ({quantity.unit})")
        panel.grid(visible=True, alpha=0.3)
        if quantity.components:
            panel.legend(loc="upper right", ncols=len(labels))
    panels[-1].set_xlabel("time (s)")
    return figure
