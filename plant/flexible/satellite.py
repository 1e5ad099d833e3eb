"""A rigid hub with flexible arms: its description, its states and what they mean."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..brief import brief
from ..checks import unit_quaternion, vector
from ..errors import InputError
from ..frozen import frozen_arrays
from ..linearization import LinearModel
from ..rigid_body import RigidBody
from ..torque import TorqueBasis
from .appendage import appendage_modes
from .arm import Arm
from .equations import configuration, kinematics, momenta_and_forces, velocities
from .linear import linear_model
from .modes import FlexibleModes, modes_of
from .packing import Workspace, pack
from .quantities import angular_momentum, linear_momentum
from .start import rigid_velocities, straight_positions

if TYPE_CHECKING:
    from .reduce import ReducedSatellite

__all__ = ["FlexibleSatellite"]

Array = NDArray[np.float64]


@frozen_arrays
@dataclass(frozen=True, eq=False, init=False)
class FlexibleSatellite:
    """A rigid hub with any number of flexible arms (003, chapter 3).

    Arms are Euler-Bernoulli beams of large rotation with axial, torsional and two bending strains and rotary inertia.
    The state x = (q, p) holds inertial positions, Euler parameters and strains of hub and nodes, and the momenta that
    belong to their velocities; its order is that of `polhode.plant.flexible.layout`.

    Parameters
    ----------
    hub : RigidBody
        With its mass; arms are placed from its mass centre.
    arms : sequence of Arm
        At least one.
    hub_size : array_like, shape (3,), optional
        Edges of the box the hub fills about its mass centre, m. Roots must then lie on it or in it.
    points : int
        Gauss points in each element, 3 to 5. Three integrate the energy of small deformations exactly.

    Raises
    ------
    InputError
        When the hub has no mass or a pivot, there is no arm, or an arm begins off the hub.

    Examples
    --------
    The satellite of 003: a cube with two arms of two elements each.

    >>> from polhode.plant.flexible import BeamSection
    >>> section = BeamSection(
    ...     area=2.5e-3, second_moment_m=5.2e-7, second_moment_n=5.2e-7, elastic_modulus=7.17e10,
    ...     shear_modulus=2.68e10, density=2.8e3,
    ... )
    >>> arms = [
    ...     Arm(section=section, length=2.0, elements=2, direction=(s, 0, 0), root=(0.1 * s, 0, 0)) for s in (1, -1)
    ... ]
    >>> craft = FlexibleSatellite(RigidBody(0.149 * np.eye(3), mass=22.4), arms=arms, hub_size=(0.2, 0.2, 0.2))
    >>> round(craft.mass, 9), craft.state().size
    (50.4, 77)
    """

    hub: RigidBody
    arms: tuple[Arm, ...]
    hub_size: Array | None
    points: int
    parameters: Array = field(repr=False)

    __repr__ = brief

    def __init__(
        self, hub: RigidBody, *, arms: Sequence[Arm], hub_size: ArrayLike | None = None, points: int = 3
    ) -> None:
        if hub.mass is None or hub.pivot is not None:
            raise InputError("the hub of a flexible satellite is free and needs a mass: RigidBody(inertia, mass=...)")
        if not arms:
            raise InputError("a flexible satellite needs at least one arm; a hub alone is a Spacecraft")
        if not 3 <= points <= 5:
            raise InputError(f"points must be 3 to 5 in each element; got {points}")
        size = None if hub_size is None else vector("hub size", hub_size, unit="m")
        if size is not None:
            for n, arm in enumerate(arms):
                out = np.abs(np.asarray(arm.root)) - 0.5 * size * (1.0 + 1e-12)
                if out.max() > 0.0:
                    k = int(out.argmax())
                    raise InputError(
                        f"arm {n + 1} begins {abs(np.asarray(arm.root)[k]):g} m from the hub's centre along "
                        f"{'xyz'[k]}, but the hub reaches only {0.5 * size[k]:g} m there; make the hub larger or move "
                        "the root onto it"
                    )
        object.__setattr__(self, "hub", hub)
        object.__setattr__(self, "arms", tuple(arms))
        object.__setattr__(self, "hub_size", size)
        object.__setattr__(self, "points", int(points))
        object.__setattr__(self, "parameters", pack(hub, self.arms, points=int(points)))

    @property
    def mass(self) -> float:
        """Of hub and arms, kg."""
        return float(self.hub.mass or 0.0) + sum(arm.mass for arm in self.arms)

    @property
    def degrees(self) -> int:
        """Number of velocities: 6 for the hub, for each arm one strain at its root and 7 for each further node."""
        return 6 + sum(1 + 7 * arm.elements for arm in self.arms)

    @property
    def positions(self) -> int:
        """Number of positions, one more than velocities for every attitude."""
        return self.degrees + 1 + sum(arm.elements for arm in self.arms)

    @property
    def mass_centre(self) -> Array:
        """Of the undeformed satellite, from the hub's, hub axes, m, shape (3,)."""
        total = np.zeros(3)
        for arm in self.arms:
            root, along = np.asarray(arm.root), np.asarray(arm.direction)
            beam = arm.section.mass_per_length * arm.length
            total += beam * (root + 0.5 * arm.length * along) + arm.tip_mass * (root + arm.length * along)
        return total / self.mass

    def straight(self, attitude: ArrayLike = (1.0, 0.0, 0.0, 0.0), position: ArrayLike = (0.0, 0.0, 0.0)) -> Array:
        """Return the positions q of the undeformed satellite.

        Parameters
        ----------
        attitude : array_like, shape (4,)
            Euler parameters of the hub, scalar first.
        position : array_like, shape (3,)
            Of the satellite's mass centre, m.

        Returns
        -------
        numpy.ndarray, shape (positions,)
            q.
        """
        e = unit_quaternion("attitude", attitude)
        return straight_positions(self, e, vector("position", position, unit="m"))

    def rigid_rates(self, q: ArrayLike, rate: ArrayLike, *, velocity: ArrayLike = (0.0, 0.0, 0.0)) -> Array:
        """Return the velocities nu of a satellite that moves as one rigid body: omega x r at every node.

        Parameters
        ----------
        q : array_like, shape (positions,)
            Positions.
        rate : array_like, shape (3,)
            Hub axes, rad/s.
        velocity : array_like, shape (3,)
            Of the undeformed satellite's mass centre, inertial components, m/s.

        Returns
        -------
        numpy.ndarray, shape (degrees,)
            nu.
        """
        q = vector("positions", q, self.positions)
        spin, drift = vector("rate", rate, unit="rad/s"), vector("velocity", velocity, unit="m/s")
        return rigid_velocities(self, q, spin, velocity=drift)

    def state(
        self,
        *,
        attitude: ArrayLike = (1.0, 0.0, 0.0, 0.0),
        rate: ArrayLike = (0.0, 0.0, 0.0),
        position: ArrayLike = (0.0, 0.0, 0.0),
        velocity: ArrayLike = (0.0, 0.0, 0.0),
    ) -> Array:
        """Return the state of the undeformed satellite in rigid motion.

        003 says that all nodal velocities but the hub's rates start at zero; arms at rest on a turning hub are a shock,
        not a start, so every node starts at omega x r.

        Parameters
        ----------
        attitude : array_like, shape (4,)
            Euler parameters of the hub, scalar first.
        rate : array_like, shape (3,)
            Hub axes, rad/s.
        position, velocity : array_like, shape (3,)
            Of the mass centre, inertial components, m and m/s.

        Returns
        -------
        numpy.ndarray, shape (positions + degrees,)
            x = (q, p).
        """
        q = self.straight(attitude, position)
        return self.state_of(q, self.rigid_rates(q, rate, velocity=velocity))

    def state_of(self, q: ArrayLike, nu: ArrayLike) -> Array:
        """Return the state of given positions and velocities.

        Parameters
        ----------
        q : array_like, shape (positions,)
            Positions.
        nu : array_like, shape (degrees,)
            Velocities.

        Returns
        -------
        numpy.ndarray, shape (positions + degrees,)
            x = (q, p), p = M(q) nu.
        """
        q = vector("positions", q, self.positions)
        momenta, _, _ = self.sweep(q, vector("velocities", nu, self.degrees))
        return np.concatenate((q, momenta))

    def sweep(self, q: ArrayLike, nu: ArrayLike, *, torque: ArrayLike = (0.0, 0.0, 0.0)) -> tuple[Array, Array, Array]:
        """Return the momenta, their rates and the energies of given positions and velocities.

        Parameters
        ----------
        q : array_like, shape (positions,)
            Positions; may be complex.
        nu : array_like, shape (degrees,)
            Velocities; may be complex.
        torque : array_like, shape (3,)
            On the hub, hub axes, N m.

        Returns
        -------
        tuple of numpy.ndarray
            Momenta p = M nu, shape (degrees,); their rates, shape (degrees,); kinetic and strain energy, J, shape (2,).
        """
        q, nu = np.asarray(q), np.asarray(nu)
        kind = np.result_type(q, nu, np.float64)
        work = Workspace.of(self.arms, dtype=kind)
        momenta, rates = np.zeros(self.degrees, kind), np.zeros(self.degrees, kind)
        p = self.parameters
        configuration(q.astype(kind), p, work.pose, work.rho, work.axes)
        kinematics(nu.astype(kind), p, work.rho, work.vel)
        energies = momenta_and_forces(
            nu.astype(kind),
            p,
            np.asarray(torque, dtype=np.float64),
            work.pose,
            work.vel,
            work.rho,
            work.axes,
            work.mom,
            work.frc,
            momenta,
            rates,
        )
        return momenta, rates, np.array(energies)

    def velocities(self, x: ArrayLike) -> Array:
        """Return the velocities nu of a state, M(q) nu = p solved along the arms.

        Parameters
        ----------
        x : array_like, shape (positions + degrees,)
            State; may be complex.

        Returns
        -------
        numpy.ndarray, shape (degrees,)
            nu.
        """
        x = np.asarray(x)
        work = Workspace.of(self.arms, dtype=x.dtype)
        nu = np.zeros(self.degrees, x.dtype)
        velocities(x, self.parameters, work.pose, work.rho, work.axes, work.rows, work.diag, work.off, work.hub, nu)
        return nu

    def energy(self, x: ArrayLike) -> float:
        """Return kinetic plus strain energy of a state.

        Parameters
        ----------
        x : array_like, shape (positions + degrees,)
            State.

        Returns
        -------
        float
            J.
        """
        x = vector("state", x, self.positions + self.degrees)
        return float(self.sweep(x[: self.positions], self.velocities(x))[2].sum())

    def momentum(self, x: ArrayLike) -> tuple[Array, Array]:
        """Return linear momentum and angular momentum about the origin, inertial components.

        Parameters
        ----------
        x : array_like, shape (positions + degrees,)
            State.

        Returns
        -------
        tuple of numpy.ndarray
            N s and N m s, shape (3,) each.
        """
        rows = vector("state", x, self.positions + self.degrees)[None]
        return linear_momentum(self, rows)[0], angular_momentum(self, rows)[0]

    def modes(self, *, clamped: bool = False, count: int | None = None) -> FlexibleModes:
        """Return the modes of vibration about rest: the nonlinear element, linearised exactly.

        Parameters
        ----------
        clamped : bool
            True holds the hub.
        count : int, optional
            How many of the lowest, the six rigid motions of a free satellite included; all if left out.

        Returns
        -------
        FlexibleModes
            Frequencies, shapes, damping ratios, and M, C, K in minimal coordinates.
        """
        return modes_of(self, clamped=clamped, count=count)

    def linearize(
        self,
        *,
        damping: ArrayLike = 0.0,
        outputs: Sequence[str] = ("attitude", "rate"),
        torques: TorqueBasis | None = None,
    ) -> LinearModel:
        """Return the exact linear model at rest, of every motion of the mesh, from torque on the hub.

        Parameters
        ----------
        damping : float or array_like, shape (n,)
            Damping ratios of the modes on a hub held fast, beside what the arms' material has.
        outputs : sequence of str
            Among "attitude", "rate", "momentum" and "internal".
        torques : TorqueBasis, optional
            Limits of the torque.

        Returns
        -------
        LinearModel
            In the coordinates of `polhode.plant.flexible.appendage`; those of `Spacecraft.linearize`.
        """
        return linear_model(appendage_modes(self), damping=damping, outputs=outputs, torques=torques)

    def reduce(
        self, *, modes: int | None = None, up_to: float | None = None, translation: bool = False
    ) -> "ReducedSatellite":
        """Return hub and the modes that matter to control: see `polhode.plant.flexible.reduce_satellite`.

        Parameters
        ----------
        modes : int, optional
            How many of the lowest.
        up_to : float, optional
            Or all of this frequency and below, rad/s.
        translation : bool
            True keeps modes that only move the mass centre too.

        Returns
        -------
        ReducedSatellite
            Its `spacecraft()` is a rigid plant with `polhode.plant.FlexibleModes`.
        """
        from .reduce import reduce_satellite

        return reduce_satellite(self, modes=modes, up_to=up_to, translation=translation)
