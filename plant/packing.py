"""A craft as the packed parameter array of the kernels."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .composition import compose_mass, element_code, work_size
from .faults import FAULT_SIZE
from .parameters import (
    AT_DAMPERS,
    AT_ELEMENTS,
    AT_PORTS,
    AT_POTENTIALS,
    CENTRE,
    CONSTANT,
    ELEMENT_HEAD,
    FORCE_ROW,
    HELD,
    HUB_SHARE,
    INERTIA,
    INVERSE,
    LEDGER,
    LEDGER_SIZE,
    LINEAR_MOMENTUM,
    LOCKED,
    MASS,
    N_DAMPERS,
    N_ELEMENTS,
    N_INTERNAL,
    N_PORTS,
    N_POTENTIALS,
    N_STATES,
    PORT_ROW,
    POSITION,
    REDUCED,
    SHARE,
    THROUGH_ELEMENTS,
    TRANSLATION,
    USER,
    W_B,
    W_FAULT,
    W_G,
    W_LINEAR,
    W_MOMENT,
    W_SUMS,
    W_V,
)
from .potentials import GravityGradient, GuidedSpring, Potential, Spring, UniformGravity
from .torque import TorqueBasis, TorquePulse

if TYPE_CHECKING:
    from .spacecraft import Spacecraft

__all__ = ["mass_matrix", "pack_parameters"]


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
    header[THROUGH_ELEMENTS] = craft.torques.internal
    header[USER] = bool(craft.user_potentials or craft.efforts)
    header[MASS] = craft.mass
    inertia = body.inertia
    header[INERTIA : INERTIA + 9] = inertia.ravel()
    inverse = np.linalg.inv(inertia)
    header[INVERSE : INVERSE + 9] = (0.5 * (inverse + inverse.T)).ravel()
    header[LOCKED : LOCKED + 9] = inertia.ravel()

    ports = [_port(craft.torques)] + [_port(pulse.basis, pulse) for pulse in pulses]
    potentials = [
        _padded(_potential(craft, potential)) for potential in craft.potentials if not isinstance(potential, Potential)
    ]
    springs = [potential for potential in craft.potentials if isinstance(potential, Spring)]
    dampers = [_padded(spring.pack_damper(body)) for spring in springs if spring.damping > 0.0]
    header[N_PORTS] = len(ports)
    header[N_POTENTIALS] = len(potentials)
    header[N_DAMPERS] = len(dampers)
    header[AT_POTENTIALS] = AT_PORTS + PORT_ROW * len(ports)
    header[AT_DAMPERS] = header[AT_POTENTIALS] + FORCE_ROW * len(potentials)
    header[AT_ELEMENTS] = header[AT_DAMPERS] + FORCE_ROW * len(dampers)
    _pack_work(craft, header)
    _pack_held(craft, header)
    packed = np.concatenate([header, *ports, *potentials, *dampers, *_element_rows(craft)])
    if not craft.elements:
        return packed
    return _with_mass_matrix(craft, packed)


def _potential(craft: "Spacecraft", potential: UniformGravity | Spring | GuidedSpring | GravityGradient) -> list[float]:
    if isinstance(potential, UniformGravity):
        off_center = any(element.moves_mass for element in craft.elements)
        return potential.pack(craft.body, translation=craft.translation, off_center=off_center)
    return potential.pack(craft.body, translation=craft.translation)


def _pack_work(craft: "Spacecraft", header: NDArray[np.float64]) -> None:
    """Where the internal states stand in x, and each part of the work space in w."""
    layout = craft.layout
    n = len(layout.coordinates)
    m = 3 + n
    header[N_ELEMENTS] = len(craft.elements)
    header[N_INTERNAL] = n
    header[POSITION] = layout.position.start
    header[LINEAR_MOMENTUM] = layout.linear_momentum.start
    header[REDUCED] = craft.mass if craft.body.pivot is None and any(e.moves_mass for e in craft.elements) else 0.0
    header[W_B] = m * m
    header[W_V] = m * m + 3 * m
    header[W_G] = header[W_V] + m
    header[W_LINEAR] = header[W_G] + n
    header[W_MOMENT] = header[W_LINEAR] + 3
    header[W_FAULT] = header[W_MOMENT] + 3
    header[W_SUMS] = header[W_FAULT] + FAULT_SIZE


def _pack_held(craft: "Spacecraft", header: NDArray[np.float64]) -> None:
    """Where the mass centres of a craft held at a pivot are, see `place`."""
    header[HUB_SHARE] = 1.0
    if craft.body.pivot is None:
        return
    header[HELD] = 1.0
    header[CENTRE : CENTRE + 3] = -craft.body.pivot
    if any(element.mass > 0.0 or element.moves_mass for element in craft.elements):
        known = craft.body.mass is not None
        header[SHARE] = 1.0 / craft.mass if known else -1.0
        header[HUB_SHARE] = (craft.body.mass or 0.0) / craft.mass if known else 1.0


def _element_rows(craft: "Spacecraft") -> list[NDArray[np.float64]]:
    offset = np.zeros(3) if craft.body.pivot is None else -craft.body.pivot
    rows: list[NDArray[np.float64]] = []
    first = 0
    for element in craft.elements:
        numbers = element.pack(offset)
        head = [element_code(element.kernel), ELEMENT_HEAD + len(numbers), first, len(element.coordinates)]
        rows.append(np.array([*head, *numbers], dtype=np.float64))
        first += len(element.coordinates)
    return rows


def _with_mass_matrix(craft: "Spacecraft", packed: NDArray[np.float64]) -> NDArray[np.float64]:
    """Put in the locked inertia, and the inverse of the mass matrix where it never changes."""
    matrix = mass_matrix(craft, packed, craft.initial_coordinates)
    packed[LOCKED : LOCKED + 9] = matrix[:3, :3].ravel()
    held = craft.body.pivot is not None  # gravity then wants the first moment of each mass, which M does not tell
    if any(element.moves_mass or not element.constant or (held and element.mass > 0.0) for element in craft.elements):
        return packed
    try:
        inverse = np.linalg.inv(matrix)
    except np.linalg.LinAlgError:  # `check_elements` refuses such a craft in words
        return packed
    packed[CONSTANT] = len(packed)
    return np.concatenate([packed, (0.5 * (inverse + inverse.T)).ravel()])


def mass_matrix(
    craft: "Spacecraft", packed: NDArray[np.float64], coordinates: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return M(s), translation taken out where the mass centre is free.

    Parameters
    ----------
    craft : Spacecraft
        The craft.
    packed : numpy.ndarray
        Its packed parameters.
    coordinates : numpy.ndarray, shape (n,)
        s.

    Returns
    -------
    numpy.ndarray, shape (3 + n, 3 + n)
        Symmetric.
    """
    m = 3 + len(coordinates)
    x = np.zeros(craft.layout.size)
    x[3] = 1.0
    x[craft.layout.internal] = coordinates
    w = np.zeros(work_size(m - 3))
    compose_mass(0.0, x, np.zeros(3), packed, w)
    lower = np.tril(w[: m * m].reshape(m, m))
    return lower + np.tril(lower, -1).T


def _port(basis: TorqueBasis, pulse: TorquePulse | None = None) -> NDArray[np.float64]:
    damping = np.zeros(3) if pulse is None else np.asarray(pulse.euler_rate_damping, dtype=np.float64)
    return np.array([basis.code, *basis.axes, *damping, pulse is not None], dtype=np.float64)


def _padded(numbers: Sequence[float]) -> NDArray[np.float64]:
    row = np.zeros(FORCE_ROW)
    row[: len(numbers)] = numbers
    return row
