"""What `polhode analyse` says of a law of on-off thrusters: its limit cycles, predicted and simulated."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..controllers import NadirPointing, OnOffThrusters
from ..plant.errors import DesignError, InputError
from ..plant.frozen import frozen_arrays
from .references import steady_pose

if TYPE_CHECKING:
    from ..controllers import Reference
    from ..plant import Spacecraft
    from ..sim import LimitCycle

__all__ = ["AxisCycle", "limit_cycles"]

Array = NDArray[np.float64]

PERIODS = 40.0  # simulated; the last half is looked at


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class AxisCycle:
    """The limit cycle about one body axis.

    Parameters
    ----------
    axis : str
        "x", "y" or "z".
    inertia : float
        About it, kg m^2.
    exact : LimitCycle
        Drifts and pulses in closed form, for continuous switching.
    describing_function : LimitCycle or None
        By harmonic balance; None where it has none.
    simulated : LimitCycle
        What the sampled law does to the nonlinear plant.
    blur : float
        By which share one sample of thrust changes the rate of the drifts: how exact the closed form can be.
    angle, rate : numpy.ndarray, shape (m,)
        The last cycles of the simulation, rad and rad/s.
    deadband, hysteresis, lead : float
        Of the law about this axis, rad and s.
    """

    axis: str
    inertia: float
    exact: "LimitCycle"
    describing_function: "LimitCycle | None"
    simulated: "LimitCycle"
    blur: float
    angle: Array
    rate: Array
    deadband: float
    hysteresis: float
    lead: float

    @property
    def holds(self) -> bool:
        """Whether the simulated amplitude is the predicted one, as far as the sampling lets it."""
        ratio = self.simulated.amplitude_rad / self.exact.amplitude_rad
        return abs(ratio - 1.0) <= 0.02 + self.blur

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers for JSON.

        Returns
        -------
        dict
            The three cycles with units in the keys.
        """
        balance = self.describing_function
        return {
            "axis": self.axis,
            "inertia_kg_m2": self.inertia,
            "exact": self.exact.to_dict(),
            "describing_function": None if balance is None else balance.to_dict(),
            "simulated": self.simulated.to_dict(),
            "one_sample_of_thrust_relative": self.blur,
            "holds": self.holds,
        }


def limit_cycles(
    craft: "Spacecraft", law: OnOffThrusters, *, reference: "Reference | None" = None
) -> tuple[AxisCycle, ...]:
    """Predict and simulate the limit cycle about each body axis.

    Parameters
    ----------
    craft : Spacecraft
        A rigid craft whose body axes are principal.
    law : OnOffThrusters
        The law.
    reference : Reference, optional
        What it holds; an attitude at rest when left out.

    Returns
    -------
    tuple of AxisCycle
        About x, y and z, each alone.

    Raises
    ------
    InputError
        When the axes are not principal or something acts or moves inside: then no axis cycles alone.
    DesignError
        When there is no such cycle.
    """
    if craft.elements or craft.potentials or craft.efforts:
        raise InputError("limit cycles are predicted for a rigid craft on which only its thrusters act")
    if isinstance(reference, NadirPointing) or (reference is not None and steady_pose(reference)[1].any()):
        raise InputError(
            "limit cycles are predicted about rest; on a spin no axis cycles alone: give a [reference] at rest"
        )
    inertia = craft.body.central_inertia
    off = inertia - np.diag(np.diag(inertia))
    if np.abs(off).max() > 1e-9 * np.abs(inertia).max():
        raise InputError(
            f"limit cycles are predicted about principal axes; the inertia has a product of {np.abs(off).max():g} "
            "kg m^2, which lets no axis cycle alone: give the inertia in principal axes"
        )
    return tuple(_one(craft, law, axis, float(inertia[axis, axis])) for axis in range(3))


def _one(craft: "Spacecraft", law: OnOffThrusters, axis: int, inertia: float) -> AxisCycle:
    from .. import sim
    from ..plant.attitude import from_rotation_vector

    try:
        exact = sim.exact_limit_cycle(law, inertia=inertia, axis=axis)
    except DesignError as error:
        raise DesignError(f"about {'xyz'[axis]}: {error}") from None
    blur = law.sample * float(law.torque[axis]) / inertia / exact.rate_rad_s
    if blur > 1.0:
        raise DesignError(
            f"about {'xyz'[axis]}: one sample of thrust changes the rate by {np.degrees(blur * exact.rate_rad_s):.3g} deg/s, "
            f"more than the {np.degrees(exact.rate_rad_s):.3g} deg/s of the drifts: there is no cycle of drifts and pulses; "
            "take a shorter sample_s, less torque or more hysteresis"
        )
    duration = PERIODS * exact.period_s
    turn = np.zeros(3)
    turn[axis] = 1.2 * float(law.deadband[axis])
    run = sim.simulate(
        craft,
        law,
        attitude=from_rotation_vector(turn),
        duration=duration,
        integrator="rk4",
        step=law.sample,
        output=max(law.sample, exact.period_s / 1000.0),
        ledger=False,
    )
    late = run.t > duration - 2.5 * exact.period_s
    return AxisCycle(
        axis="xyz"[axis],
        inertia=inertia,
        exact=exact,
        describing_function=sim.describing_function_limit_cycle(law, inertia=inertia, axis=axis),
        simulated=sim.simulated_limit_cycle(craft, law, duration=duration, axis=axis),
        blur=blur,
        angle=run.values("error_vector")[late, axis],
        rate=run.values("rate")[late, axis],
        deadband=float(law.deadband[axis]),
        hysteresis=float(law.hysteresis[axis]),
        lead=float(law.lead[axis]),
    )
