"""What a program outside runs with, as the README and the protocol page say: each cell of their table is tried."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from polhode.plant.errors import PolhodeError
from polhode.scenarios.case.loader import load_case
from polhode.scenarios.case_run import fly
from polhode.scenarios.objects.problem import build
from polhode.sim import exchange

PROGRAM = Path(__file__).parents[2] / "sim" / "exchange" / "process" / "hog.py"
OUTSIDE = f'kind = "process"\ncommand = [{sys.executable!r}, "-S", {str(PROGRAM)!r}, "99", "answers"]\ntrust = true\n'
OWN = 'kind = "rate-damping"\ngain_N_m_s = 0.1\nsample_s = 0.1\n'
GYRO = '[[sensors]]\nkind = "gyro"\nangle_random_walk_deg_sqrt_h = 0.01\nbias_deg_h = 2.0\nsample_s = 0.1\n'
TRACKER = '[[sensors]]\nkind = "star-tracker"\nnoise_arcsec = 8.0\nroll_noise_arcsec = 60.0\nsample_s = 0.1\n'
FILTER = '[estimator]\nkind = "mekf"\nattitude_error_deg = [0.02, 0.0, 0.0]\nattitude_sigma_deg = 0.05\n'
LOW_PASS = '[[blocks]]\nkind = "low-pass"\nreads = "rate"\nfrequency_rad_s = 10.0\nsample_s = 0.1\n'
NEXT = 'until = [{ to = "second", when = { quantity = "rate", above_deg_s = 0.0, for_s = 0.2 } }]'

ROWS = {
    "law": f"[controller]\n{OUTSIDE}sample_s = 0.1\n",
    "block": f'[controller]\n{OWN}[[blocks]]\n{OUTSIDE}reads = "rate"\nsample_s = 0.1\n',
    "torque": f'[controller]\n{OWN}[[torques]]\n{OUTSIDE}name = "drag"\nsample_s = 0.1\n',
}
COLUMNS = {
    "sensors": GYRO,
    "estimator": GYRO + TRACKER + FILTER,
    "blocks": LOW_PASS,
    "modes": f'[[modes]]\nname = "first"\n{NEXT}\n[[modes]]\nname = "second"\nfinal = true\n',
}


def flies(text: str, folder: Path) -> bool:
    file = folder / "case.toml"
    head = 'title = "outside"\n[plant]\ninertia_kg_m2 = [4.0, 3.0, 2.0]\n[initial]\nrate_rad_s = [0.01, 0.0, 0.0]\n'
    end = "[reference]\nattitude = [1.0, 0.0, 0.0, 0.0]\n"
    end += '[run]\nduration_s = 0.8\nintegrator = "rk4"\nstep_s = 0.1\nseed = 1\n'
    file.write_text(head + end + text)
    problem = build(load_case(file).case)
    run = fly(replace(problem, settings={**problem.settings, "compiled": False}), name="outside")
    return run.status == "completed"


def has_margins(row: str, folder: Path) -> bool:
    flies(ROWS[row], folder)
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
    first = next(n for n, line in enumerate(lines) if line.startswith("| outside |"))
    table = [lines[first], *lines[first + 2 : first + 2 + len(ROWS)]]
    head, *rows = ([cell.strip() for cell in line.strip("|").split("|")] for line in table)
    return {row[0]: {name: cell == "yes" for name, cell in zip(head[1:], row[1:], strict=True)} for row in rows}


@pytest.mark.parametrize("row", ROWS)
def test_program_outside_runs_with_what_the_pages_say(row, tmp_path):
    found = {name: flies(ROWS[row] + text, tmp_path) for name, text in COLUMNS.items()}
    found["margins"] = has_margins(row, tmp_path)
    readme = (Path(__file__).parents[3] / "README.md").read_text()
    protocol = Path(exchange.__file__).with_name("process").joinpath("PROTOCOL.md").read_text()
    assert table_of(readme)[row] == found
    assert table_of(protocol)[row] == found
