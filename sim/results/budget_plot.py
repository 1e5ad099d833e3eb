"""Plot of a pointing budget: the error of each source on each axis, and its spectrum."""

from typing import TYPE_CHECKING

import numpy as np

from .page import new_page

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ...controllers import PointingBudget

ARCSEC = np.pi / 180.0 / 3600.0
AXES = (("x", "#0072B2"), ("y", "#D55E00"), ("z", "#009E73"))
LEAST = 1e-3  # relative to the largest source: smaller ones are not drawn


def draw_budget(budget: "PointingBudget", *, title: str = "pointing error budget", measured: object = None) -> "Figure":
    """Return a figure of absolute and relative errors by source, and of the error spectrum on each axis.

    budget: pointing budget of a loop; title: title of the figure; measured: `PointingErrors` of a run, marked on the
    bars of the total.
    """
    figure = new_page((9.5, 7.5), title=title)
    bars, curve = figure.subplots(2, 1, gridspec_kw={"height_ratios": [1.2, 1.0]})
    whole = budget.pointing.total() / ARCSEC
    parts = {"all": (whole[0], whole[2])} | {
        name: (budget.pointing.absolute[n] / ARCSEC, budget.pointing.relative[n] / ARCSEC)
        for n, name in enumerate(budget.sources)
        if np.isfinite(budget.pointing.absolute[n]).all()
        and budget.pointing.absolute[n].max() / ARCSEC > LEAST * whole[0][np.isfinite(whole[0])].max(initial=0.0)
    }
    names = list(parts)
    for k, (axis, colour) in enumerate(AXES):
        place = np.arange(len(names)) + 0.27 * (k - 1)
        bars.barh(place, [parts[name][0][k] for name in names], 0.24, color=colour, alpha=0.35, label=f"APE {axis}")
        bars.barh(place, [parts[name][1][k] for name in names], 0.12, color=colour, label=f"RPE {axis}")
        if measured is not None:
            errors = np.asarray(getattr(measured, "pointing")) / ARCSEC  # noqa: B009 # of the room above
            marks = {"color": "black", "linestyle": "none", "markersize": 8, "clip_on": False}
            bars.plot(errors[0, k], place[0], marker="|", label="measured" if k == 0 else None, **marks)
            bars.plot(errors[2, k], place[0], marker="|", **marks)
    bars.set_yticks(range(len(names)), names)
    bars.invert_yaxis()
    bars.set_xlabel(f"1 sigma (arcsec); RPE over {budget.window:g} s")
    bars.grid(visible=True, axis="x", alpha=0.3)
    bars.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False)
    for k, (axis, colour) in enumerate(AXES):
        density = np.sqrt(budget.density[:, k].sum(axis=0)) / ARCSEC
        curve.loglog(budget.frequency, density, color=colour, linestyle=("-", "--", ":")[k], label=axis)
    largest = float(np.sqrt(budget.density.sum(axis=0).max())) / ARCSEC
    curve.set_ylim(1e-6 * largest, 3.0 * largest)
    curve.axvline(1.0 / budget.window, color="0.5", linestyle=":", label="1/window")
    curve.set_xlabel("frequency (Hz)")
    curve.set_ylabel("pointing error\n(arcsec/sqrt(Hz), one-sided)")
    curve.grid(visible=True, alpha=0.3)
    curve.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False)
    return figure
