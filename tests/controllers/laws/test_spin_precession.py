"""Spin-synchronous pulses: precession per pulse in closed form, path and phase."""

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.plant.attitude import from_rotation_vector

J, RATE, TORQUE, ARC, T = 300.0, 3.1, 8.0, np.radians(40.0), 0.01
CRAFT = plant.Spacecraft(plant.RigidBody((210.0, 210.0, J)))
START = from_rotation_vector((0.15, -0.2, 0.0))
TARGET = np.array((0.0, 0.0, 1.0))
SPIN = controllers.SpinReference((1, 0, 0, 0), rate=(0, 0, RATE))


def law(**more):
    numbers = {"torque": (TORQUE, 0, 0), "axis": (0, 0, 2.0), "arc": ARC, "deadband": 1e-3, "sample": T}
    return controllers.SpinPrecession(**{**numbers, **more})


def simulated(made, *, duration=60.0, attitude=START, rate=RATE, craft=CRAFT, **more):
    return sim.simulate(
        craft, made, reference=SPIN, attitude=attitude, rate=(0, 0, rate), duration=duration,
        **{"integrator": "rk4", "step": T, "output_step": T, **more},
    )  # fmt: skip


def path(run):
    """Direction of the momentum, and the pulses as pairs of first and last row."""
    h = np.array(run.values("inertial_momentum"))
    on = np.abs(run.values("command")).max(axis=1) > 0.0
    steps = np.diff(on.astype(int), prepend=0)
    return h / np.linalg.norm(h, axis=1)[:, None], np.flatnonzero(steps == 1), np.flatnonzero(steps == -1)


def test_precession_per_pulse_is_the_closed_form():
    """Impulse T d/Omega times sin(d/2)/(d/2), over H, with the arc d that the valve really was open."""
    h, first, last = path(simulated(law()))
    assert len(first) == pytest.approx(60.0 * RATE / (2 * np.pi), abs=1.0)
    arcs = RATE * T * (last[:20] - first[:20])
    np.testing.assert_allclose(arcs, ARC, atol=RATE * T)
    assert arcs.mean() == pytest.approx(ARC, abs=0.1 * RATE * T)
    turned = np.arccos((h[last[:20]] * h[first[:20]]).sum(axis=1))
    expected = TORQUE * arcs / RATE * np.sinc(arcs / 2 / np.pi) / (J * RATE)
    # the middle of the pulse is off the demand by up to half a sample, and the spin axis nutates by 1e-3 rad
    np.testing.assert_allclose(turned, expected, rtol=1e-3)
    assert law().precession(rate=RATE, momentum=J * RATE) == pytest.approx(turned.mean(), rel=5e-3)


def test_momentum_moves_on_a_great_circle_and_stops_in_the_deadband():
    run = simulated(law(), duration=330.0, output_step=0.1)
    h, _, _ = path(run)
    normal = np.cross(h[0], TARGET)
    normal /= np.linalg.norm(normal)
    assert np.abs(h @ normal).max() < 2e-4  # a tenth of a pulse
    # the last pulse ends within the deadband, or at the most a pulse beyond
    angle = np.arctan2(np.linalg.norm(np.cross(h, TARGET), axis=1), h @ TARGET)
    assert angle[-1] < 1e-3
    assert not run.values("command")[-300:].any()
    assert (np.diff(angle[::21]) < 1e-9 + 1e-5).all()


@pytest.mark.parametrize(("delay", "lead"), [(0.0, 0.0), (0.05, 0.0), (0.13, 0.0), (0.0, 0.1)])
def test_pulses_are_centred_where_delay_is_known(delay, lead):
    """A prediction that is too long by tau turns the path by Omega tau."""
    h, first, last = path(simulated(law(delay=delay, lead=lead), duration=20.0))
    turns: list[float] = []
    for begin, end in zip(first[1:9], last[1:9], strict=True):  # the delay cuts the first
        middle = h[begin] + h[end]
        middle /= np.linalg.norm(middle)
        moved, demand = h[end] - h[begin], TARGET - (TARGET @ middle) * middle
        turns.append(np.arctan2(np.cross(demand, moved) @ middle, demand @ moved))
    np.testing.assert_allclose(turns, -RATE * lead, atol=0.6 * RATE * T)
    assert np.mean(turns) == pytest.approx(-RATE * lead, abs=0.25 * RATE * T)


def test_reversed_thruster_and_skew_torque_reach_the_target_too():
    for torque in ((-5.0, 3.0, 0.0), (0.0, -8.0, 0.0)):
        h, first, _ = path(simulated(law(torque=torque), duration=80.0))
        each = law(torque=torque).precession(rate=RATE, momentum=J * RATE)
        turned = np.arccos(h[0] @ TARGET) - np.arccos(h[-1] @ TARGET)
        assert turned == pytest.approx(len(first) * each, abs=each)


def test_no_pulse_at_rest_or_on_target():
    r = SPIN.at(0.0)
    for momentum, attitude in ((0.0, START), (J * RATE, np.array((1.0, 0, 0, 0)))):
        y = np.concatenate(((0.0, 0.0, momentum), attitude, (0.0, 0.0, momentum / J)))
        u, made = np.ones(3), law()
        made.kernel(0.0, y, r, made.parameters, made.memory.copy(), u)
        assert not u.any()


@pytest.mark.parametrize("basis", [("inertial",), ("euler", "3-1-3"), ("dual-euler", "3-2-1")])
def test_torque_is_equal_in_another_basis(basis):
    at = from_rotation_vector((0.1, 0.1, 1.2))
    fired = 0
    for phase in np.linspace(0.0, 6.2, 40):
        e = plant.attitude.quaternion_product(at, from_rotation_vector((0, 0, phase)))
        y = np.concatenate(((0.0, 0.0, J * RATE), e, (0.0, 0.0, RATE)))
        torques = []
        for made in (law(), law(torques=plant.TorqueBasis(*basis))):
            u = np.zeros(3)
            made.kernel(0.0, y, SPIN.at(0.0), made.parameters, made.memory.copy(), u)
            torques.append(made.torques.to_body(u, y[3:7]))
        np.testing.assert_allclose(torques[1], torques[0], rtol=0, atol=1e-13)
        fired += torques[0].any()
    assert fired in (4, 5)  # 40 degrees of 360


def test_law_is_equal_compiled_and_in_python():
    runs = [simulated(law(), duration=4.0, compiled=each) for each in (True, False)]
    assert runs[0].values("command").any()
    np.testing.assert_allclose(runs[0].states, runs[1].states, rtol=0, atol=1e-11)


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"torque": (0, 0, 0)}, "torque of spin-synchronous pulses must not be zero"),
        ({"axis": (0, 0, 0)}, "axis of spin-synchronous pulses must not be zero"),
        ({"torque": (0, 0, 5.0)}, "parallel to the spin axis"),
        ({"arc": 3.2}, "arc of a pulse must be below pi"),
        ({"arc": 0.0}, "arc"),
        ({"deadband": 1.6}, "deadband must be below pi/2"),
        ({"lead": -1.0}, "lead"),
        ({"torques": plant.TorqueBasis("body", limit=0.3)}, "torque basis allows"),
    ],
)
def test_bad_input_is_refused(more, says):
    with pytest.raises(plant.InputError, match=says):
        law(**more)
