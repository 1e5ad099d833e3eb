"""Limit cycle of on-off thrusters about a principal axis: closed form, harmonic balance, simulation."""

from dataclasses import dataclass
from math import atan, hypot, pi, sqrt, tan
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ...controllers import OnOffThrusters
from ...plant import Spacecraft
from ...plant.attitude import from_rotation_vector
from ...plant.checks import positive
from ...plant.errors import DesignError, InputError
from ...plant.one_thread import one_thread
from ..runs.simulate import simulate

Array = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class LimitCycle:
    """A limit cycle about one axis.

    Parameters
    ----------
    period_s : float
        Period, s.
    amplitude_rad : float
        Largest angle, rad.
    rate_rad_s : float
        Largest rate, rad/s.
    """

    period_s: float
    amplitude_rad: float
    rate_rad_s: float

    def to_dict(self) -> dict[str, float]:
        """Return the results as plain values for JSON.

        Returns
        -------
        dict
            The attributes; keys carry the units.
        """
        return {"period_s": self.period_s, "amplitude_rad": self.amplitude_rad, "rate_rad_s": self.rate_rad_s}


def describing_function(amplitude: float, *, torque: float, deadband: float, hysteresis: float) -> complex:
    """Return the describing function N(A) of a relay with deadband and hysteresis.

    The relay switches on at the deadband d and off at d - h:

        N = 2 M / (pi A) [sqrt(1 - (d / A)^2) + sqrt(1 - ((d - h) / A)^2) - j h / A],     A >= d

    (Gelb & Vander Velde 1968, "Multiple-Input Describing Functions", appendix B; Sidi 1997, ch. 9).

    Parameters
    ----------
    amplitude : float
        A, amplitude of the sine at the relay's input, rad.
    torque : float
        M, N m.
    deadband, hysteresis : float
        d and h, rad.

    Returns
    -------
    complex
        N(A), N m/rad; 0 if the sine does not reach the deadband.

    Examples
    --------
    >>> abs(describing_function(1.0, torque=1.0, deadband=0.0, hysteresis=0.0) - 4.0 / pi) < 1e-15  # the ideal relay
    True
    """
    if amplitude < deadband:
        return 0.0 + 0.0j
    real = sqrt(1.0 - (deadband / amplitude) ** 2) + sqrt(1.0 - ((deadband - hysteresis) / amplitude) ** 2)
    return 2.0 * torque / (pi * amplitude) * complex(real, -hysteresis / amplitude)


def continuous_limit_cycle(law: OnOffThrusters, *, inertia: float, axis: int = 0) -> LimitCycle:
    """Return the limit cycle of drifts and pulses in closed form, for continuous switching.

    Let a = M / J, L the lead and T = delay + sample / 2 the mean time from crossing a threshold until the torque acts.
    A pulse of length 2 w / a changes the drift rate from w to -w, with the same angle at both ends, which gives

        w = (h + a T (L - T / 2)) / (2 (L - T)),      theta1 = d - (L - T) w
        amplitude = theta1 + w^2 / (2 a),      period = 4 theta1 / w + 4 w / a

    Convergence to the cycle is slow if pulses are short: if there is no delay, each pulse reduces a deviation of w by
    the factor (L - w / a) / (L + w / a).

    Parameters
    ----------
    law : OnOffThrusters
        The law.
    inertia : float
        J about the axis, which must be a principal one, kg m^2.
    axis : int
        Axis index of the law, from 0.

    Returns
    -------
    LimitCycle
        The cycle, exact for continuous switching. Sampled thrusters have a band of cycles instead of a single cycle:
        see `sampled_limit_cycles`.

    Raises
    ------
    InputError
        When the inertia is not positive.
    DesignError
        When there is no such cycle, because the torque delay exceeds the lead or a pulse crosses the whole deadband.

    Examples
    --------
    >>> law = OnOffThrusters(torque=0.05, deadband=0.01, lead=5.0, hysteresis=0.002, sample=0.001)
    >>> found = continuous_limit_cycle(law, inertia=100.0)
    >>> round(found.period_s, 1), round(found.rate_rad_s, 6)
    (181.5, 0.0002)
    """
    a = float(law.torque[axis]) / positive("inertia", inertia, "kg m^2")
    late, lead = law.lateness, float(law.lead[axis])
    if late >= lead:
        raise DesignError(
            f"the torque delay {late:g} s (with half a sample) exceeds the lead {lead:g} s: every pulse adds "
            "energy; give a lead above the delay"
        )
    w = (float(law.hysteresis[axis]) + a * late * (lead - 0.5 * late)) / (2.0 * (lead - late))
    turn = float(law.deadband[axis]) - (lead - late) * w
    if turn <= 0.0 or w <= 0.0:
        raise DesignError(
            f"no cycle of drifts and pulses exists: the drift at {w:g} rad/s would begin at {turn:g} rad; "
            "give a wider deadband, a smaller torque or hysteresis"
        )
    return LimitCycle(period_s=4.0 * turn / w + 4.0 * w / a, amplitude_rad=turn + w * w / (2.0 * a), rate_rad_s=w)


