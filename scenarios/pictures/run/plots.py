"""Figures of a run: one for each applicable panel, and an overview page."""

from typing import TYPE_CHECKING

import numpy as np

from ....sim.results.mode_band import draw_mode_band
from ....sim.results.mode_intervals import MODE_QUANTITY
from .envelopes import draw_envelopes
from .free_pictures import free_pictures
from .panels import Panel, panels_of, time_unit
from .swings import first_swings
from .wheel_envelopes import draw_wheel_envelopes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

    from ....sim import Run

MOST = 12  # largest number of panels in the overview
COLUMNS = 4
SHORT = 11
ROW = 13.0
HANDLE, LINE = 5, 75
"""Layout of legends. COLUMNS: entries per row, one more if no entry has more than SHORT letters. ROW: height of a row,
pt. HANDLE: width of an entry's line sample, in letters. LINE: letters of title and legend that fit side by side."""


def figures(run: "Run", *, name: str, title: str, settling_band_deg: float) -> dict[str, "Figure"]:
    """Draw every figure that applies to a run.

    run: result of `simulate`; name: name of the case; title: title of the case; settling_band_deg: settling band of the
    attitude error, deg. Returns figures by file name without suffix. The last one, "overview", contains all panels or,
    if there are too many, the first of them.
    """
    from ....sim.results.page import new_page

    chosen = panels_of(run)
    drawn: dict[str, Figure] = {}
    for key, panel in chosen.items():
        figure = new_page((8.0, 4.5), dpi=120)
        figure.suptitle(f"{name}: {title}")
        _fill(figure.subplots(), panel, run, settling_band_deg)
        drawn[key] = figure
    if "nutation" in chosen and run.values("momentum").any():
        drawn["momentum_sphere"] = _sphere(run, f"{name}: {title}")
    if getattr(run.reference, "cones", ()):
        drawn["cone_path"] = _cone_path(run, f"{name}: {title}")
    if any(getattr(element, "torque_limit", None) is not None for element in run.craft.elements):
        envelopes = draw_wheel_envelopes(run, title=f"{name}: {title}")
        drawn |= {} if envelopes is None else {"wheel_envelopes": envelopes}
    drawn |= free_pictures(run, title=f"{name}: {title}")
    if "tip_deflection" in run.names and run.t[-1] > 0.0:
        drawn["arms"] = _arms(run, name)
    drawn["overview"] = overview(run, name=name, title=title, settling_band_deg=settling_band_deg)
    return drawn


