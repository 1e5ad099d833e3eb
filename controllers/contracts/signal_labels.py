"""Names of signal components, by which python-control connects systems; `routes` defines the signals."""

from collections.abc import Mapping

from ..loop.routes import ATTITUDE, COMMAND, RATE, REFERENCE_SIGNAL

AXES = ("x", "y", "z")
LABELS: Mapping[str, tuple[str, ...]] = {
    "momentum": tuple(f"momentum_{axis}" for axis in AXES),
    ATTITUDE: tuple(f"attitude_{n}" for n in range(4)),
    RATE: tuple(f"rate_{axis}" for axis in AXES),
    COMMAND: tuple(f"torque_{n}" for n in (1, 2, 3)),
    REFERENCE_SIGNAL: (
        *(f"reference_attitude_{n}" for n in range(4)),
        *(f"reference_rate_{axis}" for axis in AXES),
        *(f"reference_acceleration_{axis}" for axis in AXES),
    ),
}
"""Component names of the signals that always exist: the states, outputs and inputs of a plant."""


def labels(name: str, size: int) -> tuple[str, ...]:
    """Return the component names of a signal: the signal name for a scalar, otherwise numbered from 1."""
    known = LABELS.get(name, ())
    if len(known) == size:
        return known
    return (name,) if size == 1 else tuple(f"{name}_{n + 1}" for n in range(size))
