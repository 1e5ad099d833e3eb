"""All formulations describe the same motion, each with its multiplier."""

import numpy as np
import pytest

from polhode.plant import RigidBody, SingularBasisError, Spacecraft
from polhode.plant.attitude import from_euler_angles, matrix_G, quaternion_matrices, singular_middle_angles
from polhode.plant.formulations import FORMULATIONS, Load, RotationModel, accelerations

# omega' is of order 1 to 10 here and takes about fifty operations: 1e-12 is a thousand units of round-off. Near
# gimbal lock the angles lose 1/c; the random states stay within c > 0.1.
SAME = 1e-12


def test_formulation_accelerations_match_newton_euler(case, choice) -> None:
    model = case.model(*choice)
    alpha, e_second = accelerations(model, model.state(case.attitude, case.rate), load=case.load)
    assert np.abs(alpha - case.acceleration).max() < SAME
    e = model.attitude(model.state(case.attitude, case.rate))  # in Euler angles it may be -e
    expected = 0.5 * matrix_G(e).T @ case.acceleration - 0.25 * (case.rate @ case.rate) * e
    assert np.abs(e_second - expected).max() < SAME


def test_formulation_rates_match_the_plant(case, choice) -> None:
    model = case.model(*choice)
    craft = Spacecraft(RigidBody(case.inertia))
    rates = craft.derivative(0.0, craft.spinning(case.rate, attitude=case.attitude), u=case.torque)
    x = model.state(case.attitude, case.rate)
    alpha, _ = accelerations(model, x, load=case.load)
    assert np.abs(case.inertia @ alpha - rates[0:3]).max() < SAME
    # the rate of change of e along the derivative of the state
    step = 1e-7  # central difference: error of order 1e-14 from truncation, 1e-9 from round-off
    dx = model.derivative(x, case.load)
    change = (model.attitude(x + step * dx) - model.attitude(x - step * dx)) / (2.0 * step)
    sign = np.sign(model.attitude(x) @ case.attitude)
    assert np.abs(sign * change - rates[3:7]).max() < 1e-8 * max(1.0, np.abs(dx).max() ** 2)


def test_formulation_state_round_trip(case, choice) -> None:
    model = case.model(*choice)
    x = model.state(case.attitude, case.rate)
    assert x.shape == (model.formulation.size,) == (len(model.formulation.units),)
    assert np.abs(model.rate(x) - case.rate).max() < 1e-14 * 20  # a few products and quotients
    e = model.attitude(x)
    assert min(np.abs(e - case.attitude).max(), np.abs(e + case.attitude).max()) < 1e-15 * 10
    again = model.state(e, model.rate(x))
    assert np.abs(again - x).max() < 1e-13 * max(1.0, np.abs(x).max())


def expected_multipliers(case) -> dict[str, float]:
    twice_energy = float(case.rate @ case.inertia @ case.rate)
    point = case.load.point
    turned, straight = float(point @ case.body_force), float(point @ case.load.force)
    return {
        "hamilton-8": -2.0 * twice_energy,
        "hamilton-8-canonical": 0.0,
        "lagrange-23": 0.0,
        "lagrange-29": 2.0 * twice_energy,
        "lagrange-82": 2.0 * turned,
        "lagrange-29-82": 2.0 * twice_energy + 2.0 * turned,
        "lagrange-qp2": 2.0 * turned + 2.0 * straight,
        "schwab-42": twice_energy,
    }


def test_formulation_multipliers_match_closed_forms(case) -> None:
    computed = {
        name: case.model(name).multiplier(case.model(name).state(case.attitude, case.rate), case.load)
        for name, formulation in FORMULATIONS.items()
        if formulation.multiplier
    }
    assert computed == pytest.approx(expected_multipliers(case), abs=SAME)


def test_lagrange_29_multiplier_matches_published_expression(case) -> None:
    """-8 e' Gdot' J G e', Euler-parameter notes (30)."""
    model = case.model("lagrange-29")
    x = model.state(case.attitude, case.rate)
    G, Gdot = matrix_G(x[0:4]), matrix_G(x[4:8])
    expected = -8.0 * x[0:4] @ Gdot.T @ case.inertia @ G @ x[4:8]
    assert model.multiplier(x, case.load) == pytest.approx(expected, abs=SAME)


