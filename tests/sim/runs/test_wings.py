"""Wings (arms with wide sections) under gravity gradient: a batch and an FMU give the single run."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.plant.flexible import Arm, BeamSection
from polhode.sim.codegen.toolchain import c_compiler

HUB = plant.RigidBody((14.0, 11.0, 9.0), mass=60.0)
POSITION, VELOCITY = (20.0, 1.0, 3.0), (0.0, 16.0, 0.0)  # so near that the gradient has an effect within seconds
MU = 5e3
RATES = [(0.02, 0.1, -0.03), (0.0, 0.3, 0.1), (0.2, 0.0, 0.0)]


def wings(*, width: float = 1.0) -> list[Arm]:
    """Two wings of 3 m by `width` and 5 cm thick."""
    section = BeamSection(
        area=0.05 * width, second_moment_m=width * 0.05**3 / 12.0, second_moment_n=0.05 * width**3 / 12.0,
        youngs_modulus=2e7, shear_modulus=7e6, density=40.0 / width, damping_time=1e-3,
    )  # fmt: skip
    return [
        Arm(
            section=section, length=3.0, elements=2, direction=(s, 0, 0), root=(0.4 * s, 0, 0.1), section_axis=(0, 1, 1)
        )
        for s in (1.0, -1.0)
    ]


def orbiting(kind: str, **of_wings: float) -> tuple[plant.Spacecraft, dict[str, Any]]:
    """A spacecraft with its orbit prescribed or integrated, and the arguments of its run."""
    settings = {"duration": 2.0, "rate": RATES[0], "integrator": "gauss4", "step": 0.05}
    if kind == "prescribed":
        field = plant.GravityGradient(mu=MU, position=POSITION, velocity=VELOCITY)
        return plant.Spacecraft(HUB, elements=wings(**of_wings), potentials=[field]), settings
    field = plant.GravityGradient(mu=MU)
    craft = plant.Spacecraft(HUB, elements=wings(**of_wings), potentials=[field], translation=True)
    return craft, settings | {"position": POSITION, "velocity": VELOCITY}


ORBITS = ("prescribed", "integrated")


@pytest.mark.parametrize("kind", ORBITS)
def test_runs_of_wings_in_a_batch_equal_single_runs(kind: str) -> None:
    craft, settings = orbiting(kind)
    many = sim.simulate_batch(craft, **settings | {"rate": RATES}, output_step=0.1)
    for n, rate in enumerate(RATES):
        single = sim.simulate(craft, **settings | {"rate": rate}, output_step=0.1)
        assert single.status == "completed"
        np.testing.assert_array_equal(many[n].states, single.states)
        balance = single.invariants()
        assert (balance["momentum_balance_relative"] or 0.0) < 1e-10
        assert (balance["energy_balance_relative"] or 0.0) < 1e-6


@pytest.mark.parametrize("kind", ORBITS)
def test_width_of_a_wing_tells_under_gravity_gradient(kind: str) -> None:
    """Sections of the same mass: what the batch and the FMU have to reproduce does affect the run."""
    ends = []
    for width in (1.0, 0.5):
        craft, settings = orbiting(kind, width=width)
        ends.append(sim.simulate(craft, **settings, output_times=[2.0]).values("rate")[-1])
    assert np.abs(ends[0] - ends[1]).max() > 1e-4


@pytest.mark.slow  # compiling takes some seconds for each
@pytest.mark.skipif(c_compiler() is None, reason="no C compiler on this machine")
@pytest.mark.parametrize("fmi", [2, 3])
@pytest.mark.parametrize("kind", ORBITS)
def test_fmu_of_wings_is_the_native_run(kind: str, fmi: int, tmp_path: Path) -> None:
    fmpy = pytest.importorskip("fmpy", reason="FMPy is in the extra fmi")
    craft, settings = orbiting(kind)
    law = controllers.quaternion_feedback(craft, frequency=0.2, damping_ratio=0.8, sample=0.1)
    path, names, grid = tmp_path / "wings.fmu", list(craft.layout.names), np.arange(21) * 0.1
    sim.export_fmu(craft, law, path=path, flight=settings, fmi=fmi)
    found = fmpy.simulate_fmu(str(path), fmi_type="CoSimulation", stop_time=2.0, output_interval=0.1, output=names)
    native = sim.simulate(craft, law, **settings, output_times=grid, output_step=2.0, ledger=False)
    np.testing.assert_array_equal([[row[name] for name in names] for row in found], native.states)
