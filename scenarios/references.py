"""`[reference]` as an object: at rest, spinning, or one of the motions of `polhode.controllers.guidance`."""

from math import radians
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..controllers import (
    EigenaxisSlew,
    FixedReference,
    NadirPointing,
    Reference,
    SpinReference,
    SpinUp,
    pointing_attitude,
)
from ..plant import Spacecraft
from ..plant.errors import InputError
from .explain import located
from .schema import Case
from .schema.plant import GravityGradientTable
from .schema.reference import EigenaxisSlewTable, NadirTable, SpinUpTable, SunTable
from .start import attitude_of, initial_state, pose

__all__ = ["reference_of", "steady_pose"]

Array = NDArray[np.float64]


def reference_of(case: Case, craft: Spacecraft) -> Reference | None:
    """Return the reference of a case.

    Parameters
    ----------
    case : Case
        The case.
    craft : Spacecraft
        Its plant: a slew takes the inertia with the elements held where they start.

    Returns
    -------
    Reference or None
        None for a case without one.

    Raises
    ------
    InputError
        When a reference refuses its numbers; the message begins with the key path.
    """
    table = case.reference
    if table is None:
        return None
    if isinstance(table, EigenaxisSlewTable):
        return _slew(table, case, craft)
    if isinstance(table, SpinUpTable):
        return _spin_up(table, case)
    if isinstance(table, SunTable):
        with located("reference"):
            return FixedReference(
                pointing_attitude(table.boresight, table.target, clock=table.clock, clock_target=table.clock_target)
            )
    if isinstance(table, NadirTable):
        return _nadir(table, case)
    attitude, rate = pose(table, "reference")
    with located("reference"):
        if rate is None or not any(rate):
            return FixedReference(attitude)
        return SpinReference(attitude, rate=rate)


def steady_pose(reference: Reference) -> tuple[Array, Array]:
    """Return the attitude and the steady rate that a reference comes to: what a linear law is designed about.

    Parameters
    ----------
    reference : Reference
        The reference.

    Returns
    -------
    attitude, rate : numpy.ndarray, shape (4,), (3,)
        Of a slew its end, of a spin-up its spin; the orbit of nadir pointing is taken as standing still at t = 0.
    """
    if isinstance(reference, EigenaxisSlew):
        return reference.end, np.zeros(3)
    if isinstance(reference, SpinUp):
        return reference.attitude, reference.rate
    r = reference.at(0.0)
    return r[:4], np.zeros(3) if isinstance(reference, NadirPointing) else r[4:7]


def _either(rad: float | None, deg: float | None) -> float | None:
    return rad if deg is None else radians(deg)


def _slew(table: EigenaxisSlewTable, case: Case, craft: Spacecraft) -> EigenaxisSlew:
    end, _ = pose(table, "reference")
    start = attitude_of(table.from_attitude, table.from_attitude_deg, "reference: from")
    if start is None:
        start, _ = pose(case.initial, "initial")
    torque: dict[str, Any] = {}
    if table.torque_limit_N_m is not None:
        inertia = craft.locked_inertia(initial_state(craft, case.initial))
        torque = {"inertia": inertia, "torque_limit": table.torque_limit_N_m}
    with located("reference"):
        return EigenaxisSlew(
            start,
            end,
            begin=table.from_s,
            rate_limit=_either(table.rate_limit_rad_s, table.rate_limit_deg_s),
            acceleration_limit=_either(table.acceleration_limit_rad_s2, table.acceleration_limit_deg_s2),
            profile=table.profile,
            **torque,
        )


def _spin_up(table: SpinUpTable, case: Case) -> SpinUp:
    attitude, rate = pose(table, "reference")
    if table.attitude is None and table.attitude_deg is None:
        attitude, _ = pose(case.initial, "initial")
    with located("reference"):
        return SpinUp(
            attitude,
            rate=rate or (0.0, 0.0, 0.0),
            begin=table.from_s,
            acceleration=_either(table.acceleration_rad_s2, table.acceleration_deg_s2),
            duration=table.ramp_s,
            profile=table.profile,
        )


def _nadir(table: NadirTable, case: Case) -> NadirPointing:
    orbit: NadirTable | GravityGradientTable = table
    if table.mu_m3_s2 is None:
        fields = [item for item in case.plant.potentials if isinstance(item, GravityGradientTable)]
        if len(fields) != 1:
            raise InputError(
                "reference: nadir needs an orbit: give mu_m3_s2, position_m and velocity_m_s here, or one "
                f"gravity-gradient potential that has them; the plant has {len(fields)}"
            )
        orbit = fields[0]
    place, velocity = orbit.position_m, orbit.velocity_m_s
    if place is None or velocity is None:  # the craft's own orbit
        place, velocity = case.initial.position_m, case.initial.velocity_m_s
    if place is None or velocity is None:
        raise InputError("reference: nadir needs an orbit: give position_m and velocity_m_s in [initial]")
    with located("reference"):
        return NadirPointing(
            place,
            velocity,
            mu=orbit.mu_m3_s2 or 0.0,
            boresight=table.boresight,
            clock=table.clock,
            clock_target=table.clock_target,
        )
