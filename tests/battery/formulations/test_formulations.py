"""Every formulation under every load: equal to the spacecraft's own equations, or refused with the reason."""

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.plant.attitude import from_euler_angles
from polhode.plant.formulations import FORMULATIONS, RotationIn

TENSOR = np.array([[12.0, -0.5, 0.3], [-0.5, 10.0, 0.2], [0.3, 0.2, 8.0]])
BODY = plant.RigidBody(TENSOR)
CRAFT = plant.Spacecraft(BODY, torques=plant.TorqueBasis("body", limit=2.0))
START = {"attitude": from_euler_angles((0.4, 1.3, 0.2), "3-1-3"), "rate": (0.2, -0.1, 0.3)}
DURATION = 2.0
AT = np.linspace(0.0, DURATION, 5)
STEPS = {"rk4": 2e-3, "rk8": 2e-2, "gauss4": 2e-3, "gauss6": 1e-2, "midpoint": 1e-4}


def view(name: str) -> RotationIn:
    return RotationIn(name, sequence="3-1-3" if FORMULATIONS[name].has_angles else None)


def swirl(t, e, w, c, v):
    """A torque that depends on time, attitude and rate, and a force that rotates with the body."""
    torque = (0.3 * np.cos(2.0 * t), -0.2 * e[1], -0.4 * w[2])
    return *torque, 0.5 * e[0], 0.2, -0.1 * v[0]


def laws() -> dict:
    model = CRAFT.linearize(CRAFT.at_rest())
    return {
        "lqr": controllers.lqr(model, attitude=4.0, rate=4.0, effort=1.0, sample=0.1, delay=0.13),
        "quaternion feedback": controllers.quaternion_feedback(
            CRAFT, frequency=0.8, damping_ratio=0.7, sample=0.1, delay=0.03
        ),
        "own": controllers.CustomLaw(lambda t, y, r: -2.0 * y[7:10], sample=0.1, compiled=False),
    }


HELD = plant.RigidBody(TENSOR, mass=3.0, pivot=(0.1, -0.2, -0.5))
SPRING = plant.Spring(
    body_point=(0.3, 0.1, 0.4), inertial_point=(0, 1, 2), stiffness=3.0, natural_length=0.5, damping=0.4
)
ORBIT = plant.GravityGradient(mu=3.986e14, position=(7e6, 0, 0), velocity=(0, 7546.0, 0))
PULSE = {"start": 0.31, "stop": 1.47}
BASES = {name: plant.TorqueBasis(name) for name in ("body", "inertial")} | {
    name: plant.TorqueBasis(name, "3-1-3") for name in ("euler", "dual-euler")
}


def situations() -> dict:
    """Loads by name: the spacecraft and the further arguments of `simulate`."""
    found = {
        f"{name}: law": (CRAFT, {"law": law, "reference": controllers.FixedReference((0.8, 0.0, 0.6, 0.0))})
        for name, law in laws().items()
    }
    for name, basis in BASES.items():
        pulse = plant.TorquePulse((0.6, -0.4, 0.5), **PULSE, basis=basis)
        found[f"{name}: pulse"] = CRAFT, {"torques": [pulse]}
    shaped = plant.TorquePulse((0.6, -0.4, 0.5), **PULSE, shape="raised-cosine")
    damped = plant.TorquePulse((0.1, 0, 0), **PULSE, basis=BASES["euler"], euler_rate_damping=(0.2, 0.1, 0.3))
    return found | {
        "shaped and damping pulses": (CRAFT, {"torques": [shaped, damped]}),
        "gravity and a spring at a pivot": (
            plant.Spacecraft(HELD, potentials=[plant.UniformGravity((0, 0, -9.81)), SPRING]),
            {},
        ),
        "gravity gradient": (plant.Spacecraft(BODY, potentials=[ORBIT]), {}),
        "user's potential": (plant.Spacecraft(HELD, potentials=[plant.Potential(lambda c, e: 3.0 * c[2] * e[0])]), {}),
        "user's effort at a pivot": (plant.Spacecraft(HELD, user_forces=[plant.UserForce(swirl)]), {"step": 0.1}),
        "effort in translation": (
            plant.Spacecraft(plant.RigidBody(TENSOR, mass=3.0), user_forces=[plant.UserForce(swirl)], translation=True),
            {"position": (1, 2, 3), "velocity": (0.1, 0, 0), "step": 0.1},
        ),
    }


SITUATIONS = situations()
_flown: dict[str, sim.Run] = {}


def own(what: str) -> sim.Run:
    """The same run by the spacecraft's own equations, computed once."""
    if what not in _flown:
        craft, more = SITUATIONS[what]
        _flown[what] = sim.simulate(craft, **START, duration=DURATION, output_times=AT, rtol=1e-12, **more)
    return _flown[what]


