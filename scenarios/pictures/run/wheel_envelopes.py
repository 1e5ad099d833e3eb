"""Torque and momentum envelopes of the wheels, with the torque and momentum of a run drawn inside."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..palette import AXIS_COLOURS, FAINT, LIMIT

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ....sim import Run

Array = NDArray[np.float64]

PLANES = ((0, 1), (0, 2), (1, 2))
FEWEST = 3
"""Smallest number of motors whose envelope has a volume."""


def zonogon(generators: Array) -> Array:
    """Return the corners of a planar zonogon, counter-clockwise.

    generators (n, 2) -> (2 n, 2): the zonogon is the set of all sums of generators with coefficients from -1 to 1.
    Parallel generators give corners of 180 deg.
    """
    upward = np.where((generators[:, 1:] < 0.0) | ((generators[:, 1:] == 0.0) & (generators[:, :1] < 0.0)), -1.0, 1.0)
    turned = upward * generators
    ordered = turned[np.argsort(np.arctan2(turned[:, 1], turned[:, 0]))]
    half = -ordered.sum(axis=0) + 2.0 * np.cumsum(ordered, axis=0)
    return np.concatenate([half, -half])


def shared_outline(shares: Array, limits: Array, plane: tuple[int, int]) -> Array:
    """Return the projected outline of the torques that a fixed allocation gives without saturation.

    shares (n, 3): torque of each motor per unit torque on the hub; limits (n,): N m; plane: the two axes shown
    -> (k, 2): corners of the projection of {tau: abs(shares tau) <= limits}, counter-clockwise.
    """
    from scipy.spatial import ConvexHull, HalfspaceIntersection

    forms = np.vstack([shares, -shares]) / np.concatenate([limits, limits])[:, None]
    kept = forms[np.linalg.norm(forms, axis=1) > 0.0]
    faces = np.column_stack([kept, -np.ones(len(kept))])
    corners = HalfspaceIntersection(faces, np.zeros(3)).intersections[:, list(plane)]
    return np.asarray(corners[ConvexHull(corners).vertices], dtype=np.float64)


def _motors(run: "Run") -> tuple[list[Any], list[int]]:
    """Return the wheels with torque-limited motors, and the index of each wheel's coordinate."""
    found: list[Any] = []
    columns: list[int] = []
    column = 0
    for element in run.craft.elements:
        if _follows(element):
            found.append(element)
            columns.append(column)
        column += len(element.coordinates)
    return found, columns


def draw_wheel_envelopes(run: "Run", *, title: str) -> "Figure | None":
    """Draw the envelopes in three views; return None if fewer than three motors have a torque limit.

    The torque drawn for the run is the torque that the motors exert on the hub. The wheel momentum is computed from the
    relative rates, and its envelope is drawn if every wheel has a speed limit.
    """
    from ....sim.results.page import new_page

    wheels, columns = _motors(run)
    axes = np.array([wheel.axis for wheel in wheels]).reshape(-1, 3)
    if len(wheels) < FEWEST or np.linalg.matrix_rank(axes) < FEWEST or "motor_torque" not in run.names:
        return None
    limits = np.array([wheel.torque_limit for wheel in wheels], dtype=np.float64)
    torque = -run.values("motor_torque")[:, _motor_columns(run)] @ axes
    fastest = [wheel.speed_limit for wheel in wheels]
    bounded = all(speed is not None for speed in fastest)
    figure = new_page((11.0, 7.4 if bounded else 4.0), dpi=120)
    figure.suptitle(title)
    grid = figure.subplots(2 if bounded else 1, 3, squeeze=False)
    pseudo = not any(np.size(wheel.sharing) for wheel in wheels)
    shares = np.array([wheel.command for wheel in wheels])
    for view, plane in zip(grid[0], PLANES, strict=True):
        _outline(view, zonogon((limits[:, None] * axes)[:, list(plane)]), "within the limits of the wheels")
        if pseudo:
            inner = shared_outline(shares, limits, plane)
            view.fill(
                *inner.T, color=FAINT, alpha=0.25, linewidth=0.0, label="by the pseudo-inverse, without saturation"
            )
        _path(view, torque, plane, "N m")
    if bounded:
        inertia = np.array([wheel.inertia for wheel in wheels])
        momentum = (run.values("internal_rate")[:, columns] * inertia) @ axes
        most = inertia * np.array(fastest, dtype=np.float64)
        for view, plane in zip(grid[1], PLANES, strict=True):
            _outline(view, zonogon((most[:, None] * axes)[:, list(plane)]), "within the limits of the wheels")
            _path(view, momentum, plane, "N m s")
    for row, words in zip(grid, ("Torque on the hub", "Momentum of the wheels"), strict=False):
        row[0].set_title(words, loc="left")
    handles, labels = grid[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=4, fontsize="small", frameon=False)
    return figure


def _follows(element: object) -> bool:
    """Return whether an element is a wheel that follows a command with limited torque."""
    return getattr(element, "has_command", False) and getattr(element, "torque_limit", None) is not None


def _motor_columns(run: "Run") -> list[int]:
    """Return the columns of `motor_torque` that belong to the wheels with torque-limited motors."""
    motors = [element for element in run.craft.elements if getattr(element, "has_motor", False)]
    return [n for n, element in enumerate(motors) if _follows(element)]


def _outline(axes: "Axes", corners: Array, label: str) -> None:
    closed = np.vstack([corners, corners[:1]])
    axes.plot(*closed.T, color=LIMIT, linewidth=1.2, linestyle="--", label=label)


def _path(axes: "Axes", values: Array, plane: tuple[int, int], unit: str) -> None:
    first, second = (values[:, n] for n in plane)
    axes.plot(first, second, color=AXIS_COLOURS[0], linewidth=1.0, label="this run")
    axes.plot(first[0], second[0], "o", color=AXIS_COLOURS[0], markersize=4.0, label="start")
    axes.set_xlabel(f"{'xyz'[plane[0]]} ({unit})")
    axes.set_ylabel(f"{'xyz'[plane[1]]} ({unit})")
    axes.set_aspect("equal", adjustable="datalim")
    axes.grid(True, color="#e4e4e4", linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)
