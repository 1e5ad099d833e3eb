"""Potentials that change in time by themselves: a gravity gradient on an orbit that is given, not flown."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...spacecraft import Spacecraft

__all__ = ["without_orbit"]


def without_orbit(craft: "Spacecraft") -> "Spacecraft":
    """The craft with every potential but those of a prescribed orbit; itself where there are none."""
    from ...spacecraft import Spacecraft

    if not craft.time_dependent:
        return craft
    return Spacecraft(
        craft.body,
        torques=craft.torques,
        external=craft.external,
        elements=craft.elements,
        potentials=[each for each in craft.potentials if not each.time_dependent],
        efforts=craft.efforts,
        translation=craft.translation,
    )
