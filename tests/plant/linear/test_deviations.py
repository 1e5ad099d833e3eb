"""The groups of deviations: every state once, in units that scale as the craft does."""

import numpy as np
import pytest

from polhode import plant
from polhode.plant.linear.deviations import groups

DIMENSIONS = {  # of a typical value, in powers of mass and length, by the words of the group
    "attitude error (rad/s)": (0, 0),
    "momentum (N m)": (1, 2),
    "internal coordinates": (0, 0),
    "internal momenta": (1, 2),  # of wheels
    "position (m/s)": (0, 1),
    "linear momentum (N)": (1, 1),
}


def craft_of(mass, length):
    """A craft with a wheel, free to move; all of it so many times as heavy, so many times as long."""
    J = mass * length**2
    body = plant.RigidBody((4 * J, 3 * J, 2 * J), mass=5 * mass)
    wheel = plant.Wheel(axis=(0, 0, 1), inertia=0.1 * J, friction=0.0)
    return plant.Spacecraft(body, elements=[wheel], translation=True)


@pytest.fixture
def state():
    craft = craft_of(1.0, 1.0)
    return craft, craft.state(rate=(0.1, 0.2, 0.3), position=(3.0, 4.0, 12.0), velocity=(0.6, 0.0, 0.8))


def test_every_deviation_is_in_one_group_and_in_the_order_of_the_states(state):
    craft, x = state
    found = groups(craft, x)
    rows = [row for group in found for row in range(group.rows.start, group.rows.stop)]
    assert rows == list(range(x.size - 1))  # four Euler parameters are three deviations
    assert [group.words for group in found] == list(DIMENSIONS)
    places = {"position (m/s)": craft.layout.position, "linear momentum (N)": craft.layout.linear_momentum}
    for group in found:
        if group.words in places:
            place = places[group.words]
            assert (group.rows.start + 1, group.rows.stop + 1) == (place.start, place.stop)


@pytest.mark.parametrize(("mass", "length"), [(7.0, 1.0), (1.0, 3.0), (0.2, 0.5)])
def test_typical_values_scale_as_their_quantities_do(state, mass, length):
    craft, x = state
    for before, after in zip(groups(craft, x), groups(craft_of(mass, length), x), strict=True):
        m, k = DIMENSIONS[before.words]
        assert after.size == pytest.approx(before.size * mass**m * length**k, rel=1e-12), before.words


def test_what_is_met_is_the_size_of_the_state_itself(state):
    craft, x = state
    met = {group.words: group.met for group in groups(craft, x)}
    arm = np.sqrt(4.0 / 5.0)  # m, of the largest moment of inertia
    assert met["momentum (N m)"] == pytest.approx(np.linalg.norm(x[:3]), rel=1e-14)
    assert met["position (m/s)"] == pytest.approx(13.0 + arm, rel=1e-14)
    assert met["linear momentum (N)"] == pytest.approx(5.0, rel=1e-14)  # 5 kg at 1 m/s
