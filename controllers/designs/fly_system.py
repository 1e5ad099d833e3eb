"""A python-control system flown as it is."""

from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ...plant import LinearModel
from ...plant.checks import choice
from ...plant.errors import InputError
from ...plant.one_thread import one_thread
from ..laws.compensator import Compensator
from ..laws.law import check_timing
from ..laws.linear_feedback import LinearFeedback
from ..loop.acting_model import acting_model
from .anti_windup import automatic_tracking
from .discretize import discrete_matrices

__all__ = ["fly_system"]

Array = NDArray[np.float64]

SIGNS = {"negative": -1.0, "positive": 1.0}


@one_thread
def fly_system(
    system: Any,
    model: LinearModel,
    *,
    sample: float,
    delay: float = 0.0,
    feedback: str = "negative",
    method: str = "tustin",
    saturation: str = "component",
    anti_windup: bool = True,
) -> LinearFeedback:
    """Return a law from any python-control StateSpace or TransferFunction.

    What the inputs mean follows from their number.

        inputs  outputs
        6       3        attitude error (3, rad), rate error (3, rad/s) to the plant's torque inputs (N m)
        3       3        attitude error to the plant's torque inputs
        2       1        attitude and rate error of one body axis to the torque about it: the same on each axis
        1       1        attitude error of one body axis to the torque about it: the same on each axis

    Nothing is asked of the loop: see `closed_loop_poles()` of the law.

    Parameters
    ----------
    system : control.StateSpace or control.TransferFunction
        Continuous, or discrete with the law's sampling period.
    model : LinearModel
        `craft.linearize(...)` of the plant it is for.
    sample : float
        Sampling period, s.
    delay : float
        Time from a sample to the moment its command reaches the plant, s.
    feedback : str
        "negative": u = -K y, as `control.feedback`, `control.lqr` and `control.mixsyn` mean it; "positive": u = K y,
        as `control.hinfsyn` and `control.h2syn` do.
    method : str
        How a continuous system is sampled: "tustin" or "zoh".
    saturation : str
        "component" or "direction"; see `LinearFeedback`.
    anti_windup : bool
        Whether a system with integrators follows the command that really went out; False flies it as it is even
        then.

    Returns
    -------
    LinearFeedback
        The law.

    Raises
    ------
    InputError
        When the system has another number of inputs or outputs, or another sampling period.
    DesignError
        When it is improper, or its integrators are not seen in its output.

    Examples
    --------
    >>> import control
    >>> from polhode import plant
    >>> craft = plant.Spacecraft(plant.RigidBody((8, 8, 8)))
    >>> lead = control.tf([8.0, 1.6], [1.0, 2.0])
    >>> law = fly_system(lead, craft.linearize(craft.at_rest()), sample=0.1)
    >>> bool(abs(law.closed_loop_poles()[0]) < 1.0)
    True
    """
    period, lag = check_timing(sample, delay)
    choice("feedback", feedback, SIGNS)
    sign = SIGNS[feedback]
    a, b, c, d = discrete_matrices(system, period, method=method)
    shape = (b.shape[1], c.shape[0])
    if shape in {(1, 1), (2, 1)}:
        a, b, c, d = _on_each_axis(a, b, c, D=d)
        share = np.linalg.inv(acting_model(model).B[3:6])  # torque in the body to components of the basis
        c, d = share @ c, share @ d
    elif shape not in {(3, 3), (6, 3)}:
        raise InputError(
            f"a system with {shape[0]} inputs and {shape[1]} outputs is no attitude law: give 6 inputs (attitude "
            "error, rate error) or 3 (attitude error) and 3 outputs, or 2 or 1 inputs and 1 output for every axis alike"
        )
    if b.shape[1] == 3:
        b, d = np.hstack((b, np.zeros_like(b))), np.hstack((d, np.zeros_like(d)))
    c, d = sign * c, sign * d
    tracking = automatic_tracking(a, b, c, D=d) if anti_windup else np.zeros((len(a), 3))
    return LinearFeedback(
        Compensator(A=a, B=b, C=c, D=d, tracking=tracking),
        model,
        sample=period,
        delay=lag,
        saturation=saturation,
        design={"kind": "python-control system", "order": len(a), "feedback": feedback, "discretisation": method},
    )


def _on_each_axis(A: Array, B: Array, C: Array, *, D: Array) -> tuple[Array, Array, Array, Array]:
    """Three copies, their inputs in the order attitude error (3), rate error (3)."""
    eye = np.eye(3)
    inputs = B.shape[1]
    order = [axis * inputs + signal for signal in range(inputs) for axis in range(3)]
    one = cast("Any", np.kron)
    return one(eye, A), one(eye, B)[:, order], one(eye, C), one(eye, D)[:, order]
