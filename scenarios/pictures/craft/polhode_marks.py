"""Labels on a momentum sphere: steady spins and their stability."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ....plant.attitude.free_motion import Gyrostat, PrincipalAxes, SteadySpin
from ....plant.frozen import frozen_arrays
from ..palette import AXIS_COLOURS, FAINT, INK
from ..scene.camera import Camera

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Array = NDArray[np.float64]

MAJOR, OWN, MINOR = AXIS_COLOURS  # increasing lightness: dark, medium, bright

ALONG = np.cos(np.radians(15.0))
"""Smallest cosine of the angle between the momentum of a verdict and the axis of its pole."""

STYLES = {"stable": "o", "unstable": "X", "neutral": "s"}


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class Mark:
    """Label of a steady spin on the sphere.

    axis (3,): unit vector along the momentum, body components.
    verdict: "stable", "unstable" or "neutral".
    words: text of the label.
    """

    axis: Array
    verdict: str
    words: str


def marked(
    craft: Gyrostat,
    spins: Sequence[SteadySpin],
    *,
    principal: PrincipalAxes,
    dissipates: bool,
    verdicts: Sequence[tuple[Array, str]],
) -> list[Mark]:
    """Return marks of the steady spins, with stability from given verdicts or from energy and dissipation.

    If two moments are equal, every axis of a plane is a spin axis; then both ends of two principal axes are marked.
    """
    plain = not craft.wheels.any()
    marks: list[Mark] = []
    for spin in spins:
        axis = spin.momentum / np.linalg.norm(spin.momentum)
        known = [verdict for momentum, verdict in verdicts if abs(float(axis @ momentum)) > ALONG * _size(momentum)]
        verdict = known[0] if known else _by_energy(spin.kind, dissipates)
        reason = ": friction" if verdict == "unstable" and spin.kind == "most" else ""
        n = int(np.abs(axis @ principal.axes).argmax())
        if plain:
            kind = "transverse" if spin.kind == "level" else ("minor", "middle", "major")[n]
            words = f"{_letter(axis)}{kind} axis\n{principal.moments[n]:.4g} kg m²\n{verdict}{reason}"
        else:
            energy = {"least": "least energy", "most": "most energy", "saddle": "saddle"}.get(spin.kind, "any axis")
            speed = _size(spin.rate)
            still = speed < 1e-6 * _size(spin.momentum) / float(principal.moments[0])
            turning = "at rest" if still else f"spin {speed:.3g} rad/s"
            words = f"{_letter(axis)}{energy}\n{turning}\n{verdict}{reason}"
        marks.append(Mark(axis=axis, verdict=verdict, words=words))
    return marks


def _by_energy(kind: str, dissipates: bool) -> str:
    if kind == "level":
        return "neutral"
    return "stable" if kind == "least" or (kind == "most" and not dissipates) else "unstable"


def _size(vector: Array) -> float:
    return float(np.sqrt(vector @ vector))


def poles(axes: "Axes", marks: Sequence[Mark], *, frame: Array, camera: Camera) -> None:
    """Mark the steady spins and label the visible ones."""
    for mark in marks:
        pole = mark.axis @ frame
        place, near = camera.project(pole), float(pole @ camera.towards) > 0.0
        ink = INK if near else FAINT
        axes.plot(
            *place,
            STYLES[mark.verdict],
            color=ink if near else "white",
            mec=ink,
            ms=8.5 if near else 5.0,
            zorder=6 if near else 3,
        )
        if near:
            way = place / _size(place) if _size(place) > 0.05 else np.array((0.8, -0.6))
            tip = way * (1.1 if abs(way[1]) > abs(way[0]) else 1.08)
            axes.plot(*np.column_stack((place, tip)), color=INK, linewidth=1.0, zorder=5)
            _label(axes, tip, mark.words)


def _letter(axis: Array) -> str:
    """Return the letter of a body axis; empty for other axes."""
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


def legend(figure: "Figure", marks: Sequence[Mark], *, plain: bool, ended: bool) -> None:
    """Draw the legend of lines and marks below the figure."""
    from matplotlib.lines import Line2D

    words = [mark.words for mark in marks]
    handles: list[Any] = [Line2D([], [], color=OWN, linewidth=3.0, marker="D", label="this motion, from its start")]
    if ended:
        handles.append(Line2D([], [], color=OWN, linestyle="", marker="o", mfc="white", ms=8.0, label="its end"))
    low, high = ("major axis", "minor axis") if plain else ("least energy", "most energy")
    saddle = any(("middle" if plain else "saddle") in text for text in words)
    both = plain or saddle
    if any(low in text for text in words):
        handles.append(Line2D([], [], color=MAJOR, linewidth=1.4, label=f"about the {low}" if both else "equal energy"))
    if both and any(high in text for text in words):
        handles.append(Line2D([], [], color=MINOR, linewidth=1.4, label=f"about the {high}"))
    if saddle:
        handles.append(Line2D([], [], color=INK, linewidth=1.8, label="separatrix"))
    for kind, style in STYLES.items():
        if any(mark.verdict == kind for mark in marks):
            handles.append(Line2D([], [], color=INK, linestyle="", marker=style, ms=8.0, label=f"{kind} spin"))
    figure.legend(handles=handles, loc="lower center", ncols=3, frameon=False, fontsize=10, bbox_to_anchor=(0.5, 0.005))
