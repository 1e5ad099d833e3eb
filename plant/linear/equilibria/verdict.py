"""Stability verdict on a steady spin, as a sentence with the numerical evidence."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...frozen import frozen_arrays
from .spin_modes import ZERO, Modes

ASYMPTOTIC = "asymptotically stable"
NEUTRAL = "neutrally stable"
UNSTABLE = "unstable"

EQUAL = 1e-9  # relative difference below which two moments of inertia count as equal


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class Place:
    """Position of a spin axis among the principal axes of the locked spacecraft.

    name: "major", "middle", "minor", or "equal" if another moment equals the moment of the axis; if wheels spin, the
        nearest principal axis.
    moments (3,): principal moments, kg m^2; the moment of the axis comes first.
    effective: pi . omega / |omega|^2, kg m^2: equal to the moment of the axis unless a wheel spins; negative if the
        momentum is opposite to the rate.
    """

    name: str
    moments: NDArray[np.float64]
    effective: float


def place(inertia: NDArray[np.float64], omega: NDArray[np.float64], pi: NDArray[np.float64]) -> Place:
    """Return the position of a spin axis among the principal axes.

    inertia (3, 3): locked inertia, kg m^2; omega (3,): rad/s; pi (3,): N m s -> name and moments of the axis.
    """
    moments, axes = np.linalg.eigh(inertia)
    effective = float(omega @ pi) / float(omega @ omega)
    n = int(np.argmax(np.abs(omega @ axes)))
    own, others = float(moments[n]), np.delete(moments, n)
    if np.abs(others - own).min() <= EQUAL * own:
        name = "equal"
    else:
        name = ("minor", "middle", "major")[n]
    return Place(name=name, moments=np.array([own, *others]), effective=effective)


def judge(found: Modes, speed: float) -> str:
    """Return the stability verdict on a steady spin.

    Parameters
    ----------
    found : Modes
        Eigenvalues of the spin.
    speed : float
        |omega|, rad/s.

    Returns
    -------
    str
        "asymptotically stable": every eigenvalue except the zeros of its family is in the left half-plane.
        "unstable": an eigenvalue is in the right half-plane, or the spin drifts, because its energy is not a minimum
        and a zero eigenvalue is defective. "neutrally stable": all other cases.
    """
    real, none = found.eigenvalues.real, ZERO * speed
    if len(real) == 0:
        return NEUTRAL  # a spherical inertia
    if real.max() > none:
        return UNSTABLE
    drifts = bool((np.abs(found.eigenvalues) <= none).any())
    if drifts and found.variation[0] < -ZERO:
        return UNSTABLE
    return ASYMPTOTIC if real.max() < -none else NEUTRAL


def sentence(kind: str, where: Place, found: Modes, *, speed: float) -> str:
    """Return the verdict and its evidence as a sentence.

    Parameters
    ----------
    kind : str
        Verdict of `judge`.
    where : Place
        Position of the spin axis.
    found : Modes
        Eigenvalues of the spin.
    speed : float
        |omega|, rad/s.

    Returns
    -------
    str
        Verdict and evidence.
    """
    falling = int(np.count_nonzero(found.variation < -ZERO))
    energy = (
        "the energy is minimal at this momentum"
        if falling == 0
        else f"the energy decreases in {falling} direction{'s' if falling > 1 else ''} at this momentum"
    )
    words = f"{kind}: spin about {_axis(where)}; {energy}; {_motion(kind, found, falling, speed)}"
    if found.family:
        words += f"; one of a {found.family}-parameter family of steady spins, without restoring torque along it"
    return words


def _axis(where: Place) -> str:
    own, first, second = (f"{moment:.6g}" for moment in where.moments)
    name = "an axis among equal moments" if where.name == "equal" else f"the {where.name} axis"
    words = f"{name} of the locked spacecraft ({own} against {first} and {second} kg m^2)"
    if abs(where.effective - where.moments[0]) > 1e-6 * where.moments[0]:
        words += f", with its wheels effectively {where.effective:.6g} kg m^2"
    return words


def _motion(kind: str, found: Modes, falling: int, speed: float) -> str:
    if kind == UNSTABLE:
        worst = found.eigenvalues[int(np.argmax(found.eigenvalues.real))]
        if worst.real <= ZERO * speed:
            return "a disturbance grows linearly"
        turns = abs(worst.imag) > ZERO * speed
        what = "nutation" if turns and _same(worst, found.nutation) else "a disturbance"
        turning = f", rotating at {abs(worst.imag):.6g} rad/s" if turns else ""
        return f"{what} grows e-fold in {1.0 / worst.real:.6g} s{turning}"
    nutation = found.nutation
    swings = f"nutation at {nutation.imag:.6g} rad/s" if nutation.imag > ZERO * speed else "a disturbance"
    if kind == ASYMPTOTIC:
        slowest = float(-1.0 / found.eigenvalues.real.max())
        words = f"{swings} decays e-fold in {-1.0 / nutation.real:.6g} s"
        return words if slowest <= -1.000001 / nutation.real else f"{words}, the slowest motion in {slowest:.6g} s"
    if falling:
        return f"{swings} keeps its amplitude without dissipation, and grows with any dissipation"
    if abs(nutation.real) <= ZERO * speed:
        return f"{swings} keeps its amplitude"
    return f"{swings} decays, other motion persists"


def _same(one: complex, other: complex) -> bool:
    return abs(one.real - other.real) <= 1e-9 * abs(one) and abs(abs(one.imag) - other.imag) <= 1e-9 * abs(one)
