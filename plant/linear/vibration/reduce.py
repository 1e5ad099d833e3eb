"""Reduction of flexible arms to hub and modes."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...brief import brief
from ...checks import positive
from ...elements import FlexibleModes
from ...elements.arm.arm import Arm
from ...errors import InputError
from ...frozen import frozen_arrays
from ...hub.rigid_body import RigidBody
from ...loads.torque import TorqueBasis
from ...one_thread import one_thread
from ...spacecraft import Spacecraft
from .appendage_modes import AppendageModes, mesh_appendages
from .displaced import displaced
from .hub_response import ratios, valid_up_to
from .mesh import free_mesh_of

Array = NDArray[np.float64]

FAINT = 1e-10  # relative inertia and mass below which a coupling counts as zero


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class ReducedCraft:
    """Spacecraft whose arms are replaced by the modes that matter for control.

    Frequencies, effective inertias and bounds refer to hub and arms; other elements keep their own states.

    Attributes
    ----------
    craft : Spacecraft
        The spacecraft with its arms.
    mass_centre : numpy.ndarray, shape (3,)
        Mass centre of hub and undeformed arms, relative to the hub's mass centre, m.
    modes : AppendageModes
        Retained modes: frequencies on a fixed hub, participation, shapes.
    numbers : tuple of int
        Ordinal numbers of the retained modes among all modes on a fixed hub, from 1.
    every : AppendageModes
        All modes, to assess the omitted ones.
    translation : bool
        Whether modes that only move the mass centre are also retained.
    """

    craft: Spacecraft
    mass_centre: Array
    modes: AppendageModes
    numbers: tuple[int, ...]
    every: AppendageModes
    translation: bool

    __repr__ = brief

    @property
    def frequencies(self) -> Array:
        """Frequencies on a fixed hub, rad/s, shape (n,)."""
        return self.modes.frequencies

    @property
    def free_frequencies(self) -> Array:
        """Natural frequencies of hub and retained modes in free flight, ascending, rad/s, shape (n,)."""
        return self.modes.free_frequencies

    @property
    def inertia_shares(self) -> Array:
        """Effective inertia of each mode about x, y, z, relative to hub and arms, shape (n, 3)."""
        return np.einsum("kii->ki", self.modes.effective_inertia) / self.modes.inertia.diagonal()

    @property
    def mass_shares(self) -> Array:
        """Effective mass of each mode along x, y, z, relative to hub and arms, shape (n, 3)."""
        return np.einsum("kii->ki", self.modes.effective_mass) / self.modes.mass

    @property
    def stiff_inertia(self) -> Array:
        """Inertia that moves with the hub above the retained frequencies, J - sum delta delta', shape (3, 3)."""
        return self.modes.inertia - self.modes.effective_inertia.sum(axis=0)

    def valid_up_to(self, *, tolerance: float = 0.01, damping: float = 0.005) -> float:
        """Return the frequency up to which the hub response to torque agrees with the response of the whole mesh.

        Parameters
        ----------
        tolerance : float
            Largest relative difference of the responses; see `polhode.plant.linear.vibration.hub_response`.
        damping : float
            Damping ratio of all modes in addition to material damping.

        Returns
        -------
        float
            Frequency, rad/s; infinite if no relevant mode was omitted.
        """
        return valid_up_to(self, tolerance=tolerance, damping=damping)

    def spacecraft(self, *, damping: ArrayLike = 0.0, torques: TorqueBasis | None = None) -> Spacecraft:
        """Return the plant with modes in place of the arms, for design, linearisation and simulation.

        Parameters
        ----------
        damping : float or array_like, shape (n,)
            Damping ratios on a fixed hub, in addition to material damping.
        torques : TorqueBasis, optional
            Torque basis and limits. Default: as for the spacecraft.

        Returns
        -------
        Spacecraft
            Inertia and mass of hub and undeformed arms, one `polhode.plant.FlexibleModes`, and the other elements and
            potentials of the spacecraft; if `translation` is true, also position and linear momentum. The modes of the
            arms come first, but after the other elements if these have flexible modes, whose numbers do not change.

        Raises
        ------
        InputError
            When a damping ratio is out of range, no mode was retained, a gravity gradient acts (modes do not define
            the change of the inertia), or the point of application of a user force would change because the arms
            shift the mass centre of the body.
        """
        n = self.frequencies.size
        if n == 0:
            raise InputError("no mode was retained; request more modes or a higher frequency")
        if self.craft.user_forces and np.abs(self.mass_centre).max() > FAINT:
            raise InputError(
                "a user force acts at the hub's mass centre, but the mass centre of hub and arms is "
                f"{np.linalg.norm(self.mass_centre):.4g} m away; remove the user forces first"
            )
        element = FlexibleModes(
            frequencies=self.frequencies,
            damping_ratios=self.modes.damping_ratios + ratios(damping, n),
            rotation=self.modes.rotation,
            translation=self.modes.translation,
        )
        others = [displaced(e, -self.mass_centre) for e in self.craft.elements if not isinstance(e, Arm)]
        numbered = any(
            isinstance(other, FlexibleModes) for other in others
        )  # they keep their numbers if they come first
        return Spacecraft(
            RigidBody(self.modes.inertia, mass=self.modes.mass),
            elements=[*others, element] if numbered else [element, *others],
            torques=self.craft.torques if torques is None else torques,
            potentials=self.craft.potentials,
            user_forces=self.craft.user_forces,
            translation=self.translation,
        )


