"""Largest stable step of the explicit methods for a spacecraft with arms."""

import cmath

import numpy as np

from ....plant import Spacecraft
from ....plant.checks import choice
from ....plant.errors import InputError
from ....plant.linear.vibration.elastic import elastic_modes
from .kinds import INTEGRATORS
from .phase_error import stability_polynomial
from .scheme import Scheme


def stability_limit(method: str, *, damping_ratio: float = 0.0) -> float:
    """Return the largest h omega at which a vibration mode with a given damping ratio does not grow.

    Examples
    --------
    >>> round(stability_limit("rk4"), 3)
    2.828
    """
    turn = cmath.sqrt(damping_ratio * damping_ratio - 1.0)
    direction = -(damping_ratio + turn)  # the faster of both lambda / omega
    reach = (1e-4 / abs(direction)) * np.arange(1, 80001)
    explicit = [name for name, stepper in INTEGRATORS.items() if not (stepper.implicit or stepper.exact)]
    polynomial = stability_polynomial(INTEGRATORS[choice("method", method, explicit)])
    grown = np.abs(np.polyval(polynomial, direction * reach)) > 1.0 + 1e-6
    return float(reach[int(grown.argmax()) - 1]) if grown.any() else float(reach[-1])


def stable_step(craft: Spacecraft, method: str = "rk4") -> float:
    """Return the largest stable step of an explicit method about rest, s; infinite if there are no arms.

    The limit is set by the fastest mode of the mesh, an axial vibration that does not have to be resolved.
    """
    modes = elastic_modes(craft)
    if modes is None:
        return np.inf
    fastest = int(modes.frequencies.argmax())
    damped = int((modes.frequencies * (1.0 + modes.damping_ratios)).argmax())
    return min(
        stability_limit(method, damping_ratio=float(modes.damping_ratios[k])) / float(modes.frequencies[k])
        for k in {fastest, damped}
    )


def require_stable_step(craft: Spacecraft, scheme: Scheme) -> None:
    """Raise InputError if a fixed explicit step is too long for the mesh of the arms."""
    if scheme.stepper.adaptive or scheme.stepper.implicit or scheme.step is None:
        return
    largest, modes = stable_step(craft, scheme.integrator), elastic_modes(craft)
    if modes is not None and scheme.step > largest:
        raise InputError(
            f"a step of {scheme.step:g} s is too large for {scheme.integrator!r}: the fastest mode of this mesh has "
            f"{modes.hertz[-1]:.6g} Hz, and the largest stable step is {largest:.4g} s; use that step, or the implicit "
            "'gauss4', which has no such limit"
        )
