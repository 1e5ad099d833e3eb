"""An Euler sequence drawn as cans in series, after Schwab & Meijaard (2006), figures 2-4.

Each rotation is a pair of cans: the pale half is fixed in the frame before the rotation, the dark half rotates by the
angle that the dial shows. `cans_geometry` describes the geometry and how gimbal lock becomes visible.
"""

from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..palette import AXIS_COLOURS, FAINT, INK, mixed
from ..scene.camera import Camera
from ..scene.labels import Labels, fit
from ..scene.scene import Scene
from ..scene.solids import ring
from .cans_geometry import Cans, cans_in_series
from .cans_lock import add_lock
from .cans_parts import (
    ARC,
    Triad,
    add_base,
    add_body,
    add_frames,
    add_links,
    add_pair,
    arc,
    zero_direction,
)
from .cans_words import caption, degrees, symbols_of
from .viewpoint import best_camera

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Array = NDArray[np.float64]

_FRAMES: Final = (
    ("$x$", "$y$", "$z$"),
    (r"$\xi$", r"$\eta$", r"$\zeta$"),
    (r"$\xi'$", r"$\eta'$", r"$\zeta'$"),
    ("$x'$", "$y'$", "$z'$"),
)


def draw_cans(
    sequence: str,
    angles: ArrayLike,
    *,
    symbols: tuple[str, str, str] | None = None,
    view_deg: tuple[float, float] | None = None,
) -> "Figure":
    """Draw an Euler sequence at given angles as three pairs of cans in series.

    Parameters
    ----------
    sequence : str
        One of the twelve Euler sequences, such as "3-1-3".
    angles : array_like, shape (3,)
        Euler angles in the order of the sequence, rad.
    symbols : tuple of str, optional
        Names of the three angles, mathtext without dollar signs. By default phi, theta, psi in this order for symmetric
        sequences; for asymmetric sequences phi about axis 1, theta about axis 2, psi about axis 3.
    view_deg : tuple of float, optional
        Azimuth and elevation of the camera, deg. By default, the direction from which the least is hidden.

    Returns
    -------
    matplotlib.figure.Figure
        The figure, not registered with pyplot; save it as PDF, SVG or PNG.

    Raises
    ------
    InputError
        When the sequence is unknown or the angles are not three finite numbers.

    Notes
    -----
    If the first and the third axis are parallel (middle angle 0 or 180 deg for symmetric sequences, -90 or 90 deg for
    asymmetric sequences), the plane that contains all three axes is shaded. The normal of the plane is drawn as well,
    since no rotation about it is possible.

    Examples
    --------
    >>> figure = draw_cans("3-1-3", (0.5, 0.9, 0.3))
    >>> figure.savefig("cans.pdf")
    """
    from ....sim.results.page import new_page

    cans = cans_in_series(sequence, angles)
    camera = best_camera(cans) if view_deg is None else Camera(*np.radians(view_deg).tolist())
    scene = Scene(camera, _separators(cans), cut=cans.plane if cans.locked else None)
    triads = [add_base(scene, cans)]
    for pair in cans.pairs:
        add_pair(scene, pair)
    add_links(scene, cans)
    triads += [*add_frames(scene, cans), add_body(scene, cans)]
    normal = add_lock(scene, cans) if cans.locked else None

    figure = new_page((9.0, 8.0), dpi=150, layout=None, mathematics=True)
    axes = figure.add_axes((0.01, 0.145, 0.98, 0.775))
    axes.set_axis_off()
    fit(axes, scene, margins=(0.6, 0.3))
    scene.paint(axes)
    words = symbols_of(cans) if symbols is None else symbols
    _annotate(Labels(axes, scene), cans, words=words, triads=triads, normal=normal)
    heading, lines = caption(cans, words)
    figure.text(0.5, 0.962, heading, ha="center", va="center", fontsize=16, color=INK, math_fontfamily="cm")
    figure.text(
        0.5, 0.07, lines, ha="center", va="center", fontsize=11, color=INK, linespacing=1.5, math_fontfamily="cm"
    )
    return figure


def _separators(cans: Cans) -> Array:
    """Return the axes of the four frames and their bisectors; one of these separates any two parts."""
    mixes = [(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 0), (1, -1, 0), (0, 1, 1), (0, 1, -1), (1, 0, 1), (1, 0, -1)]
    weights = np.array(mixes, dtype=np.float64)
    weights /= np.sqrt((weights**2).sum(axis=1, keepdims=True))
    return np.concatenate([weights @ frame.T for frame in cans.frames])


def _annotate(
    labels: Labels,
    cans: Cans,
    *,
    words: tuple[str, str, str],
    triads: list[Triad],
    normal: tuple[Array, Array] | None,
) -> None:
    camera = labels.scene.camera
    for n, (triad, names) in enumerate(zip(triads, _FRAMES, strict=True)):
        for axis in range(3):
            is_turned_about = n > 0 and cans.pairs[n - 1].axis == axis
            name = f"$\\mathbf{{g}}_{n}$ = {names[axis]}" if is_turned_about else names[axis]
            along = triad.tips[axis] - triad.origin
            seen = [
                point
                for share in (1.0, 0.85, 0.7, 0.55)
                if not labels.scene.hidden(point := triad.origin + share * along, triad.parts[axis])
            ]
            if seen or is_turned_about:  # an invisible arrow needs no label
                labels.place(
                    name,
                    camera.project(seen[0] if seen else triad.tips[axis]),
                    prefer=camera.project(along),
                    colour=mixed(AXIS_COLOURS[axis], INK, 0.35),
                    size=14.0,
                    room=0.05,
                )
    for pair, word in zip(cans.pairs, words, strict=True):
        spokes, half = zero_direction(pair, camera.towards), np.array([0.5 * arc(pair)])
        anchor = camera.project(ring(pair.centre, spokes, radius=ARC + 0.03, angles=half)[0])
        about = _FRAMES[pair.number - 1][pair.axis]
        text = f"${word}$ = {degrees(pair.angle)}\nabout {about}"
        colour = mixed(AXIS_COLOURS[pair.axis], INK, 0.35)
        labels.place(
            text, anchor, prefer=anchor - camera.project(pair.centre), colour=colour, size=13.0, leader=True, room=0.16
        )
    for text, origin, pair in (("space", triads[0].origin, cans.pairs[0]), ("body", triads[3].origin, cans.pairs[2])):
        point = camera.project(origin)
        labels.place(text, point, prefer=point - camera.project(pair.centre), colour=FAINT, size=11.0)
    if normal is not None:
        foot, tip = (camera.project(point) for point in normal)
        labels.place("no rotation about\nthis normal", tip, prefer=tip - foot, size=11.0, leader=True, room=0.14)
