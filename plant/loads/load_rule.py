"""The one rule for everything that acts on a craft: what depends on where it is needs to know where it is.

A craft is held at a pivot, translates, or does neither: then it turns about its mass centre, whose own motion is not
followed (`polhode.plant.hub.place`). A load that depends on where the mass centre is, or how fast it moves, is refused
on such a craft, whatever its kind: weight and springs, a potential with dV/dc, an effort that uses c or v. To hold the
mass centre as if nailed is a pivot at (0, 0, 0), and says so.

What does not depend on it acts as it is: a torque, the gravity gradient of an orbit that is given, a force that needs
neither c nor v, such as thrust. Such a force moves the mass centre, about which its torque is, and that motion changes
nothing else: it is left out, with its energy.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import InputError
from .potentials import Potential
from .user_loads import function_name

if TYPE_CHECKING:
    from ..spacecraft import Spacecraft

__all__ = ["check_loads"]

PLACE = np.array((0.3, -0.2, 0.5))
UNKNOWN = np.full(3, np.nan)
ATTITUDE = np.array((0.5, -0.3, 0.7, 0.4)) / np.sqrt(0.99)


def check_loads(craft: "Spacecraft") -> None:
    """Raise when something that acts depends on where the mass centre is, and the craft does not follow that.

    Raises InputError: naming what depends on it and the ways out.
    """
    if craft.translation:
        return
    held = craft.body.pivot is not None
    unweighed = craft.body.mass is None and any(each.mass > 0.0 or each.moves_mass for each in craft.elements)
    for potential in craft.potentials:
        if isinstance(potential, Potential):
            if (unweighed or not held) and _uses(lambda c, _, f=potential.slope: f(c, ATTITUDE)):
                _refuse(f"the potential {function_name(potential.function)!r}", held=held)
        elif not held and potential.needs_place:
            _refuse(potential.words, held=False)
    for effort in () if held else craft.efforts:
        if _uses(lambda c, v, f=effort.function: f(0.0, ATTITUDE, np.zeros(3), c, v)):
            _refuse(f"the effort {function_name(effort.function)!r}", held=False)


def _uses(function: Callable[[Any, Any], Any]) -> bool:
    """Whether what is finite of a place is not so, or not there at all, where the place is not known."""
    with np.errstate(all="ignore"):
        try:
            known = np.isfinite(np.asarray(function(PLACE, PLACE)))
        except Exception:  # noqa: BLE001 # a function of the user's own may raise anything, and need not be defined there
            return False
        try:
            return bool((known & ~np.isfinite(np.asarray(function(UNKNOWN, UNKNOWN)))).any())
        except Exception:  # noqa: BLE001 # the same
            return True


def _refuse(what: str, *, held: bool) -> None:
    if held:
        raise InputError(
            f"{what} depends on where the mass centre of hub and elements is, and that needs the mass of the hub: give "
            "RigidBody(..., mass=...) in kg"
        )
    raise InputError(
        f"{what} depends on where the mass centre is, or how fast it moves, and a craft with neither pivot nor "
        "translation does not follow that: hold it with RigidBody(..., pivot=...), where (0, 0, 0) is the mass centre "
        "itself, or let it move with Spacecraft(..., translation=True)"
    )