@one_thread
def describing_function_limit_cycle(law: OnOffThrusters, *, inertia: float, axis: int = 0) -> LimitCycle | None:
    """Return the limit cycle predicted by harmonic balance, 1 + N(A) G(jw) = 0.

        G = (1 + j w L) exp(-j w T) / (J (j w)^2),      T = delay + sample / 2

    The phase of this equation gives A at each w in closed form, leaving one equation in w. The signal is
    assumed to be a sine, so the accuracy depends on the duty cycle. Errors in period and amplitude relative to the
    simulation:

        duty cycle                           84 %          67 %            29 %          4 % or less
        error of period, amplitude           9 %, 23 %     0.3 %, 2 %      10 %, 7 %     factor 2, or no solution

    The last column covers the usual limit cycle of a spacecraft, with short pulses and long drifts. For this case, use
    `continuous_limit_cycle`, or `sampled_limit_cycles` for coarse sampling.

    Parameters
    ----------
    law : OnOffThrusters
        The law.
    inertia : float
        J about the axis, kg m^2.
    axis : int
        Axis index of the law, from 0.

    Returns
    -------
    LimitCycle or None
        The cycle with the lowest frequency; None if harmonic balance has no solution.

    Raises
    ------
    InputError
        When the inertia is not positive.
    """
    from scipy import optimize

    J = positive("inertia", inertia, "kg m^2")
    late, lead = law.lateness, float(law.lead[axis])
    d, h, torque = float(law.deadband[axis]), float(law.hysteresis[axis]), float(law.torque[axis])

    def amplitude(w: float) -> float:
        """Return A from the phase: A (cos1 + cos2) = D, with D = h / tan(phase lead)."""
        lag = atan(w * lead) - w * late
        if lag <= 0.0:
            return np.nan
        D = h / tan(lag)
        p = 0.5 * (D - h * (2.0 * d - h) / D) if D > 0.0 else -1.0
        return hypot(d, p) if p >= 0.0 else np.nan

    def excess(w: float) -> float:
        A = amplitude(w)
        N = abs(describing_function(A, torque=torque, deadband=d, hysteresis=h)) if A > 0.0 else np.nan
        return N * hypot(1.0, w * lead) / (J * w * w) - 1.0

    top = 50.0 / max(late, 1e-3 * lead)
    grid = np.geomspace(1e-4 / lead, top, 4000)
    values = np.array([excess(float(w)) for w in grid])
    change = np.flatnonzero(np.isfinite(values[:-1]) & np.isfinite(values[1:]) & (values[:-1] * values[1:] < 0.0))
    if not change.size:
        return None
    n = int(change[0])
    w = float(cast("Any", optimize).brentq(excess, float(grid[n]), float(grid[n + 1]), xtol=1e-14, rtol=1e-13))
    angle = amplitude(w) / hypot(1.0, w * lead)
    return LimitCycle(period_s=2.0 * pi / w, amplitude_rad=angle, rate_rad_s=angle * w)


def simulated_limit_cycle(
    craft: Spacecraft,
    law: OnOffThrusters,
    *,
    duration: float,
    axis: int = 0,
    start: float | None = None,
    rate: float = 0.0,
) -> LimitCycle:
    """Return the limit cycle in the last half of a simulation.

    The cycle depends on the initial angle and rate: see `sampled_limit_cycles`.

    Parameters
    ----------
    craft : Spacecraft
        The plant; the axis must be a principal axis, so that the other axes stay at rest.
    law : OnOffThrusters
        The law.
    duration : float
        Length of the simulation, s, which should cover many periods.
    axis : int
        Index of the body axis, from 0.
    start : float, optional
        Angle at t = 0, rad; by default 1.2 deadbands.
    rate : float
        Rate at t = 0, rad/s.

    Returns
    -------
    LimitCycle
        Mean period between upward crossings of zero, largest angle and rate.

    Raises
    ------
    InputError
        When the last half contains fewer than two whole cycles.
    """
    turn = np.zeros(3)
    turn[axis] = 1.2 * float(law.deadband[axis]) if start is None else start
    spin = np.zeros(3)
    spin[axis] = rate
    rows = int(positive("duration", duration, "s") / law.sample)
    run = simulate(
        craft,
        law,
        attitude=from_rotation_vector(turn),
        rate=spin,
        duration=duration,
        integrator="rk4",
        step=law.sample,
        output_step=duration / min(rows, 200_000),
        ledger=False,
    )
    late = run.t > 0.5 * duration
    t, angle, speed = run.t[late], run.values("error_vector")[late, axis], run.values("rate")[late, axis]
    rising = np.flatnonzero((angle[1:] > 0.0) & (angle[:-1] <= 0.0))
    if rising.size < 3:
        raise InputError(f"the last half of {duration:g} s contains fewer than two whole cycles; simulate longer")
    at = t[rising] - angle[rising] * (t[rising + 1] - t[rising]) / (angle[rising + 1] - angle[rising])
    return LimitCycle(
        period_s=float(np.diff(at).mean()),
        amplitude_rad=float(np.abs(angle).max()),
        rate_rad_s=float(np.abs(speed).max()),
    )
