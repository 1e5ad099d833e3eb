"""From finite elements to hub and modes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..brief import brief
from ..checks import positive
from ..elements import FlexibleModes
from ..errors import InputError
from ..linearization import LinearModel
from ..one_thread import one_thread
from ..rigid_body import RigidBody
from ..spacecraft import Spacecraft
from ..torque import TorqueBasis
from .appendage import AppendageModes, appendage_modes
from .linear import linear_model, ratios
from .response import valid_up_to

if TYPE_CHECKING:
    from .satellite import FlexibleSatellite

__all__ = ["ReducedSatellite", "acts_on_attitude", "reduce_satellite"]

Array = NDArray[np.float64]

FAINT = 1e-10  # shares of inertia and mass below this are not there


@dataclass(frozen=True, eq=False, kw_only=True)
class ReducedSatellite:
    """A flexible satellite as a hub and the modes of its arms that matter to control.

    Attributes
    ----------
    modes : AppendageModes
        The modes kept: frequencies on a hub held fast, participation, shapes.
    numbers : tuple of int
        Which of all modes on a hub held fast, from 1.
    every : AppendageModes
        All modes, for what is left out.
    translation : bool
        Whether modes that only move the mass centre were kept too.
    """

    modes: AppendageModes
    numbers: tuple[int, ...]
    every: AppendageModes
    translation: bool

    __repr__ = brief

    @property
    def frequencies(self) -> Array:
        """On a hub held fast, rad/s, shape (n,)."""
        return self.modes.frequencies

    @property
    def free_frequencies(self) -> Array:
        """Of the whole in free flight, as hub and modes have it, ascending, rad/s, shape (n,)."""
        return self.modes.free_frequencies

    @property
    def inertia_shares(self) -> Array:
        """Effective inertia of each mode about x, y, z, in shares of the whole satellite's, shape (n, 3)."""
        return np.einsum("kii->ki", self.modes.effective_inertia) / self.modes.inertia.diagonal()

    @property
    def mass_shares(self) -> Array:
        """Effective mass of each mode along x, y, z, in shares of the whole satellite's, shape (n, 3)."""
        return np.einsum("kii->ki", self.modes.effective_mass) / self.modes.mass

    @property
    def stiff_inertia(self) -> Array:
        """What of the inertia follows the hub above the frequencies of the modes kept, J - sum delta delta', (3, 3)."""
        return self.modes.inertia - self.modes.effective_inertia.sum(axis=0)

    def valid_up_to(self, *, tolerance: float = 0.01, damping: float = 0.005) -> float:
        """Return the frequency up to which the hub's response to torque is that of the whole mesh.

        Parameters
        ----------
        tolerance : float
            Difference allowed, in shares of the response: see `polhode.plant.flexible.response`.
        damping : float
            Damping ratio of all modes beside that of the arms' material.

        Returns
        -------
        float
            rad/s; infinite when nothing was left out that matters.
        """
        return valid_up_to(self, tolerance=tolerance, damping=damping)

    @one_thread
    def linearize(
        self,
        *,
        damping: ArrayLike = 0.0,
        outputs: Sequence[str] = ("attitude", "rate"),
        torques: TorqueBasis | None = None,
    ) -> LinearModel:
        """Return the linear model of hub and modes kept: that of `spacecraft(...)` at rest, without position.

        Parameters
        ----------
        damping : float or array_like, shape (n,)
            Damping ratios on a hub held fast, beside what the arms' material has.
        outputs : sequence of str
            Among "attitude", "rate", "momentum" and "internal".
        torques : TorqueBasis, optional
            Limits of the torque.

        Returns
        -------
        LinearModel
            To design on.
        """
        return linear_model(self.modes, damping=damping, outputs=outputs, torques=torques)

    def spacecraft(self, *, damping: ArrayLike = 0.0, torques: TorqueBasis | None = None) -> Spacecraft:
        """Return the rigid plant with the modes as an element: to design on, to linearise and to fly.

        Parameters
        ----------
        damping : float or array_like, shape (n,)
            Damping ratios on a hub held fast, beside what the arms' material has.
        torques : TorqueBasis, optional
            Basis and limits of the torque.

        Returns
        -------
        Spacecraft
            Inertia and mass of the whole undeformed satellite, and one `polhode.plant.FlexibleModes`; with
            `translation` position and linear momentum too.

        Raises
        ------
        InputError
            When a damping ratio is out of range, or no mode was kept.
        """
        n = self.frequencies.size
        if n == 0:
            raise InputError("no mode was kept; ask for more modes or a higher frequency")
        element = FlexibleModes(
            frequencies=self.frequencies,
            damping_ratios=self.modes.damping_ratios + ratios(damping, n),
            rotation=self.modes.rotation,
            translation=self.modes.translation,
        )
        body = RigidBody(self.modes.inertia, mass=self.modes.mass)
        return Spacecraft(body, elements=[element], torques=torques, translation=self.translation)


