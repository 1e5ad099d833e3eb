"""Warning about static imbalance of wheels on a hub that is held because the case gives no mass."""

from pathlib import Path

import pytest

from polhode import scenarios
from polhode.scenarios.report.case_warnings import case_warnings

CASE = Path(scenarios.__file__).parent / "cases" / "wheel-jitter.toml"
SHORT = ["require=[]", "torques=[]", "metrics={}", "run.duration_s=0.1"]


@pytest.mark.parametrize(
    ("key", "warned"),
    [
        ("elements.0.dynamic_imbalance_kg_m2=5e-6", 1),
        ("elements.0.static_imbalance_kg_m=0.0", 0),
        ("pivot_m=[0.0, 0.0, 0.0]", 0),
    ],
)
def test_static_imbalance_without_mass_is_warned_about(tmp_path, key, warned):
    """Mean jitter acceleration Us W^2/m needs a mass; a pivot that the case states is intended."""
    text = CASE.read_text(encoding="utf-8")
    path = tmp_path / "massless.toml"
    path.write_text(text.replace("mass_kg = 150.0\n", ""), encoding="utf-8")
    result = scenarios.run_case(path, overrides=[*SHORT, f"plant.{key}"])
    assert (
        sum("without plant.mass_kg the hub is held" in each for each in case_warnings(result.loaded, result.run))
        == warned
    )


def test_static_imbalance_with_mass_is_not_warned_about():
    result = scenarios.run_case("wheel-jitter", overrides=SHORT)
    assert not any("without plant.mass_kg" in each for each in case_warnings(result.loaded, result.run))
