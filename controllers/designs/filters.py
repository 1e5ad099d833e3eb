"""Notch and roll-off filters, and a law with filters behind it."""

from typing import Any, cast

import numpy as np

from ...plant.checks import finite, of_kind, positive
from ...plant.errors import DesignError, InputError
from ...plant.one_thread import one_thread
from ..laws.compensator import Compensator
from ..laws.linear_feedback import LinearFeedback
from .discretize import discrete_matrices
from .stability_check import require_stable

__all__ = ["filtered", "notch", "roll_off"]


def notch(frequency: float, *, width: float, depth: float = 0.0) -> Any:
    """Return a notch filter as a python-control transfer function.

        N(s) = (s^2 + 2 depth width wn s + wn^2) / (s^2 + 2 width wn s + wn^2)

    Parameters
    ----------
    frequency : float
        Where it is deepest, wn, rad/s.
    width : float
        Damping ratio of its poles: 0.1 is narrow, 1 is wide.
    depth : float
        Gain at wn, from 0 (nothing passes) to 1.

    Returns
    -------
    control.TransferFunction
        Unit gain at low and high frequency.

    Raises
    ------
    InputError
        When a number is out of range.

    Examples
    --------
    >>> abs(complex(notch(2.0, width=0.5, depth=0.1)(2.0j)))
    0.1
    """
    import control

    wn, zeta = positive("notch frequency", frequency, "rad/s"), positive("notch width", width)
    if not 0.0 <= finite("notch depth", depth) < 1.0:
        raise InputError(f"notch depth must be at least 0 and below 1; got {depth:g}")
    return cast("Any", control).tf([1.0, 2.0 * depth * zeta * wn, wn**2], [1.0, 2.0 * zeta * wn, wn**2])


def roll_off(frequency: float, *, order: int = 2) -> Any:
    """Return a Butterworth low-pass filter as a python-control transfer function.

    Parameters
    ----------
    frequency : float
        Where it is 3 dB down, rad/s.
    order : int
        1 to 8; 20 dB per decade each.

    Returns
    -------
    control.TransferFunction
        Unit gain at low frequency.

    Raises
    ------
    InputError
        When a number is out of range.

    Examples
    --------
    >>> round(abs(complex(roll_off(2.0, order=3)(2.0j))) ** 2, 12)
    0.5
    """
    import control
    from scipy import signal

    wn = positive("roll-off frequency", frequency, "rad/s")
    if order not in range(1, 9):
        raise InputError(f"roll-off order must be a whole number from 1 to 8; got {order!r}")
    numerator, denominator = cast("Any", signal).butter(order, wn, analog=True)
    return cast("Any", control).tf(numerator, denominator)


@one_thread
def filtered(law: LinearFeedback, *filters: Any) -> LinearFeedback:
    """Return a linear law whose feedback passes through filters, each on every torque component.

    Continuous filters are sampled by Tustin's rule, exact at the frequency where they do something (the angle of
    their slowest oscillating zero or, without one, pole). The feed-forward of the reference is not filtered, and the
    law inside does not know of the filters: an estimator goes on as if its own command were sent.

    Parameters
    ----------
    law : LinearFeedback
        The law.
    *filters : control.StateSpace or control.TransferFunction
        One input, one output each; continuous, or discrete with the law's sampling period.

    Returns
    -------
    LinearFeedback
        The law with the filters in series, its loop checked.

    Raises
    ------
    InputError
        When a filter has more than one input or output, or another sampling period.
    DesignError
        When a filter is improper or too fast for the sampling period, or the loop with it is not stable.

    Examples
    --------
    >>> from polhode import plant
    >>> from polhode.controllers import lqr
    >>> craft = plant.Spacecraft(plant.RigidBody((8, 8, 8)))
    >>> law = lqr(craft.linearize(craft.at_rest()), attitude=1, rate=1, effort=1, sample=0.1)
    >>> filtered(law, notch(5.0, width=0.3), roll_off(8.0)).compensator.order
    12
    """
    of_kind("law", law, LinearFeedback, such_as="a LinearFeedback, as lqr and the other designs return it")
    inner, design = law.compensator, dict(law.design)
    for item in filters:
        inner = _in_series(inner, item, law.sample)
    design["filters"] = [str(item) for item in filters]
    return require_stable(
        LinearFeedback(
            inner,
            law.model,
            sample=law.sample,
            delay=law.delay,
            measured=law.measured,
            saturation=law.saturation,
            design=design,
        ),
        what="the filtered law",
        advice="its phase lag is too much for the bandwidth: raise the filter's frequency, narrow it, or slow the law",
    )


def _in_series(inner: Compensator, system: Any, sample: float) -> Compensator:
    if getattr(system, "ninputs", 1) != 1 or getattr(system, "noutputs", 1) != 1:
        raise InputError(f"a filter has one input and one output; got {system.ninputs} and {system.noutputs}")
    continuous = getattr(system, "dt", None) in {None, 0}
    prewarp = _corner(system) if continuous and hasattr(system, "poles") else None
    if prewarp is not None and prewarp * sample >= np.pi:
        raise DesignError(
            f"sample {sample:g} s is too slow for a filter at {prewarp:g} rad/s: it needs a sampling period below "
            f"pi / {prewarp:g} = {np.pi / prewarp:g} s"
        )
    a, b, c, d = discrete_matrices(system, sample, prewarp=prewarp)
    kron = cast("Any", np.kron)
    a, b, c, d = (np.asarray(kron(np.eye(3), matrix), dtype=np.float64) for matrix in (a, b, c, d))
    n, m = inner.order, len(a)
    A = np.zeros((n + m, n + m))
    A[:n, :n], A[n:, :n], A[n:, n:] = inner.A, b @ inner.C, a
    return Compensator(
        A=A,
        B=np.vstack((inner.B, b @ inner.D)),
        C=np.hstack((d @ inner.C, c)),
        D=d @ inner.D,
        tracking=np.vstack((inner.tracking, np.zeros((m, 3)))),
    )


def _corner(system: Any) -> float | None:
    for points in (system.zeros(), system.poles()):
        found = [abs(complex(point)) for point in points if abs(complex(point).imag) > 1e-6 * abs(complex(point))]
        if found:
            return min(found)
    return None
