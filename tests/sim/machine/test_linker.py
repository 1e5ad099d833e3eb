"""Code from disk runs in a process whatever numba has or has not done there."""

import subprocess
import sys

import pytest

pytestmark = pytest.mark.slow  # only functions of users are compiled just in time

RUN = """
from polhode import controllers, plant, sim
craft = plant.Spacecraft(plant.RigidBody((3, 2, 1)))
law = controllers.quaternion_feedback(craft, frequency=0.5, damping_ratio=0.7, sample=0.1)
run = sim.simulate(craft, law, attitude=(0.8, 0.6, 0, 0), duration=1.0, integrator="rk4", step=0.1)
print(run.status, run.states[-1].tobytes().hex())
"""


def output(before: str) -> str:
    done = subprocess.run([sys.executable, "-c", before + RUN], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr  # a crash of the process is what this is about
    return done.stdout


@pytest.mark.parametrize(
    "before",
    [
        pytest.param("import numba", marks=pytest.mark.slow),
        pytest.param("import polhode.sim.machine.entry", marks=pytest.mark.slow),
        "import numba; numba.njit('f8(f8)')(lambda x: x + 1)",
    ],
)
def test_numba_before_linked_code_changes_nothing(before):
    assert output(before) == output("") != ""
