"""A steady spin with all that is known of it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..brief import brief
from ..frozen import frozen_arrays
from .energy_sink import energy_sink
from .reduced import Reduced
from .second_variation import second_variation
from .spin_modes import modes
from .verdict import judge, place, sentence

__all__ = ["SpinEquilibrium", "judged"]

Array = NDArray[np.float64]


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class SpinEquilibrium:
    """A steady spin: everything turns as one, or wheels at constant rates beside it.

    Attributes
    ----------
    state : numpy.ndarray, shape (nx,)
        The state of the craft, for `Spacecraft.linearize` and simulation; attitude (1, 0, 0, 0).
    rate : numpy.ndarray, shape (3,)
        omega, body components, rad/s.
    momentum : numpy.ndarray, shape (3,)
        pi, along omega, body components, N m s.
    coordinates : numpy.ndarray, shape (n,)
        s: where the elements lie, in the units of `StateLayout`.
    relative_rates : numpy.ndarray, shape (n,)
        sdot: zero but for wheels.
    energy : float
        J.
    residual : float
        The largest rate of change left, in the craft's own units: 1e-13 or less, when only rounding is left.
    axis : str
        "major", "middle" or "minor" principal axis of the craft locked as it is, "equal" where another moment is equal.
        Where a wheel spins, the axis nearest to the spin.
    moments : numpy.ndarray, shape (3,)
        Principal moments of the locked craft, that of the spin axis first, kg m^2.
    kind : str
        "asymptotically stable", "neutrally stable" or "unstable", at constant momentum.
    eigenvalues : numpy.ndarray
        Of the exact linear motion of pi, s and p at constant momentum, 1/s, by real part; without those that any
        craft has (attitude, size of the momentum, wheels without friction) and without the zeros of the family.
    nutation : complex
        The eigenvalue of the nutation, 1/s.
    energy_sink : float
        The energy-sink estimate of its real part, 1/s; not a number where the locked craft does not nutate.
    variation : numpy.ndarray
        Eigenvalues of the second variation of the energy at constant momentum, per pi.omega: all positive means a
        minimum.
    family : int
        The dimension of the family of steady spins of this momentum it belongs to, as when the hub is symmetric about
        the axis of a ring; 0 when it stands alone.
    words : str
        The verdict as a sentence, with its evidence.
    """

    state: Array
    rate: Array
    momentum: Array
    coordinates: Array
    relative_rates: Array
    energy: float
    residual: float
    axis: str
    moments: Array
    kind: str
    eigenvalues: NDArray[np.complex128]
    nutation: complex
    energy_sink: float
    variation: Array
    family: int
    words: str

    __repr__ = brief

    @property
    def time_constants(self) -> Array:
        """-1/Re of every eigenvalue, s: negative for what grows, infinite for what lasts."""
        real = self.eigenvalues.real
        return np.divide(-1.0, real, out=np.full(len(real), np.inf), where=real != 0.0)


def judged(system: Reduced, z: Array, *, residual: float) -> SpinEquilibrium:
    """Return a solution with its verdict.

    system: the craft; z (3 + k + n,): a steady spin; residual: what is left of its rates -> state, eigenvalues,
    verdict.
    """
    _, velocities = system.move(z)
    omega, state = velocities[:3], system.state(z)
    variation = second_variation(system, z)
    found = modes(variation)
    where = place(system.craft.locked_inertia(state), omega, z[:3])
    speed = float(np.linalg.norm(omega))
    kind = judge(found, speed)
    return SpinEquilibrium(
        state=state,
        rate=omega + 0.0,  # no -0
        momentum=z[:3].copy(),
        coordinates=state[system.craft.layout.internal].copy(),
        relative_rates=velocities[3:],
        energy=system.craft.energy(state),
        residual=residual,
        axis=where.name,
        moments=where.moments,
        kind=kind,
        eigenvalues=found.eigenvalues,
        nutation=found.nutation,
        energy_sink=energy_sink(variation),
        variation=found.variation,
        family=found.family,
        words=sentence(kind, where, found, speed=speed),
    )
