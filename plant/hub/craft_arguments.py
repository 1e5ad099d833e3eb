"""Checks of the arguments of a spacecraft, one by one; `check_loads` and `check_elements` check the whole."""

from collections.abc import Iterable
from typing import Any, TypeVar

from ..checks import of_kind
from ..elements.element import Element
from ..errors import InputError
from ..loads.potentials.any_potential import AnyPotential
from ..loads.torque import TorqueBasis
from ..loads.user_force import UserForce
from ..parts import has_parts
from .control_ports import check_external, default_torques
from .rigid_body import RigidBody

T = TypeVar("T")


def checked_arguments(
    body: object,
    *,
    torques: TorqueBasis | None,
    external: TorqueBasis | None,
    elements: Iterable[Element],
    potentials: Iterable[AnyPotential],
    user_forces: Iterable[UserForce],
    translation: bool,
) -> dict[str, Any]:
    """Return the fields of a spacecraft by name, with the default of `torques`.

    Raises InputError when an argument has the wrong type, or mass, pivot or control torques are inconsistent.
    """
    if not isinstance(body, RigidBody):
        raise InputError(f"the body of a spacecraft must be a polhode.plant.RigidBody; got {body!r}")
    if torques is not None and not isinstance(torques, TorqueBasis):  # pyright: ignore[reportUnnecessaryIsInstance] # user input
        raise InputError(f"torques must be a polhode.plant.TorqueBasis; got {torques!r}")
    potentials, user_forces = _several("potentials", potentials), _several("user_forces", user_forces)
    for potential in potentials:
        if not isinstance(potential, AnyPotential):  # pyright: ignore[reportUnnecessaryIsInstance] # user input
            raise InputError(
                f"a potential must be one of the potentials of polhode.plant; got {type(potential).__name__}"
            )
    for effort in user_forces:
        if not isinstance(effort, UserForce):  # pyright: ignore[reportUnnecessaryIsInstance] # user input
            raise InputError(f"each of user_forces must be a polhode.plant.UserForce; got {type(effort).__name__}")
    if translation and body.mass is None:
        raise InputError("translation needs the mass of the body (kg); give RigidBody(..., mass=...)")
    if translation and body.pivot is not None:
        raise InputError("a pivoted body cannot translate; omit pivot or translation")
    elements = _several("elements", elements)
    for element in elements:
        if not has_parts(element, Element):
            raise InputError(
                f"an element must implement the protocol polhode.plant.Element; got {type(element).__name__}"
            )
    if external is not None:
        of_kind("external", external, TorqueBasis, such_as='a TorqueBasis, such as TorqueBasis("body", limit=1.0)')
    if torques is None:
        torques = default_torques(elements, external)
    if external is not None:
        check_external(torques, external)
    return {
        "body": body,
        "torques": torques,
        "external": external,
        "potentials": potentials,
        "user_forces": user_forces,
        "translation": bool(translation),
        "elements": elements,
    }


def _several(name: str, items: Iterable[T]) -> tuple[T, ...]:
    try:
        return tuple(items)
    except Exception:  # noqa: BLE001 # iteration over a user's object may raise anything
        raise InputError(f"{name} must be a list or tuple; got a single {type(items).__name__}") from None