def augmented(case, name: str, x: np.ndarray) -> np.ndarray:
    """The 5 x 5 system as printed in the document (corrected), solved by elimination."""
    q, d = x[0:4], x[4:8]
    G, Gdot, J = matrix_G(q), matrix_G(d), case.inertia
    if name == "schwab-42":
        Q, _ = quaternion_matrices(q)
        Qdot, _ = quaternion_matrices(d)
        D = np.zeros((4, 4))
        D[1:, 1:] = J
        matrix, gradient = 4.0 * Q @ D @ Q.T, 2.0 * q
        right = 2.0 * Q @ np.append(0.0, case.load.body_torque) + 8.0 * Qdot @ D @ Qdot.T @ q
        last = -2.0 * d @ d
    else:
        matrix, gradient, last = 4.0 * G.T @ J @ G, q, -d @ d
        gyroscopic = 8.0 * Gdot.T @ J @ G @ d
        right = 2.0 * G.T @ case.load.body_torque
        right = right - (gyroscopic if name == "lagrange-29" else G.T @ G @ gyroscopic)
    whole = np.zeros((5, 5))
    whole[:4, :4], whole[:4, 4], whole[4, :4] = matrix, gradient, gradient
    return np.linalg.solve(whole, np.append(right, last))


@pytest.mark.parametrize("scale", [1.0, 1.3])
@pytest.mark.parametrize("name", ["lagrange-23", "lagrange-29", "schwab-42"])
def test_augmented_systems_match_elimination(case, name: str, scale: float) -> None:
    """On the constraint and off it, the closed inverse is equivalent to elimination."""
    model = case.model(name)
    x = model.state(case.attitude, case.rate)
    x[0:4] *= scale
    load = Load(body_torque=case.load.body_torque)
    solution = augmented(case, name, x)
    assert np.abs(model.derivative(x, load)[4:8] - solution[0:4]).max() < SAME
    assert model.multiplier(x, load) == pytest.approx(solution[4], abs=10 * SAME)


def test_schwab_42_as_printed_lacks_the_gyroscopic_torque(case) -> None:
    Q, _ = quaternion_matrices(case.attitude)
    Qdot, _ = quaternion_matrices(0.5 * matrix_G(case.attitude).T @ case.rate)
    D = np.zeros((4, 4))
    D[1:, 1:] = case.inertia
    assert np.abs(8.0 * Qdot @ D @ Q.T @ case.attitude).max() < 1e-14 * 10  # printed
    assert np.abs(8.0 * Qdot @ D @ Qdot.T @ case.attitude).max() > 0.1  # corrected


def test_lagrange_25_equals_lagrange_23_off_the_constraint(case) -> None:
    one, other = case.model("lagrange-23"), case.model("lagrange-25")
    x = 1.2 * one.state(case.attitude, case.rate)
    assert np.abs(one.derivative(x, case.load) - other.derivative(x, case.load)).max() < SAME
    shorter = case.model("lagrange-29")
    assert np.abs(one.derivative(x, case.load) - shorter.derivative(x, case.load)).max() > 1e-3


def test_hamilton_8_momentum_along_e_changes_the_rotation(case) -> None:
    """No effect in the canonical form; in (36) with k of (20) it changes h' by -1/4 d omega."""
    d = 0.1
    for name, off in (("hamilton-8-canonical", 0.0), ("hamilton-8", -0.25 * d)):
        model = case.model(name)
        x = model.state(case.attitude, case.rate)
        x[0:4] += d * case.attitude
        alpha, _ = accelerations(model, x, load=case.load)
        assert np.abs(model.rate(x) - case.rate).max() < SAME
        assert np.abs(case.inertia @ (alpha - case.acceleration) - off * case.rate).max() < SAME


@pytest.mark.parametrize("name", [name for name in FORMULATIONS if FORMULATIONS[name].size == 8])
def test_projection_keeps_attitude_and_rate(case, name: str) -> None:
    model = case.model(name)
    x = model.state(case.attitude, case.rate) + 0.01 * np.arange(8.0)
    rate, e = model.rate(x), model.attitude(x)
    model.formulation.project(x)
    assert np.abs(model.rate(x) - rate).max() < SAME
    assert np.abs(model.attitude(x) - e / np.linalg.norm(e)).max() < SAME
    first, second = x[0:4], x[4:8]
    assert abs(first @ second) < SAME * 10  # e.e' or e.g


def test_formulation_rejects_gimbal_lock(choice) -> None:
    name, sequence = choice
    model = RotationModel(name, (3.0, 2.0, 1.5), sequence=sequence)
    if sequence is None:
        assert model.lock_distance(model.state((1, 0, 0, 0), (1, 2, 3))) == np.inf
        return
    for middle in singular_middle_angles(sequence):
        with pytest.raises(SingularBasisError, match=f"gimbal lock.*{sequence}"):
            model.state(from_euler_angles((0.3, middle, 0.0), sequence), (1, 2, 3))
        x = model.state(from_euler_angles((0.3, 0.7, 0.2), sequence), (1, 2, 3))
        x[model.formulation.middle] = middle
        with pytest.raises(SingularBasisError, match="use Euler parameters"):
            model.derivative(x)
        x[model.formulation.middle] = middle + 0.01
        assert model.lock_distance(x) == pytest.approx(0.01, abs=1e-12)
