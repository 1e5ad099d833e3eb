"""Numerical accuracy of a run: drift of conserved quantities. H is the inertial angular momentum."""

from typing import TYPE_CHECKING

import numpy as np

from ....sim.results.ending import COUNTER
from ....sim.results.kinetic_energy import largest_kinetic_energy, slow_energy
from ....sim.results.momentum_scale import largest_momentum, slow_momentum
from ....sim.results.shared_rows import energy_imbalance, momentum_imbalance
from .kind import DoesNotApplyError, MetricSettings, MissingPartError, NoValueError, largest, metric, require, size

if TYPE_CHECKING:
    from ....sim import Run

ROUNDING = 1e-11
"""Rounding error of an energy in a long run, relative, over the smallest drift of interest, 1e-3."""


@metric(
    "largest |H(t) - H(0) - angular impulse|, over the largest |H| (with elements: sum over hub and elements)",
    invariant=True,
)
def momentum_drift_relative(run: "Run", _: MetricSettings) -> float:
    require(run, "momentum_balance", "the run recorded no work and impulse")
    most = largest_momentum(run)
    if most == 0.0:
        raise DoesNotApplyError("the angular momentum is zero throughout")
    return momentum_imbalance(run) / max(most, slow_momentum(run.craft))


@metric(
    "largest |E(t) - E(0) - work done|, over the largest rotational kinetic energy (with elements: including theirs)",
    invariant=True,
)
def energy_drift_relative(run: "Run", _: MetricSettings) -> float:
    if not run.ledger:
        raise MissingPartError("the run recorded no work and impulse")
    require(run, "energy_balance", "a potential is time-dependent, so energy is not conserved")
    kinetic = largest_kinetic_energy(run, translation=False)
    if kinetic == 0.0:
        raise DoesNotApplyError("the spacecraft never rotates")
    if run.craft.translation and ROUNDING * largest_kinetic_energy(run, translation=True) > kinetic:
        raise DoesNotApplyError("the rotational energy is below the rounding error of the translational energy")
    return energy_imbalance(run) / max(kinetic, slow_energy(run.craft))


@metric(
    "with run.accuracy_deg: largest angle between the attitudes of this run and of the same run with coarser steps",
    invariant=True,
)
def attitude_accuracy_deg(run: "Run", _: MetricSettings) -> float:
    if COUNTER not in run.counters:
        raise DoesNotApplyError("the case has no run.accuracy_deg")
    if not np.isfinite(run.counters[COUNTER]):
        raise NoValueError("no two runs agreed")
    return float(np.degrees(run.counters[COUNTER]))


@metric("largest ||e| - 1|", invariant=True)
def quaternion_norm_error(run: "Run", _: MetricSettings) -> float:
    return largest(run, "attitude", lambda e: np.abs(size(e) - 1.0))
