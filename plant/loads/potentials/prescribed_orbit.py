"""Removal of time-dependent potentials: gravity gradients on a prescribed orbit."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...spacecraft import Spacecraft


def without_orbit(craft: "Spacecraft") -> "Spacecraft":
    """Return the spacecraft without potentials that depend on a prescribed orbit; unchanged if there are none."""
    from ...spacecraft import Spacecraft

    if not craft.time_dependent:
        return craft
    return Spacecraft(
        craft.body,
        torques=craft.torques,
        external=craft.external,
        elements=craft.elements,
        potentials=[each for each in craft.potentials if not each.time_dependent],
        user_forces=craft.user_forces,
        translation=craft.translation,
    )
