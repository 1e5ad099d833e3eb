"""`[[plant.elements]]` as the plant's elements."""

from collections.abc import Sequence
from math import radians
from typing import Any

import numpy as np

from ..plant import (
    Element,
    FlexibleModes,
    MassSpringDamper,
    Pendulum,
    RigidBody,
    RingDamper,
    Wheel,
    wheel_array,
)
from .arms import arm_of
from .explain import located
from .schema.elements import (
    ElementTable,
    FlexibleArmTable,
    FlexibleModesTable,
    MassSpringDamperTable,
    PendulumTable,
    RingDamperTable,
    ViscousWheelTable,
    WheelArrayTable,
    WheelTable,
)
from .schema.plant import PlantTable

__all__ = ["elements_of", "held_body", "ring_of"]


def elements_of(tables: Sequence[ElementTable]) -> tuple[Element, ...]:
    """Return the elements that the tables describe.

    Parameters
    ----------
    tables : sequence of tables
        `[[plant.elements]]`.

    Returns
    -------
    tuple of Element
        In their order; an array of wheels is several.

    Raises
    ------
    InputError
        When the plant refuses a value; the message begins with the key path.
    """
    found: list[Element] = []
    for index, table in enumerate(tables):
        with located(f"plant.elements.{index}"):
            found += _one(table)
    return tuple(found)


def held_body(table: PlantTable, elements: Sequence[Element]) -> RigidBody:
    """Return the hub; held at its mass centre where an element moves mass and the case gives neither mass nor pivot.

    So is the rotor of a ring that is flown as published, whose equations are written about that point.

    Parameters
    ----------
    table : PlantTable
        `[plant]`.
    elements : sequence of Element
        Its elements.

    Returns
    -------
    RigidBody
        The hub, without its elements.
    """
    pivot = table.pivot_m
    published = not table.translation and any(getattr(each, "model", "") == "published" for each in table.elements)
    unknown = table.mass_kg is None and any(element.moves_mass for element in elements)
    if pivot is None and (published or unknown):
        pivot = (0.0, 0.0, 0.0)
    return RigidBody(table.inertia_kg_m2, mass=table.mass_kg, pivot=pivot)


def _one(table: ElementTable) -> tuple[Element, ...]:
    if isinstance(table, RingDamperTable):
        return (ring_of(table),)
    if isinstance(table, WheelTable):
        return (
            Wheel(
                axis=table.axis,
                inertia=table.inertia_kg_m2,
                friction=table.friction_N_m_s,
                coulomb=table.coulomb_N_m,
                motor_torque=table.motor_torque_N_m,
                torque_limit=table.torque_limit_N_m,
                speed_limit=table.speed_limit_rad_s,
                relative_rate=table.relative_rate_rad_s,
            ),
        )
    if isinstance(table, ViscousWheelTable):
        friction, rate = table.friction_N_m_s, table.relative_rate_rad_s
        return (Wheel(axis=table.axis, inertia=table.inertia_kg_m2, friction=friction, relative_rate=rate),)
    if isinstance(table, WheelArrayTable):
        return wheel_array(
            table.axes,
            inertia=table.inertia_kg_m2,
            friction=table.friction_N_m_s,
            coulomb=table.coulomb_N_m,
            torque_limit=table.torque_limit_N_m,
            speed_limit=table.speed_limit_rad_s,
            allocation=table.allocation,
            relative_rates=table.relative_rates_rad_s,
        )
    if isinstance(table, PendulumTable):
        return (
            Pendulum(
                hinge=table.hinge_m,
                length=table.length_m,
                mass=table.mass_kg,
                direction=table.direction,
                axis=table.axis,
                damping=table.damping_N_m_s,
                stiffness=table.stiffness_N_m_rad,
                angle=table.angle_rad,
                rate=table.rate_rad_s,
            ),
        )
    if isinstance(table, MassSpringDamperTable):
        return (
            MassSpringDamper(
                point=table.point_m,
                axis=table.axis,
                mass=table.mass_kg,
                stiffness=table.stiffness_N_m,
                damping=table.damping_N_s_m,
                displacement=table.displacement_m,
                rate=table.rate_m_s,
            ),
        )
    if isinstance(table, FlexibleArmTable):
        return (arm_of(table),)
    return (_modes(table),)


def ring_of(table: RingDamperTable) -> RingDamper:
    """Return the ring of a table, whichever model is to fly it.

    Parameters
    ----------
    table : RingDamperTable
        The table.

    Returns
    -------
    RingDamper
        The ring.
    """
    axis = np.asarray(table.axis)
    size = float(np.linalg.norm(axis))
    center: Any = axis * (table.height_m / size) if size > 0.0 else axis
    return RingDamper(
        axis=table.axis,
        mass=table.mass_kg,
        radius=table.radius_m,
        friction=table.friction_kg_s,
        center=center,
        fill=radians(table.fill_deg),
        angle=table.angle_rad,
        relative_rate=table.relative_rate_rad_s,
    )


def _modes(table: FlexibleModesTable) -> FlexibleModes:
    translation = table.translation_sqrt_kg
    return FlexibleModes(
        frequencies=table.frequencies_rad_s,
        damping_ratios=table.damping_ratios,
        rotation=np.array(table.rotation_sqrt_kg_m).T,
        translation=None if translation is None else np.array(translation).T,
    )
