"""The numbers of a law on a craft: which of its control torques it commands, and no more than the craft takes."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...plant import Spacecraft
from ...plant.errors import InputError
from ..loop.routes import COMMAND, OF_PORT
from .block import Block

__all__ = ["limit_numbers", "require_ports"]


def require_ports(law: Any, craft: Spacecraft) -> tuple[str, ...]:
    """Return the control torques of a craft that a law names, none where it commands `craft.torques`.

    Raises InputError when the craft has one of them not, or is unloaded in other axes than the body's.
    """
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

    `law.limited` has of each where it stands and the control torque it is of, "" for that of a law which names none.
    With a block between law and plant the command is another signal, and the law's own limits stand.
    """
    handled = {name for block in blocks for name in (*block.reads, *block.writes)}
    for place, port in getattr(law, "limited", ()):
        if (OF_PORT[port] if port else COMMAND) not in handled:
            most = (craft.ports[port] if port else craft.torques).limits()
            numbers[place : place + 3] = np.minimum(numbers[place : place + 3], most)
