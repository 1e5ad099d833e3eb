"""Every integrator runs with everything that the guide lists for it."""

import re
from pathlib import Path

import pytest

from polhode import plant, sim

from ...crafts import arms

PAGE = Path(__file__).resolve().parents[3] / "docs" / "reference" / "what-runs-with-what.md"
BODY = plant.RigidBody((3.0, 2.0, 1.0), mass=20.0)
CRAFTS = {
    "free rigid body": lambda: plant.Spacecraft(BODY),
    "rigid elements": lambda: plant.Spacecraft(BODY, elements=[plant.Wheel(axis=(0, 0, 1), inertia=0.01)]),
    "flexible arms": lambda: plant.Spacecraft(
        plant.RigidBody((14.0, 11.0, 9.0), mass=60.0), elements=arms(modulus=7e7, damping_time=0.0)[:1]
    ),
}
STEP = 2e-4
"""s; it resolves the fastest mode of the arm."""


def table():
    lines = PAGE.read_text(encoding="utf-8").partition("## Integrators")[2].strip().splitlines()
    heads = [cell.strip() for cell in lines[0].strip("|").split("|")]
    found = {}
    for line in lines[2:]:
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        for name in re.findall(r"`([a-z0-9]+)`", cells[0]):
            found[name] = dict(zip(heads[1:], cells[1:], strict=True))
    return found


TABLE = table()


def test_guide_lists_every_integrator():
    assert set(TABLE) - {"auto"} == set(sim.INTEGRATORS)


@pytest.mark.parametrize("craft", CRAFTS)
@pytest.mark.parametrize("name", sim.INTEGRATORS)
def test_integrator_runs_with_what_the_guide_says(name, craft):
    options = {"step": STEP} if sim.INTEGRATORS[name].order and not sim.INTEGRATORS[name].adaptive else {}

    def fly():
        return sim.simulate(CRAFTS[craft](), rate=(0.1, 0.2, 0.3), duration=0.02, integrator=name, **options)

    if TABLE[name][craft] == "no":
        with pytest.raises(plant.InputError):
            fly()
    else:
        assert fly().status == "completed"
