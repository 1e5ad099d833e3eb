"""Create orbit and environmental torques from `[orbit]`, `[environment]` and `[[plant.faces]]`."""

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ....plant.checks import each_positive
from ....plant.environment import (
    AxialDipoleField,
    ConstantDensity,
    DipoleField,
    EnvironmentLoads,
    EphemerisOrbit,
    Epoch,
    ExponentialDensity,
    Face,
    IGRFField,
    MeanOrbit,
    NRLMSISDensity,
    SGP4Orbit,
    fields_along,
    sun_position,
    sun_synchronous_inclination,
)
from ....plant.environment.constants import EARTH_RADIUS
from ....plant.environment.loads import Molecules
from ....plant.environment.magnetorquers import MagneticDamping, MagneticPointing, MagneticUnloading
from ....plant.environment.orbit import Orbit
from ....plant.errors import InputError
from ..located import located
from .faults import torquer_faults

if TYPE_CHECKING:
    from ....plant.environment.density import Density
    from ....plant.environment.magnetic_field import MagneticField
    from ..schema import Case
    from ..schema.environment import EnvironmentTable
    from ..schema.orbit import OrbitTable

FIELDS = {"igrf": IGRFField(), "dipole": DipoleField(), "axial-dipole": AxialDipoleField(), None: None}


def orbit_of(table: "OrbitTable") -> Orbit:
    """Return the orbit that a table describes.

    If a value is invalid, the message of the InputError begins with the key path.
    """
    with located("orbit"):
        epoch = Epoch(table.epoch, table.dut1_s)
        if table.tle is not None:
            return SGP4Orbit((table.tle[0], table.tle[1]), epoch)
        if table.ephemeris is not None:
            path = Path(table.ephemeris)
            try:
                changed = path.stat().st_mtime_ns
            except OSError:
                changed = 0
            return _ephemeris(str(path), changed, epoch)
        return _mean_orbit(table, epoch)


def _mean_orbit(table: "OrbitTable", epoch: Epoch) -> MeanOrbit:
    a = 1e3 * (table.semi_major_axis_km or 0.0) if table.altitude_km is None else EARTH_RADIUS + 1e3 * table.altitude_km
    tilt = table.inclination_deg
    if isinstance(tilt, str):
        inclination = sun_synchronous_inclination(a, eccentricity=table.eccentricity)
    else:
        inclination = float(np.radians(tilt or 0.0))
    node = float(np.radians(table.raan_deg or 0.0))
    if table.local_time_of_node_h is not None:
        sun = sun_position(epoch)
        node = float(np.arctan2(sun[1], sun[0]) + np.radians(15.0 * (table.local_time_of_node_h - 12.0)))
    return MeanOrbit(
        epoch=epoch, semi_major_axis=a, eccentricity=table.eccentricity, inclination=inclination, raan=node,
        argument_of_perigee=float(np.radians(table.argument_of_perigee_deg)),
        mean_anomaly=float(np.radians(table.mean_anomaly_deg)), oblate=table.model == "j2",
    )  # fmt: skip


@lru_cache(maxsize=4)
def _ephemeris(path: str, changed: int, epoch: Epoch) -> EphemerisOrbit:
    """Read the orbit from a CCSDS ephemeris file; results are cached.

    changed: modification time, so that a changed file is read again.
    """
    del changed
    from ....sim.hosts.histories import read_oem

    history = read_oem(path)
    if history.center.upper() != "EARTH" or history.frame.upper() not in FRAMES:
        raise InputError(
            f"{path}: the ephemeris must be about EARTH in one of {', '.join(FRAMES)}; got {history.center} in "
            f"{history.frame}"
        )
    if history.time_system.upper() not in {"UTC", "TT"}:
        raise InputError(f"{path}: TIME_SYSTEM must be UTC or TT; got {history.time_system}")
    first = np.datetime64(history.epoch)
    ahead = 0.0
    if history.time_system.upper() == "TT":
        day, fraction = epoch.tt()
        utc_day, utc_fraction = epoch.utc_parts()
        ahead = float((day - utc_day) + (fraction - utc_fraction)) * 86400.0
    start = float((first - epoch.datetime64()) / np.timedelta64(1, "ns")) * 1e-9 - ahead
    return EphemerisOrbit(epoch=epoch, t=start + history.t, position=history.position, velocity=history.velocity)


