"""Equations of motion on the examples of the documents, with an external integrator.

References: closed forms (elliptic functions) where available, otherwise independent derivations (symbolic Lagrangian,
Newton-Euler) integrated to at least twelve digits. Tolerances: the global error of DOP853 at rtol 1e-13 is several
hundred to several thousand times that over these spans.
"""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.special import ellipj, ellipk

from polhode import plant
from polhode.plant.attitude import from_euler_angles, rotation_matrix, to_euler_angles
from polhode.plant.hub.dynamics import derivative
from polhode.plant.loads.torque.torque_kernels import pose_distance


def integrate(craft: plant.Spacecraft, x, times, *, pulses=(), until=None, rtol=1e-13):
    """Return the states at the times with all pulses active, or the solution up to an event."""
    p, loads = craft.pack(pulses), craft.user_loads()
    w = craft.work_space()
    u = np.concatenate([np.zeros(3), *([1.0, *np.asarray(pulse.components)] for pulse in pulses)])

    def f(t, x):
        dx = np.zeros_like(x)
        derivative(t, x, u, p, dx, loads, w)
        return dx

    options = {"method": "DOP853", "rtol": rtol, "atol": 1e-2 * rtol}
    if until is not None:
        until.terminal = True
        return solve_ivp(f, (0, times), x, events=until, **options)
    return solve_ivp(f, (0, times[-1]), x, t_eval=times, **options).y.T


def same_attitude(computed, expected, atol):
    np.testing.assert_allclose(computed * np.sign(computed @ expected), expected, rtol=0, atol=atol)


# --- Shivarama & Fahrenthold (2004), example 1: a disk on a spring -------------------------------------------


def disk() -> plant.Spacecraft:
    """(45): V = 1/2 k y_p^2, a spring that acts on the height of its point only."""
    potential = plant.Potential(lambda c, e: 0.5 * 10.0 * (2.0 * e[1] * e[2] + 2.0 * e[0] * e[3]) ** 2)
    return plant.Spacecraft(plant.RigidBody((1.0, 1.0, 2.0)), potentials=[potential])


def test_dynamics_of_disk_on_spring_match_reference():
    craft = disk()
    x = craft.at_rest(from_euler_angles((np.radians(30), 0, 0), "3-2-1"))
    computed = integrate(craft, x, (1.0, 5.0))
    phi = 2 * np.arctan2(computed[:, 6], computed[:, 3])
    np.testing.assert_allclose(phi, (-0.261672071351137, -0.290824373935541), rtol=0, atol=1e-11)
    np.testing.assert_allclose(computed[:, 2], (-1.913511672698748, 1.831824118518006), rtol=0, atol=1e-11)
    np.testing.assert_array_equal(computed[:, (0, 1, 4, 5)], 0.0)


def test_dynamics_of_disk_on_spring_match_elliptic_functions():
    craft = disk()
    # J phi'' + 1/2 k r^2 sin 2 phi = 0 (46, corrected): sin phi = sin phi0 cd(w t | sin^2 phi0), w^2 = k r^2/J
    times = np.linspace(0.1, 3.0155619091642836, 12)
    x = craft.at_rest(from_euler_angles((np.radians(30), 0, 0), "3-2-1"))
    computed = integrate(craft, x, times)
    _, cn, dn, _ = ellipj(np.sqrt(5.0) * times + ellipk(0.25), 0.25)  # cd(u) = sn(u + K)
    sn = ellipj(np.sqrt(5.0) * times + ellipk(0.25), 0.25)[0]
    np.testing.assert_allclose(2 * computed[:, 3] * computed[:, 6], 0.5 * sn, rtol=0, atol=1e-11)
    rate = 0.5 * np.sqrt(5.0) * cn * dn / np.sqrt(1 - 0.25 * sn**2)
    np.testing.assert_allclose(computed[:, 2], 2 * rate, rtol=0, atol=1e-10)
    assert 4 * ellipk(0.25) / np.sqrt(5.0) == pytest.approx(times[-1], rel=1e-14)  # the last time is a full period


