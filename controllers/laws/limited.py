"""The numbers of a law on a craft: which of its control torques it commands, and no more than the craft takes."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...plant import Spacecraft, TorqueBasis
from ...plant.errors import InputError
from ..loop.routes import COMMAND, OF_PORT
from .block import Block

__all__ = ["limit_numbers", "require_ports"]


def require_ports(law: Any, craft: Spacecraft) -> tuple[str, ...]:
    """Return the control torques of a craft that a law names, none where it commands `craft.torques`.

    Raises InputError when the craft has one of them not, or is unloaded in other axes than the body's.
    """
    if hasattr(law, "check_craft"):  # optional part of a law
        law.check_craft(craft)
    named = tuple(getattr(law, "actuators", ()))
    for port in named:
        if port not in craft.ports:
            way = (
                "give Spacecraft(..., external=TorqueBasis(...))"
                if port == "external"
                else "give it wheels with a command (plant.wheel_array) and torques=TorqueBasis(..., internal=True)"
            )
            raise InputError(f"the law commands {port!r}, and the craft has {' and '.join(craft.ports)} only; {way}")
    if getattr(law, "unloads", False) and craft.torques.name != "body":
        raise InputError(
            f"wheels are unloaded along the body axes, and the torque basis is {craft.torques.name!r}; use 'body'"
        )
    return named


def limit_numbers(law: Any, craft: Spacecraft, blocks: Sequence[Block], numbers: NDArray[np.float64]) -> None:
    """Lower the limits among the numbers of a law to those of the craft.

    `law.limited` has of each where it stands, the control torque it is of, "" for that of a law which names none, and
    whether it is of a pair that cancels: that stays where neither torque is cut off, in a box inside the envelope too.
    With a block between law and plant the command is another signal, and the law's own limits stand, but of a pair.
    """
    handled = {name for block in blocks for name in (*block.reads, *block.writes)}
    for place, port, pair in getattr(law, "limited", ()):
        basis = craft.ports[port] if port else craft.torques
        if pair:
            numbers[place : place + 3] = np.minimum(numbers[place : place + 3], _box(basis))
        elif (OF_PORT[port] if port else COMMAND) not in handled and not basis.keep_direction:  # which the plant does
            numbers[place : place + 3] = np.minimum(numbers[place : place + 3], basis.limits())


def _box(basis: TorqueBasis) -> NDArray[np.float64]:
    """Limits within which a torque in any direction is not cut off, (3,)."""
    if basis.envelope is None or not basis.envelope.size:
        return basis.limits()
    return np.minimum(basis.limits(), 1.0 / float(np.abs(basis.envelope).sum(axis=1).max()))
