"""Variables of an FMU, as both versions of the standard describe them."""

from dataclasses import dataclass

from ....plant import Spacecraft
from .kernels import SHOWN
from .model_c import FIRST, torque_places
from .outputs import ERROR, Output, rate_outputs
from .unit import Unit

AXES = "xyz"


@dataclass(frozen=True, kw_only=True)
class Variable:
    """One variable of an FMU.

    state: for a derivative, the index of its state. start: start value; None if computed. low, high: bounds. acting:
    for an output, the names of the variables on which it depends directly; None if not declared. unit: empty if
    unknown.
    """

    name: str
    reference: int
    unit: str
    words: str
    causality: str
    variability: str
    initial: str = ""
    start: float | None = None
    low: float | None = None
    high: float | None = None
    state: int | None = None
    acting: tuple[str, ...] | None = None


UNITS: dict[str, dict[str, int]] = {
    "1": {},
    "s": {"s": 1},
    "rad": {"rad": 1},
    "rad/s": {"rad": 1, "s": -1},
    "m": {"m": 1},
    "m/s": {"m": 1, "s": -1},
    "kg m/s": {"kg": 1, "m": 1, "s": -1},
    "N m": {"kg": 1, "m": 2, "s": -2},
    "N m s": {"kg": 1, "m": 2, "s": -1},
    "J": {"kg": 1, "m": 2, "s": -2},
    "J s": {"kg": 1, "m": 2, "s": -1},
    "kg": {"kg": 1},
    "kg/s": {"kg": 1, "s": -1},
    "kg m^2": {"kg": 1, "m": 2},
    "N/m": {"kg": 1, "s": -2},
    "N s/m": {"kg": 1, "s": -1},
    "1/s": {"s": -1},
    "N m/rad": {"kg": 1, "m": 2, "s": -2, "rad": -1},
    "N m s/rad": {"kg": 1, "m": 2, "s": -1, "rad": -1},
    "T": {"kg": 1, "s": -2, "A": -1},
    "kg^0.5 m": {},
    "kg^0.5 m/s": {},
}
"""Definition of each unit in base units; a unit that base units cannot express has only a name."""

OF_ATTITUDE = "Euler parameter, scalar first, body to inertial"


def variables_of(unit: Unit) -> list[Variable]:
    """Return the variables of an FMU: time, states, derivatives, computed outputs, torque."""
    layout, x = unit.craft.layout, unit.arrays.x
    names, units = layout.names, layout.units
    found = [
        Variable(name="time", reference=0, unit="s", words="time", causality="independent", variability="continuous")
    ]
    if unit.law_only:
        listed = [*found, *_plant_inputs(unit), *_torques(unit), *_target(unit), *_parameters(unit)]
        return [*listed, *_further(unit, listed)]
    for n, (name, of) in enumerate(zip(names, units, strict=True)):
        words = OF_ATTITUDE if name.startswith("attitude_") else name.replace("_", " ")
        found.append(
            Variable(
                name=name,
                reference=FIRST["x"] + n,
                unit=of,
                words=words,
                causality="output",
                variability="continuous",
                initial="exact",
                start=float(x[n]),
                acting=(name,),
            )
        )
    for n, (name, of) in enumerate(zip(names, units, strict=True)):
        found.append(
            Variable(
                name=f"der({name})",
                reference=FIRST["dx"] + n,
                unit=rate_of(of),
                words=f"rate of change of {name}",
                causality="local",
                variability="continuous",
                initial="calculated",
                state=n,
            )
        )
    pose = "|cos a2| or |sin a2| of the Euler angles of the torque input's basis: zero at its singular pose"
    shown = [
        *((f"rate_{axis}", "rad/s", "body rate, body components") for axis in AXES),
        ("energy", "J", "energy"),
        ("pose_distance", "1", pose),
    ]
    assert len(shown) == SHOWN.size  # noqa: S101 # both list the same quantities
    for n, (name, of, words) in enumerate(shown if unit.craft.torques.sequence is not None else shown[:-1]):
        found.append(
            Variable(
                name=name,
                reference=FIRST["shown"] + n,
                unit=of,
                words=words,
                causality="output",
                variability="continuous",
                initial="calculated",
                acting=tuple(names),
            )
        )
    clearance = Variable(
        name="pose_clearance",
        reference=FIRST["clearance"],
        unit="1",
        words="distance of the acting torques from a singular pose at which a run ends: an event at zero",
        causality="local",
        variability="continuous",
        initial="calculated",
    )
    found += [*_torques(unit), *([clearance] if unit.poses else ()), *_target(unit), *_parameters(unit)]
    return [*found, *_further(unit, found)]


