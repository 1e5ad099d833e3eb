"""Hysteresis rods against the published equation in its own variables, the area of the loop, and balances."""

import numpy as np
import pytest
from scipy.integrate import quad, solve_ivp
from scipy.optimize import brentq

from polhode import plant, sim
from polhode.plant import InputError
from polhode.plant.attitude import rotation_matrix
from polhode.plant.environment import EnvironmentLoads
from polhode.plant.environment.budget import torque_budget
from polhode.plant.environment.fields_along_orbit import FieldsAlongOrbit
from polhode.plant.environment.spline_table import COLUMNS, spline_coefficients
from polhode.plant.hub.dynamics import derivative, no_user_loads

MU0 = 4e-7 * np.pi  # of the SI before 2019: 5e-10 from today's
ROD = {
    "volume": 3e-6,
    "saturation": 0.025,
    "remanence": 0.004,
    "coercive_force": 12.0,
    "reversal_slope": 0.1,
    "exponent": 4.75,
}
BODY = plant.RigidBody((0.022, 0.021, 0.005))


def rod(**changed):
    return plant.HysteresisRod(**{"axis": (1, 0, 0), **ROD, **changed})


def rows(field, t):
    """Columns of the environment at times t with a magnetic field B(t)."""
    columns = np.zeros((len(t), COLUMNS.size))
    columns[:, COLUMNS.position], columns[:, COLUMNS.sun + 1] = 7e6, 1.5e11
    columns[:, COLUMNS.field : COLUMNS.field + 3] = np.array([field(each) for each in t])
    return columns


def environment(field, *, duration=4000.0, intervals=400, **loads):
    """Loads in a magnetic field B(t) (T), which is tabulated."""
    table = spline_coefficients(lambda t: rows(field, t), 0.0, duration, intervals)
    fields = FieldsAlongOrbit(orbit=None, duration=duration, coefficients=table, contacts=(), magnetic=True)
    return EnvironmentLoads(fields=fields, **loads)


def steady(_):
    return np.array((0.0, 0.0, 4e-5))


def turning(t):
    """Field of a polar orbit: it rotates, and its magnitude changes."""
    a = 2e-3 * t
    return 3e-5 * np.array((np.cos(a), 0.3, 2.0 * np.sin(a)))


def spacecraft(*rods, field=steady, body=BODY, **loads):
    return plant.Spacecraft(body, elements=rods, potentials=[environment(field, **loads)])


def lag_of(run):
    """Lag of the only rod over the rows of a run, A/m."""
    return run.states[:, run.craft.layout.names.index("rod_lag")]


def loop(H, *, rising, at=ROD):
    """Induction on the saturated loop."""
    k = np.tan(0.5 * np.pi * at["remanence"] / at["saturation"]) / at["coercive_force"]
    return 2.0 * at["saturation"] / np.pi * np.arctan(k * (H - (1.0 if rising else -1.0) * at["coercive_force"]))


def published_slope(B, H, rate, at=ROD):
    """dB/dt of Flatley & Henretty in terms of the induction."""
    k = np.tan(0.5 * np.pi * at["remanence"] / at["saturation"]) / at["coercive_force"]
    Hc, Bs, q0 = at["coercive_force"], at["saturation"], at["reversal_slope"]
    middle = np.tan(0.5 * np.pi * B / Bs) / k
    f = (H - (middle - Hc)) / (2.0 * Hc) if rate >= 0.0 else ((middle + Hc) - H) / (2.0 * Hc)
    share = q0 + (1.0 - q0) * np.clip(f, 0.0, 1.0) ** at["exponent"]
    return share * 2.0 * Bs * k / np.pi * np.cos(0.5 * np.pi * B / Bs) ** 2 * rate


def independent(craft, field, axes, *, rate, stop, dipole=(0.0, 0.0, 0.0)):
    """Integrate rotation matrix, rate and inductions of rods along body axes, with the published equation."""
    J = craft.body.inertia

    def slope(t, y):
        R, w, B = y[:9].reshape(3, 3), y[9:12], y[12:]
        b = R.T @ field(t)
        change = R.T @ ((field(t + 1e-2) - field(t - 1e-2)) / 2e-2) - np.cross(w, b)
        moment = np.array(dipole) + ROD["volume"] / MU0 * B @ axes
        dB = [published_slope(each, a @ b / MU0, a @ change / MU0) for each, a in zip(B, axes, strict=True)]
        turn = np.array(((0, -w[2], w[1]), (w[2], 0, -w[0]), (-w[1], w[0], 0)))
        return np.concatenate([(R @ turn).ravel(), np.linalg.solve(J, np.cross(J @ w, w) + np.cross(moment, b)), dB])

    k = np.tan(0.5 * np.pi * ROD["remanence"] / ROD["saturation"]) / ROD["coercive_force"]
    start = 2.0 * ROD["saturation"] / np.pi * np.arctan(k * (axes @ field(0.0)) / MU0)
    y = np.concatenate([np.eye(3).ravel(), rate, start])
    return solve_ivp(slope, (0.0, stop), y, method="RK45", rtol=1e-8, atol=1e-13, max_step=2.0).y[:, -1]


