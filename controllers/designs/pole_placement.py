"""State feedback that assigns the poles of the sampled loop, for any delay."""

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ...plant import LinearModel
from ...plant.checks import choice
from ...plant.errors import DesignError, InputError
from ...plant.one_thread import one_thread
from ..contracts.checks import check_timing
from ..contracts.past_commands import with_past_commands
from ..laws.linear_feedback import LinearFeedback
from ..loop.attitude_model import check_reachable
from ..loop.sampled_plant import sampled_plant
from .design_plant import design_plant
from .stability_check import require_stable

Array = NDArray[np.float64]


@one_thread
def pole_placement(
    model: LinearModel,
    *,
    poles: Sequence[complex],
    sample: float,
    delay: float = 0.0,
    internal: str = "locked",
    saturation: str = "component",
) -> LinearFeedback:
    """Design state feedback that assigns the closed-loop poles.

    The poles s are given for a continuous loop; the exactly sampled loop has the poles z = exp(s sample). A delay does
    not change the assigned poles: with B_j the effect of the command j samples earlier, the predicted state

        chi[k] = x[k] + sum over j of F^(i-j) B_j u[k-1-i], i = 0 .. j-1

    obeys chi[k+1] = F chi + (sum F^-j B_j) u, which has no delay (Artstein 1982). The gain is designed for that system,
    and the delayed commands only add poles at z = 0.

    Parameters
    ----------
    model : LinearModel
        `craft.linearize(...)`.
    poles : sequence of complex
        One pole for each state (six for a rigid spacecraft or locked elements), 1/s. Complex poles need their
        conjugates, and no pole may occur more than three times.
    sample : float
        Sampling period, s.
    delay : float
        Time from a sample to the moment its command reaches the plant, s.
    internal : str
        "locked" or "measured", as in `lqr`.
    saturation : str
        "component" or "direction"; see `LinearFeedback`.

    Returns
    -------
    LinearFeedback
        The law.

    Raises
    ------
    InputError
        When the number of poles is wrong, or a complex pole has no conjugate.
    DesignError
        When a pole does not decay, is too fast for the sampling, or cannot be placed.

    Examples
    --------
    >>> from polhode import plant
    >>> craft = plant.Spacecraft(plant.RigidBody((8, 7, 6)))
    >>> desired = [-0.3 + 0.3j, -0.3 - 0.3j] * 3
    >>> law = pole_placement(craft.linearize(craft.at_rest()), poles=desired, sample=0.1)
    >>> (np.log(law.closed_loop_poles()) / 0.1).real.round(6).tolist()
    [-0.3, -0.3, -0.3, -0.3, -0.3, -0.3]
    """
    import control

    period, lag = check_timing(sample, delay)
    choice("internal", internal, ("locked", "measured"))
    plant = design_plant(model, internal=internal)
    check_reachable(plant.model, sample=period)
    n = len(plant.A)
    requested = _checked(poles, n, period)
    F, G = sampled_plant(plant.A, plant.B, sample=period, delays=[lag] * 3)
    flow = F[:n, :n]
    past = (len(F) - n) // 3
    effect = [G[:n], *(F[:n, n + 3 * j : n + 3 * j + 3] for j in range(past))]
    back = np.linalg.inv(flow)
    powers = [np.eye(n)]
    for _ in range(past):
        powers.append(powers[-1] @ back)
    total = np.sum([powers[j] @ effect[j] for j in range(past + 1)], axis=0)
    try:
        K = np.asarray(cast("Any", control).place(flow, total, np.exp(requested * period)), dtype=np.float64)
    except ValueError as error:
        raise DesignError(f"the poles cannot be placed ({error}); move coinciding poles apart") from None
    lead = [np.sum([powers[j - i] @ effect[j] for j in range(i + 1, past + 1)], axis=0) for i in range(past)]
    on_past = -np.hstack([K @ block for block in lead]) if past else np.zeros((3, 0))
    law = LinearFeedback(
        with_past_commands(-plant.scale * K @ plant.from_measurement, on_past),
        model,
        sample=period,
        delay=lag,
        measured=plant.measured,
        saturation=saturation,
        design={
            "kind": "pole-placement",
            "internal": internal,
            "poles_1_s": [[float(pole.real), float(pole.imag)] for pole in requested],
        },
    )
    return require_stable(
        law, what=f"pole placement (internal states {internal})", advice='use slower poles or internal="measured"'
    )


def _checked(poles: Sequence[complex], n: int, sample: float) -> NDArray[np.complex128]:
    try:
        requested = np.asarray(poles, dtype=np.complex128)
    except (TypeError, ValueError):
        raise InputError(f"poles must be numbers, 1/s; got {poles!r}") from None
    if requested.shape != (n,) or not np.isfinite(requested).all():
        raise InputError(f"poles must be {n} finite numbers (1/s), one for each state; got shape {requested.shape}")
    if not np.allclose(np.sort_complex(requested), np.sort_complex(requested.conj()), rtol=1e-12, atol=0.0):
        raise InputError("a complex pole must come with its conjugate")
    slowest = requested[np.argmax(requested.real)]
    if slowest.real >= 0.0:
        raise DesignError(f"pole {slowest:g} 1/s does not decay; give every pole a negative real part")
    fastest = float(np.abs(requested.imag).max())
    if fastest * sample >= np.pi:
        raise DesignError(
            f"sample {sample:g} s is too slow for a pole that oscillates at {fastest:g} rad/s: it needs a sampling "
            f"period below pi / {fastest:g} = {np.pi / fastest:g} s"
        )
    return requested
