"""One motion in every formulation, integrated."""

import numpy as np
import pytest

from polhode.plant import (
    InputError,
    RigidBody,
    SingularBasisError,
    Spacecraft,
    Spring,
    TorqueBasis,
    TorquePulse,
    UniformGravity,
    Wheel,
)
from polhode.plant.attitude import from_euler_angles, rotation_matrix
from polhode.plant.formulations import FORMULATIONS, Load, RotationIn
from polhode.sim import simulate

J = (400.0, 307.808385, 200.0)  # Shivarama & Fahrenthold (2004), Table 2
START = {"rate": (1.0, 0.4, 0.3), "attitude": from_euler_angles((0.4, 1.3, 0.2), "3-1-3")}


FREE = Spacecraft(RigidBody(J))
RK4 = {"integrator": "rk4", "step": 0.02}


def flown(name: str, craft: Spacecraft = FREE, *, sequence: str | None = "3-1-3", project=True, load=None, **given):
    options = {"project": project, "load": load or Load()}
    chosen = sequence if FORMULATIONS[name].has_angles else None
    return simulate(craft, formulation=RotationIn(name, sequence=chosen, **options), **given)


def same_attitude(a, b) -> float:
    return float(min(np.abs(a - b).max(), np.abs(a + b).max()))


@pytest.mark.thinned(4)
@pytest.mark.parametrize("name", FORMULATIONS)
def test_plain_is_compiled(name: str) -> None:
    """The same source: equal except for the order in which the compiler may multiply and add."""
    options = {"duration": 0.5, **RK4, "load": Load(force=(1, 20, 3), point=(1, 2, 3))}
    runs = [flown(name, **START, **options, compiled=compiled) for compiled in (True, False)]
    assert runs[0].status == runs[1].status == "completed"
    one, other = (run.values("formulation_state") for run in runs)
    assert np.abs(one - other).max() < 1e-12 * np.abs(other).max()
    if FORMULATIONS[name].multiplier:  # sums of torques of order 1000 N m
        assert runs[0].values("multiplier") == pytest.approx(runs[1].values("multiplier"), abs=1e-10)
    else:
        with pytest.raises(InputError, match="needs a formulation with a Lagrange multiplier"):
            runs[0].values("multiplier")


@pytest.mark.parametrize("name", FORMULATIONS)
def test_formulations_have_one_motion(name: str) -> None:
    """Torque-free, against the closed form of Shivarama & Fahrenthold (2004), Table 2, in elliptic functions."""
    rate = np.array((346.4101615137755, 0.0, -200.0)) / J
    # about the x axis "1-3-1" would start at its lock, "3-2-1" does not
    run = flown(name, rate=rate, duration=1.0, step=0.01, integrator="rk8", sequence="3-2-1")
    # the inertia is printed with nine digits, so the closed form is accurate to 1e-7 here
    assert run.values("rate")[-1] * J == pytest.approx(
        (318.591596368188, 162.509111336607, -179.137331441255), abs=1e-6
    )
    e = (0.793495266398755, 0.412712489316550, 0.125749996327322, -0.429209275049577)
    assert same_attitude(run.values("attitude")[-1], np.array(e)) < 1e-8


