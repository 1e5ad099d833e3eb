"""Response of the hub to torque: full mesh, rigid spacecraft, and hub with retained modes."""

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ....plant.flexible import ReducedCraft, hub_response
from ....plant.linear.vibration.hub_response import disagreement
from ..palette import AXIS_COLOURS, FAINT, INK

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Array = NDArray[np.float64]

HERTZ = 2.0 * np.pi
POINTS = 1500
ALLOWED = 0.01


def draw_hub_response(reduced: ReducedCraft, *, damping: float, title: str) -> "Figure":
    """Draw the response of the hub rate to torque about each axis, and the error of the reduced model.

    Parameters
    ----------
    reduced : ReducedCraft
        Hub and retained modes.
    damping : float
        Damping ratio of every mode in addition to material damping.
    title : str
        Title of the figure.

    Returns
    -------
    matplotlib.figure.Figure
        Figure that is not attached to any window.
    """
    from ....sim.results.page import new_page

    w = _frequencies(reduced)
    exact, found = (hub_response(modes, w, damping=damping) for modes in (reduced.every, reduced.modes))
    rigid = np.linalg.inv(reduced.every.inertia).diagonal() / w[:, None]
    figure = new_page((8.0, 9.0), dpi=120)
    bound = reduced.valid_up_to(tolerance=ALLOWED, damping=damping) / HERTZ
    differs = bool(np.isfinite(bound))  # a model with every mode that couples to the hub equals the mesh
    axes: Any = figure.subplots(4 if differs else 3, 1, sharex=True)
    for k, name in enumerate("xyz"):
        place = axes[k]
        place.loglog(w / HERTZ, rigid[:, k], color=FAINT, linewidth=1.0, linestyle=(0, (4, 3)), label="rigid")
        place.loglog(w / HERTZ, np.abs(exact[:, k, k]), color=INK, linewidth=2.2, alpha=0.45, label="whole mesh")
        words = f"hub and {reduced.frequencies.size} modes"
        place.loglog(w / HERTZ, np.abs(found[:, k, k]), color=AXIS_COLOURS[k], linewidth=1.1, label=words)
        place.set_ylabel(f"about {name}\nrad/s per N m")
    last = axes[-1]
    if differs:
        last.loglog(w / HERTZ, np.maximum(disagreement(reduced, w, damping=damping), 1e-8), color=INK, linewidth=1.1)
        last.axhline(ALLOWED, color=FAINT, linewidth=0.9)
        last.set_ylabel("model against mesh\n(fraction of response)")
    last.set_xlabel("frequency (Hz)")
    for place in axes:
        place.set_xlim(w[0] / HERTZ, w[-1] / HERTZ)
        place.grid(visible=True, color="#e4e4e4", linewidth=0.6)
        place.spines[["top", "right"]].set_visible(False)
        if differs:
            place.axvline(bound, color=AXIS_COLOURS[1], linewidth=1.0, linestyle=":")
        if place is not last or not differs:
            place.legend(loc="lower left", fontsize="small", framealpha=0.95)
    stated = f"within 1 % up to {bound:.4g} Hz" if differs else "the same at every frequency"
    figure.suptitle(f"{title}\nhub rate per torque on the hub; {stated}", color=INK)
    return figure


def _frequencies(reduced: ReducedCraft) -> Array:
    """Return frequencies from far below to above the retained modes, dense where the response is steep."""
    own = reduced.frequencies
    highest = min(6.0 * float(own[-1]), 1.5 * float(reduced.every.frequencies[-1]))
    even = np.exp(np.linspace(math.log(0.03 * float(own[0])), math.log(highest), POINTS))
    steep = np.concatenate((own, reduced.free_frequencies))
    close = (steep[:, None] * (1.0 + np.linspace(-0.05, 0.05, 81))).ravel()
    found = np.concatenate((even, close))
    return np.sort(found[(found >= even[0]) & (found <= highest)])
