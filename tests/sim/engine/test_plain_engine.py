"""Without the engine's library everything runs as plain Python, with the results of the compiled engine."""

import os
import subprocess
import sys

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.controllers import blocks
from polhode.controllers.sensing.estimators import MEKF
from polhode.controllers.sensing.sensors import RateGyro, StarTracker
from polhode.plant.flexible import Arm, BeamSection
from polhode.sim.codegen import library
from polhode.sim.codegen.library import has_library
from polhode.sim.codegen.toolchain import c_compiler
from polhode.sim.runs.campaigns import Uniform

needs_library = pytest.mark.skipif(not has_library() or c_compiler() is None, reason="no C compiler on this machine")

BODY = plant.RigidBody((3.0, 2.0, 1.0))
CRAFT = plant.Spacecraft(BODY, torques=plant.TorqueBasis("body", limit=0.5))
START = {"attitude": (0.8, 0.6, 0.0, 0.0), "rate": (0.02, -0.01, 0.03)}
RK4 = {"integrator": "rk4", "step": 0.1}
SECTION = BeamSection(
    area=2.5e-3,
    second_moment_m=5.2e-7,
    second_moment_n=5.2e-7,
    youngs_modulus=7e10,
    shear_modulus=3e10,
    density=3e3,
)


@pytest.fixture
def no_library(monkeypatch):
    """A machine without a library for it, and without a C compiler."""

    def call(*_):
        pytest.fail("a function of the library was wanted")

    monkeypatch.setattr(library, "_library", lambda: None)
    monkeypatch.setattr(library, "_address", call)
    monkeypatch.setattr("polhode.sim.codegen.user_kernel.c_compiler", call)


@pytest.fixture
def both(request):
    """Call a function with the compiled engine, then without it, and return both results."""

    def call(function):
        compiled = function()
        _ = getattr(compiled, "observables", None)  # which a run computes when they are first read
        request.getfixturevalue("no_library")
        return compiled, function()

    return call


def law():
    return controllers.lqr(CRAFT.linearize(CRAFT.at_rest()), attitude=4, rate=4, effort=1, sample=0.1, delay=0.04)


def own_law(t, y, r, q, z, u):
    z[0] += 0.1 * y[7]
    for n in range(3):
        u[n] = -q[0] * y[4 + n] * y[3] - q[1] * y[n] - 0.01 * z[0]


def own_potential(c, e):
    return 2.0 * (e[0] ** 2 - e[1] ** 2 - e[2] ** 2 + e[3] ** 2) + 0.3 * np.exp(-e[1] * e[2])


def own_effort(t, e, omega, c, v):
    return (-0.1 * omega[0], 0.02 * np.sin(t), -0.2 * omega[2], 0.0, 0.0, 0.0)


def own_reference(t, q, r):
    for n in range(10):
        r[n] = 0.0
    r[0], r[3], r[6] = np.cos(0.5 * q[0] * t), np.sin(0.5 * q[0] * t), q[0]


def plain_run():
    return sim.simulate(CRAFT, law(), duration=2.0, **START)


def filter_run():
    gyro, tracker = (
        RateGyro(angle_random_walk=1e-5, rate_random_walk=1e-8, bias=1e-4),
        StarTracker(noise=2e-5, roll_noise=2e-4, delay=0.2),
    )
    made = gyro.block(sample=0.1), tracker.block(sample=0.2)
    estimate = MEKF(1e-5, 1e-8).block(made[0], [(tracker, made[1])], attitude=START["attitude"], attitude_sigma=0.01,
                                      bias_sigma=1e-4)  # fmt: skip
    low = blocks.low_pass(frequency=2.0, reads="rate", writes="slow", sample=0.1).as_monitor()
    return sim.simulate(CRAFT, law(), blocks=[*made, estimate, low], seed=3, duration=2.0, **START, **RK4)


def modes_run():
    damping = controllers.RateDamping(gain=6.0, sample=0.1, delay=0.04, torques=CRAFT.torques)
    modes = controllers.Modes(
        [
            controllers.Mode(
                "slow", damping, transitions=controllers.Transition("fine", controllers.Condition("elapsed", above=0.5))
            ),
            controllers.Mode("fine", law(), final=True),
        ]
    )
    return sim.simulate(CRAFT, modes, blocks=[modes.block()], duration=2.0, **START, **RK4)


def arm_run():
    arm = Arm(section=SECTION, length=2.0, elements=1, direction=(1, 0, 0), root=(0.1, 0, 0))
    craft = plant.Spacecraft(plant.RigidBody((0.2, 0.2, 0.1), mass=20.0), elements=[arm])
    return sim.simulate(craft, rate=(0, 0.1, 0), duration=0.02, integrator="gauss4", step=0.01)


def implicit_run():
    ring = plant.RingDamper(axis=(0, 0, 1), mass=0.3, radius=0.5, friction=0.2, fill=2.0)
    craft = plant.Spacecraft(plant.RigidBody((3, 2, 1), mass=20.0), elements=[ring])
    return sim.simulate(craft, rate=(0.1, 0.2, 0.5), duration=0.2, integrator="gauss4", step=0.1)


