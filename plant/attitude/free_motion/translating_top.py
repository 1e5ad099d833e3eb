"""Pivoted body in centre-of-mass form: translation and rotation are states, and the pivot exerts a reaction force.

    p' = f + m g      c' = p / m      h' = h x omega + d x R'f      e' = 1/2 G(e)' omega

with d from the mass centre to the pivot (body components) and h about the mass centre. The reaction f is determined by
the condition that the pivot is at rest: c'' + R (omega' x d + omega x (omega x d)) = 0, or in body components

    (1/m - d~ J^-1 d~) R'f = -R'g - (J^-1 (h x omega)) x d - omega x (omega x d)

With this f, (41)-(44) of Shivarama & Fahrenthold (2004) describe the top of their example 3. With f = 0 the same
equations describe free fall, without nutation. The pivoted form (`RigidBody(pivot=...)` with `UniformGravity`) has no
reaction force and six fewer states, and gives the same motion.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...checks import positive, unit_quaternion, vector
from ...errors import InputError
from ...frozen import frozen_arrays
from ...hub.inertia import inertia_matrix
from .. import matrix_G, rotation_matrix

Array = NDArray[np.float64]


@frozen_arrays
@dataclass(frozen=True, eq=False, init=False)
class TranslatingTop:
    """Pivoted body with a moving mass centre: state c (3, m), p (3, kg m/s), h (3, N m s), e (4).

    Parameters
    ----------
    pivot_inertia : array_like, shape (3,) or (3, 3)
        Inertia about the pivot, body axes, kg m^2.
    mass : float
        Mass, kg.
    pivot : array_like, shape (3,)
        d, from the mass centre to the pivot, body components, m.
    gravity : array_like, shape (3,)
        g, inertial components, m/s^2.

    Raises
    ------
    InputError
        When the inertia about the mass centre, J - m (d.d - d d'), is not physical.

    Examples
    --------
    >>> top = TranslatingTop(pivot_inertia=(5, 5, 1), mass=20 / 9.81, pivot=(0, 0, -1), gravity=(0, 0, -9.81))
    >>> top.inertia.diagonal().round(6).tolist()
    [2.961264, 2.961264, 1.0]
    """

    inertia: Array
    mass: float
    pivot: Array
    gravity: Array

    def __init__(self, *, pivot_inertia: ArrayLike, mass: float, pivot: ArrayLike, gravity: ArrayLike) -> None:
        about = inertia_matrix(pivot_inertia)
        m, d = positive("mass", mass, "kg"), vector("pivot", pivot, unit="m")
        central = about - m * (float(d @ d) * np.eye(3) - np.outer(d, d))
        moments = np.linalg.eigvalsh(central)
        if moments[0] <= 0.0:
            raise InputError(
                f"the inertia about the pivot is too small for {m:g} kg at {np.linalg.norm(d):g} m from it: about the "
                f"mass centre a principal moment would be {moments[0]:g} kg m^2, but must be above 0; raise the "
                "inertia, or reduce mass or distance"
            )
        object.__setattr__(self, "inertia", inertia_matrix(central))
        object.__setattr__(self, "mass", m)
        object.__setattr__(self, "pivot", d)
        object.__setattr__(self, "gravity", vector("gravity", gravity, unit="m/s^2"))

    def state(self, *, rate: ArrayLike, attitude: ArrayLike = (1.0, 0.0, 0.0, 0.0)) -> Array:
        """Return a state whose pivot is at rest at the origin.

        Parameters
        ----------
        rate : array_like, shape (3,)
            omega, body components, rad/s.
        attitude : array_like, shape (4,)
            Euler parameters, scalar first.

        Returns
        -------
        numpy.ndarray, shape (13,)
            The state (c, p, h, e).
        """
        omega, e = vector("rate", rate, unit="rad/s"), unit_quaternion("attitude", attitude)
        R = rotation_matrix(e)
        return np.concatenate([-R @ self.pivot, -self.mass * R @ np.cross(omega, self.pivot), self.inertia @ omega, e])

    def reaction(self, x: ArrayLike) -> Array:
        """Return the reaction force of the pivot.

        Parameters
        ----------
        x : array_like, shape (13,)
            The state.

        Returns
        -------
        numpy.ndarray, shape (3,)
            f, inertial components, N.
        """
        h, R, omega = self._read(x)
        d = self.pivot
        cross = np.array([[0.0, -d[2], d[1]], [d[2], 0.0, -d[0]], [-d[1], d[0], 0.0]])
        inverse = np.linalg.inv(self.inertia)
        right = -R.T @ self.gravity - np.cross(inverse @ np.cross(h, omega), d) - np.cross(omega, np.cross(omega, d))
        return R @ np.linalg.solve(np.eye(3) / self.mass - cross @ inverse @ cross, right)

    def derivative(self, x: ArrayLike) -> Array:
        """Return the time derivative of a state, dx/dt.

        Parameters
        ----------
        x : array_like, shape (13,)
            The state.

        Returns
        -------
        numpy.ndarray, shape (13,)
            The rates of change.
        """
        h, R, omega = self._read(x)
        f = self.reaction(x)
        p, e = np.asarray(x, dtype=np.float64)[3:6], np.asarray(x, dtype=np.float64)[9:]
        turn = np.cross(h, omega) + np.cross(self.pivot, R.T @ f)
        return np.concatenate([p / self.mass, f + self.mass * self.gravity, turn, 0.5 * matrix_G(e).T @ omega])

    def _read(self, x: ArrayLike) -> tuple[Array, Array, Array]:
        state = vector("state", x, 13)
        e = state[9:]
        R = rotation_matrix(e / np.linalg.norm(e))
        return state[6:9], R, np.array(np.linalg.inv(self.inertia) @ state[6:9])
