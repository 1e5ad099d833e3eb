"""The spin-up: rest before, the spin of SpinReference after, and its limits in between."""

import numpy as np
import pytest

from polhode import controllers, plant

E0 = np.array((0.5, -0.5, 0.1, 0.7))
RATE = np.array((0.3, -0.2, 0.5))


@pytest.mark.parametrize("profile", ["ramp", "smooth"])
def test_spin_up_rests_before_and_spins_half_a_ramp_late_after(profile):
    spin_up = controllers.SpinUp(E0, rate=RATE, begin=4.0, duration=10.0, profile=profile)
    spin = controllers.SpinReference(E0, rate=RATE)
    for t in (-3.0, 0.0, 3.999):
        np.testing.assert_array_equal(spin_up.at(t), controllers.FixedReference(E0).at(t))
    for t in (14.0, 15.0, 40.0):
        # the area below the smooth rate is half the rectangle
        np.testing.assert_allclose(spin_up.at(t), spin.at(t - 9.0), rtol=0, atol=2e-14)


@pytest.mark.parametrize(("profile", "duration"), [("ramp", 0.5 / 0.02), ("smooth", 15 / 8 * 0.5 / 0.02)])
def test_spin_up_reaches_and_keeps_its_acceleration(profile, duration):
    spin_up = controllers.SpinUp(rate=(0, -0.5, 0), acceleration=0.02, profile=profile)
    assert spin_up.duration == pytest.approx(duration, rel=1e-15)
    t = np.linspace(0.0, spin_up.duration, 2001)
    peak = np.linalg.norm([spin_up.at(x)[7:] for x in t], axis=1).max()
    assert peak == pytest.approx(0.02, rel=1e-14)  # the middle is on the grid
    assert spin_up.at(duration / 2)[5] == pytest.approx(-0.25, rel=1e-14)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"rate": (0, 0, 0)}, "spin-up rate must not be zero"),
        ({"duration": 3.0}, r"give one of acceleration \(rad/s\^2\) and duration \(s\)"),
        ({"acceleration": None}, r"give one of acceleration \(rad/s\^2\) and duration \(s\)"),
        ({"acceleration": 0.0}, "acceleration of spin-up must be greater than 0"),
        ({"acceleration": None, "duration": -1.0}, "duration of spin-up must be greater than 0"),
        ({"profile": "smoth"}, "profile of spin-up 'smoth' is unknown; did you mean 'smooth'"),
        ({"attitude": (1, 1, 0, 0)}, "attitude of spin-up must be unit"),
        ({"begin": np.nan}, "begin of spin-up must be finite"),
    ],
)
def test_spin_up_rejects_bad_input(change, message):
    given = {"rate": RATE, "acceleration": 0.1, **change}
    with pytest.raises(plant.InputError, match=message):
        controllers.SpinUp(**given)
