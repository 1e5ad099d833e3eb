"""Create the blocks of wheels that are commanded in speed: tachometers before the sensors, the loop after the law."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ....controllers.loop.routes import COMMAND, OF_PORT
from ....plant.errors import InputError
from ..located import located
from .actuators import actuators_of
from .elements.elements_of import elements_of
from .first_element import first_element

if TYPE_CHECKING:
    from ....controllers import Block, Law
    from ....plant import Spacecraft
    from ..schema import Case


def wheel_speed_blocks(case: "Case", craft: "Spacecraft", law: "Law", commands: Sequence[str]) -> "tuple[Block, ...]":
    """Return tachometers and speed loop, or an empty tuple for wheels that are commanded in torque.

    craft: the spacecraft of the case; law: the law; commands: signals that the law writes.
    If a value is invalid, the message of the InputError begins with the key path.
    """
    key, table = first_element(case, "speed_loop")
    if table is None:
        return ()
    from ....controllers.laws.blocks import wheel_speed_loop

    assumed = elements_of((case.assumed.array or table,))
    with located(key):
        if len(commands) == 1 and actuators_of(case, None) != "wheels":
            raise InputError("speed_loop_frequency_rad_s: the law does not command the wheels; remove the key")
        given = {"sample": law.sample, **table.speed_loop}
        reads = COMMAND if len(commands) == 1 else OF_PORT["wheels"]
        return wheel_speed_loop(craft, reads=reads, assumed=assumed, offset=law.delay % given["sample"], **given)
