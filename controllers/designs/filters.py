"""Notch, dipole and roll-off filters, and their series connection with a law."""

from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ...plant.checks import finite, of_kind, positive
from ...plant.errors import DesignError, InputError
from ...plant.one_thread import one_thread
from ..laws.compensator import Compensator
from ..laws.linear_feedback import LinearFeedback
from .discretize import discrete_matrices, sampled
from .rational_filter import RationalFilter
from .stability_check import require_stable

Array = NDArray[np.float64]


def notch(frequency: float, *, width: float, depth: float = 0.0) -> RationalFilter:
    """Return a notch filter.

        N(s) = (s^2 + 2 depth width wn s + wn^2) / (s^2 + 2 width wn s + wn^2)

    Parameters
    ----------
    frequency : float
        Frequency wn of the notch, rad/s.
    width : float
        Damping ratio of the poles: 0.1 is narrow, 1 is wide.
    depth : float
        Gain at wn, from 0 (full suppression) to 1.

    Returns
    -------
    RationalFilter
        Filter of unit gain at low and high frequency; `to_control()` converts it for python-control.

    Raises
    ------
    InputError
        When a value is out of range.

    Examples
    --------
    >>> abs(complex(notch(2.0, width=0.5, depth=0.1)(2.0j)))
    0.1
    """
    wn, zeta = positive("notch frequency", frequency, "rad/s"), positive("notch width", width)
    if not 0.0 <= finite("notch depth", depth) < 1.0:
        raise InputError(f"notch depth must be at least 0 and below 1; got {depth:g}")
    return _of_unit_ends(wn, zeta, depth)


def dipole(frequency: float, *, width: float, gain: float) -> RationalFilter:
    """Return a dipole filter, which raises the loop gain at one frequency to reject a periodic disturbance.

        N(s) = (s^2 + 2 gain width wn s + wn^2) / (s^2 + 2 width wn s + wn^2)

    The disturbance at wn is attenuated about `gain` times more than without the filter, where the loop gain is large.
    The filter leads in phase below wn and lags above it, by up to asin((gain - 1)/(gain + 1)).

    Parameters
    ----------
    frequency : float
        Frequency wn of the disturbance, rad/s.
    width : float
        Damping ratio of the poles. That of the zeros is `gain` times larger, and determines how far from wn the filter
        changes the loop.
    gain : float
        Gain at wn, above 1.

    Returns
    -------
    RationalFilter
        Filter of unit gain at low and high frequency; `to_control()` converts it for python-control.

    Raises
    ------
    InputError
        When a value is out of range.

    Notes
    -----
    B. Wie, Space Vehicle Dynamics and Control (2008), on the rejection of cyclic disturbances of a space station.

    Examples
    --------
    >>> abs(complex(dipole(2.0, width=0.01, gain=10.0)(2.0j)))
    10.0
    """
    wn, zeta = positive("dipole frequency", frequency, "rad/s"), positive("dipole width", width)
    if finite("dipole gain", gain) <= 1.0:
        raise InputError(f"dipole gain must be above 1; got {gain:g} (a notch has a gain below 1)")
    return _of_unit_ends(wn, zeta, gain)


def _of_unit_ends(wn: float, zeta: float, gain: float) -> RationalFilter:
    """Return the filter with unit gain at low and high frequency, poles of damping ratio zeta, and a gain at wn."""
    return RationalFilter(np.array([1.0, 2.0 * gain * zeta * wn, wn**2]), np.array([1.0, 2.0 * zeta * wn, wn**2]))


