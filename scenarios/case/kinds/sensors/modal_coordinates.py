"""Modal coordinates of the sensors of a case: names and number, from its flexible-modes elements."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from .....controllers.sensing.sensors.mounted_sensor import MountedSensor
from .....plant import FlexibleModes
from .....plant.checks import choice
from .....plant.elements.element import coordinate_slices
from .....plant.errors import InputError
from .....plant.hub.internal_state import element_coordinates
from ..elements.elements_of import elements_of

if TYPE_CHECKING:
    from ...schema import Case


def with_modal_coordinates(sensor: Any, table: Any, case: "Case") -> Any:
    """Return a sensor whose modal slopes belong to modes of the spacecraft.

    If the table names no modal coordinates, the slopes are for all modes of all flexible-modes elements, in order.

    Parameters
    ----------
    sensor : Sensor
        Sensor of the table.
    table : SensorTable
        Table of the sensor.
    case : Case
        Case with the elements.

    Returns
    -------
    Sensor
        The sensor; the same one if it has no modal slopes.

    Raises
    ------
    InputError
        If the spacecraft has no modes, a name is not one of their coordinates, or the number of slopes does not match.
    """
    if not isinstance(sensor, MountedSensor) or sensor.modal_slopes is None:
        return sensor
    elements = elements_of(case.plant.elements, assumed=case.assumed.array)
    names, _ = element_coordinates(elements)
    modes = tuple(
        name
        for element, place in coordinate_slices(elements)
        if isinstance(element, FlexibleModes)
        for name in names[place]
    )
    key = "modal_slopes_rad_sqrt_kg_m"
    if not modes:
        raise InputError(
            f"{key}: the slopes belong to vibration modes, but the plant has no element of kind "
            '"flexible-modes"; add one, or remove the key'
        )
    if table.modal_coordinates is not None:
        for name in table.modal_coordinates:
            choice("modal_coordinates", name, modes)
        return sensor
    count = sensor.modal_slopes.shape[1]
    if count != len(modes):
        listed = modes[0] if len(modes) == 1 else f"{modes[0]} to {modes[-1]}"
        raise InputError(
            f"{key}: has {count} vectors, but the flexible-modes elements have {len(modes)} modes ({listed}); give one "
            "vector for each mode, or name the modes in modal_coordinates"
        )
    return replace(sensor, modal_coordinates=modes)
