"""Velocities and kinetic energy of rows of states with a constant mass matrix."""

import numpy as np

from polhode.plant import Pendulum, RigidBody, Spacecraft, Wheel, wheel_array
from polhode.plant.hub.constant_mass import velocities_of
from polhode.sim.engine import constant_mass_rows
from polhode.sim.engine.constant_mass_rows import velocities_of_rows

AXES = np.array([[1, 1, 1], [-1, 1, 1], [-1, -1, 1], [1, -1, 1]]) / np.sqrt(3.0)
INERTIA = np.array([[60.0, 1.0, 2.0], [1.0, 50.0, 3.0], [2.0, 3.0, 40.0]])
RATE, SPINS = np.array([0.1, -0.2, 0.05]), np.array([150.0, -150.0, 150.0, -120.0])


def pyramid(**options):
    return Spacecraft(RigidBody(INERTIA, mass=90.0), elements=wheel_array(axes=AXES, inertia=0.02), **options)


def states_of(craft, count):
    rng = np.random.default_rng(3)
    return np.stack(
        [craft.state(rate=rng.normal(size=3), internal_rate=rng.normal(scale=99.0, size=4)) for _ in range(count)]
    )


def rows_of(craft, states):
    found = velocities_of_rows(craft, states)
    assert found is not None
    return found


def test_velocities_and_energy_of_wheels_match_closed_form():
    craft = pyramid()
    states = np.stack([craft.state(rate=RATE, internal_rate=SPINS)] * 2)
    velocities, energies = rows_of(craft, states)
    np.testing.assert_allclose(velocities[1], [*RATE, *SPINS], rtol=1e-12)
    # hub without the axial inertia of the wheels, and each wheel about its axis
    about_axes = AXES @ RATE + SPINS
    expected = 0.5 * RATE @ INERTIA @ RATE + 0.5 * 0.02 * about_axes @ about_axes
    np.testing.assert_allclose(energies, [expected] * 2, rtol=1e-13)


def test_rows_equal_plain_python_to_the_bit(monkeypatch):
    for craft, count in ((pyramid(), 40), (pyramid(translation=True), 3), (pyramid(), 1), (pyramid(), 0)):
        states = states_of(craft, 40)[:count]
        with_ledger = np.concatenate([states, np.ones((count, 4))], axis=1)
        found = rows_of(craft, with_ledger)
        with monkeypatch.context() as patch:
            patch.setattr(constant_mass_rows, "has_library", lambda: False)
            plain = rows_of(craft, with_ledger)
        for one, two in zip(found, plain, strict=True):
            assert one.tobytes() == two.tobytes()
        assert np.array_equal(found[0], velocities_of(craft, states))


def test_rows_are_refused_where_the_mass_matrix_varies():
    body = RigidBody((60, 50, 40), mass=100.0)
    craft = Spacecraft(body, elements=[Pendulum(mass=1.0, length=0.3, hinge=(0, 0, 0.5), direction=(0, 0, -1))])
    assert velocities_of_rows(craft, craft.state()[None]) is None
    assert velocities_of_rows(Spacecraft(body), Spacecraft(body).state()[None]) is None


def test_rows_of_one_wheel():
    craft = Spacecraft(RigidBody((3.0, 2.0, 1.0)), elements=[Wheel(axis=(0, 0, 1), inertia=0.5)])
    states = np.stack([craft.state(rate=(0.0, 0.2, 0.1), internal_rate=[4.0])] * 2)
    velocities, energies = rows_of(craft, states)
    np.testing.assert_allclose(velocities[0], [0.0, 0.2, 0.1, 4.0], rtol=1e-13)
    np.testing.assert_allclose(energies, 0.5 * (2.0 * 0.2**2 + 1.0 * 0.1**2 + 0.5 * 4.1**2), rtol=1e-13)