def roll_off(frequency: float, *, order: int = 2) -> RationalFilter:
    """Return a Butterworth low-pass filter.

    Parameters
    ----------
    frequency : float
        Cutoff (-3 dB) frequency, rad/s.
    order : int
        Order, from 1 to 8; each order adds a roll-off of 20 dB per decade.

    Returns
    -------
    RationalFilter
        Filter of unit gain at low frequency; `to_control()` converts it for python-control.

    Raises
    ------
    InputError
        When a value is out of range.

    Examples
    --------
    >>> round(abs(complex(roll_off(2.0, order=3)(2.0j))) ** 2, 12)
    0.5
    """
    wn = positive("roll-off frequency", frequency, "rad/s")
    if order not in range(1, 9):
        raise InputError(f"roll-off order must be a whole number from 1 to 8; got {order!r}")
    poles = -wn * np.exp(0.5j * np.pi * np.arange(1 - order, order, 2) / order)  # evenly spaced on the left half circle
    return RationalFilter(np.array([wn**order]), np.asarray(np.poly(poles).real, dtype=np.float64))


@one_thread
def filtered(law: LinearFeedback, *filters: Any) -> LinearFeedback:
    """Return a linear law whose feedback passes through filters in series.

    Each filter is applied to every torque component.
    Continuous filters are discretised by Tustin's rule, exact at a characteristic frequency: the lowest natural
    frequency of the complex zeros or, if all zeros are real, of the complex poles. The feed-forward of the
    reference is not filtered. The design of the law does not account for the filters: its estimator assumes that the
    unfiltered command is applied.

    Parameters
    ----------
    law : LinearFeedback
        The law.
    *filters : RationalFilter, control.StateSpace or control.TransferFunction
        Single-input, single-output systems; continuous, or discrete with the law's sampling period.

    Returns
    -------
    LinearFeedback
        The law with the filters in series, after a stability check of the loop.

    Raises
    ------
    InputError
        When a filter has more than one input or output, or a sampling period that differs from the law's.
    DesignError
        When a filter is improper or too fast for the sampling period, or the filtered loop is not stable.

    Examples
    --------
    >>> from polhode import plant
    >>> from polhode.controllers import lqr
    >>> craft = plant.Spacecraft(plant.RigidBody((8, 8, 8)))
    >>> law = lqr(craft.linearize(craft.at_rest()), attitude=1, rate=1, effort=1, sample=0.1)
    >>> filtered(law, notch(5.0, width=0.3), roll_off(8.0)).compensator.order
    12
    """
    of_kind("law", law, LinearFeedback, such_as="a LinearFeedback, as returned by lqr and the other designs")
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
        advice="its phase lag is too large for the bandwidth: raise or narrow the filter, or slow the law",
    )


def _in_series(inner: Compensator, system: Any, sample: float) -> Compensator:
    kron = cast("Any", np.kron)
    a, b, c, d = (np.asarray(kron(np.eye(3), each), dtype=np.float64) for each in _discrete(system, sample))
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


def _discrete(system: Any, sample: float) -> tuple[Array, Array, Array, Array]:
    if isinstance(system, RationalFilter):
        return sampled(system.matrices(), sample, prewarp=_corner(system.zeros, system.poles, sample))
    if getattr(system, "ninputs", 1) != 1 or getattr(system, "noutputs", 1) != 1:
        raise InputError(f"a filter has one input and one output; got {system.ninputs} and {system.noutputs}")
    continuous = getattr(system, "dt", None) in {None, 0} and hasattr(system, "poles")
    prewarp = _corner(system.zeros(), system.poles(), sample) if continuous else None
    return discrete_matrices(system, sample, prewarp=prewarp)


def _corner(zeros: Any, poles: Any, sample: float) -> float | None:
    """Return the frequency (rad/s) at which Tustin's rule is to be exact: lowest complex zero or pole."""
    for points in (zeros, poles):
        found = [abs(complex(point)) for point in points if abs(complex(point).imag) > 1e-6 * abs(complex(point))]
        if found and min(found) * sample >= np.pi:
            raise DesignError(
                f"sample {sample:g} s is too slow for a filter at {min(found):g} rad/s: it needs a sampling period "
                f"below pi / {min(found):g} = {np.pi / min(found):g} s"
            )
        if found:
            return min(found)
    return None
