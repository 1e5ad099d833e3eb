"""Comparison of the linear loop with the nonlinear run, to find where the linear model is valid."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...controllers import Law, Reference
from ...controllers.contracts.law_defaults import with_defaults
from ...controllers.loop.acting_model import body_momentum, operating_rate
from ...plant import LinearModel, Spacecraft
from ...plant.brief import brief
from ...plant.checks import vector
from ...plant.linear.holding import holding_pulses
from ..results.run import Run
from ..runs.default_reference import default_reference
from ..runs.simulate import simulate
from .linear_response import FreeResponse, linear_response
from .operating_point import moved, operating_point

Array = NDArray[np.float64]

_COMPARED = ("error_vector", "rate", "command")


@dataclass(frozen=True, eq=False, kw_only=True)
class Overlay:
    """Responses of the linear loop and the nonlinear simulation to one initial state, at the same times.

    Parameters
    ----------
    linear : FreeResponse
        The linear loop.
    run : Run
        The nonlinear simulation, with rows at the samples.
    model : LinearModel
        The linear model.
    saturated : bool
        Whether a command reached a limit, which the linear loop does not model.
    """

    linear: FreeResponse
    run: Run
    model: LinearModel
    saturated: bool

    __repr__ = brief

    def simulated(self, name: str) -> Array:
        """Return the simulated response as a deviation from the operating point.

        Parameters
        ----------
        name : str
            "error_vector", "rate" or "command".

        Returns
        -------
        numpy.ndarray, shape (n, 3)
            The deviation, rad, rad/s or N m.
        """
        values = self.run.values(name)
        return values - operating_rate(self.model) if name == "rate" else values

    def difference(self, name: str) -> float:
        """Return the largest difference between the responses, relative to the linear response.

        Parameters
        ----------
        name : str
            "error_vector", "rate" or "command".

        Returns
        -------
        float
            Largest norm of the difference, divided by the largest norm of the linear response.
        """
        linear, simulated = getattr(self.linear, name), self.simulated(name)
        off = float(np.linalg.norm(simulated - linear[: len(simulated)], axis=1).max())
        size = float(np.linalg.norm(linear, axis=1).max())
        return off / size if size > 0.0 else off

    def to_dict(self) -> dict[str, Any]:
        """Return the results as plain values for JSON.

        Returns
        -------
        dict
            Relative differences, the initial state, and whether a command was limited.
        """
        found: dict[str, Any] = {f"{name}_difference": self.difference(name) for name in _COMPARED}
        angle = float(np.degrees(np.linalg.norm(self.linear.error_vector[0])))
        return {**found, "start_angle_deg": angle, "saturated": self.saturated, "status": self.run.status}


def overlay(
    craft: Spacecraft,
    law: Law,
    *,
    duration: float,
    error: ArrayLike = (0.0, 0.0, 0.0),
    rate: ArrayLike = (0.0, 0.0, 0.0),
    state: ArrayLike | None = None,
    reference: Reference | None = None,
    model: LinearModel | None = None,
    step: float | None = None,
) -> Overlay:
    """Compare the nonlinear simulation with the linear loop after an initial deviation.

    Parameters
    ----------
    craft : Spacecraft
        The plant.
    law : Law
        The law, which must have a linear loop; see `AttitudeLaw.loop`.
    duration : float
        Length of the simulation, s.
    error : array_like, shape (3,)
        Attitude error at t = 0 as a rotation vector, rad, body components.
    rate : array_like, shape (3,)
        Deviation of the body rate at t = 0, rad/s. Elements keep their rates relative to the body.
    state : array_like, optional
        The operating point; by default the operating point of the law's model, or rest in (1, 0, 0, 0).
    reference : Reference, optional
        Reference of the law at the operating point; by default the reference of its design.
    model : LinearModel, optional
        The linear model for the prediction; by default the model of the spacecraft about the operating point.
    step : float, optional
        Longest step of the simulation, s; by default one sampling period.

    Returns
    -------
    Overlay
        Both responses and their difference. Below saturation the difference grows with the square of the initial
        deviation, or with the cube if the motion is about one principal axis.

    Raises
    ------
    InputError
        When an argument has the wrong shape.
    DesignError
        When the law has no linear loop.

    Examples
    --------
    >>> from polhode import controllers, plant
    >>> craft = plant.Spacecraft(plant.RigidBody((100.0, 80.0, 60.0)))
    >>> law = controllers.quaternion_feedback(craft, frequency=0.5, damping_ratio=1.0, sample=0.1)
    >>> one, half = (overlay(craft, law, duration=20.0, error=(angle, 0, 0)) for angle in (0.2, 0.1))
    >>> round(one.difference("error_vector") / half.difference("error_vector"), 1)  # cubic difference / linear response
    4.0
    """
    at = operating_point(craft, law, state)
    linearized = craft.linearize(at) if model is None else model
    turn = vector("error", error, unit="rad")
    x = moved(craft, at, turn, vector("rate", rate, unit="rad/s"))
    off = dict(zip(craft.layout.names, x - at, strict=True))
    states = with_defaults(law).loop(linearized, attitude=True).with_start_momenta().states
    beyond = [off[name] for name in states[6:]]
    linear = linear_response(
        law, linearized, start=(*turn, *body_momentum(linearized, off), *beyond), duration=duration
    )
    run = simulate(
        craft,
        law,
        state=x,
        reference=default_reference(law) if reference is None else reference,
        duration=duration,
        integrator="rk8",
        step=law.sample if step is None else step,
        output_times=np.minimum(linear.t, duration),
        ledger=False,
        torques=holding_pulses(craft, at, duration=2.0 * duration),
    )
    limits = craft.torques.limits() * (1.0 - 1e-9)
    saturated = bool((np.abs(run.values("command")) >= limits).any())
    return Overlay(linear=linear, run=run, model=linearized, saturated=saturated)
