"""Modal coordinates of the sensors of a case: names and number, from its flexible-modes elements."""

from typing import TYPE_CHECKING, Any

from .....plant.checks import choice
from .....plant.errors import InputError
from ...located import located
from ..elements.elements_of import elements_of
from ..elements.flexible_modes import modal_coordinates

if TYPE_CHECKING:
    from ...schema import Case

SLOPES, COORDINATES = "modal_slopes_rad_sqrt_kg_m", "modal_coordinates"


def with_modal_coordinates(table: Any, case: "Case") -> Any:
    """Return the table of a sensor in which each modal slope has the name of its modal coordinate.

    If the table names no modal coordinates, the slopes are for all modes of all flexible-modes elements, in order.

    Parameters
    ----------
    table : SensorTable
        Table of the sensor.
    case : Case
        Case with the elements.

    Returns
    -------
    SensorTable
        The table; the same one if it has no modal slopes.

    Raises
    ------
    InputError
        If the spacecraft has no modes, a name is not one of their coordinates, the number of slopes does not match, or
        the law is designed on vibration modes of flexible arms.
    """
    slopes, names = getattr(table, SLOPES, None), getattr(table, COORDINATES, None)
    if slopes is None:
        return table
    modes = modal_coordinates(elements_of(case.plant.elements, assumed=case.assumed.array))
    with located(SLOPES):
        if not modes:
            raise InputError(
                "the slopes belong to vibration modes, but the plant has no element of kind "
                '"flexible-modes"; add one, or remove the key'
            )
        laws = (case.controller, *(each.controller for each in case.modes))
        if case.plant.has_arms and any(law is not None and law.design_on == "modes" for law in laws):
            raise InputError(
                'with controller.design_on = "modes", flexible arms become further vibration modes of the linear '
                'model, for which the sensor has no slopes; use design_on = "rigid", or model the arms as '
                "flexible-modes"
            )
        if names is None and len(slopes) != len(modes):
            listed = modes[0] if len(modes) == 1 else f"{modes[0]} to {modes[-1]}"
            raise InputError(
                f"must have one vector for each of the {len(modes)} modes of the flexible-modes elements ({listed}); "
                f"got {len(slopes)}; add the missing ones, or name the modes in {COORDINATES}"
            )
        if names is not None and len(slopes) != len(names):
            raise InputError(
                f"must have one vector for each of the {len(names)} names in {COORDINATES}; got {len(slopes)}"
            )
    for name in names or ():
        with located(COORDINATES):
            choice("modal coordinate", name, modes)
    return table.model_copy(update={COORDINATES: names or modes})
