"""A figure of a co-simulation."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from .result import CoSimulation

MOST_PANELS = 10
MOST_CURVES = 6


def picture(result: "CoSimulation", names: Sequence[str]) -> Any:
    """Return a figure of the named outputs; if none is named, of the varying outputs that fit on a page."""
    from ...results.page import new_page

    chosen = list(names) or [name for name in result.names if np.ptp(result.values(name)) > 0.0] or list(result.names)
    groups: dict[tuple[str, str, str], list[str]] = {}
    for name in chosen:
        unit, _, output = name.partition(".")
        stem = re.sub(r"(\[\d+\]|_?\d+|_[xyz])$", "", output) or output
        groups.setdefault((unit, stem, result.units[result.names.index(name)]), []).append(name)
    panels = [
        (unit, stem, of, group[first : first + MOST_CURVES])
        for (unit, stem, of), group in groups.items()
        for first in range(0, len(group), MOST_CURVES)
    ][:MOST_PANELS]
    figure = new_page((7.5, 1.9 * len(panels) + 0.8), title=result.name)
    axes = figure.subplots(len(panels), 1, sharex=True, squeeze=False)[:, 0]
    for axis, (unit, stem, of, group) in zip(axes, panels, strict=True):
        for number, name in enumerate(group):
            line = ("-", "--", ":", "-.")[number % 4]
            label = name.partition(".")[2] if len(group) > 1 else None
            shape = "steps-post" if name in result.held else "default"
            axis.plot(result.t, result.values(name), label=label, linewidth=1.2, linestyle=line, drawstyle=shape)
        axis.set_ylabel(f"{unit}\n{stem.replace('_', ' ')}" + ("" if of in {"", "1"} else f" ({of})"))
        axis.grid(visible=True, alpha=0.3)
        if len(group) > 1:
            axis.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False)
    axes[-1].set_xlabel("time (s)")
    figure.align_ylabels(axes)
    return figure
