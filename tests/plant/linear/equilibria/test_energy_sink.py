"""Energy-sink estimates: generic, closed form and large angles, against each other and against runs."""

from __future__ import annotations

import numpy as np
import pytest

from polhode import plant, sim

JA, JT = 1.6, 1.0


def ring(**changes) -> plant.RingDamper:
    given = {"axis": (0, 0, 1), "mass": 0.05, "radius": 0.5, "center": (0, 0, 0.3), "fill": 2 * np.pi / 3}
    return plant.RingDamper(**(given | {"friction": 0.2} | changes))


def craft(*elements, inertia=(JT, JT, JA)) -> plant.Spacecraft:
    return plant.Spacecraft(plant.RigidBody(inertia, pivot=(0, 0, 0)), elements=elements)


def test_ring_energy_sink_matches_published_value() -> None:
    # inertia with the slug: Ja + m R^2 and Jt + m (R^2/2 + L^2), the mean of its two transverse moments
    given = {"axial": JA + 0.0125, "transverse": JT + 0.05 * (0.125 + 0.09)}
    assert plant.ring_energy_sink(ring(), **given, rate=10.0) == pytest.approx(-0.0807, abs=5e-5)


@pytest.mark.thinned(3)
@pytest.mark.parametrize("share", [0.1, 1.0, 10.0])
def test_energy_sink_of_light_slug_matches_closed_form(share: float) -> None:
    errors = []
    for mass in (1e-3, 1e-4):
        damper = ring(mass=mass, friction=share * mass * 6.0)  # c/Jm3 relative to the nutation frequency, 6 rad/s
        spin = plant.spin_equilibria(craft(damper), rate=10.0)[0]
        closed = plant.ring_energy_sink(damper, axial=JA, transverse=JT, rate=10.0)
        errors.append(abs(spin.energy_sink / closed - 1.0))
        # both match the eigenvalue, the better the lighter the slug
        assert spin.nutation.real == pytest.approx(closed, rel=20 * mass)
    assert errors[0] < 5e-3
    assert errors[1] == pytest.approx(errors[0] / 10.0, rel=0.1)


def test_energy_sink_predicts_growth_about_the_minor_axis() -> None:
    wheel = plant.Wheel(axis=(1, 0, 0), inertia=1e-4, friction=1e-4)
    spin = plant.spin_equilibria(craft(wheel, inertia=(1.0, 1.2, 0.6)), rate=5.0)[-1]
    assert spin.axis == "minor"
    assert spin.energy_sink > 0.0
    assert spin.energy_sink == pytest.approx(spin.nutation.real, rel=1e-3)


def test_energy_sink_is_nan_without_nutation() -> None:
    spins = plant.spin_equilibria(craft(inertia=(1.0, 1.2, 1.6)), rate=5.0)
    assert [bool(np.isnan(spin.energy_sink)) for spin in spins] == [False, True, False]
    assert spins[0].energy_sink == 0.0


def test_nutation_synchronous_angle_matches_simulation() -> None:
    """Light slug that slides relative to the ring: the angle between axis and momentum in a simulation."""
    damper = ring(mass=0.002, friction=0.002, center=(0, 0, 0.6))
    start, rate = 1.2, 2.0  # nutation angle, rad; rate about the axis, rad/s
    body = craft(damper)
    omega = np.array([JA / JT * rate * np.tan(start), 0.0, rate])
    slip = -(JA / JT - 1.0) * rate  # body-frame rate of the transverse momentum, which the slug follows
    x = body.state(rate=omega, internal=[0.0], internal_rate=[slip])
    run = sim.simulate(body, state=x, duration=400.0, output_step=0.5, rtol=1e-11)
    assert abs(run.x[-1, 7]) > 400.0  # the slug rotated throughout
    momentum = run.values("momentum")
    cosine = momentum[:, 2] / np.linalg.norm(momentum, axis=1)
    late = run.t > 20.0  # after the slug has synchronised with the nutation
    computed = np.polyfit(run.t[late], np.log(cosine[late]), 1)[0]
    expected = plant.nutation_synchronous_angle(damper, np.array([0.0, 1.0]), axial=JA, transverse=JT, angle=start)
    # the slug has 2e-3 of the inertia, which bounds the error of the estimate
    assert computed == pytest.approx(np.log(np.cos(expected[1]) / np.cos(expected[0])), rel=5e-3)
    still = plant.nutation_synchronous_angle(damper, 1e9, axial=JA, transverse=JT, angle=start)
    assert still == 0.0


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"axial": 1.0, "transverse": 1.0}, "equal"),
        ({"axial": -1.0, "transverse": 1.0}, "greater than 0"),
    ],
)
def test_energy_sink_rejects_bad_input(given: dict, message: str) -> None:
    with pytest.raises(plant.InputError, match=message):
        plant.ring_energy_sink(ring(), **given, rate=1.0)
    with pytest.raises(plant.InputError, match=message):
        plant.nutation_synchronous_angle(ring(), 1.0, **given, angle=0.1)
    with pytest.raises(plant.InputError, match="pi/2"):
        plant.nutation_synchronous_angle(ring(), 1.0, axial=2.0, transverse=1.0, angle=2.0)
