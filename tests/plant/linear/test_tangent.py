"""Exact linear models against analytic Jacobians and against the nonlinear plant."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.linalg import expm

from polhode import plant
from polhode.plant.attitude import (
    SEQUENCES,
    attitude_error,
    euler_rate_matrix_body,
    from_euler_angles,
    from_rotation_matrix,
    from_rotation_vector,
    matrix_G,
    quaternion_product,
    rotation_matrix,
)

TENSOR = np.array([[4.0, -0.5, 0.3], [-0.5, 3.1, 0.2], [0.3, 0.2, 2.0]])
E = np.array((0.5, -0.3, 0.7, 0.4)) / np.sqrt(0.99)
EXACT = 1e-13  # relative accuracy of the linear model
MU = 3.986004415e14


def cross(a):
    """Matrix of the cross product a x."""
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def assert_exact(computed, expected):
    np.testing.assert_allclose(computed, expected, rtol=0, atol=EXACT * np.abs(expected).max())


def free(J, omega):
    """A of a free body in steady rotation: delta' = delta x w + J^-1 q, q' = q x w + J w x J^-1 q."""
    inverse = np.linalg.inv(J)
    return np.block([[-cross(omega), inverse], [np.zeros((3, 3)), -cross(omega) + cross(J @ omega) @ inverse]])


def test_linearize_at_rest_is_a_double_integrator():
    craft = plant.Spacecraft(plant.RigidBody(TENSOR))
    model = craft.linearize(craft.at_rest(E))
    assert_exact(model.A, free(TENSOR, np.zeros(3)))
    assert_exact(model.B, np.vstack([np.zeros((3, 3)), np.eye(3)]))
    assert_exact(model.C, np.block([[np.eye(3), np.zeros((3, 3))], [np.zeros((3, 3)), np.linalg.inv(TENSOR)]]))
    np.testing.assert_array_equal(model.D, 0.0)
    assert model.residual == 0.0
    np.testing.assert_array_equal(model.inertia, TENSOR)
    np.testing.assert_array_equal(model.operating_point, craft.at_rest(E))


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_linearize_principal_spin_matches_analytic_jacobian(axis):
    craft = plant.Spacecraft(plant.RigidBody(TENSOR))
    omega = 1.3 * np.linalg.eigh(TENSOR)[1][:, axis]
    model = craft.linearize(craft.spinning(omega, attitude=E))
    assert_exact(model.A, free(TENSOR, omega))
    assert_exact(model.B, np.vstack([np.zeros((3, 3)), np.eye(3)]))
    assert model.residual < 1e-14  # N m: J w x w of rounded eigenvectors
    unstable = model.eigenvalues().real.max() > 1e-3
    assert unstable is np.bool_(axis == 1)  # the intermediate axis


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_linearize_input_matrix_of_all_torque_bases(sequence):
    a = np.array((0.4, 0.7, -1.1))
    e = from_euler_angles(a, sequence)
    basis = euler_rate_matrix_body(a, sequence)
    for torques, expected in (
        (plant.TorqueBasis("inertial"), rotation_matrix(e).T),
        (plant.TorqueBasis("euler", sequence), basis),
        (plant.TorqueBasis("dual-euler", sequence), np.linalg.inv(basis).T),
    ):
        craft = plant.Spacecraft(plant.RigidBody(TENSOR), torques=torques)
        model = craft.linearize(craft.at_rest(e))
        # 1/c < 1.6 here; inv() rounds as well, so the bound is on both
        np.testing.assert_allclose(model.B[3:], expected, rtol=0, atol=EXACT)
        np.testing.assert_array_equal(model.B[:3], 0.0)
        assert model.torques is torques


def top(rate: float):
    body = plant.RigidBody((2.0, 2.0, 1.0), mass=1.7, pivot=(0, 0, -1.0))
    craft = plant.Spacecraft(body, potentials=[plant.UniformGravity((0, 0, -9.81))])
    return craft, craft.spinning((0, 0, rate))


@pytest.mark.parametrize("rate", [1.0, 8.0])
def test_linearize_sleeping_top_reproduces_stability_condition(rate):
    craft, x = top(rate)
    model = craft.linearize(x)
    expected = free(craft.body.inertia, np.array((0, 0, rate)))
    weight = 1.7 * 9.81
    # torque m b x R'g with b = k: a rotation delta adds R'g x delta to R'g
    expected[3:, :3] += cross((0, 0, 1)) @ cross((0, 0, -weight))
    assert_exact(model.A, expected)
    J = craft.body.inertia
    asleep = (J[2, 2] * rate) ** 2 > 4 * J[0, 0] * weight  # the classical condition
    assert (model.eigenvalues().real.max() < 1e-6) == asleep  # a defective zero pair splits to sqrt(eps)


def orbiting():
    """Rotating with a circular orbit, axes along radius, track and normal."""
    n = np.sqrt(MU / 7.0e6**3)
    orbit = plant.GravityGradient(mu=MU, position=(7.0e6, 0, 0), velocity=(0, 7.0e6 * n, 0))
    craft = plant.Spacecraft(plant.RigidBody((400.0, 700.0, 800.0)), potentials=[orbit])
    return craft, craft.spinning((0, 0, n)), n


def test_linearize_circular_orbit_reproduces_libration():
    craft, x, n = orbiting()
    model = craft.linearize(x)
    J = craft.body.inertia
    r = np.array((1.0, 0, 0))  # body components; a rotation delta adds r x delta
    stiffness = 3 * n**2 * (cross(r) @ J - cross(J @ r)) @ cross(r)
    expected = free(J, np.array((0, 0, n)))
    expected[3:, :3] += stiffness
    for block in np.ndindex(2, 2):  # each block separately: they differ by ten orders of magnitude
        rows, columns = (slice(3 * k, 3 * k + 3) for k in block)
        # mu/r^3 from rounded position and velocity: the orbit is circular to 1e-15 only
        np.testing.assert_allclose(
            model.A[rows, columns], expected[rows, columns], rtol=0, atol=1e-12 * np.abs(expected[rows, columns]).max()
        )
    pitch = n * np.sqrt(3 * (J[1, 1] - J[0, 0]) / J[2, 2])
    assert np.abs(model.eigenvalues() - 1j * pitch).min() < 1e-11 * n


def test_linearize_rejects_inertially_fixed_cubesat_on_orbit():
    # all entries of the varying stiffness of so small a spacecraft are tiny, but must be detected
    n = np.sqrt(MU / 7.0e6**3)
    orbit = plant.GravityGradient(mu=MU, position=(7.0e6, 0, 0), velocity=(0, 7.0e6 * n, 0))
    craft = plant.Spacecraft(plant.RigidBody((1e-3, 2e-3, 2.5e-3)), potentials=[orbit])
    with pytest.raises(plant.EquilibriumError, match="varies in time"):
        craft.linearize(craft.at_rest())


def hanging():
    """Balanced on springs and a damper under gravity, with coupled translation and rotation."""
    points = np.array([(0.5, 0.3, 0.4), (-0.5, 0.3, 0.4), (0.0, -0.6, 0.4)])
    stiffness, weight = 40.0, 1.7 * 9.81
    stretch = np.array((0, 0, weight / 3 / stiffness))
    springs = [plant.Spring(body_point=b, inertial_point=b + stretch, stiffness=stiffness) for b in points]
    craft = plant.Spacecraft(
        plant.RigidBody(TENSOR, mass=1.7),
        potentials=[*springs, plant.UniformGravity((0, 0, -9.81))],
        translation=True,
    )
    return craft, craft.at_rest(), points, stiffness, stretch


def test_linearize_springs_couple_translation_and_rotation():
    craft, x, points, k, stretch = hanging()
    model = craft.linearize(x)
    J = np.linalg.inv(TENSOR)
    expected = np.zeros((12, 12))
    expected[:3, 3:6] = J
    expected[6:9, 9:] = np.eye(3) / 1.7
    for b in points:
        force = k * stretch
        # f' = -k (dc - b x delta) in space; in the body it also gains f x delta; the torque is b x that
        df = np.hstack([k * cross(b), np.zeros((3, 3)), -k * np.eye(3), np.zeros((3, 3))])
        expected[9:] += df
        inside = df.copy()
        inside[:, :3] += cross(force)
        expected[3:6] += cross(b) @ inside
    assert_exact(model.A, expected)
    assert model.states[6:] == (
        "position_x", "position_y", "position_z", "linear_momentum_x", "linear_momentum_y", "linear_momentum_z"
    )  # fmt: skip


def test_linearize_user_potential_matches_analytic_stiffness():
    A = np.array([[2.0, 0.3, -0.1, 0.4], [0.7, 1.0, 0.2, 0.5], [-0.2, 0.6, 3.0, 0.1], [0.9, -0.3, 0.8, 1.5]])
    S = A + A.T
    eigen = np.linalg.eigh(S)[1][:, 0]  # a stationary attitude: S e is along e, and G e = 0
    craft = plant.Spacecraft(plant.RigidBody(TENSOR), potentials=[plant.Potential(lambda c, e: e @ A @ e)])
    model = craft.linearize(craft.at_rest(eigen))
    G = matrix_G(eigen)
    lam = np.linalg.eigvalsh(S)[0]
    # torque -1/2 G(e) S e with de = 1/2 G' delta and dG e = -G de: -1/4 (G S G' - lambda I) delta
    assert_exact(model.A[3:, :3], -0.25 * (G @ S @ G.T - lam * np.eye(3)))
    assert_exact(model.A[:3], free(TENSOR, np.zeros(3))[:3])


def test_linearize_user_potential_with_arctan2_uses_dual_numbers():
    # arctan2 and norm break a complex step through V, but not dual numbers
    potential = plant.Potential(lambda c, e: 3.0 * (2.0 * np.arctan2(e[3], e[0])) ** 2 + np.linalg.norm(c - 5.0))
    craft = plant.Spacecraft(plant.RigidBody((4, 3, 2), pivot=(0, 0, 0)), potentials=[potential])
    model = craft.linearize(craft.at_rest(), outputs=("energy", "attitude"))
    assert_exact(model.A[3:, :3], np.diag((0, 0, -6.0)))  # V = 3 psi^2
    np.testing.assert_array_equal(model.C[0], 0.0)
    tilted = craft.linearize(
        craft.at_rest(from_rotation_vector((0, 0, 0.3))), outputs=("energy",), allow_nonequilibrium=True
    )
    np.testing.assert_allclose(tilted.C, [[0, 0, 6.0 * 0.3, 0, 0, 0]], rtol=0, atol=4e-15)


def test_linearize_user_effort_matches_analytic_jacobian():
    effort = plant.UserForce(
        lambda t, e, w, c, v: (*(-np.sqrt(w @ w) * w), 0.2 * v[1], 0.0 * t, -c[2]),
    )
    craft = plant.Spacecraft(plant.RigidBody((4, 3, 2), mass=2.0), user_forces=[effort], translation=True)
    spin = np.array((0, 0, 1.5))
    model = craft.linearize(craft.spinning(spin), allow_nonequilibrium=True)
    drag = -(1.5 * np.eye(3) + np.outer(spin, spin) / 1.5) @ np.diag((1 / 4, 1 / 3, 1 / 2))
    free_body = free(np.diag((4.0, 3.0, 2.0)), spin)[3:, 3:]
    assert_exact(model.A[3:6, 3:6], free_body + drag)
    assert_exact(model.A[9:, 6:9], np.diag((0, 0, -1.0)))
    np.testing.assert_allclose(model.A[9:, 9:], [[0, 0.1, 0], [0, 0, 0], [0, 0, 0]], rtol=0, atol=1e-16)
    assert model.residual == pytest.approx(1.5**2, rel=1e-15)


@pytest.mark.parametrize(
    "torque",
    [
        lambda w: -np.abs(w) * w,
        lambda w: -np.linalg.norm(w) * w,
        lambda w: -np.array([float(np.real(a)) ** 3 for a in w]),
        lambda w: -np.sign(np.real(w)) * 0.1 - 1e-9 * w,
    ],
    ids=["abs", "norm", "float", "friction at rest"],
)
def test_linearize_rejects_effort_that_drops_imaginary_part(torque):
    craft = plant.Spacecraft(
        plant.RigidBody((4, 3, 2)), user_forces=[plant.UserForce(lambda t, e, w, c, v: (*torque(w), 0.0, 0.0, 0.0))]
    )
    with pytest.raises(plant.InputError, match=r"write abs\(x\) as np.sqrt"):
        craft.linearize(craft.spinning((0, 0, 1.0)), allow_nonequilibrium=True)


def test_linearize_rejects_effort_that_fails_on_complex_numbers():
    import math

    effort = plant.UserForce(lambda t, e, w, c, v: (0.0, 0.0, -math.tanh(w[2]), 0.0, 0.0, 0.0))
    craft = plant.Spacecraft(plant.RigidBody((4, 3, 2)), user_forces=[effort])
    with pytest.raises(plant.InputError, match="failed on complex numbers"):
        craft.linearize(craft.at_rest())


def test_linearize_accepts_steep_effort():
    effort = plant.UserForce(lambda t, e, w, c, v: (0.0, 0.0, -np.tanh(w[2] / 1e-6), 0.0, 0.0, 0.0))
    craft = plant.Spacecraft(plant.RigidBody((4, 3, 2)), user_forces=[effort])
    assert craft.linearize(craft.at_rest()).A[5, 5] == pytest.approx(-1e6 / 2, rel=1e-13)


def forced():
    potential = plant.Potential(lambda c, e: np.exp(e[1]) + e[1] ** 2 * e[3] - e[1])
    craft = plant.Spacecraft(
        plant.RigidBody(TENSOR), torques=plant.TorqueBasis("dual-euler", "1-2-3"), potentials=[potential]
    )
    return craft, craft.at_rest()


SECOND_ORDER = {
    "rest": lambda: (
        (craft := plant.Spacecraft(plant.RigidBody(TENSOR), torques=plant.TorqueBasis("euler", "3-1-3"))),
        craft.at_rest(E),
    ),
    "spin": lambda: (
        (craft := plant.Spacecraft(plant.RigidBody(TENSOR))),
        craft.spinning(1.3 * np.linalg.eigh(TENSOR)[1][:, 2], attitude=E),
    ),
    "sleeping top": lambda: top(8.0),
    "springs": lambda: hanging()[:2],
    "user potential": forced,
}


@pytest.mark.parametrize("name", SECOND_ORDER)
def test_linearize_error_is_of_second_order(name):
    craft, x0 = SECOND_ORDER[name]()
    model = craft.linearize(x0)
    n, end = len(model.A), 1.0
    rng = np.random.default_rng(3)
    z, u = rng.normal(size=n), rng.normal(size=3)
    z[:3] *= 0.3
    step = np.zeros((n + 3, n + 3))
    step[:n, :n], step[:n, n:] = model.A, model.B
    linear = (expm(step * end) @ np.concatenate([z, u]))[:n]
    omega = craft.rate(x0)
    late = quaternion_product(x0[3:7], from_rotation_vector(omega * end))

    def difference(size):
        d = 0.5 * size * z[:3]
        e = quaternion_product(x0[3:7], np.concatenate([[np.sqrt(1 - d @ d)], d]))
        x = np.concatenate([x0[:3] + size * z[3:6], e, x0[7:] + size * z[6:]])
        y = solve_ivp(
            lambda t, x: craft.derivative(t, x, u=size * u), (0, end), x, method="DOP853", rtol=1e-12, atol=1e-13
        ).y[:, -1]
        delta = 2 * attitude_error(y[3:7] / np.linalg.norm(y[3:7]), late)[1:]
        return np.linalg.norm(np.concatenate([delta, y[:3] - x0[:3], y[7:] - x0[7:]]) - size * linear)

    # error c2 h^2 + c3 h^3: halving gives 4, off by c3 h/c2 of order 1e-3 .. 1e-2; round-off is 1e-11 of 1e-6
    assert difference(2e-3) / difference(1e-3) == pytest.approx(4.0, abs=0.1)


@pytest.mark.parametrize(
    ("craft", "state", "message"),
    [
        (
            plant.Spacecraft(plant.RigidBody((4, 3, 2))),
            {"rate": (1, 1, 0)},
            r"not steady: the rate of the momentum \(N m\) is \(0, 0, 1\).*spin about a principal axis",
        ),
        (
            plant.Spacecraft(plant.RigidBody((4, 3, 2), mass=1), translation=True),
            {"velocity": (0, 0.2, 0)},
            r"the rate of the position \(m/s\) is \(0, 0.2, 0\)",
        ),
        (
            plant.Spacecraft(
                plant.RigidBody((4, 3, 2), mass=1), translation=True, potentials=[plant.UniformGravity((0, 0, -9.81))]
            ),
            {},
            r"the rate of the linear momentum \(N\) is \(0, 0, -9.81\)",
        ),
        (
            plant.Spacecraft(plant.RigidBody((4, 3, 2)), torques=plant.TorqueBasis("inertial")),
            {"rate": (0, 0, 1)},
            "the linear model varies in time .* driven in an inertial or Euler basis",
        ),
        (
            plant.Spacecraft(
                plant.RigidBody((4, 4, 2)),
                elements=[plant.Wheel(axis=(0, 0, 1), inertia=0.08, relative_rate=97.0)],
                potentials=[plant.GravityGradient(mu=3.986e14, position=(0, 0, 7.0e6), velocity=(7546.0, 0, 0))],
            ),
            {},
            "within 1(00)? s.*the gravity gradient of a prescribed orbit",
        ),
        (
            plant.Spacecraft(
                plant.RigidBody((4, 3, 2)),
                user_forces=[plant.UserForce(lambda t, e, w, c, v: (0.1 * t, 0, 0, 0, 0, 0))],
            ),
            {},
            r"does not stay steady: at t = 1 s the rate of the momentum \(N m\) is \(0.1, 0, 0\)",
        ),
    ],
    ids=["tumbling", "drifting", "falling", "inertial torque on a spin", "orbit", "torque that grows"],
)
def test_linearize_rejects_unsteady_states(craft, state, message):
    x = craft.state(**state)
    with pytest.raises(plant.EquilibriumError, match=message):
        craft.linearize(x)
    model = craft.linearize(x, allow_nonequilibrium=True)
    assert np.isfinite(model.A).all()


def test_linearize_reports_the_residual():
    craft = plant.Spacecraft(plant.RigidBody((4, 3, 2)))
    assert craft.linearize(craft.spinning((1, 1, 0)), allow_nonequilibrium=True).residual == pytest.approx(1.0)


def test_linearize_accepts_rounded_equilibrium():
    # small, light, far from the origin, and balanced by numbers that have no exact binary representation
    for mass in (0.1, 1.3, 700.0):
        for height in (1.0, 1e4):
            spring = plant.Spring(
                body_point=(0, 0, 0.1), inertial_point=(0, 0, height), stiffness=7.3, natural_length=0.3, damping=1.1
            )
            craft = plant.Spacecraft(
                plant.RigidBody((2e-3, 2e-3, 3e-3), mass=mass),
                potentials=[spring, plant.UniformGravity((0, 0, -9.81))],
                translation=True,
            )
            craft.linearize(craft.state(position=(0, 0, height - 0.4 - mass * 9.81 / 7.3)))


def test_linearize_ignores_rounding_of_cancelling_couplings():
    # spinning on two springs along its axis: their couplings of position and attitude cancel, up to rounding that
    # varies in time
    axis = rotation_matrix(E)[:, 2]
    springs = [  # different, but forces and couplings balance
        plant.Spring(body_point=(0, 0, b), inertial_point=3.0 * b * axis, stiffness=700 / abs(b), natural_length=abs(b))
        for b in (0.7, -0.3)
    ]
    craft = plant.Spacecraft(plant.RigidBody((2, 2, 3), mass=0.3), potentials=springs, translation=True)
    coupling = craft.linearize(craft.spinning((0, 0, 1.0), attitude=E)).A[9:, :3]
    assert 0 < np.abs(coupling).max() < 1e-11  # of terms of some 500 N


def test_linearize_normalises_the_attitude():
    craft = plant.Spacecraft(plant.RigidBody(TENSOR), torques=plant.TorqueBasis("inertial"))
    x = craft.at_rest(E)
    x[3:7] *= 1 + 5e-7
    assert_exact(craft.linearize(x).B, craft.linearize(craft.at_rest(E)).B)


def test_linearize_accepts_principal_spins_of_any_scale():
    # rounding must not count as a change of the model, for any size of spacecraft or rate
    rng = np.random.default_rng(5)
    for scale in (1e-6, 1.0, 1e8):
        for rate in (1e-6, 1.0, 1e3):
            axes, _ = np.linalg.qr(rng.normal(size=(3, 3)))
            J = scale * axes @ np.diag((2.0, 3.0, 4.0)) @ axes.T
            craft = plant.Spacecraft(plant.RigidBody(J, mass=scale), translation=True)
            e = from_rotation_matrix(axes * np.sign(np.linalg.det(axes)))
            omega = rate * np.linalg.eigh(J)[1][:, 1]
            model = craft.linearize(craft.spinning(omega, attitude=e))
            np.testing.assert_allclose(model.A[:3, 3:6] @ J, np.eye(3), rtol=0, atol=1e-13)
