"""One motion in every formulation, integrated."""

import numpy as np
import pytest

from polhode.plant import (
    Effort,
    InputError,
    RigidBody,
    SingularBasisError,
    Spacecraft,
    TorqueBasis,
    TorquePulse,
    UniformGravity,
)
from polhode.plant.attitude import from_euler_angles
from polhode.plant.formulations import FORMULATIONS, Load
from polhode.sim import simulate, simulate_formulation

J = (400.0, 307.808385, 200.0)  # Shivarama & Fahrenthold (2004), Table 2
START = {"rate": (1.0, 0.4, 0.3), "attitude": from_euler_angles((0.4, 1.3, 0.2), "3-1-3")}


def sequence(name: str) -> str | None:
    return "3-1-3" if FORMULATIONS[name].has_angles else None


def same_attitude(a, b) -> float:
    return float(min(np.abs(a - b).max(), np.abs(a + b).max()))


@pytest.mark.parametrize("name", FORMULATIONS)
def test_plain_is_compiled(name: str) -> None:
    """The same source: equal but for the order in which the compiler may multiply and add."""
    options = {"duration": 0.5, "step": 0.02, "load": Load(force=(1, 20, 3), point=(1, 2, 3))}
    runs = [
        simulate_formulation(name, J, **START, **options, sequence=sequence(name), compiled=compiled)
        for compiled in (True, False)
    ]
    assert runs[0].status == runs[1].status == "completed"
    assert np.abs(runs[0].x - runs[1].x).max() < 1e-12 * np.abs(runs[1].x).max()
    if FORMULATIONS[name].multiplier:  # sums of torques of order 1000 N m
        assert runs[0].multiplier == pytest.approx(runs[1].multiplier, abs=1e-10)
    else:
        assert runs[0].multiplier is None


@pytest.mark.parametrize("name", FORMULATIONS)
def test_one_motion(name: str) -> None:
    """Torque-free, against the closed form of Shivarama & Fahrenthold (2004), Table 2, in elliptic functions."""
    angles = FORMULATIONS[name].has_angles  # about the x axis "1-3-1" would start at its lock, "3-2-1" does not
    rate = np.array((346.4101615137755, 0.0, -200.0)) / J
    options = {"duration": 1.0, "step": 0.01, "integrator": "rk8", "sequence": "3-2-1" if angles else None}
    run = simulate_formulation(name, J, rate=rate, **options)
    # the inertia is printed with nine digits, so the closed form's own are good to 1e-7 here
    assert run.rate[-1] * J == pytest.approx((318.591596368188, 162.509111336607, -179.137331441255), abs=1e-6)
    e = (0.793495266398755, 0.412712489316550, 0.125749996327322, -0.429209275049577)
    assert same_attitude(run.attitude[-1], np.array(e)) < 1e-8


@pytest.mark.parametrize(("integrator", "order"), [("rk4", 4), ("rk8", 8)])
def test_order_of_convergence(integrator: str, order: int) -> None:
    ends = [
        simulate_formulation(
            "lagrange-29", J, **START, duration=8.0, step=step, integrator=integrator, project=False
        ).rate[-1]
        for step in (0.4, 0.2, 0.01)
    ]
    coarse, fine = (np.abs(end - ends[2]).max() for end in ends[:2])
    assert np.log2(coarse / fine) == pytest.approx(order, abs=0.8)


@pytest.mark.parametrize("name", ["newton-euler", "hamilton-8", "lagrange-82", "euler-angles-second-order"])
def test_potential_and_pulses_of_a_craft(name: str) -> None:
    """A top with two pulses, against the engine at its own tolerance."""
    craft = Spacecraft(
        RigidBody((3.0, 3.0, 1.0), mass=2.0, pivot=(0, 0, -1)), potentials=(UniformGravity((0, 0, -9.81)),)
    )
    pulses = (
        TorquePulse((0.5, 0.2, 0.1), start=0.31, stop=0.77),
        TorquePulse((0.3, 0.4, 0.0), start=0.5, stop=1.2, basis=TorqueBasis("dual-euler", "3-1-3")),
    )
    start = {"rate": (0.3, 0.2, 20.0), "attitude": from_euler_angles((0.1, 0.6, 0.0), "3-1-3")}
    run = simulate_formulation(
        name, craft, **start, duration=1.5, step=5e-4, torques=pulses, sequence=sequence(name), integrator="rk8"
    )
    reference = simulate(craft, **start, duration=1.5, torques=pulses, rtol=1e-12, at=(1.5,))
    assert run.status == "completed"
    assert same_attitude(run.attitude[-1], reference.values("attitude")[-1]) < 1e-9  # some hundred times rtol
    assert run.energy[0] == pytest.approx(craft.energy(craft.state(**start)), rel=1e-14)
    assert run.energy[-1] == pytest.approx(reference.values("energy")[-1], rel=1e-9)


