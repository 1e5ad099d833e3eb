"""Pole placement: the assigned poles are reached with any delay."""

import numpy as np
import pytest

from polhode import controllers, plant

WANTED = np.array([-0.3 + 0.3j, -0.3 - 0.3j, -0.4, -0.5, -0.6 + 0.1j, -0.6 - 0.1j])


@pytest.mark.parametrize("delay", [0.0, 0.2, 0.5, 0.7])
def test_pole_placement_assigns_the_poles(rigid, delay):
    law = controllers.pole_placement(rigid.linearize(rigid.at_rest()), poles=WANTED, sample=0.5, delay=delay)
    poles = law.closed_loop_poles()
    for wanted in np.exp(0.5 * WANTED):
        assert np.abs(poles - wanted).min() < 1e-9  # eigenvalues of a matrix of condition 1e3 or so
    # the commands under way, and the stored ones: at zero except for round-off^(1/chain)
    assert np.abs(poles[6:]).max(initial=0.0) < 1e-3


def test_pole_placement_on_all_states_of_craft_with_elements(geared):
    model = geared.linearize(geared.at_rest())
    wanted = np.array([*WANTED, -0.2, -0.25])
    law = controllers.pole_placement(model, poles=wanted, sample=0.5, delay=0.2, internal="measured")
    poles = law.closed_loop_poles()
    for z in np.exp(0.5 * wanted):
        assert np.abs(poles - z).min() < 1e-6


@pytest.mark.parametrize(
    ("poles", "message"),
    [
        ([-1.0] * 5, r"poles must be 6 finite numbers \(1/s\), one for each state; got shape \(5,\)"),
        ([-1.0, -1, -2, -2, -3, 1j - 3], "a complex pole must come with its conjugate"),
        ([-1.0, -1, -2, -2, -3, 0.0], "does not decay"),
        ([-1.0, -1, -2, -2, -3 + 9j, -3 - 9j], r"sample 0.5 s is too slow for a pole that oscillates at 9 rad/s"),
        ([-1.0] * 6, "the poles cannot be placed"),
        (["a"] * 6, "poles must be numbers"),
    ],
)
def test_pole_placement_rejects_bad_input(rigid, poles, message):
    with pytest.raises(plant.InputError, match=message):
        controllers.pole_placement(rigid.linearize(rigid.at_rest()), poles=poles, sample=0.5)