def test_motion_matches_published_equation_in_a_turning_field():
    axes, rate, dipole = np.array(((1.0, 0, 0), (0, 0.6, 0.8))), (0.01, -0.015, 0.02), (0.05, 0.0, 0.3)
    craft = spacecraft(*(rod(axis=a) for a in axes), field=turning, residual_dipole=dipole)
    run = sim.simulate(craft, rate=rate, duration=1500.0, step=0.5, integrator="rk4", output_step=10.0)
    y = independent(craft, turning, axes, rate=rate, stop=1500.0, dipole=dipole)
    np.testing.assert_allclose(run.values("rate")[-1], y[9:12], atol=2e-7)  # of 0.02 rad/s; kinks at reversals
    np.testing.assert_allclose(rotation_matrix(run.states[-1, 3:7]), y[:9].reshape(3, 3), atol=2e-5)
    np.testing.assert_allclose(run.values("induction")[-1], y[12:], atol=1e-7)  # of 0.01 T
    free = sim.simulate(spacecraft(field=turning, residual_dipole=dipole), rate=rate, duration=1500.0)
    assert np.abs(free.values("rate")[-1] - y[9:12]).max() > 1e-3  # the rods matter


@pytest.mark.parametrize("initial", [0.0, 0.3])
def test_saturated_cycle_loses_the_area_of_the_loop(initial):
    """A heavy body turns at a constant rate; the ends of the cycle at 0.03 T are near saturation."""
    body, rate, size = plant.RigidBody((1e9, 1e9, 1e9)), 2.0 * np.pi / 1000.0, 0.03
    one = rod(reversal_slope=initial)
    craft = spacecraft(one, field=lambda _: np.array((0.0, 0.0, size)), body=body)
    run = sim.simulate(craft, rate=(0, rate, 0), duration=2000.0, step=0.04, integrator="rk4", output_step=0.04)
    h, b = run.values("applied_field")[25000:, 0], run.values("induction")[25000:, 0]
    area = -np.trapezoid(b, h)
    between, _ = quad(lambda H: loop(H, rising=False) - loop(H, rising=True), -size / MU0, size / MU0, points=[0.0])
    assert area == pytest.approx(between, rel=2e-3)  # the ends are rounded by 2 Hc of 24 kA/m
    assert one.volume * area == pytest.approx(one.largest_loss, rel=3e-3)
    assert one.largest_loss == 4.0 * 3e-6 * 12.0 * 0.025
    rising = (np.gradient(h) > 0.0) & (np.abs(h) < 2000.0)
    np.testing.assert_allclose(b[rising], loop(h[rising], rising=True), atol=2e-6)
    falling = (np.gradient(h) < 0.0) & (np.abs(h) < 2000.0)
    np.testing.assert_allclose(b[falling], loop(h[falling], rising=False), atol=2e-6)


def test_kinetic_energy_falls_by_the_work_on_the_rod():
    craft = spacecraft(rod(), field=steady)
    run = sim.simulate(craft, rate=(0, 0.05, 0.001), duration=2000.0, step=0.25, integrator="rk4", output_step=0.25)
    rate = run.values("rate")
    kinetic = 0.5 * np.sum(rate @ BODY.inertia * rate, axis=1)
    work = 3e-6 * np.trapezoid(run.values("induction")[:, 0], run.values("applied_field")[:, 0])
    assert kinetic[-1] - kinetic[0] == pytest.approx(work, rel=1e-4)
    assert kinetic[-1] < 0.7 * kinetic[0]
    assert np.abs(run.values("energy_balance")).max() < 1e-6 * kinetic[0]
    cycles = run.values("induction")[:, 0], lag_of(run)
    assert np.abs(cycles[0]).max() < 0.025
    assert np.abs(cycles[1]).max() <= 12.0


