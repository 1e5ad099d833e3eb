"""Energy shaping, sliding mode and rate damping compared with their theory."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from polhode import controllers, plant, sim
from polhode.controllers.loop.small_signal import small_signal
from polhode.plant.attitude import attitude_error, from_euler_angles, quaternion_product, rotation_matrix

J = np.array([[40.0, 2.0, -1.0], [2.0, 30.0, 1.5], [-1.0, 1.5, 20.0]])
K = np.array([[4.0, 0.3, 0.0], [0.3, 3.0, -0.2], [0.0, -0.2, 2.0]])
KD = np.array([[22.0, 1.0, 0.0], [1.0, 18.0, 0.5], [0.0, 0.5, 14.0]])
BASES = [("body",), ("inertial",), ("euler", "3-1-3"), ("dual-euler", "3-2-1")]


def shaping(*basis, **more):
    torques = plant.TorqueBasis(*(basis or ("body",)))
    return controllers.EnergyShaping(stiffness=K, damping=KD, inertia=J, torques=torques, **{"sample": 0.05, **more})


def sliding(*basis, **more):
    torques = plant.TorqueBasis(*(basis or ("body",)))
    numbers = {"slope": 0.4, "reach": (0.5, 0.4, 0.3), "boundary_layer": 0.02, "sample": 0.01, **more}
    return controllers.SlidingMode(inertia=J, torques=torques, **numbers)


def unit(rng):
    e = rng.normal(size=4)
    return e / np.linalg.norm(e)


def body_torque(law, y, r):
    u = np.full(3, np.nan)
    law.kernel(0.0, y, r, law.parameters, np.zeros(0), u)
    return law.torques.to_body(u, y[3:7])


@pytest.mark.parametrize("basis", BASES)
def test_storage_decreases_by_damping_for_any_reference(basis):
    law, rng = shaping(*basis), np.random.default_rng(1)
    for _ in range(20):
        e, e_ref = unit(rng), unit(rng)
        w, w_ref, a_ref = rng.normal(size=(3, 3))
        y = np.concatenate((J @ w, e, w))
        tau = body_torque(law, y, np.concatenate((e_ref, w_ref, a_ref)))
        w_dot = np.linalg.solve(J, np.cross(J @ w, w) + tau)

        def storage(h, e=e, e_ref=e_ref, w=w, w_dot=w_dot, w_ref=w_ref, a_ref=a_ref):
            def turned(q, rate, slope):
                angle = rate * h + 0.5 * slope * h * h  # the rotation vector to second order
                step = np.concatenate(([1.0 - angle @ angle / 8.0], angle / 2.0))
                return quaternion_product(q, step / np.linalg.norm(step))

            error = attitude_error(turned(e, w, w_dot), turned(e_ref, w_ref, a_ref))
            v = w + h * w_dot - rotation_matrix(error).T @ (w_ref + h * a_ref)
            return law.storage(error / np.linalg.norm(error), v)

        h = 1e-5
        v = w - rotation_matrix(attitude_error(e, e_ref)).T @ w_ref
        # error of the difference: h^2 times third derivatives, and 1e-16 of S over h
        assert (storage(h) - storage(-h)) / (2 * h) == pytest.approx(-v @ KD @ v, abs=2e-7)


def test_energy_shaping_stiffness_for_small_rotations():
    law = shaping()
    e = np.concatenate(([1.0], 0.5e-6 * np.array((1.0, -2.0, 3.0))))
    y = np.concatenate((np.zeros(3), e / np.linalg.norm(e), np.zeros(3)))
    r = controllers.FixedReference().at(0.0)
    np.testing.assert_allclose(body_torque(law, y, r), -K @ (1e-6 * np.array((1.0, -2.0, 3.0))), rtol=1e-5)  # 2nd order
    craft = plant.Spacecraft(plant.RigidBody(J))
    model = craft.linearize(craft.at_rest())
    np.testing.assert_allclose(
        small_signal(law, model).compensator.D, -np.hstack((K, KD)), rtol=0, atol=1e-13 * np.abs(KD).max()
    )
    assert law.margins(model).axes[0].gain_up > 1.0


def test_energy_shaping_is_passive_with_moving_elements():
    """A ring and a wheel that the law does not model: the sum of S and their energy never increases."""
    ring = plant.RingDamper(axis=(0, 1, 0), mass=2.0, radius=0.5, friction=1.0, fill=2.0, relative_rate=1.0)
    wheel = plant.Wheel(axis=(1, 1, 0), inertia=0.1, friction=0.01, relative_rate=20.0)
    craft = plant.Spacecraft(plant.RigidBody(J, mass=100.0), elements=(ring, wheel))
    law = shaping(sample=0.002)
    start = from_euler_angles((2.5, 0.4, -1.0), "3-2-1")
    run = sim.simulate(craft, law, attitude=start, rate=(0.3, -0.2, 0.4), duration=150.0)
    n = craft.layout.size
    total = [craft.energy(x) + law.storage(x[3:7] / np.linalg.norm(x[3:7]), np.zeros(3)) for x in run.states[:, :n]]
    assert np.diff(total).max() < 1e-3 * total[0]  # held for 2 ms: at most v Kd v dt of a sample returns
    assert run.values("attitude_error")[-1] < 1e-3
    assert total[-1] < 0.05 * total[0]


def test_energy_shaping_leaves_half_turn_without_unwinding():
    craft = plant.Spacecraft(plant.RigidBody(J))
    ends = []
    for sign in (1.0, -1.0):
        e = sign * np.array((1e-6, np.sqrt(1.0 - 1e-12), 0.0, 0.0))
        run = sim.simulate(craft, shaping(), attitude=e, duration=400.0)
        assert run.values("attitude_error")[-1] < 1e-6
        ends.append(run.values("rate"))
    np.testing.assert_array_equal(*ends)  # e and -e are the same attitude to the law


@pytest.mark.parametrize("law", [shaping, sliding], ids=["energy-shaping", "sliding-mode"])
@pytest.mark.parametrize("basis", BASES)
def test_energy_shaping_tracks_a_moving_reference_exactly(law, basis):
    made = law(*basis)
    craft = plant.Spacecraft(plant.RigidBody(J), torques=made.torques)
    reference = controllers.SpinReference(from_euler_angles((0.3, 0.6, 0.4), "3-1-3"), rate=(0.0, 0.002, 0.05))
    r = reference.at(0.0)
    run = sim.simulate(craft, made, reference=reference, attitude=r[:4], rate=r[4:7], duration=20.0)
    # held torque: the feed-forward turns by 0.05 rad/s x sample meanwhile
    assert run.values("attitude_error").max() < 1e-4


def test_sliding_mode_error_angle_matches_closed_form():
    axis = np.array((0.6, 0.0, 0.8))
    theta0, L = 2.0, 0.4
    e = np.concatenate(([np.cos(theta0 / 2)], np.sin(theta0 / 2) * axis))
    law = sliding(reach=5.0, sample=0.001)
    craft = plant.Spacecraft(plant.RigidBody(J))
    run = sim.simulate(craft, law, attitude=e, rate=-L * e[1:], duration=10.0)
    exact = 4.0 * np.arctan(np.tan(theta0 / 4.0) * np.exp(-0.5 * L * run.t))
    # the torque is held for 1 ms, in which the acceleration L^2 / 4 changes by L x 1e-3 of itself
    np.testing.assert_allclose(run.values("attitude_error"), exact, rtol=0, atol=1e-4)


def test_sliding_mode_stays_in_layer_under_bounded_disturbance():
    d = np.array((0.3, -0.25, 0.2))  # below reach on every axis
    law = sliding()
    craft = plant.Spacecraft(plant.RigidBody(J))
    push = plant.TorquePulse(tuple(d), start=0.0, stop=400.0)
    run = sim.simulate(
        craft, law, attitude=from_euler_angles((1.0, 0.4, -0.8), "3-2-1"), duration=200.0, torques=(push,)
    )
    error = run.states[-1, 4:7] * np.sign(run.states[-1, 3])
    s = run.values("rate")[-1] + law.slope * error
    np.testing.assert_allclose(s, law.boundary_layer * d / law.reach, rtol=1e-3)
    np.testing.assert_allclose(error, law.boundary_layer * d / law.reach / law.slope, rtol=2e-2)


def test_rate_damping_of_sphere_is_geometric():
    law = controllers.RateDamping(gain=0.8, sample=0.5)
    craft = plant.Spacecraft(plant.RigidBody((10.0, 10.0, 10.0)))
    w0 = np.array((0.3, -0.2, 0.5))
    run = sim.simulate(craft, law, rate=w0, duration=10.0, output_times=np.arange(0.0, 10.1, 0.5))
    np.testing.assert_allclose(run.values("rate"), w0 * (1 - 0.8 * 0.5 / 10) ** np.arange(21)[:, None], rtol=1e-13)


@pytest.mark.parametrize("turning", [(0.0, 0.0, 0.0), (0.0, 0.02, 0.0)])
def test_b_dot_of_sphere_matches_linear_equation_of_inertial_rate(turning):
    field, turning, k, j = np.array((2.0, 0.0, 1.0)), np.array(turning), 0.2, 10.0
    law = controllers.RateDamping(gain=k, sample=0.02, field=field, field_rate=turning)
    craft = plant.Spacecraft(plant.RigidBody((j, j, j)))
    w0 = np.array((0.1, -0.06, 0.05))
    run = sim.simulate(craft, law, rate=w0, duration=1500.0, output_times=np.linspace(0, 1500, 61))

    def f(t, w):
        angle = np.linalg.norm(turning) * t
        c, s = np.cos(angle), np.sin(angle)
        b = np.array(((c * 2.0 + s * 1.0), 0.0, (c * 1.0 - s * 2.0)))  # about y
        return k / j * np.cross(np.cross(w - turning, b), b)

    exact = solve_ivp(f, (0, 1500), w0, rtol=1e-11, atol=1e-13, t_eval=run.t).y.T
    found = np.array([rotation_matrix(x[3:7]) @ w for x, w in zip(run.states, run.values("rate"), strict=True)])
    # a hold of 0.02 s against time constants of 10 s
    np.testing.assert_allclose(found, exact, rtol=0, atol=2e-4)
    along = field / np.linalg.norm(field)
    if not turning.any():
        np.testing.assert_allclose(found[-1], along * (along @ w0), rtol=0, atol=1e-5)  # a spin about it remains
    else:
        np.testing.assert_allclose(found[-1], turning, rtol=0, atol=1e-3)


@pytest.mark.thinned(3)
@pytest.mark.parametrize("basis", BASES)
@pytest.mark.parametrize("make", ["shaping", "sliding", "damping", "b-dot"])
def test_nonlinear_laws_are_equal_compiled_and_in_python(make, basis):
    torques = plant.TorqueBasis(*basis)
    law = {
        "shaping": lambda: shaping(*basis),
        "sliding": lambda: sliding(*basis),
        "damping": lambda: controllers.RateDamping(gain=KD, sample=0.1, torques=torques),
        "b-dot": lambda: controllers.RateDamping(
            gain=KD, sample=0.1, field=(1.0, 0.5, 0.0), field_rate=(0.0, 0.0, 0.01), torques=torques
        ),
    }[make]()
    craft = plant.Spacecraft(plant.RigidBody(J), torques=torques)
    start = from_euler_angles((0.4, 0.7, -0.3), "3-1-3")
    runs = [
        sim.simulate(
            craft,
            law,
            attitude=start,
            rate=(0.1, -0.1, 0.05),
            duration=1.0,
            integrator="rk4",
            step=0.05,
            compiled=compiled,
        )
        for compiled in (True, False)
    ]
    np.testing.assert_allclose(runs[0].states, runs[1].states, rtol=0, atol=1e-12)
    np.testing.assert_allclose(runs[0].inputs, runs[1].inputs, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: shaping(sample=0.0), "sample"),
        (lambda: controllers.EnergyShaping(stiffness=-1, damping=1, inertia=J, sample=1), "stiffness"),
        (lambda: sliding(slope=(0.1, 0.0, 0.1)), "slope must be"),
        (lambda: sliding(boundary_layer=0.0), "boundary layer must be"),
        (lambda: controllers.RateDamping(gain=0.0, sample=0.1), "gain must be positive definite"),
        (lambda: controllers.RateDamping(gain=1.0, sample=0.1, field=(0, 0, 0)), "gives no torque"),
        (lambda: controllers.RateDamping(gain=1.0, sample=0.1, field_rate=(0, 0, 1)), "a field rate needs a field"),
    ],
)
def test_nonlinear_laws_reject_bad_input(call, words):
    with pytest.raises(plant.InputError, match=words):
        call()


def test_nonlinear_laws_reject_another_torque_basis():
    craft = plant.Spacecraft(plant.RigidBody(J), torques=plant.TorqueBasis("inertial"))
    with pytest.raises(plant.DesignError, match=r"give SlidingMode\(torques=craft.torques\)"):
        sliding().margins(craft.linearize(craft.at_rest()))