def own_run():
    craft = plant.Spacecraft(
        BODY, potentials=[plant.Potential(own_potential)], user_forces=[plant.UserForce(own_effort)]
    )
    mine = controllers.CustomLaw(own_law, sample=0.1, parameters=(2.0, 1.5), memory=(0.0,))
    reference = controllers.CustomReference(own_reference, parameters=(0.1,))
    return sim.simulate(craft, mine, reference=reference, duration=1.0, **START, **RK4)


def formulation_run():
    return sim.simulate(plant.Spacecraft(BODY), rate=(0.1, 2, 0.1), duration=0.5, formulation="schwab-42", **RK4)


def changed_run():
    return sim.simulate(CRAFT, sim.ChangedLaw(law(), factor=(0.5, 0.5, 0.5)), duration=1.0, **START, **RK4)


def exact_run():
    return sim.simulate(plant.Spacecraft(BODY), rate=(0.1, 2, 0.1), duration=3.0, integrator="elliptic", step=0.5)


RUNS = [
    *(plain_run, filter_run, modes_run, implicit_run, own_run, formulation_run, changed_run, exact_run),
    pytest.param(arm_run, marks=pytest.mark.slow),
]


@needs_library
@pytest.mark.parametrize("make", RUNS, ids=lambda make: make.__name__)
def test_run_without_library_has_the_numbers_of_the_compiled_one(make, both):
    compiled, plain = both(make)
    assert plain.status == compiled.status == "completed"
    for name in compiled.names:
        one, other = compiled.values(name), plain.values(name)
        np.testing.assert_allclose(other, one, rtol=0, atol=1e-12 * max(1.0, float(np.abs(one).max())), err_msg=name)


@needs_library
@pytest.mark.parametrize("make", [plain_run, modes_run, exact_run], ids=lambda make: make.__name__)
def test_plain_engine_equals_compiled_to_the_bit(make, both):
    compiled, plain = both(make)
    np.testing.assert_array_equal(plain.states, compiled.states)
    np.testing.assert_array_equal(plain.inputs, compiled.inputs)


@needs_library
def test_batch_without_library_has_the_numbers_of_the_compiled_one(both):
    rates = [(0.01 * n, 0.02, -0.01) for n in range(9)]
    compiled, plain = both(
        lambda: sim.simulate_batch(CRAFT, law(), rate=rates, duration=1.0, output_times=[0.5, 1.0], **RK4)
    )
    np.testing.assert_array_equal(plain.states, compiled.states)


@needs_library
def test_replay_without_library_has_the_numbers_of_the_compiled_one(both):
    low = blocks.low_pass(frequency=2.0, reads="rate", sample=0.1)
    t = 0.1 * np.arange(20)
    rows = np.column_stack([np.sin(t), np.cos(t), t])
    compiled, plain = both(lambda: low.replay(t, rows))
    np.testing.assert_allclose(plain, compiled, rtol=0, atol=1e-15)


def fly(draw):
    run = sim.simulate(
        CRAFT, law(), attitude=START["attitude"], rate=(draw.values["rate"], 0.0, 0.0), duration=1.0, **RK4
    )
    return {"last": float(run.x[-1, 0])}


@needs_library
def test_campaign_without_library_has_the_numbers_of_the_compiled_one(both):
    compiled, plain = both(lambda: sim.campaign(fly, {"rate": Uniform(low=0.0, high=0.1)}, runs=3, seed=1))
    np.testing.assert_array_equal(plain.metrics["last"], compiled.metrics["last"])


@pytest.mark.slow
def test_export_needs_no_library(no_library, tmp_path):
    sim.export_fmu(CRAFT, law(), path=tmp_path / "craft.fmu", flight={"duration": 1.0, **START, **RK4})
    assert (tmp_path / "craft.fmu").stat().st_size > 10_000


def test_drift_of_a_formulation_without_library_has_no_cost(no_library):
    found = sim.formulation_drift("hamilton-7", BODY, rate=(0.1, 1.0, 0.1), duration=0.5, step=0.1)
    assert np.isnan(found.cost)


CODE = """
from polhode import plant, sim
craft = plant.Spacecraft(
    plant.RigidBody((3, 2, 1)), user_forces=[plant.UserForce(lambda t, e, omega, c, v: (0.1, 0.0, 0.0, 0.0, 0.0, 0.0))]
)
for _ in range(2):
    run = sim.simulate(craft, rate=(0.1, 1.0, 0.1), duration=1.0, output_times=[1.0])
print(run.x[-1].tolist())
"""


def test_polhode_plain_is_obeyed_and_reported_once():
    env = os.environ | {"POLHODE_PLAIN": "1", "CC": "/nowhere/cc"}
    done = subprocess.run([sys.executable, "-c", CODE], env=env, capture_output=True, text=True, check=False)
    assert done.stderr == "polhode: POLHODE_PLAIN is set, so everything runs as plain Python, slowly\n"
    there = {}
    exec(CODE.replace("at=[1.0]", "at=[1.0], compiled=False").replace("print(", "found = ("), there)
    assert done.stdout == f"{there['found']}\n"


@needs_library
@pytest.mark.parametrize(("value", "compiled"), [("1", False), ("yes", False), ("0", True), ("", True)])
def test_polhode_plain_is_read_at_every_run(monkeypatch, value, compiled):
    monkeypatch.setenv("POLHODE_PLAIN", value)
    assert has_library() is compiled
