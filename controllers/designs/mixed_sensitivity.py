"""H-infinity and H2 mixed-sensitivity design with the optional package slycot."""

from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ...plant import LinearModel
from ...plant.checks import choice, positive
from ...plant.errors import DesignError
from ...plant.one_thread import one_thread
from ..contracts.checks import check_timing
from ..laws.compensator import Compensator
from ..laws.linear_feedback import LinearFeedback
from ..loop.attitude_model import check_reachable
from .anti_windup import automatic_tracking
from .design_plant import design_plant
from .discretize import discrete_matrices
from .fast_modes import without_fast_modes
from .stability_check import require_stable

Array = NDArray[np.float64]

NORMS = ("hinf", "h2")
FAST = 10.0  # |eigenvalue| times sample above which a mode is made static: Tustin's rule maps it near z = -1


@one_thread
def mixed_sensitivity(
    model: LinearModel,
    *,
    bandwidth: float,
    sample: float,
    delay: float = 0.0,
    norm: str = "hinf",
    peak: float = 2.0,
    stiffness: float = 100.0,
    effort: float = 30.0,
    roll_off: float = 10.0,
    shift: float = 0.1,
    internal: str = "estimated",
    saturation: str = "component",
) -> LinearFeedback:
    """Design output feedback that measures only the attitude, by mixed-sensitivity optimisation.

    Let S be the sensitivity, T = 1 - S, K the law with its output as angular acceleration, and wb the bandwidth.
    python-control's `mixsyn` or `h2syn` minimises the norm of [W1 S; W2 K S; W3 T] (Skogestad & Postlethwaite,
    Multivariable Feedback Control, section 3.4.6):

        W1 = (s / peak + wb) / (s + wb / stiffness)          W2 = 1 / (effort wb^2)
        W3 = (s + roll_off wb / peak) / (0.01 s + roll_off wb)

    The H2 norm requires a weight that vanishes at high frequency; for H2, W1 = wb / (s + wb / stiffness).

    The poles of a spacecraft at rest are on the imaginary axis, for which the problem has no solution. The problem is
    therefore solved for the plant with A + a I, a = shift wb, and a I is subtracted from the law's A afterwards. Every
    closed-loop mode of the continuous design then decays faster than exp(-a t). The plant includes the delay and the
    half-sample delay of the hold as a second-order Pade approximation. The law is discretised by Tustin's rule, and its
    loop is checked with the exact delay.

    Parameters
    ----------
    model : LinearModel
        `craft.linearize(...)`.
    bandwidth : float
        Bandwidth wb, rad/s.
    sample : float
        Sampling period, s.
    delay : float
        Time from a sample to the moment its command reaches the plant, s.
    norm : str
        "hinf" or "h2".
    peak : float
        Bound on |S|, above 1.
    stiffness : float
        Reciprocal of the bound on |S| at low frequency.
    effort : float
        Bound on |K S|, in units of wb^2.
    roll_off : float
        Frequency above which T must roll off, in units of wb.
    shift : float
        Shift a of the poles, in units of wb.
    internal : str
        "estimated" (the plant includes the states of elements) or "locked".
    saturation : str
        "component" or "direction"; see `LinearFeedback`.

    Returns
    -------
    LinearFeedback
        The law; for "hinf", `design["norm_reached"]` is the achieved norm.

    Raises
    ------
    InputError
        When a value is not positive.
    DesignError
        When slycot is not installed, a mode is not controllable, the synthesis fails, or the sampled loop is not
        stable.
    """
    period, lag = check_timing(sample, delay)
    wb = positive("bandwidth", bandwidth, "rad/s")
    choice("norm", norm, NORMS)
    choice("internal", internal, ("estimated", "locked"))
    numbers = {"peak": peak, "stiffness": stiffness, "effort": effort, "roll_off": roll_off, "shift": shift}
    numbers = {name: positive(name, value) for name, value in numbers.items()}
    plant = design_plant(model, internal=internal)
    check_reachable(plant.model, sample=period)
    # torque components = to_torque @ angular acceleration; time in units of 1 / wb
    to_torque = np.linalg.inv(plant.model.B[3:6]) @ plant.model.inertia
    G = _with_lag(plant.A / wb, plant.B @ (to_torque / plant.scale) * wb, plant.C[:3], lag=wb * (lag + 0.5 * period))
    A, B, C, D, reached = _synthesis(G, norm=norm, **numbers)
    a, b, c, d = _sampled(*without_fast_modes(wb * A, wb * B, C, D=D, limit=FAST / period), sample=period)
    c, d = -(wb**2) * to_torque @ c, -(wb**2) * to_torque @ d
    law = LinearFeedback(
        Compensator(
            A=a,
            B=np.hstack((b, np.zeros_like(b))),
            C=c,
            D=np.hstack((d, np.zeros_like(d))),
            tracking=automatic_tracking(a, b, c, D=d),
        ),
        model,
        sample=period,
        delay=lag,
        saturation=saturation,
        design={
            "kind": f"mixed-sensitivity-{norm}",
            "bandwidth_rad_s": wb,
            **numbers,
            "internal": internal,
            "norm_reached": reached,
        },
    )
    return require_stable(
        law, what=f"the mixed-sensitivity law of bandwidth {wb:g} rad/s", advice="lower the bandwidth or sample faster"
    )


