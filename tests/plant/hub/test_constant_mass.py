import numpy as np
import pytest

from polhode.plant import Pendulum, RigidBody, Spacecraft, Wheel, wheel_array
from polhode.plant.errors import InputError
from polhode.plant.hub.constant_mass import velocities_of
from polhode.plant.hub.dynamics import body_rate
from polhode.plant.hub.parameters import W_V
from polhode.sim.results.kinetic_energy import kinetic_energy

PYRAMID = [[1, 1, 1], [-1, 1, 1], [-1, -1, 1], [1, -1, 1]]


def _craft(**options: object) -> Spacecraft:
    wheels = wheel_array(axes=PYRAMID, inertia=0.02, relative_rates=[150, -150, 150, -120], **options)  # pyright: ignore[reportArgumentType]
    return Spacecraft(RigidBody([[60, 1, 2], [1, 50, 3], [2, 3, 40]]), elements=wheels)


def test_velocities_of_wheels_match_the_kernel_to_the_bit() -> None:
    craft = _craft()
    rng = np.random.default_rng(1)
    states = np.stack([craft.state(rate=rate) for rate in rng.normal(size=(20, 3))])
    found = velocities_of(craft, states)
    assert found is not None
    p, w = craft.pack(), craft.work_space()
    for state, row in zip(states, found, strict=True):
        body_rate(0.0, state, np.zeros(3), p, w)
        assert np.array_equal(row, w[int(p[W_V]) : int(p[W_V]) + 7])


def test_velocities_are_unknown_where_the_mass_matrix_changes() -> None:
    body = RigidBody((60, 50, 40), mass=100.0)
    craft = Spacecraft(body, elements=[Pendulum(mass=1.0, length=0.3, hinge=(0, 0, 0.5), direction=(0, 0, -1))])
    assert velocities_of(craft, craft.state()[None]) is None


def test_kinetic_energy_of_wheels_is_that_of_their_parts() -> None:
    craft = _craft()
    rate, wheels = np.array([0.1, -0.2, 0.05]), np.array([150.0, -150.0, 150.0, -120.0])
    axes = np.array(PYRAMID) / np.sqrt(3.0)
    # hub without the wheels' axial inertia, and each wheel with its whole rate about its axis
    expected = 0.5 * (rate @ craft.body.inertia @ rate + 0.02 * ((wheels + axes @ rate) ** 2).sum())
    assert kinetic_energy(craft, craft.state(rate=rate)[None])[0] == pytest.approx(expected, rel=1e-13)


def test_craft_acted_on_from_outside_is_the_one_that_is_built_so() -> None:
    craft = _craft(torque_limit=0.1)
    built = Spacecraft(craft.body, torques=craft.torques.outside(), elements=craft.elements)
    assert np.array_equal(craft.from_outside.pack(ledger=True), built.pack(ledger=True))
    assert craft.from_outside.from_outside is craft.from_outside
    assert craft.torques.internal


def test_wheels_that_give_another_torque_are_refused_for_every_hub() -> None:
    craft = _craft()
    wrong = [
        Wheel(axis=each.axis, inertia=each.inertia, command=2.0 * np.asarray(each.command)) for each in craft.elements
    ]  # pyright: ignore[reportAttributeAccessIssue]
    for scale in (1.0, 1.5):
        body = RigidBody(scale * craft.body.inertia)
        assert Spacecraft(body, elements=craft.elements).torques.internal
        with pytest.raises(InputError, match="must exert the commanded torque on the hub"):
            Spacecraft(body, elements=wrong)
