"""Panels of a run: attitude error, rates, torque, invariants, Euler parameters."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ....plant import TorqueBasis
from ....sim.results.kinetic_energy import largest_kinetic_energy
from ....sim.results.momentum_scale import largest_momentum
from ...report.metrics.nutation import why_no_spin
from ...report.rounding import scale_of
from ..palette import AXIS_COLOURS, LIMIT, stroke
from .panels_pointing import draw_error, draw_error_axes, has_error
from .pulses_note import pulses_note
from .stacked import apart
from .swings import swings

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ....sim import Run

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Panel:
    """One panel of a figure.

    title: title above the axes.
    draw: function `draw(axes, run, band_deg)`.
    applies: function `applies(run)` that returns whether the run has data to draw.
    """

    title: str
    draw: Callable[["Axes", "Run", float], None]
    applies: Callable[["Run"], bool]


def _width(values: Array) -> float:
    """Return the line width, thinner for rapid oscillations."""
    return 0.7 if max(map(swings, values.T)) > 40 else 1.2


def time_unit(run: "Run") -> tuple[float, str]:
    """Return the unit of the time axis of a run: its length in seconds, and its symbol."""
    span = float(run.t[-1])
    if span > 4 * 3600.0:
        return 3600.0, "h"
    return (60.0, "min") if span > 3600.0 else (1.0, "s")


def _time(run: "Run") -> Array:
    return run.t / time_unit(run)[0]


def _attitude_error(axes: "Axes", run: "Run", band_deg: float) -> None:
    draw_error(axes, run, _time(run), band_deg=band_deg)


def _attitude_error_axes(axes: "Axes", run: "Run", band_deg: float) -> None:
    draw_error_axes(axes, run, _time(run), band_deg=band_deg)


def _looks(values: Array) -> list[dict[str, Any]]:
    """Return a style per column of (n, lines): its axis style, or a new dash if it would hide a line."""
    dashes, width = apart(values), _width(values)
    return [
        {**stroke(k), "linewidth": width, **({} if dashes[k] == "-" else {"linestyle": dashes[k]})}
        for k in range(values.shape[1])
    ]


def _rates(axes: "Axes", run: "Run", _: float) -> None:
    rate = np.degrees(run.values("rate"))
    for index, (look, name) in enumerate(zip(_looks(rate), "xyz", strict=True)):
        axes.plot(_time(run), rate[:, index], **look, label=f"body {name}")
    axes.set_ylabel("body rate (deg/s)")


def _momentum(axes: "Axes", run: "Run", _: float) -> None:
    momentum = run.values("inertial_momentum")
    for index, (look, name) in enumerate(zip(_looks(momentum), "xyz", strict=True)):
        axes.plot(_time(run), momentum[:, index], **look, label=f"inertial {name}")
    axes.set_ylabel("angular momentum (N m s)")


def _varies(name: str, unit: str) -> Callable[["Run"], bool]:
    """Return a function that tests whether a component of a quantity changes by more than 1e-9 of its magnitude.

    Smaller changes are integration errors, which the invariants show.
    """

    def varies(run: "Run") -> bool:
        return name in run.names and bool((np.ptp(run.values(name), axis=0) > 1e-9 * scale_of(run, unit)).any())

    return varies


def _torque(axes: "Axes", run: "Run", _: float) -> None:
    if run.law is None:
        _draw_torque(axes, run, "torque", None)
    else:
        _draw_torque(axes, run, "command", run.craft.torques)


def _torque_of(port: str) -> Callable[["Axes", "Run", float], None]:
    return lambda axes, run, _: _draw_torque(axes, run, f"command_{port}", run.craft.ports[port])


def _draw_torque(axes: "Axes", run: "Run", name: str, basis: TorqueBasis | None) -> None:
    """Draw a torque in body axes, or a command in its torque basis with limits."""
    commanded = basis is not None
    torque = run.values(name)
    names = "xyz" if basis is None or basis.sequence is None else "123"
    where = "body " if basis is None else f"{basis.name} "
    style = "default" if run.craft.potentials and not commanded else "steps-post"  # a command is held
    for index, (look, axis) in enumerate(zip(_looks(torque), names, strict=True)):
        axes.plot(_time(run), torque[:, index], **look, drawstyle=style, label=where + axis)
    if basis is not None and basis.limit is not None:
        for index, limit in enumerate(sorted({float(value) for value in basis.limits()})):
            for sign in (-1.0, 1.0):
                axes.axhline(
                    sign * limit,
                    color=LIMIT,
                    linestyle=":",
                    linewidth=1.2,
                    label="limit" if index == 0 and sign > 0 else None,
                )
        axes.margins(y=0.1)
    label = "commanded torque (N m)" if commanded else "torque on the body (N m)"
    axes.set_ylabel(label + pulses_note(run) if commanded else label)
    later = float(np.abs(torque[len(torque) // 2 :]).max())
    if 0.0 < later < 0.01 * float(np.abs(torque).max()):  # a short initial peak would flatten the rest
        whole = float(f"{1.5 * later:.0e}")
        axes.set_yscale("symlog", linthresh=whole, linscale=2.0)
        axes.margins(y=0.1)
        axes.set_yticks(_signed_ticks(whole, max(abs(each) for each in axes.get_ylim())))
        axes.set_yticks([], minor=True)
        axes.yaxis.set_major_formatter("{x:g}")
        axes.set_ylabel(f"{axes.get_ylabel()},\nlogarithmic beyond {whole:g}")


def _signed_ticks(whole: float, largest: float) -> list[float]:
    """Return ticks of a symmetric log axis: zero, the ends of its linear part, and decades well beyond it."""
    first, last = int(np.ceil(np.log10(6.0 * whole))), int(np.floor(np.log10(largest)))
    step = max(1, (last - first) // 2)
    sizes = [whole, *(10.0**power for power in range(last, first - 1, -step))]
    return sorted({0.0, *sizes, *(-size for size in sizes)})


def _tilt(axes: "Axes", run: "Run", _: float) -> None:
    from ....plant.attitude.rotation_matrix import rotation_matrix

    arm, down = -np.asarray(run.craft.body.pivot), _down(run)
    along = rotation_matrix(run.values("attitude")) @ arm @ down / (np.linalg.norm(arm) * np.linalg.norm(down))
    tilt = np.degrees(np.arccos(np.clip(-along, -1.0, 1.0)))
    axes.plot(
        _time(run), tilt, color=AXIS_COLOURS[0], linewidth=_width(tilt[:, np.newaxis]), label="of the mass centre"
    )
    axes.set_ylabel("tilt from the vertical (deg)")


def _down(run: "Run") -> Array:
    """Return the direction of gravity, inertial components; zero if there is no gravity."""
    return np.sum([np.zeros(3), *(each.down for each in run.craft.potentials if each.down is not None)], axis=0)


def _hangs(run: "Run") -> bool:
    """Return whether uniform gravity acts on a body whose mass centre is not at its pivot."""
    pivot = run.craft.body.pivot
    return pivot is not None and bool(pivot.any()) and bool(_down(run).any())


def _invariants(axes: "Axes", run: "Run", _: float) -> None:
    lines: list[tuple[Array, str, str]] = []
    kinetic = largest_kinetic_energy(run, translation=False)
    if "energy_balance" in run.names and kinetic > 0.0:
        lines.append((np.abs(run.values("energy_balance")) / kinetic, AXIS_COLOURS[0], "energy less work"))
    most = largest_momentum(run)
    if "momentum_balance" in run.names and most > 0.0:
        error = _size(run.values("momentum_balance")) / most
        lines.append((error, AXIS_COLOURS[1], "momentum less impulse"))
    lines.append((np.abs(_size(run.values("attitude")) - 1.0), AXIS_COLOURS[2], "norm of e less 1"))
    for values, colour, label in lines:
        noise = float(values.max()) < 1e-15  # only round-off: points, since lines would fill the panel
        axes.semilogy(
            _time(run),
            np.where(values > 0.0, values, np.nan),  # a logarithmic axis cannot show zero
            "." if noise else "-",
            color=colour,
            linewidth=1.0,
            markersize=2.0,
            label=label,
        )
    top = max(float(values.max()) for values, _, _ in lines)
    axes.set_ylim(1e-17, max(10.0 * top, 1e-14))
    axes.set_ylabel("relative error")


def _size(vectors: Array) -> Array:
    return np.sqrt((vectors**2).sum(axis=1))


def _euler_parameters(axes: "Axes", run: "Run", _: float) -> None:
    e = run.values("attitude")
    looks = _looks(np.roll(e, -1, axis=1))  # give e1, e2, e3 the colours of x, y, z
    for index in range(4):
        look = looks[(index - 1) % 4]
        axes.plot(_time(run), e[:, index], **look, label=f"e{index}")
    axes.set_ylabel("e, scalar first")
    axes.set_ylim(-1.08, 1.08)


def _position(axes: "Axes", run: "Run", _: float) -> None:
    place = run.values("position")
    for index, (look, name) in enumerate(zip(_looks(place), "xyz", strict=True)):
        axes.plot(_time(run), place[:, index], **look, label=f"inertial {name}")
    axes.set_ylabel("position (m)")


def _multiplier(axes: "Axes", run: "Run", _: float) -> None:
    value = run.values("multiplier")
    axes.plot(
        _time(run), value, color=AXIS_COLOURS[0], linewidth=_width(value[:, np.newaxis]), label="of the norm of e"
    )
    axes.set_ylabel("multiplier (N m)")


def _with_elements(name: str) -> Callable[["Axes", "Run", float], None]:
    def draw(axes: "Axes", run: "Run", _: float) -> None:
        from . import panels_elements

        getattr(panels_elements, name)(axes, run, _time(run))

    return draw


def _induction(axes: "Axes", run: "Run", _: float) -> None:
    value, time = run.values("induction"), _time(run)
    for number, column in enumerate(value.T):
        axes.plot(time, column, **stroke(number), linewidth=_width(value), label=f"rod {number + 1}")
    axes.set_ylabel("induction (T)")


def _knowledge(axes: "Axes", run: "Run", _: float) -> None:
    from .panels_knowledge import draw_knowledge

    draw_knowledge(axes, run, _time(run))


def _budget(axes: "Axes", run: "Run", _: float) -> None:
    from .panels_environment import draw_torque_budget

    draw_torque_budget(axes, run, _time(run))


def _has_budget(run: "Run") -> bool:
    """Return whether environment torques act; nothing is imported if no load varies with time."""
    if not run.craft.time_dependent:
        return False
    from .panels_environment import has_torque_budget

    return has_torque_budget(run)


def _wanders(run: "Run") -> bool:
    """Return whether the run has translation and the mass centre moves by more than round-off."""
    return "position" in run.names and float(np.ptp(run.values("position"), axis=0).max()) > 1e-9


def _has_both(run: "Run") -> bool:
    return run.law is not None and run.craft.external is not None


def _spins(run: "Run") -> bool:
    return not why_no_spin(run)


PANELS = {
    "attitude_error_axes": Panel("Attitude error about each axis", _attitude_error_axes, has_error),
    "attitude_error": Panel("Attitude error, total angle", _attitude_error, lambda run: run.reference is not None),
    "torque": Panel(
        "Torque",
        _torque,
        lambda run: (
            not _has_both(run)
            and "steered_torque" not in run.names  # control moment gyros apply it: no external torque
            and (run.law is not None or bool(run.values("torque").any()))
        ),
    ),
    "torque_wheels": Panel("Torque of the wheels", _torque_of("wheels"), _has_both),
    "torque_external": Panel("Torque from outside", _torque_of("external"), _has_both),
    "torque_budget": Panel("Torques of the environment", _budget, _has_budget),
    "motor_torque": Panel(
        "Motors", _with_elements("draw_motor_torque"), lambda run: {"motor_torque", "motor_demand"} <= {*run.names}
    ),
    "rates": Panel("Body rates", _rates, lambda _: True),
    "momentum": Panel("Total angular momentum", _momentum, _varies("inertial_momentum", "N m s")),
    "nutation": Panel("Nutation", _with_elements("draw_nutation"), _spins),
    "spin": Panel("Spin", _with_elements("draw_spin"), _spins),
    "tilt": Panel("Tilt", _tilt, _hangs),
    "tips": Panel("Arms: tips", _with_elements("draw_tips"), lambda run: "tip_deflection" in run.names),
    "knowledge_error": Panel("Attitude knowledge", _knowledge, lambda run: "knowledge_error" in run.names),
    "energy": Panel("Energy", _with_elements("draw_energy"), lambda run: bool(run.craft.elements)),
    "induction": Panel("Hysteresis rods", _induction, lambda run: "induction" in run.names),
    "position": Panel("Mass centre", _position, _wanders),
    "multiplier": Panel("Multiplier", _multiplier, _varies("multiplier", "N m")),
    "euler_parameters": Panel("Euler parameters", _euler_parameters, lambda _: True),
    "invariants": Panel("Invariants", _invariants, lambda _: True),
}
"""All panels of runs by file name, most important first. `panels_of` adds panels of elements and blocks."""

LAST = ("energy", "position", "multiplier", "euler_parameters", "invariants")
"""Diagnostic panels, which follow the panels of elements and blocks."""


def panels_of(run: "Run") -> dict[str, Panel]:
    """Return the panels that apply to a run, by file name."""
    from .panels_blocks import block_panels
    from .panels_kinds import groups_of, is_wheel, kind_panels

    chosen = {name: panel for name, panel in PANELS.items() if panel.applies(run)}
    if "attitude_error" not in chosen:  # a run with pure rate damping is judged by its rates
        chosen = {"rates": chosen.pop("rates"), **chosen}
    kinds = {name: Panel(title, _in_time(draw), _always) for name, (title, draw) in kind_panels(run).items()}
    blocks = {name: Panel(title, _in_time(draw), _always) for name, (title, draw) in block_panels(run).items()}
    found: dict[str, Panel] = {}
    for name, panel in chosen.items():
        if name not in LAST:
            if name == "rates":  # actuators precede the motion of the spacecraft
                wheels = {group.name for group in groups_of(run) if is_wheel(run, group)}
                found |= {each: kind for each, kind in kinds.items() if each in wheels}
            found[name] = panel
    return {**found, **kinds, **blocks, **{name: chosen[name] for name in LAST if name in chosen}}


def _in_time(draw: "Callable[[Axes, Run, Array], None]") -> "Callable[[Axes, Run, float], None]":
    return lambda axes, run, _: draw(axes, run, _time(run))


def _always(_: "Run") -> bool:
    return True
