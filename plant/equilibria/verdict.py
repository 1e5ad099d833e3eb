"""What becomes of a disturbed steady spin, in words, with the numbers that say so."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..frozen import frozen_arrays
from .spin_modes import ZERO, Modes

__all__ = ["ASYMPTOTIC", "NEUTRAL", "UNSTABLE", "Place", "judge", "place", "sentence"]

ASYMPTOTIC = "asymptotically stable"
NEUTRAL = "neutrally stable"
UNSTABLE = "unstable"

EQUAL = 1e-9  # share by which two moments of inertia may differ and count as equal


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class Place:
    """Where a spin axis lies among the principal axes of the locked craft.

    name: "major", "middle", "minor", or "equal" where another moment equals its own; the nearest principal axis, where
        a spinning wheel turns the spin axis away from them.
    moments (3,): principal moments, that of the axis first, kg m^2.
    effective: pi . omega / |omega|^2, kg m^2: the moment of the axis, and more or less where a wheel spins; negative
        where the momentum points against the rate.
    """

    name: str
    moments: NDArray[np.float64]
    effective: float


def place(inertia: NDArray[np.float64], omega: NDArray[np.float64], pi: NDArray[np.float64]) -> Place:
    """Return where a spin axis lies among the principal axes.

    inertia (3, 3): of the locked craft, kg m^2; omega (3,): rad/s; pi (3,): N m s -> its name and moments.
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
    """Return the verdict on a steady spin.

    Parameters
    ----------
    found : Modes
        Its modes.
    speed : float
        |omega|, rad/s.

    Returns
    -------
    str
        "asymptotically stable": every eigenvalue but the zeros of its family is in the left half-plane.
        "unstable": one is in the right half-plane, or the spin is no minimum of the energy and a defective zero
        lets it drift away. "neutrally stable": neither.
    """
    real, none = found.eigenvalues.real, ZERO * speed
    if len(real) == 0:
        return NEUTRAL  # a sphere
    if real.max() > none:
        return UNSTABLE
    drifts = bool((np.abs(found.eigenvalues) <= none).any())
    if drifts and found.variation[0] < -ZERO:
        return UNSTABLE
    return ASYMPTOTIC if real.max() < -none else NEUTRAL


def sentence(kind: str, where: Place, found: Modes, *, speed: float) -> str:
    """Return the verdict with its evidence.

    Parameters
    ----------
    kind : str
        As from `judge`.
    where : Place
        The spin axis.
    found : Modes
        Its modes.
    speed : float
        |omega|, rad/s.

    Returns
    -------
    str
        One sentence.
    """
    falling = int(np.count_nonzero(found.variation < -ZERO))
    energy = (
        "the energy is least at this momentum"
        if falling == 0
        else f"the energy falls in {falling} direction{'s' if falling > 1 else ''} at this momentum"
    )
    words = f"{kind}: spin about {_axis(where)}; {energy}; {_motion(kind, found, falling, speed)}"
    if found.family:
        words += f"; one of a {found.family}-parameter family of steady spins, along which nothing brings it back"
    return words


def _axis(where: Place) -> str:
    own, first, second = (f"{moment:.6g}" for moment in where.moments)
    name = "an axis among equal moments" if where.name == "equal" else f"the {where.name} axis"
    words = f"{name} of the locked craft ({own} against {first} and {second} kg m^2)"
    if abs(where.effective - where.moments[0]) > 1e-6 * where.moments[0]:
        words += f", with its wheels {where.effective:.6g} kg m^2 in effect"
    return words


def _motion(kind: str, found: Modes, falling: int, speed: float) -> str:
    if kind == UNSTABLE:
        worst = found.eigenvalues[int(np.argmax(found.eigenvalues.real))]
        if worst.real <= ZERO * speed:
            return "a disturbance grows at a constant rate"
        turns = abs(worst.imag) > ZERO * speed
        what = "nutation" if turns and _same(worst, found.nutation) else "a disturbance"
        turning = f", turning at {abs(worst.imag):.6g} rad/s" if turns else ""
        return f"{what} grows e-fold in {1.0 / worst.real:.6g} s{turning}"
    nutation = found.nutation
    swings = f"nutation at {nutation.imag:.6g} rad/s" if nutation.imag > ZERO * speed else "a disturbance"
    if kind == ASYMPTOTIC:
        slowest = float(-1.0 / found.eigenvalues.real.max())
        words = f"{swings} decays e-fold in {-1.0 / nutation.real:.6g} s"
        return words if slowest <= -1.000001 / nutation.real else f"{words}, the slowest motion in {slowest:.6g} s"
    if falling:
        return f"{swings} keeps its size while nothing dissipates, and grows with whatever does"
    return f"{swings} keeps its size" if abs(nutation.real) <= ZERO * speed else f"{swings} decays, other motion lasts"


def _same(one: complex, other: complex) -> bool:
    return abs(one.real - other.real) <= 1e-9 * abs(one) and abs(abs(one.imag) - other.imag) <= 1e-9 * abs(one)
