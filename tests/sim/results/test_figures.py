"""Check cases with known numbers, long runs, and memory."""

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.plant.attitude import attitude_error, conjugate, from_mrp, rotation_angle


def degrees_apart(e, f):
    return np.degrees(rotation_angle(attitude_error(e, f)))


@pytest.mark.parametrize("scheme", [{"integrator": "rk8", "step": 0.05}, {"integrator": "rk8", "step": 0.1}])
def test_momentum_and_energy_stay_for_ten_thousand_seconds(free_body, free_start, scheme):
    run = sim.simulate(free_body, momentum=free_start, duration=1e4, output_step=50.0, **scheme)
    L, E = run.values("inertial_momentum"), run.values("energy")
    # requirement: 1e-12 relative; 200,000 steps with round-off of 1e-16 each give some 5e-14
    assert np.linalg.norm(L - L[0], axis=1).max() / np.linalg.norm(L[0]) < 1e-12
    assert np.abs(E / E[0] - 1.0).max() < 1e-12
    assert float(run.invariants()["quaternion_norm_error"]) < 4e-16


def test_tumbling_brick_of_nesc():
    # NASA NESC atmospheric check case 02: body rates, deg/s, printed to 12 decimals
    slug_ft2 = 1.3558179483314004  # kg m^2
    craft = plant.Spacecraft(plant.RigidBody(np.array((0.00189422, 0.006211019, 0.007194665)) * slug_ft2))
    run = sim.simulate(craft, rate=np.radians((10, 20, 30)), duration=30.0, output_times=[5, 10, 20, 30], rtol=1e-13)
    wanted = [
        (-16.939485149392, 9.631939377436, 33.406628079368),
        (-2.418902221778, -23.552569519516, 28.128592630033),
        (-5.422734679890, 22.715930576503, 28.608281747226),
        (12.618390775668, -17.397474761831, 31.119588886830),
    ]
    # requirement: 1e-8 deg/s. The difference, 2.5e-10, is that of the printed values: it is the same at any tolerance.
    np.testing.assert_allclose(np.degrees(run.values("rate")), wanted, rtol=0, atol=1e-9)


@pytest.mark.parametrize("scheme", [{"rtol": 1e-10}, {"rtol": 1e-12}, {"integrator": "rk4", "step": 10.0}])
def test_pulsed_station_of_jeod(scheme):
    # NASA JEOD case 9A; its quaternions are conjugates of ours
    inertia = [[1.02e8, -6.96e6, -5.48e6], [-6.96e6, 0.91e8, 5.90e5], [-5.48e6, 5.90e5, 1.64e8]]
    pulse = plant.TorquePulse((10, 0, 0), start=1000.0, stop=2000.0)
    run = sim.simulate(
        plant.Spacecraft(plant.RigidBody(inertia)),
        attitude=conjugate((0.2368106365237557, 0.7173117043670278, -0.6140880728910785, 0.2286492509067215)),
        torques=(pulse,),
        duration=28800.0,
        output_times=[28800.0],
        **scheme,
    )
    wanted = (9.751635347691358e-5, 8.882593782196596e-6, 1.53007486831241e-5)
    np.testing.assert_allclose(run.values("rate")[-1], wanted, rtol=0, atol=1e-12)  # requirement
    end = conjugate((0.7519599906623781, -0.1381383235762205, 0.01275190192580681, 0.6444465571324457))
    assert degrees_apart(run.values("attitude")[-1], end) < 1e-7  # requirement; measured 1e-9 and 1e-11


@pytest.mark.parametrize("translation", [False, True])
def test_gravity_gradient_of_jeod(translation):
    # NASA JEOD case 10A: on a prescribed orbit, and with translation (coupling of attitude into the orbit: 1e-14 rad/s)
    where = {"position": (-4292653.41, 955168.47, 5139356.57), "velocity": (109.649663, -7527.726490, 1484.521489)}
    gravity = plant.GravityGradient(mu=3.986004415e14, **({} if translation else where))
    body = plant.RigidBody((500, 12250, 12250), mass=1000.0 if translation else None)
    run = sim.simulate(
        plant.Spacecraft(body, potentials=[gravity], translation=translation),
        attitude=conjugate((0.2949554834573935, -0.3013397571377723, 0.5879739300516263, -0.6902769524808205)),
        rate=(-1.97989570839746e-5, -0.001134281491669957, 0.0),
        duration=28800.0,
        output_times=[28800.0],
        rtol=1e-12,
        **(where if translation else {}),
    )
    wanted = (-1.97989570839746e-5, -0.001080027400090759, -7.098670173048437e-4)
    np.testing.assert_allclose(run.values("rate")[-1], wanted, rtol=0, atol=1e-12)  # requirement
    end = conjugate((0.08088465634744321, -0.6544148616587985, 0.7285587498795035, -0.1854750904614061))
    assert degrees_apart(run.values("attitude")[-1], end) < 1e-6  # requirement
    if translation:
        assert float(run.invariants()["energy_balance_relative"]) < 1e-9


def test_spacecraft_of_basilisk():
    run = sim.simulate(
        plant.Spacecraft(plant.RigidBody((500, 200, 300))),
        rate=(0.5, -0.4, 0.7),
        duration=10.0,
        output_times=[10.0],
        rtol=1e-12,
    )
    printed = from_mrp((0.373034285, -0.00239564413, 0.208570797))
    assert degrees_apart(run.values("attitude")[-1], printed) < 4e-7  # nine digits: 4 x 5e-10 rad


def test_free_body_of_drake():
    run = sim.simulate(
        plant.Spacecraft(plant.RigidBody((0.04, 0.04, 0.02))),
        rate=(2, 4, 6),
        duration=10.0,
        output_times=[10.0],
        rtol=1e-13,
    )
    np.testing.assert_allclose(
        run.values("rate")[-1], (-3.6436235965962793, 2.59306904773606, 6.0), rtol=0, atol=1e-9
    )  # 72 rad at 1e-13 per step, some thousand steps


def test_million_steps_without_blemish(free_body, free_start, elliptic):
    run = sim.simulate(
        free_body, momentum=free_start, duration=1e4, integrator="rk4", step=0.01, output_times=[5e3, 1e4]
    )
    assert run.counters["steps"] == 1_000_000
    assert np.isfinite(run.states).all()
    # order 4 at 0.01 s: 1e-10 per second at this rate, and the same in round-off, over 1e4 s
    assert np.abs(run.values("momentum") - elliptic(run.t)).max() / 400.0 < 1e-6


def test_memory_does_not_grow():
    resource = pytest.importorskip("resource")
    craft = plant.Spacecraft(plant.RigidBody((3, 2, 1)))
    law = controllers.quaternion_feedback(craft, frequency=0.3, damping_ratio=0.8, sample=0.1)

    def many(n):
        for _ in range(n):
            sim.simulate(craft, law, rate=(0.1, 0.2, 0.3), duration=50.0, output_step=0.05)
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss  # kB, on Linux

    before = many(30)
    after = many(150)
    # the rows of one run are 0.25 MB: stored, they would need 40 MB
    assert after - before < 10_000
