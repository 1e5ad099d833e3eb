"""Evaluation of a Lyapunov function V along a run, and of its decrease."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...controllers import Law
from ...plant.attitude import conjugate, quaternion_product, rotation_matrix
from ...plant.brief import brief
from ...plant.errors import InputError
from ...plant.frozen import frozen_arrays
from ..results.run import Run
from .lyapunov_function import LyapunovFunction, lyapunov_function

Array = NDArray[np.float64]


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class LyapunovDecrease:
    """A Lyapunov function V along a run.

    Parameters
    ----------
    function : LyapunovFunction
        V, and the damping matrix D in V' = - v' D v.
    t : numpy.ndarray, shape (n,)
        Times, s.
    values : numpy.ndarray, shape (n,)
        Values of V.
    decay : numpy.ndarray, shape (n,)
        - V' = v' D v from the continuous-time theorem, which assumes unlimited torque.
    limited : numpy.ndarray, shape (n,)
        Whether the command was at a limit, so that the theorem does not hold for the applied torque.
    """

    function: LyapunovFunction
    t: Array
    values: Array
    decay: Array
    limited: NDArray[np.bool_]

    __repr__ = brief

    @property
    def largest_increase(self) -> float:
        """Largest increase of V above its lowest earlier value, relative to V at the start."""
        lowest = np.minimum.accumulate(self.values)
        return (
            float((self.values - lowest).max() / self.values[0]) if self.values[0] > 0.0 else float(self.values.max())
        )

    @property
    def largest_step(self) -> float:
        """Largest (V[k+1] - V[k]) / V[k]; negative if V decreases from every row to the next."""
        before, after = self.values[:-1], self.values[1:]
        held = before > 0.0
        return float(((after[held] - before[held]) / before[held]).max(initial=-1.0))

    @property
    def balance(self) -> float:
        """Balance error |V(end) - V(0) + integral of v' D v| / V(0), by the trapezoidal rule over the rows."""
        lost = float(0.5 * (self.decay[1:] + self.decay[:-1]) @ np.diff(self.t))
        return abs(float(self.values[-1] - self.values[0]) + lost) / float(self.values[0])

    def decreases(self, tolerance: float = 1e-6) -> bool:
        """Return whether V never increases by more than a tolerance.

        Parameters
        ----------
        tolerance : float
            Permissible increase due to sampling, as a fraction of the initial value of V.

        Returns
        -------
        bool
            True if `largest_increase` is within the tolerance.
        """
        return self.largest_increase <= tolerance

    def to_dict(self) -> dict[str, Any]:
        """Return the results as plain values for JSON.

        Returns
        -------
        dict
            The formula, V at both ends of the run, the largest increases and whether V decreases.
        """
        return {
            "function": self.function.words,
            "start": float(self.values[0]),
            "end": float(self.values[-1]),
            "largest_increase_relative": self.largest_increase,
            "largest_step_relative": self.largest_step,
            "limited_share": float(self.limited.mean()),
            "decreases": self.decreases(),
        }


def lyapunov_decrease(run: Run, law: Law | None = None) -> LyapunovDecrease:
    """Evaluate the Lyapunov function of a law along a run.

    The stability theorem holds in continuous time, with neither saturation nor delay. Since the torque is held
    between samples, V may increase by a term of the order of the sampling period if v' D v is small. The criterion
    is therefore the largest increase of V, which vanishes with the sampling period.

    Parameters
    ----------
    run : Run
        A run with a reference.
    law : Law, optional
        The law whose Lyapunov function is evaluated; by default the law of the run. It may differ from the law of the
        run for comparison.

    Returns
    -------
    LyapunovDecrease
        V, the largest increase of V, and the decay rate from the theorem.

    Raises
    ------
    InputError
        When the run has neither law nor reference.
    DesignError
        When no Lyapunov function is known for the law: see `lyapunov_function`.

    Examples
    --------
    >>> from polhode import controllers, plant, sim
    >>> craft = plant.Spacecraft(plant.RigidBody((100.0, 80.0, 60.0)))
    >>> law = controllers.quaternion_feedback(craft, frequency=0.5, damping_ratio=1.0, sample=0.1)
    >>> found = lyapunov_decrease(sim.simulate(craft, law, attitude=(0.6, 0.0, 0.8, 0.0), duration=20.0))
    >>> found.decreases(), round(found.values[0].item(), 3)
    (True, 0.8)
    """
    mine = run.law if law is None else law
    if mine is None or run.reference is None:
        raise InputError("a Lyapunov function needs a law and a reference; simulate with a law")
    errors, rates, moving = _errors(run)
    function = lyapunov_function(mine, moving=moving)
    limited = (np.abs(run.values("command")) >= run.craft.torques.limits() * (1.0 - 1e-9)).any(axis=1)
    return LyapunovDecrease(
        function=function,
        t=run.t,
        values=np.array([function.value(e, v) for e, v in zip(errors, rates, strict=True)]),
        decay=np.einsum("ni,ij,nj->n", rates, function.damping, rates),
        limited=np.asarray(limited, dtype=np.bool_),
    )


def _errors(run: Run) -> tuple[Array, Array, bool]:
    """Return e_err and v of every row, and whether the reference moves."""
    assert run.reference is not None  # noqa: S101 # checked by the caller
    numbers, r, moving = np.asarray(run.reference.parameters), np.zeros(10), False
    errors, rates = np.zeros((run.t.size, 4)), np.zeros((run.t.size, 3))
    attitudes, body = run.values("attitude"), run.values("rate")
    for n, t in enumerate(run.t):
        run.reference.kernel(float(t), numbers, r)
        error = quaternion_product(conjugate(r[:4]), attitudes[n])
        error = -error if error[0] < 0.0 else error
        errors[n] = error / np.linalg.norm(error)
        rates[n] = body[n] - rotation_matrix(errors[n]).T @ r[4:7]
        moving = moving or bool(r[4:].any())
    return errors, rates, moving
