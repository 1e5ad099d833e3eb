"""What is written on a momentum sphere: its poles, each with its moment and what becomes of a spin about it."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...plant.free_motion import PrincipalAxes, axis_stability
from .camera import Camera
from .palette import FAINT, INK

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["MAJOR", "MINOR", "OWN", "legend", "poles"]

Array = NDArray[np.float64]

MAJOR, MINOR, OWN = "#0072B2", "#D55E00", "#AA3377"  # Okabe & Ito, and the purple of Tol's bright set


def poles(axes: "Axes", inertia: ArrayLike, *, principal: PrincipalAxes, frame: Array, camera: Camera) -> None:
    """Mark the six poles and label the three that are seen."""
    spins = axis_stability(inertia, speed=1.0)
    for n, spin in enumerate(spins):
        for side in (1.0, -1.0):
            axis = side * principal.axes[:, n]
            pole = axis @ frame
            place, near = camera.project(pole), float(pole @ camera.towards) > 0.0
            style = {"stable": "o", "unstable": "X", "neutral": "s"}[spin.kind]
            ink = INK if near else FAINT
            axes.plot(
                *place, style, color=ink if near else "white", mec=ink, ms=8.5 if near else 5.0, zorder=6 if near else 3
            )
            if near:
                tip = place / np.sqrt(place @ place) * (1.1 if abs(place[1]) > abs(place[0]) else 1.08)
                axes.plot(*np.column_stack((place, tip)), color=INK, linewidth=1.0, zorder=5)
                kind = "transverse" if spin.kind == "neutral" else spin.name
                _label(axes, tip, f"{_name(axis)}{kind} axis\n{spin.moment:.4g} kg m²\n{spin.kind}")


def _name(axis: Array) -> str:
    """Its letter where it is a body axis."""
    n = int(np.abs(axis).argmax())
    return f"{'+' if axis[n] > 0.0 else '−'}{'xyz'[n]}, " if abs(axis[n]) > 1.0 - 1e-9 else ""


def _label(axes: "Axes", tip: Array, words: str) -> None:
    place = tip + 0.03 * tip / np.sqrt(tip @ tip)
    upright = abs(tip[1]) > abs(tip[0])
    axes.text(
        float(place[0]),
        float(place[1]),
        words,
        ha="center" if upright else ("left" if tip[0] > 0.0 else "right"),
        va=("bottom" if tip[1] > 0.0 else "top") if upright else "center",
        fontsize=10.5,
        color=INK,
        linespacing=1.25,
        zorder=9,
    )


def legend(figure: "Figure", principal: PrincipalAxes) -> None:
    """Say below the picture what its lines and marks are."""
    from matplotlib.lines import Line2D

    d12, d23, _ = principal.gaps
    handles: list[Any] = [Line2D([], [], color=OWN, linewidth=3.0, marker="D", label="this motion, from its start")]
    if d23 > 0.0:
        handles.append(Line2D([], [], color=MAJOR, linewidth=1.4, label="about the major axis"))
    if d12 > 0.0:
        handles.append(Line2D([], [], color=MINOR, linewidth=1.4, label="about the minor axis"))
    if min(d12, d23) > 0.0:
        handles.append(Line2D([], [], color=INK, linewidth=1.8, label="separatrix"))
    kinds = (
        [("o", "stable spin"), ("X", "unstable spin")]
        if min(d12, d23) > 0.0
        else [("o", "stable spin"), ("s", "neutral spin")]
    )
    handles += [Line2D([], [], color=INK, linestyle="", marker=style, ms=8.0, label=word) for style, word in kinds]
    figure.legend(handles=handles, loc="lower center", ncols=3, frameon=False, fontsize=10, bbox_to_anchor=(0.5, 0.005))
