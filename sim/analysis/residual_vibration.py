"""Residual vibration of flexible arms after a manoeuvre."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...plant.checks import non_negative
from ...plant.errors import InputError
from ...plant.frozen import frozen_arrays
from ...plant.linear.vibration.elastic import elastic_modes
from ..results.run import Run

Array = NDArray[np.float64]

ROUNDING = 1e-9


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class ResidualVibration:
    """Residual vibration of the arms after a given time.

    Attributes
    ----------
    tip_deflection : numpy.ndarray, shape (arms,)
        Amplitude of each tip, m: the larger of the two components perpendicular to the arm.
    strain_energy : float
        Largest total strain energy of all arms, J; for an interval between two rows, the maxima of the individual arms
        are added.
    """

    tip_deflection: Array
    strain_energy: float


def residual_vibration(run: Run, *, after: float) -> ResidualVibration:
    """Return the residual vibration after a given time of a run.

    A deflection that is steady, or slow compared with the slowest elastic mode, is not counted as vibration. The
    amplitude is half the largest difference between maximum and minimum within one period of the slowest mode. Extremes
    between two rows are included, but the rows must be close enough to resolve a period.

    Parameters
    ----------
    run : Run
        The run of a spacecraft with arms.
    after : float
        Start of the evaluation, s.

    Returns
    -------
    ResidualVibration
        Amplitudes and strain energy.

    Raises
    ------
    InputError
        When the spacecraft has no arms, less than one period remains, or the rows are more than half a period apart.

    Examples
    --------
    >>> from polhode import plant, sim
    >>> from polhode.plant.flexible import Arm, BeamSection
    >>> section = BeamSection(
    ...     area=1e-3, second_moment_m=8e-9, second_moment_n=8e-9, youngs_modulus=7e9, shear_modulus=3e9,
    ...     density=2700.0,
    ... )
    >>> arm = Arm(section=section, length=1.0, elements=1, direction=(1, 0, 0), root=(0.1, 0, 0))
    >>> craft = plant.Spacecraft(plant.RigidBody((2, 2, 2), mass=20.0), elements=[arm])
    >>> run = sim.simulate(craft, duration=0.5, integrator="rk8", step=1e-4, output_step=0.05)
    >>> residual_vibration(run, after=0.0).strain_energy < 1e-15
    True
    """
    start, t = non_negative("after", after, "s"), run.t
    modes = elastic_modes(run.craft)
    if modes is None:
        raise InputError("residual vibration needs flexible arms, and the spacecraft of this run has none")
    slowest = float(modes.hertz[0])
    if not slowest > 0.0:
        raise InputError(
            "residual vibration needs elastic modes with a frequency above 0 Hz; the stiffness of the arms is below "
            "round-off relative to their inertia"
        )
    period = 1.0 / slowest
    first = int(np.searchsorted(t, start * (1.0 - ROUNDING)))
    if first >= t.size or t[-1] - t[first] < period * (1.0 - ROUNDING):
        raise InputError(
            f"residual vibration needs one period of the slowest elastic mode, {period:.4g} s, after {after:g} s; the "
            f"run ends at {t[-1]:g} s: simulate longer"
        )
    apart = float(np.diff(t[first:]).max())
    if apart > 0.5 * period * (1.0 + ROUNDING):
        raise InputError(
            f"residual vibration needs two rows in a period of the slowest elastic mode, {period:.4g} s, but after "
            f"{after:g} s they are up to {apart:.4g} s apart: use an output step below {0.49 * period:.3g} s"
        )
    lowest, highest = (run.values(f"tip_deflection_{end}")[first + 1 :, :, 1:] for end in ("lowest", "highest"))
    last = np.searchsorted(t[first:], t[first:] + period * (1.0 + ROUNDING), side="right") - 1
    whole = last > np.arange(last.size)
    begin, end = np.flatnonzero(whole), last[whole]  # rows begin + 1 to end, since the tables omit the first row
    swing = 0.5 * (_most(highest, begin, end) + _most(-lowest, begin, end))
    return ResidualVibration(
        tip_deflection=swing.max(axis=(0, 2)),
        strain_energy=float(run.values("strain_energy_highest")[first + 1 :].sum(axis=1).max()),
    )


def _most(table: Array, begin: NDArray[np.intp], end: NDArray[np.intp]) -> Array:
    """Return the maximum of table[begin:end] for each pair, from maxima over 1, 2, 4, ... rows."""
    level = np.floor(np.log2(end - begin)).astype(np.int64)
    found, stretch = np.empty((begin.size, *table.shape[1:])), table
    for power in range(int(level.max()) + 1):
        size = 1 << power
        here = level == power
        found[here] = np.maximum(stretch[begin[here]], stretch[end[here] - size])
        stretch = np.maximum(stretch[:-size], stretch[size:])
    return found
