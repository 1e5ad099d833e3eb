"""The numbers of a signal under names of their own, as python-control connects them; see `routes` for the signals."""

from collections.abc import Mapping

from ..loop.routes import ATTITUDE, COMMAND, RATE, REFERENCE_SIGNAL

__all__ = ["LABELS", "labels"]

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
"""Those of the signals that are always there: what a plant calls its states, outputs and inputs."""


def labels(name: str, size: int) -> tuple[str, ...]:
    """Return the names of the numbers of a signal: its own where it has one number, else counted from 1."""
    known = LABELS.get(name, ())
    if len(known) == size:
        return known
    return (name,) if size == 1 else tuple(f"{name}_{n + 1}" for n in range(size))
