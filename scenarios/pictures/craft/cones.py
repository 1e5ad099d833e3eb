"""The body cone rolling on the space cone: the free precession of an axisymmetric body."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ....plant.attitude.free_motion import AxisymmetricMotion
from ....plant.errors import InputError
from ..palette import INK, mixed
from ..scene.camera import Camera
from .cone_marks import circling, label, pointer, trace
from .cone_shapes import Cone, paint_cones

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Array = NDArray[np.float64]

_BODY, _SPACE, _OMEGA = "#0072B2", "#E69F00", "#882255"  # Okabe & Ito; wine from Tol's muted set
_CAMERA = Camera(np.radians(-70.0), np.radians(20.0))  # H, omega and z lie in the x-z plane, z to the right
_LENGTH, _OMEGA_LENGTH = 1.55, 1.2  # lengths of the arrows; the cones have length 1


def draw_cones(motion: AxisymmetricMotion, *, title: str = "") -> "Figure":
    """Draw body cone, space cone, H, omega and symmetry axis of a free axisymmetric body.

    Parameters
    ----------
    motion : AxisymmetricMotion
        The motion, direct or retrograde.
    title : str
        Title above the figure.

    Returns
    -------
    matplotlib.figure.Figure
        Inertial view with H upright, at an instant when the symmetry axis leans to the right.

    Raises
    ------
    InputError
        When no cone rolls: the body is a sphere, or spins about or perpendicular to its symmetry axis.

    Notes
    -----
    If all angles are below 10 degrees, they are drawn enlarged by a common factor that the figure states. The view
    follows the figures of direct and retrograde precession in MIT 16.07, lecture L29. If cos theta < 0, the body cone
    is drawn about the end of the symmetry axis on the side of H, labelled -z.
    """
    from ....sim.results.page import new_page

    if motion.kind == "none":
        raise InputError(
            "this body does not precess (a sphere, or a spin about or perpendicular to its axis): no cones to draw"
        )
    turned = motion.beta > 0.5 * np.pi
    theta = float(np.pi) - motion.theta if turned else motion.theta
    scale = _scale(max(theta, motion.body_cone))
    theta, beta, gamma = scale * theta, scale * motion.body_cone, scale * motion.space_cone
    up, omega, axis = (_leaning(angle) for angle in (0.0, theta - beta, theta))

    figure = new_page((7.2, 7.6), dpi=120, layout=None)
    axes = figure.add_axes((0.02, 0.12, 0.96, 0.79))
    axes.set_aspect("equal")
    axes.set_axis_off()
    space = Cone(axis=up, half=gamma, colour=_SPACE)
    body = Cone(axis=axis, half=beta, colour=_BODY)
    paint_cones(axes, space, body=body, line=omega, camera=_CAMERA)
    _arrows(axes, [(up, "H", INK, gamma), (omega, "ω", _OMEGA, None), (axis, "−z" if turned else "z", _BODY, beta)])
    trace(axes, up, radius=_LENGTH * np.sin(theta), height=_LENGTH * np.cos(theta), camera=_CAMERA, colour=_BODY)
    circling(axes, up, sense=1.0, height=1.4, camera=_CAMERA, colour=INK)
    spin = -motion.spin if turned else motion.spin  # spin about the axis in the direction in which it is drawn
    circling(axes, axis, sense=float(np.sign(spin)), height=1.4, camera=_CAMERA, colour=_BODY)
    _fit(axes, [space, body], theta)
    figure.suptitle(title or f"{motion.kind.capitalize()} precession", y=0.975)
    relation = "I < I₀: the body cone rolls outside on the space cone"
    if motion.kind == "retrograde":
        relation = "I > I₀: the body cone rolls around the space cone inside it"
    if scale > 1.0:
        relation += f"\nall angles drawn {scale:g} times as large"
    figure.text(0.5, 0.948, f"inertial frame, H upright; {relation}", ha="center", va="top", color="#555555")
    _words(figure, motion)
    return figure


def _leaning(angle: float) -> Array:
    return np.array([np.sin(angle), 0.0, np.cos(angle)])


def _scale(largest: float) -> float:
    """Return a round factor that enlarges angles too small to be visible."""
    if largest >= np.radians(10.0):
        return 1.0
    wanted = np.radians(26.0) / largest
    unit = 10.0 ** np.floor(np.log10(wanted))
    return float(unit * max(step for step in (1.0, 2.0, 5.0) if step * unit <= wanted))


def _arrows(axes: "Axes", arrows: list[tuple[Array, str, str, float | None]]) -> None:
    """Draw the three arrows with labels on free sides; an arrow is pale inside its cone."""
    leans = [float(np.arctan2(along[0], along[2])) for along, _, _, _ in arrows]
    for (along, words, colour, half), lean in zip(arrows, leans, strict=True):
        tip = (_OMEGA_LENGTH if half is None else _LENGTH) * along
        hidden = 0.0 if half is None else float(np.cos(half)) / _LENGTH
        pointer(axes, tip, hidden=hidden, camera=_CAMERA, colour=colour)
        side = "left" if lean == min(leans) else ("right" if lean == max(leans) else "center")
        label(axes, words, _CAMERA.project(tip), colour=mixed(colour, INK, 0.3), side=side)


def _fit(axes: "Axes", cones: list[Cone], theta: float) -> None:
    places = [_CAMERA.project(cone.rim()) for cone in cones]
    places.append(_CAMERA.project(_LENGTH * np.array([[0.0, 0.0, 1.0], _leaning(theta), _leaning(-theta)])))
    points = np.vstack((*places, np.zeros((1, 2))))
    low, high = points.min(axis=0), points.max(axis=0)
    axes.set_xlim(float(low[0]) - 0.25, float(high[0]) + 0.25)
    axes.set_ylim(float(low[1]) - 0.12, float(high[1]) + 0.18)


def _words(figure: "Figure", motion: AxisymmetricMotion) -> None:
    beta, theta = np.degrees(motion.beta), np.degrees(motion.theta)
    body, space = np.degrees(motion.body_cone), np.degrees(motion.space_cone)
    parts = (
        (0.03, f"space cone, half angle {space:.4g}°", mixed(_SPACE, INK, 0.45)),
        (0.6, f"body cone, half angle {body:.4g}°", mixed(_BODY, INK, 0.2)),
    )
    for x, words, colour in parts:
        figure.text(x, 0.085, "■ " + words, color=colour, fontsize=11.5)
    figure.text(
        0.03, 0.05, f"H = {motion.momentum:.5g} N m s,  φ̇ = {motion.precession:.5g} rad/s about H", fontsize=9.5
    )
    figure.text(0.6, 0.05, f"ψ̇ = {motion.spin:.5g} rad/s about z".replace("-", "−"), fontsize=9.5)
    figure.text(0.03, 0.018, f"θ = {theta:.4g}° from H to z,  β = {beta:.4g}° from z to ω", fontsize=9.5)
    figure.text(0.6, 0.018, f"I/I₀ = {motion.axial / motion.transverse:.4g},  z: symmetry axis", fontsize=9.5)
