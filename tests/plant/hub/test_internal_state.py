"""Names, initial values and consistency of elements in a spacecraft."""

import dataclasses
from typing import Any

import numpy as np
import pytest

from polhode import plant

HUB = plant.RigidBody((4.0, 3.0, 2.0), mass=5.0)
WHEEL = plant.Wheel(axis=(0, 0, 1), inertia=0.1, relative_rate=7.0)
SLIDER = plant.MassSpringDamper(point=(0.4, 0, 0), axis=(0, 0, 1), mass=0.5, displacement=0.1)
PLANAR = plant.Pendulum(hinge=(0, 0, 0.2), length=0.5, mass=0.4, direction=(0, 0, -1), axis=(1, 0, 0), angle=0.3)
SPHERICAL = plant.Pendulum(hinge=(0, 0, 0.2), length=0.5, mass=0.4, direction=(0, 0, -1))
MODES = plant.FlexibleModes(frequencies=(1.0, 2.0), damping_ratios=0.0, rotation=np.zeros((3, 2)))
FULL = plant.RingDamper(axis=(0, 0, 1), mass=0.1, radius=0.3, friction=0.1)


def nothing(phase, t, x, u, p, row, w):
    """Kernel of an element that adds nothing."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Own:
    """Element with configurable errors."""

    coordinates: tuple[str, ...] = ("own",)
    units: tuple[str, ...] = ("m",)
    initial: Any = ((0.0,), (0.0,))
    cyclic: bool = False
    constant: bool = True
    moves_mass: bool = False
    mass: float = 0.0

    kernel = staticmethod(nothing)

    def pack(self, offset):
        return []


def coordinates(*elements):
    return plant.Spacecraft(HUB, elements=elements).layout.coordinates


def test_coordinate_names_of_single_elements_have_no_number():
    computed = coordinates(WHEEL, SLIDER, PLANAR, MODES, FULL)
    assert computed == ("wheel_angle", "slider_displacement", "pendulum_angle", "mode_1", "mode_2", "ring_angle")


def test_coordinate_names_of_several_elements_are_numbered():
    computed = coordinates(WHEEL, SPHERICAL, WHEEL, PLANAR, SLIDER, MODES, FULL, MODES)
    assert computed == (
        "wheel_1_angle", "pendulum_1_angle_1", "pendulum_1_angle_2", "wheel_2_angle", "pendulum_2_angle",
        "slider_displacement", "mode_1_1", "mode_1_2", "ring_angle", "mode_2_1", "mode_2_2",
    )  # fmt: skip


def test_internal_state_keeps_the_order_of_elements():
    craft = plant.Spacecraft(HUB, elements=[PLANAR, WHEEL, SLIDER], translation=True)
    assert craft.layout.names[7:10] == ("pendulum_angle", "wheel_angle", "slider_displacement")
    assert craft.layout.names[10:13] == (
        "pendulum_angle_momentum", "wheel_angle_momentum", "slider_displacement_momentum",
    )  # fmt: skip
    assert craft.layout.units[10:13] == ("N m s", "N m s", "kg m/s")
    assert craft.layout.names[13:16] == ("position_x", "position_y", "position_z")
    x = craft.at_rest()
    np.testing.assert_array_equal(x[7:10], (0.3, 0.0, 0.1))
    np.testing.assert_allclose(craft.derivative(0.0, x)[7:10], (0.0, 7.0, 0.0), rtol=0, atol=8e-15)


def test_internal_state_accepts_coordinates_and_rates():
    craft = plant.Spacecraft(HUB, elements=[PLANAR, WHEEL])
    x = craft.state(rate=(0.1, 0.2, 0.3), internal=(0.5, 0.0), internal_rate=(1.5, -2.0))
    np.testing.assert_array_equal(x[7:9], (0.5, 0.0))
    np.testing.assert_allclose(craft.derivative(0.0, x)[7:9], (1.5, -2.0), rtol=0, atol=1e-14)
    np.testing.assert_allclose(craft.rate(x), (0.1, 0.2, 0.3), rtol=0, atol=1e-15)
    y = craft.state(momentum=x[:3], internal=(0.5, 0.0), internal_rate=(1.5, -2.0))
    np.testing.assert_allclose(y, x, rtol=0, atol=1e-14)


def test_internal_state_rejects_bad_initial_values():
    craft = plant.Spacecraft(HUB, elements=[PLANAR, WHEEL])
    with pytest.raises(plant.InputError, match=r"internal must be 2 numbers, for pendulum_angle, wheel_angle; got .*3"):
        craft.state(internal=(1, 2, 3))
    with pytest.raises(plant.InputError, match=r"internal_rate must be 2 numbers, for pendulum_angle, wheel_angle"):
        craft.state(internal_rate=1.0)
    with pytest.raises(plant.InputError, match="internal must be finite"):
        craft.state(internal=(np.nan, 0))
    with pytest.raises(plant.InputError, match="internal_rate must be numbers"):
        craft.state(internal_rate=("a", "b"))
    bare = plant.Spacecraft(HUB)
    for given in ({"internal": (0.1,)}, {"internal_rate": ()}):
        with pytest.raises(plant.InputError, match="was given, but the spacecraft has no internal coordinates"):
            bare.state(**given)


def test_internal_state_rejects_singular_mass_matrix():
    craft = plant.Spacecraft(HUB, elements=[SPHERICAL])
    with pytest.raises(
        plant.InputError, match=r"not positive definite at pendulum_angle_1 = 0, pendulum_angle_2 = 1.57"
    ):
        craft.state(internal=(0.0, np.pi / 2))


def test_spacecraft_rejects_inconsistent_elements():
    with pytest.raises(plant.InputError, match="two states have the name 'own'"):
        plant.Spacecraft(HUB, elements=[Own(coordinates=("own", "own"), units=("m", "m"), initial=((0, 0), (0, 0)))])
    with pytest.raises(plant.InputError, match="two states have the name 'momentum_x'"):
        plant.Spacecraft(HUB, elements=[Own(coordinates=("momentum_x",))])
    with pytest.raises(
        plant.InputError, match="Own has 1 coordinates but 2 units, 1 initial values and 1 initial rates"
    ):
        plant.Spacecraft(HUB, elements=[Own(units=("m", "m"))])
    with pytest.raises(plant.InputError, match="not positive definite: the entry of own is 0"):
        plant.Spacecraft(HUB, elements=[Own()])
    with pytest.raises(plant.InputError, match=r"must implement the protocol polhode\.plant\.Element; got str"):
        plant.Spacecraft(HUB, elements=["wheel"])


def test_spacecraft_rejects_potentials_that_need_a_fixed_mass_centre():
    spring = plant.Spring(body_point=(0, 0, 1), inertial_point=(0, 0, 2), stiffness=1.0)
    with pytest.raises(plant.InputError, match="a spring cannot be attached"):
        plant.Spacecraft(HUB, elements=[SLIDER], potentials=[spring], translation=True)
    modes = plant.FlexibleModes(
        frequencies=[2.0], damping_ratios=[0.01], rotation=[[0.1], [0], [0]], translation=[[0], [1], [0]]
    )
    with pytest.raises(plant.InputError, match="FlexibleModes does not define how it changes the inertia"):
        plant.Spacecraft(
            HUB, elements=[modes], potentials=[plant.GravityGradient(mu=1.0, position=(1, 0, 0), velocity=(0, 1, 0))]
        )
    plant.Spacecraft(HUB, elements=[WHEEL], potentials=[spring], translation=True)  # a wheel moves no mass


@pytest.mark.parametrize("element", [WHEEL, SLIDER, SPHERICAL, FULL, PLANAR])
def test_locked_inertia_about_pivot_obeys_parallel_axis_theorem(element):
    """Inertia about a pivot equals that about the total mass centre plus the parallel-axis term."""
    pivot = np.array((0.2, -0.4, 0.7))
    free = plant.Spacecraft(HUB, elements=[element])
    held = plant.Spacecraft(plant.RigidBody((4.0, 3.0, 2.0), mass=5.0, pivot=pivot), elements=[element])
    total = 5.0 + element.mass
    places = {
        id(SLIDER): (0.4, 0, 0.1),
        id(SPHERICAL): (0, 0, -0.3),
        id(PLANAR): (0, 0.5 * np.sin(0.3), 0.2 - 0.5 * np.cos(0.3)),
    }
    shift = element.mass * np.array(places.get(id(element), (0, 0, 0))) / total - pivot
    moved = total * (shift @ shift * np.eye(3) - np.outer(shift, shift))
    difference = held.locked_inertia(held.at_rest()) - free.locked_inertia(free.at_rest())
    np.testing.assert_allclose(difference, moved, rtol=0, atol=1e-14)
