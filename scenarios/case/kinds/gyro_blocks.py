"""Create the block, sampled after the law, that steers control moment gyros."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ....controllers.loop.routes import COMMAND
from ....plant.errors import InputError
from ..located import located
from .elements.elements_of import elements_of
from .first_element import first_element

if TYPE_CHECKING:
    from ....controllers import Block, Law
    from ....plant import Spacecraft
    from ..schema import Case


def steered_gyros(case: "Case", craft: "Spacecraft", law: "Law", commands: Sequence[str]) -> "tuple[Block, ...]":
    """Return the steering block in a tuple, which is empty if the case has no array of control moment gyros.

    craft: the spacecraft of the case; law: the law; commands: signals that the law writes.
    If a value is invalid, the message of the InputError begins with the key path.
    """
    key, table = first_element(case, "steers")
    if table is None:
        return ()
    from ....controllers.laws.blocks import gyro_steering

    assumed = elements_of((case.assumed.array or table,))
    with located(key):
        if len(commands) > 1:
            raise InputError(
                "control moment gyros produce the only control torque of a spacecraft; remove the second torque"
            )
        offset = law.delay % law.sample
        return (
            gyro_steering(
                craft, sample=law.sample, assumed=assumed, reads=COMMAND, offset=offset, **table.steering_arguments
            ),
        )
