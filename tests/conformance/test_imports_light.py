"""Start-up stays fast: importing a room loads none of the heavy libraries, and the plant only numpy."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = ("scipy", "control", "matplotlib", "xarray", "pandas", "h5netcdf", "h5py")


def loaded_by(statement: str) -> set[str]:
    """The packages that `statement` loads, beyond numpy, the standard library and what start-up loads."""
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
def test_nothing_heavy(name: str) -> None:
    assert loaded_by(f"import {name}") & set(HEAVY) == set()


def test_plant_needs_only_numpy() -> None:
    assert loaded_by("import polhode.plant, polhode.plant.attitude") == set()
