"""Betts 6.11: a space station unloads its control moment gyros by gravity gradient; the optimum, simulated in polhode.

The optimal control problem is solved here by Hermite-Simpson collocation, without polhode (feet, slugs, pounds). The
simulation of its torques checks the equations: gravity gradient, momentum of the gyros, orbital frame.
"""

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.plant.attitude import from_rotation_matrix, quaternion_product, rotation_matrix

ca = pytest.importorskip("casadi", reason="CasADi is in the extra guidance")
pytestmark = pytest.mark.slow

UPPER = (
    (2.80701911616e7, 4.822509936e5, -1.71675094448e7),
    (0.0, 9.5144639344e7, 6.02604448e4),
    (0.0, 0.0, 7.6594401336e7),
)
J = np.array(UPPER) + np.triu(UPPER, 1).T
ORBIT = np.radians(0.06511)  # rad/s
RATE = np.array((-9.5380685844896e-6, -1.1363312657036e-3, 5.3472801108427e-6))
RODRIGUES = np.array((2.9963689649816e-3, 0.15334477761054, 3.8359805613992e-3))
MOMENTUM, LARGEST, END, STEPS = 5000.0, 10000.0, 1800.0, 100
COST, PRINTED = 3586882.09, 3.586751e6  # another code at 200 steps; CGPOPS
UNITS = np.array((1e-3,) * 3 + (0.1,) * 3 + (1e4,) * 3)  # of rate, Rodrigues parameters and momentum
TORQUE = 100.0
HELD = 36  # samples of the simulation for each step of the collocation


def frame(r):
    """Return the last two columns of the matrix from orbital to body components."""
    s = ca.skew(r)
    C = ca.SX.eye(3) + 2 / (1 + ca.dot(r, r)) * (s @ s - s)
    return C[:, 1], C[:, 2]


def solved():
    """Cost, nodes (n, 9) and torques at nodes and midpoints (2 n - 1, 3)."""
    x, u = ca.SX.sym("x", 9), ca.SX.sym("u", 3)
    w, r, h = (x[3 * k : 3 * k + 3] * UNITS[3 * k] for k in range(3))
    y, z = frame(r)
    inertia = ca.DM(J)
    torque = 3 * ORBIT**2 * ca.cross(z, inertia @ z) - ca.cross(w, inertia @ w + h)
    turn = 0.5 * (r @ r.T + ca.SX.eye(3) + ca.skew(r)) @ (w + ORBIT * y)
    slope = ca.vertcat(ca.DM(np.linalg.inv(J)) @ (torque - TORQUE * u), turn, TORQUE * u) / ca.DM(UNITS)
    f = ca.Function("slope", [x, u], [slope])
    at_rest = ca.Function("rest", [x], [ca.vertcat(torque / TORQUE, turn / UNITS[3] * END)])
    step = END / STEPS
    X, U = ca.SX.sym("X", 9, 2 * STEPS + 1), ca.SX.sym("U", 3, 2 * STEPS + 1)
    rows, cost = [], 0
    for k in range(STEPS):
        a, m, b = 2 * k, 2 * k + 1, 2 * k + 2
        fa, fm, fb = (f(X[:, n], U[:, n]) for n in (a, m, b))
        rows.append(X[:, b] - X[:, a] - step / 6 * (fa + 4 * fm + fb))
        rows.append(X[:, m] - 0.5 * (X[:, a] + X[:, b]) - step / 8 * (fa - fb))
        cost += step / 6 * (ca.sumsqr(U[:, a]) + 4 * ca.sumsqr(U[:, m]) + ca.sumsqr(U[:, b]))
    equal = ca.vertcat(*rows, at_rest(X[:, -1]), X[6:9, -1])
    size = ca.vertcat(*(ca.sumsqr(X[6:9, n]) for n in range(2 * STEPS + 1)))
    start = np.concatenate((RATE, RODRIGUES, np.full(3, MOMENTUM))) / UNITS
    guess = np.tile(start, (2 * STEPS + 1, 1))
    guess[:, 6:] *= np.linspace(1.0, 0.0, 2 * STEPS + 1)[:, None]
    low, high = (np.full(guess.shape, side) for side in (-np.inf, np.inf))
    low[0] = high[0] = start
    free = np.full(U.numel(), np.inf)
    solver = ca.nlpsol(
        "station", "ipopt", {"x": ca.vertcat(ca.vec(X), ca.vec(U)), "f": cost / 100, "g": ca.vertcat(equal, size)},
        {"print_time": False, "ipopt": {"print_level": 0, "sb": "yes", "max_iter": 200}},
    )  # fmt: skip
    found = solver(
        x0=np.concatenate((guess.ravel(), np.zeros(U.numel()))),
        lbx=np.concatenate((low.ravel(), -free)), ubx=np.concatenate((high.ravel(), free)),
        lbg=np.concatenate((np.zeros(equal.numel()), np.full(size.numel(), -np.inf))),
        ubg=np.concatenate((np.zeros(equal.numel()), np.full(size.numel(), (LARGEST / UNITS[8]) ** 2))),
    )  # fmt: skip
    assert solver.stats()["success"]
    z = np.asarray(found["x"]).ravel()
    split = X.numel()
    states = z[:split].reshape(-1, 9) * UNITS
    return 100 * float(found["f"]) * TORQUE**2, states, z[split:].reshape(-1, 3) * TORQUE


