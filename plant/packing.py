"""A craft as the packed parameter array of the kernels."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .parameters import (
    AT_DAMPERS,
    AT_PORTS,
    AT_POTENTIALS,
    FORCE_ROW,
    INERTIA,
    INVERSE,
    LEDGER,
    LEDGER_SIZE,
    MASS,
    N_DAMPERS,
    N_PORTS,
    N_POTENTIALS,
    N_STATES,
    PORT_ROW,
    TRANSLATION,
    USER,
)
from .potentials import Potential, Spring
from .torque import TorqueBasis, TorquePulse

if TYPE_CHECKING:
    from .spacecraft import Spacecraft

__all__ = ["pack_parameters"]


def pack_parameters(
    craft: "Spacecraft", pulses: Sequence[TorquePulse] = (), *, ledger: bool = False
) -> NDArray[np.float64]:
    """Return everything the kernels need to know of a craft, in one array.

    Parameters
    ----------
    craft : Spacecraft
        The craft.
    pulses : sequence of TorquePulse
        Scheduled torques, one port each after the control input.
    ledger : bool
        Whether work and impulse are integrated beside the state.

    Returns
    -------
    numpy.ndarray, shape (n,)
        See `polhode.plant.parameters` for the order.
    """
    body, translation = craft.body, craft.translation
    header = np.zeros(AT_PORTS)
    header[N_STATES] = craft.layout.size + (LEDGER_SIZE if ledger else 0)
    header[TRANSLATION] = translation
    header[LEDGER] = ledger
    header[USER] = bool(craft.user_potentials or craft.efforts)
    header[MASS] = 0.0 if body.mass is None else body.mass
    inertia = body.inertia
    header[INERTIA : INERTIA + 9] = inertia.ravel()
    inverse = np.linalg.inv(inertia)
    header[INVERSE : INVERSE + 9] = (0.5 * (inverse + inverse.T)).ravel()

    ports = [_port(craft.torques)] + [_port(pulse.basis, pulse) for pulse in pulses]
    potentials = [
        _padded(potential.pack(body, translation=translation))
        for potential in craft.potentials
        if not isinstance(potential, Potential)
    ]
    springs = [potential for potential in craft.potentials if isinstance(potential, Spring)]
    dampers = [_padded(spring.pack_damper(body)) for spring in springs if spring.damping > 0.0]
    header[N_PORTS] = len(ports)
    header[N_POTENTIALS] = len(potentials)
    header[N_DAMPERS] = len(dampers)
    header[AT_POTENTIALS] = AT_PORTS + PORT_ROW * len(ports)
    header[AT_DAMPERS] = header[AT_POTENTIALS] + FORCE_ROW * len(potentials)
    return np.concatenate([header, *ports, *potentials, *dampers])


def _port(basis: TorqueBasis, pulse: TorquePulse | None = None) -> NDArray[np.float64]:
    damping = np.zeros(3) if pulse is None else np.asarray(pulse.euler_rate_damping, dtype=np.float64)
    return np.array([basis.code, *basis.axes, *damping, pulse is not None], dtype=np.float64)


def _padded(numbers: Sequence[float]) -> NDArray[np.float64]:
    row = np.zeros(FORCE_ROW)
    row[: len(numbers)] = numbers
    return row