@pytest.mark.thinned(2)
@pytest.mark.parametrize("what", SITUATIONS)
@pytest.mark.parametrize("name", FORMULATIONS)
def test_formulation_run_matches_run_of_craft(name: str, what: str) -> None:
    """States, energy, torque and balances; the bounds are some hundred times the tolerance of both runs."""
    craft, more = SITUATIONS[what]
    run, other = (
        sim.simulate(craft, **START, duration=DURATION, output_times=AT, rtol=1e-12, **more, formulation=view(name)),
        own(what),
    )
    assert run.status == "completed", run.reason
    size = craft.layout.size
    side = np.sign(np.sum(run.states[:, 3:7] * other.states[:, 3:7], axis=1))[:, None]
    states = np.hstack([run.states[:, :3], side * run.states[:, 3:7], run.states[:, 7:size]])
    np.testing.assert_allclose(states, other.states[:, :size], rtol=0, atol=1e-9)
    for quantity in ("rate", "inertial_momentum", "torque", "energy", "command"):
        np.testing.assert_allclose(run.values(quantity), other.values(quantity), rtol=1e-10, atol=1e-9)
    found = run.invariants()
    assert np.abs(np.sum(run.states[:, 3:7] ** 2, axis=1) - 1.0).max() < 1e-14
    for balance in ("momentum_balance_relative", "energy_balance_relative"):
        value = found[balance]
        assert (value is None) == (other.invariants()[balance] is None)
        assert value is None or value < 1e-9


@pytest.mark.parametrize("integrator", STEPS)
@pytest.mark.parametrize("name", FORMULATIONS)
def test_every_integrator(name: str, integrator: str) -> None:
    """A law with delay and a pulse, at fixed steps; midpoint has order two."""
    craft, more = SITUATIONS["lqr: law"]
    pulse = plant.TorquePulse((0.6, -0.4, 0.5), **PULSE, basis=BASES["inertial"])
    given = {**START, "duration": 0.5, "output_times": [0.5], **more, "torques": [pulse]}
    run = sim.simulate(craft, **given, integrator=integrator, step=STEPS[integrator], formulation=view(name))
    other = sim.simulate(craft, **given, rtol=1e-12)
    assert run.status == "completed", run.reason
    np.testing.assert_allclose(run.values("rate"), other.values("rate"), rtol=0, atol=1e-9)
    turned = np.abs(np.sum(run.values("attitude") * other.values("attitude")))
    assert turned == pytest.approx(1.0, abs=1e-15)


@pytest.mark.parametrize("integrator", ["rk4", "dop853", "gauss4"])
@pytest.mark.parametrize("name", FORMULATIONS)
def test_compiled_is_plain(name: str, integrator: str) -> None:
    craft, more = SITUATIONS["gravity and a spring at a pivot"]
    law = controllers.quaternion_feedback(craft, frequency=0.8, damping_ratio=0.7, sample=0.1, delay=0.03)
    given = {**START, **more, "law": law, "duration": 0.15, "output_times": [0.07, 0.15], "formulation": view(name)}
    given |= {"integrator": integrator} | ({} if integrator == "dop853" else {"step": 0.01})
    one, other = (sim.simulate(craft, **given, compiled=compiled) for compiled in (True, False))
    np.testing.assert_allclose(one.states, other.states, rtol=0, atol=1e-12)
    np.testing.assert_allclose(one.values("formulation_state"), other.values("formulation_state"), rtol=0, atol=1e-12)


@pytest.mark.thinned(4)
@pytest.mark.parametrize("name", FORMULATIONS)
def test_files_and_streams(name: str, tmp_path) -> None:
    given = {**START, "duration": 1.0, "output_step": 0.1, "formulation": view(name)}
    run = sim.simulate(CRAFT, **given)
    streamed = sim.simulate(CRAFT, **given, stream=tmp_path / "stream.nc")
    loaded = sim.load(run.save(tmp_path / "run.nc"))
    for quantity in run.names:
        np.testing.assert_array_equal(streamed.values(quantity), run.values(quantity))
        np.testing.assert_array_equal(np.asarray(loaded[quantity]), run.values(quantity))


@pytest.mark.parametrize("name", [name for name, form in FORMULATIONS.items() if form.has_angles])
@pytest.mark.parametrize("sequence", ["3-1-3", "3-2-1", "1-2-3"])
def test_gimbal_lock_of_each_kind(name: str, sequence: str) -> None:
    """A steady rotation about the second axis reaches the singularity at a known time; a start there is refused."""
    axis = int(sequence[2]) - 1
    middle = 0.5 if sequence == "3-1-3" else 0.0
    away = np.pi - middle if sequence == "3-1-3" else 0.5 * np.pi
    ball = plant.Spacecraft(plant.RigidBody((2, 2, 2)))
    angles = np.array((0.0, middle, 0.0))
    given = {"rate": np.eye(3)[axis], "attitude": from_euler_angles(angles, sequence), "duration": 5.0}
    run = sim.simulate(ball, **given, rtol=1e-12, formulation=RotationIn(name, sequence=sequence))
    assert run.status == "singular"
    assert run.t[-1] == pytest.approx(away - np.arcsin(1e-4), abs=1e-9)
    start = given | {"attitude": from_euler_angles((0.0, middle + away, 0.0), sequence)}
    with pytest.raises(plant.SingularBasisError):
        sim.simulate(ball, **start, formulation=RotationIn(name, sequence=sequence))
