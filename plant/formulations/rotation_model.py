"""Equations of motion of one body in one formulation."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..attitude import parse_sequence
from ..checks import choice, unit_quaternion, vector
from ..errors import InputError
from ..frozen import frozen_arrays
from ..hub.inertia import inertia_matrix
from .formulation import Formulation
from .gimbal_lock import lock_angle, refuse_lock
from .load import Load
from .pieces import BODY
from .registry import FORMULATIONS

Array = NDArray[np.float64]


def formulation_of(name: str, sequence: str | None) -> Formulation:
    """Return a formulation by name.

    Raises InputError if the name or sequence is unknown, or the sequence is missing or superfluous.
    """
    formulation = FORMULATIONS[choice("formulation", name, FORMULATIONS)]
    if formulation.has_angles and sequence is None:
        raise InputError(f"formulation {name!r} needs the Euler sequence, such as sequence='3-1-3'")
    if not formulation.has_angles and sequence is not None:
        raise InputError(f"formulation {name!r} has no Euler angles: omit sequence={sequence!r}")
    if sequence is not None:
        parse_sequence(sequence)
    return formulation


@frozen_arrays
@dataclass(frozen=True, eq=False, init=False)
class RotationModel:
    """Equations of motion of one body in a selected formulation.

    All formulations describe the same rotation. They differ in their state, in the behaviour off |e| = 1, in the
    multiplier and in cost. `attitude` and `rate` compute the common quantities from any state.

    Parameters
    ----------
    name : str
        A key of `FORMULATIONS`.
    inertia : array_like, shape (3,) or (3, 3)
        Inertia about the mass centre or fixed point, body axes, kg m^2.
    sequence : str, optional
        Euler sequence, such as "3-1-3"; required by the formulations in Euler angles, not allowed for the others.

    Raises
    ------
    InputError
        When the name is unknown, the inertia is not physical, or the sequence is unknown, missing or superfluous.

    Examples
    --------
    >>> model = RotationModel("lagrange-29", (400, 300, 200))
    >>> x = model.state((1, 0, 0, 0), (0.1, 0, 0.2))
    >>> model.multiplier(x)  # 2 omega'J omega
    24.0
    """

    name: str
    inertia: Array
    sequence: str | None
    formulation: Formulation
    parameters: Array

    def __init__(self, name: str, inertia: ArrayLike, *, sequence: str | None = None) -> None:
        formulation = formulation_of(name, sequence)
        matrix = inertia_matrix(inertia)
        inverse = np.linalg.inv(matrix)
        packed = np.zeros(BODY.size)
        packed[BODY.inertia : BODY.inertia + 9] = matrix.ravel()
        packed[BODY.inverse : BODY.inverse + 9] = (0.5 * (inverse + inverse.T)).ravel()
        if sequence is not None:
            packed[BODY.axes : BODY.axes + 3] = parse_sequence(sequence)
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "inertia", matrix)
        object.__setattr__(self, "sequence", sequence)
        object.__setattr__(self, "formulation", formulation)
        object.__setattr__(self, "parameters", packed)

    def state(self, attitude: ArrayLike, rate: ArrayLike) -> Array:
        """Return the state for an attitude and a body rate.

        Parameters
        ----------
        attitude : array_like, shape (4,)
            Euler parameters, scalar first.
        rate : array_like, shape (3,)
            Body rate, rad/s.

        Returns
        -------
        numpy.ndarray, shape (n,)
            The state, with the entries `formulation.states`.

        Raises
        ------
        SingularBasisError
            At gimbal lock, with Euler angles.
        InputError
            When a shape is wrong, a value is not finite or |attitude| is not 1.
        """
        e = unit_quaternion("attitude", attitude)
        x = np.zeros(self.formulation.size)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):  # at gimbal lock, rejected below
            self.formulation.enter(*e, *vector("rate", rate, unit="rad/s"), self.parameters, x)
        refuse_lock(self.formulation, self.parameters, x)
        return x

    def attitude(self, x: ArrayLike) -> Array:
        """Return the Euler parameters of a state, not normalised.

        Parameters
        ----------
        x : array_like, shape (n,)
            The state.

        Returns
        -------
        numpy.ndarray, shape (4,)
            Euler parameters, scalar first.
        """
        return self._read(x)[0:4]

    def rate(self, x: ArrayLike) -> Array:
        """Return the angular velocity of the attitude e / |e| of a state.

        Parameters
        ----------
        x : array_like, shape (n,)
            The state.

        Returns
        -------
        numpy.ndarray, shape (3,)
            Body components, rad/s.
        """
        return self._read(x)[4:7]

    def derivative(self, x: ArrayLike, load: Load | None = None) -> Array:
        """Return the time derivative of a state, dx/dt.

        Parameters
        ----------
        x : array_like, shape (n,)
            The state.
        load : Load, optional
            Load on the body. Default: none.

        Returns
        -------
        numpy.ndarray, shape (n,)
            The rates of change.

        Raises
        ------
        SingularBasisError
            At gimbal lock, with Euler angles.
        """
        return self._evaluate(x, load)[0]

    def multiplier(self, x: ArrayLike, load: Load | None = None) -> float:
        """Return the Lagrange multiplier of the norm constraint.

        Parameters
        ----------
        x : array_like, shape (n,)
            The state.
        load : Load, optional
            Load on the body. Default: none.

        Returns
        -------
        float
            Multiplier, N m, in the convention of the source; `formulation.multiplier` gives its expression.

        Raises
        ------
        InputError
            When the formulation has no multiplier.
        """
        if not self.formulation.multiplier:
            available = ", ".join(name for name, other in FORMULATIONS.items() if other.multiplier)
            raise InputError(f"formulation {self.name!r} has no multiplier; these have one: {available}")
        return self._evaluate(x, load)[1]

    def lock_distance(self, x: ArrayLike) -> float:
        """Return the distance of a state from gimbal lock.

        Parameters
        ----------
        x : array_like, shape (n,)
            The state.

        Returns
        -------
        float
            Angle from the middle Euler angle to its nearest singular value, rad; infinite if the state has no Euler
            angles.
        """
        return lock_angle(self.formulation, self.parameters, vector("state", x, self.formulation.size))

    def _evaluate(self, x: ArrayLike, load: Load | None) -> tuple[Array, float]:
        state = vector("state", x, self.formulation.size)
        refuse_lock(self.formulation, self.parameters, state)
        rates = np.zeros_like(state)
        packed = (Load() if load is None else load).pack()
        multiplier = float(self.formulation.kernel(state, packed, self.parameters, rates))
        return rates, multiplier

    def _read(self, x: ArrayLike) -> Array:
        y = np.zeros(7)
        self.formulation.leave(vector("state", x, self.formulation.size), self.parameters, y)
        return y
