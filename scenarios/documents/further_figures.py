"""Additional figures from `[[figures]]`: quantities over time, as plotted in the source documents."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...plant.attitude import rotation_matrix, to_euler_angles
from ...plant.attitude.sequences import parse_sequence
from ...plant.loads.torque.torque_kernels import EULER, components
from ..case.schema.figures import FigureTable
from ..pictures.palette import stroke

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ...sim import Run

Array = NDArray[np.float64]
Lines = tuple[Array, Sequence[str], str]


def document_figures(run: "Run", tables: Sequence[FigureTable]) -> "dict[str, Figure]":
    """Draw the additional figures of a case.

    tables: `[[figures]]`. Returns the figures by file name without suffix; empty if the run ended at its start.
    """
    if not run.t[-1] > 0.0:
        return {}
    return {f"figure_{table.name}": _draw(run, table) for table in tables}


def _draw(run: "Run", table: FigureTable) -> "Figure":
    from ...sim.results.page import new_page

    if table.of == "nodes":
        from .node_figures import draw_nodes

        return draw_nodes(run, table)
    values, labels, unit = KINDS[table.kind](run, table)
    figure = new_page((8.0, 4.5), dpi=120)
    figure.suptitle(table.caption, fontsize="medium")
    axes = figure.subplots()
    shown = run.t <= (np.inf if table.to_s is None else table.to_s * (1.0 + 1e-9))
    for index, label in enumerate(labels):
        axes.plot(run.t[shown], values[shown, index], **stroke(index), linewidth=1.0, label=label)
    axes.set_xlabel("time (s)")
    axes.set_ylabel(unit)
    axes.grid(True, color="#dddddd", linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)
    axes.set_xlim(0.0, float(run.t[-1]) if table.to_s is None else table.to_s)
    axes.legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=4, fontsize="small", frameon=False)
    return figure


def _momentum(run: "Run", _: FigureTable) -> Lines:
    return run.values("momentum"), ("h1", "h2", "h3"), "angular momentum, body axes (N m s)"


def _normalised(run: "Run", _: FigureTable) -> Lines:
    h = run.values("momentum")
    return h / np.linalg.norm(h, axis=1)[:, None], ("h1/|h|", "h2/|h|", "h3/|h|"), "normalised angular momentum"


def _parameters(run: "Run", _: FigureTable) -> Lines:
    return run.values("attitude"), ("e0", "e1", "e2", "e3"), "Euler parameters"


def _angles(run: "Run", table: FigureTable) -> Lines:
    assert table.sequence is not None  # noqa: S101 # the schema checks it
    angles = np.degrees(to_euler_angles(run.values("attitude"), table.sequence))
    jumps = np.abs(np.diff(angles, axis=0)) > 180.0  # the angle wraps at the end of its range
    drawn = angles.copy()
    drawn[1:][jumps] = np.nan
    return drawn, _names(table.sequence, ""), f"Euler angles {table.sequence} (deg)"


def _rates(run: "Run", table: FigureTable) -> Lines:
    assert table.sequence is not None  # noqa: S101 # the schema checks it
    axes = parse_sequence(table.sequence)
    with np.errstate(all="ignore"):
        # the Euler rates adot_n = g^n . omega are the components of omega in the Euler basis
        rows = [
            components(EULER, *axes, *e, *omega)
            for e, omega in zip(run.values("attitude"), run.values("rate"), strict=True)
        ]
    return np.array(rows, dtype=np.float64), _names(table.sequence, "'"), f"Euler rates {table.sequence} (rad/s)"


def _names(sequence: str, mark: str) -> tuple[str, ...]:
    return tuple(f"angle {n}{mark} about {'xyz'[axis]}" for n, axis in enumerate(parse_sequence(sequence), 1))


def _position(run: "Run", table: FigureTable) -> Lines:
    """Return the position of a body point, relative to the pivot if there is one."""
    craft = run.craft
    if craft.translation:
        start: Any = run.values("position")
    else:
        pivot = np.zeros(3) if craft.body.pivot is None else craft.body.pivot
        start = np.array([-rotation_matrix(e) @ pivot for e in _unit(run)])
    point = np.array(table.point_m)
    offset = np.array([rotation_matrix(e) @ point for e in _unit(run)])
    return start + offset, ("x", "y", "z"), "position, inertial axes (m)"


def _unit(run: "Run") -> Array:
    e = run.values("attitude")
    return e / np.linalg.norm(e, axis=1)[:, None]


KINDS: Mapping[str, Callable[["Run", FigureTable], Lines]] = {
    "euler-angles": _angles,
    "euler-parameters": _parameters,
    "euler-rates": _rates,
    "momentum": _momentum,
    "normalised-momentum": _normalised,
    "position": _position,
}
"""Function of each plotted quantity; it returns values, curve names, and the axis label with unit."""
