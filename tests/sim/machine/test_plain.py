"""NUMBA_DISABLE_JIT=1: everything runs as plain Python, and says so once."""

import os
import subprocess
import sys

import pytest

from polhode import controllers, plant, sim
from polhode.plant.flexible import Arm, BeamSection
from polhode.sim.machine import plain

CODE = """
from polhode import controllers, plant, sim
craft = plant.Spacecraft(
    plant.RigidBody((3, 2, 1)), efforts=[plant.Effort(lambda t, e, omega, c, v: (0.1, 0.0, 0.0, 0.0, 0.0, 0.0))]
)
bare = plant.Spacecraft(plant.RigidBody((3, 2, 1)))
law = controllers.lqr(bare.linearize(bare.at_rest()), attitude=1, rate=1, effort=1, sample=0.1)
for _ in range(2):
    run = sim.simulate(craft, law, rate=(0.1, 1.0, 0.1), duration=1.0, at=[1.0])
print(run.x[-1].tolist())
"""


def test_without_numba_everything_runs_plain_and_is_the_same():
    env = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    code = CODE + "import sys; print('numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("\n") == 1
    assert "NUMBA_DISABLE_JIT is set" in done.stderr
    state, numba = done.stdout.splitlines()
    assert numba == "False"
    there = {}
    exec(CODE.replace("duration=1.0, at=[1.0]", "duration=1.0, at=[1.0], compiled=False"), there)
    assert state == str(there["run"].x[-1].tolist())


@pytest.fixture
def no_compiler(monkeypatch):
    """NUMBA_DISABLE_JIT for this process, and a compiler that must not be asked."""

    def ask(*args):
        pytest.fail("something was to be compiled")

    monkeypatch.setattr(plain, "_disabled", lambda: True)
    monkeypatch.setattr("polhode.sim.machine.compiler.address_of", ask)
    monkeypatch.setattr("polhode.sim.machine.compiler.entry_function", ask)


@pytest.mark.slow
def test_formulations_arms_and_changed_laws_run_plain_too(no_compiler):
    body = plant.Spacecraft(plant.RigidBody((3, 2, 1)))
    sim.simulate(body, rate=(0.1, 2, 0.1), duration=0.1, formulation="schwab-42")
    section = BeamSection(
        area=2.5e-3,
        second_moment_m=5.2e-7,
        second_moment_n=5.2e-7,
        elastic_modulus=7e10,
        shear_modulus=3e10,
        density=3e3,
    )
    arm = Arm(section=section, length=2.0, elements=1, direction=(1, 0, 0), root=(0.1, 0, 0))
    body = plant.RigidBody((0.2, 0.2, 0.1), mass=20.0)
    flexible = plant.Spacecraft(body, elements=[arm])
    sim.simulate(flexible, rate=(0, 0.1, 0), duration=0.02, integrator="gauss4", step=0.01)
    craft = plant.Spacecraft(plant.RigidBody((3, 2, 1)))
    law = controllers.lqr(craft.linearize(craft.at_rest()), attitude=1, rate=1, effort=1, sample=0.1)
    half = sim.ChangedLaw(law, factor=(0.5, 0.5, 0.5))
    runs = [sim.simulate(craft, half, rate=(0.1, 0, 0), duration=0.5, at=[0.5], compiled=c) for c in (True, False)]
    assert runs[0].x.tolist() == runs[1].x.tolist()


@pytest.mark.parametrize(("value", "expected"), [("1", True), ("0", False), ("", False), ("2", True), ("yes", False)])
def test_the_setting_is_read_as_numba_reads_it(monkeypatch, value, expected):
    monkeypatch.delitem(sys.modules, "numba.core.config", raising=False)
    monkeypatch.setenv("NUMBA_DISABLE_JIT", value)
    assert plain._disabled() is expected


def test_what_a_program_told_numba_itself_counts(monkeypatch):
    from numba.core import config

    monkeypatch.setattr(config, "DISABLE_JIT", 1)
    assert plain.compiles(True) is False
    monkeypatch.setattr(config, "DISABLE_JIT", 0)
    assert plain.compiles(True) is True
    assert plain.compiles(False) is False
