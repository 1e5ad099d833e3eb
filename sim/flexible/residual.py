"""What still vibrates after a manoeuvre."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...plant.checks import non_negative
from ...plant.errors import InputError
from ...plant.frozen import frozen_arrays
from .run import FlexibleRun

__all__ = ["ResidualVibration", "residual_vibration"]


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class ResidualVibration:
    """What still vibrates after a time.

    Attributes
    ----------
    tip_deflection : numpy.ndarray, shape (arms,)
        Amplitude of each tip across its arm, of the component that vibrates more, m.
    strain_energy : float
        The largest strain energy, J.
    """

    tip_deflection: NDArray[np.float64]
    strain_energy: float


def residual_vibration(run: FlexibleRun, *, after: float) -> ResidualVibration:
    """Return what vibrates from a time on, over the rows of a run.

    A deflection that is steady, or slow beside the slowest elastic mode, is no vibration: the amplitude is half of
    highest less lowest within one period of that mode, wherever that is largest.

    Parameters
    ----------
    run : FlexibleRun
        The run.
    after : float
        From when on, s.

    Returns
    -------
    ResidualVibration
        Amplitudes and energy.

    Raises
    ------
    InputError
        When less than one period is left, or rows are too far apart to see the mode (three in a period).

    Examples
    --------
    >>> from polhode.plant import RigidBody
    >>> from polhode.plant.flexible import Arm, BeamSection, FlexibleSatellite
    >>> from polhode.sim.flexible import simulate_flexible
    >>> section = BeamSection(
    ...     area=2.5e-3, second_moment_m=5.2e-7, second_moment_n=5.2e-7, elastic_modulus=7.17e10,
    ...     shear_modulus=2.68e10, density=2.8e3,
    ... )
    >>> arm = Arm(section=section, length=2.0, elements=1, direction=(1, 0, 0), root=(0.1, 0, 0))
    >>> craft = FlexibleSatellite(RigidBody(0.149 * np.eye(3), mass=22.4), arms=[arm])
    >>> run = simulate_flexible(craft, duration=0.04, step=5e-3, output=5e-3, compiled=False)
    >>> residual_vibration(run, after=0.0).strain_energy < 1e-15
    True
    """
    since = run.t >= non_negative("after", after, "s") * (1.0 - 1e-12)
    period = 1.0 / float(run.satellite.modes(count=7).hertz[0])
    t = run.t[since]
    if t.size < 2 or t[-1] - t[0] < period * (1.0 - 1e-9):
        raise InputError(
            f"residual vibration needs one period of the slowest elastic mode, {period:.4g} s, after {after:g} s; the "
            f"run ends at {run.t[-1]:g} s"
        )
    apart = float(np.diff(t).max())
    if apart > period / 3.0:
        raise InputError(
            f"residual vibration needs three rows in {period:.4g} s, the period of the slowest elastic mode; they are "
            f"{apart:.4g} s apart: take output = {period / 8.0:.1g} s"
        )
    tips = run.values("tip_deflection")[since][:, :, 1:]
    amplitude = np.zeros(tips.shape[1])
    ends = [int(end) for end in np.searchsorted(t, t + period * (1.0 + 1e-9), side="right")]
    for first, start in enumerate(t):
        if start > t[-1] - period * (1.0 - 1e-9):
            break
        amplitude = np.maximum(amplitude, 0.5 * np.ptp(tips[first : ends[first]], axis=0).max(axis=1))
    return ResidualVibration(tip_deflection=amplitude, strain_energy=float(run.energies[since, 1].max()))