def test_a_force_has_a_potential() -> None:
    load = Load(force=(0, 0, 40.0), point=(0.2, 0.1, 0.5))
    run = simulate_formulation("hamilton-7", J, **START, duration=20.0, step=0.01, load=load, integrator="rk8")
    assert np.ptp(run.energy) < 1e-11 * run.energy[0]
    H = run.inertial_momentum
    assert np.ptp(H[:, 2]) < 1e-11 * np.abs(H[0]).max()
    assert np.ptp(H[:, 0]) > 1.0


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("name", ["euler-angles", "euler-angles-second-order"])
def test_gimbal_lock_ends_the_run(name: str, compiled: bool) -> None:
    """Pitch straight up through 90 deg at 1 rad/s: 3-2-1 locks at t = pi/2."""
    run = simulate_formulation(
        name, (2, 2, 2), rate=(0, 1, 0), duration=3.0, step=0.01, sequence="3-2-1", compiled=compiled
    )
    assert run.status == "singular"
    assert "gimbal lock of '3-2-1'" in run.reason
    # the limits: one step before the pose
    assert 0.0 < np.pi / 2 - run.t[-1] < 0.03
    assert run.closest == pytest.approx(np.pi / 2 - run.t[-1], abs=1e-9)
    assert np.isfinite(run.x).all()
    near = simulate_formulation(name, (2, 2, 2), rate=(0, 1, 0), duration=1.5, step=0.01, sequence="3-2-1")
    assert near.status == "completed"
    with pytest.raises(SingularBasisError, match="gimbal lock"):
        simulate_formulation(name, (2, 2, 2), rate=(0, 1, 0), duration=1.0, step=0.1, sequence="3-1-3")


def test_a_step_too_long_is_told() -> None:
    run = simulate_formulation("hamilton-7", J, rate=(300, 300, 300), duration=50.0, step=0.5, project=False)
    assert run.status == "failed"
    assert "step is too large" in run.reason


def test_rows() -> None:
    run = simulate_formulation("newton-euler", J, **START, duration=1.0, step=0.01, output=0.2, at=(0.333,))
    assert run.t[0] == 0.0
    assert run.t[-1] == 1.0
    assert 0.333 in run.t
    assert (np.diff(run.t) > 0.0).all()
    assert run.x.shape == (run.t.size, 7)


@pytest.mark.parametrize("name", FORMULATIONS)
def test_a_force_on_a_pivoted_body_turns_it_about_the_pivot(name: str) -> None:
    """theta'' = F l cos(theta) / (J + m l^2); the independent number is that of the same craft under `simulate`."""
    body = RigidBody((2.0, 2.0, 1.0), mass=3.0, pivot=(0, 0, -1))
    for held in (body, Spacecraft(body)):
        run = simulate_formulation(
            name, held, rate=(0, 0, 0), duration=1.0, step=0.05, integrator="rk8", load=Load(force=(3, 0, 0)),
            sequence="1-2-3" if FORMULATIONS[name].has_angles else None,
        )  # fmt: skip
        np.testing.assert_allclose(run.rate[-1], (0.0, 0.594640190, 0.0), rtol=0, atol=1e-8)
        np.testing.assert_allclose(run.energy, 0.0, rtol=0, atol=1e-12)  # kinetic less F x of the mass centre


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"name": "newton-eular"}, "did you mean 'newton-euler'"),
        ({"body": Spacecraft(RigidBody(J, mass=1.0), translation=True)}, "without translation"),
        ({"body": Spacecraft(RigidBody(J), efforts=(Effort(lambda t, e, w, c, v: (0.0,) * 6),))}, "use simulate"),
        ({"step": 0.0}, "step must be greater than 0"),
        ({"at": (2.0,)}, "within 0 and the duration"),
        ({"integrator": "dop853"}, "integrator 'dop853' is unknown"),
        ({"sequence": "3-1-3"}, "has no Euler angles"),
        ({"amplification_limit": 0.5}, "greater than 1"),
    ],
)
def test_refused(change: dict, message: str) -> None:
    given = {"name": "newton-euler", "body": J, **START, "duration": 1.0, "step": 0.1, **change}
    name, body = given.pop("name"), given.pop("body")
    with pytest.raises(InputError, match=message):
        simulate_formulation(name, body, **given)
