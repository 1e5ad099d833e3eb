"""Momentum sphere of a free body, with polhodes and with stable and unstable spins."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ....plant.attitude.free_motion import (
    Gyrostat,
    PrincipalAxes,
    SteadySpin,
    polhode,
    polhode_family,
    principal_axes,
    separatrix,
)
from ....plant.checks import positive, vector
from ....plant.errors import InputError
from ....plant.hub.inertia import inertia_matrix
from ..palette import INK
from ..scene.camera import Camera
from .polhode_marks import MAJOR, MINOR, OWN, legend, marked, poles
from .sphere import draw_curve, draw_disc

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Array = NDArray[np.float64]

_CAMERA = Camera(np.radians(38.0), np.radians(27.0))  # in principal axes, with the major axis upright
_OTHER_SIDE = Camera(np.radians(-38.0), np.radians(27.0))


def draw_polhode_sphere(
    inertia: ArrayLike,
    *,
    momentum: ArrayLike,
    wheels: ArrayLike = (0.0, 0.0, 0.0),
    dissipates: bool = False,
    verdicts: Sequence[tuple[Array, str]] = (),
    count: int = 5,
    title: str = "",
    note: str = "",
) -> "Figure":
    """Draw the momentum sphere with curves of constant energy, the separatrix and the curve of one motion.

    If there are no wheels, the curves are polhodes.

    Parameters
    ----------
    inertia : array_like, shape (3,) or (3, 3)
        Inertia, kg m^2; with wheels, the inertia of the spacecraft without the axial inertias of the wheels, see
        `plant.free_motion.Gyrostat`.
    momentum : array_like, shape (3,) or (n, 3)
        Angular momentum, body components, N m s: one vector, for its polhode, or the history of a run, which is scaled
        to the final magnitude.
    wheels : array_like, shape (3,)
        Momentum of the wheels, body components, N m s.
    dissipates : bool
        Whether energy is dissipated internally; then only the spin of least energy is stable.
    verdicts : sequence of (numpy.ndarray, str)
        Momenta of steady spins with known stability: "stable", "unstable" or "neutral".
    count : int
        Number of polhodes about the minor axis, and about the major axis; not used with wheels.
    title : str
        Title above the figure.
    note : str
        Note below the title.

    Returns
    -------
    matplotlib.figure.Figure
        Curves on the far side of the sphere are dashed.

    Raises
    ------
    InputError
        When the inertia is not physical, the body is a sphere without wheels, or the momentum is zero or has the wrong
        shape.
    """
    from ....sim.results.page import new_page

    history = np.atleast_2d(np.asarray(momentum, dtype=np.float64))
    if history.ndim != 2 or history.shape[1] != 3 or not np.isfinite(history).all():
        raise InputError(f"momentum must be 3 or n x 3 finite numbers (N m s); got shape {np.shape(momentum)}")
    sizes: Array = np.linalg.norm(history, axis=1)
    size = positive("momentum magnitude", float(sizes[-1]), "N m s")
    principal = principal_axes(inertia)
    kept = vector("wheels", wheels, unit="N m s")
    plain = float(np.linalg.norm(kept)) <= 1e-9 * size
    craft = Gyrostat(inertia=inertia_matrix(inertia), wheels=np.zeros(3) if plain else kept)
    single = len(history) == 1
    own = polhode(inertia, momentum=history[0]).momentum_curves[0] if single and plain else history
    if not single:
        own = history * (size / np.maximum(sizes, 1e-300))[:, None]
    frame = _frame(principal, own, start=own[0])

    figure = new_page((7.2, 6.9), dpi=120, layout=None)
    axes = figure.add_axes((0.01, 0.085, 0.98, 0.80))
    axes.set_aspect("equal")
    axes.set_axis_off()
    draw_disc(axes)
    spins = craft.steady(size)
    for curve, colour, width in _rigid_curves(inertia, size, count) if plain else _level_curves(craft, spins, size):
        draw_curve(axes, _CAMERA, curve @ frame / size, colour=colour, width=width)
    travelled = float(np.linalg.norm(np.diff(own, axis=0), axis=1).sum()) / size
    width = max(0.7, 3.0 * min(1.0, (40.0 / max(travelled, 1e-9)) ** 0.5))
    draw_curve(axes, _CAMERA, own @ frame / size, colour=OWN, width=width)
    apart = np.linalg.norm(own - own[0], axis=1) > 0.2 * size
    if apart.any():  # draw an arrow at a visible point of the curve
        facing = own @ frame @ _CAMERA.towards
        point = own[int(np.where(apart, facing, -np.inf).argmax())]
        _arrow(axes, point @ frame / size, np.cross(point, craft.rate(point)) @ frame)  # hdot = h x omega
    marks = marked(craft, spins, principal=principal, dissipates=dissipates, verdicts=verdicts)
    poles(axes, marks, frame=frame, camera=_CAMERA)
    ends = [(own[0], "D")] if single else [(own[0], "D"), (own[-1], "o")]
    for place, style in ends:
        near = float(place @ frame @ _CAMERA.towards) >= 0.0
        filled = OWN if near and style == "D" else "white"
        axes.plot(*_CAMERA.project(place @ frame / size), style, color=filled, mec=OWN, mew=1.6, ms=8, zorder=8)
    axes.set_xlim(-1.76, 1.76)
    axes.set_ylim(-1.06, 1.46)
    words = title or ("Polhodes on the momentum sphere" if plain else "Curves of equal energy on the momentum sphere")
    lines = figure.suptitle(words, y=0.985, va="top").get_text().count("\n") + 1
    constant = float(np.ptp(sizes)) <= 1e-3 * size
    explained = (
        f"|h| = {size:.6g} N m s" if constant else f"|h| from {sizes[0]:.4g} to {size:.4g} N m s, drawn as directions"
    )
    figure.text(
        0.5, 0.985 - 0.034 * lines, f"body frame, {explained}; far side dashed" + (f"\n{note}" if note else ""),
        ha="center", va="top", color="#555555",
    )  # fmt: skip
    legend(figure, marks, plain=plain, ended=not single)
    return figure


def _rigid_curves(inertia: ArrayLike, size: float, count: int) -> Iterator[tuple[Array, str, float]]:
    """Yield polhodes of several energies, and the separatrix."""
    for found in polhode_family(inertia, momentum=size, count=count, samples=721):
        for curve in found.momentum_curves:
            yield curve, MAJOR if found.regime == "major" else MINOR, 1.0
    if min(principal_axes(inertia).gaps[:2]) > 0.0:
        for curve in separatrix(inertia, momentum=size, samples=721).momentum_curves:
            yield curve, INK, 1.8


def _level_curves(craft: Gyrostat, spins: Sequence[SteadySpin], size: float) -> Iterator[tuple[Array, str, float]]:
    """Yield curves of constant energy, evenly spaced on the sphere, and the curves through the saddle points."""
    from contourpy import contour_generator

    longitude, latitude = np.linspace(-np.pi, np.pi, 361), np.linspace(-0.5 * np.pi, 0.5 * np.pi, 181)

    def on_sphere(lines: Array) -> Array:
        across = np.cos(lines[..., 1])
        parts = (across * np.cos(lines[..., 0]), across * np.sin(lines[..., 0]), np.sin(lines[..., 1]))
        return size * np.stack(parts, axis=-1)

    energy = craft.energy(on_sphere(np.stack(np.meshgrid(longitude, latitude), axis=-1)))
    generator: Any = contour_generator(longitude, latitude, energy)
    turns = 2.399963 * np.arange(2000)  # sunflower lattice: the same number of points in equal areas
    heights = np.arcsin((2.0 * np.arange(2000) + 1.0) / 2000.0 - 1.0)
    spread = craft.energy(on_sphere(np.stack((turns, heights), axis=-1).astype(np.float64)))
    saddles = [float(craft.energy(spin.momentum)) for spin in spins if spin.kind == "saddle"]
    border = np.mean(saddles) if saddles else np.inf
    for level in np.quantile(spread, (np.arange(10) + 0.5) / 10.0).tolist():
        for line in generator.lines(level):
            yield on_sphere(line), MAJOR if level < border else MINOR, 1.0
    for level in saddles:
        for line in generator.lines(level):
            yield on_sphere(line), INK, 1.8


def _frame(principal: PrincipalAxes, points: Array, *, start: Array) -> Array:
    """Return axes for `_CAMERA` as columns: major axis upright, the motion and its start in front."""
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
