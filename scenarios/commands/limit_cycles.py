"""Limit cycles under an on-off thruster law, predicted and simulated, for `polhode analyse`."""

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...controllers import OnOffThrusters
from ...controllers.guidance import follows_orbit, steady_pose
from ...plant.errors import DesignError, InputError
from ...plant.frozen import frozen_arrays

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...controllers import Reference
    from ...plant import Spacecraft
    from ...sim import LimitCycle, LimitCycleBand

Array = NDArray[np.float64]

PERIODS = 40.0  # number of simulated periods; the second half is evaluated
STARTS = (
    0.0,
    1.0 / 3.0,
    2.0 / 3.0,
)  # start rates above the rate for continuous switching, in units of the rate change that one sample of thrust causes


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class AxisCycle:
    """Limit cycle about one body axis.

    axis: "x", "y" or "z".
    inertia: moment of inertia about the axis, kg m^2.
    continuous: closed-form cycle of drifts and pulses with continuous switching.
    band: bounds on the cycles that the sampled law can reach from any start.
    describing_function: cycle from harmonic balance; None if the balance has no solution.
    simulated: cycles of the nonlinear plant under the sampled law. Their start rates differ by fractions of the rate
        change that one sample of thrust causes.
    blur: rate change that one sample of thrust causes, relative to the drift rate.
    angle, rate (m,): history of the last cycles in the simulation, rad and rad/s.
    deadband, hysteresis, lead: parameters of the law about this axis, rad, rad and s.
    """

    axis: str
    inertia: float
    continuous: "LimitCycle"
    band: "LimitCycleBand"
    describing_function: "LimitCycle | None"
    simulated: "tuple[LimitCycle, ...]"
    blur: float
    angle: Array
    rate: Array
    deadband: float
    hysteresis: float
    lead: float

    @property
    def holds(self) -> bool:
        """True if every simulated cycle is within the predicted band."""
        return all(self.band.holds(cycle) for cycle in self.simulated)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON: the cycles, with units in the keys."""
        balance = self.describing_function
        return {
            "axis": self.axis,
            "inertia_kg_m2": self.inertia,
            "continuous": self.continuous.to_dict(),
            "band": self.band.to_dict(),
            "describing_function": None if balance is None else balance.to_dict(),
            "simulated": [cycle.to_dict() for cycle in self.simulated],
            "one_sample_of_thrust_relative": self.blur,
            "holds": self.holds,
        }


def limit_cycles(
    craft: "Spacecraft", law: OnOffThrusters, *, reference: "Reference | None" = None
) -> tuple[AxisCycle, ...]:
    """Predict and simulate the limit cycle about each body axis.

    craft: a rigid spacecraft whose body axes are principal axes.
    reference: attitude at rest that the law holds; optional.
    Returns the cycles about x, y and z, each computed independently.
    Raises InputError if the axes are coupled, that is, if they are not principal, other torques act, or masses move
    inside the hub. Raises DesignError if there is no limit cycle.
    """
    if craft.elements or craft.potentials or craft.user_forces:
        raise InputError("limit cycles can be predicted only for a rigid spacecraft on which only its thrusters act")
    if follows_orbit(reference) or (reference is not None and steady_pose(reference)[1].any()):
        raise InputError(
            "limit cycles can be predicted about rest only; a spin couples the axes: use a [reference] at rest"
        )
    inertia = craft.body.central_inertia
    off = inertia - np.diag(np.diag(inertia))
    if np.abs(off).max() > 1e-9 * np.abs(inertia).max():
        raise InputError(
            f"limit cycles can be predicted about principal axes only; the product of inertia of {np.abs(off).max():g} "
            "kg m^2 couples the axes: use principal axes"
        )
    return tuple(_one(craft, law, axis, float(inertia[axis, axis])) for axis in range(3))


def _one(craft: "Spacecraft", law: OnOffThrusters, axis: int, inertia: float) -> AxisCycle:
    from ... import sim

    try:
        ideal = sim.continuous_limit_cycle(law, inertia=inertia, axis=axis)
    except DesignError as error:
        raise DesignError(f"about {'xyz'[axis]}: {error}") from None
    one = law.sample * float(law.torque[axis]) / inertia
    if one > ideal.rate_rad_s:
        raise DesignError(
            f"about {'xyz'[axis]}: one sample of thrust changes the rate by {np.degrees(one):.3g} deg/s, more than the "
            f"{np.degrees(ideal.rate_rad_s):.3g} deg/s of the drifts: there is no cycle of drifts and pulses; use a "
            "shorter sample_s, less torque or more hysteresis"
        )
    try:
        band = sim.sampled_limit_cycles(law, inertia=inertia, axis=axis)
    except DesignError as error:
        raise DesignError(f"about {'xyz'[axis]}: {error}") from None
    duration = PERIODS * band.median_period_s
    spin = np.zeros(3)
    spin[axis] = ideal.rate_rad_s
    run = sim.simulate(
        craft,
        law,
        rate=spin,
        duration=duration,
        integrator="rk4",
        step=law.sample,
        output_step=max(law.sample, ideal.period_s / 1000.0),
        ledger=False,
    )
    late = run.t > duration - 2.5 * band.median_period_s
    return AxisCycle(
        axis="xyz"[axis],
        inertia=inertia,
        continuous=ideal,
        band=band,
        describing_function=sim.describing_function_limit_cycle(law, inertia=inertia, axis=axis),
        simulated=tuple(_simulated(craft, law, axis, duration, [ideal.rate_rad_s + share * one for share in STARTS])),
        blur=one / ideal.rate_rad_s,
        angle=run.values("error_vector")[late, axis],
        rate=run.values("rate")[late, axis],
        deadband=float(law.deadband[axis]),
        hysteresis=float(law.hysteresis[axis]),
        lead=float(law.lead[axis]),
    )


def _simulated(
    craft: "Spacecraft", law: OnOffThrusters, axis: int, duration: float, rates: list[float]
) -> "Iterator[LimitCycle]":
    """Yield the limit cycle reached from each start rate; none if the drift is too slow to return in time."""
    from ... import sim

    for rate in rates:
        with suppress(InputError):
            yield sim.simulated_limit_cycle(craft, law, duration=duration, axis=axis, start=0.0, rate=rate)
