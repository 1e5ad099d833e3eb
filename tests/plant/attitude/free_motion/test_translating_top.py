"""The top with translation and pivot reaction is equivalent to the pivoted top."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from polhode import plant
from polhode.plant.attitude import rotation_matrix
from polhode.plant.attitude.free_motion import TranslatingTop

TOP = TranslatingTop(pivot_inertia=(5, 5, 1), mass=20 / 9.81, pivot=(0, 0, -1), gravity=(0, 0, -9.81))
PIVOTED = plant.Spacecraft(
    plant.RigidBody(TOP.inertia, mass=TOP.mass, pivot=TOP.pivot), potentials=[plant.UniformGravity((0, 0, -9.81))]
)
E = (np.cos(0.15), np.sin(0.15), 0.0, 0.0)
OMEGA = np.array((0.3, -0.2, 50.0))


@pytest.mark.slow
def test_translating_top_matches_the_pivoted_top():
    options = {"method": "DOP853", "rtol": 1e-13, "atol": 1e-14, "t_eval": np.linspace(0, 1, 11)}
    one = solve_ivp(lambda t, x: TOP.derivative(x), (0, 1), TOP.state(rate=OMEGA, attitude=E), **options).y.T
    start = PIVOTED.state(rate=OMEGA, attitude=E)
    other = solve_ivp(PIVOTED.derivative, (0, 1), start, **options).y.T
    np.testing.assert_allclose(one[:, 9:], other[:, 3:7], rtol=0, atol=1e-12)
    rates = np.array([PIVOTED.rate(x) for x in other])
    np.testing.assert_allclose(one[:, 6:9], rates @ TOP.inertia, rtol=0, atol=1e-12 * 50)
    place = np.array([-rotation_matrix(x[9:] / np.linalg.norm(x[9:])) @ TOP.pivot for x in one])
    np.testing.assert_allclose(one[:, :3], place, rtol=0, atol=1e-12)  # the pivot is at rest


@pytest.mark.slow
def test_translating_top_mass_centre_matches_reference():
    options = {"method": "DOP853", "rtol": 1e-13, "atol": 1e-14, "t_eval": (0.1, 1.0)}
    x = solve_ivp(lambda t, x: TOP.derivative(x), (0, 1), TOP.state(rate=(0, 0, 50.0), attitude=E), **options).y.T
    # integrated independently in both forms
    np.testing.assert_allclose(x[0, :3], (0.00188111833655, -0.300722810371, 0.953709731898), rtol=0, atol=2e-12)
    np.testing.assert_allclose(x[1, :3], (0.127091429918704, -0.294409779766753, 0.947190925853341), rtol=0, atol=2e-12)


def test_translating_top_reaction_at_rest_is_the_weight():
    np.testing.assert_allclose(TOP.reaction(TOP.state(rate=(0, 0, 0))), (0, 0, 20.0), rtol=0, atol=1e-14)


@pytest.mark.slow
def test_translating_top_conserves_energy():
    def energy(x):
        return 0.5 * x[3:6] @ x[3:6] / TOP.mass + 0.5 * x[6:9] @ np.linalg.solve(TOP.inertia, x[6:9]) + 20.0 * x[2]

    x = solve_ivp(
        lambda t, x: TOP.derivative(x),
        (0, 5),
        TOP.state(rate=OMEGA, attitude=E),
        method="DOP853",
        rtol=1e-13,
        atol=1e-14,
    ).y.T
    assert energy(x[-1]) == pytest.approx(energy(x[0]), rel=1e-12)


def test_translating_top_rejects_too_small_inertia():
    with pytest.raises(plant.InputError, match=r"too small for 2 kg at 2 m.*would be -3 kg m\^2, but must be above 0"):
        TranslatingTop(pivot_inertia=(5, 5, 1), mass=2.0, pivot=(0, 0, -2), gravity=(0, 0, -9.81))
