"""Figures with of = "nodes": motion of the hub and of flexible-arm nodes, as plotted by Choi (2014)."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...plant.attitude import matrix_G, parse_sequence, to_euler_angles
from ...plant.loads.torque.torque_kernels import EULER, components
from ..case.schema.figures import FigureTable
from ..pictures.run.stacked import finish, legend, page, styles
from .nodes import NodeHistory, node_histories

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ...sim import Run

Array = NDArray[np.float64]


def draw_nodes(run: "Run", table: FigureTable) -> "Figure":
    """Draw one quantity of the hub and the nodes over time, with one panel per component.

    run: run of a spacecraft with flexible arms; table: quantity to draw. Returns the figure with stacked panels.
    """
    nodes, t = node_histories(run), run.t
    rows = [_values(node, table) for node in nodes]
    words = _words(table)
    figure, axes = page(len(words), table.caption)
    for k, ax in enumerate(axes):
        lines = np.stack([values[:, k] for values in rows], axis=1)
        for node, line, style in zip(nodes, lines.T, styles(lines), strict=True):
            ax.plot(t, line, label=node.label, **style)
        ax.set_ylabel(words[k])
        if np.nanmax(np.abs(lines)) < 1e-12:
            ax.set_ylim(-1.0, 1.0)  # zero within rounding
    legend(axes[0], [node.label for node in nodes])
    finish(axes, float(t[-1]) if table.to_s is None else table.to_s)
    return figure


def _words(table: FigureTable) -> tuple[str, ...]:
    kind = table.kind
    if kind == "displacement":
        return ("u (m)", "v (m)", "w (m)")
    if kind == "velocity":
        return ("du/dt (m/s)", "dv/dt (m/s)", "dw/dt (m/s)")
    if kind == "euler-parameters":
        return ("e0", "e1", "e2", "e3")
    if kind == "euler-parameter-rates":
        return ("de0/dt (1/s)", "de1/dt (1/s)", "de2/dt (1/s)", "de3/dt (1/s)")
    axes = ["xyz"[axis] for axis in parse_sequence(table.sequence or "1-2-3")]
    if kind == "euler-angles":
        return tuple(f"angle {n}, {axis} (deg)" for n, axis in enumerate(axes, start=1))
    return tuple(f"rate {n}, {axis} (rad/s)" for n, axis in enumerate(axes, start=1))


def _values(node: NodeHistory, table: FigureTable) -> Array:
    kind = table.kind
    if kind == "displacement":
        return node.place - node.place[0]
    if kind == "velocity":
        return node.velocity
    if kind == "euler-parameters":
        return node.attitude
    if kind == "euler-parameter-rates":
        return np.array([0.5 * matrix_G(e).T @ w for e, w in zip(node.attitude, node.rate, strict=True)])
    assert table.sequence is not None  # noqa: S101 # the schema checks it
    if kind == "euler-angles":
        angles = np.degrees(to_euler_angles(node.attitude, table.sequence))
        drawn = angles.copy()
        drawn[1:][np.abs(np.diff(angles, axis=0)) > 180.0] = np.nan  # leave a gap where the angle wraps
        return drawn
    axes = parse_sequence(table.sequence)
    with np.errstate(all="ignore"):
        return np.array([components(EULER, *axes, *e, *w) for e, w in zip(node.attitude, node.rate, strict=True)])
