"""Steady spin with its properties and stability."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...brief import brief
from ...frozen import frozen_arrays
from .energy_sink import energy_sink
from .reduced import Reduced
from .second_variation import second_variation
from .spin_modes import modes
from .verdict import judge, place, sentence

Array = NDArray[np.float64]


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class SpinEquilibrium:
    """Steady spin: all parts rotate as one rigid body, except wheels at constant relative rates.

    Attributes
    ----------
    state : numpy.ndarray, shape (nx,)
        State of the spacecraft, for `Spacecraft.linearize` and simulation; attitude (1, 0, 0, 0).
    rate : numpy.ndarray, shape (3,)
        omega, body components, rad/s.
    momentum : numpy.ndarray, shape (3,)
        pi, along omega, body components, N m s.
    coordinates : numpy.ndarray, shape (n,)
        s: coordinates of the elements, in the units of `StateLayout`.
    relative_rates : numpy.ndarray, shape (n,)
        sdot: zero except for wheels.
    energy : float
        Energy, J.
    residual : float
        Largest remaining rate of change, scaled; normally about 1e-13, the level of rounding.
    axis : str
        Principal axis of the locked spacecraft: "major", "middle" or "minor", or "equal" if another moment is
        equal. If wheels spin, the principal axis nearest to the spin axis.
    moments : numpy.ndarray, shape (3,)
        Principal moments of the locked spacecraft, kg m^2; the moment of the spin axis comes first.
    kind : str
        "asymptotically stable", "neutrally stable" or "unstable", at constant momentum.
    eigenvalues : numpy.ndarray
        Eigenvalues of the exact linear motion of pi, s and p at constant momentum, 1/s, sorted by real part. Trivial
        eigenvalues (attitude, momentum magnitude, frictionless wheels) and the zeros of the family are excluded.
    nutation : complex
        Nutation eigenvalue, 1/s.
    energy_sink : float
        Energy-sink estimate of the real part of `nutation`, 1/s; NaN if the locked spacecraft does not nutate.
    variation : numpy.ndarray
        Eigenvalues of the second variation of the energy at constant momentum, divided by pi.omega. If all are
        positive, the energy has a minimum.
    family : int
        Dimension of the family of steady spins of equal momentum that contains this spin, for example if the hub is
        symmetric about the axis of a ring; 0 if the spin is isolated.
    words : str
        Verdict as a sentence, with the evidence.
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
        """Time constant -1/Re of every eigenvalue, s: negative if growing, infinite if undamped."""
        real = self.eigenvalues.real
        return np.divide(-1.0, real, out=np.full(len(real), np.inf), where=real != 0.0)


def judged(system: Reduced, z: Array, *, residual: float) -> SpinEquilibrium:
    """Return a solution with its stability verdict.

    system: the spacecraft; z (3 + k + n,): a steady spin; residual: largest remaining rate, scaled -> the spin with
    state, eigenvalues and verdict.
    """
    _, velocities = system.move(z)
    omega, state = velocities[:3], system.state(z)
    variation = second_variation(system, z)
    spin_modes = modes(variation)
    where = place(system.craft.locked_inertia(state), omega, z[:3])
    speed = float(np.linalg.norm(omega))
    kind = judge(spin_modes, speed)
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
        eigenvalues=spin_modes.eigenvalues,
        nutation=spin_modes.nutation,
        energy_sink=energy_sink(variation),
        variation=spin_modes.variation,
        family=spin_modes.family,
        words=sentence(kind, where, spin_modes, speed=speed),
    )
