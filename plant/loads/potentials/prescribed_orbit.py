"""Potentials that change in time by themselves: a gravity gradient on an orbit that is given, not flown."""

from typing import TYPE_CHECKING

from .gravity_gradient import GravityGradient

if TYPE_CHECKING:
    from ...spacecraft import AnyPotential, Spacecraft

__all__ = ["on_prescribed_orbit", "without_orbit"]


def on_prescribed_orbit(potential: "AnyPotential") -> bool:
    """Whether the potential moves along an orbit given beforehand."""
    return isinstance(potential, GravityGradient) and potential.position is not None


def without_orbit(craft: "Spacecraft") -> "Spacecraft":
    """The craft with every potential but those of a prescribed orbit; itself where there are none."""
    from ...spacecraft import Spacecraft

    if not craft.time_dependent:
        return craft
    return Spacecraft(
        craft.body,
        torques=craft.torques,
        elements=craft.elements,
        potentials=[each for each in craft.potentials if not on_prescribed_orbit(each)],
        efforts=craft.efforts,
        translation=craft.translation,
    )