def test_parallel_rod_at_rest_exerts_no_torque():
    run = sim.simulate(spacecraft(rod(axis=(0, 0, 2)), field=steady), duration=100.0)
    assert not run.values("rate").any()
    assert run.values("applied_field")[-1, 0] == pytest.approx(4e-5 / MU0, rel=1e-9)


def test_equal_rods_act_as_one_of_their_volume():
    rate = (0.02, 0.03, 0.01)
    two, one = spacecraft(rod(volume=2e-6), rod(volume=1e-6)), spacecraft(rod())
    runs = [sim.simulate(each, rate=rate, duration=500.0, step=1.0) for each in (two, one)]
    assert two.layout.names[-2:] == ("rod_1_lag", "rod_2_lag")
    np.testing.assert_allclose(*(each.values("rate") for each in runs), rtol=1e-10, atol=1e-14)


def test_budget_names_the_torque_of_the_rods():
    craft = spacecraft(rod(), rod(axis=(0, 1, 0)), field=turning, residual_dipole=(0.0, 0.0, 0.2))
    run = sim.simulate(craft, rate=(0.01, 0.02, 0), duration=1000.0, step=0.5, integrator="rk4", output_step=1.0)
    states = np.asarray(run.states)[:, : craft.layout.size]
    budget = torque_budget(craft, np.asarray(run.t), states=states, rate=run.values("rate"), period=float("nan"))
    assert budget.sources == ("residual dipole", "hysteresis rods")
    assert budget.peak[1] > 1e-8
    gained = run.values("inertial_momentum")[-1] - run.values("inertial_momentum")[0]
    np.testing.assert_allclose(budget.momentum.sum(axis=0), gained, atol=2e-4 * np.abs(budget.momentum).max())


def test_batch_equals_single_runs():
    crafts = [spacecraft(rod(volume=v), rod(axis=(0, 1, 1)), field=turning) for v in (1e-6, 3e-6, 5e-6)]
    settings = {"duration": 300.0, "step": 1.0, "integrator": "rk4", "rate": (0.02, 0.01, -0.03)}
    runs = sim.simulate_batch(crafts, **settings)
    for craft, run in zip(crafts, runs, strict=True):
        np.testing.assert_array_equal(run.states, sim.simulate(craft, **settings).states)


def test_compiled_and_python_runs_agree():
    craft = spacecraft(rod(), field=turning)
    settings = {"duration": 60.0, "step": 1.0, "integrator": "rk4", "rate": (0.02, 0.01, -0.03)}
    one, other = (sim.simulate(craft, **settings, compiled=compiled).states for compiled in (True, False))
    np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-15)


def test_rods_and_thrusters_keep_their_states_and_names():
    thrusters = plant.Propulsion([(0.1, 0, 0), (-0.1, 0, 0)], [(0, 1, 0), (0, 1, 0)])
    pair = [thrusters, rod()]
    pulse = plant.TorquePulse(1e-3, start=0.0, stop=10.0, coordinate="thruster_1_impulse")
    for elements in (pair, pair[::-1]):
        craft = spacecraft(*elements)
        assert set(craft.layout.names[-3:]) == {"thruster_1_impulse", "thruster_2_impulse", "rod_lag"}
        run = sim.simulate(craft, rate=(0, 0.05, 0), duration=20.0, step=0.5, torques=[pulse])
        impulse = run.states[-1, craft.layout.names.index("thruster_1_impulse")]
        assert impulse == pytest.approx(0.01, rel=1e-9)
        assert lag_of(run).any()
        assert not run.warnings


def test_rods_conserve_momentum_with_wheels_and_a_full_ring():
    """The field is along z, so no torque acts about it, and the balance includes the torque of the rods."""
    parts = (
        plant.Wheel(axis=(0, 0, 1), inertia=1e-4, friction=1e-7, relative_rate=200.0),
        plant.RingDamper(axis=(0, 1, 0), mass=0.05, radius=0.1, friction=1e-3),
    )
    body = plant.RigidBody((0.022, 0.021, 0.005), mass=3.0)
    craft = spacecraft(rod(), *parts, rod(axis=(0, 1, 0)), body=body, gravity_gradient=False)
    run = sim.simulate(craft, rate=(0.03, 0.05, 0.01), duration=600.0, step=0.025, integrator="rk4", output_step=1.0)
    momentum = run.values("inertial_momentum")
    size = np.linalg.norm(momentum[0])
    np.testing.assert_allclose(momentum[:, 2], momentum[0, 2], atol=1e-10 * size)
    assert np.abs(momentum[:, :2] - momentum[0, :2]).max() > 1e-4 * size  # the rods act
    assert np.abs(run.values("momentum_balance")).max() < 1e-8 * size
    assert np.abs(run.values("energy_balance")).max() < 1e-6 * run.values("energy")[0]


