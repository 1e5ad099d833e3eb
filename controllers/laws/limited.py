"""Control torques that a law commands, and reduction of its torque limits to the spacecraft's limits."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...plant import Spacecraft, TorqueBasis
from ...plant.errors import InputError
from ..contracts.block import Block
from ..loop.routes import COMMAND, OF_PORT


def require_ports(law: Any, craft: Spacecraft) -> tuple[str, ...]:
    """Return the names of the control torques of a law; empty if the law commands `craft.torques`.

    Raises InputError when the spacecraft lacks one of these torques, or momentum is unloaded in a basis other than the
    body basis.
    """
    if hasattr(law, "check_craft"):  # optional member of a law
        law.check_craft(craft)
    named = tuple(getattr(law, "actuators", ()))
    for port in named:
        if port not in craft.ports:
            way = (
                "give Spacecraft(..., external=TorqueBasis(...))"
                if port == "external"
                else "give it wheels with a command (plant.wheel_array) and torques=TorqueBasis(..., internal=True)"
            )
            raise InputError(f"the law commands {port!r}, but the craft has {' and '.join(craft.ports)} only; {way}")
    if getattr(law, "unloads", False) and craft.torques.name != "body":
        raise InputError(
            f"wheels are unloaded along the body axes, but the torque basis is {craft.torques.name!r}; use 'body'"
        )
    return named


def limit_numbers(law: Any, craft: Spacecraft, blocks: Sequence[Block], numbers: NDArray[np.float64]) -> None:
    """Reduce the torque limits in a law's parameters to the spacecraft's limits, in place.

    Each entry of `law.limited` contains the index of a limit, its control torque ("" for a law that names none), and
    whether the limit belongs to a pair of opposite torques. The limits of a pair are a box inside the torque envelope,
    so that neither torque saturates. If a block acts between law and plant, the law's command is not the plant's input:
    the law's own limits then remain, except the limits of a pair.
    """
    handled = {name for block in blocks for name in (*block.reads, *block.writes)}
    for place, port, pair in getattr(law, "limited", ()):
        basis = craft.ports[port] if port else craft.torques
        if pair:
            numbers[place : place + 3] = np.minimum(numbers[place : place + 3], _box(basis))
        elif (OF_PORT[port] if port else COMMAND) not in handled and not basis.keep_direction:  # plant limits
            numbers[place : place + 3] = np.minimum(numbers[place : place + 3], basis.limits())


def _box(basis: TorqueBasis) -> NDArray[np.float64]:
    """Return component limits (3,) of a box that is inside the torque limits of a basis."""
    if basis.envelope is None or not basis.envelope.size:
        return basis.limits()
    return np.minimum(basis.limits(), 1.0 / float(np.abs(basis.envelope).sum(axis=1).max()))
