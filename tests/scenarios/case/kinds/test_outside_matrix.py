"""Every cell of the guide's table of features for programs and FMUs is tested."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from polhode.plant.errors import PolhodeError
from polhode.scenarios.case.kinds.problem import build
from polhode.scenarios.case.loader import load_case
from polhode.scenarios.case_run import fly
from polhode.sim import Run, hosts
from polhode.sim.codegen.toolchain import c_compiler

PROGRAM = Path(__file__).parents[3] / "sim" / "hosts" / "process" / "hog.py"
PROCESS = f'kind = "process"\ncommand = [{sys.executable!r}, "-S", {str(PROGRAM)!r}, "99", "answers"]\ntrust = true\n'
OWN = 'kind = "rate-damping"\ngain_N_m_s = 0.1\nsample_s = 0.1\n'
GYRO = '[[sensors]]\nkind = "gyro"\nangle_random_walk_deg_sqrt_h = 0.01\nbias_deg_h = 2.0\nsample_s = 0.1\n'
TRACKER = '[[sensors]]\nkind = "star-tracker"\nnoise_arcsec = 8.0\nroll_noise_arcsec = 60.0\nsample_s = 0.1\n'
FILTER = '[estimator]\nkind = "mekf"\nattitude_error_deg = [0.02, 0.0, 0.0]\nattitude_sigma_deg = 0.05\n'
LOW_PASS = '[[blocks]]\nkind = "low-pass"\nreads = "rate"\nfrequency_rad_s = 10.0\nsample_s = 0.1\n'
WHEELS = """\
[[plant.elements]]
kind = "wheel-array"
axes = [[1.0, 1.0, 1.0], [-1.0, 1.0, 1.0], [-1.0, -1.0, 1.0], [1.0, -1.0, 1.0]]
inertia_kg_m2 = 0.02
torque_limit_N_m = 0.1
relative_rates_rad_s = [15.0, -15.0, 15.0, -15.0]
allocation = "min-max"
"""
NEXT = 'transitions = [{ to = "second", when = { quantity = "rate", above_deg_s = 0.0, for_s = 0.2 } }]'

FMU = """\
kind = "fmu"
file = "law.fmu"
inputs = { rate = ["u1", "u2", "u3"] }
outputs = { ANSWER = ["v1", "v2", "v3"] }
values = { gain = GAIN, lasts = 1e-9 }
ahead = true
unitless = true
trust = true
sample_s = 0.1
"""


def fmu(answer: str, gain: float) -> str:
    """An FMU that returns the rate times the gain, without delay."""
    return FMU.replace("ANSWER", answer).replace("GAIN", str(gain))


ROWS = {
    "process": {
        "law": f"[controller]\n{PROCESS}sample_s = 0.1\n",
        "block": f'[controller]\n{OWN}[[blocks]]\n{PROCESS}reads = "rate"\nsample_s = 0.1\n',
        "torque": f'[controller]\n{OWN}[[torques]]\n{PROCESS}name = "drag"\nsample_s = 0.1\n',
    },
    "fmu": {
        "law": f"[controller]\n{fmu('command', -0.1)}",
        "block": f"[controller]\n{OWN}[[blocks]]\n{fmu('rate', 1.0)}",
        "torque": f'[controller]\n{OWN}[[torques]]\n{fmu("torque", -0.1)}name = "drag"\n',
    },
}
COLUMNS = {
    "sensors": GYRO,
    "estimator": GYRO + TRACKER + FILTER,
    "blocks": LOW_PASS,
    "allocation": WHEELS,
    "modes": f'[[modes]]\nname = "first"\n{NEXT}\n[[modes]]\nname = "second"\nfinal = true\n',
}


def flies(text: str, folder: Path) -> bool:
    return run_of(text, folder).status == "completed"


def run_of(text: str, folder: Path) -> Run:
    file = folder / "case.toml"
    head = 'title = "outside"\n[plant]\ninertia_kg_m2 = [4.0, 3.0, 2.0]\n[initial]\nrate_rad_s = [0.01, 0.0, 0.0]\n'
    end = "[reference]\nattitude = [1.0, 0.0, 0.0, 0.0]\n"
    end += '[run]\nduration_s = 0.8\nintegrator = "rk4"\nstep_s = 0.1\nseed = 1\n'
    file.write_text(head + end + text)
    problem = build(load_case(file).case)
    return fly(replace(problem, settings={**problem.settings, "compiled": False}), name="outside")


def has_margins(text: str, folder: Path) -> bool:
    flies(text, folder)
    problem = build(load_case(folder / "case.toml").case)
    assert problem.law is not None
    try:
        problem.law.margins(problem.craft.linearize(problem.craft.at_rest()), blocks=problem.blocks)
    except PolhodeError:
        return False
    return True


def table_of(page: str) -> dict[str, dict[str, bool]]:
    """The table of a page that begins with "| outside |"."""
    lines = page.splitlines()
    first = next(n for n, line in enumerate(lines) if line.lower().startswith("| outside |"))
    table = [lines[first], *lines[first + 2 : first + 2 + sum(map(len, ROWS.values()))]]
    head, *rows = ([cell.strip() for cell in line.strip("|").split("|")] for line in table)
    return {row[0]: {name: cell == "yes" for name, cell in zip(head[1:], row[1:], strict=True)} for row in rows}


def on_the_pages() -> list[dict[str, dict[str, bool]]]:
    docs = Path(__file__).parents[4] / "docs"
    protocol = Path(hosts.__file__).with_name("process").joinpath("PROTOCOL.md")
    pages = (docs / "external.md", docs / "reference" / "what-runs-with-what.md", protocol)
    return [table_of(page.read_text(encoding="utf-8")) for page in pages]


def cells(text: str, folder: Path) -> dict[str, bool]:
    return {name: flies(text + more, folder) for name, more in COLUMNS.items()} | {"margins": has_margins(text, folder)}


@pytest.mark.thinned(3)
@pytest.mark.parametrize("row", ROWS["process"])
def test_program_outside_runs_with_what_the_pages_say(row, tmp_path):
    found = cells(ROWS["process"][row], tmp_path)
    for table in on_the_pages():
        assert table[f"process as {row}"] == found


@pytest.fixture(scope="module")
def unit(tmp_path_factory):
    pytest.importorskip("fmpy", reason="FMPy is in the extra fmi")
    if c_compiler() is None:
        pytest.skip("no C compiler on this machine")
    from ....sim.hosts.fmi.units import (
        description2,
        libraries,
        write_unit,
    )  # only if FMPy is installed

    folder = tmp_path_factory.mktemp("units")
    description = description2().replace(' unit="N.m"', "")
    return write_unit(folder / "law.fmu", libraries(folder)[2], description, fmi=2)


@pytest.mark.slow  # a process that loads FMPy for every cell
@pytest.mark.parametrize("row", ROWS["fmu"])
def test_fmu_outside_runs_with_what_the_pages_say(row, unit, tmp_path):
    (tmp_path / "law.fmu").write_bytes(unit.read_bytes())
    found = cells(ROWS["fmu"][row], tmp_path)
    for table in on_the_pages():
        assert table[f"FMU as {row}"] == found


@pytest.mark.slow
@pytest.mark.parametrize("column", COLUMNS)
def test_fmu_as_law_acts_as_the_law_inside(column, unit, tmp_path):
    """Damping by an FMU and by an internal law, with the same sensors, filters, modes and wheels: equal to rounding."""
    (tmp_path / "law.fmu").write_bytes(unit.read_bytes())
    outside, own = (run_of(text + COLUMNS[column], tmp_path) for text in (ROWS["fmu"]["law"], f"[controller]\n{OWN}"))
    assert np.abs(own.values("command")).max() > 1e-4
    np.testing.assert_allclose(outside.states, own.states, rtol=0, atol=1e-12)
    np.testing.assert_allclose(outside.values("command"), own.values("command"), rtol=0, atol=1e-12)
