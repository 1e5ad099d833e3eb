"""What a unit shows and takes, as both versions of the standard describe it."""

from dataclasses import dataclass

from .kernels import SHOWN
from .model_c import FIRST
from .unit import Unit

__all__ = ["UNITS", "Variable", "variables_of"]


@dataclass(frozen=True, kw_only=True)
class Variable:
    """One scalar.

    state: of a rate of change, its place among the states. start: None where it is worked out.
    """

    name: str
    reference: int
    unit: str
    words: str
    causality: str
    variability: str
    initial: str = ""
    start: float | None = None
    state: int | None = None


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
    "kg^0.5 m": {},
    "kg^0.5 m/s": {},
}
"""Units by what they are in base units; those that cannot be written so are names alone."""

OF_ATTITUDE = "Euler parameter, scalar first, body to inertial"


def variables_of(unit: Unit) -> list[Variable]:
    """Return the variables: time, states, their rates of change, what is worked out of them, torque."""
    layout, x = unit.craft.layout, unit.arrays.x
    names, units = layout.names, layout.units
    found = [
        Variable(name="time", reference=0, unit="s", words="time", causality="independent", variability="continuous")
    ]
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
    shown = [*((f"rate_{axis}", "rad/s", "body rate, body components") for axis in "xyz"), ("energy", "J", "energy")]
    for n, (name, of, words) in enumerate(shown):
        found.append(
            Variable(
                name=name,
                reference=FIRST["shown"] + n,
                unit=of,
                words=words,
                causality="output",
                variability="continuous",
                initial="calculated",
            )
        )
    assert len(shown) == SHOWN.size  # noqa: S101 # said twice
    basis = unit.craft.torques.name
    for n in range(3):
        words = f"component {n + 1} of the torque in the {basis} basis"
        found.append(
            Variable(
                name=f"torque_{n + 1}",
                reference=FIRST["u"] + n,
                unit="N m",
                words=f"{words}, {'as the law commands it' if unit.closed else 'acting until it is set anew'}",
                causality="output" if unit.closed else "input",
                variability="discrete" if unit.closed else "continuous",
                initial="calculated" if unit.closed else "",
                start=None if unit.closed else 0.0,
            )
        )
    return found


def rate_of(unit: str) -> str:
    """Return the unit of a rate of change."""
    known = {"1": "1/s", "rad": "rad/s", "m": "m/s", "N m s": "N m", "kg m/s": "N", "J s": "J"}
    return known.get(unit, f"({unit})/s")