@pytest.mark.parametrize(("integrator", "order"), [("rk4", 4), ("rk8", 8)])
def test_order_of_convergence(integrator: str, order: int) -> None:
    ends = [
        flown("lagrange-29", **START, duration=8.0, step=step, integrator=integrator, project=False).values("rate")[-1]
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
    run = flown(name, craft, **start, duration=1.5, step=5e-4, torques=pulses, integrator="rk8")
    reference = simulate(craft, **start, duration=1.5, torques=pulses, rtol=1e-12, output_times=(1.5,))
    assert run.status == "completed"
    assert same_attitude(run.values("attitude")[-1], reference.values("attitude")[-1]) < 1e-9  # some hundred times rtol
    assert run.values("energy")[0] == pytest.approx(craft.energy(craft.state(**start)), rel=1e-14)
    assert run.values("energy")[-1] == pytest.approx(reference.values("energy")[-1], rel=1e-9)


def test_force_has_potential() -> None:
    load = Load(force=(0, 0, 40.0), point=(0.2, 0.1, 0.5))
    run = flown("hamilton-7", **START, duration=20.0, step=0.01, load=load, integrator="rk8")
    kept = run.values("energy") - rotation_matrix(run.values("attitude")) @ load.point @ load.force
    assert np.ptp(kept) < 1e-11 * kept[0]
    assert run.values("energy_balance") == pytest.approx(0.0, abs=1e-11 * kept[0])  # its work is in the ledger
    H = run.values("inertial_momentum")
    assert np.ptp(H[:, 2]) < 1e-11 * np.abs(H[0]).max()
    assert np.ptp(H[:, 0]) > 1.0


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("name", ["euler-angles", "euler-angles-second-order"])
def test_gimbal_lock_ends_the_run(name: str, compiled: bool) -> None:
    """Pitch straight up through 90 deg at 1 rad/s: 3-2-1 locks at t = pi/2.

    Fixed steps end where a step could reach the pose, cos a2 = h: a steady turn is integrated exactly.
    """
    ball = Spacecraft(RigidBody((2, 2, 2)))
    given = {"rate": (0, 1, 0), "duration": 3.0, "sequence": "3-2-1"}
    run = flown(name, ball, **given, step=0.01, integrator="rk4", compiled=compiled)
    assert run.status == "singular"
    assert "gimbal lock of '3-2-1'" in run.reason
    assert run.t[-1] == pytest.approx(np.arccos(0.01), abs=1e-12)
    assert run.counters["nearest_gimbal_lock_rad"] == pytest.approx(np.arcsin(0.01), abs=1e-12)
    assert np.isfinite(run.values("formulation_state")).all()
    near = flown(name, ball, **given | {"duration": 1.5}, step=0.01, integrator="rk4")
    assert near.status == "completed"
    assert near.counters["nearest_gimbal_lock_rad"] == pytest.approx(np.pi / 2 - 1.5, abs=1e-12)
    with pytest.raises(SingularBasisError, match="gimbal lock"):
        flown(name, ball, **given | {"sequence": "3-1-3"}, step=0.1, integrator="rk4")


@pytest.mark.parametrize("name", ["euler-angles", "euler-angles-second-order"])
def test_adaptive_steps_come_as_near_as_is_allowed(name: str) -> None:
    run = flown(name, Spacecraft(RigidBody((2, 2, 2))), rate=(0, 1, 0), duration=3.0, sequence="3-2-1", rtol=1e-12)
    assert run.status == "singular"
    assert run.t[-1] == pytest.approx(np.arccos(1e-4), abs=1e-10)


def test_step_too_long_fails_explicitly_and_is_halved_implicitly() -> None:
    fast = {"rate": (300, 300, 300), "duration": 50.0, "step": 0.5, "project": False}
    run = flown("hamilton-7", **fast, integrator="rk4")
    assert run.status == "failed"
    assert "step may be too large" in run.reason
    implicit = flown("hamilton-7", **fast, integrator="gauss4")
    assert implicit.status == "completed"
    assert implicit.counters["rejected_steps"] > 0
    assert implicit.counters["shortest_implicit_step"] < 0.5


def test_rows() -> None:
    run = flown(
        "newton-euler", **START, duration=1.0, step=0.01, integrator="rk4", output_step=0.2, output_times=(0.333,)
    )
    assert run.t[0] == 0.0
    assert run.t[-1] == 1.0
    assert 0.333 in run.t
    assert (np.diff(run.t) > 0.0).all()
    assert run.values("formulation_state").shape == (run.t.size, 7)
    assert run.components("formulation_state")[0][:4] == ("omega_1", "omega_2", "omega_3", "e_0")
    assert run.states.shape == (run.t.size, 11)  # those of the standard equations, and the ledger
    again = simulate(FREE, state=run.states[-1], duration=1.0)
    np.testing.assert_array_equal(again.states[0, :7], run.states[-1, :7])


@pytest.mark.parametrize("name", FORMULATIONS)
def test_force_on_pivoted_body_turns_it_about_pivot(name: str) -> None:
    """theta'' = F l cos(theta) / (J + m l^2); the reference is the same spacecraft under `simulate`."""
    craft = Spacecraft(RigidBody((2.0, 2.0, 1.0), mass=3.0, pivot=(0, 0, -1)))
    run = flown(
        name, craft, rate=(0, 0, 0), duration=1.0, step=0.05, integrator="rk8", load=Load(force=(3, 0, 0)),
        sequence="1-2-3",
    )  # fmt: skip
    np.testing.assert_allclose(run.values("rate")[-1], (0.0, 0.594640190, 0.0), rtol=0, atol=1e-8)
    place = rotation_matrix(run.values("attitude"))[:, 0, 2]  # x of the mass centre, 1 m from the pivot
    np.testing.assert_allclose(run.values("energy") - 3.0 * place, 0.0, rtol=0, atol=1e-12)


def test_craft_that_translates() -> None:
    """A mass on a spring off its centre: rotation and translation, as in the standard equations."""
    spring = Spring(body_point=(0.3, 0, 0.2), inertial_point=(0, 1, 2), stiffness=2.0)
    craft = Spacecraft(RigidBody((4.0, 3.0, 2.0), mass=5.0), potentials=[spring], translation=True)
    start = {"rate": (0.1, -0.2, 0.3), "position": (0.1, 0.2, 0.3), "velocity": (0, 0.1, 0)}
    given = {**start, "duration": 5.0, "output_times": [5.0], "rtol": 1e-12}
    own, other = simulate(craft, **given), simulate(craft, **given, formulation="lagrange-23")
    np.testing.assert_allclose(other.states[-1, :13], own.states[-1, :13], rtol=0, atol=1e-9)
    assert other.values("energy_balance")[-1] == pytest.approx(0.0, abs=1e-10)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"formulation": "newton-eular"}, "did you mean 'newton-euler'"),
        ({"formulation": 3.0}, "formulation must be the name of a formulation, or a RotationIn; got 3.0"),
        ({"formulation": "euler-angles"}, "needs the Euler sequence"),
        ({"craft": Spacecraft(RigidBody(J), elements=[Wheel(axis=(0, 0, 1), inertia=1.0)])}, r"elements \(Wheel\)"),
        ({"step": 0.0}, "step must be greater than 0"),
        ({"output_times": (2.0,)}, "between 0 and the duration"),
        ({"amplification_limit": 0.5}, "greater than 1"),
    ],
)
def test_refused(change: dict, message: str) -> None:
    given = {"formulation": "newton-euler", "craft": FREE, **START, "duration": 1.0, **RK4, **change}
    with pytest.raises(InputError, match=message):
        simulate(given.pop("craft"), **given)


def test_sequence_that_is_not_used() -> None:
    with pytest.raises(InputError, match="has no Euler angles"):
        RotationIn("newton-euler", sequence="3-1-3")
    with pytest.raises(InputError, match="'3-1-2-1' is unknown"):
        RotationIn("euler-angles", sequence="3-1-2-1")
