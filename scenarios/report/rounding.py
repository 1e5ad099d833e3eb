"""Detection of plot lines without information: values at round-off level, and constants."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from ...sim.results.kinetic_energy import largest_kinetic_energy
from ...sim.results.momentum_scale import largest_momentum

if TYPE_CHECKING:
    from ...sim import Run

ROUNDING = 1e-12
"""A value below this fraction of the scale of its quantity is round-off."""


def scale_of(run: "Run", unit: str) -> float:
    """Return the scale of quantities with a unit in a run; 0 if the run has no such scale.

    The scale is the largest momentum, torque, rate or kinetic energy of the run, and 1 for angles and dimensionless
    quantities.
    """
    if unit in {"rad", "1"}:
        return 1.0
    if unit == "N m s":
        return largest_momentum(run)
    if unit == "J":
        return largest_kinetic_energy(run, translation=False)
    if unit == "rad/s":
        return float(np.abs(run.values("rate")).max())
    if unit == "N m":
        return max(float(np.abs(run.values(name)).max()) for name in ("torque", "command"))
    return 0.0


def is_rounding(values: ArrayLike, scale: float) -> bool:
    """Return whether values are zero to round-off relative to the scale of their quantity."""
    return float(np.abs(np.nan_to_num(np.asarray(values, dtype=np.float64))).max(initial=0.0)) <= ROUNDING * scale


def still_words(values: ArrayLike, scale: float) -> str:
    """Return a note in place of a curve that is zero or constant; empty if the curve is worth plotting."""
    table = np.asarray(values, dtype=np.float64)
    if not table.size or not np.isfinite(table).all():
        return ""
    most = float(np.abs(table).max())
    if most == 0.0:
        return "zero throughout"
    if is_rounding(table, scale):
        return f"zero to rounding (at most {most:.1e})"
    if float(np.ptp(table)) <= ROUNDING * most:
        return f"constant, {float(table.flat[0]):.6g}"
    return ""
