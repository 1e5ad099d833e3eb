"""Spacecraft: conversion of states, and rejection of inconsistent arguments."""

import numpy as np
import pytest

from polhode import plant

BODY = plant.RigidBody((4, 3, 2), mass=1.5)
E = np.array((0.5, -0.3, 0.7, 0.4)) / np.sqrt(0.99)


def test_spacecraft_state_holds_momentum_attitude_and_position():
    craft = plant.Spacecraft(BODY)
    np.testing.assert_array_equal(craft.at_rest(), (0, 0, 0, 1, 0, 0, 0))
    np.testing.assert_array_equal(craft.spinning((1, 2, 3)), (4, 6, 6, 1, 0, 0, 0))
    np.testing.assert_array_equal(craft.state(momentum=(1, 2, 3), attitude=(0, 0, 1, 0)), (1, 2, 3, 0, 0, 1, 0))
    np.testing.assert_array_equal(craft.state(rate=(1, 2, 3)), craft.spinning((1, 2, 3)))
    np.testing.assert_allclose(craft.rate(craft.spinning((1, 2, 3))), (1, 2, 3), rtol=4e-16)
    moving = plant.Spacecraft(BODY, translation=True)
    np.testing.assert_array_equal(
        moving.state(position=(1, 2, 3), velocity=(2, 4, 6)), (0, 0, 0, 1, 0, 0, 0, 1, 2, 3, 3, 6, 9)
    )
    np.testing.assert_array_equal(moving.at_rest()[7:], 0.0)


def test_state_layout_names_are_unique_and_have_units():
    for translation in (False, True):
        layout = plant.Spacecraft(BODY, translation=translation).layout
        assert len(layout.names) == len(layout.units) == layout.size == (13 if translation else 7)
        assert len(set(layout.names)) == layout.size


def test_spacecraft_energy_and_inertial_momentum_match_closed_form():
    craft = plant.Spacecraft(plant.RigidBody((4, 3, 2), mass=1.5), translation=True)
    x = craft.state(rate=(1, 2, 3), velocity=(0, 2, 0), attitude=(np.sqrt(0.5), 0, 0, np.sqrt(0.5)))
    assert craft.energy(x) == pytest.approx(0.5 * (4 + 12 + 18) + 0.5 * 1.5 * 4, rel=1e-15)
    # a quarter turn about z: body x is inertial y, body y is inertial -x
    np.testing.assert_allclose(craft.inertial_momentum(x), (-6, 4, 6), rtol=0, atol=4e-15)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"attitude": (1, 1, 0, 0)}, "attitude must be unit Euler parameters, scalar first: the norm .* is 1.41421356"),
        ({"attitude": (0, 0, 0, 0)}, "the norm of .* is 0, further from 1"),
        ({"attitude": (1, 0, 0)}, r"attitude must be 4 numbers; got shape \(3,\)"),
        ({"attitude": (np.nan, 0, 0, 0)}, "attitude must be finite"),
        ({"rate": (1, 2)}, r"rate must be 3 numbers \(rad/s\); got shape \(2,\)"),
        ({"rate": (1, 2, np.inf)}, r"rate must be finite \(rad/s\)"),
        ({"rate": "fast"}, r"rate must be numbers \(rad/s\); got 'fast'"),
        ({"momentum": (1, 2)}, r"momentum must be 3 numbers \(N m s\)"),
        ({"rate": (0, 0, 0), "momentum": (0, 0, 0)}, r"give the rate \(rad/s\) or the momentum \(N m s\), not both"),
        ({"position": (0, 0, 0)}, r"only with Spacecraft\(..., translation=True\)"),
        ({"velocity": (0, 0, 0)}, r"only with Spacecraft\(..., translation=True\)"),
    ],
)
def test_spacecraft_state_rejects_bad_arguments(arguments, message):
    with pytest.raises(plant.InputError, match=message):
        plant.Spacecraft(BODY).state(**arguments)


def test_spacecraft_state_rejects_bad_position_and_velocity():
    craft = plant.Spacecraft(BODY, translation=True)
    with pytest.raises(plant.InputError, match=r"position must be 3 numbers \(m\)"):
        craft.state(position=(1, 2))
    with pytest.raises(plant.InputError, match=r"velocity must be finite \(m/s\)"):
        craft.state(velocity=(1, 2, np.nan))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"body": (4, 3, 2)}, "the body of a spacecraft must be a polhode.plant.RigidBody"),
        ({"body": plant.RigidBody((4, 3, 2)), "translation": True}, "translation needs the mass of the body"),
        (
            {"body": plant.RigidBody((4, 3, 2), mass=1, pivot=(0, 0, 1)), "translation": True},
            "a pivoted body cannot translate",
        ),
        ({"torques": "body"}, "torques must be a polhode.plant.TorqueBasis; got 'body'"),
        ({"potentials": [3]}, "a potential must be one of the potentials of polhode.plant; got int"),
        (
            {"potentials": plant.Potential(lambda c, e: e[0])},
            "potentials must be a list or tuple; got a single Potential",
        ),
        ({"user_forces": [lambda t: 0]}, "each of user_forces must be a polhode.plant.UserForce; got function"),
        ({"user_forces": 3}, "user_forces must be a list or tuple; got a single int"),
    ],
)
def test_spacecraft_rejects_inconsistent_arguments(arguments, message):
    given = {"body": BODY} | arguments
    with pytest.raises(plant.InputError, match=message):
        plant.Spacecraft(given.pop("body"), **given)


def test_spacecraft_accepts_potentials_from_a_generator():
    craft = plant.Spacecraft(BODY, potentials=(plant.Potential(lambda c, e: e[0]) for _ in range(2)))
    assert len(craft.potentials) == 2
    assert craft.energy(craft.at_rest()) == 2.0


def test_spacecraft_rejects_a_state_of_wrong_size():
    with pytest.raises(plant.InputError, match="state must be 13 numbers"):
        plant.Spacecraft(BODY, translation=True).energy(plant.Spacecraft(BODY).at_rest())