def overview(run: "Run", *, name: str, title: str, settling_band_deg: float) -> "Figure":
    """Draw all panels of a run on one page or, if there are too many, the first of them.

    The arguments are those of `figures`.
    """
    from ....sim.results.page import new_page

    chosen = panels_of(run)
    first = list(chosen.values())[:MOST]
    rows = (len(first) + 1) // 2
    page = new_page((13.0, 3.3 * rows + 0.5), dpi=110)
    left = len(chosen) - len(first)
    page.suptitle(f"{name}: {title}" + (f"  (and {left} further figure{'s' * (left > 1)})" if left else ""))
    grid = page.add_gridspec(rows, 2)
    for cell, panel in enumerate(first, start=len(first) % 2):
        # with an odd number, the first panel has the full width
        place = grid[0, :] if cell == 1 and len(first) % 2 else grid[cell // 2, cell % 2]
        _fill(page.add_subplot(place), panel, run, settling_band_deg)
    return page


def _cone_path(run: "Run", title: str) -> "Figure":
    """Draw the paths of the reference's cone axes, and their paths in the eigenaxis slew."""
    from ....controllers import TimeOptimalSlew
    from ....plant.attitude import from_rotation_vector, quaternion_product
    from .. import draw_cone_path

    slew = run.reference
    compared = None
    if isinstance(slew, TimeOptimalSlew):
        turn = slew.problem.misses(slew.problem.start)
        turns = from_rotation_vector(np.linspace(0.0, 1.0, 181)[:, None] * turn)
        compared = quaternion_product(slew.problem.start, turns)
    return draw_cone_path(getattr(slew, "cones", ()), run.values("attitude"), compared=compared, title=title)


def _arms(run: "Run", name: str) -> "Figure":
    from .arm_panels import draw_arms

    return draw_arms(run, name=name)


def _sphere(run: "Run", title: str) -> "Figure":
    """Draw the momentum of a spacecraft with elements on its momentum sphere, with curves of free motion."""
    from ....plant.attitude.free_motion import dissipates, gyrostat
    from .. import draw_polhode_sphere

    craft = run.craft
    held = gyrostat(craft, run.x[-1])
    turned = float(np.linalg.norm(held.wheels - gyrostat(craft, run.x[0]).wheels))
    apart = {
        "with the final wheel momenta": turned > 1e-3 * float(np.linalg.norm(held.wheels)),
        "without the law": run.law is not None,
        "without potentials and torques": bool(craft.potentials or craft.user_forces) or bool(run.inputs[:, 3:].any()),
    }
    words = ", ".join(word for word, present in apart.items() if present)
    return draw_polhode_sphere(
        held.inertia,
        momentum=_momentum(run),
        wheels=held.wheels,
        dissipates=dissipates(craft),
        verdicts=() if held.wheels.any() else _verdicts(run),
        title=title,
        note=f"curves and verdicts: {words}" if words else "",
    )


def _verdicts(run: "Run") -> "list[tuple[NDArray[np.float64], str]]":
    """Return the stability of each steady spin of the free spacecraft; empty if it is unknown."""
    from ....plant import Spacecraft, spin_equilibria
    from ....plant.attitude.free_motion import dissipates
    from ....plant.errors import PolhodeError

    craft = run.craft
    elements = [
        each for each in craft.elements if not getattr(each, "reads_magnetic_field", False)
    ]  # no field, no rods
    alone = Spacecraft(craft.body, torques=craft.torques, elements=elements, translation=craft.translation)
    try:
        spins = spin_equilibria(alone, momentum=float(np.linalg.norm(run.x[-1][:3])))
    except PolhodeError:
        return []
    lasting = "neutral" if dissipates(craft) else "stable"  # friction that nutation does not excite is not decisive
    words = {"unstable": "unstable", "neutrally stable": lasting, "asymptotically stable": "stable"}
    return [(spin.momentum, words[spin.kind]) for spin in spins]


def _momentum(run: "Run") -> "NDArray[np.float64]":
    """Return the momentum, interpolated between rows with the known slope h' = h x omega + torque."""
    from scipy.interpolate import CubicHermiteSpline

    t, h, rate = run.t, run.values("momentum"), run.values("rate")
    steps = np.diff(t)
    if t.size < 2 or not (steps > 0.0).all():
        return h
    turn = float((np.linalg.norm(rate, axis=1)[:-1] * steps).max())
    parts = int(np.clip(np.ceil(turn / 0.05), 1, max(1, 100_000 // t.size)))
    if turn > 1.5 or parts == 1:
        return h  # rows too sparse to interpolate, or already dense enough
    between = np.append((t[:-1, None] + steps[:, None] * np.arange(parts) / parts).ravel(), t[-1])
    slope = np.cross(h, rate) + run.values("torque")
    return np.asarray(CubicHermiteSpline(t, h, slope)(between), dtype=np.float64)


def _fill(axes: "Axes", panel: Panel, run: "Run", band_deg: float) -> None:
    panel.draw(axes, run, band_deg)
    seconds, unit = time_unit(run)
    axes.set_xlabel(f"time ({unit})")
    axes.grid(True, color="#dddddd", linewidth=0.6)
    draw_mode_band(axes, run, seconds=seconds)
    axes.spines[["top", "right"]].set_visible(False)
    title, end = panel.title, float(run.t[-1]) / seconds
    first = None if MODE_QUANTITY in run.names else first_swings(axes)
    if first is not None and first < 0.5 * end:
        title, end = f"{title}: the first {first:.3g} {unit}", first
        for line in axes.lines:
            line.set_linewidth(1.2)
    elif draw_envelopes(axes):
        title = f"{title}: bands from minimum to maximum"
    if end > 0.0:
        axes.set_xlim(0.0, end)
    labels = axes.get_legend_handles_labels()[1]
    columns = COLUMNS if max(map(len, labels), default=0) > SHORT else COLUMNS + 1
    axes.legend(  # above the axes, where the legend covers nothing
        loc="lower right",
        bbox_to_anchor=(1.0, 1.0),
        ncols=columns,
        fontsize="small",
        frameon=False,
        borderaxespad=0.0,
        columnspacing=1.2,
        handlelength=1.6,
    )
    rows = -(-len(labels) // columns)
    letters = len(title) + sum(len(label) + HANDLE for label in labels)
    above = rows > 1 or letters > LINE  # a longer legend would overlap the title
    axes.set_title(title, loc="left", fontsize="medium", pad=6.0 + (ROW * rows if above else 0.0))