FRAMES = ("GCRF", "ICRF", "EME2000", "J2000")
"""Names of inertial frames whose axes differ by less than 0.03 arcsec."""


def environment_of(case: "Case") -> tuple[EnvironmentLoads, ...]:
    """Return the environmental torques of a case; empty if it has no `[environment]`.

    If a value is invalid, the message of the InputError begins with the key path.
    """
    table, plant = case.environment, case.plant
    if table is None or case.orbit is None:
        return ()
    with located("plant.faces"):
        faces = tuple(
            Face(
                area=each.area_m2, normal=np.array(each.normal), centre=np.array(each.centre_m),
                specular=each.specular, diffuse=each.diffuse, normal_accommodation=each.normal_accommodation,
                tangential_accommodation=each.tangential_accommodation,
            )
            for each in plant.faces
        )  # fmt: skip
    torquers = plant.magnetorquers
    damping, unloading, pointing = None, None, None
    if torquers is not None:
        with located("plant.magnetorquers"):
            limit = torquers.duty * each_positive("dipole_limit_A_m2", torquers.dipole_limit_A_m2, unit="A m^2")
            faults = torquer_faults(case)
            if torquers.law == "b-dot":
                damping = MagneticDamping(gain=torquers.gain_A_m2_s_T or 0.0, limit=limit, **faults)
            elif torquers.law == "pointing":
                pointing = MagneticPointing(
                    stiffness=torquers.stiffness_N_m_rad or 0.0,
                    damping=torquers.damping_N_m_s_rad or 0.0,
                    attitude=torquers.attitude or (1.0, 0.0, 0.0, 0.0),
                    limit=limit,
                    **faults,
                )
            else:
                target = torquers.momentum_N_m_s or (0.0, 0.0, 0.0)
                unloading = MagneticUnloading(
                    gain=torquers.gain_1_s or 0.0,
                    limit=limit,
                    target=target,
                    deadband=torquers.deadband_N_m_s or 0.0,
                    **faults,
                )
    orbit = orbit_of(case.orbit)
    with located("environment"):
        magnetic: MagneticField | None = FIELDS[table.magnetic_field]
        fields = fields_along(orbit, case.run.duration_s, magnetic=magnetic, density=_density(table))
        molecules = None
        if table.gas_temperature_K and table.gas_molar_mass_kg_mol and table.wall_temperature_K:
            molecules = Molecules(
                temperature=table.gas_temperature_K,
                molar_mass=table.gas_molar_mass_kg_mol,
                wall_temperature=table.wall_temperature_K,
            )
        loads = EnvironmentLoads(
            fields=fields, gravity_gradient=table.gravity_gradient, residual_dipole=table.residual_dipole_A_m2,
            eddy_coefficient=table.eddy_coefficient_A_m2_s_T, magnetic_damping=damping,
            magnetic_unloading=unloading, magnetic_pointing=pointing, faces=faces,
            solar_pressure=table.solar_pressure, molecules=molecules, open_faces=table.open_faces,
        )  # fmt: skip
        needed = any(each.needs_magnetic_field for each in plant.elements)
        return (loads,) if loads.sources or needed else ()


def _density(table: "EnvironmentTable") -> "Density | None":
    if table.density is None:
        return None
    if table.density == "exponential":
        return ExponentialDensity()
    if table.density == "constant":
        return ConstantDensity(table.density_kg_m3 or 0.0)
    return NRLMSISDensity(f107=table.f107 or 0.0, f107a=table.f107a or 0.0, ap=table.ap or 0.0)
