"""Charts of actuators and momentum: commanded and delivered torques, wheel speeds, limits."""

from typing import TYPE_CHECKING, Any

import numpy as np

from ...pictures.run.panels_kinds import Group, groups_of, is_wheel
from ..rounding import is_rounding, scale_of
from .chart import Chart, Limit, Line, axis_lines

if TYPE_CHECKING:
    from .series import SeriesStore

ACTUATORS, MOMENTUM, ELEMENTS = "Actuators", "Rate and momentum", "Elements"
DEGREES = float(np.degrees(1.0))
NAMED = 12
COLOURS = ("x", "y", "z", "ink")


def numbered(n: int) -> tuple[str, int]:
    """Return colour and dash of the n-th line in a chart whose lines are not the axes x, y, z."""
    return COLOURS[n % len(COLOURS)], (n + n // len(COLOURS)) % 3


def actuator_charts(store: "SeriesStore") -> list[Chart]:
    """Return charts of commanded torques, motor torques and wheel speeds, each with its limits."""
    run = store.run
    charts: list[Chart] = []
    if run.law is not None and "steered_torque" not in run.names:  # gyros take over the command
        both = "command_wheels" in run.names
        for port, basis in run.craft.ports.items():
            name = f"command_{port}" if both else "command"
            columns = store.quantity(name)
            for key, values in columns.items():
                store.add(key, values)
            limits = sorted({float(each) for each in basis.limits() if each < 1e100})
            axes = basis.name == "body"
            where = {"wheels": "to the wheels", "external": "from outside"}[port] if both else ""
            charts.append(
                Chart(
                    id=name.replace("_", "-"),
                    title=f"Commanded torque {where}".strip(),
                    group=ACTUATORS,
                    unit="N m",
                    lines=axis_lines(
                        name,
                        [key.removeprefix(f"{name}.") for key in columns],
                        words="body" if axes else basis.name,
                        held=True,
                    ),
                    limits=_both_sides(limits, "torque limit"),
                )
            )
    charts += _motors(store)
    return [*charts, *(_group_chart(store, group) for group in groups_of(run) if is_wheel(store.run, group))]


def _both_sides(limits: "list[float]", label: str) -> tuple[Limit, ...]:
    return tuple(Limit(value=sign * each, label=label) for each in limits for sign in (1.0, -1.0))


def _motors(store: "SeriesStore") -> list[Chart]:
    run = store.run
    if not {"motor_torque", "motor_demand"} <= {*run.names}:
        return []
    torque, demand = store.quantity("motor_torque"), store.quantity("motor_demand")
    lines: list[Line] = []
    for n, ((key, values), (other, demanded)) in enumerate(zip(torque.items(), demand.items(), strict=True)):
        colour, dash = numbered(n)
        store.add(key, values)
        words = key.removeprefix("motor_torque.").replace("_", " ")
        lines.append(Line(key=key, label=words, colour=colour, dash=dash))
        if not np.allclose(values, demanded, rtol=1e-9, atol=1e-9 * float(np.abs(demanded).max(initial=0.0))):
            store.add(other, demanded)
            lines.append(Line(key=other, label=f"{words}, demanded", colour=colour, dash=2, faint=True))
    found: list[Any] = [getattr(element, "torque_limit", None) for element in run.craft.elements]
    limits = sorted({float(each) for each in found if each is not None})
    return [
        Chart(
            id="motor-torque", title="Motor torque", group=ACTUATORS, unit="N m", lines=tuple(lines),
            limits=_both_sides(limits, "torque limit"),
        )
    ]  # fmt: skip


def _group_chart(store: "SeriesStore", group: Group) -> Chart:
    keys, columns = list(store.quantity(group.quantity)), list(store.quantity(group.quantity).values())
    lines: list[Line] = []
    for n, column in enumerate(group.columns[:NAMED]):
        colour, dash = numbered(n)
        words = keys[column].removeprefix(f"{group.quantity}.").replace("_", " ")
        words = words.removesuffix(" angle") if group.quantity == "internal_rate" else words
        store.add(keys[column], columns[column])
        lines.append(Line(key=keys[column], label=words, colour=colour, dash=dash))
    wheels = is_wheel(store.run, group)
    angle = group.unit in {"rad", "rad/s"} and not wheels
    left = len(group.columns) - NAMED
    return Chart(
        id=group.name.replace("_", "-"),
        title=group.title.replace("relative rate", "speed relative to the hub" if wheels else "relative rate"),
        group=ACTUATORS if wheels else ELEMENTS,
        unit=group.unit.replace("rad", "deg") if angle else group.unit,
        factor=DEGREES if angle else 1.0,
        lines=tuple(lines),
        limits=_both_sides(list(group.limits), "speed limit"),
        note=f"{left} more are in the run file." if left > 0 else "",
    )


def momentum_charts(store: "SeriesStore") -> list[Chart]:
    """Return charts of body rate, and of total momentum if it changes or wheels store it."""
    run = store.run
    for key, values in store.quantity("rate").items():
        store.add(key, values)
    charts = [
        Chart(id="rate", title="Body rate", group=MOMENTUM, unit="deg/s", factor=DEGREES, lines=axis_lines("rate"))
    ]
    for name, title in (
        ("inertial_momentum", "Total angular momentum in inertial axes"),
        ("momentum", "Total angular momentum in body axes"),
    ):
        columns = store.quantity(name)
        if is_rounding(run.values(name), scale_of(run, "N m s")):
            continue
        for key, values in columns.items():
            store.add(key, values)
        charts.append(
            Chart(
                id=name.replace("_", "-"),
                title=title,
                group=MOMENTUM if name == "inertial_momentum" else "Attitude and loads",
                unit="N m s",
                lines=axis_lines(name, words="inertial" if name == "inertial_momentum" else "body"),
            )
        )
    return charts


def element_charts(store: "SeriesStore") -> list[Chart]:
    """Return charts of nutation, of elements other than wheels, and of arm deflections."""
    from ..metrics.nutation import why_no_spin

    run = store.run
    charts: list[Chart] = []
    if not why_no_spin(run):
        store.add("nutation", run.values("nutation"))
        line = Line(key="nutation", label="momentum to spin axis", colour="x")
        charts.append(
            Chart(id="nutation", title="Nutation angle", group=ELEMENTS, unit="deg", factor=DEGREES, lines=(line,))
        )
    charts += [_group_chart(store, group) for group in groups_of(run) if not is_wheel(store.run, group)]
    return [*charts, *_arms(store)]


def _arms(store: "SeriesStore") -> list[Chart]:
    """Return the chart of the largest transverse deflection of each arm tip since the previous row."""
    run = store.run
    if "tip_deflection" not in run.names:
        return []
    far = [np.abs(run.values(f"tip_deflection_{end}")[:, :, 1:]) for end in ("lowest", "highest")]
    across = np.linalg.norm(np.maximum(*far), axis=2)
    lines: list[Line] = []
    for arm in range(across.shape[1]):
        key, (colour, dash) = f"tip_across_largest.arm_{arm + 1}", numbered(arm)
        store.add(key, across[:, arm])
        lines.append(Line(key=key, label=f"arm {arm + 1}", colour=colour, dash=dash))
    most = float(across.max(initial=0.0))
    if most == 0.0:
        return []
    return [
        Chart(
            id="tips", title="Tip deflection across the arm", group=ELEMENTS, unit="m", lines=tuple(lines), log=True,
            floor=1e-9 * most, note="Largest value over all integration steps since the previous row.",
        )
    ]  # fmt: skip
