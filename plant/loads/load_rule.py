"""The rule for all loads: a load that depends on position needs a spacecraft with a defined position.

A spacecraft is pivoted, translates, or does neither. A spacecraft of the third kind rotates about its mass centre,
whose motion is not simulated (`polhode.plant.hub.place`), and loads that depend on the position or velocity of the mass
centre are
rejected: weight, springs, a potential with dV/dc, and a user force that uses c or v. A pivot at (0, 0, 0) holds the
mass centre fixed.

Loads that do not depend on position or velocity are allowed: a torque, the gravity gradient of a prescribed orbit, and
a force that uses neither c nor v, such as thrust. Such a force accelerates the mass centre, and its torque refers to
the mass centre. The motion of the mass centre affects nothing else; it is omitted, with its energy.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import InputError
from .potentials import Potential
from .repeated_loads import check_repeated_loads
from .user_loads import function_name

if TYPE_CHECKING:
    from ..spacecraft import Spacecraft

PLACE = np.array((0.3, -0.2, 0.5))
UNKNOWN = np.full(3, np.nan)
ATTITUDE = np.array((0.5, -0.3, 0.7, 0.4)) / np.sqrt(0.99)


def check_loads(craft: "Spacecraft") -> None:
    """Raise InputError if a load depends on a position that the spacecraft does not define.

    The message names the load and the remedies.
    """
    check_repeated_loads(craft)
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
    for effort in () if held else craft.user_forces:
        if _uses(lambda c, v, f=effort.function: f(0.0, ATTITUDE, np.zeros(3), c, v)):
            _refuse(f"the user force {function_name(effort.function)!r}", held=False)


def _uses(function: Callable[[Any, Any], Any]) -> bool:
    """Return whether NaN positions make a function fail, or return NaN, where finite positions do not."""
    with np.errstate(all="ignore"):
        try:
            finite = np.isfinite(np.asarray(function(PLACE, PLACE)))
        except Exception:  # noqa: BLE001 # a user function may raise any exception where it is not defined
            return False
        try:
            return bool((finite & ~np.isfinite(np.asarray(function(UNKNOWN, UNKNOWN)))).any())
        except Exception:  # noqa: BLE001 # as above
            return True


def _refuse(what: str, *, held: bool) -> None:
    if held:
        raise InputError(
            f"{what} depends on the position of the total mass centre, which needs the mass of the hub: give "
            "RigidBody(..., mass=...)"
        )
    raise InputError(
        f"{what} depends on the position or velocity of the mass centre, which a spacecraft without pivot or "
        "translation does not define: hold it with RigidBody(..., pivot=...), where (0, 0, 0) is the mass centre "
        "itself, or let it move with Spacecraft(..., translation=True)"
    )