# --- example 2: a torque-free body ----------------------------------------------------------------------------


def test_dynamics_of_torque_free_body_match_reference():
    craft = plant.Spacecraft(plant.RigidBody((400, 307.808385, 200)))
    computed = integrate(craft, craft.state(momentum=(346.4101616, 0, -200)), (1.0, 5.0))
    h = (
        (318.591596368188, 162.509111336607, -179.137331441255),
        (164.183495269530, 364.453921789129, 14.7349527770526),
    )
    e = (
        (0.793495266398755, 0.412712489316550, 0.125749996327322, -0.429209275049577),
        (-0.815361179964271, 0.335970571804411, -0.103097152241880, 0.460087924519110),
    )
    np.testing.assert_allclose(computed[:, :3], h, rtol=0, atol=1e-9)  # 3e-12 of |h|
    for n in range(2):
        same_attitude(computed[n, 3:7], np.array(e[n]), 1e-11)


# --- example 3: a spinning top --------------------------------------------------------------------------------


def top_by_gravity() -> plant.Spacecraft:
    """Top with an inertia of diag(5, 5, 1) about the pivot."""
    m = 20.0 / 9.81
    body = plant.RigidBody((5 - m, 5 - m, 1), mass=m, pivot=(0, 0, -1))
    return plant.Spacecraft(body, potentials=[plant.UniformGravity((0, 0, -9.81))])


def top_by_potential() -> plant.Spacecraft:
    """V = W z_c, (47), with z_c = R33."""
    potential = plant.Potential(lambda c, e: 20.0 * (e[0] ** 2 - e[1] ** 2 - e[2] ** 2 + e[3] ** 2))
    return plant.Spacecraft(plant.RigidBody((5, 5, 1)), potentials=[potential])


@pytest.mark.parametrize("top", [top_by_gravity, top_by_potential])
def test_dynamics_of_spinning_top_match_reference(top):
    craft = top()
    x = craft.state(attitude=(np.cos(0.15), np.sin(0.15), 0, 0), momentum=(0, 0, 50))
    computed = integrate(craft, x, (0.1, 1.0))
    e = (
        (-0.791902492159700, -0.121323377514481, -0.0917920046608163, 0.591392685835803),
        (0.979325100768092, 0.140206927390516, 0.0821374128216831, -0.120489874812107),
    )
    c = (
        (0.00188111833655, -0.300722810371, 0.953709731898),
        (0.127091429918704, -0.294409779766753, 0.947190925853341),
    )
    for n in range(2):
        same_attitude(computed[n, 3:7], np.array(e[n]), 2e-12)
        np.testing.assert_allclose(rotation_matrix(computed[n, 3:7])[:, 2], c[n], rtol=0, atol=2e-12)
    np.testing.assert_allclose(computed[:, 2], 50.0, rtol=1e-12)  # gravity has no moment about the axis


def test_dynamics_of_top_reproduce_nutation_and_precession():
    craft = top_by_gravity()
    period = 2 * np.pi / 9.209424558206
    x = craft.state(attitude=(np.cos(0.15), np.sin(0.15), 0, 0), momentum=(0, 0, 50))
    computed = integrate(craft, x, (0.5 * period, period))
    angles = to_euler_angles(computed[:, 3:7], "3-1-3")
    # theta oscillates between 0.3 and its maximum; it is stationary at both turning points, so its tolerance is
    # tighter than that of the period printed to 13 digits
    np.testing.assert_allclose(angles[:, 1], (0.326733714644854, 0.3), rtol=0, atol=2e-12)
    assert angles[1, 0] / period == pytest.approx(0.416425036235, abs=1e-11)


# --- Choi (2014), section 2.3: a spring-mounted body ----------------------------------------------------------

OFFSET = np.array((0.003, 0.003, 0.008))  # mass centre relative to the geometric centre, m