def acts_on_attitude(modes: AppendageModes) -> NDArray[np.bool_]:
    """Return, for each mode, whether it affects the attitude of a free satellite.

    A mode affects the attitude by its rotational participation, or by moving the mass centre together with another
    mode that affects the attitude.

    -> (n,): false for the symmetric modes of a symmetric satellite.
    """
    acts = np.asarray((modes.rotation**2 > FAINT * modes.inertia.diagonal()[:, None]).any(axis=0))
    couples = np.abs(modes.translation.T @ modes.translation) > FAINT * modes.mass
    while True:
        more = np.asarray(acts | couples[acts].any(axis=0))
        if np.array_equal(more, acts):
            return more
        acts = more


@one_thread
def reduce_craft(
    craft: Spacecraft, *, modes: int | None = None, up_to: float | None = None, translation: bool = False
) -> ReducedCraft:
    """Return a spacecraft whose arms are replaced by the modes that matter for control.

    Modes on a fixed hub are used (hybrid coordinates, Likins). Modes that are not observable or controllable
    from the hub's attitude, such as equal bending of both arms of a symmetric satellite, are omitted.

    Parameters
    ----------
    craft : Spacecraft
        Spacecraft with flexible arms; other elements are unchanged.
    modes : int, optional
        Number of modes, lowest first.
    up_to : float, optional
        Highest retained frequency on a fixed hub, rad/s; alternative to `modes`. If both are omitted, all modes are
        retained.
    translation : bool
        Whether to also retain modes that only move the mass centre, and to add the position to the state.

    Returns
    -------
    ReducedCraft
        Frequencies, participation, effective inertia, and the reduced plant.

    Raises
    ------
    InputError
        When both `modes` and `up_to` are given, there are fewer modes than requested, or the spacecraft has no arms
        or is pivoted.

    Examples
    --------
    The satellite of Choi (2014): two arms bend in two planes; antisymmetric bending rotates the hub about y and about
    z.

    >>> from polhode.plant.flexible import BeamSection
    >>> section = BeamSection(
    ...     area=2.5e-3, second_moment_m=5.2e-7, second_moment_n=5.2e-7, youngs_modulus=7.17e10,
    ...     shear_modulus=2.68e10, density=2.8e3,
    ... )
    >>> arms = [
    ...     Arm(section=section, length=2.0, elements=4, direction=(s, 0, 0), root=(0.1 * s, 0, 0)) for s in (1, -1)
    ... ]
    >>> craft = Spacecraft(RigidBody(0.149 * np.eye(3), mass=22.4), elements=arms)
    >>> reduced = reduce_craft(craft, modes=2)
    >>> (reduced.frequencies / (2 * np.pi)).round(2), (reduced.free_frequencies / (2 * np.pi)).round(1)
    (array([10.21, 10.21]), array([48., 48.]))
    >>> reduced.inertia_shares[0].round(3)
    array([0.   , 0.955, 0.   ])
    >>> bounds = [reduce_craft(craft, modes=n).valid_up_to() for n in (2, 6)]
    >>> (np.array(bounds) / (2 * np.pi)).round(1)
    array([ 19.2, 101.8])
    """
    mesh = free_mesh_of(craft, locked=False)
    every = mesh_appendages(mesh)
    if modes is not None and up_to is not None:
        raise InputError("give modes (a number) or up_to (rad/s), not both")
    candidates = np.flatnonzero(acts_on_attitude(every))
    if translation:
        moves = (every.translation**2 > FAINT * every.mass).any(axis=0)
        candidates = np.flatnonzero(acts_on_attitude(every) | moves)
    if modes is not None:
        if isinstance(modes, bool) or not 1 <= modes <= candidates.size:
            raise InputError(
                f"modes must be 1 to {candidates.size}, the modes of this mesh that affect the hub; got {modes}"
            )
        candidates = candidates[:modes]
    elif up_to is not None:
        bound = positive("up_to", up_to, "rad/s") * (1.0 + 1e-9)
        candidates = candidates[every.frequencies[candidates] <= bound]
        if candidates.size == 0:
            lowest = every.frequencies[acts_on_attitude(every)][0]
            raise InputError(f"no mode is below {up_to:g} rad/s; the lowest has {lowest:.6g} rad/s")
    return ReducedCraft(
        craft=craft,
        mass_centre=mesh.mass_centre,
        modes=every.of(candidates),
        numbers=tuple(int(k) + 1 for k in candidates),
        every=every,
        translation=bool(translation),
    )