def test_derivative_propagates_through_the_kernel():
    """Complex steps in every state agree with differences, so that a host of an FMU gets correct derivatives."""
    craft = spacecraft(rod(), field=turning)
    x = craft.state(rate=(0.02, 0.01, -0.03))
    x[-1] = 3.0
    p = craft.pack()

    def slopes(state):
        dx, w = np.zeros(state.size, dtype=complex), np.zeros(craft.work_space().size, dtype=complex)
        derivative(5.0, state, np.zeros(3), p, dx, no_user_loads, w)
        return dx

    for n in range(len(x)):
        h = 1e-5 * max(abs(x[n]), 1e-3)
        step = np.eye(len(x))[n]
        exact = np.imag(slopes(x + 1e-20j * step)) / 1e-20
        differences = (slopes(x + h * step) - slopes(x - h * step)).real / (2.0 * h)
        np.testing.assert_allclose(exact, differences, rtol=1e-6, atol=1e-8 * np.abs(differences).max())


@pytest.mark.parametrize("factor", [1e-5, 5e-4, 0.01])
def test_apparent_remanence_is_that_of_the_sheared_loop(factor):
    """At zero applied field on the falling branch, the inner field is that of the magnetised rod itself."""
    given = {**ROD, "saturation": 0.73, "remanence": 0.35, "coercive_force": 1.59}
    left = brentq(lambda B: loop(-factor * B / MU0, rising=False, at=given) - B, 0.0, 0.35, xtol=1e-15)
    one = rod(**{**given, "demagnetisation": factor})
    assert one.apparent_remanence == pytest.approx(left, rel=1e-8)
    assert one.induction(0.0, -1.59) == pytest.approx(left, rel=1e-8)
    if factor > 1e-4:  # then the rod, not its material, sets the remanence
        assert left == pytest.approx(MU0 * 1.59 / factor, rel=0.1)


def test_rod_needs_a_magnetic_field():
    with pytest.raises(InputError, match="HysteresisRod needs a magnetic field, but the spacecraft has none"):
        plant.Spacecraft(BODY, elements=[rod()])


def test_environments_with_different_fields_are_refused():
    two = [environment(steady), environment(turning)]
    with pytest.raises(
        InputError, match="HysteresisRod reads one magnetic field, but the spacecraft has 2 Environment"
    ):
        plant.Spacecraft(BODY, elements=[rod()], potentials=two)
    equal = [environment(steady), environment(steady, residual_dipole=(0.0, 0.0, 0.1))]
    craft = plant.Spacecraft(BODY, elements=[rod()], potentials=equal)
    assert len(craft.potentials) == 2


def test_rod_has_no_linear_model():
    craft = spacecraft(rod())
    with pytest.raises(InputError, match="no linear model, since its induction depends on the history"):
        craft.linearize(craft.state(), allow_nonequilibrium=True)


def test_no_force_acts_on_a_rod():
    pulse = plant.TorquePulse(1.0, start=0.0, stop=1.0, coordinate="rod_lag")
    with pytest.raises(InputError, match="no torque or force can act on 'rod_lag': the magnetic field determines"):
        sim.simulate(spacecraft(rod()), duration=10.0, torques=[pulse])


def test_implicit_integrators_are_refused():
    with pytest.raises(InputError, match="cannot be used with a HysteresisRod element"):
        sim.simulate(spacecraft(rod()), duration=10.0, integrator="gauss4", step=1.0)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"remanence": 0.03}, "remanence of a hysteresis rod must be below its saturation of 0.025 T; got 0.03 T"),
        ({"coercive_force": 0.0}, "coercive force"),
        ({"volume": -1.0}, "volume"),
        ({"reversal_slope": 1.2}, "reversal slope"),
        ({"exponent": 0.0}, "exponent"),
        ({"demagnetisation": 0.5}, "demagnetisation"),
        ({"axis": (0, 0, 0)}, "axis"),
    ],
)
def test_values_out_of_range_are_refused(changed, message):
    with pytest.raises(InputError, match=message):
        rod(**changed)
