"""The control torques of a spacecraft: default, consistency, and the spacecraft with only one of them."""

from collections.abc import Sequence
from dataclasses import fields
from typing import TYPE_CHECKING

from ..elements.element import Element
from ..errors import InputError
from ..loads.torque import TorqueBasis
from .packing import pack_from_outside

if TYPE_CHECKING:
    from ..spacecraft import Spacecraft


def default_torques(elements: Sequence[Element], external: TorqueBasis | None) -> TorqueBasis:
    """Return the default basis: the torque acts through motors if a law can command any, otherwise from outside."""
    if not any(getattr(element, "has_command", False) for element in elements):
        return TorqueBasis()
    if external is None:
        return TorqueBasis(internal=True)
    return TorqueBasis(external.name, external.sequence, internal=True)


def check_external(torques: TorqueBasis, external: TorqueBasis) -> None:
    """Raise InputError unless one torque acts through elements, the other from outside, in one basis."""
    if not torques.internal or external.internal:
        raise InputError(
            "external is a second control torque, in addition to one through wheels: give wheels with a command "
            "(plant.wheel_array), torques=TorqueBasis(..., internal=True) and external=TorqueBasis(...); for a single "
            "control torque give torques only"
        )
    if (torques.name, torques.sequence) != (external.name, external.sequence):
        raise InputError(
            f"torques use the {torques.name!r} basis and external the {external.name!r} basis: at a hand-over one "
            "continues from the command of the other, so give both in the same basis"
        )


def single_ports(craft: "Spacecraft") -> "dict[str, Spacecraft]":
    """Return, for each control torque, the spacecraft with only that torque."""
    return {
        port: type(craft)(
            craft.body,
            torques=basis,
            elements=craft.elements,
            potentials=craft.potentials,
            user_forces=craft.user_forces,
            translation=craft.translation,
        )
        for port, basis in craft.ports.items()
    }


def with_external_torque(craft: "Spacecraft") -> "Spacecraft":
    """Return the spacecraft with its control torque applied from outside, not through elements."""
    other: Spacecraft = object.__new__(type(craft))  # the checks of one spacecraft hold for the other
    for each in fields(craft):
        object.__setattr__(other, each.name, getattr(craft, each.name))
    object.__setattr__(other, "torques", craft.torques.outside())
    object.__setattr__(other, "external", None)
    vars(other).update(layout=craft.layout, initial_mass_matrix=craft.initial_mass_matrix)
    pack_from_outside(craft, other)
    return other