def _further(unit: Unit, known: list[Variable]) -> list[Variable]:
    """Return signals, coordinate rates and attitude error; a name already taken gets the suffix _out."""
    names = {each.name for each in known}
    groups: list[tuple[str, tuple[Output, ...], str]] = [("signal", unit.signals, "discrete")]
    if not unit.law_only:
        groups.append(("coordinate_rate", rate_outputs(unit.craft), "continuous"))
        groups.append(("element", unit.elements, "continuous"))
        groups.append(("error", ERROR if unit.closed else (), "continuous"))
    found: list[Variable] = []
    for group, outputs, variability in groups:
        for n, each in enumerate(outputs):
            name = each.name
            while name in names:
                name = f"{name}_out"
            names.add(name)
            place = each.place if group == "signal" else n
            found.append(
                Variable(
                    name=name,
                    reference=FIRST[group] + place,
                    unit=each.unit,
                    words=each.words,
                    causality="output",
                    variability=variability,
                    initial="calculated",
                )
            )
    return found


def torque_names(craft: Spacecraft) -> list[str]:
    """Return the control torque names, separate for wheel and external torques if the craft has both."""
    ports = [f"{port}_" for port in craft.ports] if len(craft.ports) > 1 else [""]
    return [f"{port}torque_{n + 1}" for port in ports for n in range(3)]


def _plant_inputs(unit: Unit) -> list[Variable]:
    """Return the inputs of an FMU that contains only the law: all plant signals."""
    layout, x, rate = unit.craft.layout, unit.arrays.x, unit.arrays.w
    shown = [
        (FIRST["x"] + n, name, of, x[n]) for n, (name, of) in enumerate(zip(layout.names, layout.units, strict=True))
    ]
    shown += [(FIRST["shown"] + n, f"rate_{axis}", "rad/s", rate[n]) for n, axis in enumerate(AXES)]
    return [
        Variable(
            name=name,
            reference=reference,
            unit=of,
            words=OF_ATTITUDE if name.startswith("attitude_") else f"{name.replace('_', ' ')} of the spacecraft",
            causality="input",
            variability="discrete",
            start=float(start),
        )
        for reference, name, of, start in shown
    ]


def _torques(unit: Unit) -> list[Variable]:
    """Return the control torques: outputs of a law, or inputs of a plant."""
    found: list[Variable] = []
    basis, ports = unit.craft.torques.name, [*unit.craft.ports]
    for k, place in enumerate(torque_places(unit)):
        n, port = k % 3, ports[k // 3] if len(ports) > 1 else ""
        of = {"": "the torque", "wheels": "the torque of the wheels", "external": "the external torque"}[port]
        words = f"component {n + 1} of {of} in the {basis} basis"
        found.append(
            Variable(
                name=torque_names(unit.craft)[k],
                reference=FIRST["u"] + place,
                unit="N m",
                words=f"{words}, {'as commanded by the law' if unit.closed else 'held until it is set again'}",
                causality="output" if unit.closed else "input",
                variability="discrete" if unit.closed else "continuous",
                initial="calculated" if unit.closed else "",
                acting=() if unit.law_only else None,
                start=None if unit.closed else 0.0,
            )
        )
    return found


def _target(unit: Unit) -> list[Variable]:
    """Return the attitude that a law holds, which a host may change during a run."""
    words = "Euler parameter of the attitude to hold, scalar first, body to inertial"
    return [
        Variable(
            name=f"target_{n}",
            reference=FIRST["target"] + n,
            unit="1",
            words=words,
            causality="input",
            variability="discrete",
            start=float(unit.arrays.rq[n]),
        )
        for n in range(4 * unit.target)
    ]


def _parameters(unit: Unit) -> list[Variable]:
    """Return the parameters that can be set until the end of initialisation."""
    rates = [
        Variable(
            name=f"start_rate_{axis}",
            reference=FIRST["rate"] + n,
            unit="rad/s",
            words="initial body rate, unless momenta are set; elements keep their rates relative to the hub",
            causality="parameter",
            variability="fixed",
            initial="exact",
            start=start,
        )
        for n, (axis, start) in enumerate(zip(AXES, unit.parameters.rates, strict=False))
    ]
    return rates + [
        Variable(
            name=each.name,
            reference=FIRST["parameter"] + n,
            unit=each.unit,
            words=each.words,
            causality="parameter",
            variability="fixed",
            initial="exact",
            start=each.start,
            low=each.low,
            high=each.high,
        )
        for n, each in enumerate(unit.parameters.all)
    ]


def rate_of(unit: str) -> str:
    """Return the unit of a rate of change."""
    known = {"1": "1/s", "rad": "rad/s", "m": "m/s", "N m s": "N m", "kg m/s": "N", "J s": "J"}
    return known.get(unit, f"({unit})/s")
