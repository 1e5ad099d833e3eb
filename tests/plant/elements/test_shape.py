"""Shapes of elements against the mass centre, tip deflections and rates that the engine computes of the same motion."""

from typing import Any

import numpy as np
import pytest

from polhode import plant, sim
from polhode.plant.attitude import rotation_matrix
from polhode.plant.elements.shape import ElementMotion
from polhode.plant.flexible import Arm, BeamSection
from polhode.plant.hub.uniform_box import mass_at_density, uniform_box

HUB = plant.RigidBody(((14.0, 0.5, 0.2), (0.5, 11.0, -0.3), (0.2, -0.3, 9.0)), mass=60.0)
SECTION = BeamSection(
    area=1e-3, second_moment_m=8e-9, second_moment_n=2e-8, youngs_modulus=7e8, shear_modulus=2.6e8, density=2700.0
)
ELEMENTS = {
    "ring": plant.RingDamper(axis=(1, 2, 2), mass=2.0, radius=0.3, friction=0.1, center=(0, 0.1, 0.3), fill=3.0),
    "planar pendulum": plant.Pendulum(
        mass=4.0, length=0.5, hinge=(0.1, 0.2, -0.3), direction=(0, 0, -1), axis=(0, 1, 0), angle=0.7
    ),
    "spherical pendulum": plant.Pendulum(
        mass=4.0, length=0.5, hinge=(0.1, 0.2, -0.3), direction=(1, 0, -1), angle=(0.7, -0.4)
    ),
    "slider": plant.MassSpringDamper(
        mass=3.0, point=(0.1, 0.2, 0.3), axis=(1, 1, 0), stiffness=10.0, damping=0.3, displacement=0.2
    ),
}


def simulated(element, duration=4.0):
    craft = plant.Spacecraft(HUB, elements=[element])
    state = craft.spinning((0.3, -0.2, 0.5))
    run = sim.simulate(craft, state=state, duration=duration, output_step=0.1)
    assert run.status == "completed"
    return run


def motion_of(run):
    layout = run.craft.layout
    pivot = run.craft.body.pivot
    return ElementMotion(
        coordinates=run.x[:, layout.internal],
        states=run.x[:, layout.own],
        attitude=run.values("attitude"),
        offset=np.zeros(3) if pivot is None else -np.asarray(pivot),
    )


def mass_centre(shape: Any) -> Any:
    """The mass centre of what a shape shows, body components, shape (n, 3)."""
    if shape.kind != "arc":
        return shape.points[:, -1]
    axis, across = np.array(shape.axis), np.array(shape.across)
    middle = np.cos(shape.angle)[:, None] * across + np.sin(shape.angle)[:, None] * np.cross(axis, across)
    return np.array(shape.center) + shape.radius * np.sin(0.5 * shape.span) / (0.5 * shape.span) * middle


@pytest.mark.parametrize("name", ELEMENTS)
def test_shape_has_mass_centre_that_moves_the_hub(name):
    """In a free craft M times the hub's position is minus the first moment of the element, in inertial axes."""
    element = ELEMENTS[name]
    run = simulated(element)
    shape = element.shapes(motion_of(run))[-1]
    moment = element.mass * mass_centre(shape)
    expected = -np.einsum("nij,nj->ni", rotation_matrix(run.values("attitude")), moment) / (60.0 + element.mass)
    assert np.ptp(moment, axis=0).max() > 0.01
    np.testing.assert_allclose(run.values("hub_position"), expected, atol=1e-12)  # rounding of |e|


