"""Default step of an implicit method for a spacecraft with flexible arms."""

import math
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from ....plant import Spacecraft
from ....plant.elements.branch import branches, is_branch
from ....plant.elements.cyclic import cyclic_flags
from ....plant.errors import InputError
from ....plant.linear.vibration.elastic import elastic_modes
from ..slope import slope

Array = NDArray[np.float64]

SHARE = 0.05
"""Step as a fraction of the shortest period."""

_at_rest: "WeakKeyDictionary[Spacecraft, float]" = WeakKeyDictionary()


def default_integrator(craft: Spacecraft, *, rtol: float | None = None) -> str:
    """Return the default integrator: gauss4 with flexible arms, unless a tolerance is given."""
    if rtol is not None or not branches(craft.elements):
        return "dop853"
    from ....plant.linear.vibration.mesh import arms_of

    return "gauss4" if arms_of(craft) else "dop853"


def resolving_step(craft: Spacecraft, x: Array | None = None) -> float | None:
    """Return a twentieth of the shortest period that a run must resolve, s; None if there are no arms.

    The motions considered are the slowest vibration of the arms, the vibrations of the other elements and potentials
    about rest (excluding the arms) and, if an initial state x is given, the rotation of the hub, its nutation and the
    rotations of all elements except wheels.
    """
    modes = elastic_modes(craft)
    if modes is None:
        return None
    slowest = float(modes.hertz[0])
    if not slowest > 0.0:
        raise InputError("the arms' slowest mode has no frequency in double precision; check sections and moduli")
    rates = [2.0 * math.pi * slowest, _vibration(craft)]
    if x is not None:
        rates += _motion(craft, x)
    return SHARE * 2.0 * math.pi / max(rate for rate in rates if math.isfinite(rate))


def _vibration(craft: Spacecraft) -> float:
    """Return the fastest vibration of a spacecraft about rest, excluding its arms, rad/s.

    At rest, a translating craft is at the origin, where a central gravity field is undefined. The potentials are
    then omitted.
    """
    if craft not in _at_rest:
        near = [element for element in craft.elements if not is_branch(element)]
        values = np.zeros(1)
        for potentials in (craft.potentials, ()):
            rest = Spacecraft(craft.body, elements=near, potentials=potentials, translation=craft.translation)
            found = slope(rest, rest.at_rest(), t=0.0, u=np.zeros(3)) if near or potentials else np.zeros((1, 1))
            if np.isfinite(found).all():
                values = np.linalg.eigvals(found)
                break
        _at_rest[craft] = float(np.abs(values.imag).max())
    return _at_rest[craft]


def _motion(craft: Spacecraft, x: Array) -> list[float]:
    """Return the rates of hub (with nutation by stored momentum) and coordinates at a state, rad/s."""
    with np.errstate(all="ignore"):
        rate, rates = craft.rate(x), craft.internal_rates(x)
        held = float(np.linalg.norm(x[:3] - craft.locked_inertia(x) @ rate))
    flags = zip(cyclic_flags(craft.elements), craft.layout.coordinate_units, strict=True)
    turns = [not cyclic and unit == "rad" for cyclic, unit in flags]
    nutation = held / float(np.linalg.eigvalsh(craft.body.central_inertia)[0])
    return [float(np.linalg.norm(rate)) + nutation, *np.abs(rates[turns]).tolist()]
