"""Plot of NEES and NIS in their chi-square bands."""

from typing import TYPE_CHECKING

from .page import new_page

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..analysis.consistency import Consistency

FEW = 300  # largest number of values drawn as dots without a line


def draw_consistency(found: "Consistency", *, title: str = "consistency of the filter") -> "Figure":
    """Draw NEES and each NIS over time with expected mean and band; titles state the overall mean."""
    parts = {"NEES of the attitude": found.nees, **{f"NIS of {name}": each for name, each in found.nis.items()}}
    figure = new_page((9.0, 2.6 * len(parts) + 0.8), title=title)
    panels = figure.subplots(len(parts), 1, sharex=True, squeeze=False)[:, 0]
    for panel, (name, each) in zip(panels, parts.items(), strict=True):
        low, high = each.band
        panel.axhspan(low, high, color="0.88", label=f"{100.0 * found.probability:g} % band")
        panel.axhline(each.degrees, color="0.4", linewidth=1.0, label=f"expected, {each.degrees}")
        line = "none" if each.t.size <= FEW else "-"
        panel.plot(each.t, each.values, color="#0072B2", linewidth=0.7, linestyle=line, marker=".", markersize=3)
        mean = f"mean {each.overall:.3f}"
        if each.overall_band is not None:
            mean += f" (band {each.overall_band[0]:.3f} to {each.overall_band[1]:.3f})"
        panel.set_title(f"{name}: {mean}, {100.0 * each.inside:.3g} % of the times inside", fontsize="medium")
        panel.set_ylabel("mean of 1 run" if found.runs == 1 else f"mean of {found.runs} runs")
        panel.set_ylim(0.0, None)
        panel.grid(visible=True, alpha=0.3)
        panel.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False)
    panels[-1].set_xlabel("time (s)")
    return figure
