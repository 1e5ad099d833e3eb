"""Quick figure of a run."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .run import Run


def plot(run: "Run", names: Sequence[str]) -> Any:
    """Return a figure with one panel for each quantity.

    names: quantities; by default, as far as available, the attitude error, the rate and the command, which is split
    into wheel torque and external torque if the spacecraft has both.
    -> a figure without a window; a notebook displays it.
    """
    from .mode_band import draw_mode_band
    from .page import new_page

    each = [name for name in ("command_wheels", "command_external") if name in run.names] or ["command"]
    commands = [] if run.law is None else each
    usual = [name for name in ("attitude_error", "rate", *commands) if name in run.names]
    chosen = list(names) or usual
    values = {name: run.values(name) for name in chosen}
    figure = new_page((7.5, 2.2 * len(chosen) + 0.6))
    panels = figure.subplots(len(chosen), 1, sharex=True, squeeze=False)[:, 0]
    for panel, name in zip(panels, chosen, strict=True):
        components, unit = run.components(name)
        table = values[name].reshape(run.t.size, max(1, len(components)))
        for number, column in enumerate(table.T):
            panel.plot(
                run.t,
                column,
                label=components[number] if components else None,
                linewidth=1.2,
                linestyle=("-", "--", ":", "-.")[number % 4],
                drawstyle="steps-post" if run.quantity(name).held else "default",
            )
        panel.set_ylabel(name.replace("_", " ") + ("" if unit in ("", "1") else f" ({unit})"))
        panel.grid(visible=True, alpha=0.3)
        draw_mode_band(panel, run)
        if components:
            panel.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False)  # next to the curves, not on them
    panels[-1].set_xlabel("time (s)")
    figure.align_ylabels(panels)
    return figure
