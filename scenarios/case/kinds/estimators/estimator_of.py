"""Create the estimator block from `[estimator]`."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .....controllers.sensing.estimators.observation import Observer
from .....plant.attitude import from_rotation_vector, quaternion_product
from .....plant.checks import choice
from .....plant.errors import InputError
from .....plant.quantity import to_code_unit
from ...schema.estimator import EstimatorTable
from ..start import attitude_of
from .kinds import KINDS

if TYPE_CHECKING:
    from .....controllers import Block
    from ..sensors.sensed import Sensed


def estimator_of(
    table: EstimatorTable, sensors: "Sequence[Sensed]", *, blocks: "Mapping[str, Block]", attitude: NDArray[np.float64]
) -> "Block":
    """Return the block of an estimator.

    Parameters
    ----------
    table : EstimatorTable
        Table `[estimator]`.
    sensors : sequence of Sensed
        Sensors available to the estimator.
    blocks : mapping of str to Block
        Blocks of the sensors, by name.
    attitude : numpy.ndarray, shape (4,)
        Euler parameters at the start of the run, scalar first.

    Returns
    -------
    Block
        Block that writes attitude, rate and their uncertainty.

    Raises
    ------
    InputError
        If there is no gyro, a name does not belong to a usable sensor, or no sensor measures the attitude.
    """
    gyros = {each.name: each for each in sensors if each.kind.gyro}
    seeing = {each.name: each for each in sensors if isinstance(each.sensor, Observer)}
    if not gyros:
        raise InputError('needs a gyro, and [[sensors]] has none; give one of kind = "gyro"')
    if table.gyro is None and len(gyros) > 1:
        raise InputError(f"there are several gyros, {', '.join(gyros)}; select one with gyro = ...")
    gyro = gyros[next(iter(gyros)) if table.gyro is None else choice("gyro", table.gyro, tuple(gyros))]
    names = tuple(seeing) if table.sensors is None else table.sensors
    chosen = [seeing[choice("sensor", name, tuple(seeing))] for name in names]
    inputs = blocks[gyro.name], [(each.sensor, blocks[each.name]) for each in chosen]
    given = attitude_of(table.attitude, table.attitude_deg, "estimator")
    turn = from_rotation_vector(np.radians(table.attitude_error_deg))
    start = {
        "attitude": None
        if table.start == "sensors"
        else quaternion_product(attitude if given is None else given, turn),
        "bias": to_code_unit(np.asarray(table.bias_deg_h), "deg/h"),
        "name": table.label,
    }
    return KINDS.of(table).make(table, gyro.sensor, inputs, start)