def simulated(torques):
    """Run of the station with three wheels in place of its gyros, under torques (2 n - 1, 3)."""
    radius = 2.2e7
    speed = ORBIT * radius
    craft = plant.Spacecraft(
        plant.RigidBody(J),
        elements=plant.wheel_array(np.eye(3), inertia=1.0),
        torques=plant.TorqueBasis("body", internal=True),
        potentials=[plant.GravityGradient(mu=ORBIT**2 * radius**3, position=(radius, 0, 0), velocity=(0, speed, 0))],
    )
    orbital = from_rotation_matrix(np.array([[0.0, 0, -1], [1, 0, 0], [0, -1, 0]]))  # forward, minus normal, nadir
    relative = np.append(1.0, RODRIGUES) / np.sqrt(1.0 + RODRIGUES @ RODRIGUES)
    state = craft.state(attitude=quaternion_product(orbital, relative), rate=RATE, internal_rate=np.full(3, MOMENTUM))
    first, middle, last = torques[:-2:2], torques[1:-1:2], torques[2::2]  # quadratic over a step
    s = np.linspace(0.0, 1.0, HELD + 1)
    areas = np.diff([s - 1.5 * s**2 + 2 / 3 * s**3, 2.0 * s**2 - 4 / 3 * s**3, 2 / 3 * s**3 - 0.5 * s**2]) * HELD
    held = np.einsum("ks,kni->nsi", areas, np.stack((first, middle, last))).reshape(-1, 3)
    sample = END / STEPS / HELD
    law = controllers.RecordedCommands(-held, sample=sample)  # the wheels get the opposite torque
    return sim.simulate(craft, law, state=state, duration=END, step=sample, output_step=18.0), orbital


def test_station_unloads_its_gyros_at_the_published_cost():
    cost, states, torques = solved()
    assert cost == pytest.approx(COST, rel=2e-5)
    assert cost == pytest.approx(PRINTED, rel=1e-4)  # a coarse mesh: 3.7e-5 low
    np.testing.assert_allclose(states[-1, :3], (-9.46679309e-6, -1.13633314e-3, 5.06873915e-6), atol=1e-9)
    np.testing.assert_allclose(states[-1, 3:6], (2.87656444e-3, 0.155161075, 3.81935895e-3), atol=1e-6)
    assert np.linalg.norm(states[:, 6:], axis=1).max() == pytest.approx(LARGEST, rel=1e-6)
    assert np.abs(torques).max() == pytest.approx(141.96, rel=2e-3)
    run, orbital = simulated(torques)
    assert not run.warnings
    np.testing.assert_allclose(run.values("internal_rate")[-1], 0.0, atol=1e-5)  # of 10,000 slug ft^2/s
    np.testing.assert_allclose(run.values("rate")[-1], states[-1, :3], atol=1e-9)
    angle = ORBIT * END
    turned = np.array([[np.cos(angle), -np.sin(angle), 0.0], [np.sin(angle), np.cos(angle), 0.0], [0.0, 0.0, 1.0]])
    matrix = (turned @ rotation_matrix(orbital)).T @ rotation_matrix(run.values("attitude")[-1])
    relative = np.append(1.0, states[-1, 3:6]) / np.sqrt(1.0 + states[-1, 3:6] @ states[-1, 3:6])
    np.testing.assert_allclose(matrix, rotation_matrix(relative), atol=1e-6)
