"""Stability of the spins of a free body about its principal axes, from the exact linear model about each spin."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...checks import positive
from ...frozen import frozen_arrays
from ...hub.rigid_body import RigidBody
from ...in_range import in_range
from ...spacecraft import Spacecraft
from .principal import principal_axes


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class AxisStability:
    """Stability of a spin about one principal axis.

    Attributes
    ----------
    name : str
        "minor", "middle" or "major".
    axis : numpy.ndarray, shape (3,)
        Unit vector, body components.
    moment : float
        Moment of inertia about the axis, kg m^2.
    kind : str
        "stable", "unstable" or "neutral" (when another moment is equal to this one).
    eigenvalues : numpy.ndarray, shape (6,)
        Eigenvalues of `Spacecraft.linearize` about the spin, 1/s. 0 and +-i speed belong to the attitude error, whose
        magnitude in inertial space is constant; 0 and +-`nutation` belong to the momentum.
    nutation : complex
        sqrt(-(J - Ja)(J - Jb) / (Ja Jb)) speed, 1/s. If imaginary, the nutation frequency in the body frame; if
        real, the growth rate.
    words : str
        Stability verdict as a sentence.
    """

    name: str
    axis: NDArray[np.float64]
    moment: float
    kind: str
    eigenvalues: NDArray[np.complex128]
    nutation: complex
    words: str


@in_range("the stability of the axes")
def axis_stability(inertia: ArrayLike, *, speed: float) -> tuple[AxisStability, AxisStability, AxisStability]:
    """Return the stability of the spins about the minor, middle (intermediate) and major axes.

    Parameters
    ----------
    inertia : array_like, shape (3,) or (3, 3)
        Inertia, kg m^2.
    speed : float
        Spin rate, rad/s.

    Returns
    -------
    tuple of AxisStability
        In ascending order of the moments.

    Raises
    ------
    InputError
        When the inertia is not physical or the speed is not positive.

    Examples
    --------
    >>> [spin.kind for spin in axis_stability((400, 307.8, 200), speed=1.0)]
    ['stable', 'unstable', 'stable']
    """
    omega = positive("speed", speed, "rad/s")
    principal = principal_axes(inertia)
    d12, d23, _ = principal.gaps
    craft = Spacecraft(RigidBody(inertia))
    equal = (d12 == 0.0, d12 == 0.0 or d23 == 0.0, d23 == 0.0)
    spins: list[AxisStability] = []
    for n, name in enumerate(("minor", "middle", "major")):
        axis, moment = principal.axes[:, n], float(principal.moments[n])
        a, b = (float(other) for other in np.delete(principal.moments, n))
        square = -(moment - a) * (moment - b) / (a * b)
        nutation = complex(omega * square**0.5, 0.0) if square > 0.0 else complex(0.0, omega * (-square) ** 0.5)
        kind = "neutral" if equal[n] else ("unstable" if name == "middle" else "stable")
        spins.append(
            AxisStability(
                name=name,
                axis=axis,
                moment=moment,
                kind=kind,
                eigenvalues=craft.linearize(craft.spinning(omega * axis)).eigenvalues(),
                nutation=nutation,
                words=_words(name, kind, nutation),
            )
        )
    return spins[0], spins[1], spins[2]


def _words(name: str, kind: str, nutation: complex) -> str:
    if kind == "neutral":
        return "neutral: neighbouring axes are principal too, and a disturbed spin departs at a constant rate"
    if kind == "unstable":
        return f"unstable: a disturbance grows e-fold in {1.0 / nutation.real:.4g} s, along the separatrix"
    response = f"a disturbed spin nutates at {abs(nutation):.4g} rad/s in the body frame"
    if name == "major":
        return f"stable: {response}, and internal dissipation damps the nutation"
    return f"stable without dissipation: {response}; internal dissipation makes it grow towards the major axis"
