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
    """Return what vibrates from a time on, at the steps of a run.

    A deflection that is steady, or slow beside the slowest elastic mode, is no vibration: the amplitude is half of
    highest less lowest within one period of that mode, wherever that is largest. What happens between two rows counts,
    so it does not matter how far apart they are.

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
        When less than one period, and two rows behind it, is left.

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
    >>> run = simulate_flexible(craft, duration=0.06, step=5e-3, output=5e-3, compiled=False)
    >>> residual_vibration(run, after=0.0).strain_energy < 1e-15
    True
    """
    start, t = non_negative("after", after, "s"), run.t
    period = 1.0 / float(run.satellite.modes(count=7).hertz[0])
    since, whole = ((t[:-1] >= (start + lead) * (1.0 - 1e-9)) for lead in (0.0, period))
    if not whole.any():
        raise InputError(
            f"residual vibration needs one period of the slowest elastic mode, {period:.4g} s, and two rows after it, "
            f"after {after:g} s; the run ends at {t[-1]:g} s: take a longer duration, or an output below {period:.1g} s"
        )
    return ResidualVibration(
        tip_deflection=run.values("tip_swing")[1:][whole].max(axis=0),
        strain_energy=float(run.values("strain_energy_highest")[1:][since].max()),
    )
