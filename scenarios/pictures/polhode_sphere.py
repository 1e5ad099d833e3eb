"""The momentum sphere of a free body with its polhodes: which spins hold and which do not, at a glance."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...plant.checks import positive
from ...plant.errors import InputError
from ...plant.free_motion import (
    Polhode,
    PrincipalAxes,
    polhode,
    polhode_family,
    principal_axes,
    separatrix,
)
from .camera import Camera
from .palette import FAINT, INK
from .polhode_marks import MAJOR, MINOR, OWN, legend, poles

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["draw_polhode_sphere"]

Array = NDArray[np.float64]

_CAMERA = Camera(np.radians(38.0), np.radians(27.0))  # in axes with the major one upright
_OTHER_SIDE = Camera(np.radians(-38.0), np.radians(27.0))


def draw_polhode_sphere(inertia: ArrayLike, *, momentum: ArrayLike, count: int = 5, title: str = "") -> "Figure":
    """Draw the momentum sphere with polhodes of many energies, the separatrix and one motion's own polhode.

    Parameters
    ----------
    inertia : array_like, shape (3,) or (3, 3)
        kg m^2.
    momentum : array_like, shape (3,) or (n, 3)
        Angular momentum in body components, N m s: one instant, whose polhode is then drawn, or the history of a
        run, drawn as it is.
    count : int
        How many polhodes about each of the axes that can be circled.
    title : str
        Above the picture.

    Returns
    -------
    matplotlib.figure.Figure
        What lies on the far side of the sphere is dashed.

    Raises
    ------
    InputError
        When the inertia is not physical or that of a sphere, or the momentum is zero or of the wrong shape.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    history = np.atleast_2d(np.asarray(momentum, dtype=np.float64))
    if history.ndim != 2 or history.shape[1] != 3 or not np.isfinite(history).all():
        raise InputError(f"momentum must be 3 or n x 3 finite numbers (N m s); got shape {np.shape(momentum)}")
    size = positive("momentum magnitude", float(np.linalg.norm(history[0])), "N m s")
    principal = principal_axes(inertia)
    own = polhode(inertia, momentum=history[0]).momentum_curves[0] if len(history) == 1 else history
    frame = _frame(principal, own, start=history[0])

    figure = Figure(figsize=(7.2, 6.9), dpi=120)
    FigureCanvasAgg(figure)
    axes = figure.add_axes((0.01, 0.085, 0.98, 0.83))
    axes.set_aspect("equal")
    axes.set_axis_off()
    _disc(axes)
    for curve in polhode_family(inertia, momentum=size, count=count, samples=721):
        colour = MAJOR if curve.regime == "major" else MINOR
        _draw(axes, curve, frame / size, colour=colour, width=1.0)
    if min(principal.gaps[:2]) > 0.0:
        _draw(axes, separatrix(inertia, momentum=size, samples=721), frame / size, colour=INK, width=1.8)
    _curve(axes, own @ frame / size, colour=OWN, width=3.0)
    apart = np.linalg.norm(own - history[0], axis=1) > 0.2 * size
    if apart.any():  # an arrow where the curve faces the reader
        facing = own @ frame @ _CAMERA.towards
        point = own[int(np.where(apart, facing, -np.inf).argmax())]
        _arrow(axes, point @ frame / size, np.cross(point, principal.rate(point)) @ frame)  # hdot = h x omega
    poles(axes, inertia, principal=principal, frame=frame, camera=_CAMERA)
    start = _CAMERA.project(history[0] @ frame / size)
    near = float(history[0] @ frame @ _CAMERA.towards) >= 0.0
    axes.plot(*start, "D", color=OWN if near else "white", mec=OWN, mew=1.6, ms=8, zorder=8)
    axes.set_xlim(-1.76, 1.76)
    axes.set_ylim(-1.06, 1.46)
    figure.suptitle(title or "Polhodes on the momentum sphere", fontweight="bold", y=0.975)
    figure.text(0.5, 0.925, f"body frame, |h| = {size:.6g} N m s; far side dashed", ha="center", color="#555555")
    legend(figure, principal)
    return figure


def _frame(principal: PrincipalAxes, points: Array, *, start: Array) -> Array:
    """Columns: axes for `_CAMERA`, the major one upright, turned so that the motion and its start are in front."""
    ahead = start / np.sqrt(start @ start)
    best, choice = -np.inf, np.eye(3)
    for upright in (1.0, -1.0):
        for towards in (1.0, -1.0):
            first, third = towards * principal.axes[:, 0], upright * principal.axes[:, 2]
            frame = np.column_stack((first, np.cross(third, first), third))
            for camera in (_CAMERA, _OTHER_SIDE):
                seen = points @ frame @ camera.towards > 0.0
                score = float(seen.mean()) + 0.7 * float(ahead @ frame @ camera.towards)
                score += 1e-3 * (upright + 0.5 * towards)
                if score > best + 1e-9:
                    turn = np.linalg.solve(_CAMERA.basis, camera.basis)
                    best, choice = score, frame @ turn.T
    return choice


def _disc(axes: "Axes") -> None:
    from matplotlib.patches import Circle

    for share in np.linspace(1.0, 0.05, 20):  # a little light from the upper left makes a ball of it
        bright = 0.955 + 0.045 * (1.0 - share)
        centre = (-0.3 * (1.0 - share), 0.35 * (1.0 - share))
        shade = tuple(bright * part for part in (0.975, 0.972, 0.96))
        axes.add_patch(Circle(centre, share, facecolor=shade, edgecolor="none", zorder=0))
    axes.add_patch(Circle((0.0, 0.0), 1.0, facecolor="none", edgecolor=FAINT, linewidth=1.0, zorder=1))


def _draw(axes: "Axes", found: Polhode, frame: Array, *, colour: str, width: float) -> None:
    for curve in found.momentum_curves:
        _curve(axes, curve @ frame, colour=colour, width=width)


def _curve(axes: "Axes", points: Array, *, colour: str, width: float) -> None:
    near = points @ _CAMERA.towards >= 0.0
    xs, ys = _CAMERA.project(points).T
    front, back = np.where(near, xs, np.nan), np.where(near, np.nan, xs)
    axes.plot(back, ys, color=colour, linewidth=0.6 * width, alpha=0.35, linestyle=(0, (3, 3)), zorder=2)
    axes.plot(front, ys, color=colour, linewidth=width, zorder=4, solid_capstyle="round")


def _arrow(axes: "Axes", point: Array, direction: Array) -> None:
    step = direction / np.sqrt(direction @ direction)
    tail, head = (_CAMERA.project(point + share * step) for share in (-0.03, 0.05))
    axes.annotate(
        "",
        xy=tuple(head),
        xytext=tuple(tail),
        zorder=7,
        arrowprops={
            "arrowstyle": "-|>",
            "color": OWN,
            "mutation_scale": 28.0,
            "linewidth": 0.0,
            "shrinkA": 0.0,
            "shrinkB": 0.0,
        },
    )
