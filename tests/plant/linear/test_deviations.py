"""Groups of deviations: complete, in order, and scaled with mass and length."""

import numpy as np
import pytest

from polhode import plant
from polhode.plant.linear.deviations import groups

DIMENSIONS = {  # powers of mass and length of a typical value, by group
    "attitude error (rad/s)": (0, 0),
    "momentum (N m)": (1, 2),
    "internal coordinates": (0, 0),
    "internal momenta": (1, 2),  # of wheels
    "position (m/s)": (0, 1),
    "linear momentum (N)": (1, 1),
}


def craft_of(mass, length):
    """Free spacecraft with a wheel, scaled in mass and length."""
    J = mass * length**2
    body = plant.RigidBody((4 * J, 3 * J, 2 * J), mass=5 * mass)
    wheel = plant.Wheel(axis=(0, 0, 1), inertia=0.1 * J, friction=0.0)
    return plant.Spacecraft(body, elements=[wheel], translation=True)


@pytest.fixture
def state():
    craft = craft_of(1.0, 1.0)
    return craft, craft.state(rate=(0.1, 0.2, 0.3), position=(3.0, 4.0, 12.0), velocity=(0.6, 0.0, 0.8))


def test_deviation_groups_cover_all_states_in_order(state):
    craft, x = state
    computed = groups(craft, x)
    rows = [row for group in computed for row in range(group.rows.start, group.rows.stop)]
    assert rows == list(range(x.size - 1))  # four Euler parameters are three deviations
    assert [group.words for group in computed] == list(DIMENSIONS)
    places = {"position (m/s)": craft.layout.position, "linear momentum (N)": craft.layout.linear_momentum}
    for group in computed:
        if group.words in places:
            place = places[group.words]
            assert (group.rows.start + 1, group.rows.stop + 1) == (place.start, place.stop)


@pytest.mark.parametrize(("mass", "length"), [(7.0, 1.0), (1.0, 3.0), (0.2, 0.5)])
def test_deviation_group_sizes_scale_with_mass_and_length(state, mass, length):
    craft, x = state
    for before, after in zip(groups(craft, x), groups(craft_of(mass, length), x), strict=True):
        m, k = DIMENSIONS[before.words]
        assert after.size == pytest.approx(before.size * mass**m * length**k, rel=1e-12), before.words


def test_deviation_group_magnitudes_match_the_state(state):
    craft, x = state
    met = {group.words: group.met for group in groups(craft, x)}
    arm = np.sqrt(4.0 / 5.0)  # m, radius of gyration of the largest moment of inertia
    assert met["momentum (N m)"] == pytest.approx(np.linalg.norm(x[:3]), rel=1e-14)
    assert met["position (m/s)"] == pytest.approx(13.0 + arm, rel=1e-14)
    assert met["linear momentum (N)"] == pytest.approx(5.0, rel=1e-14)  # 5 kg at 1 m/s
