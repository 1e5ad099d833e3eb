"""Vibration about a steady spin: relative equilibrium and exact linear model in the turning frame."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..attitude import from_rotation_vector, quaternion_product
from ..brief import brief
from ..checks import vector
from ..errors import EquilibriumError
from ..frozen import frozen_arrays
from ..one_thread import one_thread
from .tangent import STEP

if TYPE_CHECKING:
    from .satellite import FlexibleSatellite

__all__ = ["SpinModel", "about_spin"]

Array = NDArray[np.float64]


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class SpinModel:
    """z' = A z about a steady spin, in a frame that turns with it.

    z holds small places (m), turns (rad) and strains of hub and nodes in the order of the velocities, then the
    deviations of their momenta.

    Attributes
    ----------
    rate : numpy.ndarray, shape (3,)
        Of the spin, rad/s; the frame is the hub's but for the small turn that puts a principal axis on the spin.
    q : numpy.ndarray, shape (positions,)
        Positions in steady spin: the arms are stretched, and bent where they do not lie across or along the spin.
    A : numpy.ndarray, shape (2 degrees, 2 degrees)
        State matrix; strain-rate damping included.
    residual : float
        Largest force or torque left in the turning frame, N or N m.
    """

    rate: Array
    q: Array
    A: Array
    residual: float

    __repr__ = brief

    @one_thread
    def eigenvalues(self) -> NDArray[np.complex128]:
        """Return the eigenvalues of A, by imaginary part, 1/s.

        Returns
        -------
        numpy.ndarray, shape (2 degrees,)
            Of which 12 belong to rigid motion.
        """
        values = np.linalg.eigvals(self.A).astype(np.complex128)
        return values[np.argsort(values.imag, kind="stable")]


@one_thread
def about_spin(satellite: "FlexibleSatellite", rate: ArrayLike, *, tolerance: float = 1e-10) -> SpinModel:
    """Return the linear model about a steady spin about the satellite's mass centre.

    Derivatives are complex steps of the equations of motion: centrifugal stiffening, Coriolis coupling and the change
    of inertia with the arms' shape are all in it.

    Parameters
    ----------
    satellite : FlexibleSatellite
        Hub and arms.
    rate : array_like, shape (3,)
        Hub axes, rad/s; close to a principal axis.
    tolerance : float
        Residual allowed, in shares of the largest centrifugal force.

    Returns
    -------
    SpinModel
        Equilibrium and A.

    Raises
    ------
    EquilibriumError
        When no steady spin is found near the one asked for.
    """
    spin = vector("rate", rate, unit="rad/s")
    blocks = _Blocks(satellite)
    q = satellite.straight()
    n = satellite.degrees
    allowed = found = 0.0
    for _ in range(30):
        momenta, forces, _ = satellite.sweep(q, blocks.turning(q, spin))
        swept = blocks.swept(spin, momenta)
        residual = forces - swept
        found = float(np.abs(residual).max())
        slopes = np.zeros((n, n))
        for k in range(n):
            moved = blocks.moved(q, k)
            p_k, f_k, _ = satellite.sweep(moved, blocks.turning(moved, spin))
            slopes[:, k] = (f_k - blocks.swept(spin, p_k)).imag / STEP
        stiffness = np.sqrt(np.abs(slopes.diagonal()) + 1e-12 * np.abs(slopes).max())
        allowed = tolerance * float(np.abs(swept).max()) + 1e-12 * float(np.abs(slopes).max())
        scaled = slopes / np.outer(stiffness, stiffness)
        algebra: Any = np.linalg
        change: Array = algebra.lstsq(scaled, -residual / stiffness, rcond=1e-13)[0] / stiffness
        size = float(np.abs(change).max())
        q = blocks.shifted(q, change * min(1.0, 0.2 / max(size, 1e-300)))
        if found <= allowed and size < 1e-8:
            break
    else:
        raise EquilibriumError(
            f"no steady spin found near {spin.tolist()} rad/s: {found:.3g} N or N m are left, {allowed:.3g} allowed; "
            "spin about a principal axis of the satellite, or slower"
        )
    nu = blocks.turning(q, spin)
    P_q, F_q, P_nu, F_nu = (np.zeros((n, n)) for _ in range(4))
    for k in range(n):
        p_k, f_k, _ = satellite.sweep(blocks.moved(q, k), nu)
        P_q[:, k], F_q[:, k] = p_k.imag / STEP, f_k.imag / STEP
        faster = nu.astype(complex)
        faster[k] += 1j * STEP
        p_k, f_k, _ = satellite.sweep(q, faster)
        P_nu[:, k], F_nu[:, k] = p_k.imag / STEP, f_k.imag / STEP
    turn_all, turn_places = blocks.rotation(spin)
    by_p: Array = np.asarray(np.linalg.inv(P_nu), dtype=np.float64)
    by_q = -by_p @ P_q
    A: Array = np.block([[by_q - turn_places, by_p], [F_q + F_nu @ by_q, F_nu @ by_p - turn_all]])
    momenta, forces, _ = satellite.sweep(q, nu)
    return SpinModel(rate=spin, q=q, A=A, residual=float(np.abs(forces - blocks.swept(spin, momenta)).max()))


class _Blocks:
    """Where places, turns and strains stand among velocities and positions."""

    def __init__(self, satellite: "FlexibleSatellite") -> None:
        self.size = satellite.degrees
        self.nodes: list[tuple[int, int]] = [(0, 0)]  # (in nu, in q) of each body with place and turn
        self.strains: list[tuple[int, int]] = []
        vt, at = 6, 7
        for arm in satellite.arms:
            self.strains.append((vt, at))
            vt, at = vt + 1, at + 1
            for _ in range(arm.elements):
                self.nodes.append((vt, at))
                self.strains.append((vt + 6, at + 7))
                vt, at = vt + 7, at + 8

    def turning(self, q: NDArray[Any], spin: Array) -> NDArray[Any]:
        """Velocities of a rigid turn about the origin."""
        nu = np.zeros(self.size, dtype=q.dtype)
        for vt, at in self.nodes:
            nu[vt : vt + 3] = np.cross(spin, q[at : at + 3])
            nu[vt + 3 : vt + 6] = spin
        return nu

    def swept(self, spin: Array, momenta: NDArray[Any]) -> NDArray[Any]:
        """Omega x each vector."""
        found = np.zeros_like(momenta)
        for vt, _ in self.nodes:
            for k in (vt, vt + 3):
                found[k : k + 3] = np.cross(spin, momenta[k : k + 3])
        return found

    def rotation(self, spin: Array) -> tuple[Array, Array]:
        """[Omega x] on all vectors, and on places only."""
        cross = np.array(((0, -spin[2], spin[1]), (spin[2], 0, -spin[0]), (-spin[1], spin[0], 0)))
        everything, places = np.zeros((self.size, self.size)), np.zeros((self.size, self.size))
        for vt, _ in self.nodes:
            places[vt : vt + 3, vt : vt + 3] = cross
            for k in (vt, vt + 3):
                everything[k : k + 3, k : k + 3] = cross
        return everything, places

    def moved(self, q: Array, k: int) -> NDArray[np.complex128]:
        """Positions after an imaginary step of one place, turn or strain."""
        found = q.astype(np.complex128)
        for vt, at in self.nodes:
            if vt <= k < vt + 3:
                found[at + k - vt] += 1j * STEP
            elif vt + 3 <= k < vt + 6:
                half = np.zeros(4)
                half[k - vt - 2] = 0.5
                found[at + 3 : at + 7] += 1j * STEP * _product(half, q[at + 3 : at + 7])
        for vt, at in self.strains:
            if vt == k:
                found[at] += 1j * STEP
        return found

    def shifted(self, q: Array, change: Array) -> Array:
        """Positions after small places, turns and strains."""
        found = q.copy()
        for vt, at in self.nodes:
            found[at : at + 3] += change[vt : vt + 3]
            e = quaternion_product(from_rotation_vector(change[vt + 3 : vt + 6]), q[at + 3 : at + 7])
            found[at + 3 : at + 7] = e / np.sqrt(e @ e)
        for vt, at in self.strains:
            found[at] += change[vt]
        return found


def _product(a: Array, b: Array) -> Array:
    return np.array((a[0] * b[0] - a[1:] @ b[1:], *(a[0] * b[1:] + b[0] * a[1:] + np.cross(a[1:], b[1:]))))
