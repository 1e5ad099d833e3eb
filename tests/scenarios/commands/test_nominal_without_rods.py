"""Linear models of a case with hysteresis rods, from the plant without rods in `[nominal.plant]`."""

import numpy as np
import pytest

from polhode import scenarios
from polhode.plant import InputError
from polhode.scenarios.case.kinds.design import design_plant, design_warnings, taken_as

from ..conftest import Command

INERTIA = np.array((0.03, 0.02, 0.01))  # differs from that of the case
CONTROLLED = [
    "require=[]",
    "run.duration_s=600.0",
    "reference.attitude=[1.0, 0.0, 0.0, 0.0]",
    'controller={kind="pid", frequency_rad_s=0.01, damping_ratio=0.8, integral_time_s=1000.0, sample_s=2.0}',
]
NOMINAL = [*CONTROLLED, f"nominal.plant.inertia_kg_m2={INERTIA.tolist()}"]
WHEEL = '{kind="wheel", axis=[0.0, 0.0, 1.0], inertia_kg_m2=1e-4}'


def test_linear_model_is_that_of_the_nominal_plant() -> None:
    """A free body at rest: the attitude integrates the rate, and the rate the torque over the nominal inertia."""
    case = scenarios.load_case("passive-magnetic", NOMINAL).case
    craft = scenarios.build(case).craft
    plant, model = design_plant(case, craft)
    assert not plant.elements
    response = model.C @ np.linalg.solve(0.1 * np.eye(len(model.A)) - model.A, model.B) + model.D
    np.testing.assert_allclose(response[-3:], np.diag(1.0 / (0.1 * INERTIA)), rtol=1e-12, atol=1e-12)
    assert "without hysteresis rods" in taken_as(case, craft, plant)
    assert any(
        "nominal.plant, without hysteresis rods; in a run they act" in each for each in design_warnings(case, craft)
    )


@pytest.mark.parametrize("command", ["design", "linearize"])
def test_commands_state_the_plant_of_the_model(polhode: Command, command: str) -> None:
    keys = [word for each in NOMINAL for word in ("--set", each)]
    found = polhode(command, "passive-magnetic", *keys, "--json")
    assert found.code == 0, found.err
    assert any("nominal.plant, without hysteresis rods" in each for each in found.json["warnings"])


def test_without_a_nominal_plant_rods_are_refused_with_the_way_out() -> None:
    case = scenarios.load_case("passive-magnetic", CONTROLLED).case
    with pytest.raises(InputError, match=r"no linear model.*without rods in \[nominal.plant\]"):
        scenarios.build(case)


def test_nominal_plant_needs_the_same_moving_elements() -> None:
    case = scenarios.load_case("passive-magnetic", [*NOMINAL, f"nominal.plant.elements=[{WHEEL}]"]).case
    with pytest.raises(InputError, match=r"nominal.plant replaces a plant with hysteresis rods.*\['wheel_angle'\]"):
        design_plant(case, scenarios.build(case, with_law=False).craft)
