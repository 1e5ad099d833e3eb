"""Pictures of a flexible satellite's run: the hub, the arms, and the nodes as the source document plots them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...plant.attitude import matrix_G, parse_sequence, to_euler_angles
from ...plant.torque.kernels import EULER, components
from ..pictures.palette import INK, stroke
from ..schema.satellite_run import SatelliteFigureTable
from .flight import Flight
from .nodes import NodeHistory, node_histories

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["flight_figures"]

Array = NDArray[np.float64]


def flight_figures(flight: Flight, *, name: str) -> "dict[str, Figure]":
    """Draw hub, arms and the `[[figures]]` of the case.

    Parameters
    ----------
    flight : Flight
        What was flown.
    name : str
        The case's name.

    Returns
    -------
    dict
        From file name without ending to figure.
    """
    drawn = {"hub": _hub(flight, name), "arms": _arms(flight, name)}
    if flight.case.figures:
        nodes = node_histories(flight.run)
        for table in flight.case.figures:
            drawn[f"figure_{table.name}"] = _nodes(flight.run.t, nodes, table)
    return drawn


def _page(rows: int, title: str) -> "tuple[Figure, list[Axes]]":
    from ...sim.page import new_page

    figure = new_page((8.0, 2.1 * rows + 0.9), dpi=120)
    figure.suptitle(title, fontsize="medium")
    return figure, list(np.ravel(figure.subplots(rows, 1, sharex=True, squeeze=False)))


def _finish(axes: "Sequence[Axes]", end: float) -> None:
    for each in axes:
        each.grid(True, color="#dddddd", linewidth=0.6)
        each.set_axisbelow(True)
        each.spines[["top", "right"]].set_visible(False)
        each.set_xlim(0.0, end)
    axes[-1].set_xlabel("time (s)")


def _legend(axes: "Axes", names: Sequence[str]) -> None:
    from matplotlib.lines import Line2D

    strokes: list[Any] = [stroke(k) for k in range(len(names))]
    lines = [Line2D([], [], **each, linewidth=1.5) for each in strokes]
    axes.legend(lines, names, loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=5, fontsize="small", frameon=False)


def _hub(flight: Flight, name: str) -> "Figure":
    run = flight.run
    acting = bool(run.torque.any())
    figure, axes = _page(3 if acting else 2, f"{name}: {flight.case.title}")
    parts: list[tuple[Array, str, Sequence[str]]] = [
        (np.degrees(run.values("rate")), "rate (deg/s)", ("x", "y", "z")),
        (run.values("attitude"), "Euler parameters", ("e0", "e1", "e2", "e3")),
    ]
    if acting:
        parts.append((run.torque, "torque (N m)", ("x", "y", "z")))
    for ax, (values, words, labels) in zip(axes, parts, strict=True):
        for k, label in enumerate(labels):
            ax.plot(run.t, values[:, k], **stroke(k), linewidth=1.0, label=label)
        ax.set_ylabel(words)
        _legend(ax, labels)
    _finish(axes, float(run.t[-1]))
    return figure


def _arms(flight: Flight, name: str) -> "Figure":
    run = flight.run
    every = float(np.diff(run.t).max())
    coarse = every > 1.5 * run.step  # lines through such rows would show a vibration that is not there
    words = f"{name}: tips of the arms and strain energy"
    if coarse:
        words += f"\nfrom least to most between rows {every:.3g} s apart"
    figure, axes = _page(3, words)
    low, high = run.values("tip_deflection_lowest"), run.values("tip_deflection_highest")
    for axis in (1, 2):
        scale, unit = _scaled(float(np.maximum(np.abs(low), np.abs(high))[:, :, axis].max()))
        for arm, style in enumerate(_styles(0.5 * (low + high)[:, :, axis])):
            if coarse:
                look = {"color": style["color"], "hatch": "////" if arm and _dashed(style) else ""}
                _band(axes[axis - 1], run.t, scale * low[:, arm, axis], high=scale * high[:, arm, axis], style=look)
            else:
                axes[axis - 1].plot(run.t, scale * run.values("tip_deflection")[:, arm, axis], **style)
        axes[axis - 1].set_ylabel(f"tip along {' mn'[axis]} ({unit})")
    _legend(axes[0], [f"arm {arm + 1}" for arm in range(low.shape[1])])
    if coarse:
        energy = run.values("strain_energy_lowest"), run.values("strain_energy_highest")
        _band(axes[2], run.t, energy[0], high=energy[1], style={"color": INK})
    else:
        axes[2].plot(run.t, run.values("strain_energy"), color=INK, linewidth=1.0)
    axes[2].set_ylabel("strain energy (J)")
    _finish(axes, float(run.t[-1]))
    return figure


def _band(axes: "Axes", t: Array, low: Array, *, high: Array, style: dict[str, Any]) -> None:
    """Everything between least and most since the row before; hatched where it lies on another."""
    look: dict[str, Any] = {"color": style["color"], "alpha": 0.8, "linewidth": 0.6}
    if style.get("hatch"):
        look = {"facecolor": "none", "edgecolor": style["color"], "hatch": style["hatch"], "linewidth": 0.8}
        look["linestyle"] = (0.0, (6.0, 6.0))
    axes.fill_between(t, low, high, step="pre", **look)


def _dashed(style: dict[str, Any]) -> bool:
    """Whether a line lies on another, so that both are dashed."""
    return not isinstance(style["linestyle"], str)


def _scaled(size: float) -> tuple[float, str]:
    if size >= 0.1:
        return 1.0, "m"
    if size >= 1e-4:
        return 1e3, "mm"
    return 1e6, "um"


def _styles(values: Array) -> list[dict[str, Any]]:
    """Lines of shape (n, lines): solid, or interleaved dashes where they all lie on top of each other."""
    spread = np.ptp(values, axis=1)
    together = bool(np.nanmax(spread, initial=0.0) <= 0.03 * (np.nanmax(values) - np.nanmin(values)))
    count = values.shape[1]
    styles: list[dict[str, Any]] = []
    for k in range(count):
        style: dict[str, Any] = {**stroke(k), "linewidth": 1.8 if together else 1.0}
        if together and count > 1:
            style["linestyle"] = (8.0 * (count - k) / 1.8, (8.0 / 1.8, 8.0 * (count - 1) / 1.8))
        styles.append(style)
    return styles


def _nodes(t: Array, nodes: Sequence[NodeHistory], table: SatelliteFigureTable) -> "Figure":
    rows = [_values(node, table) for node in nodes]
    words = _words(table)
    figure, axes = _page(len(words), table.caption)
    for k, ax in enumerate(axes):
        lines = np.stack([values[:, k] for values in rows], axis=1)
        for node, line, style in zip(nodes, lines.T, _styles(lines), strict=True):
            ax.plot(t, line, label=node.label, **style)
        ax.set_ylabel(words[k])
        if np.nanmax(np.abs(lines)) < 1e-12:
            ax.set_ylim(-1.0, 1.0)  # rounding alone
    _legend(axes[0], [node.label for node in nodes])
    _finish(axes, float(t[-1]))
    return figure


def _words(table: SatelliteFigureTable) -> tuple[str, ...]:
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


def _values(node: NodeHistory, table: SatelliteFigureTable) -> Array:
    kind = table.kind
    if kind == "displacement":
        return node.place - node.place[0]
    if kind == "velocity":
        return node.velocity
    if kind == "euler-parameters":
        return node.attitude
    if kind == "euler-parameter-rates":
        return np.array([0.5 * matrix_G(e).T @ w for e, w in zip(node.attitude, node.rate, strict=True)])
    assert table.sequence is not None  # noqa: S101 # the schema sees to it
    if kind == "euler-angles":
        angles = np.degrees(to_euler_angles(node.attitude, table.sequence))
        drawn = angles.copy()
        drawn[1:][np.abs(np.diff(angles, axis=0)) > 180.0] = np.nan  # from one end of the range to the other
        return drawn
    axes = parse_sequence(table.sequence)
    with np.errstate(all="ignore"):
        return np.array([components(EULER, *axes, *e, *w) for e, w in zip(node.attitude, node.rate, strict=True)])
