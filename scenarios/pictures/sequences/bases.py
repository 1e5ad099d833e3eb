"""Figure of the Euler basis and its dual as arrows, and of their degradation towards a singular pose."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ....plant.loads.torque import TorqueBases, explore_bases
from ..palette import BASIS_COLOURS, FAINT, INK, mixed
from ..scene.camera import Camera
from ..scene.labels import Labels, fit
from ..scene.scene import Scene
from ..scene.solids import around, arrow, ring
from .bases_curves import draw_curves
from .cans_words import degrees

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Array = NDArray[np.float64]

_LONGEST = 2.4  # longer arrows are truncated
_ELEVATIONS = np.radians(np.arange(10.0, 50.0, 5.0))
_AZIMUTHS = np.radians(np.arange(-180.0, 180.0, 10.0))


def draw_bases(sequence: str, *, angles: ArrayLike | None = None, attitude: ArrayLike | None = None) -> "Figure":
    """Draw the Euler basis and the dual Euler basis of a sequence at an attitude.

    The left part shows both bases in inertial space with a unit sphere for scale: g1, g2, g3 dark and g^1, g^2, g^3
    pale, each labelled with its length. A dual vector that does not fit is truncated. At a singular pose, only the line
    along which g^1 and g^3 grow without bound is drawn. The right part shows the lengths of g^1 and g^3, the condition
    number and the distance to the nearest singular pose against the middle angle.

    Parameters
    ----------
    sequence : str
        One of the twelve Euler sequences, such as "3-1-3".
    angles : array_like, shape (3,), optional
        Euler angles in the order of the sequence, rad.
    attitude : array_like, shape (4,), optional
        Euler parameters, scalar first, as an alternative to `angles`.

    Returns
    -------
    matplotlib.figure.Figure
        The figure, not registered with pyplot.

    Raises
    ------
    InputError
        When the sequence is unknown, a value or shape is wrong, or not exactly one of `angles` and `attitude` is given.

    Examples
    --------
    >>> figure = draw_bases("3-1-3", angles=(0.5, 0.9, 0.3))
    >>> figure.savefig("bases.svg")
    """
    from ....sim.results.page import new_page

    bases = explore_bases(sequence, angles=angles, attitude=attitude)
    figure = new_page((12.5, 6.6), dpi=150, layout=None, mathematics=True)
    axes = figure.add_axes((0.01, 0.11, 0.55, 0.78))
    axes.set_axis_off()
    directions = _directions(bases)
    scene = Scene(_camera(directions), np.concatenate([np.eye(3), directions, _differences(directions)]))
    tips = _arrows(scene, bases)
    fit(axes, scene, margins=(0.55, 0.3))
    _sphere(axes, scene.camera)
    scene.paint(axes)
    _annotate(Labels(axes, scene), tips)
    draw_curves(figure, bases)

    shown = ", ".join(degrees(angle) for angle in bases.angles.tolist())
    heading = f"Torque bases of the Euler sequence {sequence} at ({shown})"
    figure.text(0.5, 0.945, heading, ha="center", va="center", fontsize=16, color=INK)
    figure.text(0.285, 0.065, _caption(bases), ha="center", va="center", fontsize=11, color=INK, linespacing=1.5)
    return figure


def _directions(bases: TorqueBases) -> Array:
    """Return the unit vectors along all drawn arrows: g1, g2, g3, g^1, g^3."""
    if bases.singular:
        normal = np.cross(bases.euler_inertial[1], bases.euler_inertial[2])
        return np.array([*bases.euler_inertial, normal])
    duals = bases.dual_inertial[[0, 2]] / bases.dual_lengths[[0, 2], np.newaxis]
    return np.concatenate([bases.euler_inertial, duals])


def _differences(directions: Array) -> Array:
    """Return the differences between directions, as unit vectors."""
    pairs = [directions[a] - directions[b] for a in range(len(directions)) for b in range(a)]
    sizes = [float(np.sqrt(pair @ pair)) for pair in pairs]
    kept = [pair / size for pair, size in zip(pairs, sizes, strict=True) if size > 1e-6]
    return np.array(kept).reshape(-1, 3)


def _camera(directions: Array) -> Camera:
    """Return the camera for which the arrows are farthest apart and none is seen end-on."""
    best, choice = -np.inf, Camera(0.6, 0.4)
    for elevation in _ELEVATIONS.tolist():
        for azimuth in _AZIMUTHS.tolist():
            camera = Camera(azimuth, elevation)
            seen = camera.project(directions)
            gaps = np.sqrt(((seen[:, np.newaxis] - seen) ** 2).sum(axis=-1)) + 9.0 * np.eye(len(seen))
            together = np.sqrt(((directions[:, np.newaxis] - directions) ** 2).sum(axis=-1)) < 0.05
            score = float(np.where(together, 9.0, gaps).min()) + float(np.sqrt((seen**2).sum(axis=1)).min())
            score += 0.25 * float(np.cos(azimuth - np.radians(35.0)))
            if score > best + 1e-9:
                best, choice = score, camera
    return choice


def _arrows(scene: Scene, bases: TorqueBases) -> list[tuple[str, Array, str]]:
    """Add all arrows; return the labels with their positions and colours."""
    words: list[tuple[str, Array, str]] = []
    origin = np.zeros(3)
    for n, colour in enumerate(BASIS_COLOURS):
        g = bases.euler_inertial[n]
        dark = mixed(colour, INK, 0.15)
        arrow(scene, origin, end=g, colour=dark, radius=0.035, head=0.24)
        same = f" = $\\mathbf{{g}}^{n + 1}$" if n == 1 else ""
        words.append((f"$\\mathbf{{g}}_{n + 1}${same}, length 1", g, dark))
        if n == 1 or bases.singular:
            continue
        dual, length = bases.dual_inertial[n], float(bases.dual_lengths[n])
        pale = mixed(colour, "#FFFFFF", 0.45)
        tip = dual * min(1.0, _LONGEST / length)
        arrow(scene, origin, end=tip, colour=pale, radius=0.025, head=0.24)
        words.append((f"$\\mathbf{{g}}^{n + 1}$, length {length:.4g}", tip, mixed(colour, INK, 0.15)))
        if length > _LONGEST:
            _break(scene, 0.8 * tip, along=tip)
            words[-1] = (f"{words[-1][0]}\n(arrow cut)", tip, words[-1][2])
    if bases.singular:
        normal = 1.5 * _directions(bases)[3]
        scene.begin()
        for share in np.arange(-1.0, 1.0, 0.1).tolist():
            scene.line(np.array([share * normal, (share + 0.06) * normal]), colour=INK, width=1.6)
        words.append(("$\\mathbf{g}^1$, $\\mathbf{g}^3$ grow without bound\nalong this line", normal, INK))
    for axis, name in enumerate("xyz"):
        scene.begin()
        scene.line(np.array([0.0, 1.3])[:, np.newaxis] * np.eye(3)[axis], colour=FAINT, width=0.9)
        words.append((f"${name}$", 1.3 * np.eye(3)[axis], FAINT))
    return words


def _break(scene: Scene, middle: Array, *, along: Array) -> None:
    """Add a break symbol of two strokes."""
    across = np.cross(along, scene.camera.towards)
    across *= 0.1 / np.sqrt(across @ across)
    way = 0.035 * along / np.sqrt(along @ along)
    for shift in (-way, way):
        scene.line(np.array([middle + shift - across - way, middle + shift + across + way]), colour=INK, width=1.4)


def _sphere(axes: "Axes", camera: Camera) -> None:
    """Paint the outline and the inertial equator of the unit sphere behind all other parts."""
    from matplotlib.patches import Circle

    circle = Circle((0.0, 0.0), 1.0, facecolor="#F4F5F7", edgecolor=FAINT, linewidth=0.8, zorder=0.1)
    axes.add_patch(circle)
    angles = np.linspace(0.0, 2.0 * np.pi, 145)
    for axis in range(3):
        points = ring(np.zeros(3), around(np.eye(3)[axis]), radius=1.0, angles=angles)
        seen = points @ camera.towards > 0.0
        flat = camera.project(points)
        for front, style, width in ((True, "-", 0.7), (False, ":", 0.6)):
            part = np.where((seen == front)[:, np.newaxis], flat, np.nan)
            axes.plot(part[:, 0], part[:, 1], color="#B4B8BE", linestyle=style, linewidth=width, zorder=0.2)


def _annotate(labels: Labels, tips: list[tuple[str, Array, str]]) -> None:
    for text, tip, colour in tips:
        point = labels.scene.camera.project(tip)
        labels.place(text, point, prefer=point, colour=colour, size=12.0, room=0.05)


def _caption(bases: TorqueBases) -> str:
    if bases.singular:
        return (
            "Singular pose: $\\mathbf{g}_1$, $\\mathbf{g}_2$, $\\mathbf{g}_3$ lie in one plane: there is no "
            "dual basis;\nthe condition number of [$\\mathbf{g}_1\\,\\mathbf{g}_2\\,\\mathbf{g}_3$] is infinite."
        )
    return (
        f"Condition number of [$\\mathbf{{g}}_1\\,\\mathbf{{g}}_2\\,\\mathbf{{g}}_3$]: {bases.condition:.4g};  "
        f"{degrees(bases.distance)} from the singular pose.\n"
        f"1 N m along $\\mathbf{{g}}^1$ or $\\mathbf{{g}}^3$ is a torque of {bases.dual_lengths[0]:.4g} N m."
    )
