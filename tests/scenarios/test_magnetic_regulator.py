"""The case `magnetic-regulator`: design, run and analysis along its orbit."""

import numpy as np
import pytest

from polhode import scenarios
from polhode.plant import InputError


@pytest.mark.slow
def test_design_and_analysis_print_the_same_multipliers(polhode):
    text = polhode("design", "magnetic-regulator").out
    assert "with the Floquet multipliers 0.08" in text
    assert "the gains between those of 284 samples are interpolated" in " ".join(text.split())
    outcome = polhode("analyse", "magnetic-regulator", "--json")
    found = outcome.json["floquet"]
    assert outcome.json["holds"]
    assert found["map_difference"] < 1e-5
    largest = found["multipliers"][0]
    assert largest[0] == pytest.approx(0.0850, rel=0.01)  # the period takes 283.849 samples, the analysis 284
    up, down = found["margins"]
    assert (up["input"], up["kind"], up["confirmed"]) == ("all", "gain up", True)
    assert up["frozen_range"] == [None, None]
    assert up["predicted"] > 1.5
    assert down["predicted"] < 0.1


def test_error_decays_as_the_multipliers_state():
    """Beyond the first orbit the error decays by the largest multiplier in each."""
    found = scenarios.run_case("magnetic-regulator")
    error = np.degrees(found.run.values("attitude_error"))
    period = 5676.978
    sizes = [error[(found.run.t >= n * period) & (found.run.t < (n + 1) * period)].max() for n in range(3)]
    assert sizes[2] / sizes[1] == pytest.approx(0.085, rel=0.3)


@pytest.mark.parametrize(
    ("told", "message"),
    [
        (["environment={gravity_gradient=true}"], "need the magnetic field along the orbit"),
        (["run.duration_s=1000"], "needs the magnetic field over 1 orbit"),
        (['plant.magnetorquers={law="b-dot",gain_A_m2_s_T=1.0,dipole_limit_A_m2=0.2}'], "commanded twice"),
        (["controller.orbits=0"], "orbits"),
        (["controller.gains_per_orbit=2"], "number of stored gains"),
    ],
)
def test_wrong_keys_are_refused(told, message):
    with pytest.raises(InputError, match=message):
        scenarios.run_case("magnetic-regulator", overrides=[*told, "require=[]"])