def test_wheel_shape_turns_about_axis_by_relative_rate():
    wheel = plant.Wheel(axis=(1, 2, -2), inertia=0.06, relative_rate=3.0, angle=0.4)
    run = simulated(wheel, duration=1.0)
    shape = wheel.shapes(motion_of(run))[0]
    np.testing.assert_allclose(shape.axis, np.array((1, 2, -2)) / 3.0, rtol=1e-15)
    rate = np.gradient(shape.angle, run.t, edge_order=2)
    np.testing.assert_allclose(rate, run.values("internal_rate")[:, 0], atol=2e-3)  # of second-order differences
    assert rate[0] > 2.9
    assert not shape.placed
    assert float(np.array(shape.axis) @ np.array(shape.across)) == pytest.approx(0.0, abs=1e-15)


@pytest.mark.parametrize("pivot", [None, (0.1, -0.2, 0.3)])
def test_arm_shape_has_recorded_tip_deflection(pivot):
    inertia = np.asarray(HUB.central_inertia) + 20.0 * np.eye(3)
    arm = Arm(section=SECTION, length=2.0, elements=3, direction=(1, 0.2, 0.1), root=(0.4, 0, 0.1), tip_mass=0.5)
    craft = plant.Spacecraft(plant.RigidBody(inertia, mass=60.0, pivot=pivot), elements=[arm])
    pulse = plant.TorquePulse((2.0, 5.0, -3.0), start=0.0, stop=0.5)
    run = sim.simulate(craft, state=craft.at_rest(), torques=[pulse], duration=1.0, integrator="gauss4", step=0.01)
    shape: Any = arm.shapes(motion_of(run))[0]
    moved = (shape.points - shape.rest)[:, -1] @ arm.frame
    recorded = run.values("tip_deflection")[:, 0]
    assert np.abs(recorded).max() > 1e-4
    np.testing.assert_allclose(moved, recorded, atol=1e-12)
    np.testing.assert_allclose(shape.points[:, 0], np.broadcast_to(arm.root, (run.t.size, 3)), atol=1e-15)
    np.testing.assert_allclose(np.linalg.norm(shape.sides, axis=2), 1.0, atol=1e-12)


def test_rigid_part_is_block_of_its_inertia():
    inertia = np.array(((5.0, 0.4, -0.2), (0.4, 4.0, 0.3), (-0.2, 0.3, 3.0)))
    part = plant.elements.RigidPart(mass=7.0, center=(1, 2, 3), inertia=inertia)
    motion = ElementMotion(
        coordinates=np.zeros((1, 0)), states=np.zeros((1, 0)), attitude=np.array([[1.0, 0, 0, 0]]), offset=np.zeros(3)
    )
    block = part.shapes(motion)[0]
    assert list(block.center) == [1, 2, 3]
    np.testing.assert_allclose(box_inertia(block.size, block.frame, 7.0), inertia, rtol=1e-13, atol=1e-13)


def box_inertia(size, frame, mass):
    a, b, c = np.asarray(size) ** 2
    return frame @ np.diag([b + c, c + a, a + b]) @ frame.T * mass / 12.0


def test_uniform_box_has_inertia_mass_and_density():
    inertia = np.array(((400.0, 12.0, -8.0), (12.0, 307.8, 15.0), (-8.0, 15.0, 200.0)))
    mass = mass_at_density(inertia, 150.0)
    size, frame = uniform_box(inertia, mass=mass)
    np.testing.assert_allclose(box_inertia(size, frame, mass), inertia, rtol=1e-12, atol=1e-11)
    assert mass / size.prod() == pytest.approx(150.0, rel=1e-12)
    assert np.linalg.det(frame) == pytest.approx(1.0, rel=1e-12)
    assert (frame.diagonal() > 0.9).all()


@pytest.mark.parametrize("moments", [(1.0, 1.0, 2.0), (1.0, 1.0, 0.0001), (3.0, 3.0, 3.0)])
def test_uniform_box_of_flat_and_thin_bodies_has_edges(moments):
    size, frame = uniform_box(np.diag(moments), mass=2.0)
    assert (size > 0.0).all()
    assert np.linalg.det(frame) == pytest.approx(1.0)
    assert mass_at_density(np.diag(moments)) > 0.0
