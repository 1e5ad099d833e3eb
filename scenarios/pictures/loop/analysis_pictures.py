"""All figures of a loop analysis."""

from typing import TYPE_CHECKING

from ....sim.results.budget_plot import draw_budget
from .margin_sweep import draw_margin_sweep
from .overlay import draw_overlay
from .region_of_attraction import draw_region_of_attraction

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ...commands.loop_analysis import Analysis

_FILES = {"inertia relative to the design": "margins_over_inertia", "delay": "margins_over_delay"}


def draw_analysis(found: "Analysis", *, name: str) -> "dict[str, Figure]":
    """Draw the overlay, the region of attraction and each margin sweep.

    found: result of `analyse`; name: name of the case, for the titles. Returns figures by file name without suffix.
    """
    figures = {"region_of_attraction": draw_region_of_attraction(found.region, title=name)}
    if found.budget is not None:
        figures["pointing_budget"] = draw_budget(
            found.budget, title=f"{name}: pointing error budget", measured=found.measured
        )
    if found.overlay is not None:
        figures["overlay"] = draw_overlay(found.overlay, title=f"{name}: linear loop and nonlinear run")
    for sweep in found.sweeps:
        design = {"inertia relative to the design": 1.0, "delay": sweep.values[0]}.get(sweep.words)
        figures[_FILES.get(sweep.words, "margins_over_spin_rate")] = draw_margin_sweep(
            sweep, title=f"{name}: margins of the law as designed\nover the {sweep.words}", design=design
        )
    return figures