def _with_lag(A: Array, B: Array, C: Array, *, lag: float) -> tuple[Array, Array, Array]:
    """Return the plant with an input delay `lag`, as a second-order Pade approximation."""
    if lag == 0.0:
        return A, B, C
    import control

    tool = cast("Any", control)
    one = tool.ss(tool.tf(*tool.pade(lag, 2)), method="scipy")
    kron = cast("Any", np.kron)
    a, b, c, d = (np.asarray(kron(np.eye(3), m), dtype=np.float64) for m in (one.A, one.B, one.C, one.D))
    n, m = len(A), len(a)
    whole = np.zeros((n + m, n + m))
    whole[:n, :n], whole[:n, n:], whole[n:, n:] = A, B @ c, a
    return whole, np.vstack((B @ d, b)), np.hstack((C, np.zeros((len(C), m))))


def _synthesis(
    G: tuple[Array, Array, Array],
    *,
    norm: str,
    shift: float,
    **weights: float,
) -> tuple[Array, Array, Array, Array, float | None]:
    """Return K of u = - K y, with time in units of 1 / wb.

    K is designed for the plant with poles shifted by `shift`, and its own poles are shifted back.
    """
    import control

    tool = cast("Any", control)
    A, B, C = G
    reached = None
    try:
        augmented = tool.ss(*_augmented((A + shift * np.eye(len(A)), B, C), norm=norm, **weights))
        with one_thread:
            if norm == "hinf":
                found, _, reached, _ = tool.hinfsyn(augmented, 3, 3)
            else:
                found = tool.h2syn(augmented, 3, 3)
    except ImportError as error:  # ControlSlycot of python-control is a subclass
        raise DesignError(
            "H-infinity and H2 design need slycot, which is not installed: pip install 'polhode[robust]' (or "
            "pip install slycot), or use lqg, which does not need it"
        ) from error
    except (ValueError, ArithmeticError, np.linalg.LinAlgError) as error:
        raise DesignError(
            f"mixed-sensitivity synthesis failed ({error}); relax effort, peak or roll_off, or raise shift"
        ) from error
    # hinfsyn and h2syn return K of u = K e with e = - y, so the law is u = - K y
    a = np.asarray(found.A, dtype=np.float64) - shift * np.eye(len(found.A))
    b, c, d = (np.asarray(m, dtype=np.float64) for m in (found.B, found.C, found.D))
    return a, b, c, d, None if reached is None else float(reached)


def _augmented(
    G: tuple[Array, Array, Array], *, norm: str, peak: float, stiffness: float, effort: float, roll_off: float
) -> tuple[Array, Array, Array, Array]:
    """Return the system from [r; u] to [W1 e; W2 u; W3 y; e], e = r - y, with time in units of 1 / wb."""
    A, B, C = G
    n = len(A)
    I, O = np.eye(3), np.zeros((3, 3))  # noqa: E741 # identity and zero blocks
    d1 = 1.0 / peak if norm == "hinf" else 0.0
    c1 = 1.0 - d1 / stiffness
    pole, d3 = 100.0 * roll_off, 100.0
    c3 = 100.0 * roll_off / peak - d3 * pole
    N = np.zeros((n, 3))
    whole = np.block([[A, N, N], [-C, -I / stiffness, O], [C, O, -pole * I]])
    enter = np.block([[N, B], [I, O], [O, O]])
    out = np.block([[-d1 * C, c1 * I, O], [0.0 * C, O, O], [d3 * C, O, c3 * I], [-C, O, O]])
    through = np.block([[d1 * I, O], [O, I / effort], [O, O], [I, O]])
    return whole, enter, out, through


def _sampled(A: Array, B: Array, C: Array, D: Array, *, sample: float) -> tuple[Array, Array, Array, Array]:
    import control

    return discrete_matrices(cast("Any", control).ss(A, B, C, D), sample)
