"""Create faults of wheels, magnetorquers and signals, and health signals, from `[[faults]]`."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ....controllers.contracts.signal import TIMESTAMPED
from ....controllers.loop.routes import COMMAND, OF_PORT
from ....plant import WheelFault
from ....plant.checks import choice
from ....plant.errors import InputError
from ....plant.loads.torque.wheel_fault import parts_with_faults
from ..located import located
from .thruster_blocks import thruster_names

if TYPE_CHECKING:
    from ....controllers import Block
    from ....plant import Spacecraft
    from ..schema import Case
    from ..schema.fault import FaultTable

TORQUERS = tuple(f"magnetorquer_{axis}" for axis in "xyz")
THRUSTERS = "thrusters"
FACTORS = {"dead": 0.0, "reversed": -1.0}
SIGNAL_KINDS = {"stuck": "frozen", "dead": "scaled", "weak": "scaled", "reversed": "scaled"}
OF_SIGNALS = ("biased", "frozen", "dropped")
OF_COMMANDS = ("dead", "weak", "reversed", "stuck")


def wheel_faults(case: "Case", craft: "Spacecraft") -> tuple[WheelFault, ...]:
    """Return the wheel faults of a case, after checking the part of every fault.

    If a value is invalid, the message of the InputError begins with the key path.
    """
    wheels = tuple(parts_with_faults(craft))
    found: list[WheelFault] = []
    for index, table in enumerate(case.faults):
        with located(f"faults.{index}"):
            _require_part(case, table, wheels)
            if table.part in wheels:
                found.append(_wheel_fault(table))
                found[-1].numbers(craft)
    return tuple(found)


def _require_part(case: "Case", table: "FaultTable", wheels: Sequence[str]) -> None:
    """Raise InputError if the part of a fault is unknown, or cannot have a fault of this kind."""
    signals = ["rate", "attitude", COMMAND, *OF_PORT.values()] if case.controller is not None else []
    parts = {
        **dict.fromkeys(wheels, ("dead", "weak", "reversed", "stuck", "friction")),
        **dict.fromkeys(TORQUERS if case.plant.magnetorquers is not None else (), ("dead", "weak", "reversed")),
        **dict.fromkeys([THRUSTERS] if case.plant.thrusters is not None and signals else (), OF_COMMANDS),
        **dict.fromkeys(thruster_names(case), ("dead", "weak", "stuck")),
        **{each.label: OF_SIGNALS for each in case.sensors},
        **{each: OF_COMMANDS if each.startswith(COMMAND) else OF_SIGNALS for each in signals},
    }
    if not parts:
        raise InputError(f"part = {table.part!r}: the case has no part that can fail; add wheels or a [controller]")
    if table.part in TORQUERS and table.part not in parts:
        raise InputError(
            f"part = {table.part!r}: faults of magnetorquers act on those of [plant.magnetorquers], which the case "
            "does not have; the dipoles of a periodic-lqr controller have no faults (a fault of command scales or "
            "holds their torque)"
        )
    choice("part", table.part, tuple(parts))
    if table.kind not in parts[table.part]:
        raise InputError(
            f'kind = "{table.kind}" is not a fault of {table.part!r}; its faults are {", ".join(parts[table.part])}'
        )
    if table.part in TORQUERS and table.to_s is not None:
        raise InputError(f"to_s: the fault of {table.part} lasts to the end of the run; omit it")
    if table.detected_after_s is not None and case.controller is None:
        raise InputError("detected_after_s: a health signal requires a law with modes; add a [controller], or omit it")


def _wheel_fault(table: "FaultTable") -> WheelFault:
    kind = "weak" if table.kind == "reversed" else table.kind
    numbers: dict[str, Any] = {
        "share": -1.0 if table.kind == "reversed" else table.factor,
        "viscous": table.viscous_N_m_s,
        "coulomb": table.coulomb_N_m,
        "seizing_time": table.seizing_time_s,
    }
    given = {name: value for name, value in numbers.items() if value is not None}
    return WheelFault(kind, wheel=table.part, start=table.from_s, stop=table.to_s, **given)


def torquer_faults(case: "Case") -> dict[str, Any]:
    """Return factors and times of magnetorquer faults, as keyword arguments of `MagneticDamping`."""
    factors, times = np.ones(3), np.zeros(3)
    seen: set[str] = set()
    for index, table in enumerate(case.faults):
        if table.part not in TORQUERS:
            continue
        if table.part in seen:
            with located(f"faults.{index}"):
                raise InputError(f"{table.part} has two faults, but a magnetorquer can have only one; remove one")
        seen.add(table.part)
        n = TORQUERS.index(table.part)
        factors[n], times[n] = _factor(table), table.from_s
    return {"fault_factors": factors, "fault_times": times}


def _factor(table: "FaultTable") -> float:
    return FACTORS.get(table.kind, 1.0 if table.factor is None else table.factor)


def sensor_faults(case: "Case", found: "Sequence[Block]") -> "list[Block]":
    """Return the sensor blocks of a case, each followed by the blocks of its faults.

    found: sensor blocks in execution order.
    If a value is invalid, the message of the InputError begins with the key path.
    """
    labels = {table.label: table for table in case.sensors}
    blocks: list[Block] = []
    for sensor in found:
        blocks.append(sensor)
        for index, table in enumerate(case.faults):
            if table.part != sensor.name or table.part not in labels:
                continue
            with located(f"faults.{index}"):
                if labels[table.part].jitter_s > 0.0:
                    raise InputError(
                        f"part = {table.part!r}: a sensor with jitter_s has no fixed times at which it could fail; "
                        "omit jitter_s"
                    )
                name, signal = next(iter(sensor.writes.items()))
                clock = sensor.clock
                blocks.append(
                    _fault_block(
                        table, index, reads=name, width=signal.width, message=signal.role == TIMESTAMPED,
                        unit=signal.unit, sample=clock.period, offset=(clock.offset + clock.delay) % clock.period,
                    )
                )  # fmt: skip
    return blocks


def signal_faults(case: "Case", *, sample: float) -> "Iterator[Block]":
    """Yield the blocks of faults in the signals "rate" and "attitude".

    sample: sampling period of the law, s.
    If a value is invalid, the message of the InputError begins with the key path.
    """
    for index, table in enumerate(case.faults):
        if table.part in ("rate", "attitude"):
            with located(f"faults.{index}"):
                yield _fault_block(table, index, reads=table.part, sample=sample)


def command_faults(case: "Case", craft: "Spacecraft", *, commands: Sequence[str], sample: float) -> "Iterator[Block]":
    """Yield the blocks of command faults, which follow all other blocks.

    commands: command signals of the law; sample: sampling period of the law, s.
    If a value is invalid, the message of the InputError begins with the key path.
    """
    for index, table in enumerate(case.faults):
        part = table.part
        if part == THRUSTERS:
            part = OF_PORT["external"] if craft.external is not None and len(commands) > 1 else COMMAND
        if part.startswith(COMMAND):
            with located(f"faults.{index}"):
                choice("part", part, tuple(commands))
                yield _fault_block(table, index, reads=part, sample=sample)


def _fault_block(table: "FaultTable", index: int, **keys: Any) -> "Block":
    from ....controllers.laws.blocks import signal_fault

    value: Any = None
    if table.bias is not None:
        value = table.bias
    elif table.bias_deg is not None or table.bias_deg_s is not None:
        value = np.radians(table.bias_deg if table.bias_deg is not None else table.bias_deg_s or ())
        unit = "rad/s" if table.bias_deg_s is not None else "rad"
        own = keys.get("unit") or {"rate": "rad/s", "attitude": "rad"}.get(str(keys["reads"]), "")
        if own not in (unit, "1", "") or (unit == "rad/s") != (own == "rad/s"):
            raise InputError(
                f"bias: the unit of {table.part!r} is {own or 'none'}, not {unit}; use the key with its unit"
            )
    kind = SIGNAL_KINDS.get(table.kind, table.kind)
    if kind == "scaled":
        value = _factor(table)
    elif value is not None and len(value) == 1:
        value = float(value[0])
    keys = {"unit": "", **keys}
    return signal_fault(kind, start=table.from_s, stop=table.to_s, value=value, name=f"fault_{index + 1}", **keys)


def health_of(case: "Case", *, sample: float) -> "tuple[Block, ...]":
    """Return the block that writes the health signals; empty if no fault is ever detected.

    sample: sampling period of the block, s.
    """
    times: dict[str, list[tuple[float, float | None]]] = {}
    for table in case.faults:
        if table.detected_after_s is not None:
            begin = table.from_s + table.detected_after_s
            intervals = times.setdefault(table.part, [])
            if table.to_s is None or begin < table.to_s:
                intervals.append((begin, table.to_s))
    if not times:
        return ()
    from ....controllers.laws.blocks import health

    return (health(times, sample=sample),)
