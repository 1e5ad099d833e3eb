"""Start-up stays fast: importing a room loads none of the heavy libraries, and the plant only numpy."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = ("scipy", "control", "matplotlib", "xarray", "pandas", "h5netcdf", "h5py")


def loaded_by(statement: str) -> set[str]:
    """The packages that `statement` loads, except numpy, the standard library and those loaded at start-up."""
    code = (
        "import sys, numpy\n"
        "before = set(sys.modules)\n"
        f"{statement}\n"
        "new = {name.partition('.')[0] for name in set(sys.modules) - before}\n"
        "print(*sorted(new - set(sys.stdlib_module_names) - {'numpy', 'polhode'}))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())


@pytest.mark.parametrize(
    "name",
    [
        "polhode.plant",
        "polhode.plant.attitude",
        "polhode.controllers",
        "polhode.sim",
        "polhode.scenarios.commands.cli",
    ],
)
def test_import_loads_nothing_heavy(name: str) -> None:
    assert loaded_by(f"import {name}") & set(HEAVY) == set()


@pytest.mark.slow
def test_run_without_a_law_loads_only_its_own_parts() -> None:
    build = "from polhode.sim.codegen.library import has_library; has_library()"  # building a table loads more
    subprocess.run([sys.executable, "-c", build], capture_output=True, check=True)
    code = (
        "import sys\n"
        "from polhode.scenarios.commands.invoke import invoke\n"
        "code = invoke(['run', 'torque-free', '--json'])\n"
        "print(code, *sorted(sys.modules), file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    code_of_exit, *names = done.stderr.splitlines()[-1].split()
    assert code_of_exit == "0", done.stderr
    spare = (
        *HEAVY,
        "numpy.ma",
        "rich",
        "polhode.controllers.loop.analysis",  # no law
        "polhode.controllers.designs",
        "polhode.controllers.sensing.estimators",
        "polhode.controllers.loop.robustness",
        "polhode.controllers.sensing.sensors",
        "polhode.plant.elements.arm",  # no element
        "polhode.plant.elements.pendulum",
        "polhode.plant.formulations.lagrange",  # no formulation but the standard equations
        "polhode.plant.linear.vibration.mesh",
        "polhode.sim.engine.advance",  # the engine as plain Python
        "polhode.sim.results.stored_run",  # nothing to compare with
        "polhode.sim.engine.steppers.implicit",
    )
    assert [name for name in names if name in spare or name.startswith(tuple(f"{each}." for each in spare))] == []


def test_plant_needs_only_numpy() -> None:
    assert loaded_by("import polhode.plant, polhode.plant.attitude") == set()
