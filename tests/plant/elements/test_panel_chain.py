"""Panels on panels against Lagrange's equations of positions, closed forms and the conservation laws."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from polhode import plant, sim
from polhode.plant.attitude import to_rotation_vector

EXACT = {"integrator": "dop853", "rtol": 1e-12}
HUB = plant.RigidBody((900, 800, 600), mass=750.0)
INNER = {
    "hinge": (0.5, 1.0, 0.0),
    "axis": (0, 0, 1),
    "mass": 100.0,
    "centre": (1.5, 0.2, 0.0),
    "inertia": (100, 50, 55),
}
OUTER = {"hinge": (3.5, 1.1, 0.0), "axis": (0, 0, 1), "mass": 60.0, "centre": (1.2, -0.1, 0.0), "inertia": (40, 30, 35)}
SKEW = {
    "hinge": (3.5, 1.1, 0.3),
    "axis": (0.2, 1.0, 0.4),
    "mass": 60.0,
    "centre": (1.2, -0.1, 0.1),
    "inertia": (40, 30, 35),
}


def modes(size=1.0, **more):
    """Modes whose rigid parts have modal masses of 0.6 and less."""
    given = {"frequencies": (2.0, 5.0), "damping_ratios": (0.0, 0.0), "rotation": ((0.5, 2.0), (1.0, -3.0), (9.0, 1.0)),
             "translation": ((0.3, 1.0), (5.0, 0.5), (0.8, -2.0))}  # fmt: skip
    given |= {each: size * np.array(given[each]) for each in ("rotation", "translation")}
    return plant.FlexibleModes(**(given | more))


def test_chain_of_one_panel_is_a_hinged_panel():
    hinge = {"stiffness": 100.0, "damping": 3.0, "angle": 0.5, "rate": 0.1, "rest": 0.2}
    alone = plant.HingedPanel(**INNER, **hinge)
    ends = []
    for element in (alone, plant.PanelChain([alone])):
        craft = plant.Spacecraft(HUB, elements=[element])
        ends.append(sim.simulate(craft, rate=(0.1, -0.1, 0.1), duration=10.0, output_step=10.0, **EXACT).x[-1])
    np.testing.assert_allclose(ends[1], ends[0], rtol=1e-10, atol=1e-12)


def test_two_panels_move_by_lagrange_equations_of_positions():
    """Plane motion x, y, theta, q1, q2: r = p + R(theta) h + R(theta + q1) d + R(theta + q1 + q2) rho."""
    k, c, start = (40.0, 15.0), (2.0, 1.0), (1.2, -2.0)
    panels = [
        plant.HingedPanel(**each, stiffness=k[n], damping=c[n], angle=start[n]) for n, each in enumerate((INNER, OUTER))
    ]
    craft = plant.Spacecraft(HUB, elements=[plant.PanelChain(panels)])
    run = sim.simulate(craft, rate=(0, 0, 0.3), duration=20.0, output_step=20.0, **EXACT)

    masses, h = (750.0, 100.0, 60.0), np.array((0.5, 1.0))
    d, rho = np.array((3.0, 0.1)), (np.array((1.5, 0.2)), np.array((1.2, -0.1)))
    arms = (  # vectors of each mass centre that turn with theta, theta + q1, theta + q1 + q2
        (np.zeros(2), np.zeros(2), np.zeros(2)),
        (h, rho[0], np.zeros(2)),
        (h, d, rho[1]),
    )
    inertia = (600.0, 55.0, 35.0)
    upto = np.tril(np.ones((3, 3)))  # absolute angles from theta, q1, q2

    def rates(t, y):
        q, v = y[:5], y[5:]
        angles, speeds = upto @ q[2:], upto @ v[2:]
        matrix, force = np.zeros((5, 5)), np.zeros(5)
        for body in range(3):
            jacobian, bias = np.zeros((2, 5)), np.zeros(2)
            jacobian[:, :2] = np.eye(2)
            for part, arm in enumerate(arms[body]):
                cos, sin = np.cos(angles[part]), np.sin(angles[part])
                turned = np.array((cos * arm[0] - sin * arm[1], sin * arm[0] + cos * arm[1]))
                jacobian[:, 2:] += np.outer((-turned[1], turned[0]), upto[part])
                bias -= speeds[part] ** 2 * turned
            spin = np.concatenate(([0, 0], upto[body]))
            matrix += masses[body] * jacobian.T @ jacobian + inertia[body] * np.outer(spin, spin)
            force -= masses[body] * jacobian.T @ bias
        force[3:] -= np.array(k) * q[3:] + np.array(c) * v[3:]
        return np.concatenate((v, np.linalg.solve(matrix, force)))

    y = np.array((0, 0, 0, *start, 0, 0, 0.3, 0, 0))
    end = solve_ivp(rates, (0.0, 20.0), y, method="DOP853", rtol=1e-12, atol=1e-12).y[:, -1]
    np.testing.assert_allclose(run.values("internal")[-1], end[3:5], atol=1e-9)
    np.testing.assert_allclose(run.values("rate")[-1], (0, 0, end[7]), atol=1e-9)
    angle = to_rotation_vector(run.values("attitude")[-1])[2]
    assert np.cos(angle - end[2]) == pytest.approx(1.0, abs=1e-15)
    assert np.sin(angle - end[2]) == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("translation", [False, True])
def test_flexible_chain_in_space_keeps_momentum_and_energy(translation):
    panels = [
        plant.HingedPanel(**INNER, stiffness=40.0, angle=1.2),
        plant.HingedPanel(**SKEW, stiffness=15.0, angle=-2.0, rate=0.2),
    ]
    chain = plant.PanelChain(panels, [modes(), modes(0.6, displacements=(0.3, -0.1), frequencies=(3.0, 4.0))])
    assert chain.coordinates == ("wing_angle_1", "wing_angle_2", *(f"wing_mode_{n}" for n in range(1, 5)))
    craft = plant.Spacecraft(HUB, elements=[chain], translation=translation)
    run = sim.simulate(craft, rate=(0.1, -0.2, 0.3), duration=20.0, output_step=1.0, **EXACT)
    momentum = run.values("inertial_momentum")
    assert np.abs(momentum - momentum[0]).max() < 1e-12 * np.linalg.norm(momentum[0]) * 100.0**0.5
    assert np.abs(run.values("energy_balance")).max() < 1e-10 * run.values("energy")[0]
    assert np.ptp(run.values("internal"), axis=0).min() > 0.02


def test_modes_of_a_panel_couple_by_their_participation():
    """About the mass centre of the hub: delta = hinge x L + delta_hinge; with the hinge: axis . delta_hinge."""
    panel = plant.HingedPanel(**INNER, stiffness=40.0)
    own = modes()
    assert own.translation is not None
    craft = plant.Spacecraft(
        plant.RigidBody((900, 800, 600), mass=750.0, pivot=(0, 0, 0)), elements=[plant.PanelChain([panel], [own])]
    )
    matrix = craft.initial_mass_matrix
    expected = np.cross(np.array(INNER["hinge"]), own.translation.T).T + own.rotation
    np.testing.assert_allclose(matrix[:3, 4:], expected, rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(matrix[3, 4:], own.rotation[2], rtol=1e-12)
    np.testing.assert_allclose(np.diag(matrix[4:, 4:]), 1.0, rtol=1e-13)


def test_modes_heavier_than_their_panel_are_refused():
    panel = plant.HingedPanel(**INNER)
    with pytest.raises(plant.InputError, match="mode 1 of panel 1 has more momentum than the mass and inertia"):
        plant.PanelChain([panel], [modes(translation=((0, 0), (11, 0), (0, 0)))])
    with pytest.raises(plant.InputError, match="modes are given for 1 of 2 panels"):
        plant.PanelChain([panel, panel], [None])
    with pytest.raises(plant.InputError, match="at least one panel"):
        plant.PanelChain([])


def test_two_panel_wing_deploys_and_latches_at_rest():
    """Folded by 90 and 180 degrees, momentum zero: once both latches hold, hub and panels are at rest."""
    panels = [
        plant.HingedPanel(**INNER, stiffness=2.0, angle=np.pi / 2, latch_angle=0.0, latch_from="above"),
        plant.HingedPanel(**OUTER, stiffness=1.0, angle=-np.pi, latch_angle=0.0),
    ]
    craft = plant.Spacecraft(HUB, elements=[plant.PanelChain(panels)])
    run = sim.simulate(craft, duration=60.0, output_step=0.1, integrator="dop853", rtol=1e-11)
    assert np.abs(run.values("momentum_balance")).max() < 1e-12
    assert np.abs(run.values("inertial_momentum")).max() < 1e-12
    np.testing.assert_allclose(run.values("internal")[-1], 0.0, atol=1e-9)
    np.testing.assert_allclose(run.values("internal_rate")[-1], 0.0, atol=1e-9)
    np.testing.assert_allclose(run.values("rate")[-1], 0.0, atol=1e-9)
    assert np.abs(run.values("rate")).max() > 0.02
    np.testing.assert_array_equal(run.values("latched")[-1], 1.0)
    (chain,) = craft.elements
    with pytest.raises(plant.InputError, match="wing_angle_1 at t = 0 is"):
        chain.check_start(chain.coordinates, (-0.5, -3.0), rates=(0.0, 0.0))
    assert np.abs(run.values("energy_balance")).max() < 1e-7


def folded(side, *, start=(np.pi / 2, -np.pi)):
    """Wing of the test above, or for side = -1 its mirror image in the x-z plane."""
    mirror = np.array((1.0, side, 1.0))
    sides = ("above", "below") if side > 0 else ("below", "above")
    return [
        plant.HingedPanel(
            **(each | {"hinge": mirror * each["hinge"], "centre": mirror * each["centre"]}),
            stiffness=stiffness, angle=side * angle, latch_angle=0.0, latch_from=name,
        )
        for each, stiffness, angle, name in zip((INNER, OUTER), (2.0, 1.0), start, sides, strict=True)
    ]  # fmt: skip


def test_mirrored_chain_latches_from_the_other_sides():
    """Start angles and latch sides change sign together: so do all angles and the rotation of the hub."""
    runs = [
        sim.simulate(plant.Spacecraft(HUB, elements=[plant.PanelChain(folded(side))]), duration=40.0, output_step=4.0)
        for side in (1.0, -1.0)
    ]
    for name in ("internal", "internal_rate", "rate"):
        values = [run.values(name) for run in runs]
        if name == "rate":
            values = [each[:, 2] for each in values]
        np.testing.assert_allclose(values[1], -values[0], atol=1e-7)
    np.testing.assert_array_equal(runs[0].values("latched"), runs[1].values("latched"))
    assert set(runs[0].values("latched")[:, 0, 1]) == {0.0, 1.0}


@pytest.mark.parametrize("side", [1.0, -1.0])
@pytest.mark.parametrize("number", [0, 1])
def test_latch_of_each_panel_acts_by_its_own_side(number, side):
    """0.01 rad from the latch: open on the side of latch_from, held on the other, whatever the start angle is."""
    chain = plant.PanelChain(folded(side))
    craft = plant.Spacecraft(HUB, elements=[chain])
    away = side * (1.0, -1.0)[number] * 0.01  # towards the open side
    for angle, holds in ((away, 0.0), (-away, 1.0)):
        x = craft.at_rest()
        x[7:9] = (side * np.pi / 2, -side * np.pi)
        x[7 + number] = angle
        panel = chain.panels[number]
        forces = craft.derivative(0.0, x)[craft.layout.internal_momentum]
        expected = -panel.stiffness * angle - holds * chain.hinge_inertia(number) / panel.latch_time**2 * angle
        assert forces[number] == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("number", [0, 1])
def test_chain_that_starts_beyond_a_latch_is_refused_by_name(number):
    """In a run from the other side, and where the panels are described."""
    craft = plant.Spacecraft(HUB, elements=[plant.PanelChain(folded(1.0))])
    coordinates = [np.pi / 2, -np.pi]
    coordinates[number] *= -1.0
    x = craft.at_rest()
    x[7:9] = coordinates
    with pytest.raises(plant.InputError, match=rf"wing_angle_{number + 1} at t = 0 is .* rad beyond the latch_angle 0"):
        sim.simulate(craft, state=x, duration=1.0)
    with pytest.raises(plant.InputError, match=r"panel_angle at t = 0 is .* rad beyond the latch_angle 0"):
        folded(1.0, start=coordinates)


def test_linear_model_of_a_chain_has_the_modes_of_its_matrices():
    panels = [plant.HingedPanel(**INNER, stiffness=40.0), plant.HingedPanel(**SKEW, stiffness=15.0)]
    craft = plant.Spacecraft(HUB, elements=[plant.PanelChain(panels, [None, modes(0.6)])])
    model = craft.linearize(craft.at_rest())
    matrix = craft.initial_mass_matrix
    stiffness = np.diag((0, 0, 0, 40.0, 15.0, 4.0, 25.0))
    squares = np.linalg.eigvals(np.linalg.solve(matrix, stiffness)).real
    frequencies = np.sqrt(np.sort(squares)[3:])
    poles = np.sort(np.linalg.eigvals(model.A).imag)[-4:]
    np.testing.assert_allclose(poles, frequencies, rtol=1e-9)


def test_drive_follows_a_commanded_history():
    """A stiff hinge on a heavy hub follows the history; outside it, the angle is constant."""
    times = np.array((1.0, 3.0, 4.0, 8.0))
    angles = np.array((0.1, 0.5, 0.5, -0.4))
    panel = plant.HingedPanel(**INNER, stiffness=4e5, damping=2e4, drive_times=times, drive_angles=angles, angle=0.1)
    craft = plant.Spacecraft(plant.RigidBody(np.diag((9e9, 8e9, 6e9)), mass=1e9), elements=[panel])
    run = sim.simulate(craft, duration=12.0, output_times=[0.5, 1.0, 3.0, 3.5, 4.0, 8.0, 12.0], **EXACT)
    found = run.values("internal")[:, 0]
    np.testing.assert_allclose(found, (0.1, 0.1, 0.5, 0.5, 0.5, -0.4, -0.4), atol=2e-3)
    assert np.abs(run.values("energy_balance")).max() < 1e-8
    times = np.linspace(-20.0, 70.0, 10)
    slow = plant.HingedPanel(**INNER, stiffness=1e5, damping=1e4, drive_times=times, drive_angles=0.1 * times)
    rate = plant.HingedPanel(**INNER, stiffness=1e5, damping=1e4, drive_rate=0.1)
    ends = [
        sim.simulate(plant.Spacecraft(HUB, elements=[each]), duration=50.0, output_step=50.0, **EXACT).x[-1]
        for each in (slow, rate)
    ]
    np.testing.assert_allclose(ends[0], ends[1], rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"drive_times": (0, 1)}, "as many angles; got 2 times and 0 angles"),
        ({"drive_times": (0, 1, 1), "drive_angles": (0, 1, 2)}, "must increase; got 1 s before 1 s"),
        ({"drive_times": (0, 1), "drive_angles": (0, 1), "rest": 0.1}, "omit rest and drive_rate"),
        ({"drive_times": (0, 1), "drive_angles": (0, 1), "stiffness": 0.0}, "need stiffness"),
    ],
)
def test_wrong_drive_history_is_refused(more, says):
    with pytest.raises(plant.InputError, match=says):
        plant.HingedPanel(**(INNER | {"stiffness": 1.0} | more))
