"""Orbit, time and environment: position of the spacecraft, its surroundings, and the resulting torques.

All quantities are in SI units and in GCRF axes unless stated otherwise. pyerfa (time, frames, Sun, Moon), sgp4 and
ppigrf are installed with the extra `orbit`, pymsis with the extra `atmosphere`.
"""

from typing import TYPE_CHECKING

from ..lazy_names import lazy_name

if TYPE_CHECKING:
    from .budget import TorqueBudget, torque_budget
    from .density import ConstantDensity, ExponentialDensity, NRLMSISDensity
    from .eclipse import Contact, eclipse_contacts, sunlit_fraction
    from .ephemeris_orbit import EphemerisOrbit
    from .epoch import Epoch
    from .faces import Face, box_faces
    from .fields_along_orbit import FieldsAlongOrbit, fields_along
    from .loads import EnvironmentLoads
    from .magnetic_field import AxialDipoleField, DipoleField, IGRFField
    from .mean_orbit import MeanOrbit, sun_synchronous_inclination
    from .orbit_angles import beta_angle, local_time_of_node
    from .sgp4_orbit import SGP4Orbit
    from .sun_moon import moon_position, sun_position
    from .torque_table import TorqueTable

_HOMES = {
    "AxialDipoleField": ".magnetic_field",
    "ConstantDensity": ".density",
    "Contact": ".eclipse",
    "DipoleField": ".magnetic_field",
    "EnvironmentLoads": ".loads",
    "EphemerisOrbit": ".ephemeris_orbit",
    "Epoch": ".epoch",
    "ExponentialDensity": ".density",
    "Face": ".faces",
    "FieldsAlongOrbit": ".fields_along_orbit",
    "IGRFField": ".magnetic_field",
    "MeanOrbit": ".mean_orbit",
    "NRLMSISDensity": ".density",
    "SGP4Orbit": ".sgp4_orbit",
    "TorqueBudget": ".budget",
    "TorqueTable": ".torque_table",
    "beta_angle": ".orbit_angles",
    "box_faces": ".faces",
    "eclipse_contacts": ".eclipse",
    "fields_along": ".fields_along_orbit",
    "local_time_of_node": ".orbit_angles",
    "moon_position": ".sun_moon",
    "sun_position": ".sun_moon",
    "sun_synchronous_inclination": ".mean_orbit",
    "sunlit_fraction": ".eclipse",
    "torque_budget": ".budget",
}

__all__ = [
    "AxialDipoleField",
    "ConstantDensity",
    "Contact",
    "DipoleField",
    "EnvironmentLoads",
    "EphemerisOrbit",
    "Epoch",
    "ExponentialDensity",
    "Face",
    "FieldsAlongOrbit",
    "IGRFField",
    "MeanOrbit",
    "NRLMSISDensity",
    "SGP4Orbit",
    "TorqueBudget",
    "TorqueTable",
    "beta_angle",
    "box_faces",
    "eclipse_contacts",
    "fields_along",
    "local_time_of_node",
    "moon_position",
    "sun_position",
    "sun_synchronous_inclination",
    "sunlit_fraction",
    "torque_budget",
]


def __getattr__(name: str) -> object:
    return lazy_name(__name__, _HOMES, name)


def __dir__() -> list[str]:
    """Return the public names, without the modules that define them."""
    return sorted(__all__)