def acts_on_attitude(modes: AppendageModes) -> NDArray[np.bool_]:
    """Return which modes have to do with the attitude of a free satellite.

    A mode acts by its own rotational participation, or because it moves the mass centre together with one that does.

    Parameters
    ----------
    modes : AppendageModes
        Modes.

    Returns
    -------
    numpy.ndarray of bool, shape (n,)
        Symmetric modes of a symmetric satellite do not act.
    """
    acts = np.asarray((modes.rotation**2 > FAINT * modes.inertia.diagonal()[:, None]).any(axis=0))
    couples = np.abs(modes.translation.T @ modes.translation) > FAINT * modes.mass
    while True:
        more = np.asarray(acts | couples[acts].any(axis=0))
        if np.array_equal(more, acts):
            return more
        acts = more


@one_thread
def reduce_satellite(
    satellite: "FlexibleSatellite",
    *,
    modes: int | None = None,
    up_to: float | None = None,
    translation: bool = False,
) -> ReducedSatellite:
    """Return hub and modes of a flexible satellite.

    Modes are those on a hub held fast (hybrid coordinates, Likins). Modes that cannot be seen or reached from the hub's
    attitude, such as those in which both arms of a symmetric satellite bend the same way, are left out.

    Parameters
    ----------
    satellite : FlexibleSatellite
        Hub and arms.
    modes : int, optional
        How many of the lowest.
    up_to : float, optional
        Or all of this frequency (hub held fast, rad/s) and below; all modes without either.
    translation : bool
        True keeps modes that only move the mass centre too, and position among the states.

    Returns
    -------
    ReducedSatellite
        Frequencies, participation, effective inertia, and the rigid plant that carries them.

    Raises
    ------
    InputError
        When both or neither fit, or there are fewer modes than asked for.

    Examples
    --------
    The satellite of 003: two arms bend in two planes; antisymmetric bending turns the hub about y and about z.

    >>> from polhode.plant.flexible import Arm, BeamSection, FlexibleSatellite
    >>> section = BeamSection(
    ...     area=2.5e-3, second_moment_m=5.2e-7, second_moment_n=5.2e-7, elastic_modulus=7.17e10,
    ...     shear_modulus=2.68e10, density=2.8e3,
    ... )
    >>> arms = [
    ...     Arm(section=section, length=2.0, elements=4, direction=(s, 0, 0), root=(0.1 * s, 0, 0)) for s in (1, -1)
    ... ]
    >>> craft = FlexibleSatellite(RigidBody(0.149 * np.eye(3), mass=22.4), arms=arms)
    >>> reduced = reduce_satellite(craft, modes=2)
    >>> (reduced.frequencies / (2 * np.pi)).round(2), (reduced.free_frequencies / (2 * np.pi)).round(1)
    (array([10.21, 10.21]), array([48., 48.]))
    >>> reduced.inertia_shares[0].round(3)
    array([0.   , 0.955, 0.   ])
    >>> round(reduced.valid_up_to() / (2 * np.pi), 1), round(craft.reduce(modes=6).valid_up_to() / (2 * np.pi), 1)
    (19.2, 101.8)
    """
    every = appendage_modes(satellite)
    if modes is not None and up_to is not None:
        raise InputError("give modes (how many) or up_to (rad/s), not both")
    candidates = np.flatnonzero(acts_on_attitude(every))
    if translation:
        moves = (every.translation**2 > FAINT * every.mass).any(axis=0)
        candidates = np.flatnonzero(acts_on_attitude(every) | moves)
    if modes is not None:
        if isinstance(modes, bool) or not 1 <= modes <= candidates.size:
            raise InputError(
                f"modes must be 1 to {candidates.size}, the modes of this mesh that the hub sees; got {modes}"
            )
        candidates = candidates[:modes]
    elif up_to is not None:
        bound = positive("up_to", up_to, "rad/s") * (1.0 + 1e-9)
        candidates = candidates[every.frequencies[candidates] <= bound]
        if candidates.size == 0:
            lowest = every.frequencies[acts_on_attitude(every)][0]
            raise InputError(f"no mode lies below {up_to:g} rad/s; the lowest has {lowest:.6g} rad/s")
    return ReducedSatellite(
        modes=every.of(candidates),
        numbers=tuple(int(k) + 1 for k in candidates),
        every=every,
        translation=bool(translation),
    )
