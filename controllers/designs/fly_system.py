"""A python-control system flown as it is."""

from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...plant import LinearModel
from ...plant.checks import choice
from ...plant.errors import InputError
from ...plant.one_thread import one_thread
from ..laws.compensator import Compensator
from ..laws.law import check_timing
from ..laws.linear_feedback import LinearFeedback
from ..laws.system_law import SystemLaw, own_names
from ..loop.acting_model import seen_names
from ..loop.attitude_model import check_model
from .anti_windup import automatic_tracking
from .discretize import discrete_matrices
from .system_signals import by_name, by_number, known_signals, on_states

__all__ = ["fly_system"]

Array = NDArray[np.float64]

BETTER, ROBUST = 1.5, 0.4  # disk margins: a gain that was designed for momenta has these on them
SIGNS = {"negative": -1.0, "positive": 1.0}


@one_thread
def fly_system(
    system: Any,
    model: LinearModel,
    *,
    sample: float,
    delay: float = 0.0,
    feedback: str | None = None,
    method: str = "tustin",
    saturation: str = "component",
    anti_windup: bool = True,
    start: ArrayLike | None = None,
) -> Any:
    """Return a law from a system or a gain of python-control.

    Where the inputs of a linear system are called as the signals of `model.to_control()` and of its states
    (attitude_error_x, rate_x, or rate_error_x, momentum_x, and those of elements), and its outputs torque_1 to
    torque_3, they are these, in whatever order; what the system does not read or write counts as zero. A momentum is
    taken from the measured rates, with the inertia of the model. Else their number tells what they mean.

        inputs  outputs
        6       3        attitude error (3, rad), rate error (3, rad/s) to the plant's torque inputs (N m)
        3       3        attitude error to the plant's torque inputs
        2       1        attitude and rate error of one body axis to the torque about it: the same on each axis
        1       1        attitude error of one body axis to the torque about it: the same on each axis

    A matrix (3, n) is the gain K of u = -K x on the n states of `model.to_control()`, as `control.lqr` and
    `control.place` return it: on momenta, not on rates. So is control.ss([], [], [], K, inputs=
    model.to_control().state_labels); without names such a system is a gain on rates, and refused where it makes a far
    better law on momenta.

    A nonlinear system may have inputs by the same number, or by name any of what a law is shown (`law.to_nlsys`):
    momentum_x, attitude_0, rate_x, the further states of the craft, reference_attitude_0, reference_rate_x,
    reference_acceleration_x, and attitude_error_x and rate_error_x. It is asked in plain Python at each sample.

    Nothing is asked of the loop: see `closed_loop_poles()` of the law.

    Parameters
    ----------
    system : control.StateSpace, control.TransferFunction, control.NonlinearIOSystem or array_like, shape (3, n)
        Linear: continuous, or discrete with the law's sampling period or with dt=True. Nonlinear: discrete likewise, or
        without states.
    model : LinearModel
        `craft.linearize(...)` of the plant it is for.
    sample : float
        Sampling period, s.
    delay : float
        Time from a sample to the moment its command reaches the plant, s.
    feedback : str, optional
        "negative": u = -K y, as `control.feedback`, `control.lqr` and `control.mixsyn` mean it; "positive": u = K y,
        as `control.hinfsyn` and `control.h2syn` do, and as `law.to_control()` is. Left out it is "negative", but of a
        nonlinear system whose inputs are called as what a law is shown, errors not among them: its outputs are the
        torque.
    method : str
        How a continuous system is sampled: "tustin" or "zoh".
    saturation : str
        "component" or "direction"; see `LinearFeedback`.
    anti_windup : bool
        Whether a linear system with integrators follows the command that really went out; False flies it as it is even
        then. A nonlinear one is flown as it is.
    start : array_like, shape (n,), optional
        The states of a nonlinear system before the first sample; zero if left out, as those of a linear one.

    Returns
    -------
    LinearFeedback or SystemLaw
        The law; the latter of a nonlinear system.

    Raises
    ------
    InputError
        When the system has another number of inputs or outputs or names of which some are unknown, another sampling
        period, or states and no timebase (dt=None), or is a gain without names that seems to be on momenta.
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
    check_model(model)
    if feedback is not None:
        choice("feedback", feedback, SIGNS)
    if _is_nonlinear(system):
        others = seen_names(model)
        whole = len(model.operating_point) == 7 + len(others)  # else states were taken out: their places are not known
        shown = SystemLaw(system, others=others if whole else (), sample=period, delay=lag, start=start)
        return shown.times(SIGNS[feedback or shown.feedback])
    if start is not None:
        raise InputError("start is for nonlinear systems: a linear law starts with its states at zero; leave it out")
    sign = SIGNS[feedback or "negative"]
    measured: tuple[str, ...] = ()
    if isinstance(system, np.ndarray | list | tuple):
        d, measured = on_states(system, model)
        a, b, c = np.zeros((0, 0)), np.zeros((0, d.shape[1])), np.zeros((3, 0))
    else:
        found = discrete_matrices(system, period, method=method)
        names = own_names(system.input_labels, "u"), own_names(system.output_labels, "y")
        if set(names[0]) & set(known_signals(model)):
            a, b, c, d, measured = by_name(found, *names, model)
        else:
            a, b, c, d = by_number(found, names[1], model)
            if not len(a) and found[3].shape == (3, 6):
                _require_rates(sign * d, model, sample=period, delay=lag)
    c, d = sign * c, sign * d
    tracking = automatic_tracking(a, b, c, D=d) if anti_windup else np.zeros((len(a), 3))
    return LinearFeedback(
        Compensator(A=a, B=b, C=c, D=d, tracking=tracking),
        model,
        sample=period,
        delay=lag,
        measured=measured,
        saturation=saturation,
        design={
            "kind": "python-control system", "order": len(a), "feedback": feedback or "negative",
            "discretisation": method,
        },
    )  # fmt: skip


def _require_rates(gain: Array, model: LinearModel, *, sample: float, delay: float) -> None:
    """Raise InputError where a gain whose columns have no names is far better on states than on attitude and rate."""
    from ..robustness.measured import loop_margin

    if len(model.states) != gain.shape[1]:
        return

    def margin(D: Array) -> float:
        law = LinearFeedback(Compensator.static(D), model, sample=sample, delay=delay)
        return max(0.0, loop_margin(law.loop(), "disk_margin_inputs"))

    on_rates, on_momenta = margin(gain), margin(on_states(gain, model)[0])
    if on_momenta > BETTER * on_rates and on_momenta > ROBUST:
        raise InputError(
            f"the six inputs of the gain have no names and count as attitude and rate errors, with a disk margin of "
            f"{on_rates:.2g}; as states of the model, on momenta, it has {on_momenta:.2g}: give the matrix K itself, "
            "or control.ss([], [], [], K, inputs=...) with the names of the signals that are meant, "
            "model.to_control().state_labels or output_labels"
        )


def _is_nonlinear(system: Any) -> bool:
    import control

    tool = cast("Any", control)
    return isinstance(system, tool.NonlinearIOSystem) and not isinstance(system, tool.StateSpace)
