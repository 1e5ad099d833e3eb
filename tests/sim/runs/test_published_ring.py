"""The ring damper, consistent and as published, on the set 'max' of Shivarama & Fahrenthold's example 4."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from polhode import controllers, plant, sim
from polhode.plant.attitude import rotation_matrix
from polhode.plant.formulations import PublishedRing

from ...plant.formulations.published_by_hand import ByHand

RING = plant.RingDamper(
    axis=(0, 0, 1), mass=0.05, radius=0.5, friction=0.2, center=(0, 0, 0.3), fill=2 * np.pi / 3, angle=0.5
)
ROTOR = plant.RigidBody((1.0, 1.0, 1.6), pivot=(0, 0, 0))
CRAFT = plant.Spacecraft(ROTOR, elements=[RING])
HEAVY = plant.Spacecraft(ROTOR, elements=[RING], potentials=[plant.UniformGravity((0, 0, -9.81))])
START = {"rate": (2, 0, 10), "attitude": (np.cos(0.05), np.sin(0.05), 0, 0)}


def flown(craft: plant.Spacecraft = CRAFT, **given) -> sim.Run:
    return sim.simulate(craft, formulation=PublishedRing(), **{**START, "rtol": 1e-13, **given})


def test_published_and_consistent_ring_differ_as_documented() -> None:
    given = {"duration": 5.0, "output_times": [0.0, 1.0, 5.0]}
    published, good = flown(**given).values("formulation_state"), sim.simulate(CRAFT, **START, **given, rtol=1e-13)
    h = (1.91834400349152, -0.565646784016438, 16.0006960146355)
    np.testing.assert_allclose(published[1, :3], h, rtol=0, atol=1e-9)
    np.testing.assert_allclose(published[1, 7:], (0.513920292711161, 12.0270303192475), rtol=0, atol=1e-9)
    h = (1.75939365604163, -0.464972295424222, 15.9912364465647)
    np.testing.assert_allclose(good.values("rate")[1] @ ROTOR.inertia, h, rtol=0, atol=1e-9)
    ring_rate = good.values("rate")[:, 2] + good.values("internal_rate")[:, 0]
    np.testing.assert_allclose(ring_rate[1], 12.3497192208141, rtol=0, atol=1e-9)
    np.testing.assert_allclose(good.values("internal")[1:, 0], (0.324728931294458, 1.20316993592358), rtol=0, atol=1e-9)
    np.testing.assert_allclose(good.values("energy")[1:], (82.4211988350476, 82.0697481701486), rtol=0, atol=1e-9)


@pytest.mark.parametrize("craft", [CRAFT, HEAVY])
def test_flight_is_that_of_equations_on_paper(craft: plant.Spacecraft) -> None:
    """Integrated by scipy from matrices, with gravity and without."""
    gravity = np.array((0, 0, -9.81)) if craft.potentials else np.zeros(3)
    model = ByHand(body=ROTOR, ring=RING, gravity=gravity)
    start = model.state(**{name: np.array(value) for name, value in START.items()})
    other = solve_ivp(lambda _, x: model.derivative(x), (0.0, 2.0), start, method="DOP853", rtol=1e-13, atol=1e-15)
    run = flown(craft, duration=2.0, output_times=[2.0])
    x = other.y[:, -1]
    np.testing.assert_allclose(run.values("formulation_state")[-1], x, rtol=0, atol=1e-9)
    np.testing.assert_allclose(run.values("inertial_momentum")[-1], model.momentum(x), rtol=0, atol=1e-9)
    assert run.values("energy")[-1] == pytest.approx(model.energy(x), abs=1e-9)
    assert run.warnings[0].endswith("model = consistent is correct")


def test_only_one_of_them_is_a_damper() -> None:
    given = {"duration": 60.0, "output_step": 0.12}
    published, good = flown(**given), sim.simulate(CRAFT, **START, **given, rtol=1e-11)
    momentum, other = good.values("inertial_momentum"), published.values("inertial_momentum")
    size = np.linalg.norm(momentum[0])
    np.testing.assert_array_equal(momentum[0].round(9), other[0].round(9))
    assert size == pytest.approx(16.233428487613, abs=1e-12)
    # the consistent one: momentum constant, energy falls, nutation decays (except for the wobble of the slug)
    assert np.abs(momentum - momentum[0]).max() < 1e-9 * size
    assert (np.diff(good.values("energy")) < 1e-9).all()
    axis = rotation_matrix(good.values("attitude"))[:, :, 2]
    tilt = np.arccos(np.sum(momentum * axis, axis=1) / size)
    assert tilt[-50:].max() < 0.1 * tilt[:50].max()
    # the published one: transverse momentum of the rotor constant, so no damping; momentum drifts, energy grows
    across = np.hypot(*published.values("formulation_state").T[:2])
    np.testing.assert_allclose(across, 2.0, rtol=1e-9)
    assert published.values("energy")[[0, -1]].round(1).tolist() == [82.5, 94.8]
    assert np.linalg.norm(other[-1] - other[0]) / size == pytest.approx(0.07, abs=0.005)  # 7 % in 60 s
    # and its balances report it: there is no external load
    np.testing.assert_allclose(published.values("momentum_balance"), other - other[0], rtol=0, atol=1e-12)


@pytest.mark.parametrize("integrator", ["rk4", "rk8", "gauss4", "gauss6", "midpoint"])
def test_every_integrator(integrator: str) -> None:
    reference = flown(HEAVY, duration=1.0, output_times=[1.0])
    step = 2e-4 if integrator == "midpoint" else 5e-3
    run = flown(HEAVY, duration=1.0, output_times=[1.0], integrator=integrator, step=step)
    error = np.abs(run.values("formulation_state") - reference.values("formulation_state")).max()
    assert error < {"rk4": 1e-6, "rk8": 1e-11, "gauss4": 1e-6, "gauss6": 1e-10, "midpoint": 1e-5}[integrator]


def test_under_a_law_and_pulses_compiled_as_plain() -> None:
    law = controllers.quaternion_feedback(CRAFT, frequency=0.8, damping_ratio=0.7, sample=0.1, delay=0.03)
    pulse = plant.TorquePulse((0.3, -0.2, 0.1), start=0.2, stop=0.5, basis=plant.TorqueBasis("euler", "3-1-3"))
    given = {"duration": 0.6, "torques": [pulse], "law": law, "attitude": (0.8, 0.6, 0, 0), "rate": (0.1, 0.2, 0.3)}
    run, plain = (flown(HEAVY, **given, compiled=compiled) for compiled in (True, False))
    assert run.status == "completed", run.reason
    np.testing.assert_allclose(run.values("formulation_state"), plain.values("formulation_state"), rtol=0, atol=1e-13)
    assert np.abs(run.values("command")).max() > 0.1


def test_published_ring_stays_at_rest() -> None:
    run = flown(rate=(0, 0, 0), duration=10.0)
    assert run.status == "completed"
    np.testing.assert_array_equal(run.states, np.broadcast_to(run.states[0], run.states.shape))