def mounted_body() -> plant.Spacecraft:
    inertia = 1e-4 * np.array([[72, -0.532, -1.419], [-0.532, 72, -1.419], [-1.419, -1.419, 2.856]])
    springs = [
        plant.Spring(
            body_point=end - OFFSET,
            inertial_point=end - side,
            stiffness=0.1,
            natural_length=1.0,
            damping=0.1,
        )
        for side in np.eye(3)[:2]
        for end in np.array([(0, 0, -0.15), (0, 0, 0.15)])
    ]  # (24): the lengths are measured from one metre along -x or -y
    return plant.Spacecraft(plant.RigidBody(inertia, mass=1.056), potentials=springs, translation=True)


def start(craft: plant.Spacecraft, rate):
    """Undisplaced initial state with the geometric centre at rest."""
    return craft.state(rate=rate, position=OFFSET, velocity=np.cross(rate, OFFSET))


def test_dynamics_of_spring_mounted_body_match_choi_case_1():
    craft = mounted_body()
    # Case 1; at zero angles Euler rates are body rates
    computed = integrate(craft, start(craft, (1, 10, 1)), (1.0,))[0]
    # the figures are printed to 11 and 9 decimals
    same_attitude(computed[3:7], np.array((-0.28114592685, 0.63845943462, -0.64051413981, 0.32104229452)), 6e-12)
    np.testing.assert_allclose(craft.rate(computed), (-7.334177412, -0.589515934, 1.981949839), rtol=0, atol=6e-10)


def third(name, sequence=None) -> plant.TorquePulse:
    """Pulse 0.1 - c_r q_3' on the third vector of a basis, (28), (36), (37)."""
    basis = plant.TorqueBasis(name, sequence)
    return plant.TorquePulse((0, 0, 0.1), start=0, stop=20, basis=basis, euler_rate_damping=(0, 0, 0.01))


def test_dynamics_with_body_axis_torque_match_choi_case_3():
    craft = mounted_body()
    computed = integrate(craft, start(craft, (0, 0, 0)), (1.0,), pulses=[third("body")])[0]  # Case 3
    same_attitude(computed[3:7], np.array((0.14576695324, -0.00959302919, -0.01745500150, -0.98911844187)), 6e-12)
    np.testing.assert_allclose(craft.rate(computed), (0.183704090, 0.236488243, 9.992781039), rtol=0, atol=6e-10)


def test_dynamics_with_dual_torque_from_rest_avoid_singularity():
    craft = mounted_body()  # Case 2 as printed
    computed = integrate(craft, start(craft, (0, 0, 0)), (1.0,), pulses=[third("dual-euler", "1-2-3")])[0]
    np.testing.assert_allclose(craft.rate(computed), (0.184120166, 0.236413483, 9.989117226), rtol=0, atol=6e-10)


@pytest.mark.slow
def test_dynamics_with_dual_torque_reach_the_singular_pose():
    craft = mounted_body()  # Case 2 from the rates of Case 1: "around 0.161 s"
    x = start(craft, (1, 10, 1))
    pulses = [third("dual-euler", "1-2-3")]
    for distance, time in ((1e-3, 0.161482399), (1e-4, 0.161588613)):

        def near(t, x, distance=distance):
            return pose_distance(0, 1, 2, *x[3:7]) - distance

        # the torque, 0.1/c, has rounding noise of eps/c: a tighter bound would make the step size collapse
        ending = integrate(craft, x, 0.1617, pulses=pulses, until=near, rtol=1e-10)
        assert ending.status == 1  # terminated by the event
        assert ending.t[-1] == pytest.approx(time, abs=6e-10)  # printed to 9 decimals
    verdict = plant.singularity(pulses[0].basis, ending.y[3:7, -1], components=pulses[0].components)
    assert verdict.theorem == "Theorem 4 (C2)"
    assert verdict.amplification == pytest.approx(1e4, rel=1e-6)
