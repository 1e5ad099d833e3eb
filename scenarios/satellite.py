"""`[satellite]` as objects: the flexible satellite, the same with rigid arms, and the torques on its hub."""

from math import pi, tanh
from typing import TYPE_CHECKING

import numpy as np

from ..plant import RigidBody
from .explain import located

if TYPE_CHECKING:
    from ..plant.flexible import Arm, BeamSection, FlexibleSatellite
    from .schema.satellite import ArmTable, SatelliteTable

__all__ = ["arm_of", "rectangle_torsion", "rigid_body_of", "satellite_of"]


def satellite_of(table: "SatelliteTable", *, path: str = "satellite") -> "FlexibleSatellite":
    """Build the flexible satellite of a table.

    Parameters
    ----------
    table : SatelliteTable
        The table.
    path : str
        Its key path, for messages.

    Returns
    -------
    FlexibleSatellite
        Hub and arms.

    Raises
    ------
    InputError
        When the plant refuses a value; its message begins with the key path.
    """
    from ..plant.flexible import FlexibleSatellite

    arms: list[Arm] = []
    for index, arm in enumerate(table.arms):
        with located(f"{path}.arms.{index}"):
            arms.append(arm_of(arm))
    with located(f"{path}.hub"):
        hub = RigidBody(table.hub.inertia_kg_m2, mass=table.hub.mass_kg)
    with located(path):
        return FlexibleSatellite(hub, arms=arms, hub_size=table.hub.size_m)


def rigid_body_of(satellite: "FlexibleSatellite") -> RigidBody:
    """Return the satellite with its arms rigid and straight: what a law that ignores them is designed on.

    Parameters
    ----------
    satellite : FlexibleSatellite
        Hub and arms.

    Returns
    -------
    RigidBody
        Its mass and its inertia about its mass centre, hub axes.

    Examples
    --------
    003's satellite; the arms are two rods of 14 kg and 2 m that begin 0.1 m from the centre, with rotary inertia.

    >>> from polhode.scenarios import load_satellite_case
    >>> craft = satellite_of(load_satellite_case("flexible-satellite-free").case.satellite)
    >>> rigid_body_of(craft).inertia.diagonal().round(6)
    array([ 0.160648, 43.368157, 43.368157])
    """
    # the angular momentum of the straight satellite turning as one at 1 rad/s about each axis
    columns = [satellite.momentum(satellite.state(rate=axis))[1] for axis in np.eye(3)]
    inertia = np.column_stack(columns)
    return RigidBody(0.5 * (inertia + inertia.T), mass=satellite.mass)


def rectangle_torsion(width: float, height: float) -> float:
    """Return the torsion constant of a solid rectangle, by Saint-Venant's series.

    Parameters
    ----------
    width, height : float
        Edges, m.

    Returns
    -------
    float
        m^4.

    Examples
    --------
    Timoshenko & Goodier's table for a square: 0.1406 of the edge's fourth power.

    >>> round(rectangle_torsion(1.0, 1.0), 4), round(rectangle_torsion(10.0, 1.0) / 10.0, 3)
    (0.1406, 0.312)
    """
    a, b = max(width, height), min(width, height)
    series = sum(tanh(n * pi * a / (2.0 * b)) / n**5 for n in range(1, 200, 2))
    return a * b**3 / 3.0 * (1.0 - 192.0 * b / (pi**5 * a) * series)


def arm_of(table: "ArmTable") -> "Arm":
    """Return the arm of a table."""
    from ..plant.flexible import Arm

    return Arm(
        section=_section(table),
        length=table.length_m,
        elements=table.elements,
        direction=table.direction,
        root=table.root_m,
        section_axis=table.section_axis,
        tip_mass=table.tip_mass_kg,
    )


def _section(table: "ArmTable") -> "BeamSection":
    from ..plant.flexible import BeamSection

    own, shear = table.section, table.shear_modulus_Pa
    if shear is None:
        assert table.poisson_ratio is not None  # noqa: S101 # the schema sees to it
        shear = table.youngs_modulus_Pa / (2.0 * (1.0 + table.poisson_ratio))
    if own.width_m is not None and own.height_m is not None:
        w, h = own.width_m, own.height_m
        area, about_m, about_n, torsion = w * h, w * h**3 / 12.0, h * w**3 / 12.0, rectangle_torsion(w, h)
    else:
        area, about_m, about_n = own.area_m2 or 0.0, own.second_moment_m_m4 or 0.0, own.second_moment_n_m4 or 0.0
        torsion = own.torsion_constant_m4
    return BeamSection(
        area=area,
        second_moment_m=about_m,
        second_moment_n=about_n,
        torsion_constant=torsion,
        elastic_modulus=table.youngs_modulus_Pa,
        shear_modulus=shear,
        density=table.density_kg_m3,
        damping_time=table.damping_time_s,
    )
