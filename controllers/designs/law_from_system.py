"""Conversion of a python-control system to a law, without redesign."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...plant import LinearModel
from ...plant.checks import choice
from ...plant.errors import InputError
from ...plant.one_thread import one_thread
from ..contracts.checks import check_timing
from ..laws.compensator import Compensator
from ..laws.linear_feedback import LinearFeedback
from ..laws.system_law import SystemLaw, own_names
from ..loop.acting_model import seen_names
from ..loop.attitude_model import check_model
from .anti_windup import automatic_tracking
from .discretize import discrete_matrices
from .system_signals import by_name, by_number, known_signals, on_states

Array = NDArray[np.float64]

BETTER, ROBUST = 1.5, 0.4  # margins (relative gain, absolute disk margin) that indicate a gain on momenta
SIGNS = {"negative": -1.0, "positive": 1.0}


@one_thread
def law_from_system(
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
    """Convert a python-control system, or a gain matrix designed with it, to a law.

    The inputs of a linear system may have the names of signals and states of `model.to_control()` (attitude_error_x,
    rate_x or rate_error_x, momentum_x, and states of elements), and its outputs the names torque_1 to torque_3. Their
    order is then free; signals that are not inputs have zero gain, and missing torques are zero. A momentum is computed
    from the measured rates, with the inertia of the model. Without such names, the numbers of inputs and outputs
    determine their meaning:

        inputs  outputs
        6       3        attitude error (3, rad), rate error (3, rad/s) to the plant's torque inputs (N m)
        3       3        attitude error to the plant's torque inputs
        2       1        attitude and rate error of one body axis to the torque about it: the same on each axis
        1       1        attitude error of one body axis to the torque about it: the same on each axis

    A matrix (3, n) is the gain K of u = -K x on the n states of `model.to_control()`, as `control.lqr` and
    `control.place` return it. This gain acts on momenta, not on rates. The same holds for control.ss([], [], [], K,
    inputs=model.to_control().state_labels). A system without names is taken as a gain on rates, and is rejected if the
    loop would be far more robust with a gain on momenta.

    A nonlinear system may have the same numbers of inputs, or named inputs chosen from all signals that are available
    to a law (`law.to_nlsys`): momentum_x, attitude_0, rate_x, the further states of the spacecraft,
    reference_attitude_0, reference_rate_x, reference_acceleration_x, attitude_error_x and rate_error_x. The system is
    evaluated in plain Python at each sample.

    Stability of the loop is not checked; use `closed_loop_poles()` of the law.

    Parameters
    ----------
    system : control.StateSpace, control.TransferFunction, control.NonlinearIOSystem or array_like, shape (3, n)
        A linear system may be continuous, or discrete with the law's sampling period or dt=True. A nonlinear system
        must be discrete in the same way, or have no states.
    model : LinearModel
        `craft.linearize(...)` of the plant to control.
    sample : float
        Sampling period, s.
    delay : float
        Time from a sample to the moment its command reaches the plant, s.
    feedback : str, optional
        "negative": u = -K y, the convention of `control.feedback`, `control.lqr` and `control.mixsyn`. "positive":
        u = K y, the convention of `control.hinfsyn`, `control.h2syn` and `law.to_control()`. Default: "positive" for a
        nonlinear system whose inputs are named and include no error signal, otherwise "negative".
    method : str
        Discretisation of a continuous system: "tustin" or "zoh".
    saturation : str
        "component" or "direction"; see `LinearFeedback`.
    anti_windup : bool
        Whether a linear system with integrators tracks the saturated command; False leaves it unchanged. A nonlinear
        system is never changed.
    start : array_like, shape (n,), optional
        States of a nonlinear system before the first sample; zero by default, as for a linear system.

    Returns
    -------
    LinearFeedback or SystemLaw
        The law; a `SystemLaw` for a nonlinear system.

    Raises
    ------
    InputError
        When the number of inputs or outputs is wrong, some names are unknown, the sampling period differs from the
        law's, a system with states has no timebase (dt=None), or an unnamed gain appears to act on momenta.
    DesignError
        When the system is improper, or its integrators are unobservable in its output.

    Examples
    --------
    >>> import control
    >>> from polhode import plant
    >>> craft = plant.Spacecraft(plant.RigidBody((8, 8, 8)))
    >>> lead = control.tf([8.0, 1.6], [1.0, 2.0])
    >>> law = law_from_system(lead, craft.linearize(craft.at_rest()), sample=0.1)
    >>> bool(abs(law.closed_loop_poles()[0]) < 1.0)
    True
    """
    period, lag = check_timing(sample, delay)
    check_model(model)
    if feedback is not None:
        choice("feedback", feedback, SIGNS)
    if _is_nonlinear(system):
        others = seen_names(model)
        whole = len(model.operating_point) == 7 + len(others)  # False if states were removed: their indices are unknown
        shown = SystemLaw(system, others=others if whole else (), sample=period, delay=lag, start=start)
        return shown.times(SIGNS[feedback or shown.feedback])
    if start is not None:
        raise InputError("start is for nonlinear systems: a linear law starts with its states at zero; omit start")
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
    """Raise InputError if an unnamed gain is far more robust on model states than on attitude and rate."""
    from ..loop.robustness.measured import loop_margin

    if len(model.states) != gain.shape[1]:
        return

    def margin(D: Array) -> float:
        law = LinearFeedback(Compensator.static(D), model, sample=sample, delay=delay)
        return max(0.0, loop_margin(law.loop(), "disk_margin_inputs"))

    on_rates, on_momenta = margin(gain), margin(on_states(gain, model)[0])
    if on_momenta > BETTER * on_rates and on_momenta > ROBUST:
        raise InputError(
            "the six inputs of the gain have no names and are taken as attitude and rate errors, with a disk margin "
            f"of {on_rates:.2g}; as model states (momenta) the margin is {on_momenta:.2g}: give the matrix K itself, "
            "or control.ss([], [], [], K, inputs=...) with the names of the intended signals, "
            "model.to_control().state_labels or output_labels"
        )


def _is_nonlinear(system: Any) -> bool:
    import control

    tool = cast("Any", control)
    return isinstance(system, tool.NonlinearIOSystem) and not isinstance(system, tool.StateSpace)
